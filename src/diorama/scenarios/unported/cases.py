"""A case: what a plan of a desk scenario puts into the world, and the resulting hidden truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from diorama.apps.backoffice.schema import Customer
from diorama.kit.wire import alike
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.unported.desk import next_ticket
from diorama.scenarios.unported.shop import Due, ShopTruth

T = TypeVar("T", bound=ShopTruth)


class Case(msgspec.Struct, kw_only=True):
    """One variant during staging: how the customer describes it, what is due, and what the reply must say."""

    reason: str
    subject: str
    matter: Sequence[str]
    facts: dict[str, str] = {}
    order: str = ""
    """The order's number; if empty, the one in `facts`."""
    dues: tuple[Due, ...] = ()
    say_cents: tuple[int, ...] = ()
    may_say_cents: tuple[int, ...] = ()
    say: tuple[tuple[str, ...], ...] = ()
    email: str = ""
    """The sender's address, if it is not the customer's own."""

    def truth(self, shape: type[T], stage: Stage, plan: str, customer: Customer, **more: Any) -> T:
        """Return the truth of the next ticket: the fields that case and truth share, and `more`."""
        known = {
            **alike(shape, self),
            "plan": plan,
            "ticket_id": stage.read(next_ticket),
            "requester": self.email or customer.email,
            "customer_id": customer.id,
            "order_number": self.order or self.facts.get("order_number", ""),
        }
        return shape(**{**known, **more})
