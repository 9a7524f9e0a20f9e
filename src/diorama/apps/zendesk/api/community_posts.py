"""API operations for posts of the community, and votes on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.community_topics import topic_shape
from diorama.apps.zendesk.api.help_center import acting_user, guide_page, page_numbers
from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, page_of, parts_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import community, help_center
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.community import POST_STATUSES, Post, Topic
from diorama.apps.zendesk.schema.help_center import Vote
from diorama.apps.zendesk.wire.community import (
    FoundPostsResponse,
    PostRequest,
    PostResponse,
    PostsResponse,
    post_object,
)
from diorama.apps.zendesk.wire.help_center import VoteResponse, VotesResponse, vote_object
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx

ROOT = "/api/v2/community"
FIELDS = ("title", "details", "topic_id", "closed", "featured", "pinned", "status", "content_tag_ids")
ORDERS = {
    "created_at": "created_at", "edited_at": "updated_at", "updated_at": "updated_at",
    "recent_activity": "updated_at", "votes": "vote_sum", "comments": "comment_count",
}  # fmt: skip


def _beside(tx: Tx, me: User | None, include: str | None, posts: Sequence[Post]) -> dict[str, Any]:
    wanted = set(parts_of(include))
    out: dict[str, Any] = {}
    if "users" in wanted:
        out["users"] = [user_object(one) for one in get_many(tx, User, {post.author_id for post in posts})]
    if "topics" in wanted:
        out["topics"] = [topic_shape(tx, one, me) for one in get_many(tx, Topic, {post.topic_id for post in posts})]
    return out


def _posts(
    tx: Tx, page: Page, where: str, args: Sequence[Any], filter_by: str | None, include: str | None
) -> PostsResponse:
    me = help_center.reader(tx)
    seen, more = community.readable_posts(tx, me)
    parts, values = [where or "1", seen], [*args, *more]
    if filter_by:
        if filter_by not in POST_STATUSES:
            raise refusals.bad_parameter("filter_by", f"must be one of {', '.join(POST_STATUSES)}")
        parts.append("status = ?")
        values.append(filter_by)
    page = msgspec.structs.replace(page, sort_order="desc") if page.sort_by else page
    found, around = page_of(tx, page, Post, " AND ".join(parts), values, orders=ORDERS, default="-created_at")
    locale = help_center.locales(tx)[0]
    shapes = [post_object(one, locale) for one in found]
    return PostsResponse(posts=shapes, **page_numbers(page, around), **_beside(tx, me, include, found))


@APP.get(f"{ROOT}/posts", public=True)
def list_posts(tx: Tx, page: Page, filter_by: str | None = None, include: str | None = None) -> PostsResponse:
    """List the posts that the caller may read, newest first."""
    return _posts(tx, page, "", (), filter_by, include)


@APP.get(f"{ROOT}/topics/{{topic_id}}/posts", public=True)
def list_posts_of_topic(
    tx: Tx, topic_id: int, page: Page, filter_by: str | None = None, include: str | None = None
) -> PostsResponse:
    """List the posts of a topic."""
    topic = community.topic_for(tx, topic_id, help_center.reader(tx))
    return _posts(tx, page, "topic_id = ?", (topic.id,), filter_by, include)


@APP.get(f"{ROOT}/users/{{user_id}}/posts", role="user")
def list_posts_of_user(
    tx: Tx, user_id: int, page: Page, filter_by: str | None = None, include: str | None = None
) -> PostsResponse:
    """List the posts of a user."""
    return _posts(tx, page, "author_id = ?", (tx.get(User, user_id).id,), filter_by, include)


@APP.get(f"{ROOT}/posts/{{post_id}}", public=True)
def show_post(tx: Tx, post_id: int, include: str | None = None) -> PostResponse:
    """Show a post."""
    me = help_center.reader(tx)
    post = community.post_for(tx, post_id, me)
    return PostResponse(post=post_object(post, help_center.locales(tx)[0]), **_beside(tx, me, include, (post,)))


@APP.post(f"{ROOT}/posts", role="user", status=201)
def create_post(tx: Tx, me: Me, body: PostRequest) -> PostResponse:
    """Create a post; only administrators name another author."""
    asked = required(body.post, "post")
    author = acting_user(tx, me, asked.author_id)
    made = community.add_post(tx, me, author, given_fields(asked, *FIELDS))
    set_location(tx, f"community/posts/{made.id}")
    return PostResponse(post=post_object(made, help_center.locales(tx)[0]))


@APP.put(f"{ROOT}/posts/{{post_id}}", role="user")
def update_post(tx: Tx, me: Me, post_id: int, body: PostRequest) -> PostResponse:
    """Update a post; end users may update only their own."""
    post, asked = community.post_for(tx, post_id, me), required(body.post, "post")
    changed = community.change_post(tx, me, post, given_fields(asked, *FIELDS))
    return PostResponse(post=post_object(changed, help_center.locales(tx)[0]))


@APP.delete(f"{ROOT}/posts/{{post_id}}", role="user")
def delete_post(tx: Tx, me: Me, post_id: int) -> None:
    """Delete a post; end users may delete only their own."""
    community.delete_post(tx, me, community.post_for(tx, post_id, me))


@APP.get("/api/v2/help_center/community_posts/search", public=True, seconds=0.6)
def search_posts(tx: Tx, page: Page, query: str = "", topic: int | None = None) -> FoundPostsResponse:
    """Search posts by text, best match first."""
    if not query.strip():
        raise refusals.parameter_missing("query")
    where, args = ("topic_id = ?", (topic,)) if topic is not None else ("", ())
    found = community.search(tx, query, help_center.reader(tx), where, args)
    cut = found[page.offset.skip : page.offset.skip + page.offset.size]
    locale = help_center.locales(tx)[0]
    shapes = [post_object(one, locale, result_type="post") for one in cut]
    return FoundPostsResponse(results=shapes, **page_numbers(page, page.around(len(found))))


# --- votes


@APP.get(f"{ROOT}/posts/{{post_id}}/votes", role="user")
def list_post_votes(tx: Tx, me: Me, post_id: int, page: Page) -> VotesResponse:
    """List the votes on a post; end users see only their own."""
    post = community.post_for(tx, post_id, me)
    where, args = "item_type = 'Post' AND item_id = ?", [post.id]
    if not me.staff:
        where, args = f"{where} AND user_id = ?", [*args, me.id]
    found, around = guide_page(tx, page, Vote, where, args, "id")
    return VotesResponse(votes=[vote_object(one) for one in found], **around)


@APP.post(f"{ROOT}/posts/{{post_id}}/up", role="user")
def vote_post_up(tx: Tx, me: Me, post_id: int) -> VoteResponse:
    """Vote a post up."""
    return VoteResponse(vote_object(help_center.vote(tx, community.post_for(tx, post_id, me), me, 1)))


@APP.post(f"{ROOT}/posts/{{post_id}}/down", role="user")
def vote_post_down(tx: Tx, me: Me, post_id: int) -> VoteResponse:
    """Vote a post down."""
    return VoteResponse(vote_object(help_center.vote(tx, community.post_for(tx, post_id, me), me, -1)))
