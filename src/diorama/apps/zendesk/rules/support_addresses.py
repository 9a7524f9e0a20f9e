"""Add, change, verify and delete support addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.brands import brand_of
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.user_identities import valid_email
from diorama.apps.zendesk.schema import BRAND_ID, SupportAddress, User
from diorama.kernel import Tx

_PROOFS = {"forwarding": "forwarding_status", "spf": "spf_status", "dns": "cname_status"}


def add_address(tx: Tx, by: User, email: str, asked: Mapping[str, Any]) -> SupportAddress:
    """Add an address; unless it is the vendor's own, forwarding to it has to be verified."""
    fields, moment, email = {"name": "", **asked}, now(tx), email.strip().lower()
    if not valid_email(email):
        raise refusals.invalid("email", f"Email: {email} is not properly formatted", "InvalidFormat")
    if tx.count(SupportAddress, "email = ?", email):
        raise refusals.invalid("email", f"Email: {email} has already been taken", "DuplicateValue")
    brand = brand_of(tx, fields.pop("brand_id", BRAND_ID))
    status = "verified" if email.endswith(".zendesk.com") else "unknown"
    made = SupportAddress(
        email=email,
        brand_id=brand.id,
        forwarding_status=status,
        spf_status=status,
        domain_verification_code=tx.dice("domain", email).hex(16),
        created_at=moment,
        updated_at=moment,
        **fields,
    )
    return _only_default(tx, audit_logs.add(tx, by, made))


def change_address(tx: Tx, by: User, address: SupportAddress, asked: Mapping[str, Any]) -> SupportAddress:
    """Change an address; the mailbox itself stays."""
    fields = dict(asked)
    if "brand_id" in fields:
        fields["brand_id"] = brand_of(tx, fields["brand_id"]).id
    return _only_default(tx, audit_logs.change(tx, by, address, fields))


def delete_address(tx: Tx, by: User, address: SupportAddress) -> None:
    """Delete an address; the default one stays."""
    if address.default:
        raise refusals.invalid("base", "The default support address cannot be deleted", "InvalidValue")
    audit_logs.remove(tx, by, address)


def verify_address(tx: Tx, by: User, address: SupportAddress, kind: str) -> SupportAddress:
    """Verify the forwarding, the SPF record or the DNS records of an address."""
    if kind not in _PROOFS:
        raise refusals.not_listed("type", "Type", kind)
    fields = {_PROOFS[kind]: "verified"}
    if kind == "dns":
        fields["domain_verification_status"] = "verified"
    return audit_logs.change(tx, by, address, fields)


def _only_default(tx: Tx, address: SupportAddress) -> SupportAddress:
    """Make the other addresses no defaults if this one is."""
    if address.default:
        for other in tx.all(SupportAddress, '"default" = 1 AND id <> ?', address.id):
            tx.change(other, default=False)
    return address
