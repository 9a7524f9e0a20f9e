"""How often a plan sends something, as a text says it: `every two weeks`."""

from __future__ import annotations

import re
from functools import lru_cache

from diorama.rewards.claims.lexicon import words

_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "zwei": 2, "drei": 3, "vier": 4, "sechs": 6, "deux": 2,
    "trois": 3, "quatre": 4, "dos": 2, "tres": 3, "cuatro": 4, "twee": 2, "drie": 3, "seis": 6, "zes": 6,
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
    return re.compile(rf"\b(?:{first})\s(\d|[a-z]+)\s(?:{last})\b")


def weeks_in(every: str, weeks: str, said: str) -> list[int]:
    """Return the interval of each `every two weeks` in a folded text; 0 for a number that is not known."""
    found = _pattern(every, weeks).findall(said)
    return [int(one) if one.isdigit() else _NUMBERS.get(one, 0) for one in found]
