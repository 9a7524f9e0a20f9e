"""Organization subscriptions as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, OrganizationSubscription
from diorama.apps.zendesk.wire.memberships import MembershipInput
from diorama.apps.zendesk.wire.pagination import Listing


class OrganizationSubscriptionObject(Struct):
    url: str
    id: int
    user_id: int
    organization_id: int
    created_at: datetime


def organization_subscription_object(subscription: OrganizationSubscription) -> OrganizationSubscriptionObject:
    """Return the API object of an organization subscription."""
    return OrganizationSubscriptionObject(
        f"{BASE}/organization_subscriptions/{subscription.id}.json",
        subscription.id,
        subscription.user_id,
        subscription.organization_id,
        subscription.created_at,
    )


class OrganizationSubscriptionRequest(Struct):
    organization_subscription: MembershipInput | UnsetType = UNSET


class OrganizationSubscriptionResponse(Struct):
    organization_subscription: OrganizationSubscriptionObject


class OrganizationSubscriptionsResponse(Listing, kw_only=True):
    organization_subscriptions: list[OrganizationSubscriptionObject]
