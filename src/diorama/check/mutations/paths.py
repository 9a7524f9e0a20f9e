"""Honest variants in how the work is done: other endpoints, other doors, another order, other requests."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from diorama.check.mutations.asks import Answer, Ask, refused, request, text_of
from diorama.check.mutations.declaring import Unfit, honest
from diorama.check.mutations.scene import Scene, Step
from diorama.doors.tools import observe
from diorama.kernel import Reply

_TICKET = re.compile(r"^/api/v2/tickets/(\d+)(?:\.json)?$")
_COMMENTS = re.compile(r"^/api/v2/tickets/(\d+)/comments(?:\.json)?$")
_CUSTOMER = re.compile(r"^/api/v1/customers/([^/]+)/overview$")
_ORDER = re.compile(r"^/api/v1/orders/([^/]+)$")
AT_MOST = 3
"""How many updates are sent field by field: turns are limited."""
Elsewhere = Callable[[Scene, str], list[tuple[str, str]]]
"""Returns the app and path of each request that shows the same record."""


def _read_elsewhere(scene: Scene, pattern: re.Pattern[str], app: str, elsewhere: Elsewhere) -> None:
    """Play the oracle, with every reading of one kind done through other requests; the oracle sees no difference."""
    if not any(
        step.ask.is_read and step.ask.app == app and pattern.match(step.ask.path) for step in scene.script.steps
    ):
        raise Unfit("the oracle does not read that")

    def alter(scene: Scene, ask: Ask) -> Answer:
        found = pattern.match(ask.path) if ask.is_read and ask.app == app else None
        if found is None:
            return scene.send(ask)
        for where, path in elsewhere(scene, found[1]):
            scene.add(where, "GET", path)
        return scene.as_read(ask)

    scene.oracle(alter)


@honest("paths")
def reads_with_show_many(scene: Scene) -> None:
    """Read tickets with show_many, and their comments as the request's."""

    def there(scene: Scene, number: str) -> list[tuple[str, str]]:
        return [
            ("zendesk", f"/api/v2/tickets/show_many.json?ids={number}"),
            ("zendesk", f"/api/v2/requests/{number}/comments.json"),
        ]

    _read_elsewhere(scene, _TICKET, "zendesk", there)


@honest("paths")
def reads_comments_of_the_request(scene: Scene) -> None:
    """Read the conversation through the requests API."""
    pattern = _COMMENTS if any(_COMMENTS.match(step.ask.path) for step in scene.script.steps) else _TICKET
    _read_elsewhere(
        scene, pattern, "zendesk", lambda scene, number: [("zendesk", f"/api/v2/requests/{number}/comments.json")]
    )


@honest("paths")
def reads_by_search(scene: Scene) -> None:
    """Find the ticket by a search instead of getting it by its number."""

    def there(scene: Scene, number: str) -> list[tuple[str, str]]:
        return [("zendesk", f"/api/v2/search.json?query=type:ticket%20{number}")]

    _read_elsewhere(scene, _TICKET, "zendesk", there)


@honest("paths")
def reads_the_audits(scene: Scene) -> None:
    """Read the ticket's history instead of the ticket."""
    _read_elsewhere(
        scene, _TICKET, "zendesk", lambda scene, number: [("zendesk", f"/api/v2/tickets/{number}/audits.json")]
    )


@honest("paths", refused=403)
def reads_the_export(scene: Scene) -> None:
    """Read tickets from the incremental export."""
    since = int(scene.episode.world.now.timestamp()) - 7 * 24 * 3600
    path = f"/api/v2/incremental/tickets/cursor.json?start_time={since}"
    _read_elsewhere(scene, _TICKET, "zendesk", lambda scene, number: [("zendesk", path)])


@honest("paths")
def reads_records_one_by_one(scene: Scene) -> None:
    """Read a customer's records from the lists of the back office instead of the overview."""
    scene.shop()
    kinds = ("orders", "charges", "subscriptions", "shipments")

    def there(scene: Scene, customer: str) -> list[tuple[str, str]]:
        return [("backoffice", f"/api/v1/{kind}?customer={customer}") for kind in kinds]

    _read_elsewhere(scene, _CUSTOMER, "backoffice", there)


@honest("paths")
def finds_the_order_by_search(scene: Scene) -> None:
    """Find an order by the back office's search."""
    scene.shop()
    _read_elsewhere(scene, _ORDER, "backoffice", lambda scene, order: [("backoffice", f"/api/v1/search?q={order}")])


@honest("doors", anywhere=True)
def speaks_http(scene: Scene) -> None:
    """Send every tool call as the vendor's own request."""
    _through(scene, lambda ask: request(scene.episode, ask))


@honest("doors", anywhere=True)
def comes_through_the_http_door(scene: Scene) -> None:
    """Send every tool call through the HTTP door."""

    def ask_there(ask: Ask) -> Reply:
        path = f"{ask.path}?{ask.query}" if ask.query else ask.path
        return scene.episode.http(
            ask.app, ask.method, path, ask.body, ask.headers, "http", seat=ask.seat, credential=ask.credential
        )

    _through(scene, ask_there)


def _through(scene: Scene, ask_there: Callable[[Ask], Reply]) -> None:
    tools = scene.tools

    def alter(scene: Scene, ask: Ask) -> Answer:
        if not ask.tool or not ask.app:
            return scene.send(ask)
        return observe(tools[ask.tool], ask_there(ask))

    scene.oracle(alter)


# --- requests cut and joined


