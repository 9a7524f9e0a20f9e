"""Cost of a step: an empty operation, a mix of everyday operations, and the frozen domain SQL of the same mix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import Charge, Customer, Order
from diorama.apps.zendesk.schema import Ticket, User
from diorama.bench.reference import Statements, bare, statements_of
from diorama.bench.timing import compared_us, median_us
from diorama.kernel import Actor, Refusal, Reply, Request, Tx, World, to_us
from diorama.kernel.testing import fresh
from diorama.kit import JSON, Product
from diorama.kit.product import REFUSAL_KINDS
from diorama.people import Conversation, person_named
from diorama.worlds import open_world

MIX = {"show_ticket": 4, "list_comments": 2, "search": 1, "update_ticket": 1, "list_orders": 1, "refund": 1}
"""The mix of operations: an agent reads more than it writes."""

CHARGES = 1000
"""How many of the newest charges are searched for one of a customer who waits."""
ORDERS = 9
"""How many orders the customer of the mix has."""

EMPTY = Product(
    "empty",
    title="Empty",
    refusals={kind: Refusal(400, kind) for kind in REFUSAL_KINDS},
    envelope=lambda refusal: (JSON, msgspec.json.encode({"error": refusal.code})),
)


@EMPTY.get("/ping")
def ping(tx: Tx) -> dict[str, bool]:
    """Return a reply and do nothing else."""
    return {"ok": True}


class Subjects(msgspec.Struct, frozen=True):
    """What the requests of the mix are about."""

    agent_email: str
    ticket_id: int
    charge_id: str
    customer_id: str


def subjects_of(world: World) -> Subjects:
    """Return an agent, an open ticket and a charge that exist in this world."""

    def found(tx: Tx) -> Subjects:
        agent = tx.first(User, "role = 'agent'")
        of_a_colleague = "status = 'open' AND assignee_id != ?"
        ticket = tx.first(Ticket, of_a_colleague, agent.id if agent else 0, order="id DESC")
        where = "status = 'captured' AND refunded_cents = 0 AND amount_cents BETWEEN 500 AND 4000"
        charges = tx.all(Charge, where, order="created_at DESC, id", limit=CHARGES)
        charge = next((one for one in charges if _awaits_an_answer(tx, one.customer_id)), None)
        if ticket is None or agent is None or agent.email is None or charge is None:
            raise RuntimeError("this world has no open ticket, no agent or no charge to refund")
        return Subjects(agent.email, ticket.id, charge.id, charge.customer_id)

    return world.read(found)


def _awaits_an_answer(tx: Tx, customer_id: str) -> bool:
    """Check whether a customer with many orders has written and waits: a refund then also wakes a person."""
    persona = person_named(tx, tx.get(Customer, customer_id).email)
    if persona is None or tx.count(Order, "customer_id = ?", customer_id) != ORDERS:
        return False
    return tx.first(Conversation, "persona_id = ? AND state = 'waiting'", persona.id) is not None


def frozen_sql(world: World, operation: str) -> Statements:
    """Return the frozen SQL of an operation of the mix, about the same objects as its request."""
    known = subjects_of(world)
    return statements_of(
        world,
        operation,
        agent_email=known.agent_email,
        ticket_id=known.ticket_id,
        charge_id=known.charge_id,
        now=to_us(world.now),
    )


def mix_of(world: World) -> dict[str, Callable[[World], Reply]]:
    """Return one request of each kind, on objects that exist in this world."""
    about = subjects_of(world)
    actor = Actor("agent", about.agent_email)
    update = {
        "ticket": {
            "priority": "high",
            "comment": {"body": "We are on it, thank you for your patience.", "public": True},
        }
    }
    refund = {"charge_id": about.charge_id, "amount_cents": 400, "reason": "goodwill"}
    requests = {
        "show_ticket": ("zendesk", Request("GET", f"/api/v2/tickets/{about.ticket_id}.json")),
        "list_comments": ("zendesk", Request("GET", f"/api/v2/tickets/{about.ticket_id}/comments.json")),
        "search": (
            "zendesk",
            Request("GET", "/api/v2/search.json", "query=type:ticket+refund+status<solved&per_page=25"),
        ),
        "update_ticket": ("zendesk", _json("PUT", f"/api/v2/tickets/{about.ticket_id}.json", update)),
        "list_orders": ("backoffice", Request("GET", "/api/v1/orders", f"customer={about.customer_id}")),
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


def measure() -> dict[str, Any]:
    """Measure the empty operation, each operation of the mix, and the mix relative to its frozen SQL alone."""
    empty = fresh([EMPTY.install("empty.example")])
    nobody = Actor("agent", "nobody")
    out: dict[str, Any] = {
        "empty_operation_us": median_us(lambda: empty.send("empty", Request("GET", "/ping"), nobody, turn=False))
    }
    parent = open_world("larkspur", "small")
    total_step = total_bare = 0.0
    for name, act in mix_of(parent).items():
        statements = frozen_sql(parent, name)
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
        if name == "update_ticket":
            out["update_over_raw_sql"] = step_us / raw_us
        total_step += MIX[name] * step_us
        total_bare += MIX[name] * raw_us
    out["step_us"] = total_step / sum(MIX.values())
    out["step_over_raw_sql"] = total_step / total_bare
    return out
