"""Relations between the values of a clause and the customer's things: where goods go, in what state a record is.

They need no verbs beyond small closed lists (`lexicon/relations.toml`); what is not understood costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import combinations, pairwise

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.intervals import NO_LONGER_SOLD, UNTIL_NOW, weeks_in
from diorama.rewards.claims.lexicon import LANGUAGES, Words, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.roots import GIVEN_BY_OTHERS, Roots, known_roots
from diorama.rewards.claims.things import named_in, streets_of, towns_of, without_plans_of
from diorama.rewards.claims.values import MONTHS, Value
from diorama.rewards.claims.years import USED_TO, with_year

Wrong = tuple[str, str, str]
"""The kind of a contradiction, what is expected, what was found."""


def roots_of(clause: Clause) -> Roots:
    """Return the roots of the language of a clause."""
    return known_roots()[clause.language]


def is_own_act(clause: Clause) -> bool:
    """Check whether a clause thanks the customer for what they did, or is about other customers."""
    roots = roots_of(clause)
    if words(roots.thanks).search(clause.words) or GIVEN_BY_OTHERS.search(clause.words):
        return True
    return words(roots.others).search(clause.words) is not None and words(roots.you).search(clause.words) is None


def is_asserted(clause: Clause, start: int, end: int) -> bool:
    """Check whether some words of a clause are stated: not denied, asked, wished, conditional or a rule."""
    if clause.question or is_own_act(clause) or is_negated(clause, end):
        return False
    if is_stated(clause, [(start, end)]):
        return not clause.conditional or follows_condition(clause, end)
    if clause.conditional:
        return False
    if clause.depends:
        return False
    language = LANGUAGES[clause.language]
    plain = words(language.saying).sub(lambda found: " " * len(found[0]), clause.words)
    unclear = (language.exempt, language.general, language.wish, language.reported)
    return not any(words(one).search(plain) for one in unclear)


def follows_condition(clause: Clause, end: int) -> bool:
    """Check whether the condition of a clause stands after some words: `I have paused it until you write`."""
    found = words(LANGUAGES[clause.language].conditional).search(clause.words)
    return found is not None and found.start() >= end


def is_new(case: Case, deed: Deed) -> bool:
    """Check whether a deed stands and was done in the episode, or today."""
    return deed.stands and bool(deed.seq or (deed.day and deed.day >= case.today[:10]))


def _root(clause: Clause, text: str) -> re.Match[str] | None:
    return words(text).search(clause.words)


def relations(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses whose values stand in a relation that the records do not show."""
    if not case.things:
        return
    orders = {number: one for one in case.things if one.kind == "order" for number in one.numbers}
    for deed in case.deeds:
        if deed.kind == "shipment":
            names = [one.upper() for one in deed.names if one]
            if (order := next((orders[one] for one in names if one in orders), None)) is not None:
                orders.update(dict.fromkeys(names, order))
    together: dict[tuple[int, int], list[Clause]] = {}
    named: dict[tuple[int, int], dict[str, Thing]] = {}
    for clause in clauses:
        together.setdefault(clause.sentence, []).append(clause)
        near = named.setdefault(clause.sentence, {})
        near |= orders_in(orders, [clause])
    since: dict[tuple[int, int], int] = {}
    for clause in clauses:
        if _BEGUN.search(clause.words):
            since.setdefault(clause.sentence, clause.start)
    for clause in clauses:
        if clause.question:
            continue
        about = orders_of(orders, clause, named[clause.sentence])
        said = text[clause.start : clause.end]
        begun = clause.sentence in since and since[clause.sentence] < clause.start
        others = len(about) == 1 and _names_another(orders, clause, about[0], text)
        for check in _CHECKS if _cues(clause.language).may_stand_in(clause.words) else _WITHOUT_CUES:
            wrong = None if check is _state and (begun or others) else check(case, clause, about, said)
            if wrong and check is _interval and _names_such_a_plan(case, wrong, text):
                continue
            if wrong:
                yield clause, wrong
                break
    yield from _swapped(case, together.values())


_BEGUN = re.compile(r"\b(?:wird|werden|wordt|worden)\b")
"""An auxiliary whose participle stands at the end of the sentence: `wird an 3 Mill Lane, York geliefert`."""


