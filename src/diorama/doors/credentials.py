"""Credentials: whom a secret, a minted token or an origin stands for. No world contains a secret."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from diorama.doors.links import Links
from diorama.kernel import Reply, Request
from diorama.kit import App, Credential
from diorama.kit.tokens import Tokens


class Session(Protocol):
    """One person, or an anonymous client, at one app of one live episode."""

    app: App
    login: str
    secret: str
    """What signatures are verified with; "" if the client shows its secret."""
    live: bool
    mark: str
    """The random name of the episode; tokens that its world mints contain it outside."""
    tokens: Tokens | None
    """The tokens that the apps of its world mint; None if no app mints any."""

    @property
    def now_us(self) -> int:
        """The time of its world in microseconds; 0 if the world is gone."""
        ...

    @property
    def issued(self) -> Collection[str]:
        """Every secret and key id that the server issued for the episode; no world sees one, wherever it is written."""
        ...

    def send(self, request: Request) -> Reply:
        """Send a request as this person and return the vendor's answer; never raise."""
        ...

    def is_costly(self, size: int) -> bool:
        """Return whether a request of this size may take long because of what its episode did before."""
        ...

    def links(self, at_origin: bool) -> Links:
        """Return the addresses of the episode's apps."""
        ...


class LiveEpisode(Protocol):
    """One live episode, as a client reaches it without a secret of the server."""

    def session(self, app: str, token: str = "") -> Session | None:
        """Return the session of a token that the world minted, or an anonymous one; None without this app."""
        ...


class Credentials:
    """Which secret stands for whom at which app, and which mark names which episode."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], Session] = {}
        self._schemes: dict[tuple[str, str], str] = {}  # of those that may be shown in one scheme only
        self._episodes: dict[str, LiveEpisode] = {}

    def add(self, app: str, shown: str, session: Session, scheme: str = "") -> None:
        """Let what a client shows, a secret or the id of a signing key, stand for a session; "" is every scheme."""
        self._sessions[app, shown] = session
        if scheme:
            self._schemes[app, shown] = scheme

    def remove(self, app: str, shown: str) -> None:
        """Forget a secret or key id."""
        self._sessions.pop((app, shown), None)
        self._schemes.pop((app, shown), None)

    def add_episode(self, mark: str, episode: LiveEpisode) -> None:
        """Let tokens and origins with this mark lead to an episode."""
        self._episodes[mark] = episode

    def remove_episode(self, mark: str) -> None:
        """Remove a mark."""
        self._episodes.pop(mark, None)

    def find(self, app: str, credential: Credential) -> Session | None:
        """Return the session of a credential if it is known, live, and its login, scheme and signature are right."""
        session = self._sessions.get((app, credential.secret))
        if session is None or not session.live:
            return None
        if credential.login and credential.login.casefold() != session.login.casefold():
            return None
        if self._schemes.get((app, credential.secret), credential.scheme) != credential.scheme:
            return None
        if session.secret or credential.proof is not None:  # a key id is public: it needs a signature
            return session if session.secret and credential.proof and credential.proof(session.secret) else None
        return session

    def newest(self, app: str) -> Session | None:
        """Return the session of the app that was added last; whose time replies have that reach no world."""
        return next((one for (name, _), one in reversed(self._sessions.items()) if name == app and one.live), None)

    def with_token(self, app: str, mark: str, token: str) -> Session | None:
        """Return the session of a token that the world of the episode with this mark minted."""
        episode = self._episodes.get(mark) if mark else None
        return None if episode is None else episode.session(app, token)

    def anonymous(self, app: str, mark: str) -> Session | None:
        """Return an anonymous session in the episode of this mark."""
        episode = self._episodes.get(mark) if mark else None
        return None if episode is None else episode.session(app)
