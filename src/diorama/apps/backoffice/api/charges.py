"""Charges."""

from diorama.apps.backoffice.api.request_parts import Cents, customer_filter
from diorama.apps.backoffice.schema import APP, Charge, ChargeStatus
from diorama.apps.backoffice.wire.charges import ChargeView, charge_view
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.kernel import Tx


@APP.get("/api/v1/charges", tags=("charges",))
def list_charges(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    order: str | None = None,
    subscription: str | None = None,
    status: ChargeStatus | None = None,
    amount_cents: Cents | None = None,
) -> Listing[ChargeView]:
    """List charges, newest first."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("order_id = ?", order),
        ("subscription_id = ?", subscription),
        ("status = ?", status),
        ("amount_cents = ?", amount_cents),
    ]
    return listing(tx, Charge, page, charge_view, filters)


@APP.get("/api/v1/charges/{charge_id}", tags=("charges",))
def get_charge(tx: Tx, charge_id: str) -> ChargeView:
    """Get one charge with what is still refundable, and its dispute if there is one."""
    return charge_view(tx.get(Charge, charge_id))
