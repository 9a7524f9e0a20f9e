"""Sentences that name many outcomes at once: `a refund or a credit or a new machine, whichever applies`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.values import MONTHS

OUTCOMES = 3
"""How many outcomes in one sentence are too many if it joins them as alternatives."""
_OR = {
    "en": re.compile(r"\bor\b"),
    "de": re.compile(r"\boder\b"),
    "fr": re.compile(r"\bou\b"),
    "es": re.compile(r"\b[ou]\b"),
    "nl": re.compile(r"\bof\b"),
}
_WHICHEVER = re.compile(
    r"\b(?:whichever|depending|one of (?:these|them)|je nachdem|eins davon|selon|l'un|segun|uno de|afhankelijk"
    r"|een van)\b"
)
_OUTCOME = re.compile(
    r"\b(?:(?P<money>refund\w*|money|erstatt\w*|rembours\w*|reembols\w*|terugbetal\w*|eur|euro|cad)"
    r"|(?P<credit>credit\w*|voucher\w*|guthaben|gutschein\w*|avoir|vale|saldo|tegoed\w*)"
    r"|(?P<goods>replace\w*|new machine|ersatz\w*|austausch\w*|remplac\w*|reemplaz\w*|vervang\w*)"
    r"|(?P<part>parts?|pump|valve|gasket|seal|thermostat|probe|sensor|ersatzteil\w*|piece|pieza|onderdeel)"
    r"|(?P<label>label\w*|return\w*|etikett\w*|etiquet\w*|retour\w*)"
    r"|(?P<ends>cancel\w*|storn\w*|kündig\w*|annul\w*|opgezegd|geannuleerd)"
    r"|(?P<rests>paus\w*|pauz\w*|suspend\w*)|(?P<repair>repair\w*|reparatur|repar\w*))\b"
)


def many_outcomes(clauses: Sequence[Clause], text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the place of each sentence that names too many outcomes as alternatives, and how many they are."""
    asked = {one.sentence for one in clauses if one.question}
    for (start, end), language in {one.sentence: one.language for one in clauses}.items():
        said = text[start:end]
        joined = len(_OR[language].findall(said))
        open_list = joined and _WHICHEVER.search(said) and said.count(",") >= OUTCOMES
        if (joined < OUTCOMES and not open_list) or (start, end) in asked:
            continue
        kinds = {one.lastgroup for one in _OUTCOME.finditer(said)}
        if len(kinds) >= OUTCOMES:
            yield start, end, len(kinds)


_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|er|ste|de|e|\.)?"
_THEN = r"(?:,\s?|\s?/\s?|,?\s(?:or|oder|ou|o|u|of)\s)(?:(?:on\s)?the\s|(?:el|al|am|den|vom|le|du|op|de)\s)?"
_MONTHS = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAYS = re.compile(rf"(?<![\d.,:]){_ORDINAL}(?:{_THEN}{_ORDINAL}){{2,9}}\s(?:of\s|de\s)?(?:{_MONTHS})\b")
_ANY_OR = re.compile(r"\s(?:or|oder|ou|o|u|of)\s")


def many_days(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the places of three or more days with one month that are joined as alternatives: `el 19, el 26 o el 27`."""
    for found in _DAYS.finditer(text):
        if _ANY_OR.search(found[0]):
            yield found.start(), found.end(), len(re.findall(r"\d{1,2}", found[0]))
