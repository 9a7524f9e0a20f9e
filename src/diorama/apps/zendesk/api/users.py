"""Users on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.job_statuses import change_of, enqueue_change, enqueue_job
from diorama.apps.zendesk.api.pagination import (
    MOST,
    Page,
    count_records,
    get_many,
    given_fields,
    ids_of,
    page_of,
    parts_of,
    single_page,
)
from diorama.apps.zendesk.api.request_parts import Me, or_not_found, required, required_list, set_location
from diorama.apps.zendesk.api.user_sideloads import user_sideloads
from diorama.apps.zendesk.rules import agent_seats, deleted_users, organizations, photos, search, user_identities
from diorama.apps.zendesk.rules import users as user_rules
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Group, Organization, OrganizationSubscription, Ticket, User
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.users import (
    UserInput,
    UserRelated,
    UserRelatedResponse,
    UserRequest,
    UserResponse,
    UsersRequest,
    UsersResponse,
    user_object,
)
from diorama.kernel import Tx
from diorama.kit import Query

FIELDS = (
    "name", "email", "role", "organization_id", "default_group_id", "phone", "external_id", "alias", "time_zone",
    "locale", "tags", "details", "notes", "signature", "verified", "suspended", "moderator", "only_private_comments",
    "ticket_restriction", "custom_role_id", "user_fields",
)  # fmt: skip
ORDERS = {"id": "id", "name": "name", "created_at": "created_at", "updated_at": "updated_at"}


def _page(tx: Tx, me: User, page: Page, where: str, args: Sequence[Any], include: str | None = None) -> UsersResponse:
    users, around = page_of(tx, page, User, where, args, orders=ORDERS)
    shapes = [user_object(user) for user in users]
    return UsersResponse(users=shapes, **around, **user_sideloads(tx, me, include, users))


def _roles(role: str | None, roles: list[str] | None) -> tuple[str, tuple[str, ...]]:
    wanted = tuple(roles or ((role,) if role else ()))
    if not wanted:
        return "active = 1", ()
    return f"active = 1 AND role IN ({', '.join('?' * len(wanted))})", wanted


@APP.get("/api/v2/users", role="agent")
def list_users(
    tx: Tx,
    me: Me,
    page: Page,
    role: str | None = None,
    roles: Annotated[list[str] | None, Query("role[]")] = None,
    external_id: str | None = None,
    include: str | None = None,
) -> UsersResponse:
    """List users."""
    where, args = _roles(role, roles)
    if external_id is not None:
        where, args = f"{where} AND external_id = ?", (*args, external_id)
    return _page(tx, me, page, where, args, include)


@APP.get("/api/v2/groups/{group_id}/users", role="agent")
def list_group_users(tx: Tx, me: Me, group_id: int, page: Page, include: str | None = None) -> UsersResponse:
    """List the agents of a group."""
    where = "active = 1 AND id IN (SELECT user_id FROM zendesk_group_memberships WHERE group_id = ?)"
    return _page(tx, me, page, where, (tx.get(Group, group_id).id,), include)


@APP.get("/api/v2/organizations/{organization_id}/users", role="agent")
def list_organization_users(
    tx: Tx, me: Me, organization_id: int, page: Page, role: str | None = None, include: str | None = None
) -> UsersResponse:
    """List the users of an organization."""
    where, args = _roles(role, None)
    inside = "id IN (SELECT user_id FROM zendesk_organization_memberships WHERE organization_id = ?)"
    return _page(tx, me, page, f"{where} AND {inside}", (*args, tx.get(Organization, organization_id).id), include)


@APP.get("/api/v2/users/count", role="agent")
def count_users(tx: Tx, role: str | None = None) -> CountResponse:
    """Count users."""
    where, args = _roles(role, None)
    return count_records(tx, User, where, *args)


@APP.get("/api/v2/users/me", role="user")
def show_current_user(tx: Tx, me: Me, include: str | None = None) -> UserResponse:
    """Show the caller."""
    shape = user_object(me, authenticity_token=tx.dice("authenticity", me.id, tx.now_us).hex(40))
    return UserResponse(user=shape, **user_sideloads(tx, me, include, (me,)))


@APP.post("/api/v2/users/request_create", role="agent")
def request_user_create(tx: Tx, me: Me, body: UserRequest) -> str:
    """Ask the account owner for another agent seat, by mail; the request is logged."""
    if body.user is UNSET:
        raise refusals.parameter_missing("user")
    name, email = (given_fields(body.user, "name", "email").get(part) or "" for part in ("name", "email"))
    if not name.strip():
        raise refusals.blank("name", "Name")
    agent_seats.ask_for_agent(tx, me, name, email)
    return ""


@APP.get("/api/v2/users/show_many", role="agent")
def show_many_users(
    tx: Tx, me: Me, ids: str | None = None, external_ids: str | None = None, include: str | None = None
) -> UsersResponse:
    """Show up to a hundred users by id or external id."""
    if ids is None and external_ids:
        names = parts_of(external_ids)
        if len(names) > MOST:
            raise refusals.too_many()
        users = tx.all(User, f"external_id IN ({', '.join('?' * len(names))})", *names)
    else:
        users = get_many(tx, User, ids_of(ids))
    shapes = [user_object(user) for user in users]
    return UsersResponse(users=shapes, **single_page(shapes), **user_sideloads(tx, me, include, users))


@APP.get("/api/v2/users/search", role="agent")
def search_users(
    tx: Tx,
    me: Me,
    page: Page,
    query: str | None = None,
    external_id: str | None = None,
    include: str | None = None,
) -> UsersResponse:
    """Find users by name, address or any of their fields."""
    if external_id is not None:
        return _page(tx, me, page, "active = 1 AND external_id = ?", (external_id,), include)
    found = search.understand(tx, me, query or "", ("user",), order_by="name", order="asc")
    pairs, count = found.fetch(tx, page.offset.size, page.offset.skip)
    users = [user for _, user in pairs]
    shapes = [user_object(user) for user in users]
    return UsersResponse(users=shapes, **page.around(count), **user_sideloads(tx, me, include, users))


@APP.get("/api/v2/users/autocomplete", role="agent")
def autocomplete_users(tx: Tx, me: Me, page: Page, name: str = "", phone: str | None = None) -> UsersResponse:
    """Search users by the start of their name, address or phone number."""
    text = name or phone or ""
    if len(text) < 2:
        return UsersResponse(users=[], **single_page(()))
    found = search.understand(tx, me, " ".join(f"{part}*" for part in text.split()), ("user",), "name", "asc")
    users, count = found.fetch(tx, page.offset.size, page.offset.skip)
    return UsersResponse(users=[user_object(user) for _, user in users], **page.around(count))


@APP.get("/api/v2/users/{user_id}", role="user")
def show_user(tx: Tx, me: Me, user_id: int, include: str | None = None) -> UserResponse:
    """Show a user; end users may see only themselves."""
    if not me.staff and me.id != user_id:
        raise refusals.forbidden()
    user = tx.get(User, user_id)
    erased = UNSET if user.active else deleted_users.is_erased(tx, user)
    return UserResponse(user=user_object(user, permanently_deleted=erased), **user_sideloads(tx, me, include, (user,)))


@APP.get("/api/v2/users/{user_id}/related", role="agent")
def show_user_related(tx: Tx, user_id: int) -> UserRelatedResponse:
    """Count a user's tickets and organization subscriptions."""
    user = tx.get(User, user_id)
    copied = "EXISTS (SELECT 1 FROM json_each(email_cc_ids) c WHERE c.value = ?) AND deleted_at IS NULL"
    return UserRelatedResponse(
        UserRelated(
            assigned_tickets=tx.count(Ticket, "assignee_id = ? AND deleted_at IS NULL", user.id),
            requested_tickets=tx.count(Ticket, "requester_id = ? AND deleted_at IS NULL", user.id),
            ccd_tickets=tx.count(Ticket, copied, user.id),
            organization_subscriptions=tx.count(OrganizationSubscription, "user_id = ?", user.id),
        )
    )


