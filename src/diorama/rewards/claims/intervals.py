"""How often a plan sends something, as a text says it: `every two weeks`."""

from __future__ import annotations

import re
from functools import lru_cache

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


@lru_cache(maxsize=8)
def _pattern(every: str, weeks: str) -> re.Pattern[str]:
    """Return the pattern of `every two weeks` in a language, from its words for `every` and for `weeks`."""
    first, last = ("|".join(re.escape(one.strip()) for one in text.split("|")) for text in (every, weeks))
    return re.compile(rf"\b(?:{first})\s(\d{{1,2}}|[a-zöü]+)\s(?:{last})\b")


def weeks_in(every: str, weeks: str, said: str) -> dict[str, int]:
    """Return the words and the number of each `every two weeks` in a folded text; 0 for an unknown number."""
    found = _pattern(every, weeks).finditer(said)
    return {one[0]: int(one[1]) if one[1].isdigit() else _NUMBERS.get(one[1], 0) for one in found}
