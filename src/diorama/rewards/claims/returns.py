"""Returns: whether their parcels have arrived, whether they still stand, where their money goes, who has a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.labels import is_of_a_parcel
from diorama.rewards.claims.ledger import PERIOD, in_question, records_of
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.payments import is_finished, is_future
from diorama.rewards.claims.relations import Wrong, is_asserted, is_new, is_own_act
from diorama.rewards.claims.sendings import fits_sku, kinds_of, mentions_of
from diorama.rewards.claims.spans import is_beside
from diorama.rewards.claims.years import with_year


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    noun: str
    arrived: str
    here: str
    """Words for an arrival that need no noun."""
    us: str
    not_arrived: str
    """Words of other arrivals, and of conditions."""
    expired: str
    no_label: str
    no_return: str
    no_refund: str
    other: str
    """Words that make a denial one of another matter."""
    label: str
    sent_label: str
    store: str
    card: str
    gets: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("returns", Words)


def return_words(clause: Clause) -> Words:
    """Return the words of returns in the language of a clause."""
    return _known()[clause.language]


def returns(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses of a folded text about returns that the records contradict."""
    yield from _not_here(case, clauses)
    opened = [one for one in case.deeds if one.kind == "label" and one.stands]
    always = [one for one in opened if in_question(case, _NOTHING, one)]
    labelled = _LABEL.search(text) is not None and not always
    if not case.things or not (opened or labelled):
        return
    awaited = frozenset(one.key for one in opened if is_awaited(case, one))
    before: Clause | None = None
    linked = False
    for clause in clauses:
        if before is not None and clause.words.strip() == LANGUAGES[clause.language].link:
            linked = True
            continue
        cut = before is not None and before.sentence == clause.sentence and _goes_on(before, clause, linked)
        before, linked = clause, False
        if clause.question or cut:
            continue
        meant = [one for one in opened if in_question(case, clause, one)] if opened and clause.values else always
        own = _by_goods(case, clause, opened, text)
        meant = own or meant
        wrong = _of_a_return(case, clause, own or _named(case, clause, meant), awaited) if meant else None
        if wrong is None and own and awaited.issuperset(one.key for one in own):
            wrong = _came_back(clause, known_arrivals(clause))
        if wrong is None and labelled and not meant:
            wrong = None if is_of_a_parcel(case, clause) else _no_such_label(clause)
        if wrong:
            yield clause, wrong


_STILL_OUT = re.compile(
    r"\b(?:(?:return|rma|parcel back)\b(?:\s[\w']+){0,4}?\s(?:not (?:yet )?(?:arrived|here|reached)"
    r"|hasn't (?:arrived|reached))"
    r"|(?:not|n't) (?:yet )?(?:received|got|had) (?:your|the) (?:return|rma)"
    r"|(?:retoure|rucksendung|rücksendung)\b(?:\s\w+){0,4}?\snoch nicht (?:\w+ ){0,2}?(?:da|hier|eingetroffen"
    r"|angekommen|erhalten"
    r"|eingegangen|bekommen)|(?:retour)\b(?:\s[\w']+){0,3}?\s(?:n'est pas encore|n'est toujours pas) (?:arrive"
    r"|la|parvenu)"
    r"|pas encore recu (?:votre|le) retour|(?:aun|todavia) no (?:hemos|he) recibido (?:su|la|tu) devolucion"
    r"|devolucion (?:aun|todavia) no (?:ha llegado|nos ha llegado|esta)|no (?:hemos|he) recibido (?:aun"
    r"|todavia) (?:su|la|tu) devolucion"
    r"|retour\w*\b(?:\s\w+){0,3}?\snog niet (?:\w+ )?(?:binnen|ontvangen|aangekomen|hier|gekregen))\b"
)
"""That the parcel of a return has not arrived."""


_LOST = re.compile(
    r"\breturn (?:parcel )?(?:(?:xrecord|has|was|is|been|got|went|gone|have) ){1,3}(?:lost|missing|astray)\b"
    r"|\b(?:retoure|rucksendung|rücksendung) (?:(?:xrecord|ist|wurde|leider|unterwegs|bei|dhl"
    r"|dpd) ){1,4}(?:verloren|verschollen|abhanden)"
    r"|\bretour (?:xrecord )?(?:s'est (?:perdu|egare)|est perdu|a ete (?:perdu|egare))\b"
    r"|\bdevolucion (?:xrecord )?(?:se (?:ha )?(?:perdi|extravi)\w+|esta perdida)\b"
    r"|\bretour(?:zending)? (?:(?:xrecord|is|helaas|onderweg) ){1,3}(?:zoekgeraakt|kwijt|kwijtgeraakt|verloren)\b"
)
"""That the parcel of a return was lost, which no row shows."""


