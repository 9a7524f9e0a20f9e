"""The closing form of a desk: what a solved ticket must state, which contact reason fits, and how both are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import Audit, ChildField, FormCondition, Ticket, TicketField, TicketForm, User
from diorama.apps.zendesk.schema.help_center import PermissionGroup, UserSegment
from diorama.apps.zendesk.schema.ticket_forms import RequiredOn
from diorama.kernel import Tx, to_us
from diorama.kernel.records import table_of

if TYPE_CHECKING:  # a company without a back office does not load its tables
    from diorama.worlds.matter import Matter, Shows

DONE = ("solved", "closed")
SOURCES = {
    "order": "the number of the order",
    "charge": "the charge (ch_...), of two the later one",
    "refund": "the refund (re_...)",
    "tracking": "the tracking number of the parcel",
    "subscription": "the subscription (sub_...)",
    "serial": "the serial number",
    "return": "the number of the return",
    "customer": "the customer (cus_...)",
}
"""Kinds of records that the field Record can name."""
ARTICLE = "Closing a ticket: contact reason and form"
"""The title of the Help Center article that explains the form."""
TITLES = {
    "reason": "Contact reason",
    "resolution": "Resolution",
    "amount": "Amount",
    "destination": "Paid to",
    "record": "Record",
    "effective": "Effective date",
}
"""The fields of the form by key, and their titles."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a field; its value is also the ticket's tag."""

    value: str
    name: str
    means: str = ""


class Reason(Choice, frozen=True, kw_only=True):
    """A contact reason, and the records whose number the field Record holds for it: the first that there is."""

    sources: tuple[str, ...]

    @property
    def record(self) -> str:
        """The text that describes what the field Record holds."""
        first, *others = (SOURCES[source] for source in self.sources)
        return "; ".join((first, *(f"without one {other}" for other in others)))


class Resolution(Choice, frozen=True, kw_only=True):
    """A way in which a matter ends, and the keys of the fields that it makes necessary."""

    needs: tuple[str, ...] = ()


