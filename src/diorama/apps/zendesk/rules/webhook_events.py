"""Event webhooks: the events that changed rows mean, for users, organizations, articles and agents' availability.

Events are derived from the rows that a transaction changed, so none can be missed. The types and the properties of
`detail` are the vendor's. Its examples show `current` and `previous`; the other properties of `event` are not verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from diorama.apps.zendesk.rules import webhooks
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.current_user import by_email, now
from diorama.apps.zendesk.schema import (
    APP,
    BRAND_ID,
    Audit,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    Password,
    Ticket,
    TicketCreated,
    TicketUpdated,
    User,
)
from diorama.apps.zendesk.schema.agent_availabilities import PRESENCES, Availability
from diorama.apps.zendesk.schema.help_center import (
    Article,
    ArticleComment,
    GuideSubscription,
    Section,
    Translation,
    Vote,
)
from diorama.kernel import Change, Record, Tx, from_us, table_of
from diorama.kernel.ids import CROCKFORD
from diorama.kit import iso_z

PREFIX = "zen:event-type:"
USER_CHANGES = {
    "active": "active_changed", "alias": "alias_changed", "custom_role_id": "custom_role_changed",
    "default_group_id": "default_group_changed", "details": "details_changed", "external_id": "external_id_changed",
    "last_login_at": "last_login_changed", "name": "name_changed", "notes": "notes_changed",
    "only_private_comments": "only_private_comments_changed", "photo": "photo_changed", "role": "role_changed",
    "suspended": "suspended_changed", "tags": "tags_changed", "time_zone": "time_zone_changed",
    "user_fields": "custom_field_changed",
}  # fmt: skip
ORGANIZATION_CHANGES = {
    "external_id": "external_id_changed", "name": "name_changed", "tags": "tags_changed",
    "organization_fields": "custom_field_changed",
}  # fmt: skip
_USER = (
    *USER_CHANGES.values(), "created", "deleted", "merged", "password_changed", "identity_created",
    "identity_changed", "identity_deleted", "group_membership_created", "group_membership_deleted",
    "organization_membership_created", "organization_membership_deleted",
)  # fmt: skip
_ORGANIZATION = ("created", "deleted", *ORGANIZATION_CHANGES.values())
_ARTICLE = (
    "author_changed", "published", "unpublished", "subscription_created", "vote_created", "vote_changed",
    "vote_removed", "comment_created", "comment_changed", "comment_published", "comment_unpublished",
)  # fmt: skip
_AGENT = (
    "state_changed", "unified_state_changed", "work_item_added", "work_item_updated", "work_item_removed",
    "max_capacity_changed", "channel_created", "channel_deleted", "groups_updated",
)  # fmt: skip
TYPES = tuple(
    f"{PREFIX}{noun}.{name}"
    for noun, names in (("user", _USER), ("organization", _ORGANIZATION), ("article", _ARTICLE), ("agent", _AGENT))
    for name in names
)
webhooks.EVENTS.update(TYPES)
VERSIONS = {"user": "2022-06-20", "organization": "2022-06-20", "article": "2022-11-06", "agent": "2022-11-06"}


class Happened(msgspec.Struct, frozen=True):
    """One event: the noun and the number of its subject, what happened, and the properties."""

    noun: str
    number: int
    name: str
    detail: Mapping[str, Any]
    event: Mapping[str, Any] = {}


# --- sending


def _uuid(tx: Tx, *about: Any) -> str:
    drawn = tx.dice("webhook event", *about, tx.now_us).hex(32)
    return f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-a{drawn[17:20]}-{drawn[20:]}"


def _ulid(tx: Tx, *about: Any) -> str:
    stamp = tx.now_us // 1000
    head = "".join(CROCKFORD[stamp >> shift & 31] for shift in range(45, -1, -5))
    return head + tx.dice("webhook event", *about, tx.now_us).text(16, CROCKFORD)


def send(tx: Tx, happened: Iterable[Happened]) -> None:
    """Call the webhooks that are subscribed to events; the ids are UUIDs or ULIDs, as in the vendor's examples."""
    for place, one in enumerate(happened):
        kind = f"{PREFIX}{one.noun}.{one.name}"
        make = _uuid if one.noun in ("user", "organization") else _ulid
        for webhook in webhooks.listening(tx, kind):
            body = {
                "type": kind,
                "account_id": account_of(tx).number,
                "id": make(tx, webhook.id, kind, one.number, place),
                "time": iso_z(now(tx)),
                "zendesk_event_version": VERSIONS[one.noun],
                "subject": f"zen:{one.noun}:{one.number}",
                "detail": one.detail,
                "event": one.event,
            }
            webhooks.call(tx, webhook, kind, msgspec.json.encode(body).decode())


