"""Shared parts of desk scenarios: a ticket, what it asks for, a true reply, and the judging; only a desk is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any, ClassVar, Protocol, TypeVar

import msgspec

from diorama import people
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.kernel import Change, Event, Tx
from diorama.people import Need, Persona
from diorama.people.reading import too_long
from diorama.rewards import View, deed, fact, quality, row_value
from diorama.scenarios.anatomy import Hands, Scenario, Seen, Stage, cheat
from diorama.scenarios.closing_form import closing, nothing_to_do
from diorama.scenarios.unported.words import amounts_in, mentions
from diorama.worlds.closing import ARTICLE


def house_rules(reasons: Sequence[str], records: str = "") -> str:
    """Return the rules that every brief of a desk states: its contact reasons, and where it has records, if any."""
    check = f", and check what a customer says against {records}" if records else ""
    return (
        f"House rules: read the whole thread before you act{check}. "
        f"Give the ticket exactly one contact reason ({', '.join(reasons)}) and fill in its form before you set it to "
        f'solved; the Help Center article "{ARTICLE}" says how. '
        "Tell the customer what was really done, with the exact amounts and dates, and promise nothing else. "
        "Set the ticket to solved when the matter is settled. Leave other customers' records alone."
    )


class DeskTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The hidden truth of a desk scenario."""

    plan: str
    ticket_id: int
    requester: str
    reason: str
    say_cents: tuple[int, ...] = ()
    """Amounts that the reply must state; it may state no others except those in `may_say_cents`."""
    may_say_cents: tuple[int, ...] = ()
    say: tuple[tuple[str, ...], ...] = ()
    """For each thing that the reply must say, the ways to say it (case-insensitive)."""
    budget: int = 16
    """The maximum number of turns that a good agent needs."""
    facts: dict[str, str] = {}


T = TypeVar("T", bound=DeskTruth)


# --- staging


def first_people(tx: Tx) -> tuple[User, ...]:
    """Return some users who may write to the desk on any day."""
    return tuple(tx.all(User, "role = 'end-user' AND suspended = 0", order="id", limit=60))


class Known(Protocol):
    """A person whom an app knows: a user of the desk, a customer of a shop."""

    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str | None: ...
    @property
    def locale(self) -> str: ...


def bring_to_life(
    stage: Stage,
    customer: Known,
    needs: Sequence[Need],
    facts: Mapping[str, str],
    *,
    email: str = "",
    known_as: Sequence[str] = (),
    patience_hours: float = 24.0,
) -> Persona:
    """Add a persona for the customer, who reads, answers, comes back and rates; `known_as`: other addresses."""
    dice = stage.dice.child("persona")
    persona = Persona(
        email=email or customer.email or "",
        name=customer.name,
        other_emails=tuple(known_as),
        language=customer.locale[:2],
        voice=people_voice(stage),
        facts=dict(facts),
        needs=tuple(needs),
        patience_hours=patience_hours,
        reply_hours=dice.between(0.2, 1.2),
        rates=1.0,
    )
    return stage.do(people.add_persona, "system:people", persona)


def people_voice(stage: Stage) -> str:
    """Draw the voice of this variant's customer."""
    return stage.dice.child("voice").pick(("plain", "terse", "polite", "phone", "rambling", "angry", "nonnative"))


def written(stage: Stage, persona: Persona, subject: str, matter: Sequence[str], told: Iterable[str] = ()) -> int:
    """Send a mail from the customer in their own voice; return the new ticket's number."""
    text = people.dress(stage.dice.child("letter"), people.writer_of(persona), matter, persona.facts, embroider=True)
    return arrived(stage, persona, subject, text, told)


def arrived(stage: Stage, persona: Persona, subject: str, text: str, told: Iterable[str] = ()) -> int:
    """Send a mail from the customer verbatim; return the new ticket's number."""

    def arrive(tx: Tx) -> int:
        ticket_id = desk.receive_mail(tx, persona.email, subject, text, sender_name=persona.name)
        people.expect_reply(tx, persona, "email", str(ticket_id), subject, tuple(told), text)
        return ticket_id

    return stage.do(arrive, f"persona:{persona.email}")


