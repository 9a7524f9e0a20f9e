"""Conditions on tickets: one meaning for triggers (tested in memory), views and search (compiled to SQL)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.custom_statuses import status_of
from diorama.apps.zendesk.rules.ids import LARGEST
from diorama.apps.zendesk.rules.schedules import Schedules, hours_for
from diorama.apps.zendesk.rules.sql import HOUR_US, TICKETS, includes_any, worked
from diorama.apps.zendesk.schema import (
    CUSTOM_STATUS,
    PRIORITIES,
    STATUSES,
    Comment,
    Condition,
    Conditions,
    Organization,
    Ticket,
    User,
)
from diorama.kernel import Tx, to_us
from diorama.kernel.functions import WORDS_SHIFT, weighed
from diorama.kit.query import FALSE, Sql, both, either, negate, one_of

T = TICKETS

VIA_IDS = {
    "web": 0, "email": 4, "api": 5, "follow_up": 24, "closed_ticket": 24, "mobile": 49, "web_widget": 48, "chat": 29,
    "phone_call_inbound": 45, "phone_call_outbound": 46, "voicemail": 44, "rule": 8, "help_center": 0, "mobile_sdk": 49,
}  # fmt: skip
"""The numeric ids that conditions use for channels."""


class Facts:
    """What a trigger tests: the ticket now and before this update, the comment, and who made the update."""

    __slots__ = (
        "_lowered", "_organization", "_requester", "_tags", "aloud", "before", "by", "comment", "created", "ticket",
        "tx",
    )  # fmt: skip

    def __init__(self, tx: Tx, ticket: Ticket, before: Ticket | None, comment: Comment | None, by: User) -> None:
        self.tx = tx
        self.ticket = ticket
        self.before = before
        self.comment = comment
        self.by = by
        self.created = before is None
        self.aloud = False
        """Whether a customer will read the text; then private comments are left out."""
        self._requester: User | None = None
        self._organization: Organization | None = None
        self._lowered: dict[str, str] = {}
        self._tags: tuple[tuple[str, ...], frozenset[str]] = ((), frozenset())

    @property
    def tags(self) -> frozenset[str]:
        """The tags of the ticket as a set, which is made once."""
        if self._tags[0] is not self.ticket.tags:
            self._tags = (self.ticket.tags, frozenset(self.ticket.tags))
        return self._tags[1]

    def lowered(self, text: str) -> str:
        """Return a text in lower case, which is made once."""
        found = self._lowered.get(text)
        if found is None:
            found = self._lowered[text] = text.lower()
        return found

    @property
    def requester(self) -> User:
        """The requester of the ticket; looked up once, on first use."""
        found = self._requester
        if found is None or found.id != self.ticket.requester_id:
            found = self.by if self.by.id == self.ticket.requester_id else self.tx.get(User, self.ticket.requester_id)
            self._requester = found
        return found

    @property
    def organization(self) -> Organization | None:
        """The organization of the ticket."""
        number = self.ticket.organization_id
        if number is None:
            return None
        if self._organization is None or self._organization.id != number:
            self._organization = self.tx.find(Organization, number)
        return self._organization


Test = Callable[[Facts], bool]


# --- values


def _rank(names: Sequence[str]) -> dict[str | None, int]:
    return {None: 0, "": 0, **{name: place for place, name in enumerate(names, 1)}}


STATUS_RANK = _rank(STATUSES)
PRIORITY_RANK = _rank(PRIORITIES)


def number(value: Any) -> int | None:
    """Parse an id in a condition; None if it is missing or not a 64-bit number."""
    try:
        found = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if -LARGEST <= found <= LARGEST else None


def words(value: Any) -> list[str]:
    """Return the words that a condition lists, each once."""
    text = " ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value or "")
    return list(dict.fromkeys(text.lower().replace(",", " ").split()))


def _within(operator: str, ranks: dict[str | None, int], value: str | None) -> list[str | None] | None:
    """Return the values that a comparison accepts, or None if the operator is not a comparison."""
    edge = ranks.get(value, 0)
    keep: Callable[[int], bool]
    if operator == "less_than":
        keep = lambda rank: rank < edge  # noqa: E731 - three of a kind
    elif operator == "greater_than":
        keep = lambda rank: rank > edge  # noqa: E731 - three of a kind
    elif operator == "less_than_equal":
        keep = lambda rank: rank <= edge  # noqa: E731 - three of a kind
    elif operator == "greater_than_equal":
        keep = lambda rank: rank >= edge  # noqa: E731 - three of a kind
    else:
        return None
    return [name for name, rank in ranks.items() if keep(rank) and name != ""]


# --- fields that are columns of the ticket


class ConditionField(msgspec.Struct, frozen=True):
    """A field of the ticket that is compared as a whole: its column, and how to parse a condition's value."""

    column: str
    read: Callable[[Any], Any]
    ranks: dict[str | None, int] = {}


