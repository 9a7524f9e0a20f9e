"""Staff, as the API shows them."""

from diorama.apps.backoffice.schema import Role, Staff
from diorama.apps.backoffice.wire.policies import PolicyView
from diorama.apps.backoffice.wire.shapes import Shown, shown


class StaffView(Shown, frozen=True, kw_only=True, tag="staff"):
    """A colleague."""

    id: str
    email: str
    name: str
    role: Role
    team: str
    active: bool


class MeView(Shown, frozen=True, kw_only=True, tag="me"):
    """The caller's account, and what they may do."""

    email: str
    name: str
    role: str
    policy: PolicyView


def staff_view(staff: Staff) -> StaffView:
    """Build the reply model of a staff member."""
    return shown(StaffView, staff)