def _not_here(case: Case, clauses: Sequence[Clause]) -> Iterator[tuple[Clause, Wrong]]:
    """Yield clauses that say that a return was lost, or has not arrived where every return has."""
    known = [one.status for one in case.things if one.kind == "return"]
    if not known:
        return
    here = all(one == "received" for one in known)
    for clause in clauses:
        if clause.question or clause.conditional:
            continue
        lost = None if clause.depends or is_own_act(clause) else _LOST.search(clause.words)
        if lost and not is_negated(clause, lost.end()):
            yield clause, ("state", "a return that is not lost", f"the text says {lost[0]!r}")
            continue
        found = _STILL_OUT.search(clause.words) if here else None
        if found and not words(LANGUAGES[clause.language].reported).search(clause.words):
            yield clause, ("state", "a return that has arrived", f"the text says {found[0]!r}")


_NOTHING = Clause(0, 0, (0, 0), "", "en")
_LABEL = re.compile(
    r"label|etiket|etikett|etiquet|slip|sticker|bordereau|bon de retour|rucksendeschein|rücksendeschein"
)


def known_arrivals(clause: Clause) -> str:
    """Return the words for an arrival in the language of a clause."""
    known = _known()[clause.language]
    return f"{known.here} | {known.arrived}"


def _by_goods(case: Case, clause: Clause, opened: Sequence[Deed], text: str) -> list[Deed]:
    """Return the returns of the goods that a clause names, if it speaks of an arrival and names no record."""
    if not opened or records_of(clause) or not _is(clause, known_arrivals(clause)):
        return []
    named = set().union(*(one.kinds for one in mentions_of(case, clause, text)))
    return [one for one in opened if named & goods_returned(case, one)] if named else []


def goods_returned(case: Case, deed: Deed) -> set[str]:
    """Return the kinds of goods that a return is for."""
    sku = str(deed.to.get("sku") or "")
    names = (*case.products, *case.parts, *case.machines)
    return set().union(*(kinds_of(fold(one)) for one in names if fits_sku(one, sku))) if sku else set()


def _came_back(clause: Clause, arrivals: str) -> Wrong | None:
    """Return the contradiction if goods of a return that is awaited have come `as well`, or those `you send back`."""
    found = words(arrivals).search(clause.words)
    known = _known()[clause.language]
    if found is None or clause.conditional or _is(clause, known.not_arrived) or not _AS_WELL.search(clause.words):
        return None
    if is_future(clause) or not is_asserted(clause, *found.span()):
        return None
    return "state", "the parcel of the return has not arrived", f"the text says {found[0]!r}"


_AS_WELL = re.compile(
    r"\b(?:as well|too|also|send(?:ing)? back|sent back|returned|ebenfalls|auch|zurückge\w+|egalement|aussi|renvo\w+"
    r"|tambien|devuel\w+|ook|eveneens|terugge\w+|terugstuur\w*)\b"
)


def _named(case: Case, clause: Clause, meant: Sequence[Deed]) -> Sequence[Deed]:
    """Return the returns that a clause names; if it names none, those of the episode, or else all."""
    if about := set(records_of(clause)):
        return [one for one in meant if about & _names(one)]
    return [one for one in meant if is_new(case, one)] or meant


def _goes_on(before: Clause, clause: Clause, linked: bool) -> bool:
    """Check whether a clause states the condition of the one before it: `when | we've got it`, `| and we've got it`."""
    language = LANGUAGES[clause.language]
    if not before.conditional:
        return False
    last = before.words.split()[-1:]
    linked = (linked or clause.words.startswith(language.link + " ")) and not before.words.rstrip().endswith(",")
    return linked or (bool(last) and words(language.conditional).fullmatch(last[0]) is not None)


def _names(deed: Deed) -> set[str]:
    return {one.upper() for one in (deed.subject, *deed.names) if one}


def _is(clause: Clause, text: str) -> bool:
    return words(text).search(clause.words) is not None


def is_awaited(case: Case, deed: Deed) -> bool:
    """Check whether the parcel of a return has not arrived; without its row, only one of the episode is known."""
    rows = [one for one in case.things if one.kind == "return" and set(one.numbers) & _names(deed)]
    return all(one.status != "received" for one in rows) if rows else is_new(case, deed)


def _of_a_return(case: Case, clause: Clause, meant: Sequence[Deed], waiting: AbstractSet[int | str]) -> Wrong | None:
    """Return how a clause contradicts the returns that it can mean."""
    if not meant:
        return None
    known = _known()[clause.language]
    awaited = [one for one in meant if one.key in waiting]
    wrong = None
    if awaited and len(awaited) == len(meant):
        wrong = _has_arrived(case, clause, known) or _ended(clause, known) or _goes_elsewhere(clause, known, awaited)
    if wrong or clause.conditional:
        return wrong
    found = words(known.no_label).search(clause.words) if any(is_new(case, one) for one in meant) else None
    if (
        found
        and not clause.depends
        and not _is(clause, known.other)
        and not is_negated(clause, found.end(), [found.span()])
    ):
        return "denied", "a return label was made", f"the text says {found[0]!r}"
    found = words(known.no_return).search(clause.words)
    found = found or (words(known.no_refund).search(clause.words) if awaited else None)
    if found is not None and not _is(clause, known.other) and not _is(clause, LANGUAGES[clause.language].so_far):
        return "denied", "the return is open, and its money follows its arrival", f"the text says {found[0]!r}"
    return None


