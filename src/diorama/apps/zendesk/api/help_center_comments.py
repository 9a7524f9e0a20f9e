"""Comments on Help Center articles on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.help_center import ROOT, acting_user, everywhere, guide_page
from diorama.apps.zendesk.api.pagination import Page
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.help_center import ArticleComment
from diorama.apps.zendesk.wire.help_center import (
    ArticleCommentRequest,
    ArticleCommentResponse,
    ArticleCommentsResponse,
    article_comment_object,
)
from diorama.kernel import Tx
from diorama.kit.sanitizing import linked, sanitized


def _comments(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> ArticleCommentsResponse:
    found, around = guide_page(tx, page, ArticleComment, where, args, "id")
    return ArticleCommentsResponse(comments=[article_comment_object(one) for one in found], **around)


def comment_of(tx: Tx, article_id: int, comment_id: int) -> ArticleComment:
    """Return a comment of an article that the caller may read."""
    help_center.article_for(tx, article_id, help_center.reader(tx))
    return get_owned(tx, ArticleComment, comment_id, article_id=article_id)


@everywhere("GET", "articles/{article_id}/comments", public=True)
def list_article_comments(tx: Tx, article_id: int, page: Page, locale: str | None = None) -> ArticleCommentsResponse:
    """List the comments on an article."""
    article = help_center.article_for(tx, article_id, help_center.reader(tx), locale)
    where = "article_id = ? AND locale = ?" if locale else "article_id = ?"
    return _comments(tx, page, where, [article.id, *([locale] if locale else [])])


@APP.get(f"{ROOT}/users/{{user_id}}/comments", role="user")
def list_user_article_comments(tx: Tx, me: Me, user_id: int, page: Page) -> ArticleCommentsResponse:
    """List the article comments of a user."""
    user = tx.get(User, user_id)
    if not me.staff and me.id != user.id:
        raise refusals.forbidden()
    return _comments(tx, page, "author_id = ?", (user.id,))


@everywhere("POST", "articles/{article_id}/comments", role="user", status=201)
def create_article_comment(
    tx: Tx, me: Me, article_id: int, body: ArticleCommentRequest, locale: str | None = None
) -> ArticleCommentResponse:
    """Add a comment to an article."""
    article = help_center.article_for(tx, article_id, me, locale)
    asked = required(body.comment, "comment")
    author, words = acting_user(tx, me, asked.author_id), linked(sanitized(asked.body))
    made = help_center.comment_on(tx, article, author, words, locale or asked.locale)
    return ArticleCommentResponse(article_comment_object(made))


@everywhere("GET", "articles/{article_id}/comments/{comment_id}", public=True)
def show_article_comment(tx: Tx, article_id: int, comment_id: int, locale: str | None = None) -> ArticleCommentResponse:
    """One comment."""
    return ArticleCommentResponse(article_comment_object(comment_of(tx, article_id, comment_id)))


@everywhere("PUT", "articles/{article_id}/comments/{comment_id}", role="user")
def update_article_comment(
    tx: Tx, me: Me, article_id: int, comment_id: int, body: ArticleCommentRequest, locale: str | None = None
) -> ArticleCommentResponse:
    """Update a comment; end users may update only their own."""
    comment = comment_of(tx, article_id, comment_id)
    words = linked(sanitized(body.comment.body)) if body.comment is not UNSET else ""
    return ArticleCommentResponse(article_comment_object(help_center.change_comment(tx, me, comment, words)))


@everywhere("DELETE", "articles/{article_id}/comments/{comment_id}", role="user")
def delete_article_comment(tx: Tx, me: Me, article_id: int, comment_id: int, locale: str | None = None) -> None:
    """Delete a comment; end users may delete only their own."""
    help_center.delete_comment(tx, me, comment_of(tx, article_id, comment_id))
