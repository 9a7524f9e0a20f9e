"""API operations for comments on posts of the community, and votes on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.community_posts import ROOT
from diorama.apps.zendesk.api.help_center import acting_user, guide_page
from diorama.apps.zendesk.api.pagination import Page, given_fields
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, set_location
from diorama.apps.zendesk.rules import community, help_center
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.community import PostComment
from diorama.apps.zendesk.schema.help_center import Vote
from diorama.apps.zendesk.wire.community import (
    PostCommentRequest,
    PostCommentResponse,
    PostCommentsResponse,
    post_comment_object,
)
from diorama.apps.zendesk.wire.help_center import VoteResponse, VotesResponse, vote_object
from diorama.kernel import Tx

ONE = f"{ROOT}/posts/{{post_id}}/comments/{{comment_id}}"


def _shape(tx: Tx, comment: PostComment) -> PostCommentResponse:
    return PostCommentResponse(post_comment_object(comment, help_center.locales(tx)[0]))


def _comments(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> PostCommentsResponse:
    found, around = guide_page(tx, page, PostComment, where, args, "id")
    locale = help_center.locales(tx)[0]
    return PostCommentsResponse(comments=[post_comment_object(one, locale) for one in found], **around)


def _comment(tx: Tx, post_id: int, comment_id: int) -> PostComment:
    """Return a comment of a post that the caller may read."""
    community.post_for(tx, post_id, help_center.reader(tx))
    return get_owned(tx, PostComment, comment_id, post_id=post_id)


@APP.get(f"{ROOT}/posts/{{post_id}}/comments", public=True)
def list_post_comments(tx: Tx, post_id: int, page: Page) -> PostCommentsResponse:
    """List the comments on a post, oldest first."""
    post = community.post_for(tx, post_id, help_center.reader(tx))
    return _comments(tx, page, "post_id = ?", (post.id,))


@APP.get(f"{ROOT}/users/{{user_id}}/comments", role="user")
def list_post_comments_of_user(tx: Tx, me: Me, user_id: int, page: Page) -> PostCommentsResponse:
    """List the post comments of a user; end users see only their own."""
    user = tx.get(User, user_id)
    if not me.staff and me.id != user.id:
        raise refusals.forbidden()
    return _comments(tx, page, "author_id = ?", (user.id,))


@APP.get(ONE, public=True)
def show_post_comment(tx: Tx, post_id: int, comment_id: int) -> PostCommentResponse:
    """Show a comment on a post."""
    return _shape(tx, _comment(tx, post_id, comment_id))


@APP.post(f"{ROOT}/posts/{{post_id}}/comments", role="user", status=201)
def create_post_comment(tx: Tx, me: Me, post_id: int, body: PostCommentRequest) -> PostCommentResponse:
    """Add a comment to a post."""
    post, asked = community.post_for(tx, post_id, me), required(body.comment, "comment")
    author = acting_user(tx, me, asked.author_id)
    made = community.comment_on(tx, me, author, post, asked.body or "", asked.official is True)
    set_location(tx, f"community/posts/{post.id}/comments/{made.id}")
    return _shape(tx, made)


@APP.put(ONE, role="user")
def update_post_comment(tx: Tx, me: Me, post_id: int, comment_id: int, body: PostCommentRequest) -> PostCommentResponse:
    """Update a comment; end users may update only their own."""
    fields = given_fields(required(body.comment, "comment"), "body", "official")
    return _shape(tx, community.change_comment(tx, me, _comment(tx, post_id, comment_id), fields))


@APP.delete(ONE, role="user")
def delete_post_comment(tx: Tx, me: Me, post_id: int, comment_id: int) -> None:
    """Delete a comment; end users may delete only their own."""
    community.delete_comment(tx, me, _comment(tx, post_id, comment_id))


@APP.get(f"{ONE}/votes", role="user")
def list_post_comment_votes(tx: Tx, me: Me, post_id: int, comment_id: int, page: Page) -> VotesResponse:
    """List the votes on a comment; end users see only their own."""
    where, args = "item_type = 'PostComment' AND item_id = ?", [_comment(tx, post_id, comment_id).id]
    if not me.staff:
        where, args = f"{where} AND user_id = ?", [*args, me.id]
    found, around = guide_page(tx, page, Vote, where, args, "id")
    return VotesResponse(votes=[vote_object(one) for one in found], **around)


@APP.post(f"{ONE}/up", role="user")
def vote_post_comment_up(tx: Tx, me: Me, post_id: int, comment_id: int) -> VoteResponse:
    """Vote a comment up."""
    return VoteResponse(vote_object(help_center.vote(tx, _comment(tx, post_id, comment_id), me, 1)))


@APP.post(f"{ONE}/down", role="user")
def vote_post_comment_down(tx: Tx, me: Me, post_id: int, comment_id: int) -> VoteResponse:
    """Vote a comment down."""
    return VoteResponse(vote_object(help_center.vote(tx, _comment(tx, post_id, comment_id), me, -1)))
