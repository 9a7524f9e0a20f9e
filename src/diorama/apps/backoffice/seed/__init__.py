"""Data as production has it: the catalogue, the staff, customers and their past."""

from diorama.apps.backoffice.rules.policies import HOUSE_POLICIES
from diorama.apps.backoffice.schema import Plan, Product, Role, Sequence, Staff, Stock
from diorama.apps.backoffice.seed.buyers import Buyer, add_crowd
from diorama.apps.backoffice.seed.charges import add_dispute_history, add_second_charge
from diorama.apps.backoffice.seed.credits import add_credit_history
from diorama.apps.backoffice.seed.customers import add_customer, add_note_history, some_card
from diorama.apps.backoffice.seed.orders import History, add_order_history
from diorama.apps.backoffice.seed.products import GOODS, OFFERS, OPENED
from diorama.apps.backoffice.seed.replacements import add_replacement_history
from diorama.apps.backoffice.seed.returns import add_return_history
from diorama.apps.backoffice.seed.subscriptions import add_renewal_history, add_subscription_history
from diorama.kernel import Tx

__all__ = [
    "GOODS",
    "OFFERS",
    "Buyer",
    "History",
    "add_catalogue",
    "add_credit_history",
    "add_crowd",
    "add_customer",
    "add_dispute_history",
    "add_note_history",
    "add_order_history",
    "add_renewal_history",
    "add_replacement_history",
    "add_return_history",
    "add_second_charge",
    "add_staff",
    "add_subscription_history",
    "some_card",
]


def add_catalogue(tx: Tx, first_order: int = 10_001, first_return: int = 2_001) -> dict[str, Product]:
    """Products, stock, plans, policies and the first numbers; answers the products by SKU."""
    products = {}
    for good in GOODS:
        products[good.sku] = tx.add(
            Product(
                sku=good.sku,
                name=good.name,
                kind=good.kind,
                description=good.description,
                price_cents=good.price_cents,
                warranty_months=good.warranty_months,
                serial_prefix=good.serial_prefix,
                weight_grams=good.weight_grams,
                fits=good.fits,
                faults=good.faults,
                made_to_order=good.made_to_order,
                active=good.active,
                created_at=OPENED,
            )
        )
        if not good.made_to_order:
            tx.add(Stock(id=good.sku, on_hand=good.stock, updated_at=tx.now))
    for offer in OFFERS:
        tx.add(
            Plan(
                code=offer.code,
                name=offer.name,
                sku=offer.sku,
                bags=offer.bags,
                price_cents=offer.price_cents,
                interval_weeks=offer.interval_weeks,
                active=offer.active,
            )
        )
    for policy in HOUSE_POLICIES:
        tx.add(policy)
    tx.add(Sequence(id="order", next=first_order))
    tx.add(Sequence(id="return", next=first_return))
    return products


def add_staff(tx: Tx, email: str, name: str, role: Role = "agent", team: str = "Support") -> Staff:
    """Somebody who works here."""
    return tx.add(Staff(email=email, name=name, role=role, team=team, created_at=OPENED))
