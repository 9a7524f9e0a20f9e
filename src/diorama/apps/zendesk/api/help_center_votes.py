"""Votes on Help Center articles and comments on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.help_center import ROOT, everywhere, guide_page
from diorama.apps.zendesk.api.help_center_comments import comment_of
from diorama.apps.zendesk.api.pagination import Page
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.help_center import Vote
from diorama.apps.zendesk.wire.help_center import VoteResponse, VotesResponse, vote_object
from diorama.kernel import Tx


def _votes(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> VotesResponse:
    found, around = guide_page(tx, page, Vote, where, args, "id")
    return VotesResponse(votes=[vote_object(one) for one in found], **around)


@everywhere("GET", "articles/{article_id}/votes", role="agent")
def list_article_votes(tx: Tx, me: Me, article_id: int, page: Page, locale: str | None = None) -> VotesResponse:
    """Who was helped by an article, and who was not."""
    article = help_center.article_for(tx, article_id, me, locale)
    return _votes(tx, page, "item_type = 'Article' AND item_id = ?", (article.id,))


@APP.get(f"{ROOT}/users/{{user_id}}/votes", role="agent")
def list_user_votes(tx: Tx, user_id: int, page: Page) -> VotesResponse:
    """What somebody voted on."""
    return _votes(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


def _cast(tx: Tx, me: User, vote_id: int) -> Vote:
    found = tx.get(Vote, vote_id)
    if not me.staff and found.user_id != me.id:
        raise refusals.not_found()
    return found


@APP.get(f"{ROOT}/votes/{{vote_id}}", role="user")
def show_vote(tx: Tx, me: Me, vote_id: int) -> VoteResponse:
    """One vote."""
    return VoteResponse(vote_object(_cast(tx, me, vote_id)))


@APP.delete(f"{ROOT}/votes/{{vote_id}}", role="user")
def delete_vote(tx: Tx, me: Me, vote_id: int) -> None:
    """Take a vote back."""
    help_center.remove_vote(tx, _cast(tx, me, vote_id))


@everywhere("POST", "articles/{article_id}/up", role="user")
def vote_article_up(tx: Tx, me: Me, article_id: int, locale: str | None = None) -> VoteResponse:
    """It helped."""
    return VoteResponse(vote_object(help_center.vote(tx, help_center.article_for(tx, article_id, me, locale), me, 1)))


@everywhere("POST", "articles/{article_id}/down", role="user")
def vote_article_down(tx: Tx, me: Me, article_id: int, locale: str | None = None) -> VoteResponse:
    """It did not help."""
    return VoteResponse(vote_object(help_center.vote(tx, help_center.article_for(tx, article_id, me, locale), me, -1)))


@everywhere("POST", "articles/{article_id}/comments/{comment_id}/up", role="user")
def vote_comment_up(tx: Tx, me: Me, article_id: int, comment_id: int, locale: str | None = None) -> VoteResponse:
    """The comment helped."""
    return VoteResponse(vote_object(help_center.vote(tx, comment_of(tx, article_id, comment_id), me, 1)))


@everywhere("POST", "articles/{article_id}/comments/{comment_id}/down", role="user")
def vote_comment_down(tx: Tx, me: Me, article_id: int, comment_id: int, locale: str | None = None) -> VoteResponse:
    """The comment did not help."""
    return VoteResponse(vote_object(help_center.vote(tx, comment_of(tx, article_id, comment_id), me, -1)))
