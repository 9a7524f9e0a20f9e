"""User identities as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Identity
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class IdentityInput(Struct, kw_only=True):
    type: str = "email"
    value: str = ""
    verified: bool | UnsetType = UNSET
    primary: bool | UnsetType = UNSET


class IdentityObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    type: str
    value: str
    verified: bool
    primary: bool
    created_at: datetime
    updated_at: datetime
    undeliverable_count: int | UnsetType = UNSET
    deliverable_state: str | UnsetType = UNSET


def identity_object(identity: Identity) -> IdentityObject:
    """Show an identity of a user."""
    mail = identity.type == "email"
    return shaped(
        IdentityObject,
        identity,
        f"users/{identity.user_id}/identities/{identity.id}",
        undeliverable_count=0 if mail else UNSET,
        deliverable_state=("deliverable" if identity.deliverable else "undeliverable") if mail else UNSET,
    )


class IdentityRequest(Struct):
    identity: IdentityInput | UnsetType = UNSET


class UserIdentityResponse(Struct):
    identity: IdentityObject


class UserIdentitiesResponse(Listing, kw_only=True):
    identities: list[IdentityObject]
