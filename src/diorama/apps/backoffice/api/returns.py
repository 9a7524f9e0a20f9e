"""Returns."""

from diorama.apps.backoffice.api.request_parts import Body, Quantity, Text, Word, customer_filter
from diorama.apps.backoffice.rules import returns
from diorama.apps.backoffice.schema import APP, Resolution, Return, ReturnReason, ReturnStatus
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.returns import ReturnView, return_view
from diorama.kernel import Tx


class NewReturn(Body, frozen=True, kw_only=True):
    """What is returned and why; the serial number is required if the order has several units of that kind."""

    order_id: Word
    sku: Word
    reason: ReturnReason
    quantity: Quantity = 1
    serial_number: Word = ""
    resolution: Resolution = "refund"
    note: Text = ""


@APP.get("/api/v1/returns", tags=("returns",))
def list_returns(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    order: str | None = None,
    number: str | None = None,
    status: ReturnStatus | None = None,
) -> Listing[ReturnView]:
    """List returns, newest first."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("order_id = ?", order),
        ("number = ?", number),
        ("status = ?", status),
    ]
    return listing(tx, Return, page, return_view, filters)


@APP.post("/api/v1/returns", status=201, idempotent=True, tags=("returns",))
def create_return(tx: Tx, body: NewReturn) -> ReturnView:
    """Open a return for a customer and create the label; the refund is a separate step."""
    return return_view(
        returns.open_return(
            tx,
            body.order_id,
            body.sku,
            reason=body.reason,
            quantity=body.quantity,
            serial=body.serial_number,
            resolution=body.resolution,
            note=body.note,
        )
    )


@APP.get("/api/v1/returns/{return_id}", tags=("returns",))
def get_return(tx: Tx, return_id: str) -> ReturnView:
    """Get one return."""
    return return_view(tx.get(Return, return_id))


@APP.post("/api/v1/returns/{return_id}/cancel", tags=("returns",))
def cancel_return(tx: Tx, return_id: str) -> ReturnView:
    """Cancel a return that was not sent."""
    return return_view(returns.cancel_return(tx, return_id))
