"""Telling: one ticket's life turn by turn, in the words of the customer and of whoever is on shift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

import msgspec

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.addresses import draw_home
from diorama.people.grammar import WORD, Pen
from diorama.people.rhythms import awake, reply_delay
from diorama.people.slips import slip
from diorama.people.voices import VOICES
from diorama.people.writing import Writer, autoresponse, forwarded, html_mail, say_amount, say_date, with_history
from diorama.worlds.larkspur.company import AT_THE_DESK, SUPPORT, Colleague
from diorama.worlds.larkspur.residents import Resident
from diorama.worlds.larkspur.topics import Topic, desk, letters, write_letter

MORNING_HOURS = 5.0
"""So long it takes a colleague to get through what came while nobody was there."""
CODES = ("WINTER10", "HELLO5", "NEWBEAN", "BLACKFRIDAY25", "THANKYOU", "SPRING15")
SHORT_COFFEES = ("Harbour Blend", "Night Shift", "Kochere", "Huila Decaf", "Nyeri")
MODELS = ("Aria", "Aria Plus", "Calla", "Lark Compact", "Duet", "Heron 64", "Finch grinder")
PARTS = {
    "en": (
        "group gasket",
        "water tank",
        "drip tray",
        "pump",
        "shower screen",
        "portafilter basket",
        "steam tip",
        "burr set",
    ),
    "de": ("die Dichtung", "der Wassertank", "das Tropfblech", "die Pumpe", "das Sieb"),
    "fr": ("le joint", "le réservoir", "le bac", "la pompe", "le filtre"),
    "es": ("la junta", "el depósito", "la bandeja", "la bomba", "el filtro"),
    "nl": ("het rubber", "de watertank", "de lekbak", "de pomp", "het filter"),
}
HEADINGS = {
    "delivery_late": "parcel",
    "delivered_not_received": "parcel",
    "damaged_arrival": "again",
    "wrong_item": "again",
    "missing_part": "again",
    "machine_fault": "machine",
    "refund_missing": "money",
    "double_charge": "money",
    "subscription_change": "plan",
    "subscription_cancel": "plan",
}
"""Where the desk's other languages have what is said about a topic."""
PHOTOS = (
    "IMG_{n}.jpg",
    "IMG_{n}.HEIC",
    "image0.jpeg",
    "photo_{n}.jpg",
    "Screenshot_{n}.png",
    "20{n}_103312.jpg",
    "scan{n}.pdf",
)


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
    link: Literal["", "merged_into", "merged_from", "problem"] = ""
    """What the update came from, when that was another ticket."""
    other: Story | None = None


class Story(msgspec.Struct, kw_only=True):
    """One ticket's life."""

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
    reason: str = ""
    rating: str = ""
    rating_comment: str = ""
    rating_reason: int | None = None
    """The code of the reason that somebody unhappy chose."""
    facts: dict[str, str] = {}
    told: tuple[str, ...] = ()
    number: int = 0
    """The ticket's number, once all that came before it have theirs."""
    problem: Story | None = None

    @property
    def status(self) -> str:
        """How the ticket stands after its last turn."""
        return next((turn.status for turn in reversed(self.turns) if turn.status), "new")

    @property
    def reopened(self) -> int:
        """How often it came back after it counted as solved."""
        states = [turn.status for turn in self.turns if turn.status]
        return sum(pair == ("solved", "open") for pair in pairwise(states))


def fitting_order(dice: Dice, resident: Resident, topic: Topic, at: datetime) -> History | None:
    """The order a message at this time would be about."""
    before = [history for history in resident.histories if history.order.created_at < at - timedelta(hours=3)]
    if topic.order == "machine":
        before = [history for history in before if any(line.serial_numbers for line in history.lines)]
    elif topic.order == "coffee":
        before = [history for history in before if history.lines[0].sku.startswith("CF-")]
    elif topic.order in ("recent", "delivered", "goods"):
        before = [history for history in before if history.order.created_at > at - timedelta(days=45)]
    if topic.order == "goods":
        before = [history for history in before if not history.lines[0].sku.startswith("CF-")]
    if topic.order in ("delivered", "goods"):
        before = [one for one in before if one.shipment is not None and one.shipment.closed_at is not None]
        before = [one for one in before if one.shipment is not None and (one.shipment.closed_at or at) < at]
    if not before or topic.order == "none":
        return None
    return before[-1] if topic.order == "recent" or dice.chance(0.7) else dice.pick(before)


