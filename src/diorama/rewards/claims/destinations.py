"""Where a text says that orders, plans and goods go: each of its subjects has to go there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, alternatives, by_language, words
from diorama.rewards.claims.relations import Wrong, is_new, is_own_act
from diorama.rewards.claims.things import named_in, streets_of, towns_of, without_plans_of


class Places(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    goes: str
    at: str
    not_there: str
    same: str
    pronoun: str
    plan: str
    order: str
    orders: str
    we_send: str
    unclear: str
    data: str
    holds: str
    stored: str
    now: str
    keeps: str
    yourself: str


@lru_cache(maxsize=1)
def places() -> Mapping[str, Places]:
    """Return the words of each language."""
    return by_language("places", Places)


class Place(msgspec.Struct, frozen=True):
    """A street or a town that a clause names."""

    start: int
    said: str
    is_of: Callable[[Thing], bool]
    whole: bool = False
    """Whether it is a street with its number."""


def destinations(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say that a thing goes where it does not go."""
    if not case.things:
        return
    streets, towns = _atlas(case.things, case.deeds)
    atlas = frozenset(one for one in streets if one in text), frozenset(one for one in towns if one in text)
    if not any(atlas) and not any(one.kind == "street" for clause in clauses for one in clause.values):
        return
    last: list[Place] = []
    for place, clause in enumerate(clauses):
        here = [] if clause.question else _places_in(case, atlas, clause, text)
        wrong = None
        if here:
            wrong = _elsewhere(case, clauses, place, text, here)
        elif last and not clause.question:
            wrong = _elsewhere_too(case, clauses, place, text, last)
        whole = [one for one in here if one.whole]
        last = whole or last
        if wrong:
            yield clause, wrong


# --- places


def _atlas(things: Sequence[Thing], deeds: Sequence[Deed]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the streets and the towns that the customer's things go or went to."""
    sent = [one for one in deeds if one.to.get("city") and one.kind != "shipment"]
    towns = {town for one in things for town in one.towns} | {fold(str(one.to["city"])) for one in sent}
    streets = {street.rpartition(" ")[0].lower() for one in things for street in one.streets}
    return frozenset(one for one in streets if len(one) > 5), frozenset(one for one in towns if len(one) > 2)


def _places_in(case: Case, atlas: tuple[frozenset[str], frozenset[str]], clause: Clause, text: str) -> list[Place]:
    """Return the places of a clause that stand after a word of place."""
    said, known = text[clause.start : clause.end], places()[clause.language]
    found = [
        Place(one.start - clause.start, one.value, _on(one.value), whole=True)
        for one in clause.values
        if one.kind == "street"
    ]
    taken = [one.start for one in found]
    streets, towns = atlas
    for name in streets:
        for fits in _word(name).finditer(said) if name in said else ():
            if not any(abs(fits.start() - start) < 8 for start in taken):
                found.append(Place(fits.start(), name, _along(name)))
    for town in towns:
        for fits in _word(town).finditer(said) if town in said else ():
            found.append(Place(fits.start(), town, _near(town)))
    lead = _at(known.at)
    return sorted(
        (one for one in found if one.whole or lead.search(said[: one.start])), key=lambda one: (one.start, one.said)
    )


def _on(street: str) -> Callable[[Thing], bool]:
    return lambda thing: street in thing.streets


def _along(name: str) -> Callable[[Thing], bool]:
    return lambda thing: any(one.rpartition(" ")[0].lower() == name for one in thing.streets)


def _near(town: str) -> Callable[[Thing], bool]:
    return lambda thing: town in thing.towns


@lru_cache(maxsize=256)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


@lru_cache(maxsize=16)
def _at(text: str) -> re.Pattern[str]:
    """Return a pattern for a word of place at the end of what stands before."""
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, alternatives(text))) + r")[\s:]+$")


# --- subjects


def _subjects(case: Case, clause: Clause, text: str, until: int) -> list[Thing] | None:
    """Return the things that a clause names before a place; None if it names one that cannot be told."""
    known = places()[clause.language]
    said = text[clause.start : clause.start + until]
    orders = {number: one for one in case.things if one.kind == "order" for number in one.numbers}
    found = [
        orders[one.value]
        for one in clause.values
        if one.kind == "record" and one.value in orders and one.start - clause.start < until
    ]
    plans = [one for one in case.things if one.kind == "plan" and one.status != "cancelled"]
    named = [one for one, _, _ in named_in(plans, said)]
    if not named and words(known.plan).search(without_plans_of(said)):
        if len(plans) != 1:
            return None
        named = plans
    found += [one for one in named if not any(one.name in good for order in found for good in order.goods)]
    if found:
        return found
    if words(known.holds).search(said):
        return [one for one in case.things if one.kind == "account"]
    goods = [one.value for one in clause.values if one.kind in {"product", "part"} and one.start - clause.start < until]
    moving = [one for one in case.things if one.moves(case.today)]
    if goods:
        fits = [one for one in moving if any(good.startswith(goods[0]) for good in one.goods)]
        return fits if len(fits) == 1 else None
    if words(known.order).search(said):
        changed = any(one.kind == "address_change" and is_new(case, one) for one in case.deeds)
        return moving if len(moving) == 1 and not changed else None
    return []


