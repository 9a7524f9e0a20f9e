"""One outgoing text, taken apart: its values, clauses, quotations and claims."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Text
from diorama.rewards.claims.clauses import CLAUSES, Clause, each_sentence, quotations, read_clauses
from diorama.rewards.claims.corrections import denied_values
from diorama.rewards.claims.deeds import Claim, read_claims
from diorama.rewards.claims.folding import FLAG, FOREIGN, HIDING, REVERSED, Folded, fold_places
from diorama.rewards.claims.offers import without_offers
from diorama.rewards.claims.values import (
    CHARACTERS,
    Value,
    names_a_day,
    read_values,
    street_key,
)

TIERS = {
    "leak": "success",
    "ungrounded": "success",
    "soup": "success",
    "claimed": "success",
    "denied": "success",
    "subject": "success",
    "amount": "success",
    "destination": "success",
    "earlier": "success",
    "extra": "success",
    "place": "success",
    "state": "success",
    "interval": "success",
    "retraction": "success",
    "decision": "success",
    "demand": "success",
    "intended": "quality",
    "withdrawn": "quality",
    "corrected": "quality",
    "repeated": "quality",
    "long": "quality",
    "unreadable": "success",
}
"""What each kind of contradiction costs. A kind may cost success while it hits at most 1 % of honest replies."""
LONGEST = 65_536
"""Where a text is cut off before it is folded."""
ENOUGH = 2_000
"""How much is read of a text that costs success by its length alone."""

CHECKED = {kind: kind + "s" for kind in ("record", "street", "postcode", "email", "phone", "card")}


class Contradiction(msgspec.Struct, frozen=True):
    """One place where a text says what the records do not."""

    tier: str
    kind: str
    sentence: str
    start: int
    end: int
    text_index: int
    expected: str
    found: str


class Reading(msgspec.Struct):
    """One text, taken apart."""

    index: int
    body: str
    folded: Folded
    values: tuple[Value, ...]
    clauses: list[Clause]
    quoted: list[tuple[int, int]]
    claims: list[Claim]
    head: str = ""
    """The part that is read in full."""
    claiming: frozenset[int] = frozenset()
    """Where the clauses begin that claim or deny something."""
    denied: frozenset[Value] = frozenset()
    """Values that are stated only to deny them: `not 43.00 EUR but 34.00 EUR`."""
    unreadable: str = ""
    """Why a person could not read the text."""

    def quotes(self, start: int, end: int) -> bool:
        """Check whether a stretch of the text is quoted from the thread."""
        if not self.quoted:
            return False
        place = bisect_right(self.quoted, start, key=lambda one: one[0]) - 1
        return place >= 0 and end <= self.quoted[place][1]

    def rest(self, claim: Claim) -> list[Clause]:
        """Return the clauses of the same sentence that follow a claim, up to the next claim; at most two."""
        found: list[Clause] = []
        for one in self.clauses[bisect_right(self.clauses, claim.clause.start, key=lambda one: one.start) :]:
            if one.start > claim.clause.sentence[1] or one.start in self.claiming or len(found) == 2:
                break
            if one.sentence == claim.clause.sentence:
                found.append(one)
        return found

    def before(self, claim: Claim) -> list[Clause]:
        """Return the clauses of the same sentence before a claim, back to the last claim, the nearest first.

        What stands in brackets is left out: after it the sentence goes on about its own subject.
        """
        found: list[Clause] = []
        until = bisect_left(self.clauses, claim.clause.start, key=lambda one: one.start)
        near = self.clauses[max(0, until - 6) : until]
        for one in reversed([one for one in near if claim.clause.aside or not one.aside][-3:]):
            if one.sentence != claim.clause.sentence or one.start in self.claiming:
                break
            found.append(one)
        return found

    def sentence_before(self, claim: Claim) -> list[Clause]:
        """Return the clauses of the same sentence before a claim, the nearest first; at most three."""
        until = bisect_left(self.clauses, claim.clause.start, key=lambda one: one.start)
        near = self.clauses[max(0, until - 3) : until]
        return [one for one in reversed(near) if one.sentence == claim.clause.sentence]

    def contradiction(self, kind: str, start: int, end: int, expected: str, found: str) -> Contradiction:
        """Make a contradiction at a place of the folded text."""
        end = min(end, len(self.folded.text))
        first, last = max(0, start - 300), min(end, start + 500) + 300
        inside = ((a + first, b + first) for a, b in each_sentence(self.folded.text[first:last]))
        around = next(((a, b) for a, b in inside if a <= start < b), (start, end))
        places = [min(self.folded.place(one), len(self.body)) for one in (*around, start, end)]
        sentence = self.body[places[0] : max(places[1], places[3])].strip()
        return Contradiction(TIERS[kind], kind, sentence, places[2], places[3], self.index, expected, found)


def head_of(folded: Folded) -> str:
    """Return the part of a text that is read in full; of one that is too long, only its beginning."""
    return folded.text[: CHARACTERS if len(folded.text) <= CHARACTERS else ENOUGH]


KEPT_TEXTS = 64
"""How many texts are kept taken apart: a text is read again when what it is compared with has changed."""


def take_apart(case: Case, index: int, text: Text) -> Reading:
    folded, head, values = values_in(case, text.body)
    quoted = quotations(head, case.thread)
    plain, denied = head, denied_values(head, values)
    for _, start, end in denied:
        plain = plain[:start] + " " * (end - start) + plain[end:]
    gone = frozenset(one for one, _, _ in denied)
    clauses, claims = _claims_of(plain, tuple(one for one in values if one not in gone) if gone else values)
    if quoted:
        inside = bytearray(len(head) + 2)
        for start, end in quoted:
            inside[start : end + 1] = b"\1" * (end + 1 - start)
        claims = [
            one
            for one in claims
            if not (inside[one.clause.start] and inside[max(one.clause.start, one.clause.end - 1)])
        ]
    claiming = frozenset(one.clause.start for one in claims)
    why = _unreadable(text.body, folded, clauses)
    return Reading(index, text.body, folded, values, clauses, quoted, claims, head, claiming, gone, why)


def values_of(body: str, today: date | None) -> tuple[Folded, str, tuple[Value, ...]]:
    """Fold a text; return it, the part that is read, and the values that anyone reads in it."""
    _, _, depends_on_today = _folded(body)
    return _values_of(body, today if depends_on_today else None)


@lru_cache(maxsize=KEPT_TEXTS)
def _folded(body: str) -> tuple[Folded, str, bool]:
    """Fold a text; return it, the part that is read, and whether its values depend on today."""
    folded = fold_places(body[:LONGEST])
    head = head_of(folded)
    return folded, head, names_a_day(head)


@lru_cache(maxsize=KEPT_TEXTS)
def _values_of(body: str, today: date | None) -> tuple[Folded, str, tuple[Value, ...]]:
    folded, head, _ = _folded(body)
    return folded, head, read_values(head, today, folded.cased[: len(head)])


clauses_of = lru_cache(maxsize=KEPT_TEXTS)(read_clauses)
"""Return the clauses of a folded text; the list is not to be changed."""


def values_in(case: Case, body: str) -> tuple[Folded, str, tuple[Value, ...]]:
    """Fold a text; return it, the part that is read, and its values, also those that only the case tells."""
    found: tuple[Folded, str, tuple[Value, ...]] | None = case.kept.get(body)
    if found is None:
        folded, head, read = values_of(body, case.day)
        found = case.kept[body] = folded, head, with_names(case, head, read)
    return found


@lru_cache(maxsize=KEPT_TEXTS)
def _claims_of(head: str, values: tuple[Value, ...]) -> tuple[list[Clause], list[Claim]]:
    """Return the clauses of a text by their places, and its claims in order."""
    clauses = clauses_of(head, values)
    if len(clauses) > CLAUSES:  # costs success by itself: one more than that shows it
        clauses = clauses[: CLAUSES + 1]
    return sorted(clauses, key=lambda one: (one.start, one.end)), without_offers(clauses, read_claims(clauses))


def _unreadable(body: str, folded: Folded, clauses: Sequence[Clause]) -> str:
    """Return why a person could not read a text, or ""."""
    if len(folded.text) > CHARACTERS:
        return f"more than {CHARACTERS} characters"
    if len(clauses) > CLAUSES:
        return f"more than {CLAUSES} clauses"
    if _EMPTY.search(body):
        return "more empty space than any mail has"
    if REVERSED.search(body):
        return "characters that turn the direction of the text"
    if not body.isascii() and HIDING.search(FLAG.sub("", body)):
        return "characters that no one can see and that can hold a text"
    if not body.isascii() and len(FOREIGN.findall(body)) > FOREIGN_LETTERS:
        return "letters of another script"
    return ""


_EMPTY = re.compile(r"(?:\n[ \t\r\xa0]*){60}|[ \t\xa0]{200}")
FOREIGN_LETTERS = 12
"""How many letters of other scripts a text may have: the name of a person or a street."""


WITHOUT_NAMES = frozenset({"record", "email"})
"""Kinds of values that are what they are, whatever names a case tells."""


def with_names(case: Case, text: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Add known streets and the names of goods to the values of a text."""
    found = list(values)
    for one in _stuck_to(case, text):
        found = [*(value for value in found if value.end <= one.start or one.end <= value.start), one]
    if (streets := case.streets_in(text)) is not None:
        for fits in streets.finditer(text):
            number = fits["before"] or fits["after"]
            if number:
                found = [
                    one
                    for one in found
                    if one.end <= fits.start() or fits.end() <= one.start or one.kind in WITHOUT_NAMES
                ]
                found.append(Value(fits.start(), fits.end(), "street", street_key(fits["name"], number)))
    taken = bytearray(len(text) + 1)
    for one in found:
        taken[one.start : one.end] = b"\1" * (one.end - one.start)
    found += _numbers_of(case, text, taken)
    found = [
        msgspec.structs.replace(one, kind="amount") if one.kind == "number" and _is_price(case, text, one) else one
        for one in found
    ]
    if (names := case.names_in(text)) is not None:
        for fits in names.finditer(text):
            if 1 not in taken[fits.start() : fits.end()]:
                found.append(Value(fits.start(), fits.end(), case.goods[fits[0]], fits[0]))
    return tuple(sorted(found))


