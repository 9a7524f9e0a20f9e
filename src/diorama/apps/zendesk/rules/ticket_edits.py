"""One update of one ticket: what changes, what its audit records, and what follows."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import activities, ticket_metrics
from diorama.apps.zendesk.rules.attachments import link_to_comment
from diorama.apps.zendesk.rules.conditions import Facts
from diorama.apps.zendesk.rules.current_user import SYSTEM, is_member, now
from diorama.apps.zendesk.rules.custom_fields import link_fields_and_tags
from diorama.apps.zendesk.rules.custom_statuses import default_for, status_of
from diorama.apps.zendesk.rules.time_zones import location
from diorama.apps.zendesk.schema import (
    APP,
    CUSTOM_STATUS,
    EVENT_STEP,
    Attachment,
    Audit,
    Comment,
    CommentAdded,
    Event,
    RequesterNotified,
    Ticket,
    TicketClosed,
    TicketCreated,
    TicketReopened,
    TicketSolved,
    TicketUpdated,
    User,
    Via,
)
from diorama.kernel import Tx
from diorama.kit import iso_z

AUDITED = {
    "subject": "subject", "priority": "priority", "requester_id": "requester_id", "status": "status", "type": "type",
    "assignee_id": "assignee_id", "group_id": "group_id", "organization_id": "organization_id", "tags": "tags",
    "due_at": "due_at", "problem_id": "problem_id", "external_id": "external_id", "satisfaction": "satisfaction_score",
    "follower_ids": "current_collaborators", "email_cc_ids": "current_email_ccs", "is_public": "is_public",
    "brand_id": "brand_id", "ticket_form_id": "ticket_form_id", "custom_status_id": "custom_status_id",
}  # fmt: skip
"""The ticket fields that audits record, and the name of each in the audit."""
_ALWAYS_TOLD = ("subject", "priority", "requester_id", "status", "type", "group_id", "organization_id")
_PAUSED = ("pending", "hold", "solved")


class NewComment(msgspec.Struct, frozen=True):
    """A comment to be added to a ticket."""

    body: str
    public: bool = True
    html: str | None = None
    author_id: int | None = None
    attachments: tuple[Attachment, ...] = ()


class Edit:
    """An update in progress; nothing is written before `finish`."""

    def __init__(
        self, tx: Tx, ticket: Ticket, by: User, via: Via, stored: Ticket | None, metadata: dict[str, Any]
    ) -> None:
        self.tx = tx
        self.by = by
        self.via = via
        self.stored = stored
        self.metadata = metadata
        self.moment = now(tx)
        self.comment: Comment | None = None
        self.events: list[Event] = []
        self.facts = Facts(tx, ticket, stored, None, by)
        self.mail: list[RequesterNotified] = []

    @cached_property
    def audit_id(self) -> int:
        """The id of the audit; assigned on first use, so an update without changes uses none."""
        return ticket_metrics.unused_audit_id(self.tx)

    @property
    def ticket(self) -> Ticket:
        """The ticket with the changes made so far."""
        return self.facts.ticket

    # --- audit events

    def tell(self, type: str, **what: Any) -> Event:
        """Add an event to the audit."""
        event = Event(id=self.audit_id + EVENT_STEP * (len(self.events) + 3), type=type, **what)
        self.events.append(event)
        return event

    def say(self, said: NewComment) -> Comment:
        """Add text."""
        event = self.tell("Comment")
        author = self.by.id if said.author_id is None else said.author_id
        self.comment = self.facts.comment = Comment(
            id=event.id,
            ticket_id=self.ticket.id,
            audit_id=self.audit_id,
            author_id=author,
            public=said.public,
            created_at=self.moment,
            channel=self.via.channel,
            source=self.via.source,
            attachments=said.attachments,
            html=said.html,
            body=said.body,
        )
        return self.comment

    def born(self) -> None:
        """Record the initial values of a new ticket in the audit."""
        ticket = self.ticket
        if not ticket.custom_status_id and (usual := default_for(self.tx, ticket.status)):
            self.facts.ticket = ticket = msgspec.structs.replace(ticket, custom_status_id=usual)
        for field, name in AUDITED.items():
            value = getattr(ticket, field)
            if field in _ALWAYS_TOLD or (value and value != "unoffered" and field != "is_public"):
                self.tell("Create", field_name=name, value=audit_value(value))
        for key, value in ticket.custom_fields.items():
            self.tell("Create", field_name=key, value=audit_value(value))

    # --- changes

    def set(self, rule: Via | None = None, **fields: Any) -> bool:
        """Change fields of the ticket; return whether anything changed. `rule` is the rule that did it."""
        ticket = self.ticket
        changed = {name: value for name, value in fields.items() if getattr(ticket, name) != value}
        if not changed:
            return False
        if "status" in changed and "custom_status_id" not in fields and changed["status"] != "closed":
            usual = default_for(self.tx, changed["status"])
            if usual != ticket.custom_status_id:
                changed["custom_status_id"] = usual
        if "tags" in changed:
            self.tx.spend(len(changed["tags"]) >> 2)  # the audit lists all of them
        if "tags" in changed and "custom_fields" not in fields:
            own, tags = link_fields_and_tags(self.tx, ticket.custom_fields, ticket.tags, changed["tags"])
            changed["tags"] = tags
            if own != ticket.custom_fields:
                changed["custom_fields"] = own
        via = msgspec.UNSET if rule is None else rule
        for name, value in changed.items():
            before = getattr(ticket, name)
            if name == "custom_status_id":
                new, old = value or CUSTOM_STATUS[changed.get("status", ticket.status)], status_of(ticket)
                self.tell("Change", field_name=name, value=audit_value(new), previous_value=audit_value(old), via=via)
            elif name in AUDITED:
                self.tell(
                    "Change",
                    field_name=AUDITED[name],
                    value=audit_value(value),
                    previous_value=audit_value(before),
                    via=via,
                )
            elif name == "custom_fields":
                for key in sorted({*before, *value}):
                    if before.get(key) != value.get(key):
                        new, old = audit_value(value.get(key)), audit_value(before.get(key))
                        self.tell("Change", field_name=key, value=new, previous_value=old, via=via)
            elif name == "schedule_id":  # the event's name is not in the vendor's list of events: unverified
                self.tell("ScheduleAssignment", previous_schedule_id=before, new_schedule_id=value, via=via)
        self.facts.ticket = msgspec.structs.replace(ticket, **changed)
        return True

    def place(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Make group and assignee agree: an assignee brings a group, a group drops an assignee who is not in it."""
        ticket, tx = self.ticket, self.tx
        assignee = fields.get("assignee_id", ticket.assignee_id)
        group = fields.get("group_id", ticket.group_id)
        out = dict(fields)
        if "assignee_id" in fields and assignee is not None:
            holder = self.by if assignee == self.by.id else tx.get(User, assignee)
            if not holder.staff:
                raise refusals.invalid("assignee_id", "Assignee: is not an agent", "InvalidValue")
            if group is None or not is_member(tx, assignee, group):
                if "group_id" in fields and group is not None:
                    raise refusals.invalid(
                        "assignee_id", "Assignee: is not a member of the selected group", "InvalidValue"
                    )
                out["group_id"] = holder.default_group_id
        elif (
            "group_id" in fields
            and ticket.assignee_id is not None
            and (group is None or not is_member(tx, ticket.assignee_id, group))
        ):
            out["assignee_id"] = None
        return out

    def move(self, asked: dict[str, Any], spoke: bool) -> None:
        """Change the status as Zendesk does automatically after an update."""
        ticket = self.ticket
        answered = spoke and not self.by.staff and ticket.status in _PAUSED
        taken = ticket.status == "new" and ticket.assignee_id is not None
        if "status" not in asked and (answered or taken):
            self.set(status="open")
        if self.ticket.status == "solved" and self.ticket.assignee_id is None:
            if not self.by.staff or self.by.id < 0:
                raise refusals.invalid(
                    "base", "Assignee: is required when solving a ticket", None, ticket_field_type="FieldAssignee"
                )
            self.set(**self.place({"assignee_id": self.by.id}))

    # --- writing

    def finish(self) -> tuple[Ticket, Audit | None]:
        """Write the ticket, the comment and the audit, and announce what happened."""
        tx, stored = self.tx, self.stored
        if stored is not None and not self.events and self.ticket == stored:
            return stored, None
        ticket = self._dated()
        written = tx.add(ticket) if stored is None else tx.change(stored, **_differing(stored, ticket))
        audit = tx.add(
            Audit(
                id=self.audit_id,
                ticket_id=ticket.id,
                author_id=self.by.id,
                created_at=self.moment,
                channel=self.via.channel,
                source=self.via.source,
                metadata=self.metadata,
                events=tuple(self.events),
            )
        )
        speaker = self.by
        if self.comment is not None:
            tx.add(self.comment)
            if self.comment.attachments:
                link_to_comment(tx, self.comment)
            if self.comment.author_id != speaker.id:
                speaker = tx.get(User, self.comment.author_id)
        ticket_metrics.update_metrics(self.facts, written, speaker, self.moment, self.audit_id)
        activities.add_activity(tx, stored, written, self.comment, self.by, self.moment)
        self._announce(written, speaker)
        return written, audit

    def _dated(self) -> Ticket:
        ticket, stored, moment = self.ticket, self.stored, self.moment
        dates: dict[str, Any] = {"updated_at": moment}
        if stored is None or ticket.status != stored.status:
            dates["status_updated_at"] = moment
            if ticket.status == "solved":
                dates["solved_at"] = moment
            elif stored is not None and stored.status == "solved" and ticket.status != "closed":
                dates["solved_at"] = None
                dates["reopens"] = ticket.reopens + 1
        if ticket.assignee_id is not None and (stored is None or ticket.assignee_id != stored.assignee_id):
            dates["assigned_at"] = moment
        if self.by.id == ticket.requester_id:
            dates["requester_updated_at"] = moment
        if self.by.id == ticket.assignee_id:
            dates["assignee_updated_at"] = moment
        return msgspec.structs.replace(ticket, **dates)

    def _announce(self, ticket: Ticket, speaker: User) -> None:
        emit, stored = self.tx.emit, self.stored
        if stored is None:
            emit(TicketCreated(ticket=ticket.id, requester=self.facts.requester.email or "", channel=ticket.channel))
        else:
            fields = tuple(event.field_name for event in self.events if isinstance(event.field_name, str))
            emit(TicketUpdated(ticket=ticket.id, fields=fields))
        if self.comment is not None:
            emit(
                CommentAdded(
                    ticket=ticket.id,
                    comment=self.comment.id,
                    author=speaker.email or speaker.name,
                    public=self.comment.public,
                    by_end_user=not speaker.staff,
                )
            )
        earlier = stored.status if stored is not None else "new"
        if ticket.status != earlier:
            if ticket.status == "solved":
                emit(TicketSolved(ticket=ticket.id))
            elif ticket.status == "closed":
                emit(TicketClosed(ticket=ticket.id))
            elif earlier == "solved":
                emit(TicketReopened(ticket=ticket.id))
        for letter in self.mail:
            emit(letter)


