"""The house itself: who am I, what may we do, who works here, where is what."""

from typing import Annotated

import msgspec

from diorama.apps.backoffice.api.orders import with_lines
from diorama.apps.backoffice.api.products import machine_with_name
from diorama.apps.backoffice.api.shipments import with_history
from diorama.apps.backoffice.rules import authority, search
from diorama.apps.backoffice.schema import APP, Customer, Order, Role, Shipment, Staff
from diorama.apps.backoffice.wire.goods import HitView, MachineView, OrderView, ShipmentView
from diorama.apps.backoffice.wire.lists import Listing, Page, listing
from diorama.apps.backoffice.wire.people import (
    CustomerView,
    MeView,
    PolicyView,
    StaffView,
    customer_view,
    policy_view,
    staff_view,
)
from diorama.kernel import Tx
from diorama.kit import Query

Few = Annotated[int, Query("limit"), msgspec.Meta(ge=1, le=50)]


@APP.get("/api/v1/me", tags=("house",))
def get_me(tx: Tx) -> MeView:
    """Get who you are and what you may do without asking."""
    colleague = authority.staff(tx)
    rights = authority.policy(tx)
    return MeView(
        email=tx.actor.name,
        name=colleague.name if colleague else tx.actor.name,
        role=rights.id,
        policy=policy_view(rights),
    )


@APP.get("/api/v1/policies", tags=("house",))
def list_policies(tx: Tx) -> Listing[PolicyView]:
    """List what each role may do without asking."""
    return Listing(
        url="/api/v1/policies",
        has_more=False,
        data=[policy_view(authority.policy_of(tx, policy.id)) for policy in authority.HOUSE_POLICIES],
    )


@APP.get("/api/v1/staff", tags=("house",))
def list_staff(tx: Tx, page: Page, role: Role | None = None) -> Listing[StaffView]:
    """List colleagues."""
    return listing(tx, Staff, page, staff_view, [("role = ?", role)])


@APP.get("/api/v1/search", seconds=0.6, tags=("house",))
def search_everything(tx: Tx, q: Annotated[str, Query("q")], limit: Few = 10) -> Listing[HitView]:
    """Find customers, orders, parcels and machines by e-mail, name, order, serial or tracking number."""
    hits = [_shown(tx, hit) for hit in search.search(tx, q[:200], limit + 1)]
    return Listing(url="/api/v1/search", has_more=len(hits) > limit, data=hits[:limit])


def _shown(tx: Tx, hit: search.Hit) -> HitView:
    what = hit.what
    view: CustomerView | OrderView | ShipmentView | MachineView
    if isinstance(what, Customer):
        return HitView(matched_by=hit.by, found=customer_view(what), customer_id=what.id)
    if isinstance(what, Order):
        view = with_lines(tx, what)
    elif isinstance(what, Shipment):
        view = with_history(tx, what)
    else:
        view = machine_with_name(tx, what)
    return HitView(matched_by=hit.by, found=view, customer_id=what.customer_id)
