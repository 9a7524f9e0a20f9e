"""What is sold, where it is, and on whose kitchen counter it stands."""

from datetime import datetime
from typing import Literal

import msgspec

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.people import Postal
from diorama.kernel import Record
from diorama.kernel.ids import counter, token

ProductKind = Literal["machine", "grinder", "part", "accessory", "coffee"]
Remedy = Literal["part", "replacement", "advice"]
OrderStatus = Literal["open", "shipped", "delivered", "cancelled"]
Channel = Literal["web", "phone", "subscription"]
ShipmentStatus = Literal["label_created", "in_transit", "delivered", "lost", "returned", "cancelled"]
Fate = Literal["", "lost", "undeliverable"]
TraceStatus = Literal["", "open", "answered"]
UnitStatus = Literal["active", "replaced", "returned"]
ReplacementStatus = Literal["ordered", "shipped", "delivered", "cancelled"]
ReturnStatus = Literal["open", "in_transit", "received", "cancelled"]
ReturnReason = Literal["changed_mind", "defective", "wrong_item", "damaged_in_transit", "not_as_described"]
Resolution = Literal["refund", "replacement", "store_credit"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A known fault of a product, as the workshop describes it, and what the company does about it."""

    code: str
    symptom: str
    remedy: Remedy
    part_sku: str = ""
    note: str = ""


@APP.record("products", ids=token("prd_"), unique=[("sku",)], index=[("kind", "sku")])
class Product(Record):
    """Something with a price; `serial_prefix` marks goods that carry a serial number each."""

    id: str = ""
    sku: str
    name: str
    kind: ProductKind
    description: str
    price_cents: int
    currency: str = "EUR"
    warranty_months: int = 0
    serial_prefix: str = ""
    weight_grams: int = 0
    fits: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    made_to_order: bool = False
    active: bool = True
    created_at: datetime


@APP.record("stock", ids=token("stk_"))
class Stock(Record):
    """How many of one SKU the warehouse holds; its id is the SKU."""

    id: str = ""
    on_hand: int
    reserved: int = 0
    incoming: int = 0
    incoming_at: datetime | None = None
    updated_at: datetime


@APP.record("sequences", ids=token("seq_"))
class Sequence(Record):
    """The next human-readable number of one kind; its id names the kind."""

    id: str = ""
    next: int


@APP.record(
    "orders",
    ids=token("ord_"),
    unique=[("number",)],
    index=[("customer_id", "created_at"), ("created_at",), ("status", "created_at"), ("subscription_id",)],
)
class Order(Record):
    """What a customer bought, and where it should go."""

    id: str = ""
    number: str
    customer_id: str
    email: str
    status: OrderStatus = "open"
    channel: Channel = "web"
    subscription_id: str = ""
    currency: str = "EUR"
    subtotal_cents: int
    shipping_cents: int
    tax_cents: int
    credit_cents: int = 0
    total_cents: int
    shipping_address: Postal
    cancel_reason: str = ""
    cancelled_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("order_lines", ids=token("oli_"), index=[("order_id", "position"), ("sku",)])
class OrderLine(Record):
    """One good of an order."""

    id: str = ""
    order_id: str
    position: int
    sku: str
    name: str
    quantity: int
    unit_price_cents: int
    total_cents: int
    serial_numbers: tuple[str, ...] = ()


@APP.record("units", ids=token("unit_"), index=[("customer_id",), ("order_id",)])
class Unit(Record):
    """One physical machine; its id is the serial number."""

    id: str = ""
    sku: str
    customer_id: str
    order_id: str
    sold_at: datetime
    warranty_until: datetime
    status: UnitStatus = "active"
    replaced_by: str = ""
    replaces: str = ""


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """Goods of one kind inside a shipment."""

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
    """A parcel on its way; `fate` is what the carrier will do with it and never leaves the warehouse."""

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


@APP.record(
    "replacements",
    ids=token("rpl_"),
    index=[("customer_id", "created_at"), ("order_id",), ("serial_number",), ("created_at",)],
)
class Replacement(Record):
    """A new machine, or a part for it, sent free of charge for a defective one."""

    id: str = ""
    customer_id: str
    order_id: str
    serial_number: str
    sku: str
    fault_code: str = ""
    reason: str
    status: ReplacementStatus = "ordered"
    new_serial_number: str = ""
    shipment_id: str = ""
    approval_id: str = ""
    created_by: str
    created_at: datetime
    updated_at: datetime


@APP.record(
    "returns",
    ids=token("rma_"),
    unique=[("number",)],
    index=[("customer_id", "created_at"), ("order_id",), ("status", "created_at"), ("created_at",)],
)
class Return(Record):
    """Goods that a customer may send back, under a number that the warehouse knows."""

    id: str = ""
    number: str
    customer_id: str
    order_id: str
    line_id: str
    sku: str
    quantity: int = 1
    serial_number: str = ""
    reason: ReturnReason
    resolution: Resolution = "refund"
    note: str = ""
    status: ReturnStatus = "open"
    condition: str = ""
    tracking_number: str
    created_by: str
    received_at: datetime | None = None
    expires_at: datetime
    created_at: datetime
    updated_at: datetime
