"""What each role may do without an approval, as the API shows them."""

from diorama.apps.backoffice.schema import Policy
from diorama.apps.backoffice.wire.shapes import Shown, shown


class PolicyView(Shown, frozen=True, kw_only=True, tag="policy"):
    """What a role may do without approval."""

    role: str
    refund_limit_cents: int
    credit_limit_cents: int
    vip_credit_limit_cents: int
    credit_window_cents: int
    credit_window_days: int
    waives_warranty: bool
    decides_approvals: bool


def policy_view(policy: Policy) -> PolicyView:
    """Build the reply model of a policy."""
    return shown(PolicyView, policy, role=policy.id)
