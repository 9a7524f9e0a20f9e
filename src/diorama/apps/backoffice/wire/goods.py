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
from diorama.apps.backoffice.wire.people import AddressView, CustomerView, NoteView, Shown, seconds, seconds_or_none


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
    fits: list[str]
    known_faults: list[Fault]
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
    serial_numbers: list[str]


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
    contents: list[Parcel]
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
    return ProductView(
        id=product.id,
        sku=product.sku,
        name=product.name,
        kind=product.kind,
        description=product.description,
        price_cents=product.price_cents,
        currency=product.currency,
        warranty_months=product.warranty_months,
        serial_number_pattern=serial_pattern(product) or None,
        weight_grams=product.weight_grams,
        fits=list(product.fits),
        known_faults=list(product.faults),
        made_to_order=product.made_to_order,
        active=product.active,
    )


def stock_view(stock: Stock) -> StockView:
    """The shape of a shelf."""
    return StockView(
        sku=stock.id,
        on_hand=stock.on_hand,
        reserved=stock.reserved,
        available=stock.on_hand - stock.reserved,
        incoming=stock.incoming,
        incoming_at=seconds_or_none(stock.incoming_at),
        updated_at=seconds(stock.updated_at),
    )


def line_view(line: OrderLine) -> LineView:
    """The shape of an order's line."""
    return LineView(
        id=line.id,
        sku=line.sku,
        name=line.name,
        quantity=line.quantity,
        unit_price_cents=line.unit_price_cents,
        total_cents=line.total_cents,
        serial_numbers=list(line.serial_numbers),
    )


def order_view(order: Order, lines: list[OrderLine]) -> OrderView:
    """The shape of an order."""
    return OrderView(
        id=order.id,
        number=order.number,
        customer_id=order.customer_id,
        email=order.email,
        status=order.status,
        channel=order.channel,
        subscription_id=order.subscription_id or None,
        currency=order.currency,
        subtotal_cents=order.subtotal_cents,
        shipping_cents=order.shipping_cents,
        tax_cents=order.tax_cents,
        credit_cents=order.credit_cents,
        total_cents=order.total_cents,
        lines=[line_view(line) for line in lines],
        shipping_address=order.shipping_address,
        cancel_reason=order.cancel_reason or None,
        cancelled_at=seconds_or_none(order.cancelled_at),
        created_at=seconds(order.created_at),
        updated_at=seconds(order.updated_at),
    )


def shipment_view(parcel: Shipment, scans: list[Scan]) -> ShipmentView:
    """The shape of a parcel; what the carrier will do with it stays inside."""
    return ShipmentView(
        id=parcel.id,
        order_id=parcel.order_id,
        customer_id=parcel.customer_id,
        replacement_id=parcel.replacement_id or None,
        carrier=parcel.carrier,
        service=parcel.service,
        tracking_number=parcel.tracking_number,
        status=parcel.status,
        address=parcel.address,
        address_can_change=parcel.status == "label_created",
        contents=list(parcel.parcels),
        reship_of=parcel.reship_of or None,
        reshipped_as=parcel.reshipped_as or None,
        trace_status=parcel.trace or None,
        trace_answer=parcel.trace_answer or None,
        history=[
            ScanView(at=seconds(scan.at), status=scan.status, place=scan.place or None, text=scan.text)
            for scan in scans
        ],
        estimated_delivery_at=seconds(parcel.estimated_at),
        handed_over_at=seconds_or_none(parcel.handed_over_at),
        delivered_at=seconds_or_none(parcel.closed_at) if parcel.status == "delivered" else None,
        created_at=seconds(parcel.created_at),
        updated_at=seconds(parcel.updated_at),
    )


def machine_view(unit: Unit, product_name: str, now: datetime) -> MachineView:
    """The shape of a machine."""
    return MachineView(
        serial_number=unit.id,
        sku=unit.sku,
        product_name=product_name,
        customer_id=unit.customer_id,
        order_id=unit.order_id,
        status=unit.status,
        sold_at=seconds(unit.sold_at),
        warranty_until=seconds(unit.warranty_until),
        in_warranty=in_warranty(unit, now),
        replaces=unit.replaces or None,
        replaced_by=unit.replaced_by or None,
    )


def replacement_view(replacement: Replacement) -> ReplacementView:
    """The shape of a replacement."""
    return ReplacementView(
        id=replacement.id,
        customer_id=replacement.customer_id,
        order_id=replacement.order_id,
        serial_number=replacement.serial_number,
        sku=replacement.sku,
        fault_code=replacement.fault_code or None,
        reason=replacement.reason,
        status=replacement.status,
        new_serial_number=replacement.new_serial_number or None,
        shipment_id=replacement.shipment_id,
        approval_id=replacement.approval_id or None,
        created_by=replacement.created_by,
        created_at=seconds(replacement.created_at),
        updated_at=seconds(replacement.updated_at),
    )


def return_view(rma: Return) -> ReturnView:
    """The shape of a return."""
    return ReturnView(
        id=rma.id,
        number=rma.number,
        customer_id=rma.customer_id,
        order_id=rma.order_id,
        line_id=rma.line_id,
        sku=rma.sku,
        quantity=rma.quantity,
        serial_number=rma.serial_number or None,
        reason=rma.reason,
        resolution=rma.resolution,
        note=rma.note or None,
        status=rma.status,
        condition=rma.condition or None,
        tracking_number=rma.tracking_number,
        created_by=rma.created_by,
        received_at=seconds_or_none(rma.received_at),
        expires_at=seconds(rma.expires_at),
        created_at=seconds(rma.created_at),
        updated_at=seconds(rma.updated_at),
    )
