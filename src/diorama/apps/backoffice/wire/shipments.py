"""Shipments and their scans, as the API shows them."""

from datetime import datetime

import msgspec

from diorama.apps.backoffice.schema import Parcel, Postal, Scan, Shipment, ShipmentStatus, TraceStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class ScanView(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a parcel's tracking history."""

    at: datetime
    status: ShipmentStatus
    place: str | None
    text: str


class ShipmentView(Shown, frozen=True, kw_only=True, tag="shipment"):
    """A parcel."""

    id: str
    order_id: str
    customer_id: str
    replacement_id: str | None
    carrier: str
    service: str
    tracking_number: str
    status: ShipmentStatus
    address: Postal
    address_can_change: bool
    contents: tuple[Parcel, ...]
    reship_of: str | None
    reshipped_as: str | None
    trace_status: TraceStatus | None
    trace_answer: str | None
    history: list[ScanView]
    estimated_delivery_at: datetime
    handed_over_at: datetime | None
    delivered_at: datetime | None
    created_at: datetime
    updated_at: datetime


def shipment_view(parcel: Shipment, scans: list[Scan]) -> ShipmentView:
    """Build the reply model of a parcel; its `fate` is left out."""
    return shown(
        ShipmentView,
        parcel,
        address_can_change=parcel.status == "label_created",
        contents=parcel.parcels,
        trace_status=parcel.trace,
        history=[shown(ScanView, scan) for scan in scans],
        estimated_delivery_at=parcel.estimated_at,
        delivered_at=parcel.closed_at if parcel.status == "delivered" else None,
    )