def known_facts(
    dice: Dice, resident: Resident, topic: Topic, history: History | None, at: datetime, language: str
) -> dict[str, str]:
    """What the customer can say: nothing that the back office would deny, but for what they mistook."""
    facts = {"coffee": dice.pick(SHORT_COFFEES), "city": resident.postal.city, "code": dice.pick(CODES)}
    facts["part"] = dice.pick(PARTS[language])
    if topic.name == "address_change":
        facts["address"] = draw_home(dice, resident.postal.country).one_line()
    if history is None:
        facts["product"] = dice.pick(MODELS)
        return facts
    line = next((line for line in history.lines if line.serial_numbers), history.lines[0])
    name = line.name.removesuffix(" 250 g").removesuffix(" 1 kg").partition(",")[0]
    facts["product"] = name
    if line.sku.startswith("CF-"):
        facts["coffee"] = name
    number = history.order.number
    facts["order"] = dice.pick((number, number, number, number.removeprefix("LK-"), number.lower(), f"#{number[3:]}"))
    facts["date"] = say_date(dice, history.order.created_at, language)
    facts["amount"] = say_amount(dice, history.charge.amount_cents, history.charge.currency, language)
    if history.shipment is not None:
        facts["carrier"] = history.shipment.carrier
        facts["tracking"] = history.shipment.tracking_number
    if line.serial_numbers:
        facts["serial"] = line.serial_numbers[0]
    return facts


def formal_facts(history: History | None, facts: dict[str, str]) -> dict[str, str]:
    """The same facts as the desk writes them."""
    if history is None:
        return facts
    cents = history.charge.amount_cents
    return {**facts, "order": history.order.number, "amount": f"{cents // 100}.{cents % 100:02d} EUR"}


