"""What is said of one thing and then of others too: `the Harbour plan is paused, and so is the Explorer`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import claims_of
from diorama.rewards.claims.ledger import MONEY
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong, is_asserted, roots_of
from diorama.rewards.claims.spans import by_sentence
from diorama.rewards.claims.things import named_in

SUMMED = 4
"""How many amounts are added up at most."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    also: str
    contrast: str
    amount: str
    other_money: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("additions", Words)


def additions(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say of more things or amounts what the records show of some."""
    if not case.things:
        return
    plans = [one for one in case.things if one.kind == "plan"]
    for sentence in by_sentence(clauses):
        if len(sentence) < 2 or any(one.question for one in sentence):
            continue
        wrong = _plans(case, sentence, plans, text) if len(plans) > 1 else None
        wrong = wrong or _amounts(case, sentence) or _orders(case, sentence) or _on_top(case, sentence)
        if wrong:
            yield wrong


def _adds(clause: Clause, words_of_addition: str) -> bool:
    """Check whether a clause adds something in a few words, and says nothing else of it."""
    known, language = _known()[clause.language], LANGUAGES[clause.language]
    if clause.conditional or words(words_of_addition).search(clause.words) is None:
        return False
    unclear = (known.contrast, language.negation, language.wish, language.reported, roots_of(clause).thanks)
    return not any(words(one).search(clause.words) for one in unclear)


# --- plans


def _plans(case: Case, sentence: Sequence[Clause], plans: Sequence[Thing], text: str) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if a plan is added to one that was ended or paused, and was not."""
    for place, clause in enumerate(sentence[:-1]):
        roots = roots_of(clause)
        for root, states, kinds in (
            (roots.ends, {"cancelled"}, {"cancellation"}),
            (roots.rests, {"paused"}, {"pause", "skip"}),
        ):
            found = words(root).search(clause.words)
            done = {one.subject for one in case.deeds if one.stands and one.kind in kinds} if found else set()
            if found is None or not done or not is_asserted(clause, *found.span()):
                continue
            for other in sentence[place + 1 :]:
                named = named_in(plans, text[other.start : other.end])
                wrong = [one for one, _, _ in named if one.status not in states and one.id not in done]
                if wrong and _adds(other, _known()[other.language].also):
                    return other, (
                        "state",
                        f"{wrong[0].name} is {wrong[0].status}",
                        f"the text adds it to {found[0]!r}",
                    )
    return None


# --- amounts


def _amounts(case: Case, sentence: Sequence[Clause]) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if one more amount is added to money that was given, and was not given."""
    paid = [one for one in case.deeds if one.stands and one.cents and one.kind in {"refund", "credit"}]
    said: list[int] = []
    claimed = False
    if not any(any(one.kind == "amount" for one in clause.values) and _adds_money(clause) for clause in sentence[1:]):
        return None
    for clause in sentence:
        own = [int(one.value) for one in clause.values if one.kind in {"amount", "number"}]
        if claimed and len(own) == 1 and _adds_money(clause) and _is_one_too_many(case, own[0], said, paid):
            return clause, ("amount", f"payments of {_shown(paid)}", f"the text adds {own[0] / 100:.2f}")
        said += own
        claimed = claimed or any(one.says and one.kind in MONEY for one in claims_of(clause))
    return None


_ON_TOP = re.compile(
    r"\b(?:another|a further|an extra|an additional|weitere|noch|zusätzlich|encore|autres|otros|nog eens|nog|extra)\s"
    r"(?P<sum>\d{1,3})\b(?![.,:%-]?\d|\s?(?:%|days?|weeks?|tage|jours|dias|dagen|minut\w+|euro-?cent))"
    r"(?=[^.]{0,40}?\b(?:on top|extra|for the|as a|obendrauf|dazu|für|en plus|pour|de mas|adicional\w*"
    r"|por|erbij|voor)\b)"
)
"""One more sum without a currency: `another 10 on top`."""


def _on_top(case: Case, sentence: Sequence[Clause]) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if a sum without a currency is added to money that was given, and was not given."""
    paid = [one for one in case.deeds if one.stands and one.kind in {"refund", "credit"}]
    given = {one.cents for one in paid}
    claimed = False
    for clause in sentence:
        found = _ON_TOP.search(clause.words) if claimed and not clause.conditional else None
        if found is not None and int(found["sum"]) * 100 not in given and not is_negated(clause, found.end()):
            return clause, ("amount", f"payments of {_shown(paid)}", f"the text adds {found['sum']}")
        claimed = claimed or any(one.says and one.kind in MONEY for one in claims_of(clause))
    return None


def _adds_money(clause: Clause) -> bool:
    """Check whether a clause adds an amount, and not one that moved another way."""
    known = _known()[clause.language]
    return _adds(clause, known.amount) and words(known.other_money).search(clause.words) is None


def _shown(paid: Sequence[Deed]) -> str:
    return ", ".join(sorted({f"{(one.cents or 0) / 100:.2f}" for one in paid})) or "nothing"


def _is_one_too_many(case: Case, cents: int, said: Sequence[int], paid: Sequence[Deed]) -> bool:
    """Check whether an amount is neither a payment nor a part of one, or the second of a payment that was made once."""
    known = Counter(one.cents or 0 for one in paid)
    sums = {*known, sum(one.cents or 0 for one in paid if one in case.new_deeds)}
    parts = {sum(some) + cents for size in range(1, SUMMED) for some in combinations(said[-SUMMED:], size)}
    if parts & sums:  # `19.85 EUR: 15.00 EUR for the coffee plus 4.85 EUR`
        return False
    return cents not in sums if cents not in said else known[cents] <= said.count(cents) and known[cents] > 0


# --- orders


_DONE_TO_ORDERS = frozenset({"refund", "credit", "money", "cancellation", "address_change", "reshipment"})


def _orders(case: Case, sentence: Sequence[Clause]) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if an order is added to one for which something was done, and has no deed."""
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    claimed: set[str] = set()
    if not any(
        any(one.kind == "record" for one in clause.values) and _adds(clause, _known()[clause.language].also)
        for clause in sentence[1:]
    ):
        return None
    for clause in sentence:
        named = [one.value for one in clause.values if one.kind == "record" and one.value in orders]
        if claimed and named and _adds(clause, _known()[clause.language].also):
            done = {
                name.upper()
                for one in case.deeds
                if one.stands and one.kind != "shipment"
                for name in (one.subject, *one.names)
            }
            if wrong := [one for one in named if not done & {one, orders[one].id.upper()}]:
                return clause, ("subject", f"nothing was done for {wrong[0]}", "the text adds it to what was done")
        claimed |= {one.kind for one in claims_of(clause) if one.says and one.kind in _DONE_TO_ORDERS}
    return None
