"""What each role may do without an approval."""

from diorama.apps.backoffice.rules import policies
from diorama.apps.backoffice.schema import APP
from diorama.apps.backoffice.wire.pagination import Listing
from diorama.apps.backoffice.wire.policies import PolicyView, policy_view
from diorama.kernel import Tx


@APP.get("/api/v1/policies", tags=("house",))
def list_policies(tx: Tx) -> Listing[PolicyView]:
    """List what each role may do without approval."""
    return Listing(
        url="/api/v1/policies",
        has_more=False,
        data=[policy_view(policies.policy_of(tx, role)) for role in policies.ROLES],
    )