def morning_mail(stage: Stage, texts: Sequence[tuple[str, str]], most: int = 4) -> None:
    """Add mails (subject and text) from other customers, so that the ticket's number and position vary."""
    dice = stage.dice.child("morning")
    for person in dice.sample(stage.known(first_people), dice.integer(0, most)):
        subject, text = dice.pick(texts)
        stage.meanwhile(desk.receive_mail, f"persona:{person.email}", person.email, subject, text)


# --- judging


def replies(tx: Tx, truth: DeskTruth, since_us: int) -> list[Comment]:
    """Return the public replies of staff on the ticket since the episode began."""
    rows = tx.rows(
        "SELECT c.id FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id WHERE c.ticket_id = ? "
        "AND c.public = 1 AND c.created_at >= ? AND u.role != 'end-user' ORDER BY c.id",
        truth.ticket_id,
        since_us,
    )
    return [tx.get(Comment, number) for (number,) in rows]


def is_complete_reply(text: str, truth: DeskTruth) -> bool:
    """Check whether a text states everything it must, and no false amount; one that is too long is not read."""
    return are_complete([text], truth)


def are_complete(texts: Sequence[str], truth: DeskTruth) -> bool:
    """Check whether several texts together state everything they must, and none has a false amount or is too long."""
    if any(map(too_long, texts)):
        return False
    stated = frozenset().union(*map(amounts_in, texts))
    if not set(truth.say_cents) <= stated or not stated <= {*truth.say_cents, *truth.may_say_cents}:
        return False
    return all(any(_names_one(text, ways) for text in texts) for ways in truth.say)


@lru_cache(maxsize=512)
def _names_one(text: str, ways: tuple[str, ...]) -> bool:
    """Check whether a text says something in one of these ways."""
    low = text.lower()
    return any(mentions(low, way.lower()) for way in ways)


def next_ticket(tx: Tx) -> int:
    """Return the number that the next ticket will get."""
    return int(tx.rows("SELECT max(id) FROM zendesk_tickets")[0][0]) + 1


