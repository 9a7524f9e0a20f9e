"""Replacements for defective units."""

from diorama.apps.backoffice.api.request_parts import Body, Text, Word, customer_filter
from diorama.apps.backoffice.rules import replacements
from diorama.apps.backoffice.schema import APP, Postal, Replacement, ReplacementStatus
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.replacements import ReplacementView, replacement_view
from diorama.kernel import Tx


class NewReplacement(Body, frozen=True, kw_only=True):
    """The defective unit and what to send: a whole unit or, with `part_sku`, only the part."""

    customer_id: Word
    serial_number: Word
    reason: Text
    fault_code: Word = ""
    part_sku: Word = ""
    address: Postal | None = None
    approval_id: Word = ""


@APP.get("/api/v1/replacements", tags=("replacements",))
def list_replacements(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    serial_number: str | None = None,
    status: ReplacementStatus | None = None,
) -> Listing[ReplacementView]:
    """List replacements, newest first."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("serial_number = ?", serial_number),
        ("status = ?", status),
    ]
    return listing(tx, Replacement, page, replacement_view, filters)


@APP.post("/api/v1/replacements", status=201, idempotent=True, seconds=1.0, tags=("replacements",))
def create_replacement(tx: Tx, body: NewReplacement) -> ReplacementView:
    """Replace a defective unit, or a part of it, free of charge under warranty."""
    return replacement_view(
        replacements.replace(
            tx,
            body.customer_id,
            body.serial_number,
            reason=body.reason,
            fault_code=body.fault_code,
            part_sku=body.part_sku,
            address=body.address,
            approval_id=body.approval_id,
        )
    )


@APP.get("/api/v1/replacements/{replacement_id}", tags=("replacements",))
def get_replacement(tx: Tx, replacement_id: str) -> ReplacementView:
    """Get one replacement."""
    return replacement_view(tx.get(Replacement, replacement_id))


@APP.post("/api/v1/replacements/{replacement_id}/cancel", tags=("replacements",))
def cancel_replacement(tx: Tx, replacement_id: str) -> ReplacementView:
    """Cancel a replacement that has not left the warehouse."""
    return replacement_view(replacements.cancel_replacement(tx, replacement_id))
