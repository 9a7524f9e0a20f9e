"""Data as production has it: settings, catalogue, staff, customers and their past, as a world gives them."""

from collections.abc import Iterable
from datetime import datetime

from diorama.apps.backoffice.schema import Plan, Policy, Product, Role, Sequence, Settings, Staff, Stock
from diorama.apps.backoffice.seed.charges import add_dispute_history, add_second_charge
from diorama.apps.backoffice.seed.credits import add_credit_history
from diorama.apps.backoffice.seed.customers import add_customer, add_note_history, some_card
from diorama.apps.backoffice.seed.orders import History, add_order_history
from diorama.apps.backoffice.seed.products import Good, Offer
from diorama.apps.backoffice.seed.refunds import add_refund_history
from diorama.apps.backoffice.seed.replacements import add_replacement_history
from diorama.apps.backoffice.seed.returns import add_return_history
from diorama.apps.backoffice.seed.subscriptions import add_renewal_history, add_subscription_history
from diorama.kernel import Tx

__all__ = [
    "Good",
    "History",
    "Offer",
    "add_credit_history",
    "add_customer",
    "add_dispute_history",
    "add_note_history",
    "add_order_history",
    "add_refund_history",
    "add_renewal_history",
    "add_replacement_history",
    "add_return_history",
    "add_second_charge",
    "add_staff",
    "add_subscription_history",
    "set_up",
    "some_card",
]


def set_up(
    tx: Tx,
    settings: Settings,
    goods: Iterable[Good],
    policies: Iterable[Policy],
    offers: Iterable[Offer] = (),
    *,
    opened: datetime,
    first_order: int = 10_001,
    first_return: int = 2_001,
) -> dict[str, Product]:
    """Write the company's settings, policies, products, stock and subscription plans; return the products by SKU."""
    tx.add(settings)
    for policy in policies:
        tx.add(policy)
    products = {}
    for good in goods:
        products[good.sku] = tx.add(
            Product(
                sku=good.sku,
                name=good.name,
                kind=good.kind,
                description=good.description,
                price_cents=good.price_cents,
                currency=settings.currency,
                warranty_months=good.warranty_months,
                serial_prefix=good.serial_prefix,
                weight_grams=good.weight_grams,
                fits=good.fits,
                faults=good.faults,
                made_to_order=good.made_to_order,
                active=good.active,
                created_at=opened,
            )
        )
        if not good.made_to_order:
            tx.add(Stock(id=good.sku, on_hand=good.stock, updated_at=tx.now))
    for offer in offers:
        tx.add(
            Plan(
                code=offer.code,
                name=offer.name,
                sku=offer.sku,
                quantity=offer.quantity,
                price_cents=offer.price_cents,
                currency=settings.currency,
                interval_weeks=offer.interval_weeks,
                options=offer.options,
                active=offer.active,
            )
        )
    tx.add(Sequence(id="order", next=first_order))
    tx.add(Sequence(id="return", next=first_return))
    return products


def add_staff(
    tx: Tx, email: str, name: str, role: Role = "agent", team: str = "Support", *, since: datetime | None = None
) -> Staff:
    """Add a member of staff."""
    return tx.add(Staff(email=email, name=name, role=role, team=team, created_at=since or tx.now))
