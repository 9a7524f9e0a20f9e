"""A case: what is true and known about one customer's matter, as plain data that words are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.values import FAMILY, Value, plain_value, read_values, street_at
from diorama.rewards.claims.wording import claimed


class Entity(msgspec.Struct, frozen=True, gc=False):
    """Something that has to be told; any of its values tells it."""

    kind: str
    """amount (cents), date (YYYY-MM-DD), time (HH:MM), record, address, deed, topic, name, answer (how it stands)"""
    values: tuple[str, ...]

    def __str__(self) -> str:
        shown = (
            [f"{int(one) // 100}.{int(one) % 100:02d}" for one in self.values] if self.kind == "amount" else self.values
        )
        if self.kind == "deed":
            return f"that {' or '.join(claimed(one) for one in self.values[:3])}"
        if self.kind == "answer":
            return self.values[0]
        return f"{self.kind} {' or '.join(list(shown)[:3])}"


class Text(msgspec.Struct, frozen=True, gc=False):
    """One outgoing text."""

    body: str
    to: tuple[str, ...] = ()
    """The addresses that it went to."""
    seq: int = 0
    """The event that sent it."""
    hidden: bool = False
    """Whether it only comes with a text, such as a comment in HTML or a file: it must be true, but tells nothing."""
    struck: bool = False
    """Whether it is struck through: it tells and claims nothing, but other people's data in it are a leak."""


class Grounds(msgspec.Struct, frozen=True, gc=False):
    """Values that may be said; all in the normal form of `read_values`."""

    amounts: frozenset[int] = frozenset()
    dates: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()
    streets: frozenset[str] = frozenset()
    postcodes: frozenset[str] = frozenset()
    emails: frozenset[str] = frozenset()
    phones: frozenset[str] = frozenset()
    cards: frozenset[str] = frozenset()

    def __or__(self, other: Grounds) -> Grounds:
        return Grounds(
            self.amounts | other.amounts, self.dates | other.dates,
            self.records | other.records, self.streets | other.streets, self.postcodes | other.postcodes,
            self.emails | other.emails, self.phones | other.phones, self.cards | other.cards,
        )  # fmt: skip

    def __sub__(self, other: Grounds) -> Grounds:
        return Grounds(*(getattr(self, name) - getattr(other, name) for name in self.__struct_fields__))


class Thing(msgspec.Struct, frozen=True, gc=False):
    """One record of the customer that a sentence can be about, as it stands at the end."""

    kind: str
    """order, plan, account, machine or return"""
    id: str
    numbers: tuple[str, ...] = ()
    """The numbers by which it is named, in upper case: of the order, its parcels, the machine."""
    name: str = ""
    """Words that name it: the plan, the machine."""
    status: str = ""
    streets: tuple[str, ...] = ()
    """The addresses that it goes or went to, in the normal form of `street_of`."""
    towns: tuple[str, ...] = ()
    """The towns of these addresses, folded."""
    cents: int = 0
    """The total of an order, the balance of an account."""
    renews: bool = False
    """An order that a plan placed by itself."""
    weeks: int = 0
    """How often a plan renews."""
    days: tuple[str, ...] = ()
    """The next renewals of a plan, the end of a warranty, the last day of a label, the day when a kit is due back."""
    goods: tuple[str, ...] = ()
    """The folded names of what an order contains."""
    prices: tuple[int, ...] = ()
    """The totals of the lines of an order, in cents, in the order of `goods`."""
    arrived: str = ""
    """The day on which the last parcel of an order was delivered, or a return came in."""
    placed: str = ""
    """The day on which an order was placed."""
    charges: int = 0
    """How many payments were taken for an order."""
    option: str = ""
    """The grind of a plan, such as `whole_bean`."""
    note: str = ""
    """What was written down when the goods of a return came in, folded."""

    def moves(self, today: str) -> bool:
        """Check whether an order was open or on its way on a day, also if it has been delivered since."""
        return self.kind == "order" and (self.status in {"open", "shipped"} or self.arrived >= today[:10] > "")


