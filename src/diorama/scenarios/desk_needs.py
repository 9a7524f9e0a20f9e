"""What a customer at a desk waits for, by what they know: a decision on their ticket, or a deed that they can see.

Nothing here looks at what is owed: a customer who is owed something writes, thanks and complains as one who is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import (
    Credit,
    Customer,
    Order,
    Refund,
    Replacement,
    Return,
    Shipment,
    Subscription,
)
from diorama.apps.zendesk.schema import Ticket, User
from diorama.kernel import Tx, from_us, to_us
from diorama.people import Need, Persona, check
from diorama.scenarios.cast import Worded, in_language
from diorama.scenarios.desk_mail import answered

GRACE_HOURS = 24.0
"""How long a customer waits to see what staff say was done."""
OPEN_STATUSES = ("new", "open", "pending", "hold")
ANSWER_ME = Worded(
    'Please look at what I wrote to you: "{subject}".',
    de="Bitte sehen Sie sich an, was ich Ihnen geschrieben habe: „{subject}“.",
    es="Miren, por favor, lo que les escribí: «{subject}».",
    fr="Merci de regarder ce que je vous ai écrit : « {subject} ».",
    nl="Kijk alstublieft naar wat ik u schreef: '{subject}'.",
)
"""What a customer says when they write again: the same whatever is owed."""


def dealt_with(requester: str, agent: str, customer: str, language: str) -> Need:
    """Return the need of every customer: their ticket is decided and answered, or something was done.

    `customer` is the account whose records they can see; "" without a back office: then they believe what they read.
    """
    args = {"requester": requester, "agent": agent, "customer": customer}
    return Need(
        name="dealt with",
        check="desk.dealt_with",
        args=args,
        wish=in_language(ANSWER_ME, language),
        grace_hours=GRACE_HOURS,
        seen="desk.sees_a_deed" if customer else "",
    )


def start_waiting(tx: Tx, persona_id: int) -> None:
    """Let a persona notice what happens from now on; until then nothing counts as a decision or a deed."""
    persona = tx.get(Persona, persona_id)
    needs = []
    for need in persona.needs:
        if need.check == "desk.dealt_with":
            args = {**need.args, "since": tx.now_us, "saw": _visible(tx, need.args["customer"], tx.now_us)}
            need = msgspec.structs.replace(need, args=args)
        needs.append(need)
    tx.change(persona, needs=tuple(needs))


@check("desk.dealt_with")
def is_dealt_with(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the customer sees a deed, or their ticket is decided and staff have answered since `since`."""
    if "since" not in args:
        return False
    return (_is_decided(tx, args) and answered(tx, args)) or sees_a_deed(tx, args)


@check("desk.sees_a_deed")
def sees_a_deed(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the records that the customer can see changed since `since`: money, parcels, plan, addresses."""
    if "since" not in args or not args["customer"]:
        return False
    customer, since, saw = args["customer"], int(args["since"]), args["saw"]
    mine = "customer_id = ? AND created_at >= ?"
    moment = from_us(since)
    stands = f"{mine} AND status NOT IN ('failed', 'voided', 'cancelled')"
    if any(tx.count(record, stands, customer, moment) for record in (Refund, Credit, Replacement, Return)):
        return True
    again = tx.count(Shipment, f"{mine} AND reship_of != ''", customer, moment)
    return again > 0 or any(
        key not in saw or _differs(saw[key], now, tx.now_us) for key, now in _visible(tx, customer, since).items()
    )


def _visible(tx: Tx, customer: str, since: int) -> dict[str, list[Any]]:
    """Return what the records from before `since` show to their customer, by the id of the record.

    A subscription has three parts: what only people change, how it runs, and when that changes by itself.
    """
    account = tx.find(Customer, customer) if customer else None
    if account is None:
        return {}
    mine, moment = "customer_id = ? AND created_at < ?", from_us(since)
    seen: dict[str, list[Any]] = {account.id: [_mark(account.email, account.phone, account.name)]}
    for order in tx.all(Order, mine, customer, moment):
        seen[order.id] = [_mark(order.cancelled_at, order.shipping_address)]
    for parcel in tx.all(Shipment, mine, customer, moment):
        seen[parcel.id] = [_mark(parcel.address)]
    for plan in tx.all(Subscription, mine, customer, moment):
        kept = _mark(plan.plan_code, plan.option, plan.shipping_address)
        due = plan.next_renewal_at or plan.resumes_at
        runs = _mark(plan.status, plan.cancel_at_renewal, plan.resumes_at, plan.next_renewal_at)
        rests = plan.cancel_at_renewal or plan.status in ("cancelled", "paused")
        seen[plan.id] = [kept, runs, to_us(due) if due is not None else 0, rests]
    return seen


def _mark(*values: Any) -> str:
    return sha256(msgspec.json.encode(values)).hexdigest()[:12]


def _differs(before: list[Any], now: list[Any], now_us: int) -> bool:
    """Check whether people changed a record; renewals and the ends of pauses do not count."""
    if before[0] != now[0] or len(before) == 1:
        return bool(before[0] != now[0])
    _, runs, due, rests = before
    if due and due <= now_us:
        return bool(now[3] and not rests)
    return bool(runs != now[1])


def _is_decided(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the ticket is not open any more, or was given to another colleague than `agent`."""
    ticket = tx.find(Ticket, int(args["thread"])) if args.get("thread") else _newest(tx, args["requester"])
    if ticket is None:
        return False
    if ticket.status not in OPEN_STATUSES:
        return True
    holder = tx.find(User, ticket.assignee_id) if ticket.assignee_id else None
    moved = ticket.assigned_at is not None and ticket.assigned_at >= from_us(int(args["since"]))
    return moved and holder is not None and holder.email != args["agent"]


def _newest(tx: Tx, requester: str) -> Ticket | None:
    author = tx.first(User, "email = ?", requester)
    return tx.first(Ticket, "requester_id = ?", author.id, order="id DESC") if author is not None else None
