"""What each role may do without an approval."""

from typing import NoReturn

from diorama.apps.backoffice.schema import APP, Policy, Staff
from diorama.kernel import Refusal, Tx

ROLES = ("agent", "lead", "manager")


def current_staff(tx: Tx) -> Staff | None:
    """Return the staff member who is acting, or None."""
    return tx.first(Staff, "email = ?", tx.actor.name)


def current_policy(tx: Tx) -> Policy:
    """Return the policy of the acting person; the company's own systems act as managers."""
    if tx.actor.kind == "system":
        return policy_of(tx, "manager")
    if tx.actor.kind not in ("agent", "staff"):
        raise Refusal(403, "not_staff", "Only staff may do this.")
    colleague = current_staff(tx)
    if colleague is not None and not colleague.active:
        raise Refusal(403, "account_disabled", "Your account is disabled.")
    return policy_of(tx, colleague.role if colleague else "agent")


def policy_of(tx: Tx, role: str) -> Policy:
    """Return what one role may do."""
    return tx.get(Policy, role)


def require_approval(what: str, limit_cents: int, currency: str) -> NoReturn:
    """Raise 403 for an action above the actor's limit, and say where to request approval."""
    raise Refusal(
        403,
        "approval_required",
        f"{what} Your limit is {limit_cents} {currency} cents. Ask a lead with POST /api/v1/approvals "
        "and pass the approval_id once it is approved.",
        fields={"param": "amount_cents", "limit_cents": limit_cents},
    )


@APP.people
def account_holders(tx: Tx) -> list[str]:
    """Return one member of staff per role: a manager, a lead, an agent."""
    found = [tx.first(Staff, "role = ? AND active = 1", role, order="email") for role in reversed(ROLES)]
    return [one.email for one in found if one is not None]
