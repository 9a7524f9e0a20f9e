"""Tags of tickets, users and organizations on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.pagination import Page, page_of_list
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.api.tickets import API
from diorama.apps.zendesk.rules import organizations, users
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.schema import APP, Organization, Ticket, User
from diorama.apps.zendesk.wire.pagination import Count, CountResponse
from diorama.apps.zendesk.wire.tags import (
    AutocompleteTagsResponse,
    TagObject,
    TagsByObjectIdResponse,
    TagsRequest,
    TagsResponse,
)
from diorama.kernel import Tx
from diorama.kernel.functions import weighed_list

LISTED = 20_000
"""The most tags that are listed, as documented."""


def _popular(tx: Tx) -> list[tuple[str, int]]:
    rows = tx.rows(
        f"SELECT j.value, count(*) FROM zendesk_tickets t, json_each({weighed_list('t.tags')}) j "
        "WHERE t.deleted_at IS NULL AND t.tags <> '[]' "
        f"GROUP BY j.value ORDER BY 2 DESC, 1 LIMIT {LISTED}"
    )
    return [(row[0], row[1]) for row in rows]


@APP.get("/api/v2/tags", role="agent")
def list_tags(tx: Tx, page: Page) -> TagsResponse:
    """List the tags in use, most popular first."""
    tags = _popular(tx)
    part, around = page_of_list(page, tags, lambda tag: tag[0])
    return TagsResponse(tags=[TagObject(name, count) for name, count in part], **around)


@APP.get("/api/v2/tags/count", role="agent")
def count_tags(tx: Tx) -> CountResponse:
    """Count the tags in use."""
    return CountResponse(Count(len(_popular(tx)), now(tx)))


@APP.get("/api/v2/autocomplete/tags", role="agent")
def autocomplete_tags(tx: Tx, name: str = "") -> AutocompleteTagsResponse:
    """Search tags by their start."""
    if len(name) < 2:
        return AutocompleteTagsResponse([], 0)
    found = [tag for tag, _ in _popular(tx) if tag.startswith(name.lower())]
    return AutocompleteTagsResponse(found, len(found))


@APP.get("/api/v2/tickets/{ticket_id}/tags", role="agent")
def list_resource_tags(tx: Tx, ticket_id: int) -> TagsByObjectIdResponse:
    """List the tags of a ticket."""
    return TagsByObjectIdResponse(desk.visible_ticket(tx, ticket_id).tags)


def _retag(tx: Tx, me: User, ticket: Ticket, body: TagsRequest, tags: set[str]) -> TagsByObjectIdResponse:
    if body.safe_update:
        desk.check_stamp(ticket, body.updated_stamp)
    done = desk.update(tx, ticket, by=me, fields={"tags": tuple(sorted(tags))}, via=API, form=False)
    return TagsByObjectIdResponse(done.ticket.tags)


@APP.post("/api/v2/tickets/{ticket_id}/tags", role="agent", status=201)
def set_tags_ticket(tx: Tx, me: Me, ticket_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Replace the tags of a ticket."""
    ticket = desk.visible_ticket(tx, ticket_id)
    return _retag(tx, me, ticket, body, set(tidy_tags(body.tags)))


@APP.put("/api/v2/tickets/{ticket_id}/tags", role="agent")
def put_tags_ticket(tx: Tx, me: Me, ticket_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Add tags to a ticket."""
    ticket = desk.visible_ticket(tx, ticket_id)
    return _retag(tx, me, ticket, body, {*ticket.tags, *tidy_tags(body.tags)})


@APP.delete("/api/v2/tickets/{ticket_id}/tags", role="agent")
def delete_tags_ticket(tx: Tx, me: Me, ticket_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Remove tags from a ticket."""
    ticket = desk.visible_ticket(tx, ticket_id)
    return _retag(tx, me, ticket, body, set(ticket.tags) - set(tidy_tags(body.tags)))


def _tag_user(tx: Tx, user: User, tags: set[str]) -> TagsByObjectIdResponse:
    return TagsByObjectIdResponse(users.change_user(tx, user, {"tags": tuple(sorted(tags))}).tags)


@APP.get("/api/v2/users/{user_id}/tags", role="agent")
def list_user_tags(tx: Tx, user_id: int) -> TagsByObjectIdResponse:
    """List the tags of a user, which their new tickets inherit."""
    return TagsByObjectIdResponse(tx.get(User, user_id).tags)


@APP.post("/api/v2/users/{user_id}/tags", role="agent", status=201)
def set_user_tags(tx: Tx, user_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Replace the tags of a user."""
    return _tag_user(tx, tx.get(User, user_id), set(tidy_tags(body.tags)))


@APP.put("/api/v2/users/{user_id}/tags", role="agent")
def add_user_tags(tx: Tx, user_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Add tags to a user."""
    user = tx.get(User, user_id)
    return _tag_user(tx, user, {*user.tags, *tidy_tags(body.tags)})


@APP.delete("/api/v2/users/{user_id}/tags", role="agent")
def remove_user_tags(tx: Tx, user_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Remove tags from a user."""
    user = tx.get(User, user_id)
    return _tag_user(tx, user, set(user.tags) - set(tidy_tags(body.tags)))


def _tag_company(tx: Tx, company: Organization, tags: set[str]) -> TagsByObjectIdResponse:
    return TagsByObjectIdResponse(organizations.change_organization(tx, company, {"tags": tuple(sorted(tags))}).tags)


@APP.get("/api/v2/organizations/{organization_id}/tags", role="agent")
def list_organization_tags(tx: Tx, organization_id: int) -> TagsByObjectIdResponse:
    """List the tags of an organization, which new tickets of its users inherit."""
    return TagsByObjectIdResponse(tx.get(Organization, organization_id).tags)


@APP.post("/api/v2/organizations/{organization_id}/tags", role="admin", status=201)
def set_organization_tags(tx: Tx, organization_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Replace the tags of an organization."""
    return _tag_company(tx, tx.get(Organization, organization_id), set(tidy_tags(body.tags)))


@APP.put("/api/v2/organizations/{organization_id}/tags", role="admin")
def add_organization_tags(tx: Tx, organization_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Add tags to an organization."""
    company = tx.get(Organization, organization_id)
    return _tag_company(tx, company, {*company.tags, *tidy_tags(body.tags)})


@APP.delete("/api/v2/organizations/{organization_id}/tags", role="admin")
def remove_organization_tags(tx: Tx, organization_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Remove tags from an organization."""
    company = tx.get(Organization, organization_id)
    return _tag_company(tx, company, set(company.tags) - set(tidy_tags(body.tags)))
