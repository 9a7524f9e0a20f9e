"""The ledger: postings and entries."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

PostingKind = Literal[
    "charge",
    "refund_requested",
    "refund_succeeded",
    "refund_failed",
    "refund_to_credit",
    "credit_granted",
    "credit_voided",
    "dispute_opened",
    "dispute_won",
    "dispute_lost",
]
Account = Literal[
    "processor",
    "sales",
    "shipping",
    "tax",
    "refunds",
    "refunds_payable",
    "store_credit",
    "goodwill",
    "disputed",
    "dispute_losses",
]


@APP.record("postings", ids=token("pst_"), index=[("charge_id",), ("refund_id",)], append_only=True)
class Posting(Record):
    """One movement of money: why, for whom and by whom; its entries sum to zero."""

    id: str = ""
    kind: PostingKind
    customer_id: str
    charge_id: str = ""
    refund_id: str = ""
    credit_id: str = ""
    by: str
    at: datetime


@APP.record(
    "ledger",
    ids=token("led_"),
    index=[("posting_id",), ("account", "at"), ("customer_id", "at"), ("at",)],
    append_only=True,
)
class Entry(Record):
    """One side of a posting: debits are positive, credits negative."""

    id: str = ""
    posting_id: str
    account: Account
    amount_cents: int
    currency: str
    customer_id: str
    at: datetime