def _name(value: Any) -> str | None:
    return str(value) if value not in (None, "") else None


FIELDS: dict[str, ConditionField] = {
    "status": ConditionField("status", _name, STATUS_RANK),
    "priority": ConditionField("priority", _name, PRIORITY_RANK),
    "type": ConditionField("type", _name),
    "group_id": ConditionField("group_id", number),
    "assignee_id": ConditionField("assignee_id", number),
    "requester_id": ConditionField("requester_id", number),
    "submitter_id": ConditionField("submitter_id", number),
    "organization_id": ConditionField("organization_id", number),
    "satisfaction_score": ConditionField("satisfaction", _name),
    "recipient": ConditionField("recipient", _name),
    "problem_id": ConditionField("problem_id", number),
    "external_id": ConditionField("external_id", _name),
    "channel": ConditionField("channel", _name),
    "brand_id": ConditionField("brand_id", number),
    "ticket_form_id": ConditionField("ticket_form_id", number),
}
ALIASES = {"ticket_type_id": "type", "group": "group_id", "assignee": "assignee_id", "organization": "organization_id"}

CURRENT = {"current_user": "id", "current_groups": "default_group_id"}


def _value(field: ConditionField, raw: Any, me: User | None) -> Any:
    if isinstance(raw, str) and raw in CURRENT:
        return getattr(me, CURRENT[raw]) if me is not None else -1
    return field.read(raw)


def _column_test(field: ConditionField, operator: str, raw: Any) -> Test:
    me_too = isinstance(raw, str) and raw in CURRENT
    fixed = None if me_too else field.read(raw)
    value: Callable[[Ticket], Any] = attrgetter(field.column)

    def wanted(facts: Facts) -> Any:
        if raw == "requester_id":
            return facts.ticket.requester_id
        return _value(field, raw, facts.by) if me_too else fixed

    def changed(facts: Facts) -> bool:
        return bool(value(facts.ticket) != (value(facts.before) if facts.before is not None else None))

    def was(facts: Facts) -> bool:
        return bool(wanted(facts) == (value(facts.before) if facts.before is not None else None))

    if operator == "is":
        if me_too or raw == "requester_id":
            return lambda facts: value(facts.ticket) == wanted(facts)
        return lambda facts: value(facts.ticket) == fixed
    if operator == "is_not":
        return lambda facts: value(facts.ticket) != wanted(facts)
    if operator == "changed":
        return changed
    if operator == "not_changed":
        return lambda facts: not changed(facts)
    if operator == "value":
        return lambda facts: changed(facts) and value(facts.ticket) == wanted(facts)
    if operator == "not_value":
        return lambda facts: not (changed(facts) and value(facts.ticket) == wanted(facts))
    if operator == "value_previous":
        return lambda facts: changed(facts) and was(facts)
    if operator == "not_value_previous":
        return lambda facts: not (changed(facts) and was(facts))
    allowed = _within(operator, field.ranks, fixed) if field.ranks else None
    if allowed is not None:
        through = frozenset(allowed)
        return lambda facts: value(facts.ticket) in through
    return _never


