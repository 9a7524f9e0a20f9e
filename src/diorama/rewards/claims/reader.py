"""Read outgoing texts against a case: what was told, what is missing, what contradicts the records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.rewards.claims.case import Case, Entity, Text
from diorama.rewards.claims.clauses import Clause, quotations, read_clauses, sentences
from diorama.rewards.claims.deeds import Claim, read_claims, tells, touches
from diorama.rewards.claims.folding import Folded, fold, fold_places
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.spelled import plain_words, says_amount
from diorama.rewards.claims.values import (
    CHARACTERS,
    ENTITIES,
    LONGEST,
    Value,
    read_rest,
    read_values,
    street_key,
    street_of,
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
    "intended": "quality",
    "withdrawn": "quality",
    "repeated": "quality",
    "unread": "quality",
    "unreadable": "success",
}
"""What each kind of contradiction costs. A kind may cost success while it hits at most 1 % of honest replies."""
SOUP = 6
"""How many different values of one kind that must be told are too many."""
RUN = 4
"""How many different values in a row are too many."""
_LISTED = re.compile(r"[\s,;/]*(?:and|or|und|oder|et|ou|y|o|en|of|then|eur|euros?|utc)?[\s,;/]*")
_SAME = {
    "refund": {"refund"},
    "credit": {"credit"},
    "cancellation": {"cancellation"},
    "pause": {"pause", "skip"},
    "resumption": {"resumption"},
    "address_change": {"address_change"},
    "replacement_machine": {"replacement_machine"},
    "part": {"part"},
    "reshipment": {"reshipment", "order"},
    "label": {"label"},
    "goods": {"replacement_machine", "part", "reshipment", "order"},
    "goes": {"address_change"},
    "stays": set(),
    "money": {"refund", "credit"},
    "plan_change": {"plan_change", "skip", "resumption", "pause"},
}
"""For each kind of claim, the deeds that make it true."""
_CHECKED = {kind: kind + "s" for kind in ("record", "street", "postcode", "email", "phone", "card")}
_SAYS = {
    "record": "record number", "street": "address", "postcode": "postcode", "email": "e-mail address",
    "phone": "phone number", "card": "digits of a card", "amount": "amount", "date": "date",
}  # fmt: skip


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


class Verdict(msgspec.Struct, frozen=True):
    """What a reading found."""

    told: tuple[Entity, ...] = ()
    missing: tuple[Entity, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def passes(self) -> bool:
        """Return whether everything was told and nothing costs success."""
        return not self.missing and not any(one.tier == "success" for one in self.contradictions)


class _Reading(msgspec.Struct):
    """One text, taken apart."""

    index: int
    body: str
    folded: Folded
    values: tuple[Value, ...]
    clauses: list[Clause]
    quoted: list[tuple[int, int]]
    claims: list[Claim]
    unreadable: bool = False
    """The text is too long, or has too many numbers to compare all of them."""

    @property
    def head(self) -> str:
        """Return the part that is read in full."""
        return self.folded.text[:CHARACTERS]

    def quotes(self, start: int, end: int) -> bool:
        """Check whether a stretch of the text is quoted from the thread."""
        return any(first <= start and end <= last for first, last in self.quoted)

    def contradiction(self, kind: str, start: int, end: int, expected: str, found: str) -> Contradiction:
        """Make a contradiction at a place of the folded text."""
        end = min(end, len(self.folded.text))
        first, last = max(0, start - 300), min(end, start + 500) + 300
        inside = [(a + first, b + first) for a, b in sentences(self.folded.text[first:last])]
        around = next(((a, b) for a, b in inside if a <= start < b), (start, end))
        places = [min(self.folded.place(one), len(self.body)) for one in (*around, start, end)]
        sentence = self.body[places[0] : max(places[1], places[3])].strip()
        return Contradiction(TIERS[kind], kind, sentence, places[2], places[3], self.index, expected, found)


def read(case: Case, texts: Sequence[Text]) -> Verdict:
    """Read all outgoing texts together, in order."""
    readings = [_take_apart(case, index, text) for index, text in enumerate(texts)]
    told = tuple(one for one in case.tell if _told(case, one, readings))
    found = [
        *(bad for reading in readings for bad in _ungrounded(case, reading)),
        *_soup(case, readings),
        *_against_the_ledger(case, readings),
        *_repeated(readings),
    ]
    found.sort(key=lambda one: (one.text_index, one.start, one.kind))
    return Verdict(told, tuple(one for one in case.tell if one not in told), tuple(found))


def _take_apart(case: Case, index: int, text: Text) -> _Reading:
    body = text.body[:LONGEST]
    folded = fold_places(body)
    same = body if not folded.dropped else folded.text
    head = folded.text[:CHARACTERS]
    values = _with_names(case, head, read_values(head, case.day, same[:CHARACTERS]))
    rest, crowded = read_rest(folded.text, same)
    values += rest
    quoted = quotations(head, case.thread)
    clauses = read_clauses(folded.text, values)
    claims = read_claims(one for one in clauses if not any(a <= one.start and one.end <= b + 1 for a, b in quoted))
    return _Reading(index, body, folded, values, clauses, quoted, claims, crowded or len(text.body) > LONGEST)


def _with_names(case: Case, text: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Add known streets and the names of goods to the values of a text."""
    found = list(values)
    if case.street_pattern is not None:
        for fits in case.street_pattern.finditer(text):
            number = fits["before"] or fits["after"]
            if number:
                found = [
                    one
                    for one in found
                    if one.end <= fits.start() or fits.end() <= one.start or one.kind in {"record", "email"}
                ]
                found.append(Value(fits.start(), fits.end(), "street", street_key(fits["name"], number)))
    taken = bytearray(len(text) + 1)
    for one in found:
        taken[one.start : one.end] = b"\1" * (one.end - one.start)
    if case.names_pattern is not None:
        for fits in case.names_pattern.finditer(text):
            if not any(taken[fits.start() : fits.end()]):
                found.append(Value(fits.start(), fits.end(), case.goods[fits[0]], fits[0]))
    return tuple(sorted(found))


