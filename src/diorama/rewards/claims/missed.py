"""What the company should have done earlier: `we ought to have refunded you on 26 February` happened on no day."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES
from diorama.rewards.claims.lexicon import words as lists

_MISSED = {
    "en": re.compile(
        r"\b(?:(?:should|ought to|needed to)(?: not)?(?: \w+){0,2}? have|(?:should|ought to)'ve"
        r"|(?:was|were) (?:\w+ )?(?:supposed|meant|due|bound) to(?: have)?|(?:was|were) to have)\b"
    ),
    "de": re.compile(
        r"\bhätte(?:n|st|t)?\b.{0,160}?\b(?:sollen|müssen|können|dürfen|gehört)\b"
        r"|\b(?:sollen|müssen|können|dürfen)\b.{0,20}\bhätte(?:n|st|t)?\b"
        r"|\bwäre(?:n)?\b.{0,80}\b(?:fällig|dran|nötig) gewesen\b"
    ),
    "fr": re.compile(
        r"\b(?:aurai(?:t|s|ent)|aurions|auriez)\b(?: \S+){0,2}? (?:du|pu|fallu|merite)\b|\b(?:devait|devions"
        r"|devaient)\b"
    ),
    "es": re.compile(
        r"\b(?:deberia|debia|podria|tendria)(?:mos|n|s)?(?: que)?(?: \S+)? (?:haber\w*)\b"
        r"|\b(?:debimos|debio|debieron|debi) (?:de )?haber\w*"
        r"|\b(?:habria|hubiera|hubiese)(?:mos|n)? (?:debido|tenido que|podido)\b"
    ),
    "nl": re.compile(
        r"\b(?:had|hadden)\b.{0,160}?\b(?:moeten|kunnen|horen te|behoren te|mogen|gemoeten)\b"
        r"|\b(?:zou|zouden)\b.{0,80}?\bhebben (?:moeten|kunnen)\b"
    ),
}


_SPEECH = re.compile(
    r"\b(?:told|tell|mention\w*|said|say|written|write|inform\w*|notic\w+|explain\w*|known|know|sagen|mitteilen"
    r"|schreiben"
    r"|erwähnen|informieren|wissen|dire|ecrire|informer|mentionner|prevenir|savoir|decir\w*|dicho|avisad\w*|informad\w*"
    r"|mencionad\w*|escrito|saber|zeggen|melden|schrijven|laten weten|vertellen|weten)\b"
)
"""Verbs of saying: what should have been said may have been done."""


_NEXT = re.compile(r"[.!?]\s+\w")
"""The next sentence, where a clause reaches into it: what it states was done."""
MISSED = frozenset({"earlier", "claimed", "state"})
"""The contradictions of a clause about what happened; what should have been done did not happen."""


def tells_missed(clause: Clause) -> bool:
    """Check whether a clause tells only what should have been done: see `is_missed`."""
    return is_missed(clause.words, clause.language)


def is_missed(words: str, language: str) -> bool:
    """Check whether a clause tells only what should have been done, and so was not done then."""
    found = _MISSED[language].search(words)
    if found is None or _SPEECH.search(words) or _NEXT.search(words, found.end()):
        return False
    one = LANGUAGES[language]
    later = re.search(rf"\s{one.link}\s", words[found.end() :])
    return later is None or lists(one.perfect).search(words, found.end() + later.end()) is None