def _column_sql(field: ConditionField, operator: str, raw: Any, me: User | None) -> Sql:
    column, value = f"{T}.{field.column}", _value(field, raw, me)
    if operator == "is":
        return Sql(f"{column} = ?", (value,)) if value is not None else Sql(f"{column} IS NULL")
    if operator == "is_not":
        return Sql(f"{column} IS NOT ?", (value,))
    allowed = _within(operator, field.ranks, value) if field.ranks else None
    return one_of(column, allowed) if allowed is not None else FALSE


# --- tags, words, times and conditions about an update itself


def _tags_test(operator: str, raw: Any) -> Test:
    wanted = frozenset(words(raw))
    if operator in ("includes", "is"):
        return lambda facts: not wanted.isdisjoint(facts.tags)
    if operator in ("not_includes", "is_not"):
        return lambda facts: wanted.isdisjoint(facts.tags)
    return _never


def tags_sql(operator: str, raw: Any) -> Sql:
    """Return SQL that tests for tags. Tags are stored as a JSON list, so search for the quoted tag."""
    found = includes_any(f"{T}.tags", [f'"{tag}"' for tag in words(raw)])
    if operator in ("includes", "is"):
        return found
    return negate(found) if operator in ("not_includes", "is_not") else FALSE


def _words_test(get: Callable[[Facts], str], operator: str, raw: Any) -> Test:
    listed = words(raw) if operator in ("includes", "not_includes") else [str(raw or "").lower()]

    def found(facts: Facts) -> bool:
        text = facts.lowered(get(facts))
        facts.tx.spend(len(listed) * (len(text) >> CHARACTERS_SHIFT) + (len(listed) >> WORDS_SHIFT))
        return any(word in text for word in listed)

    if operator in ("includes", "is"):
        return found
    return (lambda facts: not found(facts)) if operator in ("not_includes", "is_not") else _never


def _words_sql(column: str, operator: str, raw: Any) -> Sql:
    listed = words(raw) if operator in ("includes", "not_includes") else [str(raw or "").lower()]
    found = includes_any(f"{T}.{column}", listed)
    if operator in ("includes", "is"):
        return found
    return negate(found) if operator in ("not_includes", "is_not") else FALSE


CHARACTERS_SHIFT = 10
"""Looking for a word in 1,024 characters of a text counts as one row read."""

MOMENTS: dict[str, str] = {
    "created_at": "created_at", "NEW": "created_at", "updated_at": "updated_at", "assigned_at": "assigned_at",
    "requester_updated_at": "requester_updated_at", "assignee_updated_at": "assignee_updated_at", "SOLVED": "solved_at",
    "due_date": "due_at", "OPEN": "status_updated_at", "PENDING": "status_updated_at", "HOLD": "status_updated_at",
    "CLOSED": "status_updated_at",
}  # fmt: skip
"""Conditions on hours since an event, and the column that stores its time; capitals mean since that status."""


def _hours(operator: str, age_hours: float, value: float) -> bool:
    plain = operator.removesuffix("_business_hours")
    if plain == "is":
        return int(age_hours) == int(value)
    return age_hours < value if plain == "less_than" else age_hours > value if plain == "greater_than" else False


def _moment_test(name: str, operator: str, raw: Any) -> Test:
    column, value = MOMENTS[name], float(number(raw) or 0)

    def test(facts: Facts) -> bool:
        moment: datetime | None = getattr(facts.ticket, column)
        if moment is None or (name.isupper() and facts.ticket.status != name.lower()):
            return False
        age = (facts.tx.now - moment).total_seconds() / 3600
        if operator.endswith("_business_hours") and (schedule := hours_for(facts.tx, facts.ticket.schedule_id)):
            age = schedule.worked(to_us(moment), facts.tx.now_us) / HOUR_US
        return _hours(operator, age, value)

    return test


