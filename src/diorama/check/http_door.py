"""One request through an app's HTTP door without a socket: with the right credentials."""

import msgspec

from diorama.doors.credentials import Credentials
from diorama.doors.hosts import links_of
from diorama.doors.http import Door, ask
from diorama.doors.links import Links
from diorama.episodes.episode import Episode
from diorama.episodes.seats import actor_at
from diorama.kernel import Actor, Reply, Request
from diorama.kit import App, Credential
from diorama.kit.tokens import Tokens

SECRET = "a-secret-of-the-door"


class AgentSession:
    """The agent of an episode, as an HTTP door knows it."""

    def __init__(self, episode: Episode, app: App, credential: str = "") -> None:
        self.episode = episode
        self.app = app
        self.actor = actor_at(episode.scenario, episode.truth, app, credential=credential)
        self.login = self.actor.name
        self.secret = ""
        self.live = True
        self.mark = ""
        self.issued = (SECRET,)
        self.tokens: Tokens | None = None

    @property
    def now_us(self) -> int:
        """The time of the episode's world."""
        return self.episode.world.hot.now

    def send(self, request: Request) -> Reply:
        """Send a request through the gateway."""
        return self.episode.request(self.app.name, request, "http", self.actor)

    def is_costly(self, size: int) -> bool:
        """Return False: what was done before does not matter here."""
        return False

    def links(self, at_origin: bool) -> Links:
        """Return no addresses: what goes out is what the world wrote."""
        return links_of(self.episode.world.company, {}, "", at_origin)


def scheme_of(app: App, actor: Actor) -> str:
    """Return the only scheme in which the kind of credential of an actor may be shown, or ""."""
    kind = app.product.credential_kinds.get(actor.seat)
    return kind.scheme if kind is not None else ""


def send_http(episode: Episode, app: App, request: Request, secret: str = SECRET, credential: str = "") -> Reply:
    """Send one request through the HTTP door of an app with a kind of credential; a wrong secret is refused."""
    credentials = Credentials()
    session = AgentSession(episode, app, credential)
    scheme = scheme_of(app, session.actor)
    credentials.add(app.name, SECRET, session, scheme)
    signed = app.product.auth.write(request, Credential(session.login, secret, scheme=scheme))
    return ask(Door(app.product, credentials), msgspec.structs.replace(signed, host=request.host))
