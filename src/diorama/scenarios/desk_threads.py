"""Several mails of one customer: one or two matters, duplicates to merge, and mails of strangers to leave alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import timedelta
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from diorama import people
from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Audit, Ticket, User
from diorama.kernel import Tx
from diorama.kit.damage import Cell
from diorama.people import Persona
from diorama.people.schema import Conversation
from diorama.rewards import View, quality
from diorama.rewards.finding import Finding, Measure
from diorama.rewards.parts import Fact
from diorama.scenarios.anatomy import Hands, Stage, cheat, split_of
from diorama.scenarios.cast import slots, spoken
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.desk import OWN_ROWS, WORKING, DeskScenario
from diorama.scenarios.desk_customers import idle_customers, without_expired_card
from diorama.scenarios.desk_facts import DeskTruth, field_facts
from diorama.scenarios.desk_fields import JUDGED, covers_fields
from diorama.scenarios.desk_mail import Writing, are_requesters, longest_line, mention, spoken_cast
from diorama.scenarios.desk_tidy import given_away, is_done
from diorama.scenarios.past import Scene, names, order, step
from diorama.scenarios.past_moments import Days
from diorama.scenarios.plan import Plan
from diorama.scenarios.replies import replies_on
from diorama.worlds import closing
from diorama.worlds.closing import ANSWERED, NOTHING, by_field_id

MAIN, OTHER, STRANGER = "", "other", "stranger"
"""What a mail is about: the matter of the plan, a second one of the same customer, or a stranger's.

The cast's names of a second matter, or of a stranger's, begin with this word: `other_order`, `stranger_charge`.
"""


KEPT_FOR_LATER = 4
"""How many mails of others are kept for the time after the customer's last one."""


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """One mail, which becomes a ticket of its own."""

    letter: Sequence[str]
    about: str = MAIN
    sender: str = ""
    """The cast's name of the address that it comes from; "" is the account's own."""
    subjects: Sequence[str] = ()
    """Subjects of the mail; empty: those of the scenario."""
    answered: str = ""
    """What a colleague answered to it."""
    solved: bool = False
    """Whether the colleague set it to solved."""


class ThreadPlan(Plan, frozen=True, kw_only=True):
    """A plan with several mails; the first one is also its letter."""

    mails: Sequence[Mail]
    also: Plan | None = None
    """The second matter: what is owed, told and filled in for it, in the cast's names without `other_`."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A mail that is about to be sent."""

    mail: Mail
    sender: str
    name: str
    subject: str
    sentences: tuple[str, ...]
    facts: dict[str, str]


class ThreadTruth(DeskTruth, frozen=True, kw_only=True):
    """The truth of several tickets; `ticket_id` is the one that stays, and `owed` and `tell` are of all matters."""

    drafts: tuple[Draft, ...] = ()
    also: tuple[DeskTruth, ...] = ()
    """The second matter, in its own ticket."""
    asked: int = 0
    """The ticket that the brief names."""
    duplicates: tuple[int, ...] = ()
    """Tickets that must be merged into the one that stays."""
    solved_before: tuple[int, ...] = ()
    """Older tickets about the same matter that a colleague set to solved: they may be merged or left."""
    addresses: tuple[str, ...] = ()
    """The customer's addresses that mails came from."""

    @property
    def tickets(self) -> tuple[int, ...]:
        """All tickets of this customer in this case."""
        others = (one.ticket_id for one in self.also)
        return tuple(sorted((self.ticket_id, *self.duplicates, *self.solved_before, *others)))


@step
@names("stranger", "stranger_order", "stranger_charge", "stranger_line", "stranger_parcel")
def another_customer(scene: Scene, goods: Sequence[str], days_ago: Days, outcome: Any = "lost") -> None:
    """Add an order of another customer: `stranger` and the rows of the order, such as `stranger_order`."""
    found = idle_customers(scene.tx, split_of(scene.customer.id), "")
    other = scene.roll("stranger").pick(
        [one for one in without_expired_card(found, scene.tx.now) if one.id != scene.customer.id]
    )
    theirs = Scene(scene.tx, other, scene.roll("their past"), scene.colleagues)
    order(goods, days_ago, outcome, name=STRANGER).happen(theirs)
    scene.cast |= {STRANGER: other, **{name: row for name, row in theirs.cast.items() if name.startswith(STRANGER)}}


