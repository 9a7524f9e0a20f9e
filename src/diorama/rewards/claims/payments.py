"""Finished payments: whether money was paid at all, how much of it where, and for which records.

Words for giving are many, so most checks need none: an amount, a destination and a finished verb make a payment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.ledger import in_question
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, alternatives, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong, given, is_asserted, is_new, is_own_act, wrong_amounts
from diorama.rewards.claims.spans import ONE_OF, is_dated

Found = tuple[Clause, Wrong]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    done: str
    """What is told with them has happened."""
    future: str
    into: str
    """Prepositions before a destination."""
    card: str
    store: str
    account: str
    """Destinations that may be either."""
    taken: str
    """Money that moved the other way, or did not move."""
    pronoun: str
    given_you: str
    sum: str
    """Nouns for money without an amount."""
    returned: str
    """Verbs that give money back, without a destination."""
    goods: str
    """Nouns that a pronoun may mean instead."""
    older: str
    """Words that put a deed into the past before the matter."""
    elsewhere: str
    """Cards and accounts that are not the customer's own."""
    owned: str
    moves: str
    also: str
    both: str
    one_of: str
    fresh: str
    kept: str
    balance: str
    not_now: str
    """Words for a balance of another time, or for what was added to it."""
    back: str
    fills: str
    """Words that may stand between two records of a list."""


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("payments", Words)


@lru_cache(maxsize=len(NAMES))
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of the nouns for a destination, and of a preposition shortly before one."""
    known = _known()[language]
    nouns = "|".join(re.escape(one) for name in (known.card, known.store, known.account) for one in alternatives(name))
    before = "|".join(map(re.escape, alternatives(known.into)))
    return re.compile(rf"(?:{nouns})\b"), re.compile(rf"\b(?:{before})\s(?:[\w'-]+\s){{0,2}}$")


def _into(clause: Clause) -> tuple[int, int] | None:
    """Return where a destination stands after a preposition: `onto your Visa`."""
    nouns, before = _patterns(clause.language)
    for noun in nouns.finditer(clause.words):
        if found := before.search(clause.words, max(0, noun.start() - LONGEST_PHRASE), noun.start()):
            return found.start(), noun.end()
    return None


LONGEST_PHRASE = 40
"""How many characters stand between a preposition and its noun at most."""


def payments(case: Case, clauses: Sequence[Clause], _text: str) -> Iterator[Found]:
    """Yield the clauses that tell a payment that the ledger does not show."""
    if not case.things:
        return
    before: list[Clause] = []
    sentence: list[Clause] = []
    for clause in clauses:
        if sentence and clause.sentence != sentence[0].sentence:
            if any(one.values for one in sentence):
                yield from _in_sentence(case, sentence)
            sentence = []
        if sentence and clause.start < sentence[-1].end:  # a heading together with what follows it
            continue
        sentence.append(clause)
        if not clause.question and _speaks_of_money(clause):
            one = _never_paid(case, clause, before) or _paid_elsewhere(clause) or _paid_twice(case, clause)
            if one := one or _paid_earlier(case, clause, before) or _balance(case, clause):
                yield clause, one
        before = [clause, *before[: REMEMBERED - 1]]
    if sentence:
        yield from _in_sentence(case, sentence)


REMEMBERED = 3
"""How many clauses back the amount may stand that a pronoun means."""


def _speaks_of_money(clause: Clause) -> bool:
    return _MONEY.search(clause.words) is not None


_MONEY = re.compile(
    r"xamount|xnumber|xrecord|xcard|visa|paypal|card|kart|cart|tarjeta|kaart|account|konto|compte|cuenta"
    r"|rekening|bank|banque"
    r"|banco|refund|return|back|erstatt|gebucht|rembours|rendu|devuel|reembols|terug"
)  # every alternative begins with a letter, which keeps the search fast


def _is(clause: Clause, text: str) -> bool:
    return words(text).search(clause.words) is not None


def _payments(case: Case, clause: Clause) -> list[Deed]:
    """Return the payments that a clause can mean: of the episode, or earlier ones that are in question."""
    paid = [one for one in case.deeds if one.stands and one.kind in {"refund", "credit"}]
    dated = is_dated(case, clause) or _is(clause, _known()[clause.language].older)
    return [one for one in paid if dated or in_question(case, clause, one)]


def is_finished(clause: Clause) -> bool:
    """Check whether a clause tells something that has happened, and nothing that will or may."""
    return _is(clause, _known()[clause.language].done) and not is_future(clause)


def is_today(case: Case, clause: Clause) -> bool:
    """Check whether a clause names today."""
    return any(one.kind in {"date", "day"} and case.today[:10] in one.readings for one in clause.values)


def is_future(clause: Clause) -> bool:
    """Check whether a clause tells what will or may happen."""
    return _is(clause, _known()[clause.language].future)


# --- a payment that was never made


def _never_paid(case: Case, clause: Clause, before: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction of a finished payment to the customer, if there is none or another amount."""
    known = _known()[clause.language]
    where = _into(clause)
    yours = words(known.given_you).search(clause.words)
    own = [int(one.value) for one in clause.values if one.kind == "amount"]
    back = _is(clause, known.returned)
    if where is None and not (yours and own) and not back:
        return None
    if clause.conditional or is_own_act(clause) or _AT_THE_BANK.search(clause.words):
        return None
    if not is_finished(clause) or _is(clause, known.taken):
        return None
    language = LANGUAGES[clause.language]
    plain = clause.words[: where[0]] + clause.words[where[1] :] if where else clause.words
    unclear = (language.reported, language.wish, language.general)
    if is_negated(clause, len(clause.words)) or any(words(one).search(plain) for one in unclear):
        return None
    own = own or _meant_amounts(clause, before)
    if not own and not (back or _is(clause, known.sum)):
        return None
    paid = _payments(case, clause)
    if not paid:
        return "claimed", "the records show that no money was paid", "the text says that money was paid to the customer"
    said = given(clause) or own
    pronoun = said is own and not any(one.kind == "amount" for one in clause.values)
    if pronoun and len(own) > 1 and {one.cents for one in paid} & set(own):
        return None  # it stands for one of several amounts
    if where and (wrong := _other_way(clause.language, clause.words[slice(*where)], paid, said)):
        return wrong
    if bad := wrong_amounts(case, [*paid, *(one for one in case.deeds if one.kind == "credit" and one.stands)], said):
        shown = ", ".join(f"{one // 100}.{one % 100:02d}" for one in bad)
        return "amount", "the amounts of the ledger", f"a payment of {shown}"
    return None


