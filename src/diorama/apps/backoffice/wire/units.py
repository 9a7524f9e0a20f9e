"""Units that were sold, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.rules.replacements import in_warranty
from diorama.apps.backoffice.schema import Unit, UnitStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class UnitView(Shown, frozen=True, kw_only=True, tag="unit"):
    """One physical unit and its warranty."""

    serial_number: str
    sku: str
    product_name: str
    customer_id: str
    order_id: str
    status: UnitStatus
    sold_at: datetime
    warranty_until: datetime
    in_warranty: bool
    replaces: str | None
    replaced_by: str | None


def unit_view(unit: Unit, product_name: str, now: datetime) -> UnitView:
    """Build the reply model of a unit."""
    return shown(UnitView, unit, serial_number=unit.id, product_name=product_name, in_warranty=in_warranty(unit, now))