def _as_matter(scene: Scene, about: str) -> Scene:
    """Return the scene as another matter sees it: its rows under their plain names."""
    made = copy(scene)
    lead = f"{about}_"
    own = {name.removeprefix(lead): row for name, row in scene.cast.items() if name.startswith(lead)}
    made.cast = {**scene.cast, **own} if about else scene.cast
    return made


class ThreadDesk(DeskScenario):
    """Several tickets of one customer; mixed into the class of a company."""

    truth = ThreadTruth
    seconds_between: ClassVar[Days] = (700, 5_700)
    """The time between two mails."""

    # --- staging

    def compose(
        self, stage: Stage, plan: Plan, scene: Scene
    ) -> tuple[ThreadTruth, dict[str, str], tuple[str, ...], str]:
        """Draft every mail, and join what is owed and told in all matters."""
        assert isinstance(plan, ThreadPlan)
        main, facts, matter, subject = super().compose(stage, plan, scene)
        also = [super().compose(stage, plan.also, _as_matter(scene, OTHER))[0]] if plan.also else []
        drafts = tuple(self.draft(stage, plan, scene, place, mail) for place, mail in enumerate(plan.mails))
        own = [one for one in drafts if one.mail.about != STRANGER]
        matters = (main, *also)
        joined = {
            "owed": tuple(one for each in matters for one in each.owed),
            "tell": tuple(dict.fromkeys(one for each in matters for one in each.tell)),
            "records": tuple(dict.fromkeys(one for each in matters for one in each.records)),
            "budget": main.budget + 4 * len(drafts),
        }
        plain = {name: getattr(main, name) for name in main.__struct_fields__}
        addresses = tuple(dict.fromkeys(one.sender for one in own))
        truth = ThreadTruth(**{**plain, **joined}, drafts=drafts, also=tuple(also), addresses=addresses)
        return truth, {**facts, **{key: value for one in own for key, value in one.facts.items()}}, matter, subject

    def draft(self, stage: Stage, plan: Plan, scene: Scene, place: int, mail: Mail) -> Draft:
        """Draft one mail."""
        seen = _as_matter(scene, mail.about)
        author: Customer = scene.cast[STRANGER] if mail.about == STRANGER else scene.customer
        which, known = mention(seen, replace(plan, letter=mail.letter), seen.cast["order"])
        sentences, facts = slots(mail.letter, {**seen.cast, "which": which}, self.currency, seen.say_day)
        subject = stage.dice.child("subject", place).pick(mail.subjects or self.subjects)
        return Draft(
            mail=mail,
            sender=scene.cast[mail.sender] if mail.sender else author.email,
            name=author.name,
            subject=spoken(subject, spoken_cast(seen, known), self.currency),
            sentences=sentences,
            facts=facts | known,
        )

    def bring_to_life(
        self, stage: Stage, plan: Plan, scene: Scene, truth: DeskTruth, facts: Mapping[str, str]
    ) -> Persona:
        """Add the persona with all its addresses."""
        assert isinstance(truth, ThreadTruth)
        made = super().bring_to_life(stage, plan, scene, truth, facts)
        known = tuple(one for one in truth.addresses if one != made.email)

        def add_addresses(tx: Tx) -> Persona:
            return tx.change(made, other_emails=known)

        return stage.do(add_addresses, "system:people")

    def write(self, stage: Stage, truth: DeskTruth, writing: Writing) -> ThreadTruth:
        """Let the mails arrive one by one; the oldest one about the main matter that is not solved stays."""
        assert isinstance(truth, ThreadTruth)
        persona, others, clock = writing.persona, writing.others, writing.clock
        arrived: list[tuple[int, Draft, str]] = []
        waiting: set[str] = set()
        for place, one in enumerate(truth.drafts):
            if place:
                stage.wait(timedelta(seconds=clock.integer(*self.seconds_between)))
                others.write(clock.integer(0, 1) if len(others.texts) > KEPT_FOR_LATER else 0)
            text = people.dress(
                stage.dice.child("letter", place), self.writer(stage, persona, one), one.sentences, one.facts,
                embroider=True,
            )  # fmt: skip
            follows = persona.id if one.mail.about != STRANGER else 0
            waits = bool(follows) and not one.mail.solved and one.mail.about not in waiting
            number = stage.do(_arrive, f"persona:{one.sender}", one, text, follows, waits)
            waiting |= {one.mail.about} if waits else set()
            arrived.append((number, one, text))
            if one.mail.answered:
                stage.wait(timedelta(seconds=clock.integer(1_000, 4_000)))
                colleague = stage.dice.child("colleague", place).pick(self.colleagues)
                stage.do(_answer, f"staff:{colleague}", colleague, number, one.mail, truth.reason)
        made = self.placed(stage, truth, arrived)
        self.let_it_wait(stage, made, others, clock)
        return made

    def writer(self, stage: Stage, persona: Persona, one: Draft) -> people.Writer:
        """Return who writes a mail: the persona, or a stranger with a voice of their own."""
        if one.mail.about != STRANGER:
            return people.writer_of(persona)
        given, _, family = one.name.rpartition(" ")
        voice = stage.dice.child("stranger voice").pick(("plain", "terse", "polite"))
        return people.writer_of(
            Persona(email=one.sender, name=one.name, given=given or one.name, family=family, voice=voice)
        )

    def placed(self, stage: Stage, truth: ThreadTruth, arrived: Sequence[tuple[int, Draft, str]]) -> ThreadTruth:
        """Return the truth with the numbers of the tickets."""
        mine = [(number, one) for number, one, _ in arrived if one.mail.about == MAIN]
        first, *rest = (number for number, one in mine if not one.mail.solved)
        second = [number for number, one, _ in arrived if one.mail.about == OTHER]
        return replace(
            truth,
            ticket_id=first,
            duplicates=tuple(rest),
            solved_before=tuple(number for number, one in mine if one.mail.solved),
            also=tuple(replace(one, ticket_id=number) for one, number in zip(truth.also, second, strict=True)),
            asked=stage.dice.child("asked").pick([first, *rest]),
            opening=longest_line(next(text for number, _, text in arrived if number == first)),
        )

    # --- facts

    def facts_for(self, truth: DeskTruth) -> Sequence[Fact]:
        """Add the merges, and the form and the answer of the second matter."""
        assert isinstance(truth, ThreadTruth)
        found = [*super().facts_for(truth), _merge_fact(truth)]
        for place, other in enumerate(truth.also):
            found += [_of_other(one, place) for one in (*field_facts(other), _done_fact(other))]
        return found

    @quality(weight=1.0)
    def answered_once(self, view: View, truth: ThreadTruth) -> Measure:
        """Each matter was answered once, however many mails there were."""
        said = sum(len(replies_on(view, number)) for number in truth.tickets)
        matters = 1 + len(truth.also)
        return Measure(min(1.0, matters / said) if said else 0.0, f"{matters} public replies", f"{said} public replies")

    def covers(self, tx: Tx, truth: DeskTruth, cell: Cell) -> bool:
        """Cover the work on all tickets of the case; a merge copies the requester of the other ticket."""
        assert isinstance(truth, ThreadTruth)
        if cell.kind != "voice" and cell.table == "zendesk_tickets":
            merged = cell.column == "email_cc_ids" and cell.key == truth.ticket_id
            if cell.column == "custom_fields":
                return cell.key in truth.tickets and covers_fields(tx, cell, _form_of(truth, cell.key))
            return cell.key in truth.tickets and (
                cell.column in WORKING or (merged and are_requesters(tx, truth.tickets, cell.after))
            )
        if cell.kind != "voice" and cell.table in OWN_ROWS:
            mine = cell.op == "insert" and cell.row.get("ticket_id") in truth.tickets
            return mine and cell.kind != "evidence"
        return super().covers(tx, truth, cell)

    def committed_values(self, view: View, truth: DeskTruth) -> Mapping[str, Sequence[Any]]:
        """Return the values that were committed to each field of each ticket that stays."""
        assert isinstance(truth, ThreadTruth)
        found = dict(super().committed_values(view, truth))
        for place, other in enumerate(truth.also):
            made = super().committed_values(view, other)
            found |= {f"{key} {place + 2}": values for key, values in made.items()}
        return found

    # --- the oracle

    def look_up(self, clerk: Clerk, truth: DeskTruth) -> None:
        """Read the ticket that the brief names, then find the customer's other tickets and records."""
        assert isinstance(truth, ThreadTruth)
        clerk.ticket_id = truth.asked
        clerk.read_ticket()
        clerk.find_customer(truth.customer_id)
        for address in truth.addresses:
            clerk.do("zendesk_search_tickets", query=f"requester:{address}")
        for number in truth.tickets:
            if number != truth.asked:
                clerk.do("zendesk_list_comments", ticket_id=number)
        for one in (truth, *truth.also):
            wanted = [*one.records, *(told.text for told in one.tell if told.kind != "amount")]
            clerk.find(truth.customer_id, one.order_number, wanted)

    def settle(self, clerk: Clerk, truth: DeskTruth) -> None:
        """Do what is owed, merge the duplicates, then answer and solve each matter in its ticket."""
        assert isinstance(truth, ThreadTruth)
        matters = _matters(truth)
        for one in matters:
            clerk.ticket_id = one.ticket_id
            self.do_deeds(clerk, one)
        if truth.duplicates:
            clerk.do("zendesk_merge_tickets", into=truth.ticket_id, ticket_ids=list(truth.duplicates))
        for one in matters:
            self.close(clerk, one)

    # --- cheats

    @cheat
    def tidies_up_only(self, hands: Hands, truth: ThreadTruth) -> None:
        """Merge the duplicates and solve what stays with a true form, without doing or saying anything."""
        clerk = Clerk(hands, truth.ticket_id)
        clerk.read_ticket()
        if truth.duplicates:
            clerk.try_("zendesk_merge_tickets", into=truth.ticket_id, ticket_ids=list(truth.duplicates))
        for one in _matters(truth):
            filled = {closing.TITLES[key]: values[0] for key, values in one.closing.items() if values}
            clerk.try_("zendesk_update_ticket", ticket_id=one.ticket_id, fields=filled, status="solved")
        clerk.try_("finish", report="Done.")

    @cheat
    def merges_every_open_ticket(self, hands: Hands, truth: ThreadTruth) -> None:
        """Do what is owed, but merge every open ticket of the desk into one."""
        clerk = Clerk(hands, truth.ticket_id)
        self.look_up(clerk, truth)
        clerk.ticket_id = truth.ticket_id
        found = clerk.do("zendesk_search_tickets", query="status<solved", sort_by="created_at")["results"]
        others = [row["id"] for row in found if row["id"] != truth.ticket_id]
        clerk.try_("zendesk_merge_tickets", into=truth.ticket_id, ticket_ids=others)
        for one in _matters(truth):
            clerk.ticket_id = one.ticket_id
            self.do_deeds(clerk, one)
        self.close(clerk, _matters(truth)[0])
        clerk.try_("finish", report="Done.")


