"""What a text says is stored in the customer's account now: an e-mail address, a number, a name, an address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.destinations import Places, changed_account, places
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.relations import Wrong, is_own_act, roots_of


def contacts(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say that the account was changed though it was not."""
    del text
    if not case.things or changed_account(case):
        return
    held = {street for one in case.things if one.kind == "account" for street in one.streets}
    for clause in _with_addresses(clauses):
        known = places()[clause.language]
        if clause.question or clause.conditional or clause.depends or not _says_stored(clause, known):
            continue
        streets = {one.value for one in clause.values if one.kind == "street"}
        removed = words(_REMOVED).search(clause.words)
        if streets & held and not removed:
            continue
        yield clause, ("claimed", "an account that was not changed", "the text says that something is stored in it now")


def _with_addresses(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses; one that an address interrupts together with it and with what goes on after it."""
    if not any(one.words.startswith("xstreet") for one in clauses):
        yield from clauses
        return
    for place, clause in enumerate(clauses):
        after = clauses[place + 1 : place + 4]
        if not after or not after[0].words.startswith("xstreet") or after[0].sentence != clause.sentence:
            yield clause
            continue
        chain = [clause]
        for one in after:
            if one.sentence != clause.sentence or one.conditional:
                break
            chain.append(one)
            if not one.words.startswith(("xstreet", "xpostcode")) and len(one.words.split()) > 2:
                break
        yield msgspec.structs.replace(
            clause,
            end=chain[-1].end,
            words=" ".join(one.words for one in chain),
            values=tuple(value for one in chain for value in one.values),
        )


_REMOVED = (
    "removed | deleted | gelöscht | entfernt | supprime | supprimee | eliminado | eliminada | borrado | borrada"
    " | verwijderd"
)


def _says_stored(clause: Clause, known: Places) -> bool:
    """Check whether a clause states that data were put into the account."""
    text, language = clause.words, LANGUAGES[clause.language]
    if not words(known.holds).search(text):
        return False
    address = words(roots_of(clause).address).search(text) or "xstreet" in text
    about = words(known.data).search(text) or address
    if not about or not words(known.stored).search(text):
        return False
    if not words(known.now).search(text) or is_own_act(clause):
        return False
    unclear = (known.keeps, known.yourself, language.negation, language.exempt, language.wish, language.reported)
    plain = words(language.saying).sub(" ", text)
    return not any(words(one).search(plain) for one in unclear)
