"""The account's settings, its audit log, and what concerns its agents, on the wire."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import need, within
from diorama.apps.zendesk.api.listing import Page, counted, many, page_of
from diorama.apps.zendesk.rules import ledger
from diorama.apps.zendesk.rules.acting import admin, agent, agents_only
from diorama.apps.zendesk.schema import APP, BASE, AccountSetting, Activity, AuditLog, Comment, Ticket, User
from diorama.apps.zendesk.wire.account import (
    ActivitiesResponse,
    ActivityObject,
    ActivityResponse,
    AuditLogObject,
    AuditLogResponse,
    AuditLogsResponse,
    SettingsRequest,
    SettingsResponse,
)
from diorama.apps.zendesk.wire.lists import CountResponse
from diorama.apps.zendesk.wire.people import user_object
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.kernel import Tx, to_us
from diorama.kit import Query, parse_iso

RECENT = timedelta(days=30)


# --- settings


def _settings(tx: Tx) -> SettingsResponse:
    return SettingsResponse({one.section: one.values for one in tx.all(AccountSetting, order="id")})


@APP.get("/api/v2/account/settings")
def show_account_settings(tx: Tx) -> SettingsResponse:
    """The account's settings."""
    agents_only(tx)
    return _settings(tx)


@APP.put("/api/v2/account/settings")
def update_account_settings(tx: Tx, body: SettingsRequest) -> SettingsResponse:
    """Change settings; sections and names that there are not are ignored, values keep their kind."""
    me = admin(tx)
    for section, wanted in need(body.settings, "settings").items():
        there = tx.first(AccountSetting, "section = ?", section)
        if there is None or not isinstance(wanted, dict):
            continue
        fields = {name: value for name, value in wanted.items() if name in there.values}
        for name, value in fields.items():
            old = there.values[name]
            if old is not None and value is not None and type(value) is not type(old):
                raise refusals.invalid(f"{section}.{name}", f"{name}: is invalid", "InvalidValue")
        ledger.changed(tx, me, there, {"values": {**there.values, **fields}})
    return _settings(tx)


# --- the audit log

_LABELS = {
    "create": "Created", "update": "Updated", "destroy": "Deleted", "login": "Signed in", "logout": "Signed out",
    "exported": "Exported",
}  # fmt: skip


def _line(log: AuditLog) -> AuditLogObject:
    label = _LABELS.get(log.action, log.action.capitalize())
    return shaped(AuditLogObject, log, f"audit_logs/{log.id}", action_label=label)


def _moments(listed: list[str] | None) -> list[int]:
    try:
        return [to_us(parse_iso(text)) for text in listed or ()]
    except ValueError:
        raise refusals.bad_parameter("filter[created_at]", "must be a time") from None


def _filter(
    source_type: str | None,
    source_id: int | None,
    actor_id: int | None,
    ip_address: str | None,
    action: str | None,
    created_at: list[str] | None,
) -> tuple[str, list[Any]]:
    if source_id is not None and source_type is None:
        raise refusals.parameter_missing("filter[source_type]")
    tests: list[tuple[str, Any]] = [
        (f"{column} = ?", value)
        for column, value in (
            ("source_type", source_type),
            ("source_id", source_id),
            ("actor_id", actor_id),
            ("ip_address", ip_address),
            ("action", action),
        )
        if value is not None
    ]
    tests.extend(zip(("created_at >= ?", "created_at <= ?"), _moments(created_at), strict=False))
    return " AND ".join(text for text, _ in tests), [value for _, value in tests]


SourceType = Annotated[str | None, Query("filter[source_type]")]
SourceId = Annotated[int | None, Query("filter[source_id]")]
ActorId = Annotated[int | None, Query("filter[actor_id]")]
Address = Annotated[str | None, Query("filter[ip_address]")]
Deed = Annotated[str | None, Query("filter[action]")]
Moments = Annotated[list[str] | None, Query("filter[created_at]")]
MomentsToo = Annotated[list[str] | None, Query("filter[created_at][]")]
"""Clients that know lists by brackets send the two moments under this name."""