class Teller:
    """Tells one ticket's life turn by turn; what lies after `until` has not happened."""

    def __init__(self, dice: Dice, resident: Resident, topic: Topic, at: datetime, until: datetime) -> None:
        self.dice = dice
        self.resident = resident
        self.topic = topic
        self.until = until
        self.language = resident.writer.person.language
        self.history = fitting_order(dice, resident, topic, at)
        self.facts = known_facts(dice, resident, topic, self.history, at, self.language)
        self.email = dice.pick(resident.emails) if dice.chance(0.25) else resident.emails[0]
        self.turns: list[Turn] = []
        self.subject = ""
        self.clock = at
        self.said: set[str] = set()
        self.asked_in = "en"
        """The language of the desk's last question, and so of its answer."""
        self.colleague = pick_colleague(dice, topic.group, self.language)

    # --- the customer

    def open(self) -> Story:
        """The first message."""
        dice, writer = self.dice, self._writer()
        note = write_letter(dice, writer, self.topic.name, self._mentioned())
        self.language = note.language
        subject, body = note.subject, note.body
        channel = dice.weighted({"email": 0.72, "web": 0.22, "mobile": 0.03, "api": 0.03})
        if dice.chance(0.09):
            subject = dice.pick(desk()["misc"]["subjects"])
        if channel == "email" and dice.chance(0.03):
            sent = self.clock - timedelta(days=dice.integer(1, 9), minutes=dice.integer(1, 600))
            body = forwarded(dice, body, writer.person.name, self.email, sent, SUPPORT, subject, self.language)
            subject = f"Fwd: {subject}"
        self.subject = subject
        files = self._photos(
            0.8 if "ttach" in body or "anbei" in body or "oint" in body else 0.02 + self.topic.photos * 0.7
        )
        html = html_mail(body) if channel == "email" and dice.chance(0.12) else ""
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
            told=tuple(item for slot, item in told.items() if slot in note.used),
        )

    def _mentioned(self) -> dict[str, str]:
        """What goes into a first message: one in eight forgets the order number where the phrases allow it."""
        phrases = letters(self.language).get(self.topic.name) or letters("en")[self.topic.name]
        fewer = {name: value for name, value in self.facts.items() if name != "order"}
        if self.dice.chance(0.12) and Pen(self.dice, fewer).usable(phrases["say"]):
            return fewer
        return self.facts

    def customer(self, kind: str, status: str = "open", median_hours: float = 4.0) -> None:
        """The customer writes back, in few words, often with the history below."""
        dice = self.dice
        self.clock += reply_delay(dice, self.clock, median_hours)
        self.clock = self.clock.replace(microsecond=0)
        answering = kind == "gives" and self.asked_in == "en"
        suffix = "" if self.language == "en" or answering else f"_{self.language}"
        pen = Pen(dice, {**self.facts, "agent": self.colleague.given})
        phrases = desk()[f"customer{suffix}"][kind]
        if answering:
            phrases = desk()["answers"].get(self.topic.name, {}).get("back", phrases)
        voice = VOICES[self.resident.writer.voice]
        said = slip(dice, self._fresh(pen, phrases), voice.slips * 1.5, "en" if answering else self.language)
        if voice.name == "angry" and dice.chance(0.4):
            said = said.upper()
        if dice.chance(0.3):
            said += f"\n\n{self.resident.writer.person.given}"
        body = pen.fill(said)
        last = next((turn for turn in reversed(self.turns) if turn.public and turn.body), None)
        if last is not None and dice.chance(0.3):
            who = self.colleague.given if last.by else self.resident.writer.person.name
            address = SUPPORT if last.by else self.email
            earlier = last.body.partition("\n> ")[0][:900]
            body = with_history(dice, body, earlier, who, address, last.at, self.email, self.subject, self.language)
        files = self._photos(0.9) if kind == "photos" else ()
        self.turns.append(Turn(at=self.clock, body=body, status=status, attachments=files))

    def away(self) -> None:
        """A machine answers for the customer."""
        back = self.clock + timedelta(days=self.dice.integer(2, 16))
        _, body = autoresponse(self.dice, self._writer(), self.subject, back, self.language)
        at = self.clock + timedelta(seconds=self.dice.integer(4, 90))
        self.turns.append(Turn(at=at, body=body, status="open", automatic=True))

    # --- the desk

    def agent(self, kind: str, status: str, median_hours: float = 3.0, opener: str = "") -> None:
        """A colleague answers when their shift allows."""
        dice, who = self.dice, self.colleague
        hours = min(max(dice.lognormal(median_hours * who.speed, 0.95), 0.08), 300.0)
        self.clock = on_shift(who, self.clock + timedelta(hours=hours, seconds=dice.integer(0, 900)))
        body = self._reply(kind, opener)
        self.turns.append(Turn(at=self.clock, by=who.email, body=body, status=status))
        if dice.chance(0.025) and self.clock < self.until:
            self.away()

    def note(self, status: str = "") -> None:
        """A line for colleagues."""
        dice, answers = self.dice, desk()["answers"]
        phrases = answers.get(self.topic.name, answers["other"])["note"]
        if not self.topic.ends and dice.chance(0.4):
            phrases = desk()["misc"]["notes"]
        pen = Pen(dice, formal_facts(self.history, self.facts))
        body = slip(dice, pen.pick(phrases) or "see above", 0.02)
        at = on_shift(self.colleague, self.clock + timedelta(minutes=dice.integer(1, 45)))
        self.turns.append(Turn(at=at, by=self.colleague.email, body=pen.fill(body), public=False, status=status))
        self.clock = at

    def solve(self) -> None:
        """A status without a word."""
        self.clock = on_shift(self.colleague, self.clock + timedelta(hours=self.dice.lognormal(3.0, 1.0)))
        self.turns.append(Turn(at=self.clock, by=self.colleague.email, status="solved"))

    def hand_over(self) -> None:
        """Another colleague goes on."""
        self.colleague = pick_colleague(self.dice, self.topic.group, self.language)

    def _reply(self, kind: str, opener: str) -> str:
        dice, who = self.dice, self.colleague
        style = desk()["styles"][who.habit]
        facts = formal_facts(self.history, self.facts)
        person = self.resident.writer.person
        pen = Pen(dice, {**facts, "given": person.given, "name": person.name, "agent": who.given})
        self.asked_in = self.language if self.language in who.languages else "en"
        if self.asked_in != "en":
            texts = desk()[f"answers_{self.language}"]
            said = [
                pen.pick(texts["greetings"]),
                self._fresh(pen, texts[self._manner(kind, texts)]) or pen.pick(texts["done"]),
                pen.pick(texts["closings"]),
            ]
        else:
            answers = desk()["answers"].get(self.topic.name, desk()["answers"]["other"])
            phrases = answers[kind] if kind in answers else desk()["waiting"][kind]
            matter = self._fresh(pen, phrases) or pen.pick(desk()["answers"]["other"]["done"])
            manner = "sorry" if self.topic.type == "problem" and not any(turn.by for turn in self.turns) else "openers"
            first = pen.pick(desk()["waiting"][opener]) if opener else pen.pick(style[manner])
            said = [
                pen.pick(style["greetings"]),
                " ".join(part for part in (first, matter) if part),
                pen.pick(style["closings"]),
            ]
        rate = 0.006 if who.habit in ("brisk", "chatty") else 0.001
        return pen.fill(slip(dice, "\n\n".join(said), rate))

    def _manner(self, kind: str, texts: Mapping[str, Sequence[str]]) -> str:
        """Under which heading a language has what is to be said: a question is answered, anything else is done."""
        if kind == "done":
            return HEADINGS.get(self.topic.name) or ("told" if self.topic.type == "question" else "done")
        return kind if kind in texts else "done"

    def _fresh(self, pen: Pen, phrases: Sequence[str]) -> str:
        """A phrase that was not used in this thread before, as far as there are any."""
        said = pen.pick(phrases)
        for _ in range(3):
            if said not in self.said:
                break
            said = pen.pick(phrases)
        self.said.add(said)
        return said

    def _writer(self) -> Writer:
        return msgspec.structs.replace(self.resident.writer, email=self.email)

    def _photos(self, chance: float) -> tuple[str, ...]:
        dice = self.dice
        if not dice.chance(chance):
            return ()
        return tuple(
            dice.pick(PHOTOS).format(n=dice.integer(1001, 9899)) for _ in range(dice.weighted({1: 0.6, 2: 0.3, 3: 0.1}))
        )


# --- colleagues


def pick_colleague(dice: Dice, group: str, language: str) -> Colleague:
    """Who takes it: somebody of the group, better one who speaks the language."""
    weights = [
        who.share * (1.0 if group in who.groups else 0.12) * (2.5 if language in who.languages else 1.0)
        for who in AT_THE_DESK
    ]
    return dice.weighted(AT_THE_DESK, weights)


def on_shift(who: Colleague, moment: datetime) -> datetime:
    """The moment, or the next one at which the colleague is at work and has come to it."""
    at_work = awake(moment, who.shift)
    while at_work.weekday() not in who.days:
        at_work = awake((at_work + timedelta(days=1)).replace(hour=who.shift[0]), who.shift)
    if at_work != moment:
        share = (moment.minute * 60 + moment.second) / 3600
        at_work = at_work.replace(hour=who.shift[0], minute=0) + timedelta(hours=MORNING_HOURS * share**1.6)
    return max(at_work, who.since).replace(microsecond=0)


def spoken_things() -> set[str]:
    """Words of goods, codes and parts that customers write, lower case."""
    texts = [*CODES, *SHORT_COFFEES, *MODELS, *(part for parts in PARTS.values() for part in parts)]
    return {word for text in texts for word in WORD.findall(text.lower())}
