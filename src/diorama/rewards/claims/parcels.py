"""In what state a text says that a parcel is: one table of words for states, compared with the parcels it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.agreements import destination_words
from diorama.rewards.claims.case import Case, Grounds, Parcel, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.heads import has_another_head
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, by_language, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.parcel_days import came_in_today, days_before, on_another_day
from diorama.rewards.claims.parcel_words import (
    ANNOUNCED,
    BAG,
    BAGS,
    DAMAGE,
    DAMAGE_WORDS,
    DEPOT,
    FIRST,
    IS_WITH,
    LISTS,
    MEANT,
    NEW,
    OPEN,
    SECOND,
)
from diorama.rewards.claims.relations import Wrong, follows_condition, is_new, is_own_act, roots_of
from diorama.rewards.claims.sendings import contents_of, goods_of, kinds_of, mentions_of
from diorama.rewards.claims.values import Value


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    noun: str
    other: str
    waiting: str
    moving: str
    carried: str
    left: str
    arrived: str
    lost: str
    found: str
    back: str
    held: str
    later: str
    past: str
    us: str
    aside: str
    returning: str
    both: str
    due: str
    now: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("parcels", Words)


ALLOWED: Mapping[str, frozenset[str]] = {
    "waiting": frozenset({"waiting"}),
    "moving": frozenset({"waiting", "moving"}),
    "carried": frozenset({"moving"}),
    "left": frozenset({"waiting", "moving"}),
    "arrived": frozenset({"arrived"}),
    "missing": frozenset({"waiting", "moving", "lost", "back", "cancelled"}),
    "lost": frozenset({"lost"}),
    "back": frozenset({"back"}),
    "held": frozenset({"back"}),
    "found": frozenset({"waiting", "moving", "arrived", "back"}),
}
"""What may be said of a parcel, and the states in which it is true."""
_ORDER = ("found", "lost", "held", "back", "waiting", "arrived", "carried", "moving", "left")
"""Which words decide if a clause has several."""


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> lexicon.Words:
    known = _known()[language]
    return words("|".join(getattr(known, one) for one in _ORDER))


class Subject(msgspec.Struct, frozen=True):
    """What a clause is about: an order, a parcel, or goods of one."""

    name: str
    states: frozenset[str]
    parcels: tuple[Parcel, ...] = ()
    order: Thing | None = None
    sure: bool = True
    """Whether the text names it near the clause."""


def parcels(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say of a parcel what its records contradict."""
    if not case.parcels:
        return
    for place, clause in enumerate(clauses):
        if clause.question or not _cues(clause.language).search(clause.words):
            continue
        said = _said(clause)
        if said is None:
            continue
        state, found = said
        about = _subjects(case, clauses, place, text, state)
        if state == "found" and not all(one.sure for one in about):  # what was never lost cannot turn up
            about = [one for one in about if "lost" in one.states] or about
        if state == "waiting" and any(one.question for one in clauses):
            about = [one for one in about if not _is_cancelled_now(case, one)]  # it waited when the question was asked
        if about and (wrong := _wrong(case, clause, state, found, about)):
            yield clause, wrong


# --- what a clause says


def _said(clause: Clause) -> tuple[str, str] | None:
    """Return the state that a clause states, and its words."""
    known, language = _known()[clause.language], LANGUAGES[clause.language]
    missing: re.Match[str] | None = None
    for state in _ORDER:
        found = words(getattr(known, state)).search(clause.words)
        if found is None:
            continue
        own = words(language.negation).search(found[0]) is not None
        if own and state == "found":
            return None
        if (own and state == "arrived") or (not own and _is_denied(clause, found.end())):
            if state != "arrived":
                return None
            missing = found
            continue
        return (state, found[0]) if _is_claimed(clause, known, state, found, own) else None
    if missing is None or not _is_claimed(clause, known, "missing", missing, own=False):
        return None
    return "missing", missing[0]


def _is_denied(clause: Clause, end: int) -> bool:
    """Check whether some words are denied; `without` denies only what follows it: `a bottomless one, sans fond`."""
    plain = _WITHOUT.sub(lambda found: " " * len(found[0]), clause.words)
    return is_negated(msgspec.structs.replace(clause, words=plain), end)


_WITHOUT = re.compile(r"\b(?:without|ohne|sans|sin|zonder)\s[\w'-]+")


