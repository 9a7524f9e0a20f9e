"""Products, orders, parcels, machines, replacements and returns, as the API shows them."""

from datetime import datetime

import msgspec

from diorama.apps.backoffice.rules.replacements import in_warranty
from diorama.apps.backoffice.rules.stock import serial_pattern
from diorama.apps.backoffice.schema import (
    Channel,
    Fault,
    Order,
    OrderLine,
    OrderStatus,
    Parcel,
    Postal,
    Product,
    ProductKind,
    Replacement,
    ReplacementStatus,
    Resolution,
    Return,
    ReturnReason,
    ReturnStatus,
    Scan,
    Shipment,
    ShipmentStatus,
    Stock,
    TraceStatus,
    Unit,
    UnitStatus,
)
from diorama.apps.backoffice.wire.money import ChargeView, RefundView, SubscriptionView
from diorama.apps.backoffice.wire.people import AddressView, CustomerView, NoteView, Shown, shown


class ProductView(Shown, frozen=True, kw_only=True, tag="product"):
    """Something that is sold, with the faults that the workshop knows."""

    id: str
    sku: str
    name: str
    kind: ProductKind
    description: str
    price_cents: int
    currency: str
    warranty_months: int
    serial_number_pattern: str | None
    weight_grams: int
    fits: tuple[str, ...]
    known_faults: tuple[Fault, ...]
    made_to_order: bool
    active: bool


class StockView(Shown, frozen=True, kw_only=True, tag="stock"):
    """What the warehouse holds of one SKU."""

    sku: str
    on_hand: int
    reserved: int
    available: int
    incoming: int
    incoming_at: datetime | None
    updated_at: datetime


class LineView(msgspec.Struct, frozen=True, kw_only=True):
    """One good of an order."""

    id: str
    sku: str
    name: str
    quantity: int
    unit_price_cents: int
    total_cents: int
    serial_numbers: tuple[str, ...]


class OrderView(Shown, frozen=True, kw_only=True, tag="order"):
    """What a customer bought."""

    id: str
    number: str
    customer_id: str
    email: str
    status: OrderStatus
    channel: Channel
    subscription_id: str | None
    currency: str
    subtotal_cents: int
    shipping_cents: int
    tax_cents: int
    credit_cents: int
    total_cents: int
    lines: list[LineView]
    shipping_address: Postal
    cancel_reason: str | None
    cancelled_at: datetime | None
    created_at: datetime
    updated_at: datetime


class ScanView(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a parcel's history."""

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


class MachineView(Shown, frozen=True, kw_only=True, tag="machine"):
    """One physical machine and its warranty."""

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


class ReplacementView(Shown, frozen=True, kw_only=True, tag="replacement"):
    """A machine or part sent free of charge."""

    id: str
    customer_id: str
    order_id: str
    serial_number: str
    sku: str
    fault_code: str | None
    reason: str
    status: ReplacementStatus
    new_serial_number: str | None
    shipment_id: str
    approval_id: str | None
    created_by: str
    created_at: datetime
    updated_at: datetime


class ReturnView(Shown, frozen=True, kw_only=True, tag="return"):
    """Goods that come back."""

    id: str
    number: str
    customer_id: str
    order_id: str
    line_id: str
    sku: str
    quantity: int
    serial_number: str | None
    reason: ReturnReason
    resolution: Resolution
    note: str | None
    status: ReturnStatus
    condition: str | None
    tracking_number: str
    created_by: str
    received_at: datetime | None
    expires_at: datetime
    created_at: datetime
    updated_at: datetime


class OrderDetail(OrderView, frozen=True, kw_only=True, tag="order"):
    """An order with everything that hangs on it."""

    charges: list[ChargeView]
    refunds: list[RefundView]
    shipments: list[ShipmentView]
    returns: list[ReturnView]
    replacements: list[ReplacementView]


class Overview(Shown, frozen=True, kw_only=True, tag="customer_overview"):
    """All that a colleague wants to see first."""

    customer: CustomerView
    credit_balance_cents: int
    addresses: list[AddressView]
    machines: list[MachineView]
    subscriptions: list[SubscriptionView]
    recent_orders: list[OrderView]
    open_returns: list[ReturnView]
    notes: list[NoteView]


class HitView(Shown, frozen=True, kw_only=True, tag="search_hit"):
    """Something found, by which of its keys, and whose it is."""

    matched_by: str
    found: CustomerView | OrderView | ShipmentView | MachineView
    customer_id: str


def product_view(product: Product) -> ProductView:
    """The shape of a product."""
    return shown(ProductView, product, serial_number_pattern=serial_pattern(product), known_faults=product.faults)


def stock_view(stock: Stock) -> StockView:
    """The shape of a shelf."""
    return shown(StockView, stock, sku=stock.id, available=stock.on_hand - stock.reserved)


def line_view(line: OrderLine) -> LineView:
    """The shape of an order's line."""
    return shown(LineView, line)


def order_view(order: Order, lines: list[OrderLine]) -> OrderView:
    """The shape of an order."""
    return shown(OrderView, order, lines=[line_view(line) for line in lines])


def shipment_view(parcel: Shipment, scans: list[Scan]) -> ShipmentView:
    """The shape of a parcel; what the carrier will do with it stays inside."""
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


def machine_view(unit: Unit, product_name: str, now: datetime) -> MachineView:
    """The shape of a machine."""
    return shown(
        MachineView, unit, serial_number=unit.id, product_name=product_name, in_warranty=in_warranty(unit, now)
    )


def replacement_view(replacement: Replacement) -> ReplacementView:
    """The shape of a replacement."""
    return shown(ReplacementView, replacement)


def return_view(rma: Return) -> ReturnView:
    """The shape of a return."""
    return shown(ReturnView, rma)
