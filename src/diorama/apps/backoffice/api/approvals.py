"""Approvals: request one from a lead and read the decision."""

from typing import Annotated

import msgspec

from diorama.apps.backoffice.api.request_parts import Body, Text, Word
from diorama.apps.backoffice.rules import approvals
from diorama.apps.backoffice.schema import APP, Approval, ApprovalKind, ApprovalStatus
from diorama.apps.backoffice.wire.approvals import ApprovalView, approval_view
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.kernel import Tx


class NewApproval(Body, frozen=True, kw_only=True):
    """The body of an approval request; `subject` is a charge id, a customer id or the serial number of a unit."""

    kind: ApprovalKind
    subject: Word
    amount_cents: Annotated[int, msgspec.Meta(ge=0, le=100_000_000)] = 0
    reason: Word
    justification: Text


class Answer(Body, frozen=True, kw_only=True):
    """The note that a lead adds to a decision."""

    note: Text = ""


@APP.get("/api/v1/approvals", tags=("approvals",))
def list_approvals(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    status: ApprovalStatus | None = None,
    requested_by: str | None = None,
) -> Listing[ApprovalView]:
    """List approvals, newest first."""
    filters = [("customer_id = ?", customer), ("status = ?", status), ("requested_by = ?", requested_by)]
    return listing(tx, Approval, page, approval_view, filters)


@APP.post("/api/v1/approvals", status=201, idempotent=True, tags=("approvals",))
def create_approval(tx: Tx, body: NewApproval) -> ApprovalView:
    """Request an approval from a lead; the decision comes later, during working hours."""
    return approval_view(
        approvals.request_approval(
            tx,
            body.kind,
            body.subject,
            amount_cents=body.amount_cents,
            reason=body.reason,
            justification=body.justification,
        )
    )


@APP.get("/api/v1/approvals/{approval_id}", tags=("approvals",))
def get_approval(tx: Tx, approval_id: str) -> ApprovalView:
    """Get one approval with the lead's decision."""
    return approval_view(tx.get(Approval, approval_id))


@APP.post("/api/v1/approvals/{approval_id}/approve", tags=("approvals",))
def approve_approval(tx: Tx, approval_id: str, body: Answer) -> ApprovalView:
    """Approve an approval request; leads only."""
    return approval_view(approvals.decide_approval(tx, approval_id, True, body.note))


@APP.post("/api/v1/approvals/{approval_id}/deny", tags=("approvals",))
def deny_approval(tx: Tx, approval_id: str, body: Answer) -> ApprovalView:
    """Deny an approval request; leads only."""
    return approval_view(approvals.decide_approval(tx, approval_id, False, body.note))