@APP.get("/api/v2/audit_logs")
def list_audit_logs(
    tx: Tx,
    page: Page,
    source_type: SourceType = None,
    source_id: SourceId = None,
    actor_id: ActorId = None,
    ip_address: Address = None,
    action: Deed = None,
    created_at: Moments = None,
    created_between: MomentsToo = None,
) -> AuditLogsResponse:
    """Who changed the configuration, newest first."""
    admin(tx)
    where, args = _filter(source_type, source_id, actor_id, ip_address, action, created_at or created_between)
    found, around = page_of(tx, page, AuditLog, where, args, orders={"created_at": "created_at"}, default="-created_at")
    return AuditLogsResponse(audit_logs=[_line(log) for log in found], **around)


@APP.get("/api/v2/audit_logs/{audit_log_id}")
def show_audit_log(tx: Tx, audit_log_id: int) -> AuditLogResponse:
    """Show a line of the audit log."""
    admin(tx)
    return AuditLogResponse(_line(tx.get(AuditLog, audit_log_id)))


@APP.post("/api/v2/audit_logs/export", status=202)
def export_audit_logs(
    tx: Tx,
    source_type: SourceType = None,
    source_id: SourceId = None,
    actor_id: ActorId = None,
    ip_address: Address = None,
    action: Deed = None,
    created_at: Moments = None,
    created_between: MomentsToo = None,
) -> str:
    """Ask for the audit log by mail; that is a line in it, too."""
    me = admin(tx)
    where, args = _filter(source_type, source_id, actor_id, ip_address, action, created_at or created_between)
    ledger.note(tx, me, "exported", me, f"Audit log with {tx.count(AuditLog, where, *args)} entries")
    return ""


# --- activities


def _activities(tx: Tx, found: list[Activity]) -> list[ActivityObject]:
    people = {one.id: one for one in many(tx, User, [n for act in found for n in (act.user_id, act.actor_id)])}
    tickets = {one.id: one for one in many(tx, Ticket, [act.ticket_id for act in found])}
    return [_activity(tx, act, people, tickets) for act in found]


def _activity(tx: Tx, act: Activity, people: dict[int, User], tickets: dict[int, Ticket]) -> ActivityObject:
    subject = tickets[act.ticket_id].subject if act.ticket_id in tickets else ""
    ticket = {"ticket": {"id": act.ticket_id, "subject": subject}}
    words = tx.find(Comment, act.comment_id) if act.comment_id else None
    thing: dict[str, Any] = {"comment": {"value": words.body, "public": words.public}} if words else ticket
    shapes = {number: _person(people.get(number), number) for number in (act.user_id, act.actor_id)}
    return shaped(
        ActivityObject,
        act,
        f"activities/{act.id}",
        object=thing,
        target=ticket,
        user=shapes[act.user_id],
        actor=shapes[act.actor_id],
    )


def _person(user: User | None, number: int) -> dict[str, Any]:
    name, email = (user.name, user.email) if user else ("", None)
    return {"id": number, "name": name, "email": email, "url": f"{BASE}/users/{number}.json"}


def _mine(tx: Tx, me: User, since: str | None) -> tuple[str, list[Any]]:
    start: datetime = tx.now - RECENT
    if since:
        try:
            start = max(start, parse_iso(since))
        except ValueError:
            raise refusals.bad_parameter("since", "must be a time") from None
    return "user_id = ? AND created_at >= ?", [me.id, to_us(start)]


@APP.get("/api/v2/activities")
def list_activities(tx: Tx, page: Page, since: str | None = None) -> ActivitiesResponse:
    """What others did to my tickets in the last thirty days."""
    where, args = _mine(tx, agent(tx), since)
    found, around = page_of(tx, page, Activity, where, args, orders={"created_at": "created_at"}, default="-created_at")
    users = [user_object(one) for one in many(tx, User, [act.user_id for act in found])]
    actors = [user_object(one) for one in many(tx, User, [act.actor_id for act in found])]
    return ActivitiesResponse(activities=_activities(tx, found), users=users, actors=actors, **around)


@APP.get("/api/v2/activities/count")
def count_activities(tx: Tx) -> CountResponse:
    """How many there are."""
    where, args = _mine(tx, agent(tx), None)
    return counted(tx, Activity, where, *args)


@APP.get("/api/v2/activities/{activity_id}")
def show_activity(tx: Tx, activity_id: int) -> ActivityResponse:
    """Show one of them."""
    found = within(tx, Activity, activity_id, user_id=agent(tx).id)
    return ActivityResponse(_activities(tx, [found])[0])
