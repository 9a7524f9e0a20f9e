"""Cost of a step: an empty operation, a mix of everyday operations, and the same domain SQL alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import Charge
from diorama.apps.zendesk.schema import Ticket, User
from diorama.bench.timing import compared_us, median_us
from diorama.kernel import Actor, Refusal, Reply, Request, World
from diorama.kernel.lane import LANES
from diorama.kernel.testing import fresh
from diorama.kit import JSON, Product
from diorama.kit.product import REFUSAL_KINDS
from diorama.worlds import open_world

MIX = {"show_ticket": 4, "list_comments": 2, "search": 1, "update_ticket": 1, "list_orders": 1, "refund": 1}
"""The mix of operations: an agent reads more than it writes."""

EMPTY = Product(
    "empty",
    title="Empty",
    refusals={kind: Refusal(400, kind) for kind in REFUSAL_KINDS},
    envelope=lambda refusal: (JSON, msgspec.json.encode({"error": refusal.code})),
)


@EMPTY.get("/ping")
def ping(tx: Any) -> dict[str, bool]:
    """Return a reply and do nothing else."""
    return {"ok": True}


def mix_of(world: World) -> dict[str, Callable[[World], Reply]]:
    """Return one request of each kind, on objects that exist in this world."""

    def found(tx: Any) -> tuple[Any, Any, Any]:
        open_ticket = tx.first(Ticket, "status = 'open'", order="id DESC")
        agent = tx.first(User, "role = 'agent'")
        charge = tx.first(
            Charge,
            "status = 'captured' AND refunded_cents = 0 AND amount_cents BETWEEN 500 AND 4000",
            order="created_at DESC, id",
        )
        return open_ticket, agent, charge

    ticket, agent, charge = world.read(found)
    actor = Actor("agent", agent.email)
    update = {
        "ticket": {
            "priority": "high",
            "comment": {"body": "We are on it, thank you for your patience.", "public": True},
        }
    }
    refund = {"charge_id": charge.id, "amount_cents": 400, "reason": "goodwill"}
    requests = {
        "show_ticket": ("zendesk", Request("GET", f"/api/v2/tickets/{ticket.id}.json")),
        "list_comments": ("zendesk", Request("GET", f"/api/v2/tickets/{ticket.id}/comments.json")),
        "search": (
            "zendesk",
            Request("GET", "/api/v2/search.json", "query=type:ticket+refund+status<solved&per_page=25"),
        ),
        "update_ticket": ("zendesk", _json("PUT", f"/api/v2/tickets/{ticket.id}.json", update)),
        "list_orders": ("backoffice", Request("GET", "/api/v1/orders", f"customer={charge.customer_id}")),
        "refund": ("backoffice", _json("POST", "/api/v1/refunds", refund)),
    }

    def sender(app: str, request: Request) -> Callable[[World], Reply]:
        def send(world: World) -> Reply:
            reply = world.send(app, request, actor, "tools", turn=False)
            if reply.refused:
                raise RuntimeError(f"{request.method} {request.path} answered {reply.status}: {reply.text[:300]}")
            return reply

        return send

    return {name: sender(app, request) for name, (app, request) in requests.items()}


def _json(method: str, path: str, body: Any) -> Request:
    return Request(method, path, "", {"content-type": "application/json"}, msgspec.json.encode(body))


OWN = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
OWN_TABLES = ("_world", "_meters", "_replies")
"""Tables of the gateway itself; all other SQL of an operation is domain SQL."""


def recorded_sql(world: World, act: Callable[[World], Any]) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the domain SQL that an operation runs: the statements of the apps, the people and the agenda."""
    lane = LANES.borrow(world.pages.image, world.company.tracked)
    plain, heard = lane.execute, []

    def listen(sql: str, bindings: tuple[Any, ...] = ()) -> Any:
        words = sql.split()
        if words[0] not in OWN and not any(table in words for table in OWN_TABLES):
            heard.append((sql, bindings))
        return plain(sql, bindings)

    lane.execute = listen  # type: ignore[assignment] # the wire-tap is taken out again below
    try:
        act(world.fork())
    finally:
        lane.execute = plain
    return heard


def bare(world: World, statements: list[tuple[str, tuple[Any, ...]]]) -> None:
    """Run only the statements, in one transaction on the overlay."""
    lane = LANES.borrow(world.pages.image, world.company.tracked)
    lane.bind(world.pages)
    execute = lane.connection.execute
    lane.trusted = True
    execute("BEGIN")
    for sql, bindings in statements:
        execute(sql, bindings).fetchall()
    execute("COMMIT")
    lane.trusted = False
    lane.journal.raw.clear()


def measure() -> dict[str, Any]:
    """Measure the empty operation, each operation of the mix, and the mix relative to its SQL alone."""
    empty = fresh([EMPTY.install("empty.example")])
    nobody = Actor("agent", "nobody")
    out: dict[str, Any] = {
        "empty_operation_us": median_us(lambda: empty.send("empty", Request("GET", "/ping"), nobody, turn=False))
    }
    parent = open_world("larkspur", "small")
    total_step = total_bare = 0.0
    for name, act in mix_of(parent).items():
        statements = recorded_sql(parent, act)
        start = parent.snapshot()
        world = parent.fork()

        def step(act: Callable[[World], Any] = act, world: World = world, start: Any = start) -> None:
            world.restore(start)
            act(world)

        def raw(world: World = parent.fork(), start: Any = start, statements: Any = statements) -> None:  # noqa: B008 - one world for all rounds
            world.restore(start)
            bare(world, statements)

        step_us, raw_us = compared_us(step, raw)
        out[f"step_us_{name}"] = step_us
        total_step += MIX[name] * step_us
        total_bare += MIX[name] * raw_us
    out["step_us"] = total_step / sum(MIX.values())
    out["step_over_raw_sql"] = total_step / total_bare
    return out
