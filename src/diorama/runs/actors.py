"""Who the agent of a run can be: replay takes no other actor from a record."""

from collections.abc import Iterator

from msgspec import structs

from diorama.doors.tools import sendable
from diorama.episodes.episode import Episode
from diorama.episodes.seats import actor_at, kinds_at
from diorama.kernel import Actor, Event, Request
from diorama.kit import App
from diorama.kit.grants import Grants

ACTED_BY_AGENT = frozenset({"python", "tools"})
"""Doors that the agent of a run has. No run writes an input through another one: those are of a server."""


class NeverWritten(Exception):
    """A record holds an input that no run writes."""


def check_door(event: Event, door: str) -> None:
    """Raise NeverWritten unless an input was sent through this door."""
    if event.door != door:
        raise NeverWritten(f"no run writes this input through the door {event.door!r}")


def check_request(app: App, event: Event) -> None:
    """Raise NeverWritten unless a request is recorded as the door of an agent sends one.

    Names of headers are in lower case, a body has a type, no header holds a credential, and no part is too long.
    """
    asked = event.request
    body = asked["body"] if isinstance(asked["body"], bytes) else str(asked["body"]).encode()
    heads = {sendable(name).lower(): sendable(value) for name, value in asked["headers"].items()}
    if body:
        heads.setdefault("content-type", "application/json")
    given = Request(asked["method"], asked["path"], asked["query"], asked["headers"], body, asked.get("host", ""))
    if given.host and not (app.has_several_hosts and app.answers_at(given.host)):
        raise NeverWritten(f"{app.name} does not answer at {given.host!r}, so no agent can have sent this request")
    sent = app.bounded(app.without_credential(structs.replace(given, headers=heads)))
    if sent != given:
        raise NeverWritten("no agent sends a request that is recorded like this one")


def check_seat(episode: Episode, app: App, seat: str = "", credential: str = "") -> None:
    """Raise NeverWritten unless the agent has this seat, and this kind of credential there."""
    try:
        actor_at(episode.scenario, episode.truth, app, seat, credential)
    except LookupError as error:
        raise NeverWritten(str(error)) from None


def check_actor(episode: Episode, event: Event, shown: list[bytes], seat: str | None = None, kind: str = "") -> None:
    """Raise NeverWritten unless the agent can have sent a request as its actor.

    It acts from a seat of its scenario (`seat` with `kind` if the turn names them), or with a token that the world
    minted and that was in a text the agent was shown.
    """
    app = episode.app(event.app)
    actor, grants = Actor.named(event.actor), app.product.grants
    marked = event.request["headers"].get(grants.header) if grants is not None else None
    if marked is None and actor in _seated(episode, app, seat, kind):
        return
    if grants is not None and marked is not None and _is_held(episode, grants, actor, marked, shown):
        return
    raise NeverWritten(f"this agent cannot act as {event.actor} at {event.app}")


def _seated(episode: Episode, app: App, seat: str | None, kind: str) -> Iterator[Actor]:
    for name in episode.scenario.seats if seat is None else (seat,):
        for held in kinds_at(episode.scenario, app, name) if seat is None else (kind,):
            yield actor_at(episode.scenario, episode.truth, app, name, held)


def _is_held(episode: Episode, grants: Grants, actor: Actor, marked: str, shown: list[bytes]) -> bool:
    tokens = {token for text in shown for token in grants.tokens.found_in(text)}
    for token in sorted(tokens):
        held = episode.world.read(grants.held, token, boundary="app")
        if held is not None and (Actor("agent", held[0], held[2]), held[1]) == (actor, marked):
            return True
    return False