_AT_THE_BANK = re.compile(
    r"\bin the (?:hands|care) of (?:the|your) bank|\bbank's (?:hands|care|keeping)|\bhänden (?:der|ihrer) bank"
    r"|\bmains de (?:la|votre) banque|\bmanos (?:del|de (?:su|tu)) banco|\bhanden van (?:de|je|uw) bank"
)
"""Money that a bank holds during a dispute."""


def _other_way(language: str, where: str, paid: Sequence[Deed], said: Sequence[int]) -> Wrong | None:
    """Return the contradiction if amounts went to a card and the ledger shows store credit, or the reverse."""
    known = _known()[language]
    store = words(known.store).search(where)
    card = None if store else words(known.card).search(where)
    to = {_destination(one) for one in paid if one.cents in said}
    if not to or not (store or card) or ("store_credit" if store else "original_payment") in to:
        return None
    return "destination", f"money to {', '.join(sorted(to))}", f"money {where!r}"


def _meant_amounts(clause: Clause, before: Sequence[Clause]) -> list[int]:
    """Return the amounts that a pronoun stands for: those of the nearest clause before it that has any."""
    known = _known()[clause.language]
    if not _is(clause, known.pronoun) or _is(clause, known.goods):
        return []
    for one in [one for one in before if not one.aside] or before:
        amounts = [int(value.value) for value in one.values if value.kind in {"amount", "number"}]
        if amounts or _is(one, known.goods):
            return amounts
    return []


