"""Approvals."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

ApprovalKind = Literal["refund", "credit", "replacement"]
ApprovalStatus = Literal["pending", "approved", "denied", "used"]


@APP.record(
    "approvals",
    ids=token("apr_"),
    index=[("status", "created_at"), ("customer_id", "created_at"), ("created_at",)],
)
class Approval(Record):
    """A request to a lead, and the decision: permission to do one thing once."""

    id: str = ""
    kind: ApprovalKind
    customer_id: str
    subject: str
    amount_cents: int = 0
    currency: str
    reason: str
    justification: str
    status: ApprovalStatus = "pending"
    requested_by: str
    assigned_to: str = ""
    decided_by: str = ""
    decided_at: datetime | None = None
    decision_note: str = ""
    expires_at: datetime | None = None
    created_at: datetime
