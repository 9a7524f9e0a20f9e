"""The ledger: postings and entries, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Account, Entry, Posting, PostingKind
from diorama.apps.backoffice.wire.shapes import Shown, shown


class EntryView(Shown, frozen=True, kw_only=True, tag="ledger_entry"):
    """One ledger entry, with the posting that it belongs to."""

    id: str
    posting_id: str
    kind: PostingKind
    account: Account
    amount_cents: int
    currency: str
    customer_id: str
    charge_id: str | None
    refund_id: str | None
    credit_id: str | None
    by: str
    created_at: datetime


class BalanceView(Shown, frozen=True, kw_only=True, tag="balance"):
    """The balance of one account."""

    account: str
    currency: str
    amount_cents: int


def entry_view(entry: Entry, posting: Posting) -> EntryView:
    """Build the reply model of a ledger entry."""
    return shown(
        EntryView,
        entry,
        posting_id=posting.id,
        kind=posting.kind,
        charge_id=posting.charge_id,
        refund_id=posting.refund_id,
        credit_id=posting.credit_id,
        by=posting.by,
        created_at=entry.at,
    )
