"""Store credit."""

from typing import Literal

from diorama.apps.backoffice.api.request_parts import Body, Cents, Text, Word, customer_filter
from diorama.apps.backoffice.rules import credits
from diorama.apps.backoffice.schema import APP, Credit, CreditStatus
from diorama.apps.backoffice.wire.credits import CreditView, credit_view
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.kernel import Tx

GivenReason = Literal["goodwill", "late_delivery", "service_failure"]


class NewCredit(Body, frozen=True, kw_only=True):
    """The body that grants store credit, with the reason."""

    customer_id: Word
    amount_cents: Cents
    reason: GivenReason = "goodwill"
    note: Text = ""
    order_id: Word = ""
    approval_id: Word = ""


@APP.get("/api/v1/credits", tags=("credits",))
def list_credits(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    status: CreditStatus | None = None,
) -> Listing[CreditView]:
    """List store credits, newest first."""
    return listing(
        tx,
        Credit,
        page,
        credit_view,
        [("customer_id = ?", customer_filter(tx, customer, email)), ("status = ?", status)],
    )


@APP.post("/api/v1/credits", status=201, idempotent=True, tags=("credits",))
def create_credit(tx: Tx, body: NewCredit) -> CreditView:
    """Give a customer store credit; above your limit it needs an approval_id."""
    return credit_view(
        credits.grant_credit(
            tx,
            body.customer_id,
            body.amount_cents,
            reason=body.reason,
            note=body.note,
            order_id=body.order_id,
            approval_id=body.approval_id,
        )
    )


@APP.get("/api/v1/credits/{credit_id}", tags=("credits",))
def get_credit(tx: Tx, credit_id: str) -> CreditView:
    """Get one store credit."""
    return credit_view(tx.get(Credit, credit_id))


@APP.post("/api/v1/credits/{credit_id}/void", tags=("credits",))
def void_credit(tx: Tx, credit_id: str) -> CreditView:
    """Void a credit that was granted by mistake and has not been spent."""
    return credit_view(credits.void_credit(tx, credit_id))
