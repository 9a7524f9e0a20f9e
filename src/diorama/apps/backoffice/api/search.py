"""Search across customers, orders, shipments and units."""

from typing import Annotated

import msgspec

from diorama.apps.backoffice.api.orders import with_lines
from diorama.apps.backoffice.api.shipments import with_history
from diorama.apps.backoffice.api.units import unit_with_name
from diorama.apps.backoffice.rules import search
from diorama.apps.backoffice.schema import APP, Customer, Order, Shipment
from diorama.apps.backoffice.wire.customers import CustomerView, customer_view
from diorama.apps.backoffice.wire.orders import OrderView
from diorama.apps.backoffice.wire.pagination import Listing
from diorama.apps.backoffice.wire.search import HitView
from diorama.apps.backoffice.wire.shipments import ShipmentView
from diorama.apps.backoffice.wire.units import UnitView
from diorama.kernel import Tx
from diorama.kit import Query

Few = Annotated[int, Query("limit"), msgspec.Meta(ge=1, le=50)]


@APP.get("/api/v1/search", seconds=0.6, tags=("house",))
def search_everything(tx: Tx, q: Annotated[str, Query("q")], limit: Few = 10) -> Listing[HitView]:
    """Find customers, orders, parcels and units by e-mail, name, order, serial or tracking number."""
    hits = [_shown(tx, hit) for hit in search.search(tx, q[:200], limit + 1)]
    return Listing(url="/api/v1/search", has_more=len(hits) > limit, data=hits[:limit])


def _shown(tx: Tx, hit: search.Hit) -> HitView:
    what = hit.what
    view: CustomerView | OrderView | ShipmentView | UnitView
    if isinstance(what, Customer):
        return HitView(matched_by=hit.by, found=customer_view(what), customer_id=what.id)
    if isinstance(what, Order):
        view = with_lines(tx, what)
    elif isinstance(what, Shipment):
        view = with_history(tx, what)
    else:
        view = unit_with_name(tx, what)
    return HitView(matched_by=hit.by, found=view, customer_id=what.customer_id)