def _subjects_before(case: Case, clauses: Sequence[Clause], place: int, text: str) -> list[Thing] | None:
    """Return what a clause without a subject is about: the records before it in its sentence, or its pronoun's."""
    clause = clauses[place]
    pronoun = re.match(r"\W*", clause.words)
    start = pronoun.end() if pronoun else 0
    refers = words(places()[clause.language].pronoun).match(clause.words, start) is not None
    found: list[Thing] = []
    for other in reversed(clauses[max(0, place - 4) : place]):
        if other.sentence != clause.sentence and not refers:
            break
        here = _subjects(case, other, text, other.end - other.start)
        if here is None:
            return None
        only_records = all(re.fullmatch(r"\W*(?:xrecord|\w{1,3}|xproduct)?\W*", one) for one in other.words.split())
        if found and not only_records:
            break
        if any(one.kind == "street" for one in other.values) and not refers:
            break
        found += here
        if found and not only_records:
            break
    return found


# --- checks


def _says_so(clause: Clause, text: str, place: Place) -> bool:
    """Check whether a clause states that something goes to a place: the verb before it is not denied or wished."""
    language, known = LANGUAGES[clause.language], places()[clause.language]
    said = text[clause.start : clause.start + place.start]
    verbs = list(words(known.goes).finditer(text, clause.start, clause.end))
    verbs = [one for one in verbs if one.start() - clause.start < place.start] or (
        verbs if clause.language in {"de", "nl"} else []
    )
    if not verbs or is_own_act(clause):
        return False
    link = [one.end() for one in re.finditer(rf"\s{language.link}\s", said)]
    begin = max((one for one in link if one <= verbs[-1].start() - clause.start), default=0)
    segment = said[begin:]
    rest = text[clause.start + place.start : clause.end]
    denied = words(language.negation).search(segment) or words(known.not_there).search(segment[-28:])
    if clause.language in {"de", "nl"}:
        denied = denied or words(language.negation).search(rest)
    plain = words(language.saying).sub(" ", segment).replace("continue to be", "continue")
    hazy = any(words(one).search(plain) for one in (language.exempt, language.wish, language.reported, known.unclear))
    return not (denied or hazy or words(language.conditional).search(segment))


def _elsewhere(case: Case, clauses: Sequence[Clause], place: int, text: str, here: Sequence[Place]) -> Wrong | None:
    """Compare the places of a clause with where its subjects go."""
    clause = clauses[place]
    if not _says_so(clause, text, here[0]):
        return None
    known = places()[clause.language]
    subjects = _subjects(case, clause, text, here[0].start)
    before = text[clause.sentence[0] : clause.start + here[0].start]
    if subjects is None and words(known.orders).search(before):
        return _of_several(case, here)
    if subjects is not None and not subjects:
        subjects = _subjects_before(case, clauses, place, text)
        if subjects == [] and words(known.orders).search(before):
            return _of_several(case, here)
    if not subjects:
        return _promised(case, clause, text, here, known)
    wrong = [one for one in subjects if one.streets and not any(place.is_of(one) for place in here)]
    return _wrong(wrong[0], here) if wrong else None


def _elsewhere_too(case: Case, clauses: Sequence[Clause], place: int, text: str, last: Sequence[Place]) -> Wrong | None:
    """Compare `the same for LK-1` with the place that was said before."""
    clause = clauses[place]
    known, language = places()[clause.language], LANGUAGES[clause.language]
    if not words(known.same).search(clause.words) or is_own_act(clause) or clause.conditional:
        return None
    if words(language.negation).search(clause.words) or words(language.exempt).search(clause.words):
        return None
    subjects = _subjects(case, clause, text, clause.end - clause.start)
    subjects = (_subjects_before(case, clauses, place, text) if subjects == [] else subjects) or []
    wrong = [
        one for one in subjects if one.kind != "account" and one.streets and not any(place.is_of(one) for place in last)
    ]
    return _wrong(wrong[0], last) if wrong else None


def _of_several(case: Case, here: Sequence[Place]) -> Wrong | None:
    """Check that at least two orders go to a place that several are said to go to."""
    moving = [one for one in case.things if one.moves(case.today)]
    there = [one for one in moving if any(place.is_of(one) for place in here)]
    others = [one for one in moving if one not in there]
    return _wrong(others[0], here) if len(there) < 2 and others else None


def _promised(case: Case, clause: Clause, text: str, here: Sequence[Place], known: Places) -> Wrong | None:
    """Check that what the company says it sends to a street goes there."""
    whole = [one for one in here if one.whole]
    if not whole or words(known.we_send).search(text, clause.start, clause.end) is None or clause.depends:
        return None
    sent = [
        Thing("parcel", one.subject, streets=streets_of(one.to), towns=towns_of(one.to))
        for one in case.deeds
        if one.to.get("line1") and one.stands
    ]
    everything = [*case.things, *sent]
    if any(one.said in case.company.streets or any(one.is_of(thing) for thing in everything) for one in whole):
        return None
    return "place", f"nothing goes to {whole[0].said}", "the text says that goods go there"


def _wrong(subject: Thing, here: Sequence[Place]) -> Wrong:
    name = subject.name or (subject.numbers[0] if subject.numbers else subject.kind)
    said = ", ".join(one.said for one in here)
    return "place", f"{name} goes to {', '.join(subject.streets)}", f"the text says that it goes to {said}"


def changed_account(case: Case) -> bool:
    """Check whether the account of the customer was changed in the episode."""
    kinds = {"contact_change", "address_change"}
    sent = {one.names for one in case.deeds if one.kind in GOODS}
    return any(
        one.kind in kinds
        and is_new(case, one)
        and not one.subject.startswith(("ord_", "shp_", "sub_"))
        and one.names not in sent
        for one in case.deeds
    )
