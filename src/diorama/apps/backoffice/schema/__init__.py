"""The records and notices of the back office."""

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.approvals import Approval, ApprovalKind, ApprovalStatus
from diorama.apps.backoffice.schema.charges import Charge, ChargeStatus, DisputeReason
from diorama.apps.backoffice.schema.credits import Credit, CreditReason, CreditStatus
from diorama.apps.backoffice.schema.customers import Address, Card, Customer, CustomerEmail, Note, Postal, Segment
from diorama.apps.backoffice.schema.ledger import Account, Entry, Posting, PostingKind
from diorama.apps.backoffice.schema.notices import (
    AddressChanged,
    ApprovalDecided,
    ApprovalRequested,
    ChargeDisputed,
    ChargeFailed,
    CreditGranted,
    DisputeClosed,
    NoteAdded,
    OrderCancelled,
    OrderPlaced,
    RefundFailed,
    RefundRequested,
    RefundSucceeded,
    ReplacementOrdered,
    ReturnOpened,
    ReturnReceived,
    ShipmentCreated,
    ShipmentMoved,
    SubscriptionCancelled,
    SubscriptionChanged,
    SubscriptionRenewed,
    SubscriptionStarted,
    TraceAnswered,
)
from diorama.apps.backoffice.schema.orders import Channel, Order, OrderLine, OrderStatus
from diorama.apps.backoffice.schema.policies import Policy
from diorama.apps.backoffice.schema.products import Fault, Product, ProductKind, Remedy
from diorama.apps.backoffice.schema.refunds import Destination, Refund, RefundReason, RefundStatus
from diorama.apps.backoffice.schema.replacements import Replacement, ReplacementStatus
from diorama.apps.backoffice.schema.returns import Resolution, Return, ReturnReason, ReturnStatus
from diorama.apps.backoffice.schema.sequences import Sequence
from diorama.apps.backoffice.schema.settings import Carrier, Settings
from diorama.apps.backoffice.schema.shipments import Fate, Parcel, Scan, Shipment, ShipmentStatus, TraceStatus
from diorama.apps.backoffice.schema.staff import Role, Staff
from diorama.apps.backoffice.schema.stock import Stock
from diorama.apps.backoffice.schema.subscriptions import CancelReason, Plan, Subscription, SubscriptionStatus
from diorama.apps.backoffice.schema.units import Unit, UnitStatus

__all__ = [
    "APP",
    "Account",
    "Address",
    "AddressChanged",
    "Approval",
    "ApprovalDecided",
    "ApprovalKind",
    "ApprovalRequested",
    "ApprovalStatus",
    "CancelReason",
    "Card",
    "Carrier",
    "Channel",
    "Charge",
    "ChargeDisputed",
    "ChargeFailed",
    "ChargeStatus",
    "Credit",
    "CreditGranted",
    "CreditReason",
    "CreditStatus",
    "Customer",
    "CustomerEmail",
    "Destination",
    "DisputeClosed",
    "DisputeReason",
    "Entry",
    "Fate",
    "Fault",
    "Note",
    "NoteAdded",
    "Order",
    "OrderCancelled",
    "OrderLine",
    "OrderPlaced",
    "OrderStatus",
    "Parcel",
    "Plan",
    "Policy",
    "Postal",
    "Posting",
    "PostingKind",
    "Product",
    "ProductKind",
    "Refund",
    "RefundFailed",
    "RefundReason",
    "RefundRequested",
    "RefundStatus",
    "RefundSucceeded",
    "Remedy",
    "Replacement",
    "ReplacementOrdered",
    "ReplacementStatus",
    "Resolution",
    "Return",
    "ReturnOpened",
    "ReturnReason",
    "ReturnReceived",
    "ReturnStatus",
    "Role",
    "Scan",
    "Segment",
    "Sequence",
    "Settings",
    "Shipment",
    "ShipmentCreated",
    "ShipmentMoved",
    "ShipmentStatus",
    "Staff",
    "Stock",
    "Subscription",
    "SubscriptionCancelled",
    "SubscriptionChanged",
    "SubscriptionRenewed",
    "SubscriptionStarted",
    "SubscriptionStatus",
    "TraceAnswered",
    "TraceStatus",
    "Unit",
    "UnitStatus",
]
