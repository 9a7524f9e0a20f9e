"""Organization subscriptions on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Organization, OrganizationSubscription, User
from diorama.apps.zendesk.wire.organization_subscriptions import (
    OrganizationSubscriptionRequest,
    OrganizationSubscriptionResponse,
    OrganizationSubscriptionsResponse,
    organization_subscription_object,
)
from diorama.kernel import Tx


def _subscriptions(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> OrganizationSubscriptionsResponse:
    found, around = page_of(tx, page, OrganizationSubscription, where, args)
    shapes = [organization_subscription_object(one) for one in found]
    return OrganizationSubscriptionsResponse(organization_subscriptions=shapes, **around)


@APP.get("/api/v2/organization_subscriptions", role="user")
def list_organization_subscriptions(tx: Tx, me: Me, page: Page) -> OrganizationSubscriptionsResponse:
    """Who follows which organization; end users see their own."""
    return _subscriptions(tx, page, "" if me.staff else "user_id = ?", () if me.staff else (me.id,))


@APP.get("/api/v2/organizations/{organization_id}/subscriptions", role="agent")
def list_subscriptions_of_organization(tx: Tx, organization_id: int, page: Page) -> OrganizationSubscriptionsResponse:
    """Who follows an organization."""
    return _subscriptions(tx, page, "organization_id = ?", (tx.get(Organization, organization_id).id,))


@APP.get("/api/v2/users/{user_id}/organization_subscriptions", role="agent")
def list_organization_subscriptions_of_user(tx: Tx, user_id: int, page: Page) -> OrganizationSubscriptionsResponse:
    """Which organizations a user follows."""
    return _subscriptions(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


def _seen(tx: Tx, me: User, subscription_id: int) -> OrganizationSubscription:
    found = tx.get(OrganizationSubscription, subscription_id)
    if not me.staff and found.user_id != me.id:
        raise refusals.not_found()
    return found


@APP.post("/api/v2/organization_subscriptions", role="user")
def create_organization_subscription(
    tx: Tx, me: Me, body: OrganizationSubscriptionRequest
) -> OrganizationSubscriptionResponse:
    """Follow an organization; end users follow their own, where it shares its tickets."""
    asked = body.organization_subscription
    if asked is UNSET or not isinstance(asked.organization_id, int):
        raise refusals.parameter_missing("organization_subscription")
    company = tx.get(Organization, asked.organization_id)
    user = tx.get(User, asked.user_id) if isinstance(asked.user_id, int) else me
    if not me.staff and (user.id != me.id or me.organization_id != company.id or not company.shared_tickets):
        raise refusals.forbidden()
    known = tx.first(OrganizationSubscription, "user_id = ? AND organization_id = ?", user.id, company.id)
    made = known or tx.add(OrganizationSubscription(user_id=user.id, organization_id=company.id, created_at=now(tx)))
    return OrganizationSubscriptionResponse(organization_subscription_object(made))


@APP.get("/api/v2/organization_subscriptions/{organization_subscription_id}", role="user")
def show_organization_subscription(
    tx: Tx, me: Me, organization_subscription_id: int
) -> OrganizationSubscriptionResponse:
    """One subscription."""
    return OrganizationSubscriptionResponse(
        organization_subscription_object(_seen(tx, me, organization_subscription_id))
    )


@APP.delete("/api/v2/organization_subscriptions/{organization_subscription_id}", role="user")
def delete_organization_subscription(tx: Tx, me: Me, organization_subscription_id: int) -> None:
    """Stop following."""
    tx.remove(_seen(tx, me, organization_subscription_id))
