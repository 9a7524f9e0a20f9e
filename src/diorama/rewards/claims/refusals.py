"""What is said not to have been done though it was, and amounts of invoices and charges that no order has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.ledger import PLAN_WORDS, records_of
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.payments import is_today
from diorama.rewards.claims.relations import Wrong
from diorama.rewards.claims.things import named_in
from diorama.rewards.claims.wording import done as was_done


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    no_credit: str
    other_credit: str
    """Words that make the denial one of another matter: paying it out, its end."""
    could_not: str
    moves: str
    ends: str
    rests: str
    pays: str
    resends: str
    limits: str
    """Words that limit a denial to a time or to another record."""
    total: str
    net: str
    """Words beside an amount that is not the total of an order."""
    charged: str
    tonight: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("refusals", Words)


def _is(clause: Clause, text: str) -> bool:
    return words(text).search(clause.words) is not None


def refusals(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that deny a deed of the episode, or state a total or a charge that no order has."""
    made = case.new_deeds
    credited = [one for one in made if one.kind == "credit" or one.destination == "store_credit"]
    failed = bool(made) and _FAILED.search(text) is not None
    billed = _sentences_with(clauses, _BILL) if _BILL.search(text) else frozenset()
    charged = _CHARGED.search(text) is not None
    if not (credited or failed or billed or charged):
        return
    for clause in clauses:
        if clause.question or clause.conditional:
            continue
        wrong = _no_credit(clause, credited) if credited else None
        if wrong is None and failed and _FAILED.search(clause.words):
            wrong = _could_not(case, clause, made, text[clause.start : clause.end])
        if wrong is None and clause.sentence in billed:
            wrong = _total(case, clause)
        if wrong is None and charged and _CHARGED.search(clause.words):
            wrong = _charged_now(case, clause, clauses)
        if wrong:
            yield clause, wrong


# Every alternative begins with a letter, which keeps the search fast.
_FAILED = re.compile(
    r"could|able|manage|failed|konnte|lies|moglich|möglich|gelungen|pas pu|possible|reussi|podido|pudi|pude|posible"
    r"|kon |konden|kunnen|gelukt|mogelijk"
)
_BILL = re.compile(r"invoice|bill|receipt|rechnung|beleg|quittung|factu|recu |recibo| bon ")
_CHARGED = re.compile(
    r"charged|debited|billed|took|taken|collected|abgebucht|belastet|eingezogen|berechnet|debite|preleve|facture"
    r"|cobr|cargado"
    r"|debitado|afgeschreven|geincasseerd|in rekening|gedebiteerd"
)


def _sentences_with(clauses: Sequence[Clause], pattern: re.Pattern[str]) -> frozenset[tuple[int, int]]:
    return frozenset(one.sentence for one in clauses if pattern.search(one.words))


def _no_credit(clause: Clause, given: Sequence[Deed]) -> Wrong | None:
    """Return the contradiction if store credit is denied that was given."""
    known = _known()[clause.language]
    found = words(known.no_credit).search(clause.words)
    if found is None:
        return None
    amounts = {int(one.value) for one in clause.values if one.kind in {"amount", "number"}}
    if amounts and not amounts & {one.cents for one in given}:
        return None
    rest = clause.words[: found.start()] + " " + clause.words[found.end() :]
    if words(known.other_credit).search(rest) or _ENDS.search(found[0]):
        return None
    return "denied", was_done(given), f"the text says {found[0]!r}: no store credit was given"


_ENDS = re.compile(r"expir|lapse|verfall|verfäll|ablauf|abläuf|caduc|venc|verlo+p|vervalt|perim")
"""Words for the end of store credit: what does not expire was given."""


def _could_not(case: Case, clause: Clause, made: Sequence[Deed], said: str) -> Wrong | None:
    """Return the contradiction if the text could not do to a plan or an order what was done to it."""
    known = _known()[clause.language]
    found = words(known.could_not).search(clause.words)
    if found is None or _is(clause, known.limits):
        return None
    kinds = {
        kind
        for verbs, kinds in (
            (known.moves, {"address_change", "plan_change"}),
            (known.ends, {"cancellation"}),
            (known.rests, {"pause", "skip"}),
            (known.pays, {"refund"}),
            (known.resends, {"reshipment"}),
        )
        if _is(clause, verbs)
        for kind in kinds
    }
    done = [one for one in made if one.kind in kinds and one.destination != "store_credit"]
    about = set(records_of(clause))
    plans = [one for one in case.things if one.kind == "plan"]
    named = {one.id for one, _, _ in named_in(plans, said)}
    if about:
        done = [one for one in done if about & {name.upper() for name in (one.subject, *one.names)}]
    elif named or PLAN_WORDS.search(clause.words):
        done = [one for one in done if one.subject.startswith("sub_") and (not named or one.subject in named)]
    elif not (_is(clause, known.pays) and len(done) == 1):
        return None
    if not done:
        return None
    return "denied", was_done(done), f"the text says {found[0]!r}: it could not be done"


def _total(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if an invoice has a total that is the total of no order."""
    known = _known()[clause.language]
    amounts = [int(one.value) for one in clause.values if one.kind in {"amount", "number"}]
    totals = {one.cents for one in case.things if one.kind == "order"}
    if len(amounts) != 1 or not totals or not _is(clause, known.total) or _is(clause, known.net):
        return None
    sums = totals | {a + b for a, b in combinations(sorted(totals)[:20], 2)}
    if amounts[0] in sums:
        return None
    return "amount", "the total of an order on an invoice", f"a total of {amounts[0] / 100:.2f}"


def _charged_now(case: Case, clause: Clause, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a charge of today has the total of orders that were delivered before."""
    known = _known()[clause.language]
    if not _is(clause, known.charged) or not (_is(clause, known.tonight) or is_today(case, clause)):
        return None
    if words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    values = [value for one in clauses if one.sentence == clause.sentence for value in one.values]
    amounts = {int(one.value) for one in values if one.kind in {"amount", "number"}}
    orders = [one for one in case.things if one.kind == "order" and one.cents in amounts]
    if any(one.kind in {"refund", "credit"} and one.cents in amounts for one in case.new_deeds):
        return None  # what was done today is that the charge was returned
    if not orders or any(one.status not in {"delivered", "cancelled"} for one in orders):
        return None
    return "state", f"{orders[0].numbers[0]} was paid earlier", "the text says that it was charged today"
