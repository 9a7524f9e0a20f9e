"""Words about what went wrong before, and advice: they deny no deed, claim none and promise nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.ledger import MONEY, ORDER_WORDS, PLAN_WORDS, SENDING
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import roots_of
from diorama.rewards.claims.taking_apart import Contradiction, Reading


class Histories(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    failing: str
    open: str
    done_so: str
    money: str
    goods: str
    fails: str
    first: str
    advice: str
    promise: str
    service: str


@lru_cache(maxsize=1)
def _known() -> dict[str, Histories]:
    return by_language("histories", Histories)


def _has(clause: Clause, text: str) -> bool:
    return words(text).search(clause.words) is not None


FOLLOWING = 3
"""How many sentences after a failing may put it right."""


def _is_put_right(
    clause: Clause, kinds: frozenset[str], clauses: Sequence[Clause], claims: Sequence[Claim], *, any_kind: bool = False
) -> bool:
    """Check whether a clause tells that something had not been done, and what follows says that it is done now.

    `kinds` are the kinds of claims that say so; with `any_kind` every claim does.
    """
    known = _known()[clause.language]
    if clause.question or not _has(clause, known.failing) or _has(clause, known.open):
        return False
    last, seen = clause.sentence, 0
    for one in clauses:
        if one.start <= clause.start:
            continue
        if one.sentence != last:
            last, seen = one.sentence, seen + 1
        if seen > FOLLOWING:
            return False
        if _is_done(one) or any(
            claim.clause.start == one.start and claim.says and (any_kind or claim.kind in kinds) for claim in claims
        ):
            return True
    return False


def _is_done(clause: Clause) -> bool:
    """Check whether a clause says that something is done now: `I have just done so`, `das habe ich nachgeholt`."""
    if clause.question or clause.conditional:
        return False
    found = words(_known()[clause.language].done_so).search(clause.words)
    return found is not None and not is_negated(clause, found.end())


def _is_about_money(clause: Clause, before: Sequence[Clause]) -> bool:
    """Check whether what did not reach the customer is money: the clause, or else the sentence before it, says so."""
    known = _known()[clause.language]
    for one in (clause, *before):
        if _has(one, known.goods) or (one is not clause and _has(one, roots_of(one).sends)):
            return False
        if _has(one, known.money):
            return True
    return False


def _has_failed(clause: Clause, after: Sequence[Clause]) -> bool:
    """Check whether a clause tells of a payment that failed: it says so, or the next clauses of its sentence do.

    `after` are the clauses that follow.
    """
    known = _known()[clause.language]
    if _SENT_BACK.search(clause.words):
        return True
    if _has(clause, known.first) and _has(clause, known.money):
        near = [clause, *after[:2]]
    else:
        near = [one for one in after[:2] if one.sentence == clause.sentence and _BUT.match(one.words)]
    return any(_has(one, known.fails) and not _is_denied(one) for one in near)


_SENT_BACK = re.compile(
    r"\bbank (?:has |had |just )?(?:sent|returned|refused|rejected|bounced|declined)\b"
    r"|\b(?:bank|kreditinstitut)\b(?:\s\S+){0,6}?\s(?:abgelehnt|zurückgewiesen|zurückgeschickt|zurückgegeben)\b"
    r"|\bbanque (?:nous )?(?:l'|le |la )?(?:a |avait )?(?:renvoye|refuse|rejete|retourne)\w*"
    r"|\bbanco (?:nos )?(?:lo |la )?(?:ha |habia )?(?:devuelto|rechazado|devolvio|rechazo)\b"
    r"|\bbank\b(?:\s\S+){0,6}?\s(?:geweigerd|teruggestuurd|afgewezen)\b"
)
"""A payment that the customer's bank did not take."""
_BUT = re.compile(r"\W*(?:but|however|yet|aber|doch|jedoch|mais|or|pero|sin embargo|maar|echter)\b")


def _is_denied(clause: Clause) -> bool:
    """Check whether words of failing are denied themselves: `it was not rejected`."""
    found = words(_known()[clause.language].fails).search(clause.words)
    negation = words(LANGUAGES[clause.language].negation)
    return found is not None and negation.search(clause.words, 0, found.start()) is not None


