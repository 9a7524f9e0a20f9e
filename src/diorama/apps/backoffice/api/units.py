"""Units that were sold."""

from diorama.apps.backoffice.api.request_parts import customer_filter
from diorama.apps.backoffice.rules import replacements, stock
from diorama.apps.backoffice.schema import APP, Unit, UnitStatus
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.units import UnitView, unit_view
from diorama.kernel import Tx


@APP.get("/api/v1/units", tags=("units",))
def list_units(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    order: str | None = None,
    status: UnitStatus | None = None,
) -> Listing[UnitView]:
    """List units that were sold, by owner or order."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("order_id = ?", order),
        ("status = ?", status),
    ]
    return listing(tx, Unit, page, lambda unit: unit_with_name(tx, unit), filters, by="sold_at")


@APP.get("/api/v1/units/{serial_number}", tags=("units",))
def get_unit(tx: Tx, serial_number: str) -> UnitView:
    """Get a unit by its serial number, with its owner and the end of its warranty."""
    return unit_with_name(tx, replacements.unit(tx, serial_number))


def unit_with_name(tx: Tx, unit: Unit) -> UnitView:
    """Return a unit as the API shows it."""
    return unit_view(unit, stock.product(tx, unit.sku).name, tx.now)