def _told(case: Case, entity: Entity, readings: Sequence[_Reading]) -> bool:
    """Check whether one of the texts tells an entity; a refund to store credit may be told as credit."""
    values = set(entity.values)
    if entity.kind == "deed" and "refund" in values:
        values |= {"credit" for one in case.deeds if one.kind == "refund" and one.destination == "store_credit"}
    if entity.kind == "deed" and "cancellation" in values and _only_plans(case):
        return any(tells("cancellation", [c for c in one.clauses if _of_a_plan(one, c)]) for one in readings)
    return any(_tells(entity, value, reading) for reading in readings for value in sorted(values))


def _only_plans(case: Case) -> bool:
    """Check whether what was cancelled in the episode are plans and what was cancelled earlier are orders."""
    found = [one for one in case.deeds if one.kind == "cancellation" and one.stands]
    late = [one for one in found if one.seq or one.day >= case.today[:10]]
    return bool(late) and all(one.subject.startswith("sub_") for one in late) and len(late) < len(found)


def _of_a_plan(reading: _Reading, clause: Clause) -> bool:
    """Check whether a clause can be about a plan: its sentence names a plan, or no order."""
    sentence = reading.folded.text[clause.sentence[0] : clause.sentence[1]]
    return _PLAN.search(sentence) is not None or _ORDER.search(sentence) is None


def _tells(entity: Entity, value: str, reading: _Reading) -> bool:
    kinds = {
        "amount": {"amount", "number"}, "date": {"date", "day"}, "time": {"time"}, "record": {"record"},
    }.get(entity.kind)  # fmt: skip
    if kinds is not None:
        wanted = {value, "-" + value[4:]} if entity.kind == "date" else {value}
        if any(one.kind in kinds and wanted & set(one.readings) for one in reading.values):
            return True
        if entity.kind == "amount":
            return _tells_amount(int(value), reading)
        if entity.kind == "time":
            hour, minute = value.split(":")
            return bool(re.search(rf"(?<!\d)0?{int(hour)}\s?[.:h ]\s?{minute}(?!\d)", reading.head))
        return entity.kind == "record" and _tells_record(value, reading)
    if entity.kind == "deed":
        return tells(value, reading.clauses)
    if entity.kind == "topic":
        return touches(value, reading.clauses)
    return _tells_name(value, entity.kind, reading)