# --- what changes mean


def _row(tx: Tx, record: type[Record], change: Change) -> dict[str, Any]:
    """Return the whole row of a change as it is now, or as it was if it is gone."""
    if change.op == "delete":
        return {"id": change.key, **(change.before or {})}
    found = tx.find(record, change.key)
    return {} if found is None else msgspec.structs.asdict(found)


def _moment(value: Any) -> str | None:
    return iso_z(from_us(value) if isinstance(value, int) else value)


def _user_detail(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "created_at": _moment(row["created_at"]),
        "email": row.get("email") or "",
        "external_id": row.get("external_id") or "",
        "default_group_id": str(row.get("default_group_id") or 0),
        "id": str(row["id"]),
        "organization_id": str(row.get("organization_id") or 0),
        "role": row["role"],
        "updated_at": _moment(row["updated_at"]),
    }


def _organization_detail(row: Mapping[str, Any]) -> dict[str, Any]:
    more = {name: str(row[name]) for name in ("external_id", "group_id") if row.get(name)}
    flags = {name: bool(row[name]) for name in ("shared_comments", "shared_tickets")}
    moments = {name: _moment(row[name]) for name in ("created_at", "updated_at")}
    return {"id": str(row["id"]), "name": row["name"], **flags, **moments, **more}


STORED_AS_JSON = ("tags", "user_fields", "organization_fields", "photo")


def _value(column: str, stored: Any) -> Any:
    """Return a stored value of a column."""
    return msgspec.json.decode(stored) if column in STORED_AS_JSON and stored else stored


def _columns(noun: str, number: int, detail: Any, change: Change, names: Mapping[str, str]) -> Iterator[Happened]:
    before, after = change.before or {}, change.after or {}
    for column, name in names.items():
        if column not in after:
            continue
        old, new = _value(column, before.get(column)), _value(column, after[column])
        if name == "tags_changed":
            added, removed = [one for one in new if one not in old], [one for one in old if one not in new]
            event: dict[str, Any] = {"added": {"tags": added}, "removed": {"tags": removed}}
            yield Happened(noun, number, name, detail, event)
        elif name == "custom_field_changed":
            for key in sorted({*old, *new}):
                if old.get(key) != new.get(key):
                    event = {"custom_field": {"id": key}, "current": new.get(key), "previous": old.get(key)}
                    yield Happened(noun, number, name, detail, event)
        else:
            if column in ("active", "suspended", "only_private_comments"):
                old, new = bool(old), bool(new)
            elif column.endswith("_at"):
                old, new = _moment(old), _moment(new)
            elif column.endswith("_id") and column != "external_id":
                old, new = str(old or 0), str(new or 0)
            yield Happened(noun, number, name, detail, {"current": new, "previous": old})


def _of_user(tx: Tx, change: Change) -> Iterator[Happened]:
    if row := _row(tx, User, change):
        yield from _of_profile("user", row["id"], _user_detail(row), change, USER_CHANGES)


def _of_organization(tx: Tx, change: Change) -> Iterator[Happened]:
    if row := _row(tx, Organization, change):
        yield from _of_profile("organization", row["id"], _organization_detail(row), change, ORGANIZATION_CHANGES)


def _of_profile(noun: str, number: int, detail: Any, change: Change, names: Mapping[str, str]) -> Iterator[Happened]:
    """Yield that a profile was created or deleted, or what changed in it."""
    if change.op == "update":
        yield from _columns(noun, number, detail, change, names)
    else:
        yield Happened(noun, number, "created" if change.op == "insert" else "deleted", detail)


