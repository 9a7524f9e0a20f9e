"""The account's audit log: every change of the configuration leaves a line, and so does a login."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from diorama.apps.zendesk.rules.acting import now
from diorama.apps.zendesk.schema import AuditLog, User
from diorama.kernel import Record, Tx

R = TypeVar("R", bound=Record)

_KINDS = {
    "CustomStatus": "custom_status", "FormStatus": "ticket_form_status", "DynamicItem": "cms/text",
    "DynamicVariant": "cms/variant", "SupportAddress": "recipient_address", "CustomRole": "permission_set",
    "UserField": "custom_field/user", "OrganizationField": "custom_field/organization", "Trigger": "rule",
    "Macro": "rule", "View": "rule", "Automation": "rule", "AccountSetting": "account_setting",
    "ObjectField": "custom_object_field", "ObjectRecord": "custom_object_record",
}  # fmt: skip
_QUIET = frozenset({"updated_at", "created_at", "id", "position"})


def address_of(user: User) -> str:
    """Where somebody's requests come from: the same person comes from the same place."""
    number = abs(user.id)
    return f"93.{number % 199 + 20}.{number // 7 % 250}.{number // 911 % 250 + 1}"


def kind_of(record: Record) -> str:
    """What the log calls a thing."""
    name = type(record).__name__
    return _KINDS.get(name) or re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def label_of(record: Record) -> str:
    """The name by which people know a thing."""
    for field in ("title", "name", "agent_label", "placeholder", "email", "section", "key", "object_type"):
        found = getattr(record, field, None)
        if found:
            kind = kind_of(record).rpartition("/")[2].replace("_", " ").capitalize()
            return f"{kind}: {found}"
    return f"{kind_of(record)} {record.id}"


def note(tx: Tx, me: User, action: str, record: Record, description: str = "") -> AuditLog:
    """One line of the log."""
    return tx.add(
        AuditLog(
            actor_id=me.id,
            actor_name=me.name,
            action=action,
            source_id=record.id if isinstance(record.id, int) else 0,
            source_type=kind_of(record),
            source_label=label_of(record),
            change_description=description,
            ip_address=address_of(me),
            created_at=now(tx),
        )
    )


def added(tx: Tx, me: User, record: R) -> R:
    """A new piece of the configuration."""
    made = tx.add(record)
    note(tx, me, "create", made)
    return made


def changed(tx: Tx, me: User, record: R, fields: Mapping[str, Any]) -> R:
    """A piece of the configuration changes, where anything differs."""
    differing = {name: value for name, value in fields.items() if getattr(record, name) != value}
    if not differing:
        return record
    told = [
        f"{name.replace('_', ' ').capitalize()} changed from {_short(getattr(record, name))} to {_short(value)}"
        for name, value in differing.items()
        if name not in _QUIET
    ]
    if "updated_at" in record.__struct_fields__:
        differing["updated_at"] = now(tx)
    made = tx.change(record, **differing)
    note(tx, me, "update", made, "\n".join(told))
    return made


def removed(tx: Tx, me: User, record: Record) -> None:
    """A piece of the configuration goes."""
    note(tx, me, "destroy", record)
    tx.remove(record)


def _short(value: Any) -> str:
    text = "not set" if value in (None, "", ()) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