class Parcel(msgspec.Struct, frozen=True):
    """One parcel of an order, as it stands at the end."""

    order: str
    """The id of its order; for a part, the order of the machine."""
    number: str
    """Its tracking number, in upper case."""
    status: str
    """waiting (not handed over), moving, arrived, lost, back (returned to the sender) or cancelled"""
    goods: tuple[str, ...] = ()
    """The folded names of what it contains; empty if unknown."""
    made: str = ""
    """The day of its label."""
    sent: str = ""
    """The day on which the carrier got it."""
    closed: str = ""
    """The day on which it was delivered, lost or returned."""
    due: str = ""
    """The day on which the carrier expects to deliver it."""
    carrier: str = ""
    """The folded name of its carrier."""


class InternalNote(msgspec.Struct, frozen=True):
    """What was written for colleagues: a note of the back office, or an internal comment."""

    body: str
    own: bool = False
    """Whether the agent wrote it."""
    seq: int = 0
    """The event of the episode that wrote it."""


class Payment(msgspec.Struct, frozen=True):
    """One refund, also one that failed."""

    cents: int
    destination: str
    status: str
    """pending, succeeded or failed"""
    order: str = ""
    day: str = ""


UNITS = 10
"""How many times a price for each may go into a known amount."""
_EACH = re.compile(r"\s?(?:each|apiece|per|a day|je\b|jeweils|pro|chacun|par|cada|por|al dia)")
HALF_A_YEAR = 183
"""How far from today a day is whose year need not be stated."""