class ReasonRule(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table from facts to contact reasons."""

    fact: str
    """A short name for the fact."""
    when: str
    """The fact as the desk finds it in the letter and the records."""
    reason: str
    example: str
    possible: Shows | None = None
    """What rows must show where the fact holds; None where no row can rule it out."""
    certain: Shows | None = None
    """What rows show only where the fact holds; None where it also takes the customer's words."""


class ClosingField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of the form: required always, or with the resolutions in `when`."""

    key: str
    title: str
    type: str
    means: str
    options: tuple[Choice, ...] = ()
    required: bool = False
    when: tuple[str, ...] = ()


REFUNDED, CREDITED, SENT, RETURN = "done_refunded", "done_credited", "done_sent", "done_return"
PLAN, CHANGED, CANCELLED = "done_plan", "done_changed", "done_cancelled"
EXPLAINED, REFUSED = "done_explained", "done_refused"
ANSWERED, HANDED_OVER, NOTHING = "done_answered", "done_handed_over", "done_nothing"
RESOLUTIONS = tuple(
    Resolution(value=value, name=name, means=means, needs=needs)
    for value, name, means, needs in (
        (
            REFUNDED,
            "Refunded",
            "Money of a charge was paid back while this ticket was open, by us.",
            ("amount", "destination", "record"),
        ),
        (
            CREDITED,
            "Store credit granted",
            "Store credit was given that is not the refund of a charge.",
            ("amount", "record"),
        ),
        (SENT, "Sent", "Goods, a part or a machine were sent, for the first time or again.", ("record",)),
        (RETURN, "Return or repair opened", "The customer sends something to us.", ("record",)),
        (CANCELLED, "Cancelled", "An order, a plan or a booking was ended.", ("record",)),
        (
            PLAN,
            "Plan changed or paused",
            "A plan goes on with other goods, another rhythm or other days; its address alone is a change.",
            ("record", "effective"),
        ),
        (CHANGED, "Changed", "An order, an address (of a plan, too), a booking or a login was changed.", ("record",)),
        (
            EXPLAINED,
            "Explained from the records",
            "Nothing had to change; the answer stands in the customer's records.",
            ("record",),
        ),
        (
            REFUSED,
            "Refused",
            "The customer asked for something that our rules or their records do not give.",
            ("record",),
        ),
        (ANSWERED, "Answered", "A question that no record of the customer decides.", ()),
        (HANDED_OVER, "Handed over", "Somebody else decides; the ticket is theirs and stays unsolved.", ()),
        (NOTHING, "Nothing to do", "Junk, thanks, a second mail about the same matter, or no answer came.", ()),
    )
)
"""How a matter ends; of two that fit, the first in this order counts."""
DESTINATIONS = (
    Choice(value="to_original_payment", name="Original payment", means="back to the card that was charged"),
    Choice(value="to_store_credit", name="Store credit", means="to the customer's account with us"),
)
EFFECTIVE = (
    "The day of the plan's next delivery after the change; after a pause, the day on which deliveries go on. Empty if "
    "no plan was changed."
)
PAID = "What we paid back or granted altogether while this ticket was open"
PAID_TO = (
    "Where that money went. If a charge was paid back and store credit was granted on top, where the refund of the "
    "charge went. Empty if none was paid."
)
NO_REASON = "none"
"""The fact of a ticket to which no other line of the table applies."""


_TAGS: set[str] = set()


class ClosingForm(msgspec.Struct, frozen=True, kw_only=True):
    """The closing form of one company: its contact reasons, and the one table that decides between them."""

    currency: str
    reasons: tuple[Reason, ...]
    reason_rules: tuple[ReasonRule, ...]
    """The first rule whose fact holds decides."""
    resolutions: tuple[Resolution, ...] = RESOLUTIONS
    destinations: tuple[Choice, ...] = DESTINATIONS
    notes: str = ""
    """What the desk says about its internal notes."""

    def __post_init__(self) -> None:
        _TAGS.update(self.tags)

    @property
    def tags(self) -> tuple[str, ...]:
        """The contact reasons as tags, in the order of the form."""
        return tuple(reason.value for reason in self.reasons)

    def reason_of(self, facts: Collection[str]) -> str:
        """Return the contact reason of a ticket with these facts; raise ValueError for unknown facts."""
        fact = self.deciding_fact(facts)
        return next(rule.reason for rule in self.reason_rules if rule.fact == fact)

    def deciding_fact(self, facts: Collection[str]) -> str:
        """Return the first fact of the table that is among these; raise ValueError for unknown facts."""
        known = {rule.fact for rule in self.reason_rules}
        if not known.issuperset(facts):
            raise ValueError(f"unknown facts {sorted(set(facts) - known)}; the table has {sorted(known)}")
        return next(rule.fact for rule in self.reason_rules if rule.fact in facts or rule.fact == NO_REASON)

    def contradiction(self, facts: Collection[str], matter: Matter) -> str:
        """Return why the rows of a matter contradict its facts, or "".

        A fact may be impossible by the rows, or they show another one that stands higher in the table.
        """
        deciding = self.deciding_fact(facts)
        for rule in self.reason_rules:
            if rule.fact in facts and rule.possible is not None and not rule.possible(matter):
                return f"the records rule out the fact {rule.fact!r} ({rule.when})"
            if rule.fact == deciding:
                return ""
            if rule.fact not in facts and rule.certain is not None and rule.certain(matter):
                return (
                    f"the records show the fact {rule.fact!r} ({rule.when}), which stands above {deciding!r} in the "
                    "table and is not among the plan's facts"
                )
        return ""

    def shown(self, matter: Matter) -> tuple[str, ...]:
        """Return what the rows of a matter show of each rule, in the order of the table, whatever is owed."""
        matter = msgspec.structs.replace(matter, owed=frozenset({"refund"}))
        tests = [(rule, test) for rule in self.reason_rules for test in (rule.possible, rule.certain) if test]
        return tuple(f"{rule.fact}:{test(matter)}" for rule, test in tests)

    def sources(self, reason: str) -> tuple[str, ...]:
        """Return the kinds of records that a contact reason names, the best first."""
        return next(one.sources for one in self.reasons if one.value == reason)

    def needs(self, resolution: str) -> tuple[str, ...]:
        """Return the keys of the fields that a resolution makes necessary."""
        return next(one.needs for one in self.resolutions if one.value == resolution)

    @property
    def fields(self) -> tuple[ClosingField, ...]:
        """All fields of the form, in its order."""
        plain = {
            "reason": ("tagger", "Why the customer wrote, by the table in the Help Center.", self.reasons),
            "resolution": ("tagger", "How the matter ended. Of two that fit, the first in the list counts.", ()),
            "amount": ("decimal", f"{PAID}, in {self.currency}, such as 51.90. Empty if nothing was.", ()),
            "destination": ("tagger", PAID_TO, self.destinations),
            "record": ("text", "The number of the record that the case turned on; which one, the reason says.", ()),
            "effective": ("date", EFFECTIVE, ()),
        }
        return tuple(
            ClosingField(
                key=key,
                title=TITLES[key],
                type=kind,
                means=means,
                options=self.resolutions if key == "resolution" else options,
                required=key in ("reason", "resolution"),
                when=tuple(one.value for one in self.resolutions if key in one.needs),
            )
            for key, (kind, means, options) in plain.items()
        )


# --- the form in the product


def add_closing_form(tx: Tx, form: ClosingForm) -> dict[str, TicketField]:
    """Add the fields to every ticket form of the desk, with the conditions under which each is required to solve."""
    fields = {
        field.key: tx.change(
            seed.add_field(
                tx,
                field.title,
                field.type,
                [(one.name, one.value) for one in field.options],
                description=field.means,
                required=field.required,
            ),
            agent_description=field.means,
        )
        for field in form.fields
    }
    when_solved = RequiredOn("SOME_STATUSES", ("solved",))
    conditions = tuple(
        FormCondition(
            fields["resolution"].id,
            one.value,
            tuple(ChildField(fields[key].id, True, when_solved) for key in one.needs),
        )
        for one in form.resolutions
        if one.needs
    )
    mine = tuple(field.id for field in fields.values())
    for shown in tx.all(TicketForm):
        listed = tuple(dict.fromkeys((*shown.ticket_field_ids, *mine)))
        tx.change(shown, ticket_field_ids=listed, agent_conditions=(*shown.agent_conditions, *conditions))
    return fields


def publish(tx: Tx, form: ClosingForm, author: User) -> None:
    """Add the Help Center article about the form, for staff only; only admins can change it."""
    inside = tx.all(UserSegment, "user_type = 'staff'")[0].id
    locked = tx.all(PermissionGroup, "admins_only = 1")[0].id
    category = help_center.add_category(tx, author, "Desk handbook", "How we work.", position=99)
    section = help_center.add_section(tx, author, category, "Tickets", "From the first line to the last.")
    help_center.add_article(
        tx,
        author,
        section,
        ARTICLE,
        article(form),
        labels=["desk", "contact reason", "closing form"],
        user_segment_id=inside,
        permission_group_id=locked,
    )


REFUNDS = (
    "<h2>The reason of a refund</h2><p>The back office books every refund under a reason, and finance counts them, so "
    "it has to be true: duplicate if one order was charged twice; not_received if the parcel was lost or came back, or "
    "something was missing in it; wrong_item if something was wrong or missing in the parcel; returned if the goods or "
    "the parcel came back to us; defective if a machine failed; cancelled_order if the order was cancelled; "
    "subscription if a plan was charged; billing_error if we charged too much or what was not due. goodwill and "
    "late_delivery are for what none of these explains.</p>"
)
"""What the article says about the reason codes of the back office."""


def article(form: ClosingForm) -> str:
    """Return the article about the form as HTML."""
    names = {field.key: field.title for field in form.fields}
    rules = _table(
        ("", "What is true", "Contact reason", "Example"),
        [(f"{place}.", one.when, one.reason, one.example) for place, one in enumerate(form.reason_rules, 1)],
    )
    records = _table(("Contact reason", "Record"), [(f"{one.value} ({one.name})", one.record) for one in form.reasons])
    endings = _table(
        (names["resolution"], "When", "Also required"),
        [
            (f"{one.value} ({one.name})", one.means, ", ".join(names[key] for key in one.needs) or "nothing")
            for one in form.resolutions
        ],
    )
    meanings = "".join(
        f"<li><strong>{escape(field.title)}</strong>: {escape(field.means)}{_listed(field)}</li>"
        for field in form.fields
        if field.key not in ("reason", "resolution")
    )
    return (
        "<p>A ticket can be set to solved only when its form is filled in. The form says what was really done: it is "
        "what finance, the warehouse and the next colleague go by.</p>"
        f"<h2>{escape(names['reason'])}</h2><p>Go down the list and stop at the first line that is true of the "
        "customer's matter. What counts is the letter together with the records, not the words that the customer "
        "uses, not what they ask for, and not how the matter ends. The field and its tag are the same thing: setting "
        f"one sets the other, and a ticket has exactly one.</p>{rules}"
        f"<h2>{escape(names['record'])}</h2><p>The number that the case turned on, as the back office writes it.</p>"
        f"{records}<h2>{escape(names['resolution'])}</h2><p>Of two that fit, the upper one counts.</p>{endings}"
        "<h2>The other fields</h2><p>A field that the resolution does not require stays empty, or says what is true."
        f"</p><ul>{meanings}</ul>{REFUNDS if any('charge' in one.sources for one in form.reasons) else ''}"
        f"{f'<h2>Notes</h2><p>{escape(form.notes)}</p>' if form.notes else ''}"
    )


def _listed(field: ClosingField) -> str:
    if not field.options:
        return ""
    return " " + escape("; ".join(f"{one.value}: {one.means or one.name}" for one in field.options)) + "."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


# --- filling in and reading


def closing_tags() -> frozenset[str]:
    """Return the contact reasons of all companies that have a closing form."""
    return frozenset(_TAGS)


def by_field_id(tx: Tx, values: Mapping[str, str]) -> dict[str, str]:
    """Return values of the form, given by key, as `custom_fields` of a ticket."""
    fields = closing_fields(tx)
    return {str(fields[key].id): value for key, value in values.items()}


def closing_fields(tx: Tx) -> dict[str, TicketField]:
    """Return the fields of the form by key; of two fields with the same title the older one counts."""
    keys = {title: key for key, title in TITLES.items()}
    found = tx.all(TicketField, "removable = 1", order="id DESC")
    return {keys[field.title]: field for field in found if field.title in keys}


def closing_values(tx: Tx, ticket_id: int) -> dict[str, str]:
    """Return the filled-in fields of a ticket's form, by key."""
    values = tx.get(Ticket, ticket_id).custom_fields
    return {key: str(values[number]) for number, key in _keys(tx).items() if values.get(number)}


def _keys(tx: Tx) -> dict[str, str]:
    """Return the keys of the form by the ids of its fields, without loading their options."""
    keys = {title: key for key, title in TITLES.items()}
    found = tx.rows("SELECT id, title FROM zendesk_ticket_fields WHERE removable = 1 ORDER BY id DESC")
    numbers = {keys[title]: str(number) for number, title in found if title in keys}
    return {number: key for key, number in numbers.items()}


def closing_history(tx: Tx, ticket_id: int, since: datetime | int) -> dict[str, list[str]]:
    """Return the values that were committed since a moment (or microseconds), by key and in order.

    A value is committed when an update leaves the ticket solved or handed over while the field has this value: the
    author of an update has given it to another colleague or group. The same value twice in a row counts once.
    """
    keys = _keys(tx)
    began = since if isinstance(since, int) else to_us(since)
    began -= began % 1_000_000  # audits have whole seconds
    values, status, holder, given = dict[str, str](), "new", "", False
    committed: dict[str, list[str]] = {key: [] for key in TITLES}
    for author_id, created_us, events in tx.rows(_AUDITS, ticket_id):
        changed = _changes(events)
        values.update({keys[name]: str(value or "") for name, value in changed.items() if name in keys})
        status, holder = str(changed.get("status", status)), str(changed.get("assignee_id", holder) or "")
        moved = "assignee_id" in changed or "group_id" in changed
        if created_us < began:
            continue
        if moved and author_id > 0:
            given = holder != str(author_id)
        if not (status in DONE or given):
            continue
        for key, value in values.items():
            if value and committed[key][-1:] != [value]:
                committed[key].append(value)
    return committed


_AUDITS = (
    f"SELECT author_id, created_at, events FROM {table_of(Audit).name} WHERE ticket_id = ? ORDER BY created_at, id"
)


class _Event(msgspec.Struct):
    """What a change of a field says of itself; audits have much more."""

    type: str
    field_name: str | msgspec.UnsetType = msgspec.UNSET
    value: Any = msgspec.UNSET


_events = msgspec.json.Decoder(list[_Event]).decode


@lru_cache(maxsize=64)
def _changes(events: str) -> Mapping[str, Any]:
    """Return the fields that the stored events of an audit set, with their values."""
    return {
        event.field_name: event.value
        for event in _events(events)
        if event.type in ("Create", "Change") and isinstance(event.field_name, str)
    }
