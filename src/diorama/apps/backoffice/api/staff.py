"""The caller and the other staff."""

from diorama.apps.backoffice.rules import policies
from diorama.apps.backoffice.schema import APP, Role, Staff
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.policies import policy_view
from diorama.apps.backoffice.wire.staff import MeView, StaffView, staff_view
from diorama.kernel import Tx


@APP.get("/api/v1/me", tags=("house",))
def get_me(tx: Tx) -> MeView:
    """Get your account and what you may do without approval."""
    colleague = policies.current_staff(tx)
    rights = policies.current_policy(tx)
    return MeView(
        email=tx.actor.name,
        name=colleague.name if colleague else tx.actor.name,
        role=rights.id,
        policy=policy_view(rights),
    )


@APP.get("/api/v1/staff", tags=("house",))
def list_staff(tx: Tx, page: Page, role: Role | None = None) -> Listing[StaffView]:
    """List colleagues."""
    return listing(tx, Staff, page, staff_view, [("role = ?", role)])
