"""Replacements, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Replacement, ReplacementStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class ReplacementView(Shown, frozen=True, kw_only=True, tag="replacement"):
    """A unit or part sent free of charge."""

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


def replacement_view(replacement: Replacement) -> ReplacementView:
    """Build the reply model of a replacement."""
    return shown(ReplacementView, replacement)