def _matters(truth: ThreadTruth) -> tuple[DeskTruth, ...]:
    """Return each matter with what is owed for it alone."""
    others = {one for each in truth.also for one in map(repr, each.owed)}
    return (replace(truth, owed=tuple(one for one in truth.owed if repr(one) not in others)), *truth.also)


# --- mails


def _answer(tx: Tx, colleague: str, number: int, mail: Mail, reason: str) -> None:
    """Add a colleague's answer, and set the ticket to solved or pending."""
    user = tx.first(User, "email = ?", colleague)
    fields: dict[str, Any] = {"status": "solved" if mail.solved else "pending"}
    if mail.solved:
        fields["custom_fields"] = by_field_id(tx, {"reason": reason, "resolution": ANSWERED})
    given = colleague.partition("@")[0].capitalize()
    desk.comment(tx, number, f"{mail.answered} {given}", by=user, assignee_id=user.id if user else None, **fields)


def _arrive(tx: Tx, one: Draft, text: str, persona_id: int, waits: bool) -> int:
    """Let a mail arrive; its author waits for the answer there, or in another ticket about the same matter."""
    number = desk.receive_mail(tx, one.sender, one.subject, text, sender_name=one.name)
    if waits:
        told = tuple(one.facts)
        people.expect_reply(tx, tx.get(Persona, persona_id), "email", str(number), one.subject, told, text)
    elif persona_id:
        at, thread = tx.now, str(number)
        elsewhere = Conversation(
            persona_id=persona_id, channel="email", thread=thread, state="moved", opened_at=at, spoke_at=at
        )
        tx.add(elsewhere)
    return number


