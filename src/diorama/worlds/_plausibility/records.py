"""The tables of a company as the rules of plausibility read them; each is read once, when a rule needs it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import msgspec

from diorama.apps.zendesk.schema import Audit, Comment, MetricEvents, SatisfactionRating, Ticket, User
from diorama.apps.zendesk.schema.attachments import File
from diorama.kernel import Tx
from diorama.worlds.firm import Firm
from diorama.worlds.team import Team

if TYPE_CHECKING:  # a company without a back office does not load its tables
    from diorama.apps.backoffice.schema import (
        Charge,
        Customer,
        Order,
        OrderLine,
        Product,
        Refund,
        Replacement,
        Return,
        Shipment,
        Subscription,
        Unit,
    )
    from diorama.apps.backoffice.schema.settings import Settings

K = TypeVar("K")
V = TypeVar("V")


class Message(msgspec.Struct, frozen=True):
    """One comment with its author, in a thread."""

    comment: Comment
    author: User | None

    @property
    def staff(self) -> bool:
        """Whether a colleague wrote it."""
        return self.author is not None and self.author.staff

    @property
    def own(self) -> str:
        """The text without quoted lines."""
        return "\n".join(line for line in self.comment.body.split("\n") if not line.startswith(">"))

    @property
    def written(self) -> bool:
        """Whether it was written for this ticket, not copied by a merge or by a problem that was solved."""
        return self.comment.source.get("rel") in (None, "follow_up")

    @property
    def answer(self) -> bool:
        """Whether a colleague wrote it to the customer, for this ticket alone."""
        return self.staff and self.comment.public and self.written


class Thread(msgspec.Struct, frozen=True):
    """A ticket with its requester, its messages in order and, if it names one, its order's number."""

    ticket: Ticket
    requester: User
    messages: tuple[Message, ...]

    @property
    def answers(self) -> list[Message]:
        """What colleagues wrote to the customer for this ticket alone."""
        return [one for one in self.messages if one.answer]


class Records:
    """Every table that a rule reads, and the firm that the company's module declares."""

    def __init__(self, tx: Tx, firm: Firm | None) -> None:
        self.tx = tx
        self.firm = firm

    @property
    def now(self) -> datetime:
        """The moment at which the history ends."""
        return self.tx.now

    @property
    def team(self) -> Team | None:
        """The colleagues, if the company has a firm."""
        return self.firm.team if self.firm is not None else None

    # --- the help desk

    @cached_property
    def users(self) -> dict[int, User]:
        """Return all users of the desk by id."""
        return {one.id: one for one in self.tx.all(User)}

    @cached_property
    def tickets(self) -> list[Ticket]:
        """Return all tickets."""
        return self.tx.all(Ticket)

    @cached_property
    def comments(self) -> dict[int, list[Comment]]:
        """Return the comments by ticket, in order."""
        return grouped(self.tx.all(Comment, order="created_at, id"), lambda one: one.ticket_id)

    @cached_property
    def audits(self) -> dict[int, list[Audit]]:
        """Return the audits by ticket, in order."""
        return grouped(self.tx.all(Audit, order="created_at, id"), lambda one: one.ticket_id)

    @cached_property
    def metric_events(self) -> dict[int, list[MetricEvents]]:
        """Return the events of clocks by ticket."""
        return grouped(self.tx.all(MetricEvents, order="at, id"), lambda one: one.ticket_id)

    @cached_property
    def ratings(self) -> list[SatisfactionRating]:
        """Return all ratings."""
        return self.tx.all(SatisfactionRating)

    @cached_property
    def files(self) -> list[File]:
        """Return all files of comments."""
        return self.tx.all(File)

    @cached_property
    def threads(self) -> list[Thread]:
        """Return every ticket whose requester exists, with its messages."""
        return [
            Thread(
                ticket,
                self.users[ticket.requester_id],
                tuple(Message(one, self.users.get(one.author_id)) for one in self.comments.get(ticket.id, [])),
            )
            for ticket in self.tickets
            if ticket.requester_id in self.users
        ]

    # --- the back office

    @cached_property
    def settings(self) -> Settings:
        """Return the back office's settings."""
        from diorama.apps.backoffice.rules.settings import settings

        return settings(self.tx)

    @cached_property
    def customers(self) -> dict[str, Customer]:
        """Return all customers by id."""
        from diorama.apps.backoffice.schema import Customer

        return {one.id: one for one in self.tx.all(Customer)}

    @cached_property
    def orders(self) -> dict[str, Order]:
        """Return all orders by id."""
        from diorama.apps.backoffice.schema import Order

        return {one.id: one for one in self.tx.all(Order)}

    @cached_property
    def numbers(self) -> dict[str, Order]:
        """Return all orders by number."""
        return {one.number: one for one in self.orders.values()}

    @cached_property
    def lines(self) -> dict[str, list[OrderLine]]:
        """Return the lines by order."""
        from diorama.apps.backoffice.schema import OrderLine

        return grouped(self.tx.all(OrderLine, order="order_id, position"), lambda one: one.order_id)

    @cached_property
    def charges(self) -> dict[str, Charge]:
        """Return all charges by id."""
        from diorama.apps.backoffice.schema import Charge

        return {one.id: one for one in self.tx.all(Charge)}

    @cached_property
    def refunds(self) -> list[Refund]:
        """Return all refunds."""
        from diorama.apps.backoffice.schema import Refund

        return self.tx.all(Refund)

    @cached_property
    def parcels(self) -> list[Shipment]:
        """Return all parcels."""
        from diorama.apps.backoffice.schema import Shipment

        return self.tx.all(Shipment)

    @cached_property
    def parcels_of(self) -> dict[str, list[Shipment]]:
        """Return the parcels by order, the oldest first."""
        return grouped(sorted(self.parcels, key=lambda one: one.created_at), lambda one: one.order_id)

    @cached_property
    def returns(self) -> list[Return]:
        """Return all returns."""
        from diorama.apps.backoffice.schema import Return

        return self.tx.all(Return)

    @cached_property
    def replacements(self) -> list[Replacement]:
        """Return all replacements."""
        from diorama.apps.backoffice.schema import Replacement

        return self.tx.all(Replacement)

    @cached_property
    def units(self) -> list[Unit]:
        """Return all units that were sold."""
        from diorama.apps.backoffice.schema import Unit

        return self.tx.all(Unit)

    @cached_property
    def products(self) -> dict[str, Product]:
        """Return all products by SKU."""
        from diorama.apps.backoffice.schema import Product

        return {one.sku: one for one in self.tx.all(Product)}

    @cached_property
    def subscriptions(self) -> list[Subscription]:
        """Return all subscriptions."""
        from diorama.apps.backoffice.schema import Subscription

        return self.tx.all(Subscription)

    def arrived(self, order_id: str) -> datetime | None:
        """Return when the first parcel of an order was delivered, or None."""
        came = [one.closed_at for one in self.parcels_of.get(order_id, []) if one.status == "delivered"]
        return min((moment for moment in came if moment is not None), default=None)


def grouped(rows: Iterable[V], key: object) -> dict[K, list[V]]:
    """Return rows by a key, in their order."""
    found: dict[K, list[V]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)  # type: ignore[operator] # any function of a row
    return dict(found)


def share(part: int, whole: int) -> float:
    """Return part of whole, 0 for nothing."""
    return part / whole if whole else 0.0


def median(values: Sequence[float]) -> float:
    """Return the middle value; 0 for none."""
    ranked = sorted(values)
    return ranked[len(ranked) // 2] if ranked else 0.0