def _paid_earlier(case: Case, clause: Clause, before: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if an amount is said to be paid today, and it was paid on an earlier day."""
    known = _known()[clause.language]
    amounts = {int(one.value) for one in clause.values if one.kind == "amount"}
    if not amounts or clause.conditional or is_dated(case, clause):
        return None
    near = [clause, *(one for one in before[:1] if one.sentence == clause.sentence)]
    fresh = [one for one in near if _is(one, known.fresh) or is_today(case, one)]
    if not fresh or not (_is(clause, known.back) or _into(clause)):
        return None
    if _is(clause, known.taken) or any(words(LANGUAGES[one.language].negation).search(one.words) for one in near):
        return None
    if not any(is_finished(one) or _is(one, known.back) for one in fresh) or is_future(clause):
        return None
    paid = [one for one in case.deeds if one.stands and one.kind in {"refund", "credit"} and one.cents in amounts]
    if not paid or any(is_new(case, one) or not one.day for one in paid):
        return None
    return "earlier", f"a payment of {paid[0].day}", "the text says that it was paid today"


def _balance(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if the balance of store credit is not the one of the account."""
    known = _known()[clause.language]
    found = words(known.balance).search(clause.words)
    amounts = {int(one.value) for one in clause.values if one.kind in {"amount", "number"}}
    held = {one.cents for one in case.things if one.kind == "account" and one.cents}
    if found is None or not held or amounts & held or clause.conditional or _is(clause, known.not_now):
        return None
    if words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    shown = ", ".join(f"{one / 100:.2f}" for one in sorted(held))
    return "amount", f"a balance of {shown}", f"the text says {found[0]!r}"


# --- another destination


def _paid_elsewhere(clause: Clause) -> Wrong | None:
    """Return the contradiction if money goes to a card or an account that is not the customer's own."""
    known = _known()[clause.language]
    other = words(known.elsewhere).search(clause.words)
    if other is None or clause.conditional or not _is(clause, known.owned):
        return None
    moved = words(known.moves).search(clause.words)
    if moved is None or is_negated(clause, max(moved.end(), other.end())):
        return None
    if not (is_finished(clause) or is_asserted(clause, *moved.span())) or words(
        LANGUAGES[clause.language].reported
    ).search(clause.words, 0, moved.end()):
        return None
    return "destination", "money to the card that was charged or to store credit", f"money to {other[0]!r}"


def _paid_twice(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if several payments are said to be returned, and fewer were."""
    known = _known()[clause.language]
    back = words(known.back).search(clause.words)
    if back is None:
        return None
    both, times = words(known.both).search(clause.words), _TIMES.search(clause.words)
    if both is None and times is None:
        return None
    if clause.conditional or not is_asserted(clause, *back.span()):
        return None
    if ONE_OF.search(clause.words[: (times or both).start()]):  # type: ignore[union-attr] # one of them was found
        return None
    if both is not None:
        rest = clause.words[: both.start()] + " " + clause.words[both.end() :]
        if words(known.one_of).search(rest):
            return None
    elif _is(clause, known.taken):
        return None
    paid = [one for one in _payments(case, clause) if one.kind == "refund"]
    return None if len(paid) != 1 else ("amount", "one payment", "the text says that two were returned")


_TIMES = re.compile(
    r"\b(?:2|two|twice|zweimal|zwei mal|deux fois|dos veces|twee keer|tweemal)\s?(?:x|×|\*|times|mal)?\s?xamount\b"
)


# --- two amounts, two destinations, two records


def _in_sentence(case: Case, clauses: Sequence[Clause]) -> Iterator[Found]:
    """Yield what a sentence pairs wrongly: an amount and a destination, or a refund and a record without one."""
    kinds = [one.kind for clause in clauses for one in clause.values]
    if not kinds:
        return
    amounts, records = kinds.count("amount") + kinds.count("number"), kinds.count("record")
    if (amounts < 1 and records < 2) or any(one.question for one in clauses):
        return
    one = None
    if amounts > 1:
        one = _mixed_up(case, clauses) or _kept_instead(case, clauses) or _other_days(case, clauses)
    if one is None and records > 1:
        one = _not_each(case, clauses) or _one_more(case, clauses)
    elif amounts == 1:
        one = _bound(case, clauses)
    if one:
        yield clauses[0], one


def _mixed_up(case: Case, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if an amount goes to a card and the ledger shows it as store credit, or the reverse."""
    known, language = _known()[clauses[0].language], LANGUAGES[clauses[0].language]
    text = " ".join(one.words for one in clauses)
    if not words(known.card).search(text):
        return None
    amounts = iter([one for clause in clauses for one in clause.values if one.kind in {"amount", "number"}])
    paid = [one for clause in clauses for one in _payments(case, clause)]
    waiting: list[int] = []
    for piece in _pieces_of(clauses[0].language).split(text):
        here = [int(next(amounts).value) for _ in _AMOUNT.finditer(piece)]
        if not here and not (waiting and words(known.card).search(piece)):
            continue
        if here and len(_AMOUNT.sub("", piece).split()) < 2:
            waiting += here
            continue
        here, waiting = [*waiting, *here], []
        card, store = words(known.card).search(piece), words(known.store).search(piece)
        if bool(card) == bool(store) or words(language.negation).search(piece) or words(known.taken).search(piece):
            continue
        if words(language.exempt).search(piece) or words(language.conditional).search(piece):
            continue
        for cents in here:
            to = {_destination(one) for one in paid if one.cents == cents}
            if to and ("original_payment" if card else "store_credit") not in to:
                shown = f"{cents // 100}.{cents % 100:02d}"
                return "destination", f"{shown} to {', '.join(sorted(to))}", f"{shown} to {(card or store)[0]!r}"  # type: ignore[index] # one of them was found
    return None


def _kept_instead(case: Case, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if what was paid is said to be kept, and another amount to be paid."""
    known = _known()[clauses[0].language]
    if not any(_is(one, known.kept) for one in clauses):
        return None
    pieces = _pieces_of(clauses[0].language)
    text = " ".join(one.words for one in clauses)
    amounts = iter([int(one.value) for one in (v for c in clauses for v in c.values) if one.kind in _CENTS])
    kept: set[int] = set()
    back: set[int] = set()
    for piece in pieces.split(text):
        here = {next(amounts) for _ in _AMOUNT.finditer(piece)}
        if len(here) == 1 and not words(LANGUAGES[clauses[0].language].negation).search(piece):
            kept |= here if words(known.kept).search(piece) else set()
            back |= here if words(known.back).search(piece) and not words(known.kept).search(piece) else set()
    paid = {one.cents for one in case.deeds if is_new(case, one) and one.cents and one.kind in {"refund", "credit"}}
    if len(paid) == 1 and kept == paid and back and not back & paid:
        return "amount", f"{next(iter(paid)) / 100:.2f} was paid", "the text says that it was kept"
    return None


def _other_days(case: Case, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a sentence pairs amounts with days, and one was paid on the day of another."""
    known = _known()[clauses[0].language]
    values = iter([one for clause in clauses for one in clause.values if one.kind in {*_CENTS, "date", "day"}])
    pairs: list[tuple[str, frozenset[str]]] = []
    for clause in clauses:
        fresh = {one.start() for one in words(known.fresh).finditer(clause.words)}
        places = [(one.start(), one) for one in _PAIRED.finditer(clause.words)]
        for start, _ in sorted([*places, *((one, None) for one in fresh)], key=lambda one: one[0]):
            if start in fresh:
                pairs.append(("day", frozenset({case.today[:10]})))
            elif (value := next(values, None)) is not None:
                pairs.append(("cents" if value.kind in _CENTS else "day", frozenset(value.readings)))
    kinds = [one for one, _ in pairs]
    if len(pairs) < 4 or kinds != [kinds[0], "cents" if kinds[0] == "day" else "day"] * (len(pairs) // 2):
        return None
    paid = [one for one in case.deeds if one.stands and one.day and one.kind in {"refund", "credit"}]
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        cents, days = (first[1], second[1]) if first[0] == "cents" else (second[1], first[1])
        same = [one for one in paid if str(one.cents) in cents]
        that_day = [one for one in paid if {one.day, "-" + one.day[4:]} & days]
        if same and that_day and not any(one in that_day for one in same):
            return "amount", f"a payment of {same[0].day}", f"{min(cents)} cents on {min(days)}"
    return None


_PAIRED = re.compile(r"\bx(?:amount|number|date|day)\b")
_CENTS = frozenset({"amount", "number"})
_AMOUNT = re.compile(r"\bx(?:amount|number)\b")


@lru_cache(maxsize=len(NAMES))
def _pieces_of(language: str) -> re.Pattern[str]:
    """Return where a sentence is cut so that each piece has an amount and its destination."""
    link = LANGUAGES[language].link
    return re.compile(rf"[,;()|]\s?|\s(?:{link}|plus|sowie|ainsi que|as well as|&|\+)\s")


def _destination(deed: Deed) -> str:
    return "store_credit" if deed.kind == "credit" else deed.destination


def _not_each(case: Case, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a refund is told of a list of orders, and not each of them has one."""
    known = _known()[clauses[0].language]
    orders = {number for one in case.things if one.kind == "order" for number in one.numbers}
    paid = [one for one in case.deeds if one.stands and one.kind in {"refund", "credit"}]
    done = {name.upper() for one in paid for name in (one.subject, *one.names)}
    for clause, group in _lists(clauses, known):
        back = words(known.back).search(clause.words)
        numbers = [one for one in group if one in orders]
        if back is None or len(numbers) < 2 or not set(numbers) & done or set(numbers) <= done:
            continue
        if not clause.conditional and is_asserted(clause, *back.span()):
            missing = ", ".join(one for one in numbers if one not in done)
            return "subject", f"no payment for {missing}", f"the text says that {', '.join(numbers)} were paid back"
    return None


def _one_more(case: Case, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the amount of a further order is added to a refund: `and 22.90 for KW-1 on top`."""
    known = _known()[clauses[0].language]
    language = LANGUAGES[clauses[0].language]
    orders = {number for one in case.things if one.kind == "order" for number in one.numbers}
    paid = [one for one in case.deeds if one.stands and one.kind in {"refund", "credit"}]
    done = {name.upper() for one in paid for name in (one.subject, *one.names)}
    told = False
    for clause in clauses:
        records = [one.value for one in clause.values if one.kind == "record" and one.value in orders]
        amount = any(one.kind in {"amount", "number"} for one in clause.values)
        plain = not words(language.perfect).search(clause.words) and not words(language.negation).search(clause.words)
        if told and amount and len(records) == 1 and records[0] not in done and plain and _is(clause, known.also):
            return "subject", f"no payment for {records[0]}", f"the text says that {records[0]} was paid back, too"
        back = words(known.back).search(clause.words)
        told = told or (back is not None and not clause.conditional and is_asserted(clause, *back.span()))
    return None


def _bound(case: Case, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the one amount of a sentence was not paid for its one record, or on its one day."""
    known = _known()[clauses[0].language]
    values = [one for clause in clauses for one in clause.values]
    cents = next(int(one.value) for one in values if one.kind in {"amount", "number"})
    paid = [one for one in case.deeds if one.stands and one.cents and one.kind in {"refund", "credit"}]
    if cents not in {one.cents for one in paid}:
        return None
    told = next((one for one in clauses if words(known.back).search(one.words)), None)
    if told is None or any(one.conditional or _is(one, known.taken) for one in clauses):
        return None
    back = words(known.back).search(told.words)
    if back is None or not is_asserted(told, *back.span()):
        return None
    if wrong := _fragment(clauses, paid, cents):
        return wrong
    for kind in ("record", "date"):
        said = [one for one in values if one.kind == kind]
        if len(said) != 1:
            continue
        names = {*said[0].readings}
        mine = [one for one in paid if names & {one.day, "-" + one.day[4:], *(name.upper() for name in one.names)}]
        if mine and wrong_amounts(case, mine, [cents]) and cents != sum(one.cents or 0 for one in paid):
            amounts = ", ".join(f"{(one.cents or 0) / 100:.2f}" for one in mine)
            return "amount", f"{said[0].value}: {amounts}", f"{said[0].value}: {cents / 100:.2f}"
    return None


def _fragment(clauses: Sequence[Clause], paid: Sequence[Deed], cents: int) -> Wrong | None:
    """Return the contradiction if a few words after a comma name another destination: `59.90, as store credit`."""
    known = _known()[clauses[0].language]
    into = frozenset((*alternatives(known.into), "as", "als", "comme", "como", "sous"))
    for clause in clauses[1:]:
        said = clause.words.split()
        if len(said) <= SHORT and said[0] in into and (store := words(known.store).search(clause.words)):
            return _other_way(clause.language, store[0], paid, [cents])
    return None


SHORT = 6
"""How many words a clause without a verb has at most."""


def _lists(clauses: Sequence[Clause], known: Words) -> Iterator[tuple[Clause, list[str]]]:
    """Yield the records of a sentence that stand in one list, with the clause in which the list begins."""
    fills = frozenset(alternatives(known.fills))
    group: list[str] = []
    first: Clause | None = None
    between: list[str] = []
    for clause in clauses:
        records = iter([one.value for one in clause.values if one.kind == "record"])
        for word in _WORD.findall(clause.words):
            if word == "xrecord":
                number = next(records, "")
                if group and all(one in fills or one.startswith("x") for one in between):
                    group.append(number)
                else:
                    if first is not None and len(group) > 1:
                        yield first, group
                    group, first = [number], clause
                between = []
            else:
                between.append(word)
    if first is not None and len(group) > 1:
        yield first, group


_WORD = re.compile(r"[\w'-]+")