def is_later(clause: Clause, found: re.Match[str]) -> bool:
    """Check whether some words are said of what has not happened yet."""
    return words(_known()[clause.language].later).search(_around(clause, clause.words, found)) is not None


def _is_claimed(clause: Clause, known: Words, state: str, found: re.Match[str], own: bool) -> bool:
    """Check whether the words for a state are stated of now: not wished, planned, conditional or long over."""
    text, language = clause.words, LANGUAGES[clause.language]
    aside = words(f"{known.aside} | {destination_words(clause.language)}")
    if is_own_act(clause) or aside.search(DEPOT.sub(" ", text)):
        return False
    if words(roots_of(clause).glad).search(text) or _is_a_reason(text, found):
        return False
    if state == "carried" and ANNOUNCED.search(text[max(0, found.start() - NEAR) : found.end() + NEAR]):
        return False
    if state == "arrived" and words(known.due).search(text, found.end(), min(len(text), found.end() + DUE_AFTER)):
        return False
    if state == "waiting" and found[0].endswith(OPEN) and BAG.search(text, 0, found.start()):
        return False
    if state == "carried" and found[0].startswith("with ") and not IS_WITH.search(text, 0, found.start()):
        return False
    if state == "arrived" and _IS_BROUGHT.search(text[: found.start()]) and _XSTREET.search(text, found.end()):
        return False
    if clause.conditional and not follows_condition(clause, found.end()):
        return False
    stated = is_stated(clause, [found.span()])
    if clause.depends and not stated:
        return False
    plain = text[: found.start()] + " " * len(found[0]) + text[found.end() :]
    if words(language.reported).search(plain):
        return False
    if not own and state != "held" and words(known.later).search(_around(clause, plain, found)):
        return False
    if state in {"moving", "waiting"} and words(known.past).search(plain):
        return False
    if state == "left" and not (words(known.now).search(text) or _XDAY.search(text)):
        return False
    near = _around(clause, plain, found)
    return stated or not any(words(one).search(near) for one in (language.exempt, language.wish, language.general))


_IS_BROUGHT = re.compile(r"\b(?:is|are|gets|get|est|sont|es|son|se)\s(?:now |also |then |alors |aussi |ahora )?$")
_XSTREET = re.compile(r"\bxstreet\b")
"""Where goods go, in the present tense, and no arrival: `LK-1 is delivered to Main Street 2`."""


def _is_a_reason(text: str, found: re.Match[str]) -> bool:
    """Check whether goods were damaged where some words say: `damaged in transit` is a reason and not a state."""
    near = " ".join((*text[: found.start()].split()[-DAMAGE_WORDS:], "|", *text[found.end() :].split()[:DAMAGE_WORDS]))
    return DAMAGE.search(near) is not None


DUE_AFTER = 16
"""How closely a word for what is expected follows an arrival: `arrivée prévue`."""
NEAR = 24


_XDAY = re.compile(r"\bxday\b")
"""A word for a day near today, such as `this morning`; days with a number are xdate."""


def _around(clause: Clause, plain: str, found: re.Match[str]) -> str:
    """Return what stands before some words, and what follows them closely: verbs stand last in German and Dutch."""
    after = plain[found.end() : found.end() + AFTER.get(clause.language, 0)]
    link = re.search(rf"\b{LANGUAGES[clause.language].link}\b|[,;]", after)
    return plain[: found.end()] + (after[: link.start()] if link else after)


AFTER = {"de": 30, "nl": 30}

# --- what it is about


def _is_of_money_or_a_return(case: Case, clause: Clause, here: Sequence[Clause], state: str) -> bool:
    """Check whether what is on its way is money, or what is open is a return."""
    if any(one.kind in {"amount", "card"} for one in clause.values) and state not in {"lost", "found", "waiting"}:
        return True
    if state == "missing":
        return _names_a_return(case, here)
    returning = words(_known()[clause.language].returning).search(clause.words) or _names_a_return(case, [clause])
    return state == "waiting" and bool(returning)


def _is_of_no_order(case: Case, clause: Clause, here: Sequence[Clause], state: str) -> bool:
    """Check whether what travels is a return, or what was not sent are new goods and none were."""
    if state in {"moving", "carried", "missing"} and _names_a_return(case, here):
        return True
    return state == "waiting" and NEW.search(clause.words) is not None and not _sent_now(case)