_CARD_CLOSED = re.compile(
    r"\b(?:card|bank account|karte|kreditkarte|bankkonto|carte|compte bancaire|tarjeta|cuenta bancaria|kaart"
    r"|creditcard"
    r"|bankrekening|visa|mastercard|amex|xcard)\b\W+"
    r"(?:(?!und\b|and\b|et\b|y\b|en\b|been\b|wurde\b|ete\b|sido\b|werd\b|hebben\b|have\b)[\w']+\W+){0,2}?"
    r"(?:closed|blocked|cancelled|canceled|expired|deleted|geschlossen|gesperrt|gelöscht|gekündigt|aufgelöst"
    r"|abgelaufen"
    r"|cloturee?|fermee?|bloquee?|resiliee?|annulee?|supprimee?|expiree?|cerrad[ao]|bloquead[ao]|cancelad[ao]"
    r"|anulad[ao]"
    r"|caducad[ao]|opgeheven|gesloten|geblokkeerd|opgezegd|verlopen|beeindigd|beëindigd)\b"
)
"""A card or a bank account that is closed."""
_OURS = re.compile(r"\b(?:we|i|wir|ich|nous|j'ai|hemos|he|wij|ik)\b")


_YOU_MOVED = re.compile(
    r"\byou(?:'d|'ve| had| have)? (?:already |since |just )?moved\b|\bvous (?:aviez|avez) demenage\b"
    r"|\b(?:sie|du|ihr)\s(?:[\w'-]+\s){0,4}umgezogen\b|\b(?:je|jij|u)\s(?:[\w'-]+\s){0,4}verhuisd\b"
    r"|\b(?:se (?:mudo|ha mudado|habia mudado)|te (?:mudaste|has mudado))\b"
)


def _is_moving_house(clause: Clause) -> bool:
    """Check whether a clause says that the customer moved house, which changes no address by itself."""
    return _YOU_MOVED.search(clause.words) is not None


def _is_closed_card(clause: Clause) -> bool:
    """Check whether a clause says that a card is closed, and not that we closed something."""
    if _OURS.search(clause.words) or PLAN_WORDS.search(clause.words) or ORDER_WORDS.search(clause.words):
        return False
    return _CARD_CLOSED.search(clause.words) is not None


def _is_advice(clause: Clause) -> bool:
    """Check whether a clause advises the customer to let a technician do the work, and promises none of ours."""
    known = _known()[clause.language]
    return _has(clause, known.service) and _has(clause, known.advice) and not _has(clause, known.promise)


# --- what the reader asks


def is_history(reading: Reading, claim: Claim) -> bool:
    """Check whether words that look like a claim or a denial tell what went wrong before, or are advice."""
    if claim.kind in {"extra", "cancellation"} and claim.says:
        return _is_advice(claim.clause) or _is_closed_card(claim.clause)
    if claim.kind == "address_change" and claim.says:
        return _is_moving_house(claim.clause)
    if not claim.says:
        if claim.kind == "goods" and claim.retracts and _is_about_money(claim.clause, reading.sentence_before(claim)):
            return True
        return _is_put_right(claim.clause, TELLING.get(claim.kind, frozenset()), reading.clauses, reading.claims)
    if claim.kind not in MONEY:
        return False
    place = bisect_left(reading.clauses, claim.clause.end, key=lambda one: one.start)
    return _has_failed(claim.clause, reading.clauses[place : place + 2])


def catches_up(kind: str, reading: Reading) -> bool:
    """Check whether a text says that a deed had not been done, and that it is done now: `I have done that today`."""
    return any(not one.says and one.kind == kind and is_history(reading, one) for one in reading.claims)


TELLING = {
    "refund": MONEY, "credit": MONEY, "money": MONEY,
    "goods": SENDING, "part": SENDING, "replacement_machine": SENDING, "reshipment": SENDING,
    "cancellation": frozenset({"cancellation"}), "label": frozenset({"label"}),
    "pause": frozenset({"pause", "plan_change"}), "resumption": frozenset({"resumption", "plan_change"}),
    "address_change": frozenset({"address_change", "goes", "new_address"}),
}  # fmt: skip
"""For each kind of denial, the claims that say that the deed is done."""
DENYING = frozenset({"denied", "retraction", "intended", "withdrawn"})


def without_failings(readings: Sequence[Reading], found: list[Contradiction]) -> list[Contradiction]:
    """Return the contradictions without denials that only tell a failing that was put right."""
    if not any(one.kind in DENYING for one in found):
        return found
    taken_apart = {one.index: one for one in readings}
    return [one for one in found if one.kind not in DENYING or not _tells_failing(taken_apart[one.text_index], one)]


def _tells_failing(reading: Reading, one: Contradiction) -> bool:
    clause = next((c for c in reading.clauses if reading.folded.place(c.start) == one.start), None)
    if clause is None or any(claim.clause.start == clause.start and not claim.says for claim in reading.claims):
        return False  # denials of deeds were compared with what follows before
    return _is_put_right(clause, frozenset(), reading.clauses, reading.claims, any_kind=True)