def _tells_record(number: str, reading: _Reading) -> bool:
    """Check for a record number with other spaces or hyphens, or without the letters before its digits."""
    if number.replace("-", "") in re.sub(r"[\s-]", "", reading.head.upper()):
        return True
    short = re.fullmatch(r"[A-Z]{2,4}-(\d{4,10})", number)
    return short is not None and re.search(rf"(?<![\w.,-]){short[1]}(?![\w-]|[.,]\d)", reading.head) is not None


def _tells_amount(cents: int, reading: _Reading) -> bool:
    """Check for an amount without a currency, or spelled out."""
    if cents % 100 == 0 and re.search(rf"(?<![\d.,]){cents // 100}(?![\d%]|[.,]\d)", reading.head):
        return True
    return "euro" in reading.head and says_amount(plain_words(reading.head), cents)


def _tells_name(name: str, kind: str, reading: _Reading) -> bool:
    """Check for a name, a part of an address or a phrase; a name counts with its first word alone."""
    text = re.sub(r"[\s,]+", " ", reading.head)
    wanted = re.sub(r"[\s,]+", " ", fold(name))
    if kind == "address":
        return wanted.replace(" ", "").replace("'", "") in text.replace(" ", "").replace("'", "")
    return re.search(rf"\b{re.escape(wanted)}", text) is not None or _tells_term(wanted, text)


def _tells_term(name: str, text: str) -> bool:
    """Check for a duration such as `30 days` in any of the languages."""
    fits = re.fullmatch(r"(\d+|[a-z]+)[ -]days?", name)
    if fits is None:
        return False
    return (
        re.search(
            rf"\b(?:{fits[1]})[ -]?(?:calendar )?(?:days?|tage[n]?|jours?|dias?|dagen|dag|-day|-tage|tagige)", text
        )
        is not None
    )


# Values: what exists nowhere, and what belongs to another person.


def _ungrounded(case: Case, reading: _Reading) -> Iterator[Contradiction]:
    """Yield values that the recipient may not be told, and values that exist nowhere."""
    known = [one for one in reading.values if one.kind in _SAYS]
    for one in known[:ENTITIES]:
        if reading.quotes(one.start, one.end):
            continue
        kind = _kind_of(case, one)
        if kind:
            shown = f"{_SAYS[one.kind]} {reading.folded.text[one.start : one.end]!r}"
            expected = f"only values of this customer, of the thread or of the company as {_SAYS[one.kind]}"
            found = "the recipient may not be told it" if kind == "leak" else "it is in no record, thread or page"
            yield reading.contradiction(kind, one.start, one.end, expected, f"{shown}: {found}")


def _kind_of(case: Case, value: Value) -> str:
    """Return leak, ungrounded or nothing."""
    if value.kind == "amount":
        return "" if int(value.value) in case.sums else "ungrounded"
    if value.kind == "date":
        return "" if any(_known_date(case, one) for one in value.readings) else "ungrounded"
    name = _CHECKED[value.kind]
    if _is_in(value, getattr(case.private, name)):
        return "leak"
    if _is_in(value, getattr(case.known, name)) or _is_in(value, getattr(case.company, name)):
        return ""
    if value.kind == "email":
        domain = value.value.rpartition("@")[2]
        return "" if domain in case.domains else "ungrounded"
    return "ungrounded"


def _known_date(case: Case, text: str) -> bool:
    return text in (case.month_days if text.startswith("--") else case.days)


@lru_cache(maxsize=64)
def _compact(records: frozenset[str]) -> frozenset[str]:
    """Return record numbers without hyphens."""
    return frozenset(one.replace("-", "") for one in records)


