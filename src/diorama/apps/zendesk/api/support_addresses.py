"""Support addresses on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.brands import brand_of
from diorama.apps.zendesk.api.pagination import given_fields
from diorama.apps.zendesk.api.request_parts import PLAIN, Me
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.user_identities import valid_email
from diorama.apps.zendesk.schema import APP, BRAND_ID, SupportAddress, User
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


def _alone(tx: Tx, address: SupportAddress) -> None:
    """One address of the account is the default."""
    for other in tx.all(SupportAddress, '"default" = 1 AND id <> ?', address.id):
        tx.change(other, default=False)


def _create(tx: Tx, me: User, asked: SupportAddressInput) -> SupportAddress:
    """One more address; mail forwarded to it still has to be proven."""
    fields, moment = {"name": "", **given_fields(asked, "name", "brand_id", "default")}, now(tx)
    email = asked.email.strip().lower() if asked.email is not UNSET else ""
    if not valid_email(email):
        raise refusals.invalid("email", f"Email: {email} is not properly formatted", "InvalidFormat")
    if tx.count(SupportAddress, "email = ?", email):
        raise refusals.invalid("email", f"Email: {email} has already been taken", "DuplicateValue")
    brand = brand_of(tx, fields.pop("brand_id", BRAND_ID))
    inside = email.endswith(".zendesk.com")
    made = SupportAddress(
        email=email,
        brand_id=brand.id,
        forwarding_status="verified" if inside else "unknown",
        spf_status="verified" if inside else "unknown",
        domain_verification_code=tx.dice("domain", email).hex(16),
        created_at=moment,
        updated_at=moment,
        **fields,
    )
    address = audit_logs.add(tx, me, made)
    if address.default:
        _alone(tx, address)
    return address


def _change(tx: Tx, me: User, address: SupportAddress, asked: SupportAddressInput) -> SupportAddress:
    """Update an address; the mailbox itself stays."""
    fields = given_fields(asked, "name", "brand_id", "default")
    if "brand_id" in fields:
        fields["brand_id"] = brand_of(tx, fields["brand_id"]).id
    address = audit_logs.change(tx, me, address, fields)
    if fields.get("default"):
        _alone(tx, address)
    return address


def _remove(tx: Tx, me: User, address: SupportAddress) -> None:
    """Delete an address."""
    if address.default:
        raise refusals.invalid("base", "The default support address cannot be deleted", "InvalidValue")
    audit_logs.remove(tx, me, address)


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
    remove=_remove,
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


_PROOFS = {"forwarding": "forwarding_status", "spf": "spf_status", "dns": "cname_status"}


@APP.put("/api/v2/recipient_addresses/{support_address_id}/verify", role="admin")
def verify_support_address_forwarding(tx: Tx, me: Me, support_address_id: int, body: VerifyRequest) -> str:
    """Ask the product to prove that mail reaches an address."""
    address = tx.get(SupportAddress, support_address_id)
    kind = body.type if body.type is not UNSET else "forwarding"
    if kind not in _PROOFS:
        raise refusals.not_listed("type", "Type", kind)
    fields = {_PROOFS[kind]: "verified"}
    if kind == "dns":
        fields["domain_verification_status"] = "verified"
    audit_logs.change(tx, me, address, fields)
    return ""