class Case(msgspec.Struct, frozen=True, dict=True):
    """What one or several texts are compared with."""

    known: Grounds = Grounds()
    """Values of this customer's rows before and after, and of the thread."""
    company: Grounds = Grounds()
    """Values of the Help Center, the catalogue and company pages: they may be said, but are not added up."""
    private: Grounds = Grounds()
    """Values that exist but that the recipient may not be told: they belong to another person, or are not proven."""
    private_words: frozenset[str] = frozenset()
    """Words that the recipient may not be told: the towns, goods and plans of an account that is not proven theirs."""
    deeds: tuple[Deed, ...] = ()
    """Deeds that stand at the end, also those from before the episode."""
    expected: frozenset[str] = frozenset()
    """Kinds of deeds that will follow by themselves, such as the credit for an opened return."""
    tell: tuple[Entity, ...] = ()
    things: tuple[Thing, ...] = ()
    """The customer's orders, plans, machines and account."""
    parcels: tuple[Parcel, ...] = ()
    """The parcels of these orders; empty if they are not known."""
    payments: tuple[Payment, ...] = ()
    """The refunds, also those that failed."""
    failed: bool = True
    """Whether a payment, a refund or a renewal may have failed; False if the rows show none."""
    brands: frozenset[str] = frozenset()
    """The brands of the cards that the customer has or paid with, such as `visa`; empty if they are not known."""
    stops: frozenset[str] = frozenset()
    """Folded towns where parcels are scanned, that of the company, and the words of colleagues' notes."""
    notes: tuple[InternalNote, ...] = ()
    """What colleagues wrote for each other about this customer: it must not be repeated word for word."""
    strangers: frozenset[str] = frozenset()
    """The folded names of other customers that the texts have; a case without texts knows none."""
    today: str = ""
    thread: str = ""
    """The texts that were written to the desk, for quotations."""
    domains: frozenset[str] = frozenset()
    """Mail domains of the company."""
    hosts: frozenset[str] = frozenset()
    """Web hosts that the company names in its pages."""
    resolution: str = ""
    """How the ticket was closed by its own form: refunded, refused, explained; empty if it was not."""
    machines: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    terms_days: tuple[int, ...] = (7, 14, 28, 30)
    """Documented terms: a known date plus one of them is known too."""
    terms_months: tuple[int, ...] = (12, 24)

    @cached_property
    def day(self) -> date | None:
        """Return today as a date."""
        return date.fromisoformat(self.today[:10]) if self.today else None

    @cached_property
    def amounts(self) -> frozenset[int]:
        """Return the amounts that may be said by themselves."""
        paid = [one.cents for one in self.deeds if one.cents and one.cents not in self.private.amounts]
        return frozenset({0, sum(paid), *paid, *self.known.amounts, *self.company.amounts})

    def derives(self, cents: int, said: AbstractSet[int]) -> bool:
        """Check whether an amount is the sum of all that is said, or follows from one that is said and a known one.

        The amounts of deeds count as said.
        """
        known = self.known.amounts
        return cents == sum(said) or any(
            cents - one in known or one - cents in known or cents + one in known for one in (*said, *self.paid)
        )

    def is_unit_price(self, text: str, value: Value) -> bool:
        """Check whether an amount goes several times into a known one: `25.00 each` where 50.00 was kept."""
        if value.kind != "amount" or not _EACH.match(text, value.end):
            return False
        cents = int(value.value)
        return any(cents * times in self.known.amounts for times in range(2, UNITS + 1) if cents)

    @cached_property
    def new_deeds(self) -> tuple[Deed, ...]:
        """Return the deeds that stand and were done in the episode, or today."""
        today = self.today[:10]
        return tuple(one for one in self.deeds if one.stands and (one.seq or (one.day and one.day >= today)))

    @cached_property
    def paid(self) -> tuple[int, ...]:
        """Return the amounts of the deeds of the episode."""
        found = {one.cents for one in self.deeds if one.cents and one.seq}
        return tuple(sorted(found - self.private.amounts))

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What was found out about texts with this case; it follows from both."""
        return {}

    def has_noted(self, *stems: re.Pattern[str]) -> bool:
        """Check whether a note of a colleague has all of some stems; looked up once."""
        name = "noted", stems
        if name not in self.kept:
            self.kept[name] = any(all(one.search(note) for one in stems) for note in self.noted)
        found: bool = self.kept[name]
        return found

    @cached_property
    def noted(self) -> tuple[str, ...]:
        """Return the internal notes in small letters."""
        return tuple(one.body.lower() for one in self.notes)

    @cached_property
    def families(self) -> Mapping[str, frozenset[int]]:
        """Return for the letters before the digits of known record numbers how many digits follow: LK, 5."""
        known, private = self.known.records, self.private.records
        return _families_of(known | private if private else known)

    @cached_property
    def days(self) -> frozenset[str]:
        """Return the known dates and those that follow from them by a documented term."""
        found = {one for one in self.known.dates | self.company.dates if not one.startswith("--")}
        found |= {day for one in self.things for day in one.days if day not in self.private.dates}
        for text in tuple(found):
            known = date.fromisoformat(text)
            found |= {(known + timedelta(days=days)).isoformat() for days in self.terms_days if known.year < 9990}
            found |= {shifted for months in self.terms_months if (shifted := _add_months(known, months))}
        if self.day:
            found |= {(self.day + timedelta(days=days)).isoformat() for days in (-1, 0, 1)}
        return frozenset(found)

    @cached_property
    def month_days(self) -> frozenset[str]:
        """Return the known dates without their years."""
        bare = {one for one in self.known.dates | self.company.dates if one.startswith("--")}
        return frozenset({"-" + one[4:] for one in self.days} | bare)

    def knows_day(self, text: str) -> bool:
        """Check whether a day may be said; one that is known without its year may be said with the year of today."""
        if text in self.known.dates or text in self.company.dates:
            return True
        if text.startswith("--") or text in self.days:
            return text in (self.month_days if text.startswith("--") else self.days)
        bare = "-" + text[4:]
        if bare not in self.known.dates and bare not in self.company.dates:
            return False
        return self.day is not None and abs((date.fromisoformat(text) - self.day).days) <= HALF_A_YEAR

    @cached_property
    def streets(self) -> Mapping[str, frozenset[str]]:
        """Return the house numbers of every known or private street."""
        found: dict[str, set[str]] = {}
        for key in self.known.streets | self.private.streets:
            name, _, number = key.rpartition(" ")
            found.setdefault(name, set()).add(number)
        return {name: frozenset(numbers) for name, numbers in found.items() if len(name) > 3}

    @cached_property
    def street_pattern(self) -> re.Pattern[str] | None:
        """Return a pattern for the known streets with a number beside them."""
        longest = sorted(self.streets, key=lambda name: (-len(name), name))  # `Bloor Street West` before `Bloor Street`
        names = [r"[\s']{0,2}".join(_letters(word) for word in name.lower().split()) for name in longest]
        if not names:
            return None
        number = r"\d{1,4}[a-d]?"
        return re.compile(
            rf"(?<![\w-])(?:(?P<before>{number}),?\s)?(?P<name>{'|'.join(names)})(?:,?\s(?P<after>{number})(?![\w]))?"
        )

    @cached_property
    def street_starts(self) -> tuple[str, ...]:
        """Return the first words of the known streets."""
        return tuple(sorted({name.lower().split()[0] for name in self.streets}))

    def streets_in(self, text: str) -> re.Pattern[str] | None:
        """Return the pattern for the known streets if a folded text may name one of them."""
        letters = _without_blanks(text)
        return self.street_pattern if any(one in letters for one in self.street_starts) else None

    @cached_property
    def names_pattern(self) -> re.Pattern[str] | None:
        """Return a pattern for the names of goods, the longest first."""
        return _pattern_of(self.products, self.parts, self.machines)

    def names_in(self, text: str) -> re.Pattern[str] | None:
        """Return the pattern for the names of goods if a folded text may name one of them."""
        first = _words_of(self.products, self.parts, self.machines)
        return None if first.isdisjoint(_WORD.findall(text)) else self.names_pattern

    @cached_property
    def private_pattern(self) -> re.Pattern[str] | None:
        """Return a pattern for the private words, the longest first."""
        names = {_SIZE.split(fold(one))[0].strip() for one in self.private_words}
        ordered = sorted((one for one in names if len(one) > 2), key=lambda name: (-len(name), name))
        return re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b") if ordered else None

    @cached_property
    def goods(self) -> Mapping[str, str]:
        """Return for the name of a thing whether it is a machine, a part or another product."""
        return _goods_of(self.products, self.parts, self.machines)


@lru_cache(maxsize=32)
def _families_of(records: frozenset[str]) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for one in records:
        if "-" in one and (fits := FAMILY.fullmatch(one)):
            found.setdefault(fits[1], set()).add(len(fits[2]))
    return {name: frozenset(lengths) for name, lengths in found.items()}


@lru_cache(maxsize=32)
def _goods_of(products: tuple[str, ...], parts: tuple[str, ...], machines: tuple[str, ...]) -> Mapping[str, str]:
    kinds = (("product", products), ("part", parts), ("machine", machines))
    full = [(fold(name), kind) for kind, names in kinds for name in names]
    short = [(_SIZE.split(name)[0].strip(), kind) for name, kind in full]
    return {name: kind for name, kind in (*short, *full) if len(name) > 2}


@lru_cache(maxsize=32)
def _pattern_of(products: tuple[str, ...], parts: tuple[str, ...], machines: tuple[str, ...]) -> re.Pattern[str] | None:
    ordered = sorted(_goods_of(products, parts, machines), key=lambda name: (-len(name), name))[:300]
    return re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b") if ordered else None


_WORD = re.compile(r"\w+")


@lru_cache(maxsize=32)
def _words_of(products: tuple[str, ...], parts: tuple[str, ...], machines: tuple[str, ...]) -> frozenset[str]:
    """Return the longest word of each name."""
    return frozenset(max(_WORD.findall(name), key=len, default="") for name in _goods_of(products, parts, machines))


_SIZE = re.compile(r",|\s\d+(?:[.,]\d+)?\s?(?:g|kg|ml|l|mm|cm)\b")
"""Where the size in the name of a product begins: `Milk jug 600 ml`, `Tamper 58.5 mm, walnut`."""


@lru_cache(maxsize=64)
def _without_blanks(text: str) -> str:
    return _BLANK.sub("", text)


_BLANK = re.compile(r"[\s']")


def words_not_in(words: Iterable[str], thread: str) -> frozenset[str]:
    """Return the words of an account that a folded thread does not have."""
    return frozenset(one for one in words if one and _SIZE.split(fold(one))[0].strip() not in thread)


def _letters(word: str) -> str:
    """Return a pattern for a word of a normal street name, in which apostrophes were dropped."""
    if word.endswith("str"):
        return re.escape(word) + r"(?:asse|ase|aat|\.)?"
    return "'?".join(map(re.escape, word)) if word.endswith("s") or word.startswith("o") else re.escape(word)


def _add_months(day: date, months: int) -> str:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    try:
        return date(year, month + 1, day.day).isoformat()
    except ValueError:
        return ""


_STAMP = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d))?")


KEPT_AT_MOST = 4_000
"""The length of texts whose values are kept: the same pages, goods and letters are read for every episode."""
_TELLING = re.compile(r"(?i)[@\d]|euro|dollar|d[oó]lar")


@lru_cache(maxsize=8192)
def _values_in(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the kind and the readings of every value in a text; one without a digit or a currency has none."""
    if not _TELLING.search(text):
        return ()
    folded = fold(text)
    if (known := plain_value(folded)) is not None:
        return ((known.kind, known.readings),)
    same = text if len(folded) == len(text) else folded
    return tuple((one.kind, one.readings) for one in read_values(folded[:20_000], None, same[:20_000]))