def _moment_sql(name: str, operator: str, raw: Any, now_us: int, hours: Schedules | None) -> Sql:
    column, value = f"{T}.{MOMENTS[name]}", number(raw) or 0
    plain = operator.removesuffix("_business_hours")
    edge = now_us - value * HOUR_US
    if hours and plain != operator and plain in ("is", "less_than", "greater_than"):
        found = worked(column, plain, value, now_us, hours)
    elif plain == "less_than":
        found = Sql(f"{column} > ?", (edge,))
    elif plain == "greater_than":
        found = Sql(f"{column} < ?", (edge,))
    elif plain == "is":
        found = Sql(f"({column} <= ? AND {column} > ?)", (edge, edge - HOUR_US))
    else:
        return FALSE
    return both([Sql(f"{T}.status = ?", (name.lower(),)), found]) if name.isupper() else found


def _never(facts: Facts) -> bool:
    """Return False: the test for an unknown field or operator."""
    return False


ROLE_NAMES = {"end_user": ("end-user",), "end-user": ("end-user",), "agent": ("agent", "admin"), "admin": ("admin",)}


def _role_test(get: Callable[[Facts], User], operator: str, raw: Any) -> Test:
    roles, person = ROLE_NAMES.get(str(raw)), number(raw)

    def holds(facts: Facts) -> bool:
        user = get(facts)
        if raw in ("all", "current_user"):
            return True
        if raw == "requester_id":
            return bool(user.id == facts.ticket.requester_id)
        if raw == "assignee_id":
            return bool(user.id == facts.ticket.assignee_id)
        return user.role in roles if roles else bool(user.id == person)

    return holds if operator == "is" else (lambda facts: not holds(facts)) if operator == "is_not" else _never


def _comment_public(facts: Facts, raw: Any) -> bool:
    comment = facts.comment
    if raw in ("not_relevant", "requester_can_see_comment"):
        return comment is not None and (raw == "not_relevant" or comment.public)
    return comment is not None and comment.public == (str(raw).lower() == "true")


def _flag(test: Test, operator: str) -> Test:
    return test if operator == "is" else (lambda facts: not test(facts)) if operator == "is_not" else _never


def _own_field(name: str, operator: str, raw: Any) -> Test:
    key = name.removeprefix("custom_fields_").removeprefix("ticket_fields_")
    wanted = str(raw) if raw is not None else ""

    def text(ticket: Ticket | None) -> str:
        value = ticket.custom_fields.get(key) if ticket is not None else None
        return "" if value is None else "true" if value is True else "false" if value is False else str(value)

    if operator in ("is", "includes"):
        return lambda facts: text(facts.ticket) == wanted
    if operator in ("is_not", "not_includes"):
        return lambda facts: text(facts.ticket) != wanted
    if operator == "present":
        return lambda facts: bool(text(facts.ticket)) == (wanted != "false")
    if operator == "not_present":
        return lambda facts: not text(facts.ticket)
    if operator == "changed":
        return lambda facts: text(facts.ticket) != text(facts.before)
    if operator == "not_changed":
        return lambda facts: text(facts.ticket) == text(facts.before)
    return _never


def _own_field_sql(name: str, operator: str, raw: Any) -> Sql:
    key = name.removeprefix("custom_fields_").removeprefix("ticket_fields_")
    if not key.isdigit():
        return FALSE
    value = f"coalesce(json_extract({weighed(f'{T}.custom_fields')}, '$.\"{key}\"'), '')"
    wanted: Any = "" if raw is None else str(raw)
    wanted = {"true": 1, "false": 0}.get(wanted, wanted)
    if operator in ("is", "includes"):
        return Sql(f"{value} = ?", (wanted,))
    if operator in ("is_not", "not_includes"):
        return Sql(f"{value} <> ?", (wanted,))
    if operator in ("present", "not_present"):
        return Sql(f"{value} {'<>' if operator == 'present' else '='} ''")
    return FALSE


def _custom_statuses(raw: Any) -> tuple[int, ...]:
    return tuple(found for one in (raw if isinstance(raw, list) else [raw]) if (found := number(one)) is not None)