def _fields(tx: Tx, body: UserInput) -> dict[str, Any]:
    fields = given_fields(body, *FIELDS)
    if body.organization is not UNSET and body.organization.name and "organization_id" not in fields:
        company = tx.first(Organization, "name = ? COLLATE NOCASE", body.organization.name)
        fields["organization_id"] = (company or organizations.add_organization(tx, name=body.organization.name)).id
    if body.remote_photo_url is not UNSET:
        fields["remote_photo_url"] = body.remote_photo_url
        fields["photo"] = photos.fetch_photo(tx, body.remote_photo_url)
    return fields


def make(tx: Tx, body: UserInput, me: User) -> User:
    """Create the user that a body describes."""
    user_rules.check_may_write(me, None, body.role)
    fields = _fields(tx, body)
    addresses = list(body.identities or ())
    if "email" not in fields:
        primary = next((one for one in addresses if one.type == "email"), None)
        if primary is not None:
            fields["email"] = primary.value
            addresses.remove(primary)
    user = user_rules.add_user(tx, name=fields.pop("name", None) or "", **fields)
    for one in addresses:
        user_identities.claim_identity(tx, user, one.value, type=one.type, verified=one.verified is True)
    return tx.get(User, user.id)


def _known(tx: Tx, body: UserInput) -> User | None:
    if isinstance(body.external_id, str):
        found = tx.first(User, "external_id = ? AND active = 1", body.external_id)
        if found is not None:
            return found
    return by_email(tx, body.email) if isinstance(body.email, str) else None