def _subjects(case: Case, clauses: Sequence[Clause], place: int, text: str, state: str) -> list[Subject]:
    """Return what a clause is about: by number, by goods, as the other one, or what was named before."""
    clause = clauses[place]
    known = _known()[clause.language]
    nouns = words(known.noun).search(clause.words) is not None
    here, bracketed = _around_it(clauses, clause)
    if _is_of_money_or_a_return(case, clause, here, state) or has_another_head(here, clause, nouns):
        return []
    if named := _by_number(case, clause.values):
        return named
    others = nouns and (words(known.other).search(clause.words) or NEW.search(clause.words))
    if others and (listed := _by_number(case, _listed_after(clauses, place, text), whole=True)):
        return listed
    if (one := _by_place(case, clauses, place)) is not None:
        return [one]
    if any(one.kind in {"record", "amount"} for one in clause.values) or _is_of_no_order(case, clause, here, state):
        return []
    goods = goods_of(case, clause, text) or (mentions_of(case, clause, text) if nouns else [])
    if goods:
        kinds = goods[0].kinds - {"coffee"} or goods[0].kinds
        return _by_goods(case, kinds, goods[0].said, regular=state in {"moving", "held"})
    if nouns and words(known.other).search(clause.words):
        named_numbers = {one.value for other in clauses for one in other.values if one.kind == "record"}
        return [one for one in _recent(case) if not _is_named(one, named_numbers)]
    own_sentence = _by_number(case, [value for one in here for value in one.values], whole=True)
    written = [] if bracketed else _written(case, text, clause)
    own_sentence += [one for one in written if one not in own_sentence]
    goes_on = bool(own_sentence) and _goes_on(clauses, place)
    if not (nouns or goes_on or _IT.search(clause.words)):
        return []
    if own_sentence:
        return [*own_sentence, *(msgspec.structs.replace(one, sure=False) for one in _sent_now(case))]
    if _names_a_return(case, here):
        return []
    if state in {"waiting", "missing"} and not nouns:
        return []
    if goods := [one for other in here if other.start < clause.start for one in goods_of(case, other, text)]:
        return [*_by_goods(case, goods[-1].kinds, goods[-1].said, regular=True), *_sent_now(case)]
    if named := _named_before(case, clauses, place, state):
        return [*named, *_sent_now(case)]
    return _somewhere(case, clauses, here, state)


def _around_it(clauses: Sequence[Clause], clause: Clause) -> tuple[list[Clause], bool]:
    """Return the clauses of a sentence, or of the brackets that name a record: `LK-1 (LK-2, delivered in May)`."""
    here = [one for one in clauses if one.sentence == clause.sentence]
    inside = [one for one in here if one.aside] if clause.aside else []
    bracketed = any(value.kind == "record" for one in inside for value in one.values)
    return (inside, True) if bracketed else (here, False)


def _somewhere(case: Case, clauses: Sequence[Clause], here: Sequence[Clause], state: str) -> list[Subject]:
    """Return what a clause may be about that names nothing: any order of the text, what was sent now, or lately."""
    everywhere = _by_number(case, [value for other in clauses for value in other.values], whole=True)
    meant = [*everywhere, *_sent_now(case)]
    if (everywhere or not meant or state in {"lost", "back", "missing"}) and state != "left":
        meant += _recent(case)
    spoken = any(words(_known()[one.language].noun).search(one.words) for one in here)
    if not meant and spoken and state in {"moving", "carried", "lost", "back"} and _knows_all(case):
        return [Subject("no parcel", frozenset())]
    return [msgspec.structs.replace(one, sure=False) for one in meant]


def _knows_all(case: Case) -> bool:
    """Check whether the customer's orders are known, and none of them is of the last weeks or on its way."""
    return case.private == Grounds() and not _recent(case)


def _listed_after(clauses: Sequence[Clause], place: int, text: str) -> list[Value]:
    """Return the values that say which ones are meant: `two others have not left, KW-1 and KW-2`, or a list."""
    start, end = clauses[place].sentence
    listed = text[start:end].rstrip().endswith(":")
    found: list[Value] = []
    for one in clauses[place + 1 : place + 1 + LISTED]:
        named = [value for value in one.values if value.kind == "record"]
        if one.sentence != (start, end) and not (listed and named):
            break
        if not found and not LISTS.match(one.words):
            break
        found += named
    return found