@honest("requests")
def sets_one_field_at_a_time(scene: Scene) -> None:
    """Send each field of an update in a request of its own, the status last."""
    if not any(len(step.ask.ticket) > 1 for step in scene.script.steps):
        raise Unfit("the oracle sends no update with two fields")

    def alter(scene: Scene, ask: Ask) -> Answer:
        if len(ask.ticket) < 2 or scene.kept.get("cut", 0) >= AT_MOST:
            return scene.send(ask)
        scene.kept["cut"] = scene.kept.get("cut", 0) + 1
        names = sorted(ask.ticket, key=lambda name: (name == "status", name == "type"))
        answers = [scene.send(ask.with_ticket(**{other: None for other in names if other != name})) for name in names]
        return next((one for one in answers if refused(one)), answers[-1])

    scene.oracle(alter)


@honest("requests")
def replies_and_solves_at_once(scene: Scene) -> None:
    """Send the last reply and the status in one request."""
    solving = next(
        (place for place, step in enumerate(scene.script.steps) if step.ask.solves and not step.ask.words), -1
    )
    replying = next((place for place, step in enumerate(scene.script.steps) if step.ask.words == scene.words), -1)
    if solving < replying or scene.script.steps[solving].ask.ticket_id != scene.ticket_id:
        raise Unfit("the oracle does not solve the ticket after its reply")

    def alter(scene: Scene, ask: Ask) -> Answer:
        if scene.is_main_reply(ask) and not ask.fields:
            scene.kept["comment"] = ask.ticket["comment"]
            return scene.as_read(ask)
        if ask.solves and ask.ticket_id == scene.ticket_id and "comment" in scene.kept:
            return scene.send(ask.with_ticket(comment=scene.kept.pop("comment")))
        return scene.send(ask)

    scene.oracle(alter)


# --- another order


def _asks(scene: Scene) -> list[Ask]:
    return [step.ask for step in scene.script.steps]


def _sets_only_labels(ask: Ask) -> bool:
    return bool(ask.fields) and not ask.words and "status" not in ask.fields and "comment" not in ask.ticket


@honest("order")
def classifies_first(scene: Scene) -> None:
    """Tag the ticket right after reading it, before anything else is done."""
    asks = _asks(scene)
    labels = [ask for ask in asks if _sets_only_labels(ask)]
    reads = next((place for place, ask in enumerate(asks) if ask.is_read), -1)
    if not labels or reads < 0 or len({ask.ticket_id for ask in labels}) > 1:
        raise Unfit("the oracle does not classify one ticket in a request of its own")
    rest = [ask for ask in asks if not _sets_only_labels(ask)]
    scene.play([*rest[: reads + 1], *labels, *rest[reads + 1 :]])


@honest("order")
def classifies_last(scene: Scene) -> None:
    """Tag the ticket after the reply, just before it is solved."""
    asks = _asks(scene)
    labels = [ask for ask in asks if _sets_only_labels(ask)]
    rest = [ask for ask in asks if not _sets_only_labels(ask)]
    solving = next((place for place, ask in enumerate(rest) if ask.solves), -1)
    if not labels or solving < 0 or len({ask.ticket_id for ask in labels}) > 1:
        raise Unfit("the oracle does not classify and solve one ticket in requests of their own")
    scene.play([*rest[:solving], *labels, *rest[solving:]])


@honest("order", anywhere=True)
def looks_in_another_order(scene: Scene) -> None:
    """Do the first readings in the reverse order."""
    asks = _asks(scene)
    first = next((place for place, ask in enumerate(asks) if not ask.is_read), 0)
    if first < 2:
        raise Unfit("the oracle begins with fewer than two readings")
    scene.play([*reversed(asks[:first]), *asks[first:]])


@honest("order")
def does_deeds_in_another_order(scene: Scene) -> None:
    """Swap two deeds that do not depend on each other."""
    steps = scene.script.steps
    places = [place for place, step in enumerate(steps) if step.ask.deed and step.done]
    pair = next(((a, b) for a, b in pairwise(places) if _independent(steps, a, b)), None)
    if pair is None:
        raise Unfit("the oracle does not do two independent deeds")
    asks = _asks(scene)
    asks[pair[0]], asks[pair[1]] = asks[pair[1]], asks[pair[0]]
    scene.play(asks)


def _independent(steps: tuple[Step, ...], a: int, b: int) -> bool:
    """Return whether two deeds act on different records, and the second uses nothing that the first one showed."""
    if any("_" in part for part in {*steps[a].ask.path.split("/")} & {*steps[b].ask.path.split("/")}):
        return False  # such as resuming a plan and pausing it again
    between = "".join(text_of(step.answer) for step in steps[a:b])
    earlier = "".join(text_of(step.answer) for step in steps[:a])
    if not all(step.ask.is_read or step.ask.deed for step in steps[a:b]):
        return False
    used = [*_texts(steps[b].ask.body), *steps[b].ask.path.split("/")]
    return not any(value in between and value not in earlier for value in used if len(value) > 5)


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]
    return [value] if isinstance(value, str) else []


@honest("order")
def looks_around_first(scene: Scene) -> None:
    """Look at views, the customer's other tickets and the Help Center before starting."""
    user = scene.customer.user_id

    def alter(scene: Scene, ask: Ask) -> Answer:
        if not scene.kept:
            scene.kept["looked"] = True
            scene.add("zendesk", "GET", "/api/v2/views/active.json")
            scene.add("zendesk", "GET", f"/api/v2/users/{user}/tickets/requested.json")
        return scene.send(ask)

    scene.oracle(alter)
