"""Tell one ticket's life turn by turn, in the words of the customer and of the colleagues on shift."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

import msgspec

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.grammar import Renderer
from diorama.people.rhythms import awake, reply_delay
from diorama.people.typos import add_typos
from diorama.people.voices import VOICES, capitalised
from diorama.people.writing import Writer, autoresponse, html_mail, with_history
from diorama.worlds.book import Question, Topic, fitting, rendered, spoken
from diorama.worlds.clashes import CLASHES, DELIVERY_DENIED, SENT, clashing, supported
from diorama.worlds.days import day_words
from diorama.worlds.enclosures import promised
from diorama.worlds.firm import Firm
from diorama.worlds.forwards import passed_on
from diorama.worlds.parcels import expected, parcel_state
from diorama.worlds.residents import Resident

DENIED = "delivered_not_received"
"""The topic whose answers fit once a customer denies a delivery."""
PHOTOS = (
    "IMG_{n}.jpg",
    "IMG_{n}.jpg",
    "IMG_{n}.jpeg",
    "image0.jpeg",
    "photo_{n}.jpg",
    "{day}_{time}.jpg",
    "scan{n}.pdf",
)


TALKATIVE = {"careful": 0.5, "warm": 0.3, "chatty": 0.6, "macro": 0.25, "brisk": 0.0}
"""How often colleagues of a habit add a paragraph to an answer."""


class Turn(msgspec.Struct, kw_only=True):
    """One thing that happened to a ticket: words, a new status, or both."""

    at: datetime
    by: str = ""
    """A colleague's address; "" for the customer."""
    body: str = ""
    public: bool = True
    status: str = ""
    html: str = ""
    attachments: tuple[str, ...] = ()
    automatic: bool = False
    matter: str = ""
    """What an answer that settles the matter says, without greeting and typing errors."""
    macro: str = ""
    """The title of the macro that was applied."""
    tags: tuple[str, ...] = ()
    """What the macro added."""
    link: Literal["", "merged_into", "merged_from", "problem"] = ""
    """How another ticket caused this update, if one did."""
    other: Story | None = None


class Story(msgspec.Struct, kw_only=True):
    """The story of one ticket."""

    topic: Topic
    resident: Resident
    email: str
    language: str
    subject: str
    channel: str
    turns: list[Turn]
    history: History | None = None
    group: str = ""
    assignee: str = ""
    priority: str | None = None
    type: str | None = None
    tags: tuple[str, ...] = ()
    closes: str = ""
    """The resolution, where neither the topic nor an answer decides it."""
    rating: str = ""
    rating_comment: str = ""
    rating_reason: int | None = None
    """The code of the reason for a bad rating."""
    facts: dict[str, str] = {}
    told: tuple[str, ...] = ()
    number: int = 0
    """The ticket's number, known once all earlier tickets have theirs."""
    problem: Story | None = None
    case: str = ""
    source: Story | None = None
    """The closed ticket that this one follows up on."""
    copied: tuple[str, ...] = ()
    """Addresses of those who were sent a copy."""
    follower: str = ""
    """A colleague who follows it."""

    @property
    def status(self) -> str:
        """The ticket's status after its last turn."""
        return next((turn.status for turn in reversed(self.turns) if turn.status), "new")

    @property
    def reopened(self) -> int:
        """How often the ticket was reopened after it was solved."""
        states = [turn.status for turn in self.turns if turn.status]
        return sum(pair == ("solved", "open") for pair in pairwise(states))


