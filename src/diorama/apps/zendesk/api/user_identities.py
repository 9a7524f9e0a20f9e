"""User identities on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of, single_page
from diorama.apps.zendesk.api.request_parts import get_owned, required
from diorama.apps.zendesk.rules import user_identities
from diorama.apps.zendesk.rules.current_user import current_user, now
from diorama.apps.zendesk.rules.users import check_may_write
from diorama.apps.zendesk.schema import APP, Identity, User
from diorama.apps.zendesk.wire.user_identities import (
    IdentityRequest,
    UserIdentitiesResponse,
    UserIdentityResponse,
    identity_object,
)
from diorama.kernel import Tx


@APP.get("/api/v2/users/{user_id}/identities", role="agent")
def list_user_identities(tx: Tx, user_id: int, page: Page) -> UserIdentitiesResponse:
    """List the identities of a user."""
    identities, around = page_of(tx, page, Identity, "user_id = ?", (tx.get(User, user_id).id,))
    return UserIdentitiesResponse(identities=[identity_object(identity) for identity in identities], **around)


@APP.post("/api/v2/users/{user_id}/identities", role="agent", status=201)
def create_user_identity(tx: Tx, user_id: int, body: IdentityRequest) -> UserIdentityResponse:
    """Add an identity to a user."""
    user = tx.get(User, user_id)
    check_may_write(current_user(tx), user)
    if body.identity is UNSET or not body.identity.value:
        raise refusals.parameter_missing("identity")
    asked = body.identity
    made = user_identities.claim_identity(
        tx, user, asked.value, type=asked.type, primary=asked.primary is True, verified=asked.verified is True
    )
    return UserIdentityResponse(identity_object(made))


@APP.get("/api/v2/users/{user_id}/identities/{user_identity_id}", role="agent")
def show_user_identity(tx: Tx, user_id: int, user_identity_id: int) -> UserIdentityResponse:
    """Show an identity of a user."""
    return UserIdentityResponse(identity_object(get_owned(tx, Identity, user_identity_id, user_id=user_id)))


@APP.put("/api/v2/users/{user_id}/identities/{user_identity_id}", role="agent")
def update_user_identity(tx: Tx, user_id: int, user_identity_id: int, body: IdentityRequest) -> UserIdentityResponse:
    """Mark an identity as verified."""
    identity = _mine_to_change(tx, user_id, user_identity_id)
    asked = required(body.identity, "identity")
    if asked.verified is not UNSET:
        identity = tx.change(identity, verified=asked.verified, updated_at=now(tx))
    return UserIdentityResponse(identity_object(identity))


@APP.put("/api/v2/users/{user_id}/identities/{user_identity_id}/make_primary", role="agent")
def make_user_identity_primary(tx: Tx, user_id: int, user_identity_id: int) -> UserIdentitiesResponse:
    """Make an identity the primary one."""
    user_identities.make_primary(tx, _mine_to_change(tx, user_id, user_identity_id))
    identities = tx.all(Identity, "user_id = ?", user_id)
    shapes = [identity_object(identity) for identity in identities]
    return UserIdentitiesResponse(identities=shapes, **single_page(shapes))


@APP.put("/api/v2/users/{user_id}/identities/{user_identity_id}/verify", role="agent")
def verify_user_identity(tx: Tx, user_id: int, user_identity_id: int) -> UserIdentityResponse:
    """Verify an identity."""
    identity = tx.change(_mine_to_change(tx, user_id, user_identity_id), verified=True, updated_at=now(tx))
    return UserIdentityResponse(identity_object(identity))


@APP.delete("/api/v2/users/{user_id}/identities/{user_identity_id}", role="agent")
def delete_user_identity(tx: Tx, user_id: int, user_identity_id: int) -> None:
    """Delete an identity of a user; the primary one cannot be deleted."""
    identity = _mine_to_change(tx, user_id, user_identity_id)
    user_identities.delete_identity(tx, identity)


@APP.put("/api/v2/users/{user_id}/identities/{user_identity_id}/request_verification", role="agent")
def request_user_verification(tx: Tx, user_id: int, user_identity_id: int) -> str:
    """Send a verification mail to an address of a user."""
    identity = _mine_to_change(tx, user_id, user_identity_id)
    user_identities.request_verification(tx, identity)
    return ""


def _mine_to_change(tx: Tx, user_id: int, identity_id: int) -> Identity:
    """Return an identity of a user whom the caller may change."""
    identity = get_owned(tx, Identity, identity_id, user_id=user_id)
    check_may_write(current_user(tx), tx.get(User, user_id))
    return identity
