"""One request through an app's HTTP door without a socket: an ASGI call with the right credentials."""

import asyncio
from typing import Any

from diorama.doors.http import Door, Guests
from diorama.episodes.episode import Episode
from diorama.kernel import Reply, Request
from diorama.kit import App, Credential

SECRET = "a-secret-of-the-door"


class EpisodeSeat:
    """The agent of an episode, as an HTTP door knows it."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self.login = episode.scenario.person
        self.live = True
        self.mark = ""

    def send(self, app: str, request: Request) -> Reply:
        """Send a request through the gateway."""
        return self.episode.request(app, request, "http")


def knock(episode: Episode, app: App, request: Request, secret: str = SECRET) -> Reply:
    """Send one request through the app's door; only the right secret is admitted."""
    guests = Guests()
    guests.admit(app.name, SECRET, EpisodeSeat(episode))
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": request.body}

    async def send(message: Any) -> None:
        sent.append(message)

    shown = {**request.headers, **app.product.auth.write(Credential(episode.scenario.person, secret))}
    headers = [(name.lower().encode(), value.encode()) for name, value in shown.items()]
    headers.append((b"content-length", str(len(request.body)).encode()))
    scope = {
        "type": "http", "method": request.method, "scheme": "http", "raw_path": request.path.encode("latin-1"),
        "query_string": request.query.encode("latin-1"), "headers": headers,
    }  # fmt: skip
    asyncio.run(Door(app, guests)(scope, receive, send))
    start, body = sent
    return Reply(start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, body["body"])
