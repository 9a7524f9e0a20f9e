"""Support addresses on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import given_fields
from diorama.apps.zendesk.api.request_parts import PLAIN, Me
from diorama.apps.zendesk.rules import support_addresses
from diorama.apps.zendesk.schema import APP, SupportAddress, User
from diorama.apps.zendesk.wire.support_addresses import (
    SupportAddressesResponse,
    SupportAddressInput,
    SupportAddressRequest,
    SupportAddressResponse,
    VerifyRequest,
    support_address_object,
)
from diorama.kernel import Tx
from diorama.kit.resource import Resource

_NAMES = ("name", "brand_id", "default")


def _create(tx: Tx, me: User, asked: SupportAddressInput) -> SupportAddress:
    """Create a support address; forwarding to it must still be verified."""
    email = asked.email if asked.email is not UNSET else ""
    return support_addresses.add_address(tx, me, email, given_fields(asked, *_NAMES))


def _change(tx: Tx, me: User, address: SupportAddress, asked: SupportAddressInput) -> SupportAddress:
    """Update a support address; its e-mail address cannot change."""
    return support_addresses.change_address(tx, me, address, given_fields(asked, *_NAMES))


Resource(
    APP,
    PLAIN,
    "/api/v2/recipient_addresses",
    SupportAddress,
    singular="recipient_address",
    plural="recipient_addresses",
    id="support_address_id",
    shape=lambda tx, address: support_address_object(address),
    request=SupportAddressRequest,
    response=SupportAddressResponse,
    responses=SupportAddressesResponse,
    create=_create,
    change=_change,
    remove=support_addresses.delete_address,
    names={
        "list": "list_support_addresses",
        "show": "show_support_address",
        "create": "create_support_address",
        "update": "update_support_address",
    },
    summaries={
        "list": "The addresses that customers write to.",
        "show": "Show an address.",
        "delete": "Delete an address.",
    },
)


@APP.put("/api/v2/recipient_addresses/{support_address_id}/verify", role="admin")
def verify_support_address_forwarding(tx: Tx, me: Me, support_address_id: int, body: VerifyRequest) -> str:
    """Verify that mail reaches a support address."""
    address = tx.get(SupportAddress, support_address_id)
    kind = body.type if body.type is not UNSET else "forwarding"
    support_addresses.verify_address(tx, me, address, kind)
    return ""