def _part_of_user(record: type[Record], noun: str, names: Mapping[str, str], *shown: str) -> Callable[..., Any]:
    """Return the function for rows that belong to a user; `names` are the event's names by operation."""

    def tell(tx: Tx, change: Change) -> Iterator[Happened]:
        row = _row(tx, record, change)
        user = tx.find(User, row["user_id"]) if row else None
        if user is None or change.op not in names:
            return
        detail = _user_detail(msgspec.structs.asdict(user))
        event = {noun: {name: str(row[name]) for name in shown}} if shown else {}
        yield Happened("user", user.id, names[change.op], detail, event)
        if record is GroupMembership and user.staff:
            groups = [one.group_id for one in tx.all(GroupMembership, "user_id = ?", user.id, order="group_id")]
            yield _of_agent(tx, user.id, "groups_updated", {"group_ids": [str(one) for one in groups]})

    return tell


# --- articles


def _caller(tx: Tx) -> str:
    found = by_email(tx, tx.actor.name) if tx.actor.name else None
    return str(found.id) if found is not None else "-1"


def _article(tx: Tx, article_id: int, name: str, event: Mapping[str, Any]) -> Happened:
    detail = {"brand_id": str(BRAND_ID), "id": str(article_id), "user_id": _caller(tx)}
    return Happened("article", article_id, name, detail, event)


def _of_article(tx: Tx, change: Change) -> Iterator[Happened]:
    row, after = _row(tx, Article, change), change.after or {}
    if row and change.op == "update" and "author_id" in after:
        yield _article(tx, row["id"], "author_changed", {"current": str(row["author_id"])})
    if row and change.op == "update" and row["archived"] and "archived" in after:
        yield _article(tx, row["id"], "unpublished", {})


def _of_translation(tx: Tx, change: Change) -> Iterator[Happened]:
    row = _row(tx, Translation, change)
    if not row or row["source_type"] != "article" or change.op == "delete":
        return
    if change.op == "update" and "draft" not in (change.after or {}):
        return
    article = tx.find(Article, row["source_id"])
    if article is None:
        return
    if row["draft"]:
        if change.op == "update":
            yield _article(tx, article.id, "unpublished", {})
        return
    section = tx.find(Section, article.section_id)
    event = {
        "author_id": str(article.author_id),
        "category_id": str(section.category_id) if section is not None else "",
        "locale": row["locale"],
        "section_id": str(article.section_id),
        "title": row["title"],
    }
    yield _article(tx, article.id, "published", event)


def _of_vote(tx: Tx, change: Change) -> Iterator[Happened]:
    row = _row(tx, Vote, change)
    if row and row["item_type"] == "Article":
        name = {"insert": "vote_created", "update": "vote_changed", "delete": "vote_removed"}[change.op]
        event = {"id": str(row["id"]), "user_id": str(row["user_id"]), "value": row["value"]}
        yield _article(tx, row["item_id"], name, event)


def _of_comment(tx: Tx, change: Change) -> Iterator[Happened]:
    row = _row(tx, ArticleComment, change)
    if not row or (change.op == "update" and "body" not in (change.after or {})):
        return
    name = {"insert": "comment_created", "update": "comment_changed", "delete": "comment_unpublished"}[change.op]
    comment = {name: str(row[name]) for name in ("id", "author_id", "body", "locale")}
    yield _article(tx, row["article_id"], name, {"comment": comment})


def _of_subscription(tx: Tx, change: Change) -> Iterator[Happened]:
    row = _row(tx, GuideSubscription, change)
    if change.op == "insert" and row and row["content_type"] == "Article":
        event = {"id": str(row["id"]), "user_id": str(row["user_id"])}
        yield _article(tx, row["content_id"], "subscription_created", event)


# --- agents


def _of_agent(tx: Tx, user_id: int, name: str, event: Mapping[str, Any]) -> Happened:
    known = tx.first(Availability, "user_id = ?", user_id)
    version = str(known.version if known is not None else 0)
    detail = {"account_id": str(account_of(tx).number), "agent_id": str(user_id), "version": version}
    return Happened("agent", user_id, name, detail, {**event, "updated_at": iso_z(now(tx))})


def _state(status: str) -> dict[str, str]:
    return {"id": str(PRESENCES.index(status) + 1), "name": status}


