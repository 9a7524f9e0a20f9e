"""The account's audit log: entries are derived from the rows that a transaction changed, so none can be missed.

Like the vendor's log, it records changes by agents and administrators to rules, fields, staff and the rest of the
configuration, suspensions, deletions, and logins. Customers' actions are not logged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from diorama.apps.zendesk import schema as desk
from diorama.apps.zendesk.rules.current_user import SYSTEM, by_email, now
from diorama.apps.zendesk.schema import APP, AuditLog, User
from diorama.apps.zendesk.schema.deleted_tickets import Deletion
from diorama.apps.zendesk.schema.queues import Queue
from diorama.apps.zendesk.schema.skill_based_routing import Skill
from diorama.apps.zendesk.schema.webhooks import Webhook
from diorama.kernel import Change, Record, Tx, table_of

R = TypeVar("R", bound=Record)
WATCHED: dict[type[Record], str] = {
    desk.Trigger: "rule", desk.Automation: "rule", desk.Macro: "rule", desk.View: "rule",
    desk.TriggerCategory: "trigger_category", desk.SlaPolicy: "sla/policy", desk.GroupSlaPolicy: "group_sla/policy",
    desk.Schedule: "schedule", desk.Group: "group", desk.GroupMembership: "membership", desk.User: "user",
    desk.Identity: "user_identity", desk.Password: "user", desk.Organization: "organization",
    desk.CustomRole: "permission_set", desk.AccountSetting: "account_setting", desk.Brand: "brand",
    desk.SupportAddress: "recipient_address", desk.Target: "target",
    desk.SharingAgreement: "sharing_agreement", desk.Workspace: "workspace", desk.DeletionSchedule: "deletion_schedule",
    desk.EssentialsCard: "essentials_card", desk.DynamicItem: "cms/text", desk.DynamicVariant: "cms/variant",
    desk.TicketField: "ticket_field", desk.TicketForm: "ticket_form", desk.CustomStatus: "custom_status",
    desk.FormStatus: "ticket_form_status", desk.UserField: "custom_field/user",
    desk.OrganizationField: "custom_field/organization", desk.CustomObject: "custom_object",
    desk.ObjectField: "custom_object_field", Webhook: "webhook", Queue: "queue", Skill: "routing_attribute",
    Deletion: "ticket", desk.OAuthClient: "oauth_client", desk.ObjectTrigger: "rule",
}  # fmt: skip
"""The logged records, and their source types in the log; `user` and `rule` are confirmed vendor names."""
_RECORDS = {table_of(record).name: record for record in WATCHED}
_RULES: dict[type[Record], str] = {record: record.__name__ for record, kind in WATCHED.items() if kind == "rule"}
_QUIET = frozenset({"updated_at", "created_at", "id", "position", "revision", "updated_by", "runs_at", "failures"})
_SECRET = frozenset(
    {
        "signing_secret",
        "authentication",
        "password",
        "digest",
        "salt",
        "settings",
        "secret",
        "user_token",
        "custom_headers",
    }
)
_OF_PEOPLE = frozenset(
    {
        "role", "custom_role_id", "name", "email", "suspended", "active", "ticket_restriction", "moderator",
        "only_private_comments", "default_group_id",
    }
)  # fmt: skip
"""The logged fields of staff."""
_OF_CUSTOMERS = frozenset({"role", "suspended", "active"})


def address_of(user: User) -> str:
    """Return the IP address of a user's requests; always the same for one user."""
    number = abs(user.id)
    return f"93.{number % 199 + 20}.{number // 7 % 250}.{number // 911 % 250 + 1}"


def kind_of(record: type[Record]) -> str:
    """Return the log's source type of a record."""
    return WATCHED.get(record) or re.sub(r"(?<!^)(?=[A-Z])", "_", record.__name__).lower()


def _label(tx: Tx, record: type[Record], row: Mapping[str, Any]) -> str:
    """Return the display name of a record."""
    kind = _RULES.get(record) or kind_of(record).rpartition("/")[2].replace("_", " ").capitalize()
    if record is desk.GroupMembership:
        rows = tx.rows("SELECT name FROM zendesk_groups WHERE id = ?", row["group_id"])
        return f"Group: {rows[0][0] if rows else row['group_id']}"
    for field in ("title", "name", "agent_label", "placeholder", "email", "value", "section", "key", "object_type"):
        if row.get(field):
            return f"{kind}: {row[field]}"
    return f"{kind}: {row.get('subject') or row['id']}"


def write_entry(tx: Tx, me: User, action: str, source: Record, description: str = "") -> AuditLog:
    """Add a log entry for something that changes no row."""
    return _line(tx, me, action, type(source), msgspec.structs.asdict(source), description)


