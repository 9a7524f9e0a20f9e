"""Merging and forgetting users, and their passwords, on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.configuring import existing, within
from diorama.apps.zendesk.api.listing import Page, counted, page_of
from diorama.apps.zendesk.rules import merged_people as merging
from diorama.apps.zendesk.rules.acting import acting, admin, agent, agents_only, by_email
from diorama.apps.zendesk.schema import APP, ComplianceDeletion, Identity, User, VerificationRequested
from diorama.apps.zendesk.wire.lists import CountResponse
from diorama.apps.zendesk.wire.merged_people import (
    ComplianceDeletionsResponse,
    DeletedUserResponse,
    DeletedUsersResponse,
    PasswordRequest,
    RequirementsResponse,
    UserMergeRequest,
    compliance_deletion_object,
    deleted_user_object,
)
from diorama.apps.zendesk.wire.people import UserResponse, user_object
from diorama.kernel import Tx

DELETED = "active = 0 AND id NOT IN (SELECT user_id FROM zendesk_compliance_deletions)"


@APP.put("/api/v2/users/{user_id}/merge")
def merge_end_users(tx: Tx, user_id: int, body: UserMergeRequest) -> UserResponse:
    """The user of the path goes into the user of the body."""
    me = agent(tx)
    if body.user is UNSET or (body.user.id is UNSET and body.user.email is UNSET):
        raise refusals.parameter_missing("user")
    loser = tx.get(User, user_id)
    asked = body.user
    winner = tx.get(User, asked.id) if isinstance(asked.id, int) else existing(by_email(tx, str(asked.email)))
    return UserResponse(user_object(merging.merge_users(tx, loser, winner, me)))


@APP.put("/api/v2/users/me/merge")
def merge_self(tx: Tx, body: UserMergeRequest) -> UserResponse:
    """A customer who has two accounts, and the password of the other, makes them one."""
    me = acting(tx)
    if body.user is UNSET or body.user.email is UNSET or body.user.password is UNSET:
        raise refusals.parameter_missing("user")
    other = by_email(tx, body.user.email)
    if other is None or not merging.knows_password(tx, other, body.user.password):
        raise refusals.invalid("base", "Merge failed: email or password is wrong", "InvalidValue")
    return UserResponse(user_object(merging.merge_users(tx, other, me, me)))


# --- deleted users


@APP.get("/api/v2/deleted_users")
def list_deleted_users(tx: Tx, page: Page) -> DeletedUsersResponse:
    """The users who were deleted, but not for good."""
    agents_only(tx)
    users, around = page_of(tx, page, User, DELETED)
    return DeletedUsersResponse(deleted_users=[deleted_user_object(user) for user in users], **around)


@APP.get("/api/v2/deleted_users/count")
def count_deleted_users(tx: Tx) -> CountResponse:
    """How many users were deleted."""
    agents_only(tx)
    return counted(tx, User, DELETED)


@APP.get("/api/v2/deleted_users/{deleted_user_id}")
def show_deleted_user(tx: Tx, deleted_user_id: int) -> DeletedUserResponse:
    """One deleted user."""
    agents_only(tx)
    return DeletedUserResponse(deleted_user_object(merging.deleted(tx, deleted_user_id)))


@APP.delete("/api/v2/deleted_users/{deleted_user_id}", limits=(limits.USER_DELETIONS,))
def permanently_delete_user(tx: Tx, deleted_user_id: int) -> DeletedUserResponse:
    """Forget a user; there is no way back."""
    me = admin(tx)
    user = merging.forget(tx, merging.deleted(tx, deleted_user_id), me)
    return DeletedUserResponse(deleted_user_object(user))


@APP.get("/api/v2/users/{user_id}/compliance_deletion_statuses")
def show_user_compliance_deletion_statuses(
    tx: Tx, user_id: int, page: Page, application: str | None = None
) -> ComplianceDeletionsResponse:
    """How far the forgetting of a user has got."""
    agents_only(tx)
    if not tx.count(ComplianceDeletion, "user_id = ?", user_id):
        raise refusals.not_found()
    where, args = "user_id = ?", [user_id, *([application] if application else [])]
    steps, around = page_of(
        tx, page, ComplianceDeletion, f"{where} AND application = ?" if application else where, args
    )
    return ComplianceDeletionsResponse(
        compliance_deletion_statuses=[compliance_deletion_object(step) for step in steps], **around
    )


# --- passwords and addresses


@APP.get("/api/v2/users/{user_id}/password/requirements")
def get_user_password_requirements(tx: Tx, user_id: int) -> RequirementsResponse:
    """What a password must be like."""
    me, user = acting(tx), tx.get(User, user_id)
    if me.role != "admin" and me.id != user.id:
        raise refusals.forbidden()
    return RequirementsResponse(merging.REQUIREMENTS)


@APP.post("/api/v2/users/{user_id}/password")
def set_user_password(tx: Tx, user_id: int, body: PasswordRequest) -> str:
    """An administrator gives somebody a password."""
    admin(tx)
    merging.set_password(tx, tx.get(User, user_id), body.password)
    return ""


@APP.put("/api/v2/users/{user_id}/password")
def change_own_password(tx: Tx, user_id: int, body: PasswordRequest) -> str:
    """Somebody who knows the old password gets a new one."""
    me = acting(tx)
    if me.id != user_id:
        raise refusals.forbidden()
    if not merging.knows_password(tx, me, body.previous_password):
        raise refusals.invalid("password", "Password: the current password is incorrect", "InvalidValue")
    merging.set_password(tx, me, body.password)
    return ""


@APP.put("/api/v2/users/{user_id}/identities/{user_identity_id}/request_verification")
def request_user_verification(tx: Tx, user_id: int, user_identity_id: int) -> str:
    """Send a mail that asks whether the address is theirs."""
    agents_only(tx)
    identity = within(tx, Identity, user_identity_id, user_id=user_id)
    if identity.verified or identity.type != "email":
        raise refusals.invalid("base", "Identity: cannot be verified", "InvalidValue")
    tx.emit(VerificationRequested(user=user_id, to=identity.value))
    return ""
