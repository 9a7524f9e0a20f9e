"""The ledger, read-only."""

from diorama.apps.backoffice.rules import ledger
from diorama.apps.backoffice.schema import APP, Account, Entry, Posting
from diorama.apps.backoffice.wire.ledger import BalanceView, EntryView, entry_view
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.kernel import Tx


@APP.get("/api/v1/ledger", tags=("ledger",))
def list_ledger_entries(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    account: Account | None = None,
    posting: str | None = None,
    charge: str | None = None,
    refund: str | None = None,
) -> Listing[EntryView]:
    """List ledger entries, newest first; debits are positive, credits negative, and a posting sums to zero."""
    of = "posting_id IN (SELECT id FROM backoffice_postings WHERE {} = ?)"
    filters = [
        ("customer_id = ?", customer),
        ("account = ?", account),
        ("posting_id = ?", posting),
        (of.format("charge_id"), charge),
        (of.format("refund_id"), refund),
    ]
    return listing(tx, Entry, page, lambda entry: _shown(tx, entry), filters, by="at")


@APP.get("/api/v1/ledger/balances", tags=("ledger",))
def list_balances(tx: Tx, customer: str | None = None) -> Listing[BalanceView]:
    """List the balance of every account, for the company or for one customer."""
    return Listing(
        url="/api/v1/ledger/balances",
        has_more=False,
        data=[
            BalanceView(account=account, currency=currency, amount_cents=cents)
            for account, currency, cents in ledger.balances(tx, customer or "")
        ],
    )


@APP.get("/api/v1/ledger/{entry_id}", tags=("ledger",))
def get_ledger_entry(tx: Tx, entry_id: str) -> EntryView:
    """Get one ledger entry with the posting that it belongs to."""
    return _shown(tx, tx.get(Entry, entry_id))


def _shown(tx: Tx, entry: Entry) -> EntryView:
    return entry_view(entry, tx.get(Posting, entry.posting_id))
