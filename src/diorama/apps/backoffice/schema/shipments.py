"""Shipments and their scans."""

from datetime import datetime
from typing import Literal

import msgspec

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.customers import Postal
from diorama.kernel import Record
from diorama.kernel.ids import counter, token

ShipmentStatus = Literal["label_created", "in_transit", "delivered", "lost", "returned", "cancelled"]
Fate = Literal["", "lost", "undeliverable"]
TraceStatus = Literal["", "open", "answered"]


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """Units of one product inside a shipment."""

    sku: str
    quantity: int
    serial_numbers: tuple[str, ...] = ()


@APP.record(
    "shipments",
    ids=token("shp_"),
    unique=[("tracking_number",)],
    index=[
        ("order_id",),
        ("customer_id", "created_at"),
        ("status", "created_at"),
        ("created_at",),
    ],
)
class Shipment(Record):
    """A parcel; `fate` is what the carrier will do with it and is never shown."""

    id: str = ""
    order_id: str
    customer_id: str
    replacement_id: str = ""
    carrier: str
    service: str = "standard"
    tracking_number: str
    status: ShipmentStatus = "label_created"
    address: Postal
    parcels: tuple[Parcel, ...]
    fate: Fate = ""
    reship_of: str = ""
    reshipped_as: str = ""
    trace: TraceStatus = ""
    trace_answer: str = ""
    traced_by: str = ""
    estimated_at: datetime
    handed_over_at: datetime | None = None
    closed_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("scans", ids=counter(1), index=[("shipment_id", "at")])
class Scan(Record):
    """One line of a parcel's tracking history."""

    shipment_id: str
    at: datetime
    status: ShipmentStatus
    place: str = ""
    text: str