_WINDOWS, _MAC = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
_WEBKIT, _PHONE = "AppleWebKit/537.36 (KHTML, like Gecko)", "AppleWebKit/605.1.15 (KHTML, like Gecko)"
_IPHONE, _ANDROID = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)", "Mozilla/5.0 (Linux; Android 10; K)"
DESKTOPS = (
    f"{_WINDOWS} {_WEBKIT} Chrome/144.0.0.0 Safari/537.36",
    f"{_WINDOWS} {_WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:147.0) Gecko/20100101 Firefox/147.0",
    f"{_MAC} {_WEBKIT} Chrome/144.0.0.0 Safari/537.36",
    f"{_MAC} {_PHONE} Version/26.2 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:147.0) Gecko/20100101 Firefox/147.0",
)
PHONES = (
    f"{_IPHONE} {_PHONE} Version/26.2 Mobile/15E148 Safari/604.1",
    f"{_ANDROID} {_WEBKIT} Chrome/144.0.0.0 Mobile Safari/537.36",
    f"{_ANDROID} {_WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
)


def browser_of(user: User) -> str:
    """Return the browser of a person; colleagues work at a desk."""
    known = DESKTOPS if user.staff else (*DESKTOPS, *PHONES)
    return known[zlib.crc32(str(user.id).encode()) % len(known)]


