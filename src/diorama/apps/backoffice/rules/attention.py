"""Attention: whom the back office wakes when something happens, and what they may read about it."""

from __future__ import annotations

from collections.abc import Iterator

from diorama.apps.backoffice.schema import (
    APP,
    ApprovalDecided,
    Refund,
    RefundFailed,
    Return,
    ReturnReceived,
    Shipment,
    Staff,
    TraceAnswered,
)
from diorama.kernel import Notice, Tx, Wake


def _wake(tx: Tx, notice: Notice, person: str, text: str, **data: str) -> Iterator[Wake]:
    """Yield a wake for a member of staff; no one else has an account here."""
    if tx.count(Staff, "email = ? AND active = 1", person):
        yield Wake(person, type(notice).__name__, text, data)


@APP.wakes(TraceAnswered)
def answered_trace(tx: Tx, notice: TraceAnswered) -> Iterator[Wake]:
    """Wake the person who asked the carrier."""
    parcel = tx.get(Shipment, notice.shipment)
    text = f"Carrier answered about shipment {parcel.id}: {notice.answer}"
    return _wake(tx, notice, parcel.traced_by, text, shipment_id=parcel.id)


@APP.wakes(RefundFailed)
def failed_refund(tx: Tx, notice: RefundFailed) -> Iterator[Wake]:
    """Wake the person who made the refund."""
    text = f"Refund {notice.refund} failed: {notice.failure_code}"
    return _wake(tx, notice, tx.get(Refund, notice.refund).created_by, text, refund_id=notice.refund)


@APP.wakes(ApprovalDecided)
def decided_approval(tx: Tx, notice: ApprovalDecided) -> Iterator[Wake]:
    """Wake the person who asked for the approval."""
    text = f"Approval {notice.approval} was {'approved' if notice.approved else 'denied'}: {notice.note}"
    return _wake(tx, notice, notice.requested_by, text, approval_id=notice.approval)


@APP.wakes(ReturnReceived)
def received_return(tx: Tx, notice: ReturnReceived) -> Iterator[Wake]:
    """Wake the person who opened the return."""
    text = f"Return {notice.number} has arrived: {notice.condition}"
    return _wake(tx, notice, tx.get(Return, notice.rma).created_by, text, return_id=notice.rma)
