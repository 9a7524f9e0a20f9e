"""Ticket histories in bulk: tickets, comments and audits as the app would have written them, without triggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.automations import next_hour, via_of
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.rules.ticket_edits import AUDITED, audit_value, request_metadata
from diorama.apps.zendesk.rules.tickets import AUTO_CLOSE, BATCH, NO_METADATA, WEB
from diorama.apps.zendesk.schema import (
    BRAND_ID,
    EVENT_STEP,
    FORM_ID,
    Action,
    Attachment,
    Audit,
    Automation,
    Comment,
    Event,
    Macro,
    SatisfactionRating,
    Ticket,
    Trigger,
    User,
    Via,
)
from diorama.apps.zendesk.schema.attachments import File
from diorama.apps.zendesk.seed.account import Standard
from diorama.apps.zendesk.seed.ticket_metrics import Past, write_metrics
from diorama.kernel import Tx, table_of

_PAUSED = ("pending", "hold", "solved")
_SURVEYED = timedelta(hours=24)
"""How long after solving the satisfaction survey is sent; the same as in the account's automation."""


class Rating(msgspec.Struct, frozen=True):
    """The requester's rating, and its time."""

    score: str
    comment: str | None
    at: datetime
    reason_code: int | None = None


class Fired(msgspec.Struct, frozen=True):
    """A trigger that fired on an update, and what it set."""

    trigger: Trigger
    changes: Mapping[str, Any]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One past update of a ticket: a comment, changes of fields, or both; author None means the system."""

    at: datetime
    author: User | None
    body: str = ""
    public: bool = True
    html: str | None = None
    changes: Mapping[str, Any] = {}
    rules: tuple[Fired, ...] = ()
    macro: Macro | None = None
    """The macro that the author applied."""
    via: Via = WEB
    attachments: tuple[Attachment, ...] = ()
    rule: Automation | None = None
    """The automation that made this update."""
    rating: Rating | None = None


class _Scribe:
    """Writes one history, turn by turn, and tracks the state of the ticket."""

    def __init__(self, tx: Tx, ticket_id: int, requester: User, standard: Standard | None) -> None:
        self.tx = tx
        self.ticket_id = ticket_id
        self.requester = requester
        self.standard = standard
        self.state: dict[str, Any] = {"satisfaction": "unoffered"}
        self.dates: dict[str, Any] = {}
        self.audits: list[Audit] = []
        self.comments: list[Comment] = []
        self.past: list[Past] = []

    def write(self, turn: Turn, first: bool) -> None:
        """Write one turn as one audit, and a comment if it has text."""
        at = turn.at.replace(microsecond=0)
        audits = table_of(Audit)
        audit_id = int(self.tx.mint(audits.name, audits.ids))
        events: list[Event] = []

        def tell(type: str, **what: Any) -> int:
            number = audit_id + EVENT_STEP * (len(events) + 3)
            events.append(Event(id=number, type=type, **what))
            return number

        author = turn.author.id if turn.author else -1
        if turn.body:
            self._speak(turn, at, audit_id, tell("Comment"), author)
        if turn.rating is not None:
            self._rate(turn.rating, at, tell)
        rule = via_of(turn.rule) if turn.rule is not None else None
        for name, value in self._changes(turn, first).items():
            self._change(name, value, first, tell, rule)
        if first:
            tell("Create", field_name="brand_id", value=str(BRAND_ID))
            tell("Create", field_name="ticket_form_id", value=str(FORM_ID))
        if turn.macro is not None:
            tell("AgentMacroReference", macro_id=str(turn.macro.id), macro_title=turn.macro.title)
        for fired in turn.rules:
            for name, value in fired.changes.items():
                if self.state.get(name) != value:
                    self._change(name, value, False, tell, _rule(fired.trigger))
        notice = self._notice(turn, first)
        if notice is not None:
            self._notify(notice.actions, _rule(notice), tell)
        elif turn.rule is not None:
            self._notify(turn.rule.actions, via_of(turn.rule), tell)
        self._date(turn, at, first)
        self.audits.append(
            Audit(
                id=audit_id,
                ticket_id=self.ticket_id,
                author_id=author,
                created_at=at,
                channel=turn.via.channel,
                source=turn.via.source,
                metadata=request_metadata(turn.author, turn.via) if turn.author else NO_METADATA,
                events=tuple(events),
            )
        )
        said = self.comments[-1] if turn.body else None
        dates = {"status_updated_at": self.dates["status_updated_at"], "updated_at": at}
        self.past.append(Past(audit_id, at, {**self.state, **dates}, said, turn.author))

    def _notify(self, actions: Sequence[Action], rule: Via, tell: Any) -> None:
        for action in actions:
            if action.field == "notification_user":
                _, subject, body = action.value
                tell("Notification", subject=subject, body=body, recipients=(self.requester.id,), via=rule)

    def _speak(self, turn: Turn, at: datetime, audit_id: int, number: int, author: int) -> None:
        self.comments.append(
            Comment(
                id=number,
                ticket_id=self.ticket_id,
                audit_id=audit_id,
                author_id=author,
                public=turn.public,
                created_at=at,
                channel=turn.via.channel,
                source=turn.via.source,
                attachments=turn.attachments,
                html=turn.html,
                body=turn.body,
            )
        )

    def _changes(self, turn: Turn, first: bool) -> dict[str, Any]:
        """Return what a turn changes, including what the app changes automatically."""
        changes, state = dict(turn.changes), self.state
        if "tags" in changes:
            changes["tags"] = tidy_tags(changes["tags"])
        status = state.get("status", "new")
        agent = turn.author if turn.author is not None and turn.author.staff else None
        held = changes.get("assignee_id") or state.get("assignee_id")
        if changes.get("status") == "solved" and not held and agent is not None:
            changes["assignee_id"] = agent.id
        if agent is not None and changes.get("assignee_id") == agent.id and agent.default_group_id:
            changes.setdefault("group_id", agent.default_group_id)
        answered = agent is None and turn.author is not None and turn.body and status in _PAUSED
        taken = status == "new" and changes.get("assignee_id")
        if "status" not in changes and not first and (answered or taken):
            changes["status"] = "open"
        return {name: value for name, value in changes.items() if first or state.get(name) != value}

    def _rate(self, rating: Rating, at: datetime, tell: Any) -> None:
        assignee = self.state.get("assignee_id")
        said = {"body": rating.comment} if rating.comment else {}
        tell("SatisfactionRating", score=rating.score, assignee_id=assignee, **said)
        made = self.tx.add(
            SatisfactionRating(
                ticket_id=self.ticket_id,
                score=rating.score,
                comment=rating.comment,
                reason_code=rating.reason_code,
                requester_id=self.requester.id,
                assignee_id=assignee,
                group_id=self.state.get("group_id"),
                created_at=at,
                updated_at=at,
            )
        )
        self.state["satisfaction_id"] = made.id

    def idle(self, until: datetime, rating: Rating | None) -> Rating | None:
        """Write the survey and rating of a solved ticket that are due by `until`; return a rating not yet due."""
        if self.state["status"] != "solved":
            return rating
        survey = self.standard.survey if self.standard is not None else None
        asked = _run_after(self.tx, self.dates["solved_at"] + _SURVEYED, self.ticket_id)
        if rating is not None and rating.at <= min(asked, until):
            self.rated(rating)
            rating = None
        if (
            survey is not None
            and asked <= until
            and self.state["satisfaction"] == "unoffered"
            and any(comment.public for comment in self.comments)
        ):
            offer = {"satisfaction": "offered"}
            self.write(Turn(at=asked, author=None, changes=offer, via=via_of(survey), rule=survey), first=False)
        if rating is not None and rating.at <= until:
            self.rated(rating)
            rating = None
        return rating

    def rated(self, rating: Rating) -> None:
        """Write the requester's rating."""
        changes = {"satisfaction": rating.score}
        self.write(Turn(at=rating.at, author=self.requester, changes=changes, rating=rating), first=False)

    def _change(self, name: str, value: Any, first: bool, tell: Any, rule: Via | None) -> None:
        before = self.state.get(name)
        via = msgspec.UNSET if rule is None else rule
        self.state[name] = value
        if name == "custom_fields":
            for key in sorted({*(before or {}), *value}):
                old, new = (before or {}).get(key), value.get(key)
                if first:
                    tell("Create", field_name=key, value=audit_value(new))
                elif old != new:
                    tell("Change", field_name=key, value=audit_value(new), previous_value=audit_value(old), via=via)
        elif name in AUDITED:
            if first:
                tell("Create", field_name=AUDITED[name], value=audit_value(value))
            else:
                tell(
                    "Change",
                    field_name=AUDITED[name],
                    value=audit_value(value),
                    previous_value=audit_value(before),
                    via=via,
                )

    def _notice(self, turn: Turn, first: bool) -> Trigger | None:
        if self.standard is None or not turn.body or not turn.public or turn.author is None:
            return None
        if first:
            return self.standard.received if not turn.author.staff else None
        return self.standard.answered if turn.author.id != self.requester.id else None

    def _date(self, turn: Turn, at: datetime, first: bool) -> None:
        dates, state = self.dates, self.state
        earlier, status = dates.get("status"), state.get("status", "new")
        dates["updated_at"] = at
        if first or earlier != status:
            dates["status_updated_at"] = at
            if status == "solved":
                dates["solved_at"] = at
            elif earlier == "solved" and status != "closed":
                dates["solved_at"] = None
                dates["reopens"] = dates.get("reopens", 0) + 1
        if "assignee_id" in turn.changes or (state.get("assignee_id") and "assigned_at" not in dates):
            dates["assigned_at"] = at if state.get("assignee_id") else dates.get("assigned_at")
        if turn.author is not None and turn.author.id == self.requester.id:
            dates["requester_updated_at"] = at
        if turn.author is not None and turn.author.id == state.get("assignee_id"):
            dates["assignee_updated_at"] = at
        dates["status"] = status