def _names_another(orders: Mapping[str, Thing], clause: Clause, about: Thing, text: str) -> bool:
    """Check whether a clause without a number follows one that another order has: `not LK-2, that was delivered`."""
    before = text[clause.sentence[0] : clause.start]
    if _records_in(orders, clause) or "-" not in before:
        return False
    return any(one.id != about.id and number.lower() in before for number, one in orders.items())


def orders_of(orders: Mapping[str, Thing], clause: Clause, sentence: Mapping[str, Thing]) -> list[Thing]:
    """Return the orders that a clause names, or else the only one that its sentence names."""
    own = [orders[one.value] for one in _records_in(orders, clause)]
    return own or (list(sentence.values()) if len(sentence) == 1 else [])


def orders_in(orders: Mapping[str, Thing], clauses: Iterable[Clause]) -> dict[str, Thing]:
    """Return the orders that some clauses name, by their ids."""
    return {orders[one.value].id: orders[one.value] for clause in clauses for one in _records_in(orders, clause)}


def _records_in(orders: Mapping[str, Thing], clause: Clause) -> list[Value]:
    return [one for one in clause.values if one.kind == "record" and one.value in orders]


# --- where goods go


def _place(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Compare the street or town that goods go to with the addresses of what the clause is about.

    A clause that names no order and no plan is compared with everything that is still to be delivered.
    """
    streets = {one.value for one in clause.values if one.kind == "street"}
    towns = set() if streets else set(_towns_in(case, clause, said))
    if not (streets or towns):
        return None
    roots = roots_of(clause)
    goes = _root(clause, roots.goes) or _root(clause, roots.address)
    if goes is None or not is_asserted(clause, *goes.span()) or _root(clause, roots.goes_on) is None:
        return None
    if USED_TO.search(clause.words):
        return None
    own = any(one.kind == "record" for one in clause.values)
    named = _plans_in(case, clause, said)
    subjects = [*(about if own or not named else ()), *named]
    if any(one.kind == "order" and one.status not in {"open", "shipped"} for one in subjects):
        return None
    if subjects:
        wrong = [one for one in subjects if not _goes_there(one, streets, towns)]
        return _elsewhere(wrong[0], sorted(streets | towns)) if wrong else None
    live = [
        one
        for one in (*case.things, *_sent(case))
        if (one.kind == "plan" and one.status != "cancelled")
        or one.status in {"open", "shipped"}
        or one.kind == "account"
    ]
    if not live or streets & case.company.streets or any(_goes_there(one, streets, towns) for one in live):
        return None
    return _elsewhere(live[0], sorted(streets | towns))


def _goes_there(one: Thing, streets: AbstractSet[str], towns: AbstractSet[str]) -> bool:
    """Check whether a thing goes to one of these streets, or towns; one without an address may."""
    return not one.streets or bool(streets & set(one.streets) or towns & set(one.towns))


def _sent(case: Case) -> list[Thing]:
    """Return what the deeds of the episode sent, as things."""
    return [
        Thing("parcel", one.subject, status="open", streets=streets_of(one.to), towns=towns_of(one.to))
        for one in case.deeds
        if is_new(case, one) and one.to.get("line1")
    ]


def _elsewhere(subject: Thing, said: Sequence[str]) -> Wrong:
    name = subject.name or (subject.numbers[0] if subject.numbers else subject.kind)
    return "place", f"{name} goes to {', '.join(subject.streets)}", f"the text says that it goes to {', '.join(said)}"


def _plans_in(case: Case, clause: Clause, said: str) -> list[Thing]:
    """Return the plans that a clause names; the only one if it speaks of a plan."""
    plans = [one for one in case.things if one.kind == "plan"]
    named = [one for one, _, _ in named_in(plans, said)]
    if named or not _PLAN.search(without_plans_of(clause.words)):
        return named
    live = [one for one in plans if one.status != "cancelled"]
    return live if len(live) == 1 else []


_ORDER = words(
    "order | parcel | package | bestellung | paket | commande | colis | pedido | paquete | bestelling | pakket"
)
_PLAN = words(
    "subscription | subscriptions | plan | plans | abo | abonnement | kaffee-abo | kaffeeabo | koffieabonnement"
    " | formule | suscripción"
)


def _towns_in(case: Case, clause: Clause, said: str) -> list[str]:
    """Return the known towns that stand after a preposition of place."""
    towns = {town for one in case.things for town in one.towns if town in said}
    if not towns:
        return []
    place = "|".join(part.strip() for part in roots_of(clause).place.split("|"))
    return [town for town in sorted(towns) if re.search(rf"\b(?:{place})\s{re.escape(town)}\b", said)]


# --- the state of a record


def _state(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Compare `shipped`, `delivered` and `still open` with the state of the one order that a clause names."""
    del case, said
    if len(about) != 1 or _root(clause, roots_of(clause).glad):
        return None
    order, roots = about[0], roots_of(clause)
    delivered, shipped = _root(clause, roots.delivered), _root(clause, roots.shipped)
    way = order.status in {"open", "shipped"} and not _root(clause, roots.not_delivered)
    unreal = words(LANGUAGES[clause.language].unreal).search(clause.words)
    for found, possible in ((delivered, way), (shipped, order.status == "open")):
        stated = found and (is_stated(clause, [found.span()]) or not unreal)
        if found and (clause.words[: found.start()].endswith("be ") or _IS_TO_BE.search(clause.words)):
            continue
        if found and possible and stated and is_asserted(clause, *found.span()):
            return "state", f"{order.numbers[0]} is {order.status}", f"the text says {found[0]!r}"
    return None


_IS_TO_BE = re.compile(r"\b(?:sera|seront|seran|(?:va|vont) etre|va a ser|wird|werden|wordt)\b(?! gerade| nu )")
"""A passive of the future: `wird verschickt`, `sera livrée`."""


# --- plans: their state, how often, until when, and what a charge was for


def _of_plans(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Compare `cancelled` and `paused` with the plans that a clause names."""
    if about or _ORDER.search(clause.words):
        return None
    roots = roots_of(clause)
    if _root(clause, roots.ends) is None and _root(clause, roots.rests) is None:
        return None
    named = named_in([one for one in case.things if one.kind == "plan"], said)
    for root, states, kinds in (
        (roots.ends, {"cancelled"}, {"cancellation"}),
        (roots.rests, {"paused"}, {"pause", "skip", "resumption"} if PAST.search(clause.words) else {"pause", "skip"}),
    ):
        found = _root(clause, root) if named else None
        if found is None or not is_asserted(clause, *found.span()):
            continue
        if root is roots.ends and rests_until(case, clause):
            continue
        done = {one.subject for one in case.deeds if one.stands and one.kind in kinds}
        fine = [one for one, _, _ in named if one.status in states or one.id in done]
        if not fine or (len(fine) < len(named) and _in_a_row(said, named)):
            bad = next(one for one, _, _ in named if one not in fine)
            return "state", f"{bad.name} is {bad.status}", f"the text says {found[0]!r}"
    return None


def rests_until(case: Case, clause: Clause) -> bool:
    """Check whether a clause names the day until which a plan rests: `it is stopped until 7 May`."""
    rests = [one for one in case.deeds if one.stands and one.kind in {"pause", "skip"}]
    until = {day for one in rests for day in (one.day, one.to.get("until", "")) if day}
    days = {day for one in clause.values if one.kind in {"date", "day"} for day in one.readings} if until else set()
    return any(day in until or (day.startswith("-") and any(one.endswith(day[-5:]) for one in until)) for day in days)


def _in_a_row(said: str, named: Sequence[tuple[Thing, int, int]]) -> bool:
    """Check whether only small words stand between the plans that a clause names, so that it says one thing of all."""
    between = [said[first[2] : second[1]] for first, second in pairwise(named)]
    return all(_LISTED.fullmatch(one) is not None for one in between)


_LISTED = re.compile(
    r"(?:-?\s?\w{3,12})?[\s,]*(?:and|und|et|y|e|en|&|plus|sowie)[\s,]*(?:(?:the|your|den|die|das|ihr|le|la|el"
    r"|de|het|je)\s)?"
)


PAST = words(
    "was | were | had | war | waren | hatte | etait | etaient | avait | estaba | estaban | stond | stonden | lag"
    " | used to"
)
"""Words of what is over."""


def _interval(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Compare `every two weeks` with the plans; of two intervals, `from every four to every two`, the last counts."""
    del about
    found = weeks_in(roots_of(clause).every, roots_of(clause).weeks, said)
    plans = [one for one in case.things if one.kind == "plan" and one.weeks]
    promised = clause.depends and not words(LANGUAGES[clause.language].perfect).search(clause.words)
    if (
        not found
        or not plans
        or clause.conditional
        or promised
        or is_negated(clause, _end_in_words(clause, [*found][-1]))
    ):
        return None
    if words(LANGUAGES[clause.language].exempt).search(clause.words) or NO_LONGER_SOLD.search(clause.words):
        return None
    changed = {one.subject for one in case.new_deeds if one.kind in {"plan_change", "skip", "pause", "resumption"}}
    if len(found) == 1 and (PAST.search(clause.words) or (changed and UNTIL_NOW.search(clause.words))):
        return None
    number = [*found.values()][-1]
    named = [one for one, _, _ in named_in(plans, said)] or [one for one in plans if one.id in changed] or plans
    allowed = {one.weeks for one in named}
    if number and number not in allowed:
        return "interval", f"every {', '.join(map(str, sorted(allowed)))} weeks", f"every {number} weeks"
    return None


def _names_such_a_plan(case: Case, wrong: Wrong, text: str) -> bool:
    """Check whether a text names a plan that renews as often as it says."""
    named = named_in([one for one in case.things if one.kind == "plan"], text)
    return any(wrong[2] == f"every {one.weeks} weeks" for one, _, _ in named)


def _end_in_words(clause: Clause, said: str) -> int:
    """Return where some words of the text end in the words of a clause."""
    place = clause.words.find(said)
    return place + len(said) if place >= 0 else len(clause.words)


def _renewal_of(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Check that an order or a charge that is called a renewal of a plan is one."""
    roots = roots_of(clause)
    renewal = _root(clause, roots.renewal)
    if renewal is None or not (_PLAN.search(clause.words) or _plans_in(case, clause, said)):
        return None
    if not _IS.search(clause.words) or not is_asserted(clause, *renewal.span()):
        return None
    amounts = [int(one.value) for one in clause.values if one.kind in {"amount", "number"}]
    orders = [one for one in case.things if one.kind == "order"]
    meant = list(about) or [one for one in orders if one.cents in amounts]
    if meant and not any(one.renews for one in meant):
        number = meant[0].numbers[0]
        return "subject", f"{number} was not placed by a plan", "the text says that it is the renewal of a plan"
    return None


_IS = words(
    "is | are | was | were | for | ist | sind | war | waren | gehört | gehören | für | est | sont | correspond"
    " | correspondent | concerne | concernent | es | son | corresponde | corresponden | fue | zijn | hoort | horen"
)


def _last_delivery(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Check that no delivery or charge is announced for a renewal of a plan that has ended."""
    del about
    found = _root(clause, roots_of(clause).delivery)
    if found is None:
        return None
    plans = [one for one in case.things if one.kind == "plan"]
    live = {day for one in plans if one.status != "cancelled" for day in one.days}
    would = {day for one in plans if one.status == "cancelled" for day in one.days if day > case.today[:10]} - live
    roots = roots_of(clause)
    ended = any(one.status == "cancelled" for one in plans)
    if not ended or not _root(clause, roots.last) or _root(clause, roots.earlier):
        return None
    if not is_asserted(clause, *found.span()):
        return None
    if _names_an_ended_plan(case, clause, plans, said):
        return "state", "the plan has ended", "the text announces another delivery or charge"
    would |= {"-" + day[4:] for day in would}
    if any(one.kind == "date" and would & set(one.readings) for one in clause.values):
        return "state", "the plan has ended", "the text announces another delivery or charge"
    return None


def _names_an_ended_plan(case: Case, clause: Clause, plans: Sequence[Thing], said: str) -> bool:
    """Check whether a clause names only plans that have ended, and a day that is to come."""
    named = [one for one, _, _ in named_in(plans, said)]
    days = [day for one in clause.values if one.kind == "date" for day in one.readings]
    later = any(with_year(day, clause.words, case.today) > case.today[:10] for day in days)
    return later and bool(named) and all(one.status == "cancelled" for one in named)


# --- warranty


def _guaranteed(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Compare the month and year that a clause states for a warranty with the machines."""
    del about
    if not words(roots_of(clause).warranty).search(clause.words):
        return None
    machines = [one for one in case.things if one.kind == "machine"]
    machines = [one for one, _, _ in named_in(machines, said)] or machines
    ends = {day for one in machines for day in one.days}
    if not ends:
        return None
    roots = roots_of(clause)
    expired = _root(clause, roots.expired)
    if expired and min(ends) > case.today[:10] and is_asserted(clause, *expired.span()):
        return "state", f"a warranty until {', '.join(sorted(ends))}", f"the text says {expired[0]!r}"
    if clause.depends:
        return None
    others = case.known.dates if _root(clause, roots.bought) else frozenset()
    known = {one[:7] for one in others | ends if not one.startswith("--")}
    for found in _MONTH_YEAR.finditer(said):
        month = MONTHS.get(found[1].rstrip("."))
        if month and f"{found[2]}-{month:02d}" not in known:
            return "state", f"a warranty until {', '.join(sorted(ends))}", f"a warranty and {found[0]!r}"
    return None


_MONTH_YEAR = re.compile(r"\b([a-zäöü]{3,10}\.?)\s(?:de\s|del\s|of\s)?((?:19|20)\d\d)\b")


# --- what follows a return


def _resolved(case: Case, clause: Clause, about: Sequence[Thing], said: str) -> Wrong | None:
    """Compare where the money for an opened return goes with its resolution, also after a condition."""
    del about, said
    roots = roots_of(clause)
    opened = {one.to.get("resolution", "") for one in case.new_deeds if one.kind == "label"}
    if not opened or any(one.kind in {"refund", "credit"} for one in case.new_deeds):
        return None
    gives = _root(clause, roots.gives) or _root(clause, roots.money)
    language = LANGUAGES[clause.language]
    unclear = words(language.negation).search(clause.words) or words(language.exempt).search(clause.words)
    if not gives or unclear:
        return None
    card, store = _root(clause, roots.card), _root(clause, roots.store)
    if (
        card
        and not store
        and "refund" not in opened
        and not words(LANGUAGES[clause.language].exempt).search(clause.words)
    ):
        return "destination", f"a return for {', '.join(sorted(opened))}", "money to a card"
    if store and not card and opened == {"refund"}:
        return "destination", "a return for a refund to the original payment", "money to store credit"
    return None


_CHECKS = (_place, _state, _of_plans, _interval, _renewal_of, _last_delivery, _guaranteed, _resolved)
_WITHOUT_CUES = (_interval, _resolved)
"""The checks that may find something in a clause without the words of `_cues`."""


@lru_cache(maxsize=8)
def _cues(language: str) -> Words:
    """Return the words without which the other checks find nothing."""
    roots = known_roots()[language]
    lists = (roots.goes, roots.address, roots.delivered, roots.shipped, roots.ends, roots.rests, roots.renewal)
    return words("|".join((*lists, roots.delivery, roots.warranty)))


# --- two records and two amounts


def _swapped(case: Case, sentences: Iterable[Sequence[Clause]]) -> Iterator[tuple[Clause, Wrong]]:
    """Yield a sentence that gives the amount of one order's refund to another order."""
    several = [one for one in sentences if sum(v.kind == "record" for clause in one for v in clause.values) > 1]
    if not several:
        return
    paid: dict[str, set[int]] = {}
    for deed in case.deeds:
        if deed.stands and deed.cents and deed.kind in {"refund", "credit"}:
            for name in (deed.subject, *deed.names):
                paid.setdefault(name.upper(), set()).add(deed.cents)
    for sentence in several:
        clause, values = sentence[0], sorted({one for other in sentence for one in other.values})
        pairs = [one for one in values if one.kind in {"record", "amount", "number"}]
        records = [one for one in pairs if one.kind == "record" and one.value in paid]
        if len(records) < 2 or len(pairs) != 2 * len(records):
            continue
        kinds = [one.kind == "record" for one in pairs]
        if kinds != [kinds[0], not kinds[0]] * len(records):
            continue
        for first, second in zip(pairs[::2], pairs[1::2], strict=True):
            record, amount = (first, second) if first.kind == "record" else (second, first)
            others = set().union(*(paid[one.value] for one in records if one.value != record.value))
            if int(amount.value) not in paid.get(record.value, set()) and int(amount.value) in others:
                yield (
                    clause,
                    ("amount", f"{record.value}: {_cents(paid[record.value])}", f"{_cents({int(amount.value)})}"),
                )
                return


def _cents(amounts: set[int]) -> str:
    return ", ".join(f"{one // 100}.{one % 100:02d}" for one in sorted(amounts))


# --- money: which amounts a clause gives to the customer


def given(clause: Clause) -> list[int]:
    """Return the amounts of a clause that it gives to the customer: not what was kept, paid, or is only a part of.

    The nearest root decides what happened to an amount.
    """
    roots = roots_of(clause)
    text = clause.words
    amounts = [one for one in clause.values if one.kind in {"amount", "number"}]
    places = [one.span() for one in re.finditer(r"\bx(?:amount|number)\b", text)]
    money = [one.span() for one in words(roots.money).finditer(text)]
    other = [one.span() for root in (roots.kept, roots.paid) for one in words(root).finditer(text)]
    money = [(a, b) for a, b in money if not any(first <= a and b <= last for first, last in other)]
    compared = [one.span() for one in _COMPARED.finditer(text)]
    found = []
    for one, (start, end) in zip(amounts, places, strict=False):
        if any(first <= start and end <= last for first, last in compared):
            continue
        if re.search(rf"\b(?:{_plain(roots.whole)})(?:\s\w{{1,5}})?\s$", text[max(0, start - 24) : start]):
            continue
        near, far = (min((max(a - end, start - b, 0) for a, b in spans), default=999) for spans in (money, other))
        if near <= far:
            found.append(int(one.value))
    return found


@lru_cache(maxsize=64)
def _plain(text: str) -> str:
    return "|".join(re.escape(one.strip()) for one in text.split("|"))


def wrong_amounts(case: Case, deeds: Sequence[Deed], said: Sequence[int]) -> list[int]:
    """Return amounts that no deed shows: neither one, nor a sum of several, nor known parts of one."""
    paid = [one.cents for one in deeds if one.cents]
    new = [one.cents for one in deeds if one.cents and is_new(case, one)]
    credit = [one.cents for one in case.deeds if one.cents and one.destination == "store_credit"]
    sums = {*paid, sum(paid), sum(new), sum(credit), *(a + b for a, b in combinations(new, 2))}
    sums |= {one.cents for one in case.things if one.kind == "account"}
    if not said or sum(said) in sums:
        return []
    parts = case.known.amounts | case.company.amounts
    return [one for one in said if one not in sums and not any(one in parts and whole - one in parts for whole in sums)]


_COMPARED = re.compile(
    r"\bx(?:amount|number)\b (?:statt|anstatt|anstelle von|instead of|rather than|not|au lieu de|en vez de|en lugar de"
    r"|in plaats van|vs\.?|versus) (?:the |den |der |die |les |los |de )?x(?:amount|number)\b"
    r"|\b(?:between|zwischen|entre|tussen)\b(?:\s\S+){0,4}?\sx(?:amount|number)\b(?:\s\S+){0,8}?"
    r"\s(?:and|und|et|y|en)\b(?:\s\S+){0,4}?\sx(?:amount|number)\b"
)
"""Two prices side by side: `66.80 EUR instead of 73.80 EUR`."""


def moves_money(clause: Clause) -> tuple[int, int] | None:
    """Return where a clause says that money goes to the customer: a root beside an amount, or a verb and a card."""
    roots = roots_of(clause)
    if _root(clause, roots.bank) and not _root(clause, roots.us):
        return None
    if any(one.kind in {"amount", "number"} for one in clause.values) and (found := _root(clause, roots.money)):
        return found.span() if given(clause) or not _root(clause, roots.kept) else None
    found = _root(clause, roots.gives)
    if found and (_root(clause, roots.card) or _root(clause, roots.sum)):
        return found.span() if is_stated(clause, [found.span()]) or _root(clause, roots.us) else None
    return None


def redirects(clause: Clause) -> tuple[int, int] | None:
    """Return where a clause says that a parcel was sent another way."""
    found = _root(clause, roots_of(clause).redirects)
    return found.span() if found else None


def changes_contact(clause: Clause) -> tuple[str, tuple[int, int]] | None:
    """Return the kind of change of the account that a clause names: its e-mail address or login, or its address."""
    roots = roots_of(clause)
    found = _root(clause, roots.change)
    if found is None:
        return None
    if _root(clause, roots.contact):
        return "contact_change", found.span()
    special = _PLAN.search(clause.words) or any(one.kind == "record" for one in clause.values)
    if not special and _root(clause, roots.account) and _root(clause, roots.address):
        return "account_address", found.span()
    return None


def sends_new(clause: Clause) -> tuple[int, int] | None:
    """Return where a clause says that a new product is sent: a word for new before its name, and a root of sending."""
    goods = [one for one in clause.values if one.kind in {"product", "machine", "part"}]
    roots = roots_of(clause)
    if not goods or not (found := _root(clause, roots.sends)):
        return None
    new = "|".join(re.escape(one.strip()).replace(r"\*", r"\w*") for one in roots.new.split("|"))
    return found.span() if re.search(rf"\b(?:{new})\s(?:\w+\s)?x(?:product|machine|part)\b", clause.words) else None