def _custom_status_test(operator: str, raw: Any) -> Test:
    wanted = frozenset(_custom_statuses(raw))
    if operator in ("changed", "not_changed"):
        same = operator == "not_changed"
        return lambda facts: (facts.before is not None and status_of(facts.before) == status_of(facts.ticket)) == same
    inside = operator in ("is", "includes")
    if not inside and operator not in ("is_not", "not_includes"):
        return _never
    return lambda facts: (status_of(facts.ticket) in wanted) == inside


def _custom_status_sql(operator: str, raw: Any) -> Sql:
    wanted = _custom_statuses(raw)
    usual = [status for status, standard in CUSTOM_STATUS.items() if standard in wanted]
    own = one_of(f"{T}.custom_status_id", wanted)
    found = either((own, both((Sql(f"{T}.custom_status_id = 0"), one_of(f"{T}.status", usual)))))
    if operator in ("is", "includes"):
        return found
    return negate(found) if operator in ("is_not", "not_includes") else FALSE


SLA_MOMENTS = ("sla_next_breach_at", "until_sla_next_breach_at")
"""Hours since the last SLA breach, and hours until the next one."""
_SLA = {
    "sla_next_breach_at": "SELECT max(nullif(json_extract(c.value, '$[11]'), 0)) FROM zendesk_ticket_metrics m, "
    "json_each(m.clocks) c WHERE m.id = ",
    "until_sla_next_breach_at": "SELECT next_breach_at FROM zendesk_ticket_metrics m WHERE m.id = ",
}


def _sla_sql(name: str, operator: str, raw: Any, now_us: int) -> Sql:
    moment, value = f"({_SLA[name]}{T}.id)", (number(raw) or 0) * HOUR_US
    hours = f"(? - {moment})" if name == "sla_next_breach_at" else f"({moment} - ?)"
    if operator in ("less_than", "greater_than"):
        return Sql(f"coalesce({hours} {'<' if operator == 'less_than' else '>'} ?, 0)", (now_us, value))
    if operator == "is":
        return Sql(f"coalesce({hours} / {HOUR_US} = ?, 0)", (now_us, number(raw) or 0))
    return FALSE


def _sla_test(name: str, operator: str, raw: Any) -> Test:
    def test(facts: Facts) -> bool:
        found = _sla_sql(name, operator, raw, facts.tx.now_us)
        return bool(facts.tx.rows(f"SELECT 1 FROM {T} WHERE id = ? AND {found.text}", facts.ticket.id, *found.args))

    return test


def question_of(condition: Condition) -> Test:
    """Return a condition as a test of the facts of an update."""
    name, operator, raw = condition.field, condition.operator, condition.value
    field = FIELDS.get(ALIASES.get(name, name))
    if field is not None:
        return _column_test(field, operator, raw)
    if name in ("current_tags", "tags"):
        return _tags_test(operator, raw)
    if name in ("subject_includes_word", "subject"):
        return _words_test(lambda facts: facts.ticket.subject, operator, raw)
    if name in ("description_includes_word", "description"):
        return _words_test(lambda facts: facts.ticket.description, operator, raw)
    if name in ("comment_includes_word", "comment"):
        return _words_test(lambda facts: facts.comment.body if facts.comment else "", operator, raw)
    if name in MOMENTS:
        return _moment_test(name, operator, raw)
    if name in SLA_MOMENTS:
        return _sla_test(name, operator, raw)
    if name.startswith(("custom_fields_", "ticket_fields_")):
        return _own_field(name, operator, raw)
    return _update_test(name, operator, raw)