LISTED = 8
"""How many clauses after `the others` may name them."""


def _written(case: Case, text: str, clause: Clause) -> list[Subject]:
    """Return the orders whose numbers stand in the sentence of a clause, also those that are named to deny them."""
    said = text[slice(*clause.sentence)]
    if "-" not in said:
        return []
    return [_subject(case, one) for one in case.things if one.kind == "order" and one.numbers[0].lower() in said]


def _names_a_return(case: Case, clauses: Sequence[Clause]) -> bool:
    """Check whether some clauses name a return by its number, or the number of its parcel."""
    said = {value.value for one in clauses for value in one.values if value.kind == "record"}
    names = {name for one in case.deeds if one.kind == "label" for name in one.names}
    return bool(said & (names | {number for one in case.things if one.kind == "return" for number in one.numbers}))


def _goes_on(clauses: Sequence[Clause], place: int) -> bool:
    """Check whether a clause has no subject and goes on about a record of its sentence: `LK-1, delivered`."""
    clause = clauses[place]
    before = [one for one in clauses[:place] if one.sentence == clause.sentence]
    named = [one for one in before if any(value.kind == "record" for value in one.values)]
    if not named or (
        words(_known()[clause.language].aside).search(named[-1].words) and not _OF_AN_ORDER.search(named[-1].words)
    ):
        return False
    first = _cues(clause.language).search(clause.words)
    lead = clause.words[: first.start()].split() if first else []
    return len(lead) <= FEW_WORDS or _LINKED.match(clause.words) is not None


_OF_AN_ORDER = re.compile(r"\b(?:order|bestellung|commande|pedido|bestelling) xrecord\W*$")
"""An order at the end of a clause: what follows is said of it, whatever the clause was about."""
FEW_WORDS = 2
_LINKED = re.compile(
    r"\W*(?:and|und|et|y|en|but|aber|mais|pero|maar|which|that|who|der|die|das|qui|que|dat|welche[rs]?)\s"
    r"(?:is|was|has|had|were|are|ist|wurde|war|hat|est|a|etait|fue|ha|se|esta|is|werd|heeft|nunca|nie|never"
    r"|noch|n')\b"
)
"""How a clause begins that goes on about what was named: `and was`, `which has`."""


_IT = re.compile(
    r"(?:^|\b(?:so|and|that|but|daher|und|dass|aber|donc|et|mais|que|asi que|y|pero|dus|en|maar|dat)\s)\W*"
    r"(?:it|it's|they|es|er|sie|il|elle|ils|esta|ya|het|hij|ze|die|deze|dieser|diese|celle-ci|celui-ci|este)\b"
)


def _by_place(case: Case, clauses: Sequence[Clause], place: int) -> Subject | None:
    """Return the order that a clause means by its place in the sentence before: `LK-1 and LK-2. The second is lost`."""
    wanted = 0 if FIRST.match(clauses[place].words) else 1 if SECOND.match(clauses[place].words) else None
    if wanted is None:
        return None
    own = [one for one in clauses[:place] if one.sentence == clauses[place].sentence]
    nearest = [[*reversed(one)] for one in _sentences_before(clauses, place)]
    single = [one for one in nearest if len({v.value for each in one for v in each.values if v.kind == "record"}) == 1]
    if len(single) == len(nearest) == 2:  # each of the two sentences before names one
        nearest = [[*nearest[1], *nearest[0]]]
    for sentence in ([*own], *nearest):
        named = list(dict.fromkeys(v.value for one in sentence for v in one.values if v.kind == "record"))
        if named:
            values = [
                v
                for one in sentence
                for v in one.values
                if v.kind == "record" and v.value == named[min(wanted, len(named) - 1)]
            ]
            return next(iter(_by_number(case, values[:1], whole=True)), None) if len(named) == 2 else None
    return None


def _named_before(case: Case, clauses: Sequence[Clause], place: int, state: str) -> list[Subject]:
    """Return the orders that the nearest sentence before a clause names."""
    before = _sentences_before(clauses, place)
    if state in {"lost", "back"}:  # few parcels are, so either sentence may have named it
        before = [[one for sentence in before for one in sentence]]
    for sentence in before:
        if named := _by_number(case, [value for one in sentence for value in one.values], whole=True):
            return named
    return []


