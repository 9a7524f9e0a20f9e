"""Search results, as the API shows them."""

from diorama.apps.backoffice.wire.customers import CustomerView
from diorama.apps.backoffice.wire.orders import OrderView
from diorama.apps.backoffice.wire.shapes import Shown
from diorama.apps.backoffice.wire.shipments import ShipmentView
from diorama.apps.backoffice.wire.units import UnitView


class HitView(Shown, frozen=True, kw_only=True, tag="search_hit"):
    """A search result, the key that matched, and its customer."""

    matched_by: str
    found: CustomerView | OrderView | ShipmentView | UnitView
    customer_id: str