def _line(tx: Tx, me: User, action: str, record: type[Record], row: Mapping[str, Any], description: str) -> AuditLog:
    number = row.get("user_id") if record in (desk.GroupMembership, desk.Identity, desk.Password) else row["id"]
    return tx.add(
        AuditLog(
            actor_id=me.id,
            actor_name=me.name,
            action=action,
            source_id=number if isinstance(number, int) else 0,
            source_type=kind_of(record),
            source_label=_label(tx, record, row),
            change_description=description,
            ip_address=address_of(me) if me.id > 0 else "",
            created_at=now(tx),
        )
    )


@APP.watch(*WATCHED)
def record_changes(tx: Tx, changes: list[Change]) -> None:
    """Add a log entry for every configuration change made by staff."""
    me = SYSTEM if tx.actor.kind == "system" else by_email(tx, tx.actor.name)
    if me is None or not me.staff:
        return
    for change in changes:
        _tell(tx, me, _RECORDS[change.table], change)


def _tell(tx: Tx, me: User, record: type[Record], change: Change) -> None:
    before, after = change.before or {}, change.after or {}
    row = after if change.op == "insert" else before if change.op == "delete" else _row(tx, record, change.key)
    if record in (desk.User, desk.Identity, desk.Password):
        told = _personal(tx, record, row, before)
        if told is None or (change.op == "update" and told.isdisjoint(after)):
            return
        before, after = _only(before, told), _only(after, told)
    if change.op == "insert":
        gone = record is Deletion
        _line(tx, me, "destroy" if gone else "create", record, row, _first_words(tx, record, row))
    elif change.op == "delete":
        if record is not Deletion:
            _line(tx, me, "destroy", record, row, _first_words(tx, record, row))
    elif _went(before, after):
        _line(tx, me, "destroy", record, row, "")
    else:
        words = [_changed(name, before[name], value) for name, value in after.items() if name not in _QUIET]
        if words:
            _line(tx, me, "update", record, row, "\n".join(words))


def _row(tx: Tx, record: type[Record], key: int | str) -> Mapping[str, Any]:
    return msgspec.structs.asdict(tx.get(record, key))


def _only(cells: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in cells.items() if name in names}


def _personal(tx: Tx, record: type[Record], row: Mapping[str, Any], before: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the fields of a person that are logged; None for new customers and their identities."""
    if record is not desk.User:
        rows = tx.rows("SELECT role FROM zendesk_users WHERE id = ?", row["user_id"])
        return frozenset(row) - {"verified"} if rows and rows[0][0] != "end-user" else None
    if row["role"] != "end-user" or before.get("role", "end-user") != "end-user":
        return _OF_PEOPLE
    return _OF_CUSTOMERS if before else None


def _first_words(tx: Tx, record: type[Record], row: Mapping[str, Any]) -> str:
    """Return the description for a record that was created or deleted."""
    if record is desk.User:
        return f"Role: {row['role']}"
    if record is desk.GroupMembership:
        rows = tx.rows("SELECT name FROM zendesk_users WHERE id = ?", row["user_id"])
        return f"Agent: {rows[0][0] if rows else row['user_id']}"
    return ""


def _went(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Check whether a record was marked as deleted; a deleted user is inactive and has no email."""
    if "active" in after and not after["active"] and "email" in before and after.get("email") is None:
        return True
    return any(after.get(name) and not before.get(name) for name in ("deleted", "is_deleted"))


def _changed(name: str, old: Any, new: Any) -> str:
    words = name.replace("_", " ").capitalize()
    if name in _SECRET:
        return f"{words} changed"
    if name == "active":
        return "Activated" if new else "Deactivated"
    return f"{words} changed from {_short(old)} to {_short(new)}"


def _short(value: Any) -> str:
    text = "not set" if value in (None, "", "[]", "{}") else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


# --- shortcuts for changing the configuration; the log entry is added automatically


def add(tx: Tx, me: User, record: R) -> R:
    """Add a configuration record."""
    return tx.add(record)


def change(tx: Tx, me: User, record: R, fields: Mapping[str, Any]) -> R:
    """Change a configuration record if any value differs."""
    differing = {name: value for name, value in fields.items() if getattr(record, name) != value}
    if not differing:
        return record
    if "updated_at" in record.__struct_fields__:
        differing["updated_at"] = now(tx)
    return tx.change(record, **differing)


def remove(tx: Tx, me: User, record: Record) -> None:
    """Delete a configuration record."""
    tx.remove(record)