RUN_SECONDS = 1_500
"""How long the hourly run takes for all tickets of an account."""


def _run_after(tx: Tx, moment: datetime, ticket_id: int) -> datetime:
    """Return when the hourly run after a moment came to a ticket."""
    begun = next_hour(moment)
    return begun + timedelta(seconds=tx.dice("automation", begun.isoformat(), ticket_id).integer(15, RUN_SECONDS))


def _rule(trigger: Trigger) -> Via:
    source = {"deleted": False, "title": trigger.title, "id": trigger.id, "revision_id": trigger.revision}
    return Via("rule", {"from": source, "to": {}, "rel": "trigger"})


def mail_from(user: User, name: str, address: str) -> Via:
    """Return the channel of a mail from a user to the desk's name and address."""
    source = {"from": {"address": user.email, "name": user.name}, "to": {"name": name, "address": address}, "rel": None}
    return Via("email", source)


def next_number(tx: Tx) -> int:
    """Return the id for the next ticket."""
    tickets = table_of(Ticket)
    return int(tx.mint(tickets.name, tickets.ids))


def add_ticket_history(
    tx: Tx,
    *,
    requester: User,
    subject: str,
    turns: Sequence[Turn],
    tags: Sequence[str] = (),
    recipient: str | None = None,
    external_id: str | None = None,
    rating: Rating | None = None,
    standard: Standard | None = None,
    number: int = 0,
    followup_source_id: int | None = None,
) -> Ticket:
    """Add a ticket with its whole history; the first turn created it, and no trigger runs.

    Automatic updates are added: the satisfaction survey, and a ticket that stayed solved closes after four days, with
    its own audit if that is in the past, else later by the hourly automation.
    """
    number = number or next_number(tx)
    scribe = _Scribe(tx, number, requester, standard)
    opening = turns[0]
    fields = {
        "subject": subject,
        "priority": None,
        "requester_id": requester.id,
        "status": "new",
        "type": None,
        "group_id": None,
        "organization_id": requester.organization_id,
        "tags": tuple(sorted({*tidy_tags(tags), *requester.tags})),
        **opening.changes,
    }
    if fields.get("assignee_id") and fields["status"] == "new":
        fields["status"] = "open"
    scribe.write(msgspec.structs.replace(opening, changes=fields), first=True)
    for turn in turns[1:]:
        rating = scribe.idle(turn.at, rating)
        scribe.write(turn, first=False)
    solved = scribe.dates.get("solved_at")
    due = None
    if solved is not None and scribe.state["status"] == "solved":
        due = _run_after(tx, solved + AUTO_CLOSE, number)
    rating = scribe.idle(min(due, tx.now) if due is not None else tx.now, rating)
    if due is not None and due <= tx.now:
        closing = standard.closing if standard is not None else None
        via = via_of(closing) if closing is not None else BATCH
        scribe.write(Turn(at=due, author=None, changes={"status": "closed"}, via=via, rule=closing), first=False)
    if rating is not None and scribe.state["status"] in ("solved", "closed"):
        scribe.rated(rating)
    told_of = {"recipient": recipient, "external_id": external_id, "followup_source_id": followup_source_id}
    if followup_source_id is not None:
        source = tx.get(Ticket, followup_source_id)
        tx.change(source, followup_ids=(*source.followup_ids, number))
    return _stored(tx, scribe, opening, told_of)


