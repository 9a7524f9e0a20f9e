"""Episodes that were deleted or have expired: their credentials still say so, instead of looking wrong."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from diorama.doors.credentials import Credentials
from diorama.doors.links import Links
from diorama.episodes.endings import Left, refuse_ended
from diorama.kernel import Reply, Request
from diorama.kit import App
from diorama.kit.tokens import Tokens
from diorama.worlds import company_of

REMEMBERED = 10_000
"""How many ended episodes a process remembers."""

_NO_LINKS = Links(())


class EndedSession:
    """One person at one app of an episode that is gone: every request is refused with that reason."""

    __slots__ = ("app", "issued", "live", "login", "mark", "now_us", "secret", "tokens", "why")

    def __init__(self, app: App, mark: str, login: str = "", secret: str = "", why: Left = "gone") -> None:
        self.app = app
        self.why = why
        self.mark = mark
        self.login = login
        self.secret = secret
        self.live = True
        self.issued: tuple[str, ...] = ()  # it reaches no world
        self.tokens: Tokens | None = None
        self.now_us = 0

    def send(self, request: Request) -> Reply:
        """Refuse the request; no world sees it."""
        return refuse_ended(self.app, self.why)

    def is_costly(self, size: int) -> bool:
        """Return False: what was done before does not matter here."""
        return False

    def links(self, at_origin: bool) -> Links:
        """Return no addresses: the reply contains none."""
        return _NO_LINKS


class EndedEpisode:
    """What is left of an episode: its apps, and what was issued for it."""

    __slots__ = ("_apps", "issued", "mark", "why")

    def __init__(
        self, mark: str, apps: Mapping[str, App], issued: Iterable[tuple[str, str]], why: Left = "gone"
    ) -> None:
        self.mark = mark
        self.why = why
        self.issued = tuple(issued)
        self._apps = apps

    def session(self, app: str, token: str = "") -> EndedSession | None:
        """Return the session of a minted token or of an anonymous client; None without this app."""
        found = self._apps.get(app)
        return None if found is None else EndedSession(found, self.mark, why=self.why)


class Remnant(msgspec.Struct, frozen=True):
    """What another process must know of an episode so that its credentials can say that it has ended."""

    mark: str
    world: str
    apps: tuple[str, ...]
    sessions: tuple[tuple[str, str, str, str], ...]
    """For each credential: the app, what is shown, the login, and what signatures are verified with."""
    episode: str = ""
    why: Left = "gone"


class EndedEpisodes:
    """The episodes that ended last, by mark; older ones are forgotten, and their credentials are unknown again."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._known: OrderedDict[str, EndedEpisode] = OrderedDict()

    def add(self, episode: EndedEpisode, sessions: Mapping[tuple[str, str], EndedSession]) -> None:
        """Let the credentials of an episode say that it has ended."""
        for (app, shown), session in sessions.items():
            self._credentials.add(app, shown, session)
        self._credentials.add_episode(episode.mark, episode)
        self._known[episode.mark] = episode
        self._known.move_to_end(episode.mark)
        while len(self._known) > REMEMBERED:
            oldest = self._known.popitem(last=False)[1]
            for app, shown in oldest.issued:
                self._credentials.remove(app, shown)
            self._credentials.remove_episode(oldest.mark)

    def remember(self, remnant: Remnant) -> None:
        """Let the credentials of an episode of a process that has ended say how the episode ended."""
        company = company_of(remnant.world)
        found = {name: company.app(name) for name in remnant.apps}
        apps = {name: app for name, app in found.items() if isinstance(app, App)}
        left = {
            (app, shown): EndedSession(apps[app], remnant.mark, login, secret, remnant.why)
            for app, shown, login, secret in remnant.sessions
        }
        self.add(EndedEpisode(remnant.mark, apps, left, remnant.why), left)