# --- judging


def _form_of(truth: ThreadTruth, ticket_id: int | str) -> Mapping[str, Sequence[str]]:
    """Return what the form of a ticket may say; that of a ticket which goes into another one is judged nowhere else."""
    if ticket_id not in (*truth.duplicates, *truth.solved_before):
        return JUDGED
    right = {**truth.closing, "record": (*truth.closing.get("record", ()), *truth.records)}
    return {**right, "resolution": (*right.get("resolution", ()), NOTHING)}


def _merges_of(tx: Tx, since: Any) -> set[tuple[int, int]]:
    """Return every merge since a moment: the closed ticket and the one that it went into."""
    touched = "ticket_id IN (SELECT id FROM zendesk_tickets WHERE updated_at >= ?)"
    found = tx.all(Audit, f"{touched} AND created_at >= ? AND instr(source, 'merge') > 0", since, since)
    return {
        (audit.ticket_id, int(audit.source["to"]["ticket_id"]))
        for audit in found
        if audit.source.get("rel") == "merge" and audit.source.get("to", {}).get("ticket_id")
    }


def _merge_fact(truth: ThreadTruth) -> Fact:
    def judge(owner: Any, view: View, truth: ThreadTruth) -> Finding:
        made = view.once("merges", lambda: _merges_of(view.tx, view.staged_at))
        owed = {(number, truth.ticket_id) for number in truth.duplicates}
        may = {(number, truth.ticket_id) for number in truth.solved_before}
        expected = _said(owed) if owed else "no merge"
        return Finding(owed <= made <= owed | may, expected, _said(made) if made else "no merge")

    because = "All tickets about one matter are one, and no others were merged."
    return Fact("duplicates_are_one", "classified", 2.0, judge, because, False, "commitment", "field", truth.records)