@APP.post("/api/v2/users", role="agent", status=201)
def create_user(tx: Tx, me: Me, body: UserRequest) -> UserResponse:
    """Create a user."""
    user = make(tx, required(body.user, "user"), me)
    set_location(tx, f"users/{user.id}")
    return UserResponse(user=user_object(user))


@APP.post("/api/v2/users/create_or_update", role="agent")
def create_or_update_user(tx: Tx, me: Me, body: UserRequest) -> UserResponse:
    """Create a user, or update the one with the same address or external id."""
    asked = required(body.user, "user")
    known = _known(tx, asked)
    if known is None:
        return UserResponse(user=user_object(make(tx, asked, me)))
    user_rules.check_may_write(me, known, asked.role)
    return UserResponse(user=user_object(user_rules.change_user(tx, known, _fields(tx, asked))))


@APP.put("/api/v2/users/{user_id}", role="user")
def update_user(tx: Tx, me: Me, user_id: int, body: UserRequest) -> UserResponse:
    """Update a user."""
    asked = required(body.user, "user")
    user = tx.get(User, user_id)
    user_rules.check_may_write(me, user, asked.role)
    return UserResponse(user=user_object(user_rules.change_user(tx, user, _fields(tx, asked))))


@APP.delete("/api/v2/users/{user_id}", role="agent")
def delete_user(tx: Tx, me: Me, user_id: int) -> UserResponse:
    """Delete a user."""
    user = tx.get(User, user_id)
    if me.role != "admin" or user.id == me.id:
        raise refusals.forbidden()
    return UserResponse(user=user_object(user_rules.delete_user(tx, user)))


@APP.post("/api/v2/users/create_many", role="agent")
def create_many_users(tx: Tx, me: Me, body: UsersRequest) -> JobStatusResponse:
    """Create up to a hundred users in the background."""
    return enqueue_job(tx, me, "Bulk Create User", required_list(body.users, "users"))


@APP.post("/api/v2/users/create_or_update_many", role="agent")
def create_or_update_many_users(tx: Tx, me: Me, body: UsersRequest) -> JobStatusResponse:
    """Create or update up to a hundred users in the background."""
    return enqueue_job(tx, me, "Bulk Upsert User", required_list(body.users, "users"))


@APP.put("/api/v2/users/update_many", role="agent")
def update_many_users(tx: Tx, me: Me, body: UsersRequest, ids: str | None = None) -> JobStatusResponse:
    """Update up to a hundred users in the background, with one change for all or one for each."""
    if body.users is not UNSET:
        return enqueue_job(tx, me, "Bulk Update User", required_list(body.users, "users"))
    return enqueue_change(tx, me, "Bulk Update User", required(body.user, "user"), ids)


@APP.delete("/api/v2/users/destroy_many", role="admin")
def destroy_many_users(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Delete up to a hundred users in the background."""
    return enqueue_job(tx, me, "Bulk Delete User", ids_of(ids))


def _read(item: Any) -> UserInput:
    return msgspec.convert(item, UserInput, strict=False)


@JOBS.worker("Bulk Create User", "Creating user")
def create_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one user of a bulk job."""
    user = make(tx, _read(item), tx.get(User, job.shared["user_id"]))
    return {"id": user.id, "status": "Created"}


@JOBS.worker("Bulk Upsert User", "Creating user")
def upsert_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one user of a bulk job."""
    body, me = _read(item), tx.get(User, job.shared["user_id"])
    known = _known(tx, body)
    if known is None:
        return {"id": make(tx, body, me).id, "status": "Created"}
    user_rules.check_may_write(me, known, body.role)
    return {"id": user_rules.change_user(tx, known, _fields(tx, body)).id, "status": "Updated"}


@JOBS.worker("Bulk Update User", "Updating user")
def update_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one user of a bulk job."""
    body, me = _read(change_of(job, item)), tx.get(User, job.shared["user_id"])
    user = tx.get(User, body.id) if isinstance(body.id, int) else or_not_found(_known(tx, body))
    user_rules.check_may_write(me, user, body.role)
    user_rules.change_user(tx, user, _fields(tx, body))
    return {"id": user.id, "action": "update", "status": "Updated", "success": True}


@JOBS.worker("Bulk Delete User", "Deleting user")
def delete_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one user of a bulk job."""
    user_rules.delete_user(tx, tx.get(User, int(item)))
    return {"id": int(item), "action": "delete", "status": "Deleted", "success": True}