def request_metadata(by: User, via: Via, custom: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the audit metadata about an update's origin; a person always has the same address and browser."""
    number = by.id
    system: dict[str, Any] = {}
    if number > 0 and via.channel == "email":
        host = (by.email or "").partition("@")[2] or "mail.gmail.com"
        mixed = number * 2654435761 % (1 << 64)
        system = {"message_id": f"<{mixed:x}.{number % 9973}@{host}>", "eml_redacted": False}
    elif number > 0:
        address = f"93.{number % 199 + 20}.{number // 7 % 250}.{number // 911 % 250 + 1}"
        system = {"client": browser_of(by), "ip_address": address, **location(by.iana_time_zone)}
    return {"system": system, "custom": dict(custom) if custom else {}}


def _differing(stored: Ticket, ticket: Ticket) -> dict[str, Any]:
    before, after = msgspec.structs.astuple(stored), msgspec.structs.astuple(ticket)
    return {
        name: new
        for name, old, new in zip(Ticket.__struct_fields__, before, after, strict=True)
        if new is not old and new != old
    }


def audit_value(value: Any) -> Any:
    """Return a value as audits write it: ids and numbers as text."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, datetime):
        return iso_z(value)
    return value


AT_ONCE = 100
ENOUGH_ROWS = 8_000
"""The most tickets that one transaction clears, and the rows read after which it ends earlier."""


@APP.command
def clear_from_tickets(
    tx: Tx, of: dict[str, int], fields: dict[str, Any], closed: bool = False, after: int = 0
) -> None:
    """Change the tickets with these values: update each as the system, without running triggers.

    If there are many, the rest follows in other transactions.
    """
    where = "".join(f"{name} = ? AND " for name in of) + ("id > ?" if closed else "status <> 'closed' AND id > ?")
    found = tx.all(Ticket, where, *of.values(), after, limit=AT_ONCE)
    for place, ticket in enumerate(found, 1):
        edit = Edit(tx, ticket, SYSTEM, Via("system"), ticket, {"system": {}, "custom": {}})
        edit.set(**fields)
        edit.finish()
        if place == AT_ONCE or (tx.spent > ENOUGH_ROWS and place < len(found)):
            tx.later(timedelta(0), clear_from_tickets, of=of, fields=fields, closed=closed, after=ticket.id)
            return