def _is_in(value: Value, known: frozenset[str]) -> bool:
    if value.kind == "phone":
        return any(value.value.endswith(one[-8:]) for one in known if len(one) >= 8)
    if value.kind == "email":
        return value.value in known
    if value.kind == "record":
        return value.value in known or value.value.replace("-", "") in _compact(known)
    return value.value in known


# Soup: many values, one of them right.

_OR = {"en": r"\bor\b", "de": r"\boder\b", "fr": r"\bou\b", "es": r"\bo\b", "nl": r"\bof\b"}


def _soup(case: Case, readings: Sequence[_Reading]) -> Iterator[Contradiction]:
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


def _language(reading: _Reading, start: int) -> str:
    return next((one.language for one in reading.clauses if one.sentence[0] == start), "en")


def _alternatives(reading: _Reading, values: Sequence[Value]) -> list[Value]:
    """Return values of one sentence that are alternatives: three with `or`, four in a row, or five."""
    places = sorted({clause.sentence for clause in reading.clauses})
    for start, end in places:
        here = [one for one in values if start <= one.start and one.end <= end]
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


def _records(clause: Clause) -> tuple[str, ...]:
    return tuple(sorted({one.value for one in clause.values if one.kind == "record"}))


def _against_the_ledger(case: Case, readings: Sequence[_Reading]) -> Iterator[Contradiction]:
    """Yield claims and denials that the ledger contradicts; the last claim of a kind and subject decides."""
    everything = [(reading, claim) for reading in readings for claim in reading.claims]
    for place, (reading, claim) in enumerate(everything):
        later = [one for _, one in everything[place + 1 :] if one.kind == claim.kind]
        if claim.implied and any(one.says and one.kind == claim.kind for _, one in everything):
            continue
        bad = _wrong_claim(case, claim, _rest(reading, claim)) if claim.says else _wrong_denial(case, claim)
        if not bad:
            continue
        kind, expected, found = bad
        taken_back = (
            any(not one.says and one.factual and _records(one.clause) in {(), _records(claim.clause)} for one in later)
            if claim.says
            else any(one.says for one in later)
        )
        if taken_back and TIERS[kind] == "success":
            kind = "withdrawn"
        yield reading.contradiction(kind, claim.clause.start, claim.clause.end, expected, found)


def _rest(reading: _Reading, claim: Claim) -> list[Clause]:
    """Return the clauses of the same sentence that follow a claim, up to the next claim; at most two."""
    claiming = {one.clause.start for one in reading.claims}
    found: list[Clause] = []
    for one in reading.clauses:
        if one.start > claim.clause.start and one.sentence == claim.clause.sentence:
            if one.start in claiming or len(found) == 2:
                break
            found.append(one)
    return found


def _deeds(case: Case, kind: str) -> list[Deed]:
    found = [one for one in case.deeds if one.kind in _SAME[kind]]
    if kind == "credit":
        found += [one for one in case.deeds if one.kind == "refund" and one.destination == "store_credit"]
    return found


