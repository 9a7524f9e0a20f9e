"""API operations for content tags."""

from __future__ import annotations

from typing import Annotated

from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import required
from diorama.apps.zendesk.rules import content_tags
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.schema.content_tags import ContentTag
from diorama.apps.zendesk.wire.content_tags import (
    ContentTagRequest,
    ContentTagResponse,
    ContentTagsResponse,
    content_tag_object,
)
from diorama.kernel import Tx
from diorama.kit import Query

ROOT = "/api/v2/guide/content_tags"


@APP.get(ROOT, role="user")
def search_content_tags(
    tx: Tx, page: Page, prefix: Annotated[str, Query("filter[name_prefix]")] = ""
) -> ContentTagsResponse:
    """List content tags, or those whose names start with a prefix, page by page with cursors."""
    where, args = ("substr(lower(name), 1, ?) = ?", (len(prefix), prefix.lower())) if prefix else ("", ())
    found, around = page_of(tx, page.with_cursor(), ContentTag, where, args, orders={"id": "id", "name": "name"})
    return ContentTagsResponse(records=[content_tag_object(one) for one in found], **around)


@APP.get(f"{ROOT}/{{content_tag_id}}", role="user")
def show_content_tag(tx: Tx, content_tag_id: str) -> ContentTagResponse:
    """Show a content tag."""
    return ContentTagResponse(content_tag_object(tx.get(ContentTag, content_tag_id)))


@APP.post(ROOT, role="agent", status=201)
def create_content_tag(tx: Tx, body: ContentTagRequest) -> ContentTagResponse:
    """Create a content tag."""
    return ContentTagResponse(content_tag_object(content_tags.add(tx, required(body.content_tag, "content_tag").name)))


@APP.put(f"{ROOT}/{{content_tag_id}}", role="admin")
def update_content_tag(tx: Tx, content_tag_id: str, body: ContentTagRequest) -> ContentTagResponse:
    """Rename a content tag."""
    tag, asked = tx.get(ContentTag, content_tag_id), required(body.content_tag, "content_tag")
    return ContentTagResponse(content_tag_object(content_tags.rename(tx, tag, asked.name)))


@APP.delete(f"{ROOT}/{{content_tag_id}}", role="admin")
def delete_content_tag(tx: Tx, content_tag_id: str) -> None:
    """Delete a content tag."""
    content_tags.delete(tx, tx.get(ContentTag, content_tag_id))
