"""Store credit and goodwill, within limits."""

from datetime import timedelta

from diorama.apps.backoffice.rules.approvals import spend_approval
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.rules.policies import current_policy, require_approval
from diorama.apps.backoffice.schema import Account, Credit, CreditGranted, CreditReason, Customer, PostingKind
from diorama.kernel import Refusal, Tx


def grant_credit(
    tx: Tx,
    customer_id: str,
    amount_cents: int,
    *,
    reason: CreditReason = "goodwill",
    note: str = "",
    order_id: str = "",
    approval_id: str = "",
) -> Credit:
    """Grant store credit; above the actor's limit, or the limit per period, it needs an approval."""
    customer = tx.get(Customer, customer_id)
    if amount_cents <= 0:
        raise Refusal(400, "amount_invalid", "amount_cents must be above zero.", fields={"param": "amount_cents"})
    rights = current_policy(tx)
    if approval_id:
        spend_approval(tx, approval_id, "credit", customer.id, amount_cents)
    else:
        limit = rights.vip_credit_limit_cents if customer.segment == "vip" else rights.credit_limit_cents
        if amount_cents > limit:
            require_approval(f"A credit of {amount_cents} cents needs an approval.", limit, customer.currency)
        given = recent_goodwill_cents(tx, customer.id, rights.credit_window_days)
        if given + amount_cents > rights.credit_window_cents:
            require_approval(
                f"This customer got {given} cents of credit in the last {rights.credit_window_days} days.",
                rights.credit_window_cents,
                customer.currency,
            )
    credit = Credit(
        customer_id=customer.id,
        order_id=order_id,
        amount_cents=amount_cents,
        remaining_cents=amount_cents,
        currency=customer.currency,
        reason=reason,
        note=note,
        approval_id=approval_id,
        created_by=tx.actor.name,
        created_at=tx.now,
    )
    return issue_credit(tx, credit, "credit_granted", "goodwill")


def issue_credit(
    tx: Tx, credit: Credit, kind: PostingKind, out_of: Account, charge_id: str = "", refund_id: str = ""
) -> Credit:
    """Store a credit, post it to the ledger and announce it."""
    credit = tx.add(credit)
    post(
        tx,
        kind,
        {out_of: credit.amount_cents, "store_credit": -credit.amount_cents},
        customer_id=credit.customer_id,
        currency=credit.currency,
        credit_id=credit.id,
        charge_id=charge_id,
        refund_id=refund_id,
    )
    tx.emit(
        CreditGranted(
            credit=credit.id,
            customer=credit.customer_id,
            email=tx.get(Customer, credit.customer_id).email,
            amount_cents=credit.amount_cents,
            currency=credit.currency,
        )
    )
    return credit


def void_credit(tx: Tx, credit_id: str) -> Credit:
    """Void credit that was granted by mistake and not yet spent; credit from a refund cannot be voided."""
    current_policy(tx)
    credit = tx.get(Credit, credit_id)
    if credit.status != "active":
        raise Refusal(409, "credit_not_active", f"Credit {credit.id} is {credit.status}.")
    if credit.reason == "refund":
        raise Refusal(409, "credit_is_refund", "This credit is refunded money and cannot be taken back.")
    if credit.remaining_cents != credit.amount_cents:
        raise Refusal(409, "credit_partly_spent", "Part of this credit has been spent.")
    post(
        tx,
        "credit_voided",
        {"store_credit": credit.amount_cents, "goodwill": -credit.amount_cents},
        customer_id=credit.customer_id,
        currency=credit.currency,
        credit_id=credit.id,
    )
    return tx.change(credit, status="voided", remaining_cents=0)


def balance_cents(tx: Tx, customer_id: str) -> int:
    """Return how much credit the customer can spend."""
    rows = tx.rows(
        "SELECT COALESCE(SUM(remaining_cents), 0) FROM backoffice_credits WHERE customer_id = ? AND status = 'active'",
        customer_id,
    )
    return int(rows[0][0])


def spend_credit(tx: Tx, customer_id: str, up_to_cents: int) -> int:
    """Spend credit on an order, oldest first; return how much was used."""
    used = 0
    for credit in tx.all(Credit, "customer_id = ? AND status = 'active'", customer_id, order="created_at, id"):
        take = min(credit.remaining_cents, up_to_cents - used)
        if take:
            left = credit.remaining_cents - take
            tx.change(credit, remaining_cents=left, status="active" if left else "spent")
            used += take
    return used


def recent_goodwill_cents(tx: Tx, customer_id: str, days: int) -> int:
    """Return how much goodwill credit this customer got in the last `days` days."""
    since = tx.now - timedelta(days=days)
    credits = tx.all(Credit, "customer_id = ? AND status != 'voided' AND reason != 'refund'", customer_id)
    return sum(credit.amount_cents for credit in credits if credit.created_at >= since)
