"""Machines that were sold."""

from diorama.apps.backoffice.api.request_parts import customer_filter
from diorama.apps.backoffice.rules import replacements, stock
from diorama.apps.backoffice.schema import APP, Unit, UnitStatus
from diorama.apps.backoffice.wire.machines import MachineView, machine_view
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.kernel import Tx


@APP.get("/api/v1/machines", tags=("machines",))
def list_machines(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    order: str | None = None,
    status: UnitStatus | None = None,
) -> Listing[MachineView]:
    """List machines that were sold, by owner or order."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("order_id = ?", order),
        ("status = ?", status),
    ]
    return listing(tx, Unit, page, lambda unit: machine_with_name(tx, unit), filters, by="sold_at")


@APP.get("/api/v1/machines/{serial_number}", tags=("machines",))
def get_machine(tx: Tx, serial_number: str) -> MachineView:
    """Get a machine by its serial number, with its owner and the end of its warranty."""
    return machine_with_name(tx, replacements.unit(tx, serial_number))


def machine_with_name(tx: Tx, unit: Unit) -> MachineView:
    """Return a machine as the API shows it."""
    return machine_view(unit, stock.product(tx, unit.sku).name, tx.now)
