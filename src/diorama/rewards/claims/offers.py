"""Offers: what a text proposes and asks the reader about was not done, and the way in which money is paid is a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words

OFFERED = frozenset({"destination", "claimed", "amount"})
"""Kinds of contradictions that an offer cannot be: it says nothing about what was done."""
AFTER = 2
"""How many sentences after an offer its question may stand."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    consent: str
    """Words of a question that asks whether the reader wants what was proposed."""
    proposes: str
    """Verbs of the present tense with which something is proposed."""


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("offers", Words)


_ASKS_A = re.compile(r"\b(?:demander|proposer|accorder|dire) a\b")
"""A French verb with its preposition, which is written like an auxiliary."""
_THE_WAY = re.compile(
    r"\b(?:we|i) (?:only |always |just |can only )?(?:pay|give|book|credit|do|hand out|grant) "
    r"(?:it|this|that|these|those|(?:the|such) (?:difference|money|amount|refunds?|share))\b(?:\s\w+){0,2} (?:as|in)\s"
    r"|\b(?:refunds|differences|price (?:drops|cuts|differences)|(?:such|these|those) (?:refunds|amounts))\b"
    r"(?:\s\w+){0,5} are (?:only |always )?(?:paid|given|booked|granted|credited)(?: out)? (?:as|in)\s"
)
"""How money is paid, whatever the amount: `we pay it as store credit`."""


def without_offers(clauses: Sequence[Clause], claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims without those that a text only proposes: in the present tense, with a question about it."""
    if not claims:
        return list(claims)
    asked = _asked(clauses)
    places = _places(clauses) if asked else {}
    return [one for one in claims if not (one.says and _is_proposed(one.clause, asked, places))]


def is_offer(clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Check whether one of the clauses of a text only proposes something; its verb may stand before it."""
    asked = _asked(clauses)
    places = _places(clauses) if asked else {}
    lead = [one for one in clauses if one.sentence == clause.sentence and one.start <= clause.start]
    lead = lead if asked else [clause]
    if any(words(LANGUAGES[one.language].perfect).search(_ASKS_A.sub(" ", one.words)) for one in lead):
        return False
    return any(_is_proposed(one, asked, places) for one in lead)


def _asked(clauses: Sequence[Clause]) -> list[tuple[int, int]]:
    """Return the sentences that ask whether the reader wants what was proposed."""
    return [one.sentence for one in clauses if (one.question and _asks_consent(one)) or _IF_YOU_LIKE.search(one.words)]


_IF_YOU_LIKE = re.compile(
    r"\b(?:let me know|tell me|just say|say so|just reply|give me a sign)\b(?:\s[\w,]+){0,3}? (?:if"
    r"|whether) (?:you(?:'d| would)? "
    r"(?:like|want|prefer|agree|accept)|that (?:suits|is fine|works|would))"
    r"|\b(?:bescheid|sagen sie|sag|schreiben sie)\b(?:\s[\w,]+){0,3}?,? (?:ob|wenn|falls) (?:sie|du) (?:das|dies"
    r"|es|einverstanden)"
    r"|\b(?:dites|dis|faites)-?\s?(?:le-)?moi\b(?:\s[\w,]+){0,3}? si (?:cela|ca|vous (?:le |etes |souhaitez"
    r"|voulez|preferez))"
    r"|\b(?:digame|dime|aviseme|avisame)\b(?:\s[\w,]+){0,3}? si (?:lo (?:desea|quiere|prefiere)|le parece"
    r"|te parece|esta de acuerdo)"
    r"|\b(?:laat (?:me|het me|ons) weten|zeg (?:het )?(?:me|maar))\b(?:\s[\w,]+){0,3}? (?:of|als) (?:je|u) (?:dat"
    r"|dit|het|akkoord)"
)
"""A request to say whether the reader wants what was proposed."""


def _places(clauses: Sequence[Clause]) -> dict[tuple[int, int], int]:
    return {one: place for place, one in enumerate(sorted({one.sentence for one in clauses}))}


def _asks_consent(clause: Clause) -> bool:
    return words(_known()[clause.language].consent).search(clause.words) is not None


def _is_proposed(clause: Clause, asked: Sequence[tuple[int, int]], places: dict[tuple[int, int], int]) -> bool:
    """Check whether a clause says how money is paid, or is followed by a question whether the reader wants it."""
    if words(LANGUAGES[clause.language].perfect).search(_ASKS_A.sub(" ", clause.words)):
        return False
    if _THE_WAY.search(clause.words) and not any(one.kind in {"amount", "number"} for one in clause.values):
        return True
    here = places.get(clause.sentence)
    if here is None or not any(0 <= places[one] - here <= AFTER for one in asked if one in places):
        return False
    return words(_known()[clause.language].proposes).search(clause.words) is not None
