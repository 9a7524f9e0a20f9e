"""How often a plan sends something, as a text says it: `every two weeks`."""

from __future__ import annotations

from functools import lru_cache

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.lexicon import words

_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "zwei": 2, "drei": 3, "vier": 4, "sechs": 6, "deux": 2,
    "trois": 3, "quatre": 4, "dos": 2, "tres": 3, "cuatro": 4, "twee": 2, "drie": 3, "seis": 6, "zes": 6,
    "five": 5, "eight": 8, "twelve": 12, "funf": 5, "fünf": 5, "acht": 8, "zwolf": 12, "zwölf": 12, "cinq": 5,
    "huit": 8, "douze": 12, "cinco": 5, "ocho": 8, "doce": 12, "vijf": 5, "twaalf": 12,
}  # fmt: skip
UNTIL_NOW = words(
    "so far | until now | up to now | previously | before | old | bisher | bislang | früher | vorher | alte | alten"
    " | avant | jusqu'ici | auparavant | ancien* | hasta ahora | antes | anterior* | tot nu toe | eerder | oude"
)
"""Words for what a plan was like before it was changed."""


NO_LONGER_SOLD = words(
    "no longer exist* | no longer available | no longer offer* | no longer sold | no longer sell | no longer have"
    " | not available any* | don't offer | do not offer | discontinued | is gone | gibt es nicht mehr | nicht mehr"
    " | eingestellt | n'existe plus | existe plus | plus proposé* | plus disponible* | n'est plus | plus au catalogue"
    " | retiré* | ya no existe | ya no está | ya no se | ya no ofrec* | ya no lo | ya no tenemos | descatalogad*"
    " | bestaat niet meer | is er niet meer | niet meer | niet langer"
)
"""What is no longer sold: how often it came does not claim anything about a plan."""


@lru_cache(maxsize=8)
def _pattern(every: str, weeks: str) -> re.Pattern[str]:
    """Return the pattern of `every two weeks` in a language, from its words for `every` and for `weeks`."""
    first, last = ("|".join(re.escape(one.strip()) for one in text.split("|")) for text in (every, weeks))
    return re.compile(rf"\b(?:{first})\s(\d{{1,2}}|[a-zöü]+)\s(?:{last})\b")


def weeks_in(every: str, weeks: str, said: str) -> dict[str, int]:
    """Return the words and the number of each `every two weeks` in a folded text; 0 for an unknown number."""
    found = {one[0]: _number(one[1]) for one in _pattern(every, weeks).finditer(said)}
    if "inter" in said or "rhyt" in said or "ryt" in said or "ritm" in said:
        found |= {one[0]: _number(next(filter(None, one.groups()))) for one in _RHYTHM.finditer(said)}
    if found and (last := _ELIDED.search(said)) and last.start() >= said.find([*found][-1]):
        found |= {last[0]: _number(last[1])}
    return found


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word, 0)


_RHYTHM = re.compile(
    r"\b(?:interval\w*|intervalle|intervalo|rhythm\w*|rhythmus|rythme|ritmo|ritme) (?:\w+ ){0,2}?"
    r"(?:of|to|at|von|auf|de|du|a|en|op|van|naar) (\d{1,2}|[a-zöü]+) (?:weeks?|wochen?|semaines?|semanas?|weken|week)\b"
    r"|\b(\d{1,2}|[a-zöü]+)[- ](?:week|wochen|weken)[- ](?:interval|rhythm|intervall|rhythmus|ritme)\b"
)
"""How often a plan renews, by a noun: `the interval is set to six weeks`."""
_ELIDED = re.compile(
    r"\b(?:to every|auf alle|a toutes les|a cada|naar elke|naar om de) (\d{1,2}|[a-zöü]+)(?=\W"
    r"|$)(?! (?:\w+ )?(?:week|woche|semain|seman|weken))"
)
"""A second interval without its unit: `from every four weeks to every eight`."""
