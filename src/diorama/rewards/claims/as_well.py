"""What is said to be done for one more thing: `the tamper is refunded too`, where no row shows it.

A sentence counts if it has a word for an addition, a verb for a deed, and names an order, goods or plans that no deed
of that kind has touched. Who names nothing, denies, asks or promises under a condition says nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Grounds, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.relations import Wrong, is_own_act
from diorama.rewards.claims.sendings import kinds_of, mentions_of
from diorama.rewards.claims.spans import by_sentence
from diorama.rewards.claims.things import named_in

_ALSO = re.compile(
    r"\b(?:too|also|as well|likewise|the same|auch|ebenfalls|ebenso|genauso|auserdem|gleich mit|aussi|egalement"
    r"|de meme|tambien|igualmente|asimismo|lo mismo|ook|eveneens|hetzelfde|daarnaast)\b"
)
_PAID = re.compile(
    r"\b(?:refunded|credited|reimbursed|repaid|paid (?:out|back)|sent back|put that right|put it right|gone back"
    r"|erstattet|zurückerstattet|gutgeschrieben|überwiesen|ausgezahlt|ausbezahlt|zurückgezahlt"
    r"|rembourse\w{0,2}|recredite\w{0,2}|credite\w{0,2}|reparti\w{0,2}|verse\w{0,2}|vire\w{0,2}|restitue\w{0,2}"
    r"|reembolsad\w{1,2}|abonad\w{1,2}|devuelt\w{1,2}|reintegrad\w{1,2}"
    r"|terugbetaald|teruggestort|uitbetaald|bijgeschreven|overgemaakt|vergoed)\b"
)
_THERE = re.compile(
    r"\b(?:there|that address|same address|new address|dorthin|diese adresse|neue adresse|selbe adresse"
    r"|cette adresse|la-bas|meme adresse|nouvelle adresse|alli|esa direccion|misma direccion|nueva direccion"
    r"|dat adres|daarheen|hetzelfde adres|nieuwe adres|daar naartoe)\b"
)
_MOVED = re.compile(
    r"\b(?:moved|changed|switched|redirected|readdressed|goes|go|sent|umgestellt|geändert|umgeleitet|geht|gehen"
    r"|change\w{0,2}|redirige\w{0,2}|ira|iront|envoye\w{0,2}|cambiad\w{1,2}|mandamos|enviamos|redirigid\w{1,2}|va|van"
    r"|omgezet|gewijzigd|omgeleid|gaat|gaan|aangepast)\b"
)
_OTHERS = re.compile(
    r"\b(?:(?:both|all|two|three|your)?\s?others?(?: (?:two|three|plans?|subscriptions?))?"
    r"|(?:beiden )?anderen(?: abos?)?|autres (?:abonnements|formules)|otr[oa]s (?:dos|planes|suscripciones)"
    r"|andere (?:twee|abonnementen))\b"
)
_RESTS = re.compile(
    r"\b(?:paus\w+|on hold|suspend\w*|pausier\w*|ausgesetzt|en pause|suspendu\w{0,2}|en pausa|pausad\w{1,2}|gepauzeerd"
    r"|stilgezet)\b"
)
_GROUND = re.compile(
    r"\b(?:ground|grind|gemahlen|mahlgrad|moulu\w{0,2}|mouture|molid\w{1,2}|molienda|gemalen|maling)\b"
)
_SAME = re.compile(
    r"\b(?:did the same|done the same|same for|dasselbe|das gleiche|ebenso|fait de meme|de meme pour|lo mismo"
    r"|hetzelfde)\b"
)
_AS_BEFORE = re.compile(
    r"\b(?:unchanged|untouched|stays?|remains?|keep|kept|earlier|already|bleib\w*|unverändert|bereits|schon|reste\w*"
    r"|inchange\w*|deja|sigue\w*|igual|blijf\w*|ongewijzigd|al|last (?:week|month|year)|paid for|you paid"
    r"|lost|perdu\w*)\b"
)


def as_well(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the sentences that add a thing to what was done, although nothing was done for it."""
    if not case.things or case.private != Grounds():
        return
    before: list[Clause] = []
    for sentence in by_sentence(clauses):
        added = next((one for one in sentence if _ALSO.search(one.words) and not _is_unclear(one)), None)
        if added is not None and (wrong := _wrong(case, sentence, added, before, text)):
            yield added, wrong
        before = sentence


def _is_unclear(clause: Clause) -> bool:
    """Check whether a clause asks, denies, wishes or depends on something."""
    language = LANGUAGES[clause.language]
    if clause.question or clause.conditional or clause.depends or is_own_act(clause):
        return True
    return any(words(one).search(clause.words) for one in (language.negation, language.wish, language.reported))


