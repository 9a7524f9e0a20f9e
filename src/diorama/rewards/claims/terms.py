"""Terms: until when a label or a warranty lasts, on which day goods came back, and how late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.journeys import journey_words
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, alternatives, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import PAST, Wrong, is_own_act
from diorama.rewards.claims.returns import return_words
from diorama.rewards.claims.spans import by_sentence, days_in, number_in
from diorama.rewards.claims.things import named_in
from diorama.rewards.claims.values import MONTHS

Found = tuple[Clause, Wrong]
YEAR = 365


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    label: str
    valid: str
    until: str
    send_back: str
    credit: str
    expires: str
    warranty: str
    covered: str
    over: str
    out: str
    within: str
    late: str
    not_late: str
    due: str
    not_back: str
    kit: str
    unit: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("terms", Words)


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> lexicon.Words:
    """Return the words without which no check finds anything."""
    known, back = _known()[language], return_words(Clause(0, 0, (0, 0), "", language))
    lists = (
        known.valid,
        known.send_back,
        known.expires,
        known.warranty,
        known.late,
        known.due,
        known.not_back,
        back.arrived,
        back.here,
        journey_words()[language].same_for,
    )
    return words("|".join(lists))


def terms(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[Found]:
    """Yield the clauses with a term that the records do not show."""
    if not case.things:
        return
    before: list[Clause] = []
    for sentence in by_sentence(clauses):
        if any(_cues(one.language).may_stand_in(one.words) for one in sentence):
            for place, clause in enumerate(sentence):
                if clause.question or is_own_act(clause):
                    continue
                wrong = (
                    _label(case, clause, sentence, before)
                    or _warranty(case, sentence, place, text)
                    or _same_warranty(case, clause, before, text)
                    or _came_back(case, clause, sentence)
                    or _late(case, clause, sentence)
                    or _due(case, clause, sentence)
                    or _whereabouts(case, clause, sentence)
                )
                if wrong:
                    yield clause, wrong
        before = sentence


def _is(clauses: Sequence[Clause], text: str) -> bool:
    return any(words(text).search(one.words) for one in clauses)


@lru_cache(maxsize=len(NAMES))
def _until(language: str) -> re.Pattern[str]:
    """Return the pattern of a word for `until` shortly before a day."""
    lead = "|".join(sorted(map(re.escape, alternatives(_known()[language].until)), key=len, reverse=True))
    return re.compile(rf"\b(?:{lead})\s(?:[\w'-]+\s){{0,2}}x(?:date|day)\b")


@lru_cache(maxsize=len(NAMES))
def _lasting(language: str) -> re.Pattern[str]:
    """Return the pattern of a number and a unit of time; the group that is not empty tells which."""
    units = ["|".join(map(re.escape, alternatives(one))) for one in _known()[language].unit.split("||")]
    return re.compile(r"\b([\w'-]+)\s(?:" + "|".join(f"({one})" for one in units) + r")\b")


_DAYS = (1, 7, 30, YEAR)


def lasting(clause: Clause) -> list[int]:
    """Return how many days the terms of a clause last: `a week`, `30 days`."""
    found = []
    for one in _lasting(clause.language).finditer(clause.words):
        count = number_in(one[1])
        unit = next(place for place in range(4) if one[place + 2])
        if count:
            found.append(count * _DAYS[unit])
    return found


# --- labels


def _label(case: Case, clause: Clause, sentence: Sequence[Clause], before: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the label of a return is said to last until another day, or for another time."""
    ends = {
        day: deed.day
        for deed in case.new_deeds
        if deed.kind == "label"
        for one in case.things
        if one.kind == "return" and one.id in deed.names
        for day in one.days
    }
    if not ends:
        return None
    known = _known()[clause.language]
    near = _is([clause], known.label)
    if not near and not _is(sentence, known.label) and not _is(before, known.label):
        return None
    valid = words(known.valid).search(clause.words)
    days = [one for one in days_in(case, clause) if all(day > case.today[:10] for day in one)]
    if len(days) == 1 and _until(clause.language).search(clause.words):
        send = near or words(known.send_back).search(clause.words)
        expires = valid or _is(sentence, f"{known.valid}\n{known.expires}")
        known_days = set(ends) if expires else {*ends, *_last_days(case)}
        if (valid or send) and not days[0] & known_days and not _is([clause], known.credit):
            return "state", f"a label until {', '.join(sorted(ends))}", f"the text says {min(days[0])}"
    if valid and not days and (near or not _is([clause], known.warranty)):
        whole = {(date.fromisoformat(end) - date.fromisoformat(made)).days for end, made in ends.items() if made}
        said = lasting(clause)
        if whole and said and not any(abs(one - other) <= 1 for one in said for other in whole):
            return "state", f"a label for {', '.join(map(str, sorted(whole)))} days", f"the text says {said[0]} days"
    return None


def _last_days(case: Case) -> Iterator[str]:
    """Yield the days until which goods may be sent back: what has to be told, and a term after each arrival."""
    yield from (day for one in case.tell if one.kind == "date" for day in one.values)
    for arrived in {one.arrived for one in case.things if one.kind == "order" and one.arrived}:
        yield from ((date.fromisoformat(arrived) + timedelta(days=days)).isoformat() for days in RETURN_DAYS)