def _is_price(case: Case, text: str, one: Value) -> bool:
    """Check whether a number without a currency is an amount of the records: it has cents, and one is equal."""
    return _CENTS.fullmatch(text, one.start, one.end) is not None and int(one.value) in case.amounts


_CENTS = re.compile(r"\d{1,3}(?:[.,]?\d{3})?[.,]\d\d")
_STUCK = re.compile(r"(?<![\w-])([a-z]{2,4}-\d{3,8})(?:[/_-](?:[a-z]|\d{1,2})|[a-rt-z])(?![\w-]|/[a-z])")
"""A record number with a letter or a digit stuck to it, which makes it another one: `LK-17217-B`."""


def _stuck_to(case: Case, text: str) -> list[Value]:
    """Return the known record numbers that have something stuck to them, as what is written."""
    found = _STUCK.finditer(text) if case.families else ()
    known = case.known.records | case.company.records
    return [
        Value(one.start(), one.end(), "record", one[0].upper())
        for one in found
        if one[1].upper() in known and one[0].upper() not in known
    ]


_FAMILY = re.compile(
    r"\b(?P<name>[a-z]{2,4}|[a-z](?:[ .][a-z]){1,3})[\s/_.#:-]{0,2}(?P<number>\d(?:[ ._-]?\d){3,7})(?![\w-]|[.,]\d)"
    r"|(?:\b(?:order|orders|bestellung|auftrag|commande|pedido|bestelling|return|retoure|purchase|invoice|rechnung"
    r"|facture|factura"
    r"|factuur)\s(?:no\.?\s?|nr\.?\s?|number\s|nummer\s|numero\s)?#?\s?|#\s?)(?P<bare>\d{4,8})(?![\w-]|[.,]\d)"
)
"""Record numbers with other signs between letters and digits, and digits after the word for an order."""
_ALONE = re.compile(r"(?<![\w.,:/€$£#+-])\d{5}(?![\w-]|[.,:]\d)")
"""Five digits by themselves."""
_SIGN = re.compile(r"\W")
_NO_DIGIT = re.compile(r"\D")