def _on_the_day_of_another(case: Case, clause: Clause) -> bool:
    """Check whether a clause names no record, and the day on which another return came back."""
    days = {one.arrived for one in case.things if one.kind == "return" and one.status == "received"} - {""}
    said = {reading for one in clause.values if one.kind in {"date", "day"} for reading in one.readings}
    return not records_of(clause) and bool(said & (days | {"-" + one[4:] for one in days}))


def _has_arrived(case: Case, clause: Clause, known: Words) -> Wrong | None:
    """Return the contradiction if a parcel is said to have arrived that has not."""
    here = words(known.here).search(clause.words)
    found = here or words(known.arrived).search(clause.words)
    if found is None or clause.conditional or _is(clause, known.not_arrived) or _FIRST.search(clause.words):
        return None
    if here is None and _came_to_the_customer(case, clause):
        return None
    named = records_of(clause) or _RETURN.search(clause.words)
    if not (here or named) and not (_is(clause, known.noun) and _is(clause, known.us)):
        return None
    if is_future(clause) or not is_asserted(clause, *found.span()) or _on_the_day_of_another(case, clause):
        return None
    return "state", "the parcel of the return has not arrived", f"the text says {found[0]!r}"


def _came_to_the_customer(case: Case, clause: Clause) -> bool:
    """Check whether a clause says when an order reached the customer: it states that day, or the time for a return."""
    if _RETURN.search(clause.words) or _TO_US.search(clause.words):
        return False
    named = set(records_of(clause))
    ids = {one.id for one in case.things if one.kind == "order" and named & set(one.numbers)}
    days = {one.closed for one in case.parcels if one.order in ids and one.status == "arrived"}
    said = [one for one in clause.values if one.kind in {"date", "day"}]
    if not days or not said:
        return bool(days) and PERIOD.search(clause.words) is not None
    meant = {with_year(day, clause.words, case.today) for one in said for day in one.readings}
    return any(is_beside(day, own) for day in meant for own in days)


_TO_US = re.compile(
    r"\b(?:back|us|our|here|warehouse|zurück|uns|unser\w*|hier|lager|retour|nous|notre|chez"
    r"|entrepot|nosotros|nuestr\w+|aqui|almacen|vuelta|terug|ons|onze|magazijn)\b"
)
"""Words for the company as the place where something arrived."""
_FIRST = re.compile(
    r"\b(?:broken|damaged|smashed|faulty|defekt|kaputt|beschadigt|beschädigt|casse\w*|abime\w*|endommage\w*"
    r"|rot[oa]s?|danad[oa]s?"
    r"|averiad[oa]s?|kapot|beschadigd|stuk)\b"
    r"|\b(?:you|sie|du|vous|usted|ustedes|u|je|jij)\b(?:\s\S+){0,9}?\s(?:received|got|erhalten|bekommen|recu"
    r"|recibido|ontvangen|gekregen)\b"
)
"""What arrived at the customer: the first parcel, not the return."""


def _ended(clause: Clause, known: Words) -> Wrong | None:
    """Return the contradiction if a return that stands is said to have ended."""
    found = words(known.expired).search(clause.words)
    if found is None or clause.conditional or not (records_of(clause) or _RETURN.search(clause.words)):
        return None
    denied = words(LANGUAGES[clause.language].negation).search(clause.words, 0, found.start())
    if denied or not is_stated(clause, [found.span()]):
        return None
    return "state", "a return that is open", f"the text says {found[0]!r}"


_RETURN = words("return | rma | retoure | rücksendung | retour | retour* | devolución | label | etikett | étiquette")


def _goes_elsewhere(clause: Clause, known: Words, awaited: Sequence[Deed]) -> Wrong | None:
    """Return the contradiction if the money of a return will go another way than the return says."""
    ways = {one.to.get("resolution", "") for one in awaited}
    language = LANGUAGES[clause.language]
    later = clause.depends or clause.conditional
    paid = _is(clause, known.gets) or any(one.kind == "amount" for one in clause.values)
    if not later or len(ways) != 1 or not paid or is_own_act(clause):
        return None
    if any(words(one).search(clause.words) for one in (language.negation, language.exempt, language.wish)):
        return None
    store = words(known.store).search(clause.words)
    card = words(known.card).search(words(known.store).sub(" ", clause.words))
    if store and not card and ways == {"refund"}:
        return "destination", "a return for a refund to the original payment", f"money to {store[0]!r}"
    if card and not store and ways == {"store_credit"}:
        return "destination", "a return for store credit", f"money to {card[0]!r}"
    return None


def _no_such_label(clause: Clause) -> Wrong | None:
    """Return the contradiction if a label is said to be sent, and no return was opened."""
    known = _known()[clause.language]
    label = words(known.label).search(clause.words)
    sent = words(known.sent_label).search(clause.words) if label else None
    if sent is None or clause.conditional or not is_finished(clause) or is_negated(clause, sent.end()):
        return None
    return "claimed", "the records show that no return label was made", f"the text says that a label was {sent[0]}"