def _wrong_claim(case: Case, claim: Claim, rest: Sequence[Clause] = ()) -> tuple[str, str, str] | None:
    """Return how the ledger contradicts a claim: the kind of contradiction, expected, found.

    `rest` are the clauses that follow in the same sentence and claim nothing themselves.
    """
    if claim.kind == "extra" or (claim.kind == "arrival" and not _known_arrival(case, claim)):
        return "extra", "only what the records show", "a promise or a gift that no record shows"
    if claim.kind in {"goes", "stays"} and (to := _goes_elsewhere(case, claim)):
        return "denied", f"an address change to {to}", "the text says that it goes to another address"
    if claim.kind in {"arrival", "stays"} or (claim.kind == "goes" and _goes_there(case, claim)):
        return None
    said_words = claim.clause.words
    elsewhere = _CARD.search(said_words) or "bank" in said_words
    unclear = claim.kind == "refund" and _STORE.search(said_words) and not elsewhere
    deeds = _of_the_matter(claim, _deeds(case, "money" if unclear else claim.kind))
    name = claim.kind.replace("_", " ")
    if not deeds:
        if claim.kind in case.expected and not words(LANGUAGES[claim.clause.language].finished).search(
            claim.clause.words
        ):
            return None
        return "claimed", f"no {name}: the records have none", f"the text says that there is a {name}"
    if not any(one.stands for one in deeds):
        return None
    names = {word.upper() for one in deeds for word in (one.subject, *one.names)}
    families = {one.partition("-")[0] for one in names if "-" in one}
    said = _records(claim.clause) or (_records(rest[0]) if rest else ())
    about = [one for one in said if one in case.known.records and one.partition("-")[0] in families]
    if about and names - {""} and not names & set(about) and claim.kind in _OF_A_RECORD:
        return "subject", f"{name} of {', '.join(sorted(names))}", f"{name} of {', '.join(about)}"
    amounts = [int(one.value) for one in claim.clause.values if one.kind == "amount"]
    if not amounts:
        amounts = [int(one.value) for clause in rest for one in clause.values if one.kind == "amount"][:1]
    paid = [one.cents for one in deeds if one.cents]
    if claim.kind in {"refund", "credit", "money"} and amounts and paid:
        sums = {*paid, sum(paid)}
        if not sums & set(amounts) and sum(amounts) not in sums:
            return "amount", f"{name} of {_euros(paid)}", f"{name} of {_euros(amounts)}"
    return _wrong_destination(claim, deeds) or _done_earlier(case, claim, deeds, amounts)


_ORDER = words("order | bestellung | commande | pedido | bestelling")
_OF_A_RECORD = {"refund", "cancellation", "reshipment", "address_change", "label"}
"""Claims that are wrong if they name another record than the deed."""
_PLAN = words(
    "subscription | subscriptions | plan | plans | abo | abos | abonnement | abonnements | abonnementen | kaffee-abo"
    " | kaffee-abos | kaffeeabos | kaffeeabo | koffieabonnement | formule | suscripción | suscripciones"
)


_SEVERAL = words(
    "both+plans | both+subscriptions | two+plans | two+subscriptions | three+plans | three+subscriptions | all+plans"
    " | all+subscriptions | beide+abos | beiden+abos | beide+kaffee-abos | beiden+kaffee-abos | beide+abonnements"
    " | beiden+abonnements | alle+abos | alle+abonnements | deux+abonnements | trois+abonnements | tous+abonnements"
    " | dos+suscripciones | ambas+suscripciones | tres+suscripciones | todas+suscripciones | beide+abonnementen"
    " | twee+abonnementen | drie+abonnementen | alle+abonnementen"
)


def _of_the_matter(claim: Claim, deeds: list[Deed]) -> list[Deed]:
    """Return the deeds that a claim can mean: a plan that was cancelled is not an order that was cancelled."""
    if claim.kind not in {"cancellation", "pause", "plan_change"} or not _PLAN.search(claim.clause.words):
        return deeds
    if _records(claim.clause):
        return deeds
    plans = [one for one in deeds if not one.subject.startswith("ord_")]
    few = len(plans) == 1 and plans[0].subject.startswith("sub_")
    return [] if few and _SEVERAL.search(claim.clause.words) else plans


def _known_arrival(case: Case, claim: Claim) -> bool:
    """Check whether every day of arrival that a clause states is a day of the records, or has passed."""
    days = [one for one in claim.clause.values if one.kind in {"date", "day"}]
    known = case.known.dates | {"-" + one[4:] for one in case.known.dates if not one.startswith("--")}
    return bool(days) and all(any(one in known for one in day.readings) for day in days)


def _goes_elsewhere(case: Case, claim: Claim) -> str:
    """Return where an order goes since its address was changed, if a clause says that it goes elsewhere."""
    streets = {one.value for one in claim.clause.values if one.kind == "street"}
    changed = [one for one in case.deeds if one.stands and one.kind == "address_change" and one.to.get("line1")]
    to = {street_of(one.to["line1"]) for one in changed}
    orders = [one for one in changed if one.subject.startswith("ord_")]
    return str(orders[0].to["line1"]) if orders and streets and not streets & to else ""