def _wrong(case: Case, sentence: Sequence[Clause], added: Clause, before: Sequence[Clause], text: str) -> Wrong | None:
    place = sentence.index(added)
    near = [*sentence[max(0, place - 1) : place + 2]]
    said = " ".join(one.words for one in near)
    if wrong := _of_plans(case, sentence, added, before, text):
        return wrong
    named = _orders(case, near, text) or (_orders(case, sentence[:place], text) if _PAID.search(said) else [])
    if not named:
        return None
    shown = named[0].numbers[0]
    if _PAID.search(said) and not any(_is_paid(case, one, near, text) for one in named):
        return "claimed", f"no money for {shown}", "the text says that it was paid as well"
    if _AS_BEFORE.search(said) or not (_THERE.search(said) and _MOVED.search(said)):
        return None
    moved = [one for one in case.new_deeds if one.kind == "address_change"]
    if not moved or any(_touched(case, one, {"address_change"}) for one in named) or _goes_there(moved, named):
        return None
    return "claimed", f"the address of {shown} was not changed", "the text says that it goes there as well"


def _goes_there(moved: Sequence[Deed], named: Sequence[Thing]) -> bool:
    """Check whether an order goes to the town of a new address anyway."""
    towns = {fold(str(one.to.get("city") or "")) for one in moved}
    return any(towns & set(one.towns) for one in named)


def _orders(case: Case, clauses: Sequence[Clause], text: str) -> list[Thing]:
    """Return the orders that some clauses name: by number, or by goods that open or recent ones contain."""
    numbers = {value.value for one in clauses for value in one.values if value.kind == "record"}
    known = [one for one in case.things if one.kind == "order" and one.numbers]
    if named := [one for one in known if numbers & set(one.numbers)]:
        return named
    if numbers:
        return []
    kinds = {kind for one in clauses for good in mentions_of(case, one, text) for kind in good.kinds} - {"coffee"}
    return [one for one in known if kinds and any(kinds & kinds_of(good) for good in one.goods)]


def _touched(case: Case, order: Thing, kinds: set[str]) -> bool:
    """Check whether a deed of some kinds was done for an order, at any time."""
    names = {order.id.upper(), *order.numbers}
    return any(
        one.kind in kinds and one.stands and names & {name.upper() for name in (one.subject, *one.names)}
        for one in case.deeds
    )


def _is_paid(case: Case, order: Thing, clauses: Sequence[Clause], text: str) -> bool:
    """Check whether money was given for an order, and its amount can be that of the goods that the clauses name."""
    names = {order.id.upper(), *order.numbers}
    paid = [
        one.cents or 0
        for one in case.deeds
        if one.kind in {"refund", "credit"} and one.stands and names & {n.upper() for n in (one.subject, *one.names)}
    ]
    if not paid or not order.prices or len(order.prices) != len(order.goods):
        return bool(paid)
    kinds = {kind for one in clauses for good in mentions_of(case, one, text) for kind in good.kinds}
    own = [place for place, good in enumerate(order.goods) if kinds & kinds_of(good)]
    if not own or len(own) == len(order.goods):
        return True
    rest = [price for place, price in enumerate(order.prices) if place not in own]
    rest.append(max(0, order.cents - sum(order.prices)))
    sums = {sum(some) for size in range(len(rest) + 1) for some in combinations(rest[:LINES], size)}
    each = {order.prices[place] for place in own}
    total = sum(paid)
    return any(cents - price in sums or cents < price for cents in {*paid, total} for price in each)


LINES = 8
"""How many lines of an order are added up at most."""


# --- plans


def _of_plans(
    case: Case, sentence: Sequence[Clause], added: Clause, before: Sequence[Clause], text: str
) -> Wrong | None:
    """Return the contradiction if a plan is said to rest, or to be ground, like another one, and is not."""
    plans = [one for one in case.things if one.kind == "plan"]
    if len(plans) < 2:
        return None
    whole = " ".join(one.words for one in (*before, *sentence))
    own = " ".join(one.words for one in sentence)
    first = sentence[0] if _GROUND.search(own) and not _GROUND.search(sentence[0].words) else added
    said = text[first.start : sentence[-1].end]
    if _AS_BEFORE.search(own):
        return None
    for pattern, kinds in ((_RESTS, {"pause", "skip"}), (_GROUND, {"plan_change"})):
        done = {one.subject for one in case.new_deeds if one.kind in kinds}
        if not done or not pattern.search(whole) or not (pattern.search(own) or _SAME.search(own)):
            continue
        named = [one for one, _, _ in named_in(plans, said)]
        others = [one for one in plans if one.id not in done and one.status == "active"]
        wrong = [one for one in named if one in others] or (others if not named and _OTHERS.search(added.words) else [])
        if wrong:
            return "claimed", f"nothing was done to {wrong[0].name}", "the text says that the same was done to it"
    return None
