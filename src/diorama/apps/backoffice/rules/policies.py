"""What each role may do without an approval."""

from typing import NoReturn

from diorama.apps.backoffice.schema import Policy, Staff
from diorama.kernel import Refusal, Tx

HOUSE_POLICIES = (
    Policy(
        id="agent",
        refund_limit_cents=15_000,
        credit_limit_cents=2_500,
        vip_credit_limit_cents=5_000,
        credit_window_cents=5_000,
    ),
    Policy(
        id="lead",
        refund_limit_cents=100_000,
        credit_limit_cents=15_000,
        vip_credit_limit_cents=25_000,
        credit_window_cents=40_000,
        waives_warranty=True,
        decides_approvals=True,
    ),
    Policy(
        id="manager",
        refund_limit_cents=1_000_000,
        credit_limit_cents=100_000,
        vip_credit_limit_cents=100_000,
        credit_window_cents=200_000,
        waives_warranty=True,
        decides_approvals=True,
    ),
)


def current_staff(tx: Tx) -> Staff | None:
    """The colleague who is acting, if it is one."""
    return tx.first(Staff, "email = ?", tx.actor.name)


def current_policy(tx: Tx) -> Policy:
    """What whoever is acting may do; the company's own systems act as managers."""
    if tx.actor.kind == "system":
        return policy_of(tx, "manager")
    if tx.actor.kind not in ("agent", "staff"):
        raise Refusal(403, "not_staff", "Only staff may do this.")
    colleague = current_staff(tx)
    if colleague is not None and not colleague.active:
        raise Refusal(403, "account_disabled", "Your account is disabled.")
    return policy_of(tx, colleague.role if colleague else "agent")


def policy_of(tx: Tx, role: str) -> Policy:
    """What one role may do: the table's word, else the house rules."""
    return tx.find(Policy, role) or next(policy for policy in HOUSE_POLICIES if policy.id == role)


def require_approval(what: str, limit_cents: int, currency: str = "EUR") -> NoReturn:
    """Refuse what is above the actor's authority, and say where to ask."""
    raise Refusal(
        403,
        "approval_required",
        f"{what} Your limit is {limit_cents} {currency} cents. Ask a lead with POST /api/v1/approvals "
        "and pass the approval_id once it is approved.",
        fields={"param": "amount_cents", "limit_cents": limit_cents},
    )
