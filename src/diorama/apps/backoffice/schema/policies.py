"""What each role may do without an approval."""

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token


@APP.record("policies", ids=token("pol_"), cached=True)
class Policy(Record):
    """What one role may do without approval; its id is the role."""

    id: str = ""
    refund_limit_cents: int
    credit_limit_cents: int
    vip_credit_limit_cents: int
    credit_window_cents: int
    credit_window_days: int = 90
    waives_warranty: bool = False
    decides_approvals: bool = False