def _of_availability(tx: Tx, change: Change) -> Iterator[Happened]:
    row, before, after = _row(tx, Availability, change), change.before or {}, change.after or {}
    if not row or change.op == "delete":
        return
    old, new = before.get("status", "offline"), row["status"]
    if old != new and "status" in after:
        states = {"previous_state": old, "new_state": new, "channel": "support"}
        yield _of_agent(tx, row["user_id"], "state_changed", states)
        unified = {"previous_unified_state": _state(old), "new_unified_state": _state(new)}
        yield _of_agent(tx, row["user_id"], "unified_state_changed", unified)
    if change.op == "update" and "capacity" in after:
        capacity = {"previous_capacity": before.get("capacity"), "new_capacity": row["capacity"], "channel": "support"}
        yield _of_agent(tx, row["user_id"], "max_capacity_changed", capacity)


_BY_TABLE: dict[type[Record], Callable[[Tx, Change], Iterable[Happened]]] = {
    User: _of_user,
    Organization: _of_organization,
    Identity: _part_of_user(
        Identity,
        "identity",
        {"insert": "identity_created", "update": "identity_changed", "delete": "identity_deleted"},
        "id",
        "type",
        "value",
    ),
    Password: _part_of_user(Password, "", {"insert": "password_changed", "update": "password_changed"}),
    GroupMembership: _part_of_user(
        GroupMembership,
        "group",
        {"insert": "group_membership_created", "delete": "group_membership_deleted"},
        "group_id",
    ),
    OrganizationMembership: _part_of_user(
        OrganizationMembership,
        "organization",
        {"insert": "organization_membership_created", "delete": "organization_membership_deleted"},
        "organization_id",
    ),
    Article: _of_article,
    Translation: _of_translation,
    Vote: _of_vote,
    ArticleComment: _of_comment,
    GuideSubscription: _of_subscription,
    Availability: _of_availability,
}
_TABLES = {table_of(record).name: tell for record, tell in _BY_TABLE.items()}


@APP.watch(*_BY_TABLE)
def tell_of_changes(tx: Tx, changes: list[Change]) -> None:
    """Call the webhooks that are subscribed to what these changes mean."""
    if webhooks.anyone_listens(tx):
        send(tx, [one for change in changes for one in _TABLES[change.table](tx, change)])


def tell_of_merge(tx: Tx, winner: User, loser_id: int) -> None:
    """Call the webhooks that are subscribed to merged users."""
    if webhooks.anyone_listens(tx):
        detail = _user_detail(msgspec.structs.asdict(winner))
        send(tx, [Happened("user", winner.id, "merged", detail, {"user": {"id": str(loser_id)}})])


# --- work items: the open tickets of an agent


OPEN = ("new", "open")


@APP.on(TicketCreated)
def tell_of_first_assignment(tx: Tx, notice: TicketCreated) -> None:
    """Call the webhooks that are subscribed to work items when a new ticket has an assignee."""
    if (
        webhooks.anyone_listens(tx) and tx.count(Audit, "ticket_id = ?", notice.ticket) == 1
    ):  # else it was updated since
        _tell_of_work(tx, tx.get(Ticket, notice.ticket), None, "new")


@APP.on(TicketUpdated)
def tell_of_assignment(tx: Tx, notice: TicketUpdated) -> None:
    """Call the webhooks that are subscribed to work items when an agent's open tickets change."""
    if {"assignee_id", "status"}.isdisjoint(notice.fields) or not webhooks.anyone_listens(tx):
        return
    ticket = tx.get(Ticket, notice.ticket)
    audit = tx.first(Audit, "ticket_id = ?", ticket.id, order="id DESC")
    old: dict[str, Any] = {"assignee_id": ticket.assignee_id, "status": ticket.status}
    for event in reversed(audit.events if audit is not None else ()):
        if event.type == "Change" and event.field_name in old:
            old[str(event.field_name)] = event.previous_value
    _tell_of_work(tx, ticket, int(old["assignee_id"]) if old["assignee_id"] else None, old["status"])


def _tell_of_work(tx: Tx, ticket: Ticket, assignee_id: int | None, status: str) -> None:
    before = assignee_id if status in OPEN else None
    after = ticket.assignee_id if ticket.status in OPEN else None
    if before == after:
        return
    item = {"channel": "support", "work_item_id": f"zen:ticket:{ticket.id}"}
    names = (("work_item_removed", before), ("work_item_added", after))
    send(tx, [_of_agent(tx, agent, name, item) for name, agent in names if agent is not None])
