"""Notices of the back office; each names the customer and the e-mail address to write to."""

from diorama.apps.backoffice.schema.shipments import ShipmentStatus
from diorama.kernel import Notice


class OrderPlaced(Notice):
    """An order was placed."""

    order: str
    number: str
    customer: str
    email: str
    total_cents: int
    currency: str


class OrderCancelled(Notice):
    """An order was cancelled and will not be sent."""

    order: str
    number: str
    customer: str
    email: str


class ShipmentCreated(Notice):
    """A label was printed."""

    shipment: str
    order: str
    customer: str
    email: str
    carrier: str
    tracking_number: str


class ShipmentMoved(Notice):
    """The carrier reported a new state of a parcel."""

    shipment: str
    order: str
    customer: str
    email: str
    status: ShipmentStatus
    tracking_number: str


class TraceAnswered(Notice):
    """The carrier replied to a trace of a parcel."""

    shipment: str
    order: str
    customer: str
    email: str
    answer: str


class AddressChanged(Notice):
    """The address of a parcel, an order or a subscription changed."""

    subject: str
    customer: str
    email: str
    city: str


class ChargeFailed(Notice):
    """A card was declined."""

    charge: str
    customer: str
    email: str
    failure_code: str


class ChargeDisputed(Notice):
    """The customer's bank took the money back until it decides."""

    charge: str
    customer: str
    email: str
    reason: str


class DisputeClosed(Notice):
    """The bank decided a dispute."""

    charge: str
    customer: str
    email: str
    won: bool


class RefundRequested(Notice):
    """A refund was sent to the payment processor."""

    refund: str
    charge: str
    customer: str
    email: str
    amount_cents: int
    currency: str


class RefundSucceeded(Notice):
    """The customer received the refund."""

    refund: str
    charge: str
    customer: str
    email: str
    amount_cents: int
    currency: str


class RefundFailed(Notice):
    """The customer's bank rejected the refund."""

    refund: str
    charge: str
    customer: str
    email: str
    amount_cents: int
    currency: str
    failure_code: str


class CreditGranted(Notice):
    """A customer was granted store credit."""

    credit: str
    customer: str
    email: str
    amount_cents: int
    currency: str


class ApprovalRequested(Notice):
    """An approval was requested from a lead."""

    approval: str
    kind: str
    requested_by: str
    assigned_to: str


class ApprovalDecided(Notice):
    """A lead decided an approval."""

    approval: str
    kind: str
    requested_by: str
    approved: bool
    note: str


class SubscriptionStarted(Notice):
    """A customer will get goods regularly."""

    subscription: str
    customer: str
    email: str


class SubscriptionRenewed(Notice):
    """The next delivery was charged and will be sent."""

    subscription: str
    order: str
    charge: str
    customer: str
    email: str
    amount_cents: int
    currency: str


class SubscriptionChanged(Notice):
    """A subscription was paused, resumed, skipped or moved to another plan."""

    subscription: str
    customer: str
    email: str
    what: str


class SubscriptionCancelled(Notice):
    """A subscription ended."""

    subscription: str
    customer: str
    email: str
    reason: str


class ReplacementOrdered(Notice):
    """A replacement for a defective unit, or for a part of it, was ordered."""

    replacement: str
    customer: str
    email: str
    serial_number: str
    sku: str


class ReturnOpened(Notice):
    """A return was opened for a customer."""

    rma: str
    number: str
    order: str
    customer: str
    email: str


class ReturnReceived(Notice):
    """The warehouse received a return."""

    rma: str
    number: str
    order: str
    customer: str
    email: str
    condition: str


class NoteAdded(Notice):
    """A colleague added a note."""

    note: str
    customer: str
    author: str