def _sentences_before(clauses: Sequence[Clause], place: int) -> list[list[Clause]]:
    """Return the clauses of the two sentences before one, the nearest first."""
    found: dict[tuple[int, int], list[Clause]] = {}
    for other in reversed(clauses[:place]):
        if other.sentence != clauses[place].sentence:
            found.setdefault(other.sentence, []).append(other)
    return list(found.values())[:2]


def _by_number(case: Case, values: Sequence[Value], *, whole: bool = False) -> list[Subject]:
    """Return the orders and parcels with these numbers; `whole` takes the order for its parcel."""
    found: dict[str, Subject] = {}
    numbers = [one.value for one in values if one.kind == "record"]
    by_parcel = {one.number: one for one in case.parcels}
    mentioned = {one.numbers[0] for one in case.things if one.kind == "order" and one.numbers[:1]} & set(numbers)
    for number in numbers:
        parcel = by_parcel.get(number)
        if parcel is not None:
            order = next((one for one in case.things if one.id == parcel.order), None)
            if whole and order is not None:
                found[number] = _subject(case, order)
            elif order is None or order.numbers[0] not in mentioned:
                found[number] = Subject(number, _states_of(case, (parcel,)), (parcel,), order)
            continue
        for order in case.things:
            if order.kind == "order" and number in order.numbers:
                own = [by_parcel[one] for one in numbers if one in by_parcel and by_parcel[one].order == order.id]
                own = [] if whole else own
                found[number] = _subject(case, order, tuple(own) or None)
    return list(found.values())


def _subject(case: Case, order: Thing, own: tuple[Parcel, ...] | None = None) -> Subject:
    held = own if own is not None else tuple(one for one in case.parcels if one.order == order.id)
    name = order.numbers[0] if order.numbers else order.id
    if held:
        states = _states_of(case, held)
    else:
        states = frozenset({_WITHOUT_PARCEL.get(order.status, "moving")})
    return Subject(name, states, held, order)


_WITHOUT_PARCEL = {"open": "waiting", "delivered": "arrived", "cancelled": "cancelled"}


def _states_of(case: Case, held: Sequence[Parcel]) -> frozenset[str]:
    """Return the states of parcels; one that changed today had another one before."""
    today = case.today[:10]
    found = {one.status for one in held}
    found |= {"waiting" for one in held if one.sent >= today > ""}
    found |= {"moving" for one in held if one.closed >= today > ""}
    return frozenset(found)


def _by_goods(case: Case, kinds: frozenset[str], said: str, *, regular: bool) -> list[Subject]:
    """Return every order and parcel that contains goods; none if a plan sends them and `regular` deliveries count."""
    live = [one.name for one in case.things if one.kind == "plan" and one.status != "cancelled"]
    if live and regular and kinds & {"coffee", *live}:
        return []
    found = []
    for order in case.things:
        if order.kind == "order" and any(kinds & kinds_of(good) for good in order.goods):
            held = tuple(one for one in case.parcels if one.order == order.id and _may_hold(one, kinds))
            found.append(_subject(case, order, held or None))
    for deed in case.deeds:
        if deed.kind in GOODS and kinds & contents_of(case, deed):
            found += parcels_of(case, deed)
    return found or [Subject(said, frozenset())]


def _may_hold(parcel: Parcel, kinds: frozenset[str]) -> bool:
    return any(kinds & kinds_of(good) for good in parcel.goods)


def parcels_of(case: Case, deed: Deed) -> list[Subject]:
    """Return the parcels that a deed made; one that is not known yet is waiting."""
    names = {one.upper() for one in (deed.subject, *deed.names)}
    since = days_before(deed.day, 2)
    held = tuple(
        one for one in case.parcels if one.number in names or (one.order.upper() in names and one.made >= since > "")
    )
    return [Subject(deed.subject, _states_of(case, held) if held else frozenset({"waiting", "moving"}), held)]


def _sent_now(case: Case) -> list[Subject]:
    """Return what was sent in the episode."""
    return [found for one in case.deeds if one.kind in GOODS and is_new(case, one) for found in parcels_of(case, one)]


RECENT_DAYS = 45
"""How many days ago an order may have been placed so that `your parcel` can mean it."""


