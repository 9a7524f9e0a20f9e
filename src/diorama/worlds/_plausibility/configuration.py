"""Rules about the desk's configuration: it grew over years, by people, and the audit log tells of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from diorama.kernel import from_us
from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import ZENDESK, at, rule

TABLES = {
    "zendesk_macros": "rule",
    "zendesk_triggers": "rule",
    "zendesk_automations": "rule",
    "zendesk_views": "rule",
    "zendesk_ticket_fields": "ticket_field",
    "zendesk_ticket_forms": "ticket_form",
    "zendesk_groups": "group",
    "zendesk_sla_policies": "sla/policy",
    "zendesk_group_sla_policies": "group_sla/policy",
    "zendesk_schedules": "schedule",
    "zendesk_user_fields": "custom_field/user",
    "zendesk_organization_fields": "custom_field/organization",
    "zendesk_custom_statuses": "custom_status",
    "zendesk_dynamic_items": "cms/text",
    "zendesk_queues": "queue",
}
"""Tables that people configure, and their source types in the audit log."""
STANDARD = 0.6
"""The share of all rows that may come from the first minutes of an account."""
SEVERAL = 5
NEW = timedelta(days=7)
"""An account that was opened this recently has no history of its configuration yet."""


def _rows(records: Records) -> Iterator[tuple[str, int | str, int]]:
    for table in TABLES:
        for number, created in records.tx.rows(f"SELECT id, created_at FROM {table} ORDER BY id"):
            yield table, number, created


def _new(rows: list[tuple[str, int | str, int]], records: Records) -> bool:
    return all(from_us(created) > records.now - NEW for _, _, created in rows)


@rule(ZENDESK)
def configuration_grew_over_time(records: Records) -> Iterator[str]:
    """Configuration was added on many days: not all of a table in one second, and not most of it on the first day."""
    rows = list(_rows(records))
    if _new(rows, records):
        return
    for table in TABLES:
        mine = Counter(created // 1_000_000 for name, _, created in rows if name == table)
        if sum(mine.values()) >= SEVERAL:
            most = max(mine.values())
            yield f"{table}: {most} of {sum(mine.values())} rows in one second" if 2 * most > sum(mine.values()) else ""
    days = Counter(from_us(created).date() for _, _, created in rows)
    if rows:
        day, most = days.most_common(1)[0]
        yield f"{most} of {len(rows)} rows of configuration are of {day}" if most > STANDARD * len(rows) else ""
        yield f"configuration was changed on {len(days)} days only" if len(days) < SEVERAL else ""


@rule(ZENDESK)
def the_audit_log_tells_the_configuration(records: Records) -> Iterator[str]:
    """The audit log is not empty and has every row that was configured after the account's first day."""
    asked = "SELECT source_type, source_id, actor_id, created_at, action FROM zendesk_audit_logs"
    logged = {
        (kind, number, moment // 1_000_000): actor for kind, number, actor, moment, action in records.tx.rows(asked)
    }
    rows = list(_rows(records))
    if _new(rows, records):
        return
    yield "" if logged else "the audit log is empty"
    first = from_us(min(created for _, _, created in rows)).date() if rows else None
    for table, number, created in rows:
        if from_us(created).date() == first:
            continue
        named = number if isinstance(number, int) else 0  # the log has no other ids
        actor = logged.get((TABLES[table], named, created // 1_000_000))
        yield f"{table} {number} of {at(from_us(created))} is not in the audit log" if actor is None else ""


@rule(ZENDESK)
def the_audit_log_is_by_people_of_the_day(records: Records) -> Iterator[str]:
    """Who changed the configuration was an administrator who worked there by then, and the addresses are theirs."""
    asked = "SELECT id, actor_id, actor_name, created_at, ip_address FROM zendesk_audit_logs ORDER BY id"
    for number, actor, name, moment, address in records.tx.rows(asked):
        user = records.users.get(actor)
        wrong = user is None or not user.staff or user.created_at > from_us(moment) or user.name != name or not address
        yield f"entry {number} of {at(from_us(moment))} is by {name!r}" if wrong else ""


@rule(ZENDESK)
def staff_use_what_exists(records: Records) -> Iterator[str]:
    """A macro or trigger that is named in a ticket's audits existed by then."""
    made = {
        title: created
        for table in ("zendesk_macros", "zendesk_triggers", "zendesk_automations")
        for title, created in records.tx.rows(f"SELECT title, created_at FROM {table}")
    }
    for audits in records.audits.values():
        for audit in audits:
            for event in audit.events:
                title = event.macro_title if isinstance(event.macro_title, str) else None
                if title is not None:
                    late = title not in made or from_us(made[title]) > audit.created_at
                    yield f"audit {audit.id} of {at(audit.created_at)} uses the macro {title!r}" if late else ""
