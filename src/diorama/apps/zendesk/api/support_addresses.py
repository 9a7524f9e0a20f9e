"""Support addresses on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.brands import brand_of
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.user_identities import valid_email
from diorama.apps.zendesk.schema import APP, BRAND_ID, SupportAddress
from diorama.apps.zendesk.wire.support_addresses import (
    SupportAddressesResponse,
    SupportAddressRequest,
    SupportAddressResponse,
    VerifyRequest,
    support_address_object,
)
from diorama.kernel import Tx


@APP.get("/api/v2/recipient_addresses", role="agent")
def list_support_addresses(tx: Tx, page: Page) -> SupportAddressesResponse:
    """The addresses that customers write to."""
    found, around = page_of(tx, page, SupportAddress)
    return SupportAddressesResponse(recipient_addresses=[support_address_object(one) for one in found], **around)


@APP.get("/api/v2/recipient_addresses/{support_address_id}", role="agent")
def show_support_address(tx: Tx, support_address_id: int) -> SupportAddressResponse:
    """Show an address."""
    return SupportAddressResponse(support_address_object(tx.get(SupportAddress, support_address_id)))


def _alone(tx: Tx, address: SupportAddress) -> None:
    """One address of the account is the default."""
    for other in tx.all(SupportAddress, '"default" = 1 AND id <> ?', address.id):
        tx.change(other, default=False)


@APP.post("/api/v2/recipient_addresses", role="admin", status=201)
def create_support_address(tx: Tx, me: Me, body: SupportAddressRequest) -> SupportAddressResponse:
    """One more address; mail forwarded to it still has to be proven."""
    asked, moment = required(body.recipient_address, "recipient_address"), now(tx)
    fields = {"name": "", **given_fields(asked, "name", "brand_id", "default")}
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
    set_location(tx, f"recipient_addresses/{address.id}")
    return SupportAddressResponse(support_address_object(address))


@APP.put("/api/v2/recipient_addresses/{support_address_id}", role="admin")
def update_support_address(
    tx: Tx, me: Me, support_address_id: int, body: SupportAddressRequest
) -> SupportAddressResponse:
    """Update an address; the mailbox itself stays."""
    address = tx.get(SupportAddress, support_address_id)
    fields = given_fields(required(body.recipient_address, "recipient_address"), "name", "brand_id", "default")
    if "brand_id" in fields:
        fields["brand_id"] = brand_of(tx, fields["brand_id"]).id
    address = audit_logs.change(tx, me, address, fields)
    if fields.get("default"):
        _alone(tx, address)
    return SupportAddressResponse(support_address_object(address))


@APP.delete("/api/v2/recipient_addresses/{support_address_id}", role="admin")
def delete_recipient_address(tx: Tx, me: Me, support_address_id: int) -> None:
    """Delete an address."""
    address = tx.get(SupportAddress, support_address_id)
    if address.default:
        raise refusals.invalid("base", "The default support address cannot be deleted", "InvalidValue")
    audit_logs.remove(tx, me, address)


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