def _stored(
    tx: Tx,
    scribe: _Scribe,
    opening: Turn,
    told_of: Mapping[str, Any],
) -> Ticket:
    dates = {name: value for name, value in scribe.dates.items() if name != "status"}
    at = opening.at.replace(microsecond=0)
    state = {**told_of, **scribe.state}
    ticket = tx.add(
        Ticket(
            id=scribe.ticket_id,
            submitter_id=opening.author.id if opening.author else -1,
            created_at=at,
            channel=opening.via.channel,
            source=opening.via.source,
            is_public=any(comment.public for comment in scribe.comments),
            description=opening.body,
            **{"requester_updated_at": at, **dates, **state},
        )
    )
    for audit in scribe.audits:
        tx.add(audit)
    for comment in scribe.comments:
        tx.add(comment)
        if comment.attachments:
            _file(tx, comment)
    write_metrics(tx, ticket, scribe.past)
    return ticket


def _file(tx: Tx, comment: Comment) -> None:
    """Add the files of a past comment, with name and size but no content."""
    for one in comment.attachments:
        known = tx.find(File, one.id)
        if known is None:
            tx.add(
                File(
                    id=one.id,
                    file_name=one.file_name,
                    content_type=one.content_type,
                    size=one.size,
                    comment_id=comment.id,
                    ticket_id=comment.ticket_id,
                    created_at=comment.created_at,
                )
            )