def _update_test(name: str, operator: str, raw: Any) -> Test:
    if name == "update_type":
        wanted = str(raw) == "Create"
        return _flag(lambda facts: facts.created == wanted, operator)
    if name == "comment_is_public":
        return _flag(lambda facts: _comment_public(facts, raw), operator)
    if name == "role":
        return _role_test(lambda facts: facts.by, operator, raw)
    if name in ("requester_role", "requester.role"):
        return _role_test(lambda facts: facts.requester, operator, raw)
    if name == "ticket_is_public":
        return _flag(lambda facts: facts.ticket.is_public == (raw == "public"), operator)
    if name in ("via_id", "current_via_id"):
        return _flag(lambda facts: _via(facts, name) in (number(raw), raw), operator)
    if name == "custom_status_id":
        return _custom_status_test(operator, raw)
    if name == "reopens":
        return lambda facts: _hours(operator, facts.ticket.reopens, float(number(raw) or 0))
    if name == "requester.tags":
        listed = frozenset(words(raw))
        return lambda facts: (not listed.isdisjoint(facts.requester.tags)) == (operator in ("includes", "is"))
    if name == "organization.tags":
        listed = frozenset(words(raw))
        return lambda facts: (
            (not listed.isdisjoint(facts.organization.tags if facts.organization else ()))
            == (operator in ("includes", "is"))
        )
    if name == "attachment":
        present = operator == "present"
        return lambda facts: bool(facts.comment and facts.comment.attachments) == present
    return _never


def _via(facts: Facts, name: str) -> int:
    source = facts.comment if name == "current_via_id" and facts.comment is not None else facts.ticket
    return VIA_IDS.get(source.channel, 5)


def sql_of(condition: Condition, me: User | None, now_us: int, hours: Schedules | None = None) -> Sql:
    """Return a condition as SQL over tickets; conditions about an update itself are always false here."""
    name, operator, raw = condition.field, condition.operator, condition.value
    field = FIELDS.get(ALIASES.get(name, name))
    if field is not None:
        return _column_sql(field, operator, raw, me)
    if name in ("current_tags", "tags"):
        return tags_sql(operator, raw)
    if name in ("subject_includes_word", "subject"):
        return _words_sql("subject", operator, raw)
    if name in ("description_includes_word", "description"):
        return _words_sql("description", operator, raw)
    if name in MOMENTS:
        return _moment_sql(name, operator, raw, now_us, hours)
    if name in SLA_MOMENTS:
        return _sla_sql(name, operator, raw, now_us)
    if name.startswith(("custom_fields_", "ticket_fields_")):
        return _own_field_sql(name, operator, raw)
    if name in ("via_id", "current_via_id"):
        channels = [channel for channel, via in VIA_IDS.items() if via == number(raw)] or [str(raw)]
        found = one_of(f"{T}.channel", channels)
        return found if operator == "is" else negate(found)
    if name == "ticket_is_public":
        return Sql(f"{T}.is_public = ?", (int((raw == "public") == (operator == "is")),))
    if name == "requester_role":
        roles = ROLE_NAMES.get(str(raw), ())
        inner = one_of("u.role", roles)
        text = f"EXISTS (SELECT 1 FROM zendesk_users u WHERE u.id = {T}.requester_id AND {inner.text})"
        return Sql(text, inner.args) if operator == "is" else Sql(f"NOT {text}", inner.args)
    if name == "custom_status_id":
        return _custom_status_sql(operator, raw)
    return FALSE


def where(conditions: Conditions, me: User | None, now_us: int, hours: Schedules | None = None) -> Sql:
    """Return a set of conditions as SQL."""
    parts = [sql_of(condition, me, now_us, hours) for condition in conditions.all]
    if conditions.any:
        parts.append(either(sql_of(condition, me, now_us, hours) for condition in conditions.any))
    return both(parts)


KNOWN = frozenset(
    {
        *FIELDS, *ALIASES, *MOMENTS, *SLA_MOMENTS, "current_tags", "tags", "subject_includes_word", "subject",
        "description_includes_word", "description", "comment_includes_word", "comment", "update_type",
        "comment_is_public", "role", "requester_role", "requester.role", "requester.tags", "organization.tags",
        "ticket_is_public", "via_id", "current_via_id", "brand_id", "ticket_form_id", "custom_status_id", "reopens",
        "attachment",
    }
)  # fmt: skip
"""The fields that conditions may name, besides custom fields."""


def known(name: str) -> bool:
    """Check whether a condition may name this field."""
    return name in KNOWN or name.startswith(("custom_fields_", "ticket_fields_"))