class Collector:
    """Collects values from plain data."""

    def __init__(self) -> None:
        self.found: dict[str, set[Any]] = {name: set() for name in Grounds.__struct_fields__}

    def grounds(self) -> Grounds:
        """Return what was collected."""
        return Grounds(**{name: frozenset(values) for name, values in self.found.items()})

    def pairs(self) -> tuple[tuple[str, Any], ...]:
        """Return what was collected as pairs of a kind and a value."""
        return tuple((name, value) for name, values in self.found.items() for value in values)

    def add(self, data: Any, key: str = "") -> None:
        """Collect the values of any plain data: rows as an API returns them, texts, lists of either."""
        if isinstance(data, Mapping):
            if "line1" in data:
                self.address(data)
            for name, value in data.items():
                self.add(value, str(name))
        elif isinstance(data, str):
            self.text(data, key)
        elif isinstance(data, bool) or data is None:
            return
        elif isinstance(data, int):
            if key.endswith("cents") or "_cents" in key:
                self.found["amounts"].add(abs(data))
        elif isinstance(data, Iterable):
            for one in data:
                self.add(one, key)

    def address(self, postal: Mapping[str, Any]) -> None:
        """Collect a postal address."""
        street = street_at(postal)
        self.found["streets"] |= {street} if street else set()
        code = re.sub(r"\s", "", str(postal.get("postal_code") or "")).upper()
        self.found["postcodes"] |= {code} if code else set()

    def text(self, text: str, key: str) -> None:
        """Collect the values of one text."""
        stamp = _STAMP.match(text)
        if stamp and (key.endswith(("_at", "_until", "_on", "date", "day")) or len(text) in {10, 20}):
            self.stamp(stamp)
            return
        if key == "last4":
            self.found["cards"].add(text)
            return
        if "phone" in key and text:
            self.found["phones"].add(re.sub(r"\D", "", text))
            return
        if key in {"number", "serial_number", "serial", "tracking_number", "tracking"} or key.endswith(
            ("_number", "id", "ids")
        ):
            self.found["records"].add(re.sub(r"\s", "", fold(text)).upper())
        for kind, readings in _values_in(text) if len(text) < KEPT_AT_MOST else _values_in.__wrapped__(text):
            self.value(kind, readings)

    def value(self, kind: str, readings: tuple[str, ...]) -> None:
        """Collect one value that was read."""
        name = {"amount": "amounts", "number": "amounts", "postcode": "postcodes"}.get(kind, kind + "s")
        if name == "amounts":
            self.found[name].add(int(readings[0]))
        elif name in self.found:
            self.found[name].update(readings)

    def stamp(self, stamp: re.Match[str]) -> None:
        """Collect a timestamp: its day in UTC and in the time zones of the company."""
        try:
            day = date.fromisoformat(stamp[1])
        except ValueError:
            return
        self.found["dates"].add(day.isoformat())
        if stamp[2] and int(stamp[2]) >= 22 and day.year < 9990:
            self.found["dates"].add((day + timedelta(days=1)).isoformat())


def grounds_of(*data: Any) -> Grounds:
    """Return every value that stands in plain data: rows as an API returns them, texts, amounts under `*_cents`."""
    collector = Collector()
    for one in data:
        collector.add(one)
    return collector.grounds()
