"""User merges on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import Me, or_not_found
from diorama.apps.zendesk.rules import user_merges, user_passwords
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.wire.user_merges import UserMergeRequest
from diorama.apps.zendesk.wire.users import UserResponse, user_object
from diorama.kernel import Tx


@APP.put("/api/v2/users/{user_id}/merge", role="agent")
def merge_end_users(tx: Tx, me: Me, user_id: int, body: UserMergeRequest) -> UserResponse:
    """Merge the user in the path into the user in the body."""
    if body.user is UNSET or (body.user.id is UNSET and body.user.email is UNSET):
        raise refusals.parameter_missing("user")
    loser = tx.get(User, user_id)
    asked = body.user
    winner = tx.get(User, asked.id) if isinstance(asked.id, int) else or_not_found(by_email(tx, str(asked.email)))
    return UserResponse(user=user_object(user_merges.merge_users(tx, loser, winner, me)))


@APP.put("/api/v2/users/me/merge", role="user")
def merge_self(tx: Tx, me: Me, body: UserMergeRequest) -> UserResponse:
    """Merge another account of the caller into this one; it needs the other account's password."""
    if body.user is UNSET or body.user.email is UNSET or body.user.password is UNSET:
        raise refusals.parameter_missing("user")
    other = by_email(tx, body.user.email)
    if other is None or not user_passwords.knows_password(tx, other, body.user.password):
        raise refusals.invalid("base", "Merge failed: email or password is wrong", "InvalidValue")
    return UserResponse(user=user_object(user_merges.merge_users(tx, other, me, me)))