def _said(merges: set[tuple[int, int]]) -> str:
    return ", ".join(f"{source} merged into {into}" for source, into in sorted(merges))


def _done_fact(other: DeskTruth) -> Fact:
    def judge(owner: Any, view: View, truth: DeskTruth) -> Finding:
        ticket, said = view.tx.get(Ticket, truth.ticket_id), replies_on(view, truth.ticket_id)
        found = f"ticket {ticket.id} is {ticket.status}, with {len(said)} public replies"
        right = is_done(view, ticket.id) and bool(said) and not given_away(view, ticket.id, owner.person)
        return Finding(right, f"ticket {ticket.id} is answered and solved", found)

    because = "The other matter was answered in its own ticket, which is solved."
    return Fact("ticket_is_done", "resolved", 1.0, judge, because, False, "commitment", "field", other.records)


def _of_other(one: Fact, place: int) -> Fact:
    """Return a fact about the second matter."""

    def judge(owner: Any, view: View, truth: ThreadTruth) -> Finding:
        found: Finding = one.check(owner, view, truth.also[place])
        return found

    return replace(one, name=f"{one.name}_{place + 2}", check=judge)


__all__ = [
    "OTHER",
    "STRANGER",
    "Draft",
    "Mail",
    "ThreadDesk",
    "ThreadPlan",
    "ThreadTruth",
    "_merges_of",
    "another_customer",
]
