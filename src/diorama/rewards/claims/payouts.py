"""What a text says about money that was paid back: its currency, how many times, in parts, less, or to someone else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import claims_of
from diorama.rewards.claims.ledger import MONEY
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong
from diorama.rewards.claims.spans import ONE_OF
from diorama.rewards.claims.values import Value

Found = tuple[Clause, Wrong]


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    money: str
    loan: str
    parts: str
    less: str
    stopped: str
    receiver: str
    means: str
    shop: str
    several: str
    again: str
    gets: str
    total: str
    back: str
    without: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, _Words]:
    return by_language("payouts", _Words)


def payouts(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[Found]:
    """Yield the clauses that tell about a payment what no record shows."""
    paid = [one for one in case.new_deeds if one.kind in MONEY and one.cents]
    yield from _currencies(case, clauses, text)
    for _, group in groupby(clauses, key=lambda one: one.sentence):
        sentence = list(group)
        yield from _taken_away(sentence)
        if paid:
            yield from _of_the_money(case, sentence, paid)
            yield from _several(case, sentence, paid, text)
        yield from _totals(case, sentence, text)


# --- the currency

_CURRENCIES = (
    ("EUR", r"eur|euros?|€"),
    ("USD", r"usd|us-?\s?dollars?|us\$"),
    ("USD CAD AUD", r"dollars?|dolar(?:es)?|\$|bucks"),
    ("CAD", r"cad|ca\$|c\$"),
    ("GBP", r"gbp|pounds?|£|quid|sterling|pfund|libras?|livres? sterling|pond"),
    ("CHF", r"chf|franken|(?:swiss )?francs?|francos?|frank"),
    ("SEK NOK DKK", r"kr|sek|nok|dkk|kronen|crowns|kroner|couronnes"),
    ("PLN", r"pln|zloty|zlotys"),
    ("JPY", r"jpy|yen"),
    (
        "-",
        r"points?|punkte|puntos|punten|bitcoins?|btc|eth|cents?|centimes?|centimos?|cent|rubel|rubles?|rupees?|pesos?",
    ),
)
_CURRENCY = re.compile(
    r"\s?(?:" + "|".join(f"(?P<c{place}>(?:{one}))" for place, (_, one) in enumerate(_CURRENCIES)) + r")(?![\w])"
)
_CURRENCY_BEFORE = re.compile(r"(?:^|(?<=[\s(]))(us|ca|c)?\s?([$£€])\s?|\b(eur|usd|cad|gbp|chf|sek|nok|dkk|pln|btc)\s?")
_SIGNS = {"$": "USD CAD AUD", "£": "GBP", "€": "EUR"}


def _currencies(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[Found]:
    """Yield the clauses that state an amount of the records in another currency."""
    ours = {one.currency.upper() for one in case.deeds if one.currency}
    if len(ours) != 1:
        return
    stated = {one.cents for one in case.new_deeds} | {
        int(value) for one in case.tell if one.kind == "amount" for value in one.values
    }
    for clause in clauses:
        for value in clause.values:
            if value.kind in {"amount", "number"} and int(value.value) in stated:
                named = _currency_of(text, value)
                if named and not ours & set(named.split()):
                    expected = f"the amount in {min(ours)}"
                    yield clause, ("amount", expected, f"the text says {text[value.start : value.end + 8].strip()!r}")


def _currency_of(text: str, value: Value) -> str:
    """Return the currencies that an amount may be in by its signs and words, or ""."""
    inside = text[value.start : value.end]
    digits = re.search(r"\d[\d.,'\s]*", inside)
    start, end = (value.start + digits.start(), value.start + digits.end()) if digits else (value.start, value.end)
    while text[end - 1 : end] in (" ", ".", ","):
        end -= 1
    before = _CURRENCY_BEFORE.search(text, max(0, start - 5), start)
    if before is not None and before.end() == start:
        if before[3]:
            return before[3].upper() if before[3] != "btc" else "-"
        return _SIGNS[before[2]] if not before[1] else {"us": "USD"}.get(before[1], "CAD")
    after = _CURRENCY.match(text, end)
    if after is None:
        return ""
    if text[after.end() : after.end() + 1] == "-":
        return ""  # `42.80 cent-accurate`
    return next(names for place, (names, _) in enumerate(_CURRENCIES) if after[f"c{place}"])


# --- loans, parts, fees, other people


def _taken_away(sentence: Sequence[Clause]) -> Iterator[Found]:
    """Yield the clause that says that money is taken back, also as a threat."""
    known = _known()[sentence[0].language]
    for clause in sentence:
        taken = words(known.back).search(clause.words)
        if taken is None or clause.question or _is_denied(clause, taken.span()):
            continue
        if not any(words(known.without).search(one.words) for one in sentence):
            yield clause, ("demand", "money that the customer keeps", "the text says that it is taken back")
            return


def _of_the_money(case: Case, sentence: Sequence[Clause], paid: Sequence[Deed]) -> Iterator[Found]:
    """Yield the clause of a sentence about the money that was paid which says what no record shows."""
    known = _known()[sentence[0].language]
    whole = " ".join(one.words for one in sentence)
    if sentence[0].question or not words(known.money).search(whole) or not _is_about(sentence, known, paid):
        return
    dated = any(one.kind == "date" for clause in sentence for one in clause.values)  # an earlier payment
    failed = dated or any(one.status == "failed" for one in case.payments)
    to_card = all(one.kind == "refund" and one.destination == "original_payment" for one in paid)
    checks = (
        (known.loan, "amount", "it has to be repaid"),
        (known.parts, "amount", "it comes in parts or again"),
        (known.less, "amount", "less of it is paid"),
        ("" if failed else known.stopped, "denied", "it does not come"),
        (known.receiver, "destination", "someone else gets it"),
        (known.means, "destination", "it comes in another way"),
        (known.shop if to_card else "", "destination", "it can be spent in the shop only"),
    )
    for clause in sentence:
        if clause.conditional or clause.depends or words(known.without).search(clause.words):
            continue
        if clause is not sentence[0] and not _is_about([clause], known, paid) and _has_amount(clause):
            continue
        for said, kind, what in checks:
            found = words(said).search(clause.words) if said else None
            if found and not to_card and _VOUCHER.search(found[0]):
                continue
            if found and not _is_denied(clause, found.span()):
                yield clause, (kind, "the payment of the records", f"{found[0]!r}: the text says that {what}")
                return


_VOUCHER = re.compile(r"vouch|gift|gutschein|bon|vale|tegoed|cadeau|by post|per post")
"""Words that store credit may be called."""


def _is_denied(clause: Clause, span: tuple[int, int]) -> bool:
    """Check whether a clause has a negation beside some words, which may hold one themselves."""
    negation = words(LANGUAGES[clause.language].negation)
    return any(not span[0] < one.end() or not one.start() < span[1] for one in negation.finditer(clause.words))


def _has_amount(clause: Clause) -> bool:
    return any(one.kind in {"amount", "number"} for one in clause.values)


def _is_about(sentence: Sequence[Clause], known: _Words, paid: Sequence[Deed]) -> bool:
    """Check whether a sentence is about money that was paid: an amount of it, or no other amount and a noun for it."""
    each = [one.cents or 0 for one in paid]
    cents = {*each, sum(each)}
    said = {int(one.value) for clause in sentence for one in clause.values if one.kind in {"amount", "number"}}
    return bool(said & cents) if said else words(known.money).search(sentence[0].words) is not None


_TIMES = {
    "twice": 2, "two times": 2, "zweimal": 2, "deux fois": 2, "dos veces": 2, "twee keer": 2, "tweemaal": 2,
}  # fmt: skip
_CHARGED = re.compile(
    r"\b(?:charg\w*|debit\w*|paid|pay|pays|price\w*|cost\w*|took|taken|collect\w*|encaiss\w*|eingezogen|ge.ncasseerd"
    r"|abgebucht|berechnet|belastet|bezahlt|gezahlt|kost\w*|preis\w*|debit\w*"
    r"|prelev\w*|paye\w*|factur\w*|cout\w*|prix|cobr\w*|pag\w*|cargad\w*|precio\w*|cuest\w*|afgeschreven|betaald"
    r"|prijs|rekening)\b"
)
_COUNTED = re.compile(r"(?<![\w.,])([2-9]|10)\s?(?:x|\u00d7|\*|times|mal|fois|veces|keer)\s(?:the\s)?$")


@lru_cache(maxsize=1)
def _times_words() -> tuple[str, str]:
    """Return the words for several times of all languages: beside an amount, few words tell the language."""
    every = _known().values()
    return "\n".join(one.several for one in every), "\n".join(one.again for one in every)


def _several(case: Case, sentence: Sequence[Clause], paid: Sequence[Deed], text: str) -> Iterator[Found]:
    """Yield the clause that says that an amount was paid several times."""
    several, again = _times_words()
    cents = [one.cents for one in paid]
    for clause in sentence:
        value = next((one for one in clause.values if one.kind == "amount" and int(one.value) in cents), None)
        if value is None or clause.question or clause.conditional or _CHARGED.search(clause.words):
            continue
        lead = text[max(0, value.start - 14) : value.start]
        near = list(words(several).finditer(text, max(0, value.start - 16), value.start))
        found = near[-1] if near and not text[near[-1].end() : value.start].strip() else None
        counted = _COUNTED.search(lead)
        if ONE_OF.search(text[max(0, value.start - 40) : found.start() if found else value.start]):
            continue
        after = words(again).search(text, value.end, min(len(text), value.end + 40))
        if not (found or counted or (after and not text[value.end : after.start()].strip(" ,"))):
            continue
        times = int(counted[1]) if counted else _TIMES.get(found[0], 3) if found else 2
        amount = int(value.value)
        taken = any(one.charges >= times and one.cents == amount for one in case.things)
        if taken and not any(any(claims_of(one)) for one in sentence):
            continue
        if cents.count(amount) < times and amount * times not in case.known.amounts and not is_negated(clause, 400):
            yield clause, ("amount", "the payments of the records", f"the text says that it was paid {times} times")
            return


# --- totals without a currency

_WHOLE = re.compile(
    r"(?<![\w.,:/#-])(\d{2,5})(?![\w%]|[.,:/-]\d|\s?(?:%|x\b|days?|tage|jours|dias|dagen|st\b|uhr|g\b|ml))"
)


def _totals(case: Case, sentence: Sequence[Clause], text: str) -> Iterator[Found]:
    """Yield the clause that states a sum without a currency that follows from no amount of the records."""
    del text
    known = _known()[sentence[0].language]
    for clause in sentence:
        if clause.question or clause.conditional or clause.depends:
            continue
        if words(known.gets).search(clause.words) is None or words(known.total).search(clause.words) is None:
            continue
        cents = [int(one.value) for one in clause.values if one.kind == "number"]
        cents += [int(one[1]) * 100 for one in _WHOLE.finditer(clause.words)]
        wrong = [one for one in cents if one not in case.amounts and not case.derives(one, frozenset())]
        if wrong and not is_negated(clause, len(clause.words)):
            yield clause, ("amount", "an amount of the records", f"the text says {wrong[0] / 100:.2f}")
