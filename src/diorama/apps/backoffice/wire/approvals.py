"""Approvals, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Approval, ApprovalKind, ApprovalStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class ApprovalView(Shown, frozen=True, kw_only=True, tag="approval"):
    """A request to a lead, and the decision."""

    id: str
    kind: ApprovalKind
    customer_id: str
    subject: str
    amount_cents: int
    currency: str
    reason: str
    justification: str
    status: ApprovalStatus
    requested_by: str
    assigned_to: str | None
    decided_by: str | None
    decided_at: datetime | None
    decision_note: str | None
    expires_at: datetime | None
    created_at: datetime


def approval_view(approval: Approval) -> ApprovalView:
    """Build the reply model of an approval."""
    return shown(ApprovalView, approval)
