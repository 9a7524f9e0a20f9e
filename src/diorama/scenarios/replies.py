"""The agent's public replies: on a ticket, and to a customer, whatever became of them afterwards."""

from __future__ import annotations

from typing import Protocol

from diorama.kit.words import Sent
from diorama.rewards import View
from diorama.rewards.claims.speech import is_speech


class Addressed(Protocol):
    """The ticket of a matter, and the addresses of its customer."""

    @property
    def ticket_id(self) -> int: ...
    @property
    def requester(self) -> str: ...
    @property
    def emails(self) -> tuple[str, ...]: ...


def replies_on(view: View, ticket_id: int) -> list[Sent]:
    """Return the agent's public replies on a ticket, also those that were hidden or changed afterwards."""
    return [one for one in _replies(view) if one.thread == ticket_id]


def mails_to(view: View, matter: Addressed) -> list[Sent]:
    """Return the agent's public replies that a customer got, on whatever ticket."""
    mine = {matter.requester, *matter.emails}
    return [one for one in _replies(view) if one.thread == matter.ticket_id or mine & set(one.to)]


def _replies(view: View) -> list[Sent]:
    """Return the public replies; only words to a person count: no one is answered by a full stop."""
    return [one for one in view.sent() if one.way == "mail" and one.staff and is_speech(one.body)]


def counted(replies: int) -> str:
    """Say how many public replies there are."""
    return "one public reply" if replies == 1 else f"{replies} public replies"


def since(view: View) -> str:
    """Return from when the time for a first reply counts, for the reader of a verdict."""
    return f"the start of the episode ({view.staged_at:%Y-%m-%d %H:%M} UTC)"