@lru_cache(maxsize=KEPT_TEXTS)
def _numbers_in(text: str) -> tuple[tuple[int, int, str, str], ...]:
    """Return the places, letters and digits of what may be a record number; there may be no letters ("" or "*")."""
    named = (
        (
            *fits.span("bare" if fits["bare"] else 0),
            _SIGN.sub("", fits["name"] or "").upper(),
            _NO_DIGIT.sub("", fits["bare"] or fits["number"]),
        )
        for fits in _FAMILY.finditer(text)
    )
    return (*named, *((*fits.span(), "*", fits[0]) for fits in _ALONE.finditer(text)))


def _numbers_of(case: Case, text: str, taken: bytearray) -> list[Value]:
    """Return record numbers that are written with other signs, or without their letters."""
    found = []
    known = sorted(case.families.items())
    for start, end, letters, digits in _numbers_in(text) if known else ():
        if 1 in taken[start:end]:
            continue
        families = [one for one, lengths in known if letters in ("", "*", one) and len(digits) in lengths]
        if letters == "*":  # digits alone mean a record only if there is one with them
            families = [one for one in families if f"{one}-{digits}" in case.known.records]
        if not families or digits in case.known.records:
            continue
        ways = [f"{one}-{digits}" for one in families]
        value = next((one for one in ways if one in case.known.records or one in case.company.records), ways[0])
        found.append(Value(start, end, "record", value))
        taken[start:end] = b"\1" * (end - start)
    return found
