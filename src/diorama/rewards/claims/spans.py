"""Sentences as lists of clauses, and the days and small numbers in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import words
from diorama.rewards.claims.years import with_year

_NUMBERS = (
    ("a", "an", "one", "ein", "eine", "einen", "einem", "einer", "un", "une", "una", "uno", "een", "single"),
    ("two", "zwei", "deux", "dos", "twee", "both", "beide", "beiden", "ambos", "ambas", "couple"),
    ("three", "drei", "trois", "tres", "drie"),
    ("four", "vier", "quatre", "cuatro"),
    ("five", "funf", "fünf", "cinq", "cinco", "vijf"),
    ("six", "sechs", "seis", "zes"),
    ("seven", "sieben", "sept", "siete", "zeven"),
    ("eight", "acht", "huit", "ocho"),
    ("nine", "neun", "neuf", "nueve", "negen"),
    ("ten", "zehn", "dix", "diez", "tien"),
)
_LARGER = {
    "eleven": 11, "elf": 11, "onze": 11, "once": 11, "thirteen": 13, "dreizehn": 13, "treize": 13, "trece": 13,
    "dertien": 13, "fifteen": 15, "funfzehn": 15, "fünfzehn": 15, "vijftien": 15, "sixteen": 16, "sechzehn": 16,
    "twelve": 12, "zwolf": 12, "zwölf": 12, "douze": 12, "doce": 12, "twaalf": 12, "fourteen": 14, "vierzehn": 14,
    "quatorze": 14, "catorce": 14, "veertien": 14, "quinze": 15, "quince": 15, "twenty": 20, "zwanzig": 20,
    "vingt": 20, "veinte": 20, "twintig": 20, "thirty": 30, "dreißig": 30, "dreissig": 30, "trente": 30,
    "treinta": 30, "dertig": 30, "sixty": 60, "sechzig": 60, "soixante": 60, "sesenta": 60, "zestig": 60,
    "ninety": 90, "neunzig": 90, "noventa": 90, "negentig": 90,
}  # fmt: skip
_BY_WORD = {word: place + 1 for place, ways in enumerate(_NUMBERS) for word in ways} | _LARGER


def number_in(word: str) -> int:
    """Return the number that a folded word is; 0 if it is none."""
    return int(word) if word.isdigit() and len(word) < 5 else _BY_WORD.get(word, 0)


def by_sentence(clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Yield the clauses of each sentence, without headings that stand together with what follows them."""
    here: list[Clause] = []
    for clause in clauses:
        if here and clause.sentence != here[0].sentence:
            yield here
            here = []
        if not here or clause.start >= here[-1].end:
            here.append(clause)
    if here:
        yield here


def days_in(case: Case, clause: Clause) -> list[frozenset[str]]:
    """Return for each day of a clause what it can mean, with the year that its verb means if it has none."""
    return [
        frozenset(with_year(day, clause.words, case.today) for day in one.readings)
        for one in clause.values
        if one.kind in {"date", "day"}
    ]


def is_beside(day: str, other: str) -> bool:
    """Check whether a day is another one, or the one before or after it: time zones differ."""
    try:
        return abs((date.fromisoformat(day) - date.fromisoformat(other)).days) <= 1
    except ValueError:
        return True


ONE_OF = re.compile(
    r"\b(?:one|einer?|eine[ns]|une?|un[oa]|een|1) (?:of|von|des|van|de|der)(?: (?:the|these|those|den|diesen|les"
    r"|ces|las?|los|esos|esas|de|die|deze|your|ihren?|vos|sus))?\s?$"
)
"""One of several payments: `one of the two times`."""


def are_ahead(case: Case, clause: Clause) -> bool:
    """Check whether every day of a clause is still to come: what holds from then on was changed now."""
    days = [day for one in clause.values if one.kind in {"date", "day"} for day in one.readings]
    return bool(days) and all(with_year(day, clause.words, case.today) > case.today[:10] for day in days)


_OLDER = words(
    "last year | last month | weeks ago | months ago | earlier | before | previously | at the time | back then"
    " | in the past | still | letztes jahr | letzten monat | früher | damals | vorher | zuvor | bisher"
    " | noch | l'an dernier"
    " | auparavant | à l'époque | avant | encore | el año pasado | antes | entonces | todavía | vorig jaar"
    " | eerder | destijds | toen | nog"
)


def is_dated(case: Case, clause: Clause) -> bool:
    """Check whether a clause names another day than today, or says that what it tells happened before the matter."""
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    return any(case.today[:10] not in one.readings for one in days) or _OLDER.search(clause.words) is not None