class StoryBuilder:
    """Writes one ticket's story turn by turn; nothing after `until` happens."""

    def __init__(
        self,
        firm: Firm,
        dice: Dice,
        resident: Resident,
        topic: Topic,
        history: History | None,
        at: datetime,
        until: datetime,
    ) -> None:
        self.firm = firm
        self.book = firm.book
        self.dice = dice
        self.resident = resident
        self.topic = topic
        self.until = until
        spoken_at_home = resident.writer.person.language
        self.language = spoken_at_home if topic.name in self.book.letters(spoken_at_home) else "en"
        self.history = history
        self.facts = firm.known_facts(dice, resident, topic, history, at, self.language)
        self.facts |= day_words(self.book.desk()["days"][self.language], dice.child("days"), history, at)
        writer = resident.writer.facts()
        faults = firm.faults(topic, self.facts)
        self.case = self.book.draw_case(dice, self.language, topic.name, {**writer, **self.facts}, faults)
        self.email = dice.pick(resident.emails) if dice.chance(0.25) else resident.emails[0]
        self.turns: list[Turn] = []
        self.subject = ""
        self.clock = at
        self.said: set[str] = set()
        self.told: dict[str, str] = {}
        self.asked: set[tuple[str, ...]] = set()
        self.due: datetime | None = None
        """The day that the desk named."""
        self.reacted = ""
        """The kind of the customer's last answer."""
        self.pending: Question | None = None
        """What the desk asked last."""
        self.asked_in = "en"
        """The language of the desk's last question, and so of its answer."""
        self.away_until: datetime | None = None
        self.colleague = firm.team.pick(dice, topic.group, self.language, at)

    @property
    def marks(self) -> frozenset[str]:
        """The marks that a phrase must fit now: the case, the parcel, and the known facts."""
        marks = {self.case, parcel_state(self.history, self.clock), self.topic.type or ""}
        if self.due is not None and self.clock > self.due + timedelta(hours=12):
            marks.add("overdue")
        if "serial" not in self.told:
            marks.add("serial_unknown")
        if self.reacted in ("gives", "photos"):
            marks.add("answered")
        if self.history is not None and self.history.shipment is not None:
            came = self.history.shipment.closed_at
            marks.add("within" if came is None or self.clock - came < self.firm.withdrawal else "beyond")
        return frozenset(marks)

    # --- the customer

    def open(self) -> Story:
        """Write the first message and return the story."""
        dice, writer = self.dice, self._writer()
        note = self.book.write_letter(dice, writer, self.topic.name, self._mentioned(), self.language, self.case)
        self.told = dict(note.used)
        subject, body = note.subject, note.body
        channel = dice.weighted({"email": 0.72, "web": 0.22, "mobile": 0.03, "api": 0.03})
        if dice.chance(0.07) and not self.topic.calm:
            subject = dice.pick(
                self.book.desk()["misc"]["subjects" if self.language == "en" else f"subjects_{self.language}"]
            )
        if channel == "email" and dice.chance(0.045) and self.topic.name != "spam":
            subject, body = passed_on(
                self.firm, dice, writer, subject, body, self.clock, self.history, self.told, self.language
            )
        self.subject = subject
        files = self._photos(0.94) if promised(note.body) else self._photos(self.topic.photos * 0.5)
        if channel == "email" and writer.company and dice.chance(0.25):
            files = (*files, dice.pick(("image001.png", "logo.png", "image002.jpg")))
        if files:
            self.told["file"] = files[0]
        html = html_mail(body, dice) if channel == "email" and dice.chance(0.3) else ""
        self.turns.append(Turn(at=self.clock, body=body, status="new", attachments=files, html=html))
        told = {"order": "order_number", "serial": "serial_number", "address": "address", "product": "product"}
        return Story(
            topic=self.topic,
            resident=self.resident,
            email=self.email,
            language=self.language,
            subject=subject,
            channel=channel,
            turns=self.turns,
            history=self.history,
            facts=self.facts,
            case=self.case,
            told=tuple(item for slot, item in told.items() if slot in note.used),
        )

    def _mentioned(self) -> dict[str, str]:
        """Return the facts for a first message; one in eight omits the order number if the phrases allow it."""
        said = fitting(self.book.letters(self.language)[self.topic.name]["say"], self.marks)
        fewer = {name: value for name, value in self.facts.items() if name != "order"}
        if self.dice.chance(0.12) and Renderer(self.dice, {**self.resident.writer.facts(), **fewer}).usable(said):
            return fewer
        return self.facts

    def customer(self, kind: str, status: str = "open", median_hours: float = 4.0) -> None:
        """Write a short reply of the customer, often with the thread quoted below."""
        dice, self.reacted = self.dice, kind
        since = next(turn.at for turn in reversed(self.turns) if turn.body and turn.public)
        self.clock += reply_delay(dice, self.clock, median_hours)
        self.clock += timedelta(minutes=dice.integer(0, 170 if self.clock.hour == 7 else 25))
        if kind == "thanks" and any(turn.by and SENT.search(turn.body) for turn in self.turns[-2:]):
            self.clock = awake(self.clock + timedelta(days=dice.integer(2, 4)))
        if kind == "unhappy" and self.due is not None:
            self.clock = max(self.clock, awake(self.due + timedelta(hours=dice.integer(14, 60))))
        if self.away_until is not None:
            back = self.away_until + timedelta(minutes=dice.integer(8 * 60, 20 * 60), seconds=dice.integer(0, 59))
            self.clock = max(self.clock, back)
        self.clock = self.clock.replace(microsecond=0)
        language = self.asked_in if kind in ("gives", "photos") else self.language
        writer, voice = self.resident.writer, VOICES[self.resident.writer.voice]
        lists = self.book.phrases_of(language, "lists", self.case)
        renderer = Renderer(dice, {**writer.facts(), **self.facts, "agent": self.colleague.given}, lists)
        said = self._fresh(renderer, self._reaction(kind, language, since))
        said = add_typos(dice, said, voice.typo_rate * 1.5, language)
        if voice.name == "angry" and kind != "thanks" and dice.chance(0.4):
            said = said.upper()
        if dice.chance(0.3):
            said += f"\n\n{writer.person.given}"
        body = renderer.fill(said)
        self.told.update(renderer.used)
        files = self._photos(0.97) if kind == "photos" or promised(body) else ()
        if dice.chance(0.32):
            body = self._with_history(body, language)
        html = html_mail(body, dice) if dice.chance(0.15) else ""
        self.turns.append(Turn(at=self.clock, body=body, status=status, attachments=files, html=html))

    def _reaction(self, kind: str, language: str, since: datetime) -> Sequence[str]:
        """Return the possible phrases of a reply, specific to the topic if there are any."""
        general = self.book.desk()["customer"][language]
        if kind == "gives" and self.pending is not None:
            return fitting(self.pending.back, self.marks)
        if kind == "chases":
            waited = self.clock - since
            length = "soon" if waited < timedelta(hours=30) else "days" if waited < timedelta(days=6) else "week"
            return fitting(general["chases"], frozenset((length,)))
        if kind in ("thanks", "unhappy"):
            own = self.book.phrases(language, self.topic.name, kind, self.marks)
            return [phrase for phrase in own if phrase not in self.said] or general[kind]
        return list(general[kind])

    def _with_history(self, body: str, language: str) -> str:
        last = next((one for one in reversed(self.turns) if one.public and one.body and not one.automatic), None)
        if last is None:
            return body
        person, support = self.resident.writer.person, self.firm.support
        who, address, to = (
            (self.colleague.given, support, self.email) if last.by else (person.name, self.email, support)
        )
        earlier = last.body.partition("\n> ")[0][:900]
        return with_history(self.dice, body, earlier, who, address, last.at, to, self.subject, self.language)

    def away(self) -> None:
        """Add an automatic out-of-office reply; the customer does not write again before they return."""
        back = self.clock + timedelta(days=self.dice.integer(2, 16))
        _, body = autoresponse(self.dice, self._writer(), self.subject, back, self.language)
        at = self.clock + timedelta(seconds=self.dice.integer(4, 90))
        self.turns.append(Turn(at=at, body=body, status="open", automatic=True))
        self.away_until = back.replace(hour=0, minute=0, second=0)

    # --- the desk

    def ask(self, status: str = "pending", median_hours: float = 3.0) -> bool:
        """Ask what the colleague needs to know; return False if there is no sensible question."""
        language = self._reply_language()
        open_to_ask = [
            one
            for one in self.book.questions(language, self.topic.name)
            if one.ask not in self.asked and one.sensible(self.marks, self.told)
        ]
        if not open_to_ask:
            return False
        self.pending = self.dice.pick(open_to_ask)
        self.asked.add(self.pending.ask)
        self.agent("ask", status, median_hours)
        return True

    def agent(self, kind: str, status: str, median_hours: float = 3.0, opener: str = "") -> None:
        """Write a colleague's answer during their shift."""
        dice, who = self.dice, self.colleague
        hours = min(max(dice.lognormal(median_hours * who.speed, 0.95), 0.08), 300.0)
        self.clock = self.firm.team.on_shift(
            who, self.clock + timedelta(hours=hours, seconds=dice.integer(0, 900)), dice
        )
        if not self._reply(kind, status, opener):
            return
        alone = not any(turn.automatic for turn in self.turns)
        if alone and dice.chance(0.02) and self.clock < self.until:
            self.away()
            if status == "solved":
                self.solve()

    def note(self, status: str = "", text: Sequence[str] = ()) -> None:
        """Write an internal note."""
        dice, person = self.dice, self.resident.writer.person
        own = self.book.phrases("en", self.topic.name, "note", self.marks) or self.book.phrases(
            "en", "other", "note", self.marks
        )
        misc = self.book.desk()["misc"]["notes_vip" if self.resident.segment == "vip" and dice.chance(0.4) else "notes"]
        chosen = text or (misc if not self.topic.ends and dice.chance(0.3) else own)
        facts = self.firm.desk_facts(self.history, self.facts, self.clock, "en")
        renderer = Renderer(dice, {**facts, "given": person.given})
        body = add_typos(dice, self._fresh(renderer, chosen) or "see above", 0.02)
        at = self.firm.team.on_shift(self.colleague, self.clock + timedelta(minutes=dice.integer(1, 45)), dice)
        self.turns.append(Turn(at=at, by=self.colleague.email, body=renderer.fill(body), public=False, status=status))
        self.clock = at

    def discard(self) -> None:
        """Solve junk, in some cases with a macro."""
        self.solve()
        macro = self.book.draw_macro(self.dice, self.colleague, self.topic.name, "done", self.marks)
        if macro is not None:
            self.turns[-1].macro, self.turns[-1].tags = macro.title, tuple(macro.tags.split())

    def solve(self) -> None:
        """Set the ticket to solved without a comment."""
        self.clock = self.firm.team.on_shift(
            self.colleague, self.clock + timedelta(hours=self.dice.lognormal(3.0, 1.0)), self.dice
        )
        self.turns.append(Turn(at=self.clock, by=self.colleague.email, status="solved"))

    def hand_over(self) -> None:
        """Hand the ticket over to another colleague."""
        self.colleague = self.firm.team.pick(self.dice, self.topic.group, self.language, self.clock)

    def _reply_language(self) -> str:
        return self.language if self.language in self.colleague.languages else "en"

    def _reply(self, kind: str, status: str, opener: str) -> bool:
        dice, who, language = self.dice, self.colleague, self._reply_language()
        facts = self.firm.desk_facts(self.history, self.facts, self.clock, language)
        person, first = self.resident.writer.person, not any(turn.by and turn.public for turn in self.turns)
        self.asked_in = language
        canned = language == "en" and (kind != "ask" or (self.pending and self.pending.unless == "serial"))
        canned = canned and not any(turn.macro for turn in self.turns)
        macro = self.book.draw_macro(dice, who, self.topic.name, kind, self.marks) if canned else None
        if macro is not None and macro.text and self._agreeing([macro.text]):
            body = rendered(macro, person.given, person.name, who)
            files = self.firm.enclosures(self.topic.name, facts, body)
            tags = tuple(macro.tags.split())
            turn = Turn(at=self.clock, by=who.email, body=body, status=status, attachments=files)
            turn.macro, turn.tags, turn.matter = macro.title, tags, body
            self.turns.append(turn)
            return True
        known = {**facts, "given": person.given, "name": person.name, "agent": who.given, "team": who.groups[0]}
        known |= {"daytime": self.firm.greeting(self.clock, language), "email": self.email}
        known |= self.firm.reply_facts(who)
        renderer = Renderer(dice, known)
        matter = self._matter(renderer, kind, language)
        if not matter:
            return False
        if "eta" in renderer.used and self.history is not None and self.history.shipment is not None:
            self.due = expected(self.history.shipment, self.clock)
        lead = renderer.pick(self.book.desk()["waiting"][language][opener]) if opener else ""
        if kind == "welcome":
            self.turns.append(Turn(at=self.clock, by=who.email, body=renderer.fill(matter), status=status))
            return True
        if language == "en":
            style = self.book.desk()["styles"][who.habit]
            manner = "later" if not first else "sorry" if self.topic.type == "problem" else "openers"
            lead = lead or renderer.pick(fitting(style[manner], self.marks))
            more = renderer.pick(style["more"]) if kind == "done" and dice.chance(TALKATIVE[who.habit]) else ""
            greeting, closing = renderer.pick(style["greetings"]), renderer.pick(style["closings"])
            said = [spoken((lead, matter)), more, closing]
        else:
            frame = self.book.desk()["frame"][language]
            matter = capitalised(matter) if lead else matter
            told = spoken((lead, matter))
            told = told if language == "de" else capitalised(told)
            greeting, said = renderer.pick(frame["greetings"]), [told, renderer.pick(frame["closings"])]
        rate = 0.006 if who.habit in ("brisk", "chatty") else 0.001
        typed = add_typos(dice, "\n\n".join(part for part in said if part), rate)
        body = renderer.fill(f"{greeting}\n\n{typed}" if greeting else typed)
        files = self.firm.enclosures(self.topic.name, facts, renderer.fill(matter))
        turn = Turn(at=self.clock, by=who.email, body=body, status=status, attachments=files)
        turn.matter = renderer.fill(matter) if kind == "done" else ""
        self.turns.append(turn)
        return True

    def _matter(self, renderer: Renderer, kind: str, language: str) -> str:
        """Return the main sentence."""
        if kind == "ask" and self.pending is not None:
            return self._fresh(renderer, fitting(self.pending.ask, self.marks))
        if kind == "welcome":
            return renderer.pick(self.book.desk()["waiting"][language][kind])
        for topic in (DENIED, self.topic.name) if kind == "done" and self._denied else (self.topic.name,):
            own = self._agreeing(self.book.phrases(language, topic, kind, self.marks))
            if renderer.usable(own):
                return self._fresh(renderer, own)
        return self._fresh(renderer, self._agreeing(self.book.phrases(language, "other", kind, self.marks)))

    @property
    def _denied(self) -> bool:
        """Whether the customer wrote after the delivery that nothing came."""
        came = self.history.shipment.closed_at if self.history and self.history.shipment else None
        if came is None:
            return False
        later = [turn.body for turn in self.turns if not turn.by and turn.at > came + timedelta(hours=12)]
        return any(DELIVERY_DENIED.said.search(text) for text in later)

    def _agreeing(self, phrases: Sequence[str]) -> list[str]:
        """Return the phrases that agree with what the customer has said in this thread."""
        heard = [turn.body for turn in self.turns if not turn.by]
        pairs = (*CLASHES, DELIVERY_DENIED) if self._denied else CLASHES
        return [one for one in phrases if supported(heard, one) and clashing(heard, one, pairs) is None]

    def _fresh(self, renderer: Renderer, some: Sequence[str]) -> str:
        """Return a phrase that is new in this thread, if there is one."""
        unused = [phrase for phrase in renderer.usable(some) if phrase not in self.said]
        chosen = unused or renderer.usable(some)
        if not chosen:
            return ""
        phrase = self.dice.pick(chosen)
        self.said.add(phrase)
        return renderer.render(phrase)

    def _writer(self) -> Writer:
        return msgspec.structs.replace(self.resident.writer, email=self.email)

    def _photos(self, chance: float) -> tuple[str, ...]:
        dice, taken = self.dice, self.clock
        if not dice.chance(chance):
            return ()
        names = self.firm.screens if self.topic.screens and dice.chance(0.75) else PHOTOS
        taken -= timedelta(minutes=dice.integer(2, 400))
        shot = {
            "day": f"{taken:%Y%m%d}",
            "time": f"{taken:%H%M%S}",
            "date": f"{taken:%Y-%m-%d}",
            "clock": f"{taken:%H.%M.%S}",
        }
        many = dice.weighted({1: 0.6, 2: 0.3, 3: 0.1})
        return tuple(dice.pick(names).format(n=dice.integer(1001, 9899), **shot) for _ in range(many))
