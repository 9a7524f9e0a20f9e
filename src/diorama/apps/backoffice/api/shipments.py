"""Parcels: list, get, pack, change the address, trace, and send again."""

from typing import Annotated

from diorama.apps.backoffice.api.request_parts import Body, Word, customer_filter
from diorama.apps.backoffice.rules import shipments
from diorama.apps.backoffice.schema import APP, Postal, Shipment, ShipmentStatus
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.shipments import ShipmentView, shipment_view
from diorama.kernel import Tx
from diorama.kit import Query


class NewShipment(Body, frozen=True, kw_only=True):
    """An order to pack now instead of at its scheduled time."""

    order_id: Word


class NewLabel(Body, frozen=True, kw_only=True):
    """The new address of a parcel."""

    address: Postal


class Reshipment(Body, frozen=True, kw_only=True):
    """The address to send to this time; without one, the original address is used."""

    address: Postal | None = None


@APP.get("/api/v1/shipments", tags=("shipments",))
def list_shipments(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    order: str | None = None,
    status: ShipmentStatus | None = None,
    tracking_number: Annotated[str | None, Query("tracking_number")] = None,
) -> Listing[ShipmentView]:
    """List parcels, newest first."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("order_id = ?", order),
        ("status = ?", status),
        ("tracking_number = ?", tracking_number),
    ]
    return listing(tx, Shipment, page, lambda parcel: with_history(tx, parcel), filters)


@APP.post("/api/v1/shipments", status=201, idempotent=True, tags=("shipments",))
def create_shipment(tx: Tx, body: NewShipment) -> ShipmentView:
    """Pack an open order now."""
    return with_history(tx, shipments.ship(tx, body.order_id))


@APP.get("/api/v1/shipments/{shipment_id}", tags=("shipments",))
def get_shipment(tx: Tx, shipment_id: str) -> ShipmentView:
    """Get a parcel with its tracking history."""
    return with_history(tx, tx.get(Shipment, shipment_id))


@APP.post("/api/v1/shipments/{shipment_id}/address", tags=("shipments",))
def change_shipment_address(tx: Tx, shipment_id: str, body: NewLabel) -> ShipmentView:
    """Change the address of a parcel; refused once the carrier has it."""
    return with_history(tx, shipments.change_address(tx, shipment_id, body.address))


@APP.post("/api/v1/shipments/{shipment_id}/trace", tags=("shipments",))
def trace_shipment(tx: Tx, shipment_id: str) -> ShipmentView:
    """Ask the carrier where a parcel is; the answer comes within hours in trace_answer."""
    return with_history(tx, shipments.trace(tx, shipment_id))


@APP.post("/api/v1/shipments/{shipment_id}/reship", status=201, idempotent=True, tags=("shipments",))
def reship_shipment(tx: Tx, shipment_id: str, body: Reshipment) -> ShipmentView:
    """Send the contents of a lost or returned parcel again, once."""
    return with_history(tx, shipments.reship(tx, shipment_id, body.address))


def with_history(tx: Tx, parcel: Shipment) -> ShipmentView:
    """Return a parcel as the API shows it."""
    return shipment_view(parcel, shipments.scans(tx, parcel.id))
