"""Payments that failed: a text may tell that one was made if it also tells that the money came back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Payment
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.years import with_year

_CENTS = frozenset({"amount", "number"})


class Failures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    failed: str
    """What only a payment does: it bounces, or a bank refuses it."""
    returned: str
    """What goods do too: they come back."""
    money: str
    goods: str
    fresh: str
    """Words for a payment of now, or for a second one."""


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Failures]:
    return by_language("failures", Failures)


def tells_that_it_failed(case: Case, clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Check whether a clause tells of a payment that failed: its own sentence or the next one says that it came back.

    The amount and the day of the clause must be those of a failed payment; `clauses` are those of the whole text.
    """
    meant = _meant(case, clause) if words(_known()[clause.language].money).search(clause.words) else []
    if not meant:
        return False
    return any(_failed(case, one, clause, meant) for one in _from(clause, clauses))


def is_of_a_failure(case: Case, clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Check whether what a clause says to have come back is a payment that failed, and not goods."""
    failed = [one for one in case.payments if one.status == "failed"]
    if not failed:
        return False
    for one in clauses:
        if one.start > clause.start:
            break
        near = one.sentence == clause.sentence or one.sentence[1] == clause.sentence[0]
        spoken = words(_known()[one.language].money).search(one.words)
        if near and spoken and not words(_known()[one.language].goods).search(one.words) and _meant(case, one):
            return _failed(case, clause, one, failed)
    return False


def _meant(case: Case, clause: Clause) -> list[Payment]:
    """Return the failed payments that a clause can mean: of its amount and its day, and not of now."""
    failed = [one for one in case.payments if one.status == "failed"]
    if not failed or words(_known()[clause.language].fresh).search(clause.words):
        return []
    cents = {int(one.value) for one in clause.values if one.kind in _CENTS}
    days = {
        with_year(day, clause.words, case.today)
        for one in clause.values
        if one.kind in {"date", "day"}
        for day in one.readings
    }
    return [one for one in failed if (not cents or one.cents in cents) and (not days or one.day in days)]


def _from(clause: Clause, clauses: Sequence[Clause]) -> list[Clause]:
    """Return a clause, what follows it in its sentence, and the next sentence."""
    later = [one for one in clauses if one.start > clause.start and one.end > clause.end]
    here = [one for one in later if one.sentence == clause.sentence]
    after = next((one.sentence for one in later if one.sentence[0] >= clause.sentence[1]), None)
    return [clause, *here, *(one for one in later if one.sentence == after)]


def _failed(case: Case, clause: Clause, told: Clause, meant: Sequence[Payment]) -> bool:
    """Check whether a clause says that the payment of another one failed, or came back; a reason does not matter."""
    reason = _BECAUSE.search(clause.words)
    said = clause.words[: reason.start()] if reason else clause.words
    known = _known()[clause.language]
    hard = words(known.failed).search(said)
    found = hard or words(known.returned).search(said)
    if found is None or clause.question or clause.conditional or _is_denied(said, found, gap=hard is None):
        return False
    if words(LANGUAGES[clause.language].exempt).search(clause.words, 0, found.start()):
        return False
    if _YOURS.search(clause.words) or words(known.goods).search(clause.words):
        return False
    cents = {int(one.value) for one in clause.values if one.kind in _CENTS}
    if cents and not cents & {one.cents for one in meant}:
        return False
    if clause is told or clause.start == told.start:
        return _BETWEEN.search(clause.words, found.end()) is None
    if words(known.fresh).search(clause.words) or _THE_FIRST.match(clause.words):
        return False
    lead = clause.words[: found.start()]
    return hard is not None or words(known.money).search(lead) is not None or len(lead.split()) <= SHORT


def _is_denied(said: str, found: re.Match[str], *, gap: bool) -> bool:
    """Check whether a negation stands before some words, or inside them where these have none of their own."""
    return _NOT.search(said, 0, found.start()) is not None or (
        (gap or "bank" in found[0] or "banque" in found[0] or "banco" in found[0]) and _NOT.search(found[0]) is not None
    )


_NOT = re.compile(r"\b(?:not|never|no|nicht|kein\w*|nie|pas|jamais|aucun\w*|nunca|ningun\w*|niet|geen|nooit)\b|n't\b")
_BECAUSE = re.compile(
    r"\b(?:because|since|as the card|weil|da die|denn|parce qu|car|puisqu|porque|ya que|omdat|want)\b"
)
SHORT = 4
"""How many words stand before a verb whose subject is a pronoun: `but unfortunately it came back`."""
_THE_FIRST = re.compile(
    r"\W*(?:but |aber |mais |pero |maar )?(?:the|our|der|die|das|unsere?|le|la|notre|el|nuestro|de|het|onze)\s"
    r"(?:first|earlier|previous|old|last|erste|frühere|vorige|letzte|premiere?|precedente?|ancien\w*|primer[ao]?"
    r"|anterior|eerste"
    r"|eerdere|vorige)\b"
)
"""Another payment than the one that was told before."""
_YOURS = re.compile(
    r"\b(?:your payment|ihre zahlung|deine zahlung|votre paiement|ton paiement|su pago|tu pago|(?:je|jouw"
    r"|uw) betaling)\b"
)
"""What the customer paid to us."""
_BETWEEN = re.compile(
    r"\b(?:so|therefore|and|then|daher|deshalb|also|und|dann|donc|et|puis|por eso|asi que|y|luego|dus|daarom|en|dan)\s"
    r"(?:[\w']+\s){0,4}?(?:refund\w*|repaid|paid|sent|erstatt\w*|gezahlt|überwiesen|rembours\w*|verse\w*"
    r"|reembols\w*|devolv\w*"
    r"|pagad\w*|terugbetaald|teruggestort|gestort)\b"
)
"""What was done after the failure: another payment."""
