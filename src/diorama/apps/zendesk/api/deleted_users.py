"""Deleted users and their permanent deletion on the wire."""

from __future__ import annotations

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.pagination import Page, count_records, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import deleted_users
from diorama.apps.zendesk.rules.account import subdomain
from diorama.apps.zendesk.schema import APP, ComplianceDeletion, User
from diorama.apps.zendesk.wire.deleted_users import (
    ComplianceDeletionsResponse,
    DeletedUserResponse,
    DeletedUsersResponse,
    compliance_deletion_object,
    deleted_user_object,
)
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.kernel import Tx

DELETED = "active = 0 AND id NOT IN (SELECT user_id FROM zendesk_compliance_deletions)"


@APP.get("/api/v2/deleted_users", role="agent")
def list_deleted_users(tx: Tx, page: Page) -> DeletedUsersResponse:
    """List deleted users; permanently deleted ones are left out."""
    users, around = page_of(tx, page, User, DELETED)
    return DeletedUsersResponse(deleted_users=[deleted_user_object(user) for user in users], **around)


@APP.get("/api/v2/deleted_users/count", role="agent")
def count_deleted_users(tx: Tx) -> CountResponse:
    """Count deleted users."""
    return count_records(tx, User, DELETED)


@APP.get("/api/v2/deleted_users/{deleted_user_id}", role="agent")
def show_deleted_user(tx: Tx, deleted_user_id: int) -> DeletedUserResponse:
    """Show a deleted user."""
    return DeletedUserResponse(deleted_user_object(deleted_users.deleted_user(tx, deleted_user_id)))


@APP.delete("/api/v2/deleted_users/{deleted_user_id}", role="admin", rate_limits=(limits.USER_DELETIONS,))
def permanently_delete_user(tx: Tx, me: Me, deleted_user_id: int) -> DeletedUserResponse:
    """Delete a user permanently."""
    user = deleted_users.delete_permanently(tx, deleted_users.deleted_user(tx, deleted_user_id), me)
    return DeletedUserResponse(deleted_user_object(user, permanently=True))


@APP.get("/api/v2/users/{user_id}/compliance_deletion_statuses", role="agent")
def show_user_compliance_deletion_statuses(
    tx: Tx, user_id: int, page: Page, application: str | None = None
) -> ComplianceDeletionsResponse:
    """Show the progress of a user's permanent deletion."""
    if not tx.count(ComplianceDeletion, "user_id = ?", user_id):
        raise refusals.not_found()
    where, args = "user_id = ?", [user_id, *([application] if application else [])]
    steps, around = page_of(
        tx, page, ComplianceDeletion, f"{where} AND application = ?" if application else where, args
    )
    return ComplianceDeletionsResponse(
        compliance_deletion_statuses=[compliance_deletion_object(step, subdomain(tx)) for step in steps], **around
    )
