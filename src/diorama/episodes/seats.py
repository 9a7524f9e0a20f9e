"""Who acts at an app: the seats that a scenario allows, and the kinds of credentials they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from diorama.kernel import Actor, Defect
from diorama.kit import App
from diorama.scenarios import AGENT_SEAT, Scenario


def kinds_at(scenario: Scenario[Any], app: App, seat: str = "") -> tuple[str, ...]:
    """Return the kinds of credentials that an allowed seat holds at an app; raise LookupError for other seats.

    "" is the agent's own seat.
    """
    seat = seat or AGENT_SEAT
    allowed = scenario.seats.get(seat)
    if allowed is None:
        raise LookupError(f"{scenario.name} allows the seats {', '.join(scenario.seats)}, not {seat!r}")
    if allowed.apps and app.name not in allowed.apps:
        return ()
    declared = tuple(app.product.credential_kinds) or ("",)
    return tuple(kind for kind in declared if kind in allowed.kinds) if allowed.kinds else declared


def actor_at(scenario: Scenario[Any], truth: Any, app: App, seat: str = "", credential: str = "") -> Actor:
    """Return who acts at an app from an allowed seat with one kind of credential.

    "" is the agent's own seat, and the first kind of credential that the seat holds there.
    """
    seat = seat or AGENT_SEAT
    kinds = kinds_at(scenario, app, seat)
    kind = credential or next(iter(kinds), None)
    if kind is None or kind not in kinds:
        held = ", ".join(kinds) or "none"
        raise LookupError(f"the seat {seat!r} holds these credentials at {app.name}: {held}; not {credential!r}")
    return Actor("agent", scenario.seat_person(seat, truth), kind)


def check_seats(scenario: Scenario[Any], apps: Iterable[App]) -> None:
    """Raise a Defect if a scenario allows a kind of credential that none of its apps has."""
    wanted = {kind for seat in scenario.seats.values() for kind in seat.kinds}
    unknown = wanted.difference(*(app.product.credential_kinds for app in apps)) if wanted else ()
    if unknown:
        raise Defect(f"{scenario.name}: no app has a credential of the kind {', '.join(unknown)}", boundary="reset")


def split_host(app: App, path: str) -> tuple[str, str]:
    """Split a link into the host that requests record, "" for the only one of an app, and the path."""
    if not path.startswith("https://"):
        return "", path
    host, slash, rest = path.removeprefix("https://").partition("/")
    if not app.answers_at(host):
        raise LookupError(f"{app.name} has no host {host!r}; it has {', '.join(app.hosts.values()) or 'none'}")
    return host if app.has_several_hosts else "", slash + rest or "/"
