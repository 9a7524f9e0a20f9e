"""What the back office announces; every notice names the customer and the address to write to."""

from diorama.apps.backoffice.schema.shipments import ShipmentStatus
from diorama.kernel import Notice


class OrderPlaced(Notice):
    """Somebody bought something."""

    order: str
    number: str
    customer: str
    email: str
    total_cents: int
    currency: str


class OrderCancelled(Notice):
    """An order will not be sent."""

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
    """The carrier answered a search for a parcel."""

    shipment: str
    order: str
    customer: str
    email: str
    answer: str


class AddressChanged(Notice):
    """A parcel, an order or a subscription will go somewhere else."""

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
    """The customer's bank took the money back for now."""

    charge: str
    customer: str
    email: str
    reason: str


class DisputeClosed(Notice):
    """The bank decided."""

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
    """The money is back with the customer."""

    refund: str
    charge: str
    customer: str
    email: str
    amount_cents: int
    currency: str


class RefundFailed(Notice):
    """The customer's bank would not take the money."""

    refund: str
    charge: str
    customer: str
    email: str
    amount_cents: int
    currency: str
    failure_code: str


class CreditGranted(Notice):
    """A customer got store credit."""

    credit: str
    customer: str
    email: str
    amount_cents: int
    currency: str


class ApprovalRequested(Notice):
    """Somebody asked a lead."""

    approval: str
    kind: str
    requested_by: str
    assigned_to: str


class ApprovalDecided(Notice):
    """The lead answered."""

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
    """The next bag was charged and will be sent."""

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
    """A defective machine, or a part of it, will be replaced."""

    replacement: str
    customer: str
    email: str
    serial_number: str
    sku: str


class ReturnOpened(Notice):
    """A customer may send something back."""

    rma: str
    number: str
    order: str
    customer: str
    email: str


class ReturnReceived(Notice):
    """The warehouse has it."""

    rma: str
    number: str
    order: str
    customer: str
    email: str
    condition: str


class NoteAdded(Notice):
    """A colleague wrote something down."""

    note: str
    customer: str
    author: str