def _goes_there(case: Case, claim: Claim) -> bool:
    """Check whether goods go to the address that a clause states."""
    streets = {one.value for one in claim.clause.values if one.kind == "street"}
    sent = [one for one in case.deeds if one.stands and one.kind in {*_SAME["goods"], "shipment"}]
    to = {street_of(str(one.to.get("line1") or "")) for one in sent}
    return bool(streets & to) or any(one.kind in _SAME["goods"] for one in sent)


def _done_earlier(
    case: Case, claim: Claim, deeds: Iterable[Deed], amounts: Sequence[int]
) -> tuple[str, str, str] | None:
    """Return the contradiction if a text says that a deed was done just now, and all such deeds are from before."""
    if claim.kind not in _DATED or not case.today:
        return None
    standing = [one for one in deeds if one.stands]
    days = [one.day for one in standing if not one.seq and one.day and one.day < case.today[:10]]
    if not standing or len(days) < len(standing):
        return None
    fresh = words(LANGUAGES[claim.clause.language].fresh).search(claim.clause.words)
    today = any(one.kind in {"date", "day"} and case.today[:10] in one.readings for one in claim.clause.values)
    if not (fresh or today):
        return None
    name = claim.kind.replace("_", " ")
    return "earlier", f"{name} of {', '.join(sorted(set(days)))}", f"the text says that a {name} was done just now"


_DATED = {"refund", "credit", "money", "cancellation", "replacement_machine", "part", "reshipment", "goods", "label"}
"""Deeds whose day is the day on which they were done."""
_CARD = re.compile(r"\b(?:card|karte|kreditkarte|carte|tarjeta|kaart|visa|mastercard|amex|xcard)\b")
_STORE = re.compile(
    r"\b(?:store credit|credit|guthaben|avoir|saldo|tegoed|voucher|gutschein|konto|account|compte|cuenta)\b"
)


def _wrong_destination(claim: Claim, deeds: Iterable[Deed]) -> tuple[str, str, str] | None:
    where = {one.destination for one in deeds if one.kind == "refund"}
    if claim.kind == "refund" and where == {"store_credit"}:
        text = claim.clause.words
        if _CARD.search(text) and not _STORE.search(text):
            return "destination", "refund to store credit", "refund to a card"
    return None


def _wrong_denial(case: Case, claim: Claim) -> tuple[str, str, str] | None:
    """Return how the ledger contradicts a denial."""
    deeds = [one for one in _deeds(case, claim.kind) if one.stands] if claim.kind in _SAME else []
    if claim.implied:
        deeds = [one for one in deeds if one.seq or one.day >= case.today[:10]]
    if not deeds or claim.limited:
        return None
    names = {word.upper() for one in deeds for word in (one.subject, *one.names)}
    about = _records(claim.clause)
    if about and not names & set(about):
        return None
    name = claim.kind.replace("_", " ")
    return "denied" if claim.factual else "intended", f"a {name}: it was done", f"the text says that there is no {name}"


def _euros(cents: Iterable[int]) -> str:
    return ", ".join(f"{one // 100}.{one % 100:02d}" for one in cents)


def _repeated(readings: Sequence[_Reading]) -> Iterator[Contradiction]:
    """Yield texts that were sent before, and the part of a long text that is not read."""
    seen: set[str] = set()
    for reading in readings:
        said = " ".join(reading.folded.text.split())
        if said and said in seen:
            yield reading.contradiction(
                "repeated", 0, len(reading.folded.text), "each text once", "the same text again"
            )
        seen.add(said)
        length = len(reading.folded.text)
        if reading.unreadable:
            expected = f"at most {ENTITIES} numbers after {CHARACTERS} characters"
            yield reading.contradiction("unreadable", min(CHARACTERS, length), length, expected, "more of them")
        elif length > CHARACTERS:
            expected = f"at most {CHARACTERS} characters"
            yield reading.contradiction("unread", CHARACTERS, length, expected, f"{len(reading.body)} characters")