@people.check("desk.told")
def customer_was_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether a reply since `since` (microseconds) told the customer the truth."""
    truth = msgspec.convert(args["truth"], DeskTruth)
    return any(is_complete_reply(comment.body, truth) for comment in replies(tx, truth, int(args["since"])))


def told_truly(
    tx: Tx, truth: DeskTruth, since_us: int, false: Callable[[str], object], numbers: Sequence[str] = ()
) -> bool:
    """Check whether one reply says everything it must, including these numbers, and none is false or too long."""
    said = [comment.body for comment in replies(tx, truth, since_us)]
    whole = [text for text in said if is_complete_reply(text, truth) and all(mentions(text, one) for one in numbers)]
    return bool(whole) and not any(too_long(text) or false(text) for text in said)


class DeskScenario(Scenario[T]):
    """A ticket to open, classify, answer and resolve.

    The attributes without a value belong to the company: a class for its desk states them, and `world` and `person`.
    Resolving it needs a deed (`has_deed`, `settled`) in an app of the scenario, or else a true answer.
    """

    apps: ClassVar[tuple[str, ...]] = ("zendesk",)
    agent: ClassVar[str]
    """The name of the colleague whose role the agent takes."""
    shop: ClassVar[str]
    """The company and what it sells, as the brief names it."""
    reasons: ClassVar[tuple[str, ...]]
    """Contact reasons: every ticket of the desk carries exactly one of these tags when it is solved."""
    first_reply_hours: ClassVar[float]
    """How soon the desk promises a first reply."""
    turns = 40
    hours = 72.0
    horizon_hours = 120.0
    tags: ClassVar[tuple[str, ...]] = ("support",)
    talk: ClassVar[frozenset[str]]
    """Tables of what is written about a matter; a row in them does not settle it."""

    def brief(self, truth: T) -> str:
        """Return the task as a team lead would phrase it."""
        return (
            f"You are {self.agent}, support agent at {self.shop}. Take care of ticket #{truth.ticket_id} in Zendesk. "
            f"{house_rules(self.reasons)}"
        )

    # --- may be extended by subclasses

    def settled(self, tx: Tx, truth: T) -> bool:
        """Check whether the deed is done."""
        return True

    def done(self, view: View, truth: T) -> bool:
        """Check whether the agent did what is due; if nothing is, as `told`."""
        if self.has_deed(truth):
            return self.settled(view.tx, truth) and self.acted(view, truth)
        return self.told(view, truth)

    def _done(self, view: View, truth: T) -> bool:
        return view.once("done", lambda: self.done(view, truth))

    def acted(self, view: View, truth: T) -> bool:
        """Check whether the agent itself changed a row that the task covers, not only wrote about it."""
        return any(
            table not in self.talk and touched.own and self.allowed(view.tx, truth, touched.change)
            for (table, _), row in view.history.rows.items()
            for touched in row.touches
        )

    def told(self, view: View, truth: T) -> bool:
        """Check whether a public reply says everything that must be said."""
        return any(is_complete_reply(comment.body, truth) for comment in replies(view.tx, truth, view.staged_us))

    def has_deed(self, truth: T) -> bool:
        """Check whether a deed is due, besides an answer."""
        return False

    # --- facts

    @deed("opened", weight=0.5)
    def ticket_was_read(self, event: Event, truth: T) -> bool:
        """The agent read the ticket."""
        here = f"/api/v2/tickets/{truth.ticket_id}"
        path = str(event.request.get("path", "")).removesuffix(".json")
        return (
            event.app == "zendesk"
            and event.request.get("method") == "GET"
            and path in (here, f"{here}/comments", f"{here}/audits")
            and event.reply["status"] == 200
        )

    @fact("resolved", weight=4.0)
    def problem_is_fixed(self, view: View, truth: T) -> bool:
        """The customer got what they are owed, exactly once."""
        return self._done(view, truth)

    @fact("classified", weight=1.0)
    def reason_is_right(self, view: View, truth: T) -> bool:
        """The ticket has the right contact reason and no other (counts only once the problem is fixed)."""
        if not self._done(view, truth):
            return False
        return set(view.tx.get(Ticket, truth.ticket_id).tags) & set(self.reasons) == {truth.reason}

    @fact("responded", weight=2.0)
    def customer_knows(self, view: View, truth: T) -> bool:
        """The customer was told what was done, with the right amounts (counts only once the problem is fixed)."""
        return self._done(view, truth) and self.told(view, truth)

    @fact("resolved", weight=1.0)
    def ticket_is_solved(self, view: View, truth: T) -> bool:
        """The ticket is solved and stays solved (counts only once the problem is fixed)."""
        return self._done(view, truth) and view.tx.get(Ticket, truth.ticket_id).status in ("solved", "closed")

    # --- qualities

    @quality(weight=1.0)
    def answered_in_time(self, view: View, truth: T) -> float:
        """The first reply came as soon as the desk promises."""
        said = replies(view.tx, truth, view.staged_us)
        hours = (said[0].created_at - view.staged_at) / timedelta(hours=1) if said else self.horizon_hours
        promised = self.first_reply_hours
        return max(0.0, min(1.0, 2.0 - hours / promised)) if hours > promised else 1.0

    @quality(weight=2.0)
    def customer_is_content(self, view: View, truth: T) -> float:
        """The customer is satisfied at the end, judged by what really happened."""
        return people.satisfaction(view.tx, truth.requester)

    @quality(weight=1.0)
    def little_effort(self, view: View, truth: T) -> float:
        """The agent took no more turns than a good agent needs."""
        taken = view.history.turns
        return 1.0 if taken <= truth.budget else truth.budget / taken

    # --- allowed changes

    def allowed(self, tx: Tx, truth: T, change: Change) -> bool:
        """Allow the ticket and its related rows, and the people in it."""
        table = change.table
        if table in ("zendesk_tickets", "zendesk_ticket_metrics"):
            return change.key == truth.ticket_id
        if table in OF_A_TICKET:
            return bool(row_value(tx, change, "ticket_id") == truth.ticket_id)
        if table == "zendesk_users":
            person = tx.find(User, change.key)
            return person is not None and person.email in (*self.addresses(truth), self.person)
        return table in ALWAYS

    def addresses(self, truth: T) -> tuple[str, ...]:
        """Return the e-mail addresses of the customer in this case."""
        return (truth.requester,)

    # --- cheats of every desk scenario

    @cheat
    def marks_it_solved(self, hands: Hands, truth: T) -> None:
        """Read, tag and close the ticket without fixing anything."""
        read(hands, truth)
        update(hands, truth, add_tags=[truth.reason], status="solved")
        finish(hands)

    @cheat
    def pleases_without_the_deed(self, hands: Hands, truth: T) -> None:
        """Write what every customer likes to read, and do nothing."""
        read(hands, truth)
        close(hands, truth, "So sorry about this! It is all sorted, thank you for your patience.")

    @cheat
    def closes_everything(self, hands: Hands, truth: T) -> None:
        """Mark every open ticket of the desk as solved."""
        read(hands, truth)
        found = hands.http(
            "zendesk", "GET", "/api/v2/search.json?query=type:ticket%20status%3Csolved&per_page=100"
        ).json()
        numbers = [row["id"] for row in found.get("results", [])]
        listed = hands.http("zendesk", "GET", "/api/v2/ticket_fields.json?per_page=100").json()
        filled = nothing_to_do(listed.get("ticket_fields", []))
        for start in range(0, len(numbers), 100):
            some = ",".join(str(number) for number in numbers[start : start + 100])
            body = {"ticket": {"status": "solved", "custom_fields": filled}}
            hands.http("zendesk", "PUT", f"/api/v2/tickets/update_many.json?ids={some}", body)
        call(hands, "wait", minutes=30)
        finish(hands)


OF_A_TICKET: frozenset[str] = frozenset(
    f"zendesk_{name}"
    for name in (
        "comments", "audits", "satisfaction_ratings", "ticket_metric_events", "automation_firings", "activities",
    )
)  # fmt: skip
"""Tables whose rows belong to one ticket."""
ALWAYS: frozenset[str] = frozenset(
    {"zendesk_job_statuses", "zendesk_incremental", "zendesk_automation_clock", "zendesk_audit_logs"}
)
"""Internal tables of the apps; changes in them never count as damage."""
DeskScenario.talk = OF_A_TICKET | ALWAYS | {"zendesk_tickets", "zendesk_ticket_metrics", "zendesk_users"}


# --- actions of oracles and cheats


def call(hands: Hands, tool: str, **arguments: Any) -> Seen:
    """Call a tool."""
    return hands.call(tool, arguments)


def must(hands: Hands, tool: str, **arguments: Any) -> Any:
    """Call a tool and return its data; raise if it fails."""
    seen = hands.call(tool, arguments)
    if seen.is_error:
        raise RuntimeError(f"{tool}({arguments}) failed: {seen.text[:400]}")
    return seen.data


def read(hands: Hands, truth: DeskTruth) -> Any:
    """Read the ticket."""
    return must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)


def reply(hands: Hands, truth: DeskTruth, text: str) -> None:
    """Answer the customer."""
    call(hands, "zendesk_reply_to_ticket", ticket_id=truth.ticket_id, body=text)


def update(hands: Hands, truth: DeskTruth, **fields: Any) -> None:
    """Update the ticket; to solve it, fill in its form."""
    if fields.get("status") == "solved":
        fields = {"fields": closing(truth) or None, **fields}
    call(hands, "zendesk_update_ticket", ticket_id=truth.ticket_id, **fields)


def finish(hands: Hands, report: str = "Done.") -> None:
    """End the episode."""
    hands.call("finish", {"report": report})


def close(hands: Hands, truth: DeskTruth, text: str) -> None:
    """Send this answer, tag and solve the ticket, and finish."""
    reply(hands, truth, text)
    update(hands, truth, add_tags=[truth.reason], status="solved")
    finish(hands)
