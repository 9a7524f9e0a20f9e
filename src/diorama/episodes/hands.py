"""Hands: the interface that an agent gets to one episode; no score, seed or snapshot can be reached from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from diorama.doors.tools import Observation
from diorama.kernel import Reply

if TYPE_CHECKING:
    from diorama.episodes.episode import Episode


class Hands:
    """The agent interface: brief, tools and requests; it gives no access to a score, a seed or a snapshot."""

    __slots__ = ("__call", "__episode", "__http", "brief", "tools")

    def __init__(self, episode: Episode) -> None:
        self.brief = episode.brief
        self.tools = episode.tools
        self.__call = episode.call
        self.__http = episode.http
        self.__episode = episode

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        return self.__episode.ended is not None

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Observation:
        """Call a tool."""
        return self.__call(tool, arguments)

    def http(
        self,
        app: str,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        seat: str = "",
        credential: str = "",
    ) -> Reply:
        """Send a request to the vendor's API; see Episode.http for `seat` and `credential`."""
        return self.__http(app, method, path, body, headers, seat=seat, credential=credential)
