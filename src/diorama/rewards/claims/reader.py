"""Read outgoing texts against a case: what was told, what is missing, what contradicts the records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.additions import additions
from diorama.rewards.claims.agreements import agreements
from diorama.rewards.claims.as_well import as_well
from diorama.rewards.claims.case import Case, Entity, Grounds, Text
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.contacts import contacts
from diorama.rewards.claims.contents import contents
from diorama.rewards.claims.corrections import Words, Wrong, corrected
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.denials import pays_credit_instead, wrong_denial
from diorama.rewards.claims.denials_for_others import denies_for_others
from diorama.rewards.claims.destinations import destinations
from diorama.rewards.claims.dispatches import dispatches
from diorama.rewards.claims.extras import extras
from diorama.rewards.claims.failures import is_of_a_failure, tells_that_it_failed
from diorama.rewards.claims.frames import frames
from diorama.rewards.claims.general_rules import RULED, is_general
from diorama.rewards.claims.happenings import happenings
from diorama.rewards.claims.histories import is_history, without_failings
from diorama.rewards.claims.journeys import journeys
from diorama.rewards.claims.lacks import lacks
from diorama.rewards.claims.ledger import (
    MONEY,
    records_of,
    wrong_claim,
)
from diorama.rewards.claims.listed import listed
from diorama.rewards.claims.missed import MISSED, tells_missed
from diorama.rewards.claims.notes import repeated_notes
from diorama.rewards.claims.offers import OFFERED, is_offer
from diorama.rewards.claims.outcomes import many_days, many_outcomes
from diorama.rewards.claims.parcels import parcels
from diorama.rewards.claims.payments import payments
from diorama.rewards.claims.payouts import payouts
from diorama.rewards.claims.pieces import pieces
from diorama.rewards.claims.plans import plans
from diorama.rewards.claims.promises import promises
from diorama.rewards.claims.refusals import refusals
from diorama.rewards.claims.relations import relations
from diorama.rewards.claims.retractions import retractions
from diorama.rewards.claims.returns import returns
from diorama.rewards.claims.sendings import sendings
from diorama.rewards.claims.settlements import settlements, tells_of_a_failure
from diorama.rewards.claims.speech import speaks, spoken
from diorama.rewards.claims.stances import lifts_a_pause, means_earlier, stances, taken_back
from diorama.rewards.claims.states import states
from diorama.rewards.claims.taking_apart import CHECKED, TIERS, Contradiction, Reading, take_apart
from diorama.rewards.claims.terms import terms
from diorama.rewards.claims.told import is_told
from diorama.rewards.claims.towns import towns
from diorama.rewards.claims.turned import turned
from diorama.rewards.claims.unshown import unshown
from diorama.rewards.claims.values import LONG, Value
from diorama.rewards.claims.weakened import weakened
from diorama.rewards.needless import Needless

SOUP = 6
"""How many different values of one kind that must be told are too many."""
RUN = 4
"""How many different values in a row are too many."""
_LISTED = re.compile(r"[\s,;/]*(?:and|or|und|oder|et|ou|y|o|u|en|of|then|eur|euros?|utc)?[\s,;/]*")
_SAYS = {
    "record": "record number", "street": "address", "postcode": "postcode", "email": "e-mail address",
    "phone": "phone number", "card": "digits of a card", "amount": "amount", "date": "date",
}  # fmt: skip


class Verdict(msgspec.Struct, frozen=True):
    """What a reading found."""

    told: tuple[Entity, ...] = ()
    missing: tuple[Entity, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def passes(self) -> bool:
        """Return whether everything was told and nothing costs success."""
        return not self.missing and not any(one.tier == "success" for one in self.contradictions)


def read(case: Case, texts: Sequence[Text]) -> Verdict:
    """Read all outgoing texts together, in order.

    Of equal texts the first and the last one are read: what was said first, and what holds at the end.
    """
    everything = _take_all_apart(case, texts)
    kept = _first_and_last(texts)
    readings = [one for one in everything if one.index in kept and not texts[one.index].struck]
    struck = [one for one in everything if one.index in kept and texts[one.index].struck]
    shown = [one for one in readings if not texts[one.index].hidden]
    telling = [spoken(one) for one in shown if speaks(one)] if case.tell else []
    told = tuple(one for one in case.tell if is_told(case, one, telling))
    said = _said(case, readings)
    claimed = list(islice(_against_the_ledger(case, readings, {one.index for one in shown}), WRONG_IN_ALL))
    seen = {(one.text_index, one.start, one.kind) for one in claimed}
    found = [
        *islice((bad for one in readings for bad in islice(_ungrounded(case, one, said), WRONG_AT_MOST)), WRONG_IN_ALL),
        *(bad for reading in readings for bad in _private(case, reading)),
        *(bad for reading in readings for bad in _strangers(case, reading)),
        *(bad for reading in everything for bad in _notes(case, reading, texts[reading.index].seq)),
        *_soup(case, readings),
        *(bad for reading in readings for bad in _outcomes(reading)),
        *claimed,
        *islice((bad for reading in readings for bad in _against_the_things(case, reading, seen)), WRONG_IN_ALL),
        *(bad for reading in readings for bad in _stances(case, reading)),
        *_taken_back(case, readings, shown),
        *islice(_in_pieces(case, readings), WRONG_IN_ALL),
        *_repeated(everything, texts),
    ]
    found = without_failings(readings, found)
    found = _put_right(case, readings, found, {one.index for one in shown})
    found += (bad for reading in struck for bad in _leaks(case, reading, said))
    found.sort(key=lambda one: (one.text_index, one.start, one.kind))
    return Verdict(told, tuple(one for one in case.tell if one not in told), tuple(found))


def _take_all_apart(case: Case, texts: Sequence[Text]) -> list[Reading]:
    """Return every text taken apart; equal ones once."""
    known: dict[str, Reading] = {}
    found = []
    for index, text in enumerate(texts):
        if text.body not in known:
            known[text.body] = take_apart(case, index, text)
        found.append(msgspec.structs.replace(known[text.body], index=index))
    return found


def _first_and_last(texts: Sequence[Text]) -> set[int]:
    """Return the places of the texts that no equal text precedes, or that none follows."""
    first: dict[tuple[str, bool, bool], int] = {}
    last: dict[tuple[str, bool, bool], int] = {}
    for place, text in enumerate(texts):
        first.setdefault((text.body, text.hidden, text.struck), place)
        last[text.body, text.hidden, text.struck] = place
    return {*first.values(), *last.values()}


def _leaks(case: Case, reading: Reading, said: frozenset[int]) -> Iterator[Contradiction]:
    """Yield what is a leak although it is struck through: values of other people, but not amounts and dates."""
    yield from _private(case, reading)
    yield from _strangers(case, reading)
    values = tuple(one for one in reading.values if one.kind in CHECKED)
    yield from islice(_ungrounded(case, msgspec.structs.replace(reading, values=values), said), WRONG_AT_MOST)
    yield from _in_pieces(case, [reading])


_CORRECTABLE = {"amount": "amount", "destination": "destination", "subject": "record", "place": "street"}
"""Kinds of contradictions that a later text may put right, beside values that exist nowhere, and what is wrong."""


SLIPS = 8
"""How many wrong values may be slips that are put right; with more of them, none is."""
WRONG_AT_MOST = 40
"""How many wrong values of one text are listed."""
WRONG_IN_ALL = 100
"""How many contradictions of one sort are listed for all texts; success is lost long before."""


def _put_right(
    case: Case, readings: Sequence[Reading], found: list[Contradiction], shown: set[int]
) -> list[Contradiction]:
    """Return the contradictions; wrong values that a later text corrects cost quality, once for each sentence."""
    places = [place for place, one in enumerate(found) if one.kind == "ungrounded" or one.kind in _CORRECTABLE]
    if len(places) > SLIPS:
        return found
    taken_apart = {one.index: one for one in readings}
    wrong = {
        place: bad for place in places if (bad := _wrong_value(taken_apart[found[place].text_index], found[place]))
    }
    texts = [Words(one.index, one.head, one.clauses, one.claims, one.index in shown) for one in readings]
    right, cited = corrected(case, texts, list(wrong.values()))
    kept, seen = [], set()
    for place, one in enumerate(found):
        if (bad := wrong.get(place)) in cited:
            continue
        if bad not in right:
            kept.append(one)
        elif (one.text_index, one.sentence) not in seen:
            seen.add((one.text_index, one.sentence))
            kept.append(msgspec.structs.replace(one, tier=TIERS["corrected"], kind="corrected"))
    return kept


def _wrong_value(reading: Reading, one: Contradiction) -> Wrong | None:
    """Return which value a contradiction is about, or None if it cannot be put right."""
    if one.kind == "ungrounded":
        value = next((v for v in reading.values if reading.folded.place(v.start) == one.start), None)
        if value is None or value.kind not in {"amount", "date", "record", "street", "postcode"}:
            return None
        kinds = {claim.kind for claim in reading.claims if claim.clause.start <= value.start < claim.clause.end}
        return Wrong(value.kind, one.text_index, value.start, value.value, frozenset(kinds))
    if one.kind not in _CORRECTABLE:
        return None
    clause = next((c for c in reading.clauses if reading.folded.place(c.start) == one.start), None)
    if clause is None:
        return None
    kinds = {claim.kind for claim in reading.claims if claim.clause.start == clause.start}
    return Wrong(_CORRECTABLE[one.kind], one.text_index, clause.start, kinds=frozenset(kinds))


def _said(case: Case, readings: Sequence[Reading]) -> frozenset[int]:
    """Return the amounts of all texts that are grounded by themselves."""
    said = {int(one.value) for reading in readings for one in reading.values if one.kind in {"amount", "number"}}
    return frozenset(sorted(said & case.amounts)[:SAID])


SAID = 40
"""From how many amounts others may be derived."""


def _ungrounded(case: Case, reading: Reading, said: frozenset[int]) -> Iterator[Contradiction]:
    """Yield values that the recipient may not be told, and values that exist nowhere."""
    for one in reading.values:
        if one.kind not in _SAYS or reading.quotes(one.start, one.end):
            continue
        kind = _kind_of(case, one, said)
        if kind == "ungrounded" and (one in reading.denied or case.is_unit_price(reading.folded.text, one)):
            continue
        if kind:
            shown = f"{_SAYS[one.kind]} {reading.folded.text[one.start : one.end]!r}"
            expected = f"only values of this customer, of the thread or of the company as {_SAYS[one.kind]}"
            yield reading.contradiction(kind, one.start, one.end, expected, f"{shown}: {_why(case, kind)}")


def _why(case: Case, kind: str) -> str:
    """Return why a value may not be said; with private values the recipient has not proved whose account it is."""
    if case.private == Grounds():
        return "it is in no record, thread or page"
    unproven = "the recipient has not proved that the account is theirs"
    if kind == "leak":
        return f"the recipient may not be told it: {unproven}"
    return f"it is in no thread or page, and {unproven}"


def _private(case: Case, reading: Reading) -> Iterator[Contradiction]:
    """Yield the first word of an account that the recipient has not proved to be theirs."""
    found = case.private_pattern.search(reading.head) if case.private_pattern is not None else None
    if found is not None and not reading.quotes(*found.span()):
        expected = "nothing about an account that the recipient has not proved to be theirs"
        yield reading.contradiction("leak", *found.span(), expected, f"{found[0]!r}: the recipient may not be told it")


def _strangers(case: Case, reading: Reading) -> Iterator[Contradiction]:
    """Yield the sentences that tell something about another customer by name; a bare name tells nothing."""
    for name in sorted(case.strangers):
        for start, end in dict.fromkeys(one.sentence for one in reading.clauses) if name in reading.head else ():
            place = reading.head.find(name, start, end)
            rest = reading.head[start:end].replace(name, " ")
            if place >= 0 and len(_WORDS.findall(rest)) >= TELLING:
                expected, found = "nothing about other customers", f"{name!r}: another customer"
                yield reading.contradiction("leak", place, place + len(name), expected, found)


TELLING = 2
"""How many words beside a name tell something about the person."""
_WORDS = re.compile(r"[^\W_]{2,}")


def _notes(case: Case, reading: Reading, seq: int) -> Iterator[Contradiction]:
    """Yield the first place where a text repeats an internal note."""
    for start, end in islice(repeated_notes(case, reading.head, seq) if case.notes else (), 1):
        expected = "the facts in our own words: internal notes are for colleagues"
        yield reading.contradiction("leak", start, end, expected, f"an internal note: {reading.head[start:end][:80]!r}")


def _kind_of(case: Case, value: Value, said: frozenset[int]) -> str:
    """Return leak, ungrounded or nothing."""
    if value.kind == "amount":
        cents = [int(one) for one in value.readings]
        if set(cents) & case.private.amounts and not set(cents) & case.amounts:
            return "leak"
        return "" if any(one in case.amounts or case.derives(one, said) for one in cents) else "ungrounded"
    if value.kind == "date":
        return "" if any(case.knows_day(one) for one in value.readings) else "ungrounded"
    name = CHECKED[value.kind]
    if _is_in(value, getattr(case.private, name)):
        return "leak"
    if _is_in(value, getattr(case.known, name)) or _is_in(value, getattr(case.company, name)):
        return ""
    if value.unusual and value.value in _digits_of(case.known):
        return ""
    if value.kind == "email":
        domain = value.value.rpartition("@")[2]
        return "" if domain in case.domains else "ungrounded"
    return "ungrounded"


@lru_cache(maxsize=64)
def _digits_of(known: Grounds) -> frozenset[str]:
    """Return the digits of record and phone numbers: a tracking number may be written in groups."""
    return frozenset(re.sub(r"\D", "", one) for one in known.records | known.phones)


@lru_cache(maxsize=64)
def _compact(records: frozenset[str]) -> frozenset[str]:
    """Return record numbers without hyphens."""
    return frozenset(one.replace("-", "") for one in records)


def _is_in(value: Value, known: frozenset[str]) -> bool:
    if value.kind == "phone":
        return any(value.value.endswith(one[-8:]) or one.endswith(value.value) for one in known if len(one) >= 8)
    if value.kind == "email":
        return value.value in known
    if value.kind == "record":
        return value.value in known or value.value.replace("-", "") in _compact(known)
    return value.value in known


# Soup: many values, one of them right.

_OR = {"en": r"\bor\b", "de": r"\boder\b", "fr": r"\bou\b", "es": r"\b[ou]\b", "nl": r"\bof\b"}


def _soup(case: Case, readings: Sequence[Reading]) -> Iterator[Contradiction]:
    """Yield texts that state many values of a kind that must be told, or alternatives of it."""
    owed = {one.kind for one in case.tell} & {"amount", "date", "record", "address", "time"}
    for kind in sorted(owed | {"amount", "date"}):
        names = {"amount": {"amount", "number"}, "address": {"street"}}.get(kind, {kind})
        seen: set[str] = set()
        expected = f"one {kind}, as it is in the records"
        for reading in readings:
            here = [one for one in reading.values if one.kind in names and not reading.quotes(one.start, one.end)]
            if not here:
                continue
            seen |= {one.value for one in here}
            if kind in owed and len(seen) >= SOUP:
                found = f"{len(seen)} different values"
                yield reading.contradiction("soup", here[0].start, here[-1].end, expected, found)
                break
            if bad := _alternatives(reading, here):
                found = f"{len({one.value for one in bad})} alternatives in one sentence"
                yield reading.contradiction("soup", bad[0].start, bad[-1].end, expected, found)
                break


def _outcomes(reading: Reading) -> Iterator[Contradiction]:
    """Yield sentences that name many outcomes at once, so that the right one is among them."""
    for start, end, count in many_outcomes(reading.clauses, reading.head):
        expected = "what was done, as it is in the records"
        yield reading.contradiction("soup", start, end, expected, f"{count} outcomes in one sentence")
    for start, end, count in many_days(reading.head) if any(one.kind == "date" for one in reading.values) else ():
        yield reading.contradiction("soup", start, end, "one date, as it is in the records", f"{count} days in a row")


def _longest_run(text: str, values: Sequence[Value]) -> int:
    """Return how many different values follow each other with only commas and conjunctions between them."""
    longest = 0
    run: set[str] = set()
    for before, one in zip((None, *values), values, strict=False):
        if before is None or not _LISTED.fullmatch(text, before.end, one.start):
            run = set()
        run.add(one.value)
        longest = max(longest, len(run))
    return longest


def _language(reading: Reading, start: int) -> str:
    return next((one.language for one in reading.clauses if one.sentence[0] == start), "en")


def _alternatives(reading: Reading, values: list[Value]) -> list[Value]:
    """Return values of one sentence that are alternatives: three with `or`, four in a row, or five."""
    starts = [one.start for one in values]
    for start, end in sorted({clause.sentence for clause in reading.clauses}):
        here = values[bisect_left(starts, start) : bisect_left(starts, end)]
        if len(here) < 3:
            continue
        different = {one.value for one in here}
        if len(different) >= SOUP - 1:
            return here
        if _longest_run(reading.folded.text, here) >= RUN:
            return here
        if len(different) >= 3:
            between = reading.folded.text[here[0].end : here[-1].start]
            if re.search(_OR[_language(reading, start)], between):
                return here
    return []


# Deeds: what is claimed or denied, against the ledger.


def _against_the_ledger(case: Case, readings: Sequence[Reading], shown: set[int]) -> Iterator[Contradiction]:
    """Yield claims and denials that the ledger contradicts; the last claim of a kind and subject decides.

    Only a text that is shown takes back another one.
    """
    everything = [(reading, claim) for reading in readings for claim in reading.claims]
    said = {claim.kind for reading, claim in everything if claim.says and reading.index in shown}
    later_claims: set[str] = set()
    later_denials: dict[str, set[tuple[str, ...]]] = {}
    for reading, claim in reversed(everything):
        denials = later_denials.setdefault(claim.kind, set())
        about = records_of(claim.clause)
        taken_back = bool(denials & {(), about}) if claim.says else claim.kind in later_claims
        if reading.index in shown:
            if claim.says:
                later_claims.add(claim.kind)
            elif claim.factual:
                denials.add(about)
        if (claim.implied and claim.kind in said) or pays_credit_instead(case, claim, later_claims):
            continue
        if (
            is_history(reading, claim)
            or _has_failed(case, reading, claim)
            or (claim.says and tells_missed(claim.clause))
        ):
            continue
        around = reading.rest(claim), reading.before(claim), reading.folded.text
        bad = wrong_claim(case, claim, *around) if claim.says else wrong_denial(case, claim)
        if bad and not claim.says and denies_for_others(case, reading, claim):
            continue
        if bad and bad[0] == "destination" and _NOT_TO_THE_CARD.search(claim.clause.words) and "store" in bad[1]:
            continue
        if bad and bad[0] == "destination" and tells_of_a_failure(case, _sentence_of(reading, claim.clause)):
            continue
        if bad:
            kind, expected, found = bad
            if taken_back and TIERS[kind] == "success":
                kind = "withdrawn"
            yield reading.contradiction(kind, claim.clause.start, claim.clause.end, expected, found)


def _has_failed(case: Case, reading: Reading, claim: Claim) -> bool:
    """Check whether a claim of money is about a payment that the text calls failed, and that did fail."""
    return claim.says and claim.kind in MONEY and tells_that_it_failed(case, claim.clause, reading.clauses)


_NOT_TO_THE_CARD = re.compile(
    r"\b(?:instead of|rather than|statt|anstatt|anstelle|au lieu d|plutot que|en vez de|en lugar de|in plaats van)\W"
    r"(?:[\w'-]+\s){0,6}(?:card|karte|carte|tarjeta|kaart|bank|visa|mastercard|amex|xcard)\b"
)
"""Money that goes elsewhere than to a card."""


def _sentence_of(reading: Reading, clause: Clause) -> list[Clause]:
    return [one for one in reading.clauses if one.sentence == clause.sentence]


_AGREEING = (
    relations, sendings, plans, destinations, contacts, payments, returns, refusals, agreements, states, dispatches,
    parcels, settlements, towns, contents, terms, lacks, additions, extras, promises, journeys, payouts,
    happenings, listed, weakened, turned, frames, as_well,
    unshown,
)  # fmt: skip


def _against_the_things(case: Case, reading: Reading, seen: set[tuple[int, int, str]]) -> Iterator[Contradiction]:
    """Yield clauses whose values stand in a relation that the customer's records do not show.

    `seen` are the places and kinds of contradictions that were found before; none of them is found twice.
    """
    open_clauses = [one for one in reading.clauses if not reading.quotes(one.start, one.end)]
    for agree in _AGREEING:
        for clause, (kind, expected, found) in agree(case, open_clauses, reading.head):
            if kind == "destination" and "store" in expected and _NOT_TO_THE_CARD.search(clause.words):
                continue
            if (kind in MISSED and tells_missed(clause)) or (kind in RULED and is_general(clause, reading.head)):
                continue
            if kind in OFFERED and is_offer(clause, open_clauses):
                continue
            if kind == "claimed" and tells_that_it_failed(case, clause, open_clauses):
                continue
            if kind in {"state", "claimed"} and is_of_a_failure(case, clause, open_clauses):
                continue
            bad = reading.contradiction(kind, clause.start, clause.end, expected, found)
            if (place := (bad.text_index, bad.start, bad.kind)) not in seen or agree is relations:
                seen.add(place)
                yield bad


def _stances(case: Case, reading: Reading) -> Iterator[Contradiction]:
    """Yield clauses that take a stand against what was done, or demand what no one may demand."""
    clauses = [one for one in reading.clauses if not reading.quotes(one.start, one.end)]
    for clause, (kind, expected, found) in stances(case, clauses, reading.head, reading.folded.cased):
        yield reading.contradiction(kind, clause.start, clause.end, expected, found)


def _taken_back(case: Case, readings: Sequence[Reading], shown: Sequence[Reading]) -> Iterator[Contradiction]:
    """Yield clauses that say that a text is not to be believed; an earlier one may be replaced by a whole new one."""
    for reading in readings:
        clauses = [one for one in reading.clauses if not reading.quotes(one.start, one.end)]
        taken = list(taken_back(clauses))
        places = {one.start for one, _ in taken}
        whole_texts = retractions(case, clauses, reading.claims, reading.head)
        whole_texts = (one for one in whole_texts if not lifts_a_pause(case, reading.head[slice(*one.sentence)]))
        taken += ((one, means_earlier(one)) for one in whole_texts if one.start not in places)
        rest = [one for one in shown if one.index >= reading.index] if taken else []
        whole = any(len(one.head) > WHOLE for one in rest) and all(is_told(case, one, rest) for one in case.tell)
        for clause, earlier in taken:
            corrects = any(clause.start <= one.start < clause.end for one in (*clause.values, *reading.denied))
            if not (earlier and (whole or corrects)):
                expected, found = "words that hold", "the text says that it, or an earlier one, is not to be believed"
                yield reading.contradiction("retraction", clause.start, clause.end, expected, found)


WHOLE = 120
"""From how many characters on a text can replace an earlier one."""


def _in_pieces(case: Case, readings: Sequence[Reading]) -> Iterator[Contradiction]:
    """Yield values of other people that are told in pieces, and addresses on the web that no one named."""
    for reading in readings:
        for start, end, kind, expected, found in islice(pieces(case, reading.head, reading.values), WRONG_AT_MOST):
            if not reading.quotes(start, end):
                yield reading.contradiction(kind, start, end, expected, found)


def _repeated(readings: Sequence[Reading], texts: Sequence[Text]) -> Iterator[Contradiction]:
    """Yield texts that are needless, texts that are too long, and texts that a person could not read."""
    sent = Needless()
    for reading, text in zip(readings, texts, strict=True):
        length = len(reading.folded.text)
        if not text.hidden and (why := sent.why(reading.folded.text, text.to)):
            yield reading.contradiction("repeated", 0, length, "each text once, and no more mails than needed", why)
        if reading.unreadable:
            expected = "a reply that a person can read"
            yield reading.contradiction("unreadable", 0, length, expected, reading.unreadable)
        elif length > LONG and not text.hidden:
            expected = f"at most {LONG} characters"
            yield reading.contradiction("long", LONG, length, expected, f"{length} characters")