RETURN_DAYS = (14, 28, 30)
"""For how many days goods may be sent back by the documented rules."""


# --- warranties


def _warranty(case: Case, sentence: Sequence[Clause], place: int, text: str) -> Wrong | None:
    """Compare what a clause says of a warranty with the machine that it is about."""
    clause = sentence[place]
    known = _known()[clause.language]
    here = words(known.warranty).search(clause.words)
    lead = here or (place and _is(sentence[:place], known.warranty)) or "covered until" in clause.words
    if not lead or (clause.conditional and not here):
        return None
    machines = _machines(case, sentence, place, text)
    ends = {day for one in machines for day in one.days}
    if not ends:
        return None
    shown = f"a warranty until {', '.join(sorted(ends))}"
    today = case.today[:10]
    days = days_in(case, clause)
    whole = text[sentence[0].start : clause.end]
    arranged = any(one.kind in {"part", "replacement_machine"} for one in case.new_deeds) and _GENERIC.search(whole)
    if not arranged and not any(one.name in whole for one in machines):  # `your grinder` may be another one
        ends |= {day for one in case.things if one.kind == "machine" for day in one.days}
    if len(days) == 1 and words(known.covered).search(clause.words) and _until(clause.language).search(clause.words):
        later = all(day > today for day in days[0])
        if later and not days[0] & ends:
            return "state", shown, f"the text says {min(days[0])}"
    said = text[clause.start : clause.end]
    if not here and words(known.covered).search(clause.words):
        for found in _MONTH_YEAR.finditer(said):
            month = MONTHS.get(found[1].rstrip("."))
            if month and f"{found[2]}-{month:02d}" not in {one[:7] for one in ends}:
                return "state", shown, f"the text says {found[0]!r}"
    if here is None:
        return None
    out = words(known.out).search(clause.words)
    over = out or words(known.over).search(clause.words, here.end())
    if over and min(ends) > today and not _is_denied(clause, over, own=over is out):
        return "state", shown, f"the text says {over[0]!r}"
    passed = any(day < today for one in days for day in one)  # `was under warranty until 6 October`
    within = None if out or passed else words(known.within).search(clause.words)
    if (
        within
        and max(ends) < today
        and not PAST.search(clause.words)
        and not _is_denied(clause, within)
        and not _unclear(clause, within)
    ):
        return "state", shown, f"the text says {within[0]!r}"
    return None


_GENERIC = re.compile(
    r"\b(?:machine|device|unit|appliance|gerat|gerät|altgerat|altgerät|maschine|appareil|aparato|maquina|apparaat"
    r"|toestel)\b"
)
"""Words that mean the machine that something was sent for."""
_MONTH_YEAR = re.compile(r"\b([a-zäöü]{3,10}\.?)\s(?:de\s|del\s|of\s)?((?:19|20)\d\d)\b")


def _same_warranty(case: Case, clause: Clause, before: Sequence[Clause], text: str) -> Wrong | None:
    """Return the contradiction if a machine is said to be out of warranty like the one before, and is not."""
    if not before or words(journey_words()[clause.language].same_for).search(clause.words) is None:
        return None
    known = _known()[clause.language]
    over = any(words(known.over).search(one.words) or words(known.out).search(one.words) for one in before)
    if not over or not _is(before, known.warranty):
        return None
    machines = [one for one in case.things if one.kind == "machine" and one.name in text[clause.start : clause.end]]
    ends = {day for one in machines for day in one.days}
    if not ends or min(ends) < case.today[:10] or words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    return "state", f"a warranty until {min(ends)}", "the text says that it is over, too"


def _is_denied(clause: Clause, found: re.Match[str], *, own: bool = False) -> bool:
    return is_negated(clause, found.end(), [found.span()] if own else ())


def _unclear(clause: Clause, found: re.Match[str]) -> bool:
    """Check whether what a clause says is a wish, a possibility, a report or a condition; not by the words found."""
    language = LANGUAGES[clause.language]
    rest = clause.words[: found.start()] + clause.words[found.end() :]
    lists = (language.exempt, language.wish, language.reported, language.conditional)
    return any(words(one).search(rest) for one in lists)


def _machines(case: Case, sentence: Sequence[Clause], place: int, text: str) -> list[Thing]:
    """Return the machines that a clause is about: those named in it, or last in its sentence, or of the deeds."""
    machines = [one for one in case.things if one.kind == "machine"]
    for clause in reversed(sentence[: place + 1]):
        if named := named_in(machines, text[clause.start : clause.end]):
            longest = max(len(one.name) for one, _, _ in named)
            return [one for one, _, _ in named if len(one.name) == longest or len(named) == 1]
        numbers = {value.value for value in clause.values if value.kind == "record"}
        if found := [one for one in machines if numbers & set(one.numbers)]:
            return found
    done = {name.upper() for one in case.new_deeds for name in (one.subject, *one.names)}
    return [one for one in machines if one.id.upper() in done] or machines


