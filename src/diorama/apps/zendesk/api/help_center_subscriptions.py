"""Subscriptions to Help Center articles and sections on the wire."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.help_center import acting_user, everywhere, guide_page
from diorama.apps.zendesk.api.pagination import Page
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.help_center import Article, GuideSubscription, Section
from diorama.apps.zendesk.wire.help_center import (
    GuideSubscriptionRequest,
    GuideSubscriptionResponse,
    GuideSubscriptionsResponse,
    guide_subscription_object,
)
from diorama.kernel import Tx


def _follows(tx: Tx, me: User, page: Page, kind: str, number: int) -> GuideSubscriptionsResponse:
    where, args = "content_type = ? AND content_id = ?", [kind, number]
    if not me.staff:
        where, args = f"{where} AND user_id = ?", [*args, me.id]
    found, around = guide_page(tx, page, GuideSubscription, where, args, "id")
    return GuideSubscriptionsResponse(subscriptions=[guide_subscription_object(one) for one in found], **around)


def _follow(tx: Tx, me: User, item: Article | Section, body: GuideSubscriptionRequest) -> GuideSubscriptionResponse:
    asked = required(body.subscription, "subscription")
    user = acting_user(tx, me, asked.user_id)
    locale = asked.source_locale if isinstance(asked.source_locale, str) else asked.locale
    return GuideSubscriptionResponse(
        guide_subscription_object(help_center.follow(tx, item, user, locale, asked.include_comments))
    )


def _followed(tx: Tx, me: User, kind: str, number: int, subscription_id: int) -> GuideSubscription:
    found = tx.get(GuideSubscription, subscription_id)
    if (found.content_type, found.content_id) != (kind, number) or (not me.staff and found.user_id != me.id):
        raise refusals.not_found()
    return found


@everywhere("GET", "articles/{article_id}/subscriptions", role="user")
def list_article_subscriptions(
    tx: Tx, me: Me, article_id: int, page: Page, locale: str | None = None
) -> GuideSubscriptionsResponse:
    """Who follows an article."""
    return _follows(tx, me, page, "Article", help_center.article_for(tx, article_id, me, locale).id)


@everywhere("POST", "articles/{article_id}/subscriptions", role="user", status=201)
def create_article_subscription(
    tx: Tx, me: Me, article_id: int, body: GuideSubscriptionRequest, locale: str | None = None
) -> GuideSubscriptionResponse:
    """Follow an article."""
    return _follow(tx, me, help_center.article_for(tx, article_id, me, locale), body)


@everywhere("GET", "articles/{article_id}/subscriptions/{subscription_id}", role="user")
def show_article_subscription(
    tx: Tx, me: Me, article_id: int, subscription_id: int, locale: str | None = None
) -> GuideSubscriptionResponse:
    """One subscription."""
    found = _followed(tx, me, "Article", article_id, subscription_id)
    return GuideSubscriptionResponse(guide_subscription_object(found))


@everywhere("DELETE", "articles/{article_id}/subscriptions/{subscription_id}", role="user")
def delete_article_subscription(
    tx: Tx, me: Me, article_id: int, subscription_id: int, locale: str | None = None
) -> None:
    """Stop following an article."""
    tx.remove(_followed(tx, me, "Article", article_id, subscription_id))


@everywhere("GET", "sections/{section_id}/subscriptions", role="user")
def list_section_subscriptions(
    tx: Tx, me: Me, section_id: int, page: Page, locale: str | None = None
) -> GuideSubscriptionsResponse:
    """Who follows a section."""
    return _follows(tx, me, page, "Section", tx.get(Section, section_id).id)


@everywhere("POST", "sections/{section_id}/subscriptions", role="user", status=201)
def create_section_subscription(
    tx: Tx, me: Me, section_id: int, body: GuideSubscriptionRequest, locale: str | None = None
) -> GuideSubscriptionResponse:
    """Follow a section."""
    return _follow(tx, me, tx.get(Section, section_id), body)


@everywhere("DELETE", "sections/{section_id}/subscriptions/{subscription_id}", role="user")
def delete_section_subscription(
    tx: Tx, me: Me, section_id: int, subscription_id: int, locale: str | None = None
) -> None:
    """Stop following a section."""
    tx.remove(_followed(tx, me, "Section", section_id, subscription_id))
