"""Helpers to plant violations of the rules of plausibility in a world."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from diorama.apps.backoffice.schema import (
    CustomerEmail,
    Order,
    Shipment,
)
from diorama.apps.zendesk.schema import (
    Audit,
    Comment,
    Ticket,
    User,
)
from diorama.kernel import Tx
from diorama.worlds._plausibility.conversations import language_of

DAY = timedelta(days=1)
SUNDAY = datetime(2026, 1, 18, 11, 4, 9, tzinfo=UTC)
CHRISTMAS = datetime(2025, 12, 25, 11, 4, 9, tzinfo=UTC)
ODD = datetime(2025, 12, 9, 10, 23, 17, tzinfo=UTC)

Plant = Callable[[Tx], object]
"""Writes a violation and returns the id of a row that the finding must name; None where it names no row."""
PLANTS: dict[str, Plant] = {}


def plant(write: Plant) -> Plant:
    PLANTS[write.__name__] = write
    return write


def delivered(tx: Tx) -> Shipment:
    return tx.all(Shipment, "status = 'delivered' AND replacement_id = ''", order="created_at, id")[-40]


def order_with_parcel(tx: Tx) -> tuple[Order, Shipment]:
    parcel = delivered(tx)
    return tx.get(Order, parcel.order_id), parcel


def thread(tx: Tx) -> tuple[Ticket, list[Comment]]:
    """Return an English ticket that one customer wrote and a colleague answered, and its comments."""
    staff = {user.id for user in tx.all(User) if user.staff}
    for ticket in tx.all(Ticket, order="id"):
        said = tx.all(Comment, "ticket_id = ? AND public = 1", ticket.id, order="created_at, id")
        answered = len(said) >= 2 and said[0].author_id not in staff and said[1].author_id in staff
        plain = answered and all(one.source.get("rel") is None for one in said)
        if plain and language_of(said[0].body) == "en":
            return ticket, said
    raise AssertionError("no such thread")


def talk(tx: Tx, letter: str, answer: str, later: timedelta = DAY) -> int:
    """Rewrite a thread: the customer says one thing, the colleague another; return the id of the answer."""
    ticket, said = thread(tx)
    tx.change(said[0], body=letter)
    tx.change(ticket, description=letter)
    tx.change(said[1], body=answer, created_at=ticket.created_at + later)
    for other in said[2:]:
        tx.remove(other)
    return int(said[1].id)


def about(tx: Tx, letter: str, *, came: timedelta | None = None, placed: timedelta | None = None) -> Ticket:
    """Rewrite a letter so that it names an order of its writer, with the order's dates relative to it."""
    ticket, said = thread(tx)
    order, parcel = order_with_parcel(tx)
    user = tx.get(User, ticket.requester_id)
    for old in tx.all(CustomerEmail, "email = ?", user.email):
        tx.remove(old)
    tx.add(CustomerEmail(customer_id=order.customer_id, email=user.email or "", created_at=ODD))
    text = f"{letter} {order.number}"
    tx.change(ticket, description=text, subject="order", custom_fields={})
    tx.change(said[0], body=text)
    if placed is not None:
        tx.change(order, created_at=ticket.created_at - placed)
    if came is not None:
        tx.change(parcel, closed_at=ticket.created_at - came)
    return tx.get(Ticket, ticket.id)


def staff_audit(tx: Tx) -> Audit:
    """Return an update by a colleague who is not the lead."""
    ana = tx.all(User, "email = 'ana@larkspur.coffee'")[0]
    return tx.all(Audit, "author_id = ?", ana.id, order="id")[5]
