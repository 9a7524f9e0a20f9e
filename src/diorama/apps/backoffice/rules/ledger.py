"""The ledger: every movement of money is a balanced posting that is written once and never changed."""

from collections.abc import Mapping
from datetime import datetime

from diorama.apps.backoffice.schema import Account, Entry, Posting, PostingKind
from diorama.kernel import Defect, Tx


def post(
    tx: Tx,
    kind: PostingKind,
    sides: Mapping[Account, int],
    *,
    customer_id: str,
    currency: str,
    charge_id: str = "",
    refund_id: str = "",
    credit_id: str = "",
    at: datetime | None = None,
    by: str = "",
) -> Posting:
    """Write one posting: debits are positive, credits negative, and they sum to zero."""
    if sum(sides.values()):
        raise Defect(f"a {kind} posting does not balance: {dict(sides)}", boundary="app", kind="unbalanced")
    posting = tx.add(
        Posting(
            kind=kind,
            customer_id=customer_id,
            charge_id=charge_id,
            refund_id=refund_id,
            credit_id=credit_id,
            by=by or str(tx.actor),
            at=at or tx.now,
        )
    )
    for account, amount in sides.items():
        if amount:
            tx.add(
                Entry(
                    posting_id=posting.id,
                    account=account,
                    amount_cents=amount,
                    currency=currency,
                    customer_id=customer_id,
                    at=posting.at,
                )
            )
    return posting


def balances(tx: Tx, customer_id: str = "") -> list[tuple[str, str, int]]:
    """Return the balance of every account, for the company or one customer, as (account, currency, cents)."""
    where, args = ("WHERE customer_id = ?", (customer_id,)) if customer_id else ("", ())
    return [
        (account, currency, cents)
        for account, currency, cents in tx.rows(
            f"SELECT account, currency, SUM(amount_cents) FROM backoffice_ledger {where} "
            "GROUP BY account, currency ORDER BY account, currency",
            *args,
        )
    ]