def _recent(case: Case) -> list[Subject]:
    """Return the orders of the last weeks, and those that are still on their way."""
    since = (case.day - timedelta(days=RECENT_DAYS)).isoformat() if case.day else ""
    made = [one for one in case.things if one.kind == "order" and (one.placed >= since or one.moves(case.today))]
    return [_subject(case, one) for one in made]


def _is_named(subject: Subject, numbers: set[str]) -> bool:
    return bool(numbers & {one.number for one in subject.parcels}) or (
        subject.order is not None and bool(numbers & set(subject.order.numbers))
    )


# --- whether they agree


def _wrong(case: Case, clause: Clause, state: str, found: str, about: Sequence[Subject]) -> Wrong | None:
    known = _known()[clause.language]
    until = re.compile(rf"\s{LANGUAGES[clause.language].link}\s").search(clause.words, max(0, clause.words.find(found)))
    arrived_here = words(known.us).search(clause.words, 0, until.start() if until else len(clause.words)) is not None
    returning = words(known.returning).search(clause.words) is not None
    if (arrived_here and state in {"arrived", "missing", "moving"}) or (
        returning and state in {"arrived", "missing", "carried", "moving", "waiting"}
    ):
        return _received(case, found) if state == "arrived" and arrived_here else None
    if state == "arrived" and came_in_today(case, clause, [one.order for one in about]):
        return None
    if state in {"back", "held"} and any(_is_returned(case, one) for one in about):
        return None
    swap = any(one.kind == "label" and one.to.get("resolution") == "replacement" for one in case.new_deeds)
    if state == "waiting" and swap:  # what was not sent is the one that follows the return
        return None
    if state == "held" and any(_is_cancelled_now(case, one) for one in about):
        return None
    fits = [one for one in about if one.states & ALLOWED[state]]
    both = words(known.both).search(clause.words)
    sure = [one for one in about if one.sure]
    every = both is not None and not BAGS.match(clause.words, both.end()) and any(one not in fits for one in sure)
    if fits and (len(fits) == len(about) or not every):
        held = [parcel for one in fits for parcel in one.parcels]
        return on_another_day(case, clause, state, held) if any(one.sure for one in fits) else None
    bad = [one for one in about if one not in fits]
    if state in {"missing", "lost"} and any(one.states <= {"arrived"} and _was_handled(case, one) for one in bad):
        return None
    all_shown = (f"{one.name} {' or '.join(_SHOWN[each] for each in sorted(one.states))}".strip() for one in bad)
    shown = ", ".join(list(dict.fromkeys(all_shown))[:3])
    return (
        "state",
        shown,
        f"the text says {found!r}, {MEANT[state]}" if state in MEANT else f"the text says {found!r}",
    )


_SHOWN = {
    "waiting": "has not left us", "moving": "is on its way", "arrived": "has arrived", "lost": "is lost",
    "back": "came back to us", "cancelled": "is cancelled",
}  # fmt: skip
"""How a verdict says in which state a parcel is."""


def _is_cancelled_now(case: Case, subject: Subject) -> bool:
    names = _names_of(subject) | ({subject.order.id} if subject.order else set())
    return any(one.kind == "cancellation" and names & {one.subject, *one.names} for one in case.new_deeds)


def _received(case: Case, found: str) -> Wrong | None:
    """Return the contradiction if a parcel is said to have arrived at the company, and every return is awaited."""
    returns = [one.status for one in case.things if one.kind == "return"]
    if not returns or "received" in returns or any(one.status == "back" for one in case.parcels):
        return None
    return "state", "the parcel of the return has not arrived", f"the text says {found!r}"


def _is_returned(case: Case, subject: Subject) -> bool:
    """Check whether the customer sends goods of an order back."""
    names = _names_of(subject)
    return any(one.kind == "label" and (not names or names & {*one.names, one.subject}) for one in case.deeds)


def _names_of(subject: Subject) -> set[str]:
    return {one.number for one in subject.parcels} | (set(subject.order.numbers) if subject.order else set())


def _was_handled(case: Case, subject: Subject) -> bool:
    """Check whether money or goods were given for an order, so that its parcel may have had a trouble of its own."""
    names = _names_of(subject)
    return any(
        one.kind in {"refund", "reshipment", "credit", "replacement_machine", "part"}
        and names & {*one.names, one.subject}
        for one in case.deeds
        if is_new(case, one)
    )