# --- what came back


def _came_back(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if what was sent back is said to have come in on another day than it did."""
    known = return_words(clause)
    found = words(known.here).search(clause.words) or words(known.arrived).search(clause.words)
    came = {one.arrived for one in case.things if one.kind == "return" and one.arrived}
    if found is None or not came or not words(known.us).search(clause.words):
        return None
    if words(known.not_arrived).search(clause.words) or clause.conditional or is_negated(clause, found.end()):
        return None
    days = days_in(case, clause) if _stands_by(clause, found) else _lone_days(case, sentence)
    days = [one for one in days if all(day <= case.today[:10] for day in one)]
    said = set().union(*days) if days else set()
    if not days or said & came or not set.intersection(*map(set, days)):
        return None
    parcels = {one.closed for one in case.parcels} | {one.arrived for one in case.things if one.kind == "order"}
    paid = {one.day for one in case.deeds if one.cents}
    if said & (parcels | (paid - {case.today[:10]})) or _unclear(clause, found):
        return None
    return "state", f"goods that came back on {', '.join(sorted(came))}", f"the text says {min(said)}"


def _stands_by(clause: Clause, found: re.Match[str]) -> bool:
    """Check whether the day of a clause is that of some words: nothing else is linked to them between the two."""
    day = _DAY.search(clause.words)
    if day is None:
        return False
    first, last = min(found.end(), day.end()), max(found.start(), day.start())
    between = clause.words[first:last].split()
    return len(between) <= GAP and LANGUAGES[clause.language].link not in between


GAP = 6
"""How many words may stand between an arrival and its day."""
_DAY = re.compile(r"\bx(?:date|day)\b")
_LONE = re.compile(r"\W*(?:(?:on|the|le|el|am|op|den|de|du)\s)*x(?:date|day)\W*")


def _lone_days(case: Case, sentence: Sequence[Clause]) -> list[frozenset[str]]:
    """Return the days that stand between commas: `this morning, 2 March, it came in`."""
    return [day for one in sentence if _LONE.fullmatch(one.words) for day in days_in(case, one)]


def _late(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if what was rented is said to have come back late, and came on its day or before."""
    known = _known()[clause.language]
    found = words(known.late).search(clause.words)
    if found is None or words(known.not_late).search(clause.words) or is_negated(clause, found.end()):
        return None
    named = {value.value for one in sentence for value in one.values if value.kind == "record"}
    orders = [one for one in case.things if one.kind == "order" and one.days]
    meant = [one for one in orders if named & set(one.numbers)] or orders
    late = {days for one in meant for days in _days_late(case, one)}
    if not late or _unclear(clause, found):
        return None
    said = lasting(clause)
    if max(late) <= 0:
        return "state", "a kit that came back in time", f"the text says {found[0]!r}"
    if said and not any(abs(one - other) <= 1 for one in said for other in late):
        return "state", f"a kit that came back {max(late)} days late", f"the text says {said[0]} days"
    return None


def _due(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if what was rented is said to be due back on another day than the notes say."""
    known = _known()[clause.language]
    found = words(known.due).search(clause.words)
    orders = [one for one in case.things if one.kind == "order" and one.days] if found else []
    days = days_in(case, clause)
    if found is None or not orders or len(days) != 1 or is_negated(clause, found.end()):
        return None
    named = {value.value for one in sentence for value in one.values if value.kind == "record"}
    others = {number for one in case.things if one.kind == "order" and not one.days for number in one.numbers}
    meant = [one for one in orders if named & set(one.numbers)] or ([] if named & others else orders)
    own = {day for one in meant for day in one.days}
    if not own or days[0] & own or days[0] & {one.due for one in case.parcels}:
        return None
    if days[0] & {day for one in case.things if one.kind == "return" for day in (*one.days, one.arrived)}:
        return None
    return "state", f"due back on {', '.join(sorted(own))}", f"the text says {min(days[0])}"


def _whereabouts(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a rented kit that came back is said to be with the customer, or not to be here."""
    known = _known()[clause.language]
    found = words(known.not_back).search(clause.words)
    if found is None or not words(known.kit).search(" ".join(one.words for one in sentence)) or _unclear(clause, found):
        return None
    orders = [one for one in case.things if one.kind == "order" and one.days]
    named = {value.value for one in sentence for value in one.values if value.kind == "record"}
    meant = [one for one in orders if named & set(one.numbers)] or ([] if named else orders)
    if not meant or not all(_days_late(case, one) for one in meant):
        return None
    return "state", "a kit that came back", f"the text says {found[0]!r}"


def _days_late(case: Case, order: Thing) -> list[int]:
    """Return how many days after it was due what was rented with an order came back."""
    numbers = {
        name for one in case.deeds if one.kind == "label" and set(order.numbers) & set(one.names) for name in one.names
    }
    came = [one.arrived for one in case.things if one.kind == "return" and one.id in numbers and one.arrived]
    return [(date.fromisoformat(one) - date.fromisoformat(order.days[-1])).days for one in came]
