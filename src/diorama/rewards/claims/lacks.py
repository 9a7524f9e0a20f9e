"""What is said of goods that came back: which pieces are missing, and whether they are damaged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong, is_own_act, roots_of
from diorama.rewards.claims.sendings import kinds_of, mentions_of
from diorama.rewards.claims.spans import by_sentence, number_in


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    missing: str
    damaged: str
    back: str
    aside: str
    pieces: dict[str, str]


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("lacks", Words)


def lacks(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say of goods that came back what was not written down when they came."""
    yield from _left_out(case, clauses, text)
    came = [one for one in case.things if one.kind == "return" and one.status == "received"]
    if not came:
        return
    before: list[Clause] = []
    for sentence in by_sentence(clauses):
        near, before = [*before, *sentence], sentence
        meant = _meant(case, sentence, came)
        for clause in sentence:
            if clause.question or is_own_act(clause):
                continue
            wrong = _pieces(clause, meant) or _whole(clause, near, meant) or _damage(case, clause, near, meant)
            if wrong:
                yield clause, wrong


def _left_out(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say that goods were missing from a parcel, if a colleague noted that others were."""
    if not case.has_noted(_NOT_THERE):
        return
    noted = [one for one in case.noted if _NOT_THERE.search(one)]
    goods = {good for one in case.things if one.kind == "order" for good in one.goods}
    gone = {kind for good in goods if any(good in one for one in noted) for kind in kinds_of(good)}
    held = {kind for good in goods for kind in kinds_of(good)}
    for clause in clauses if gone else ():
        found = words(_known()[clause.language].missing).search(clause.words)
        if found is None or clause.question or is_own_act(clause) or _is_asked(clause):
            continue
        named = mentions_of(case, clause, text)
        if len(named) != 1 or is_negated(clause, found.end(), [found.span()]) or named[0].kinds & gone:
            continue
        if named[0].kinds & held and not named[0].kinds <= {"machine", "coffee"}:
            expected = f"missing as noted: {noted[0][:60]}"
            yield clause, ("subject", expected, f"the text says that {named[0].said!r} was missing")


_NOT_THERE = re.compile(r"missing from|left out of|not in the (?:box|parcel)|was not packed|forgotten")


def _meant(case: Case, sentence: Sequence[Clause], came: Sequence[Thing]) -> list[Thing]:
    """Return the returns of the orders that a sentence names, or all."""
    named = {value.value for one in sentence for value in one.values if value.kind == "record"}
    numbers = {
        name for one in case.deeds if one.kind == "label" and named & {*one.names, one.subject} for name in one.names
    }
    return [one for one in came if one.id in numbers | named] or list(came)


def _pieces(clause: Clause, came: Sequence[Thing]) -> Wrong | None:
    """Return the contradiction if pieces are said to be missing that were counted, or another number of them."""
    noted = " ".join(one.note for one in came)
    if "missing" not in noted and "all there" not in noted:
        return None
    known = _known()[clause.language]
    found = words(known.missing).search(clause.words)
    if found is None or is_negated(clause, found.end(), [found.span()]) or _is_asked(clause):
        return None
    gone = {kind for kind, nouns in _known()["en"].pieces.items() if words(nouns).search(noted)}
    named = {
        kind: noun[0]
        for kind, nouns in known.pieces.items()
        if (noun := words(nouns).search(clause.words)) and not _covers(known.pieces, kind, noun, clause.words)
    }
    right = {noun for kind, noun in named.items() if kind in gone}  # some nouns name pieces of two kinds
    said = {kind for kind, noun in named.items() if kind in gone or noun not in right}
    if said - gone:
        return "state", f"missing: {', '.join(sorted(gone)) or 'nothing'}", f"the text says that {min(said - gone)} is"
    counted = _COUNT.search(noted)
    if said or counted is None or len(_COUNT.findall(noted)) > 1:
        return None
    number = _NUMBER[clause.language].search(clause.words)
    if number and (count := number_in(number[1])) and count != int(counted[1]):
        return "state", f"{counted[1]} missing", f"the text says {number[0]!r}"
    return None


def _whole(clause: Clause, near: Sequence[Clause], came: Sequence[Thing]) -> Wrong | None:
    """Return the contradiction if all of a kit is said to have come back, and pieces of it were missing."""
    if not came or any("missing" not in one.note for one in came):
        return None
    found = _COMPLETE.search(clause.words)
    if found is None or clause.conditional or clause.depends or _is_asked(clause):
        return None
    own = words(LANGUAGES[clause.language].negation).search(found[0]) is not None
    if (not own and is_negated(clause, found.end())) or _ALMOST.search(clause.words):
        return None
    told = any(
        words(_known()[one.language].back).search(one.words) or words(roots_of(one).kept).search(one.words)
        for one in near
    )
    if not told:
        return None
    return "state", f"goods that came back as noted: {came[0].note}", f"the text says {found[0]!r}"


_COMPLETE = re.compile(
    r"\b(?:complete|in full|nothing (?:is |was )?missing|all there|everything (?:is|was|came) (?:there|back)"
    r"|all (?:the )?(?:pieces|parts|items)|vollstandig|vollständig|komplett|nichts (?:hat )?(?:ge)?fehl\w*"
    r"|alle (?:teile|stucke|stücke)|alles (?:da|zuruck|zurück)|complete?s?|au complet|rien ne manqu\w+"
    r"|toutes les pieces"
    r"|complet[oa]s?|no falt\w+ nada|todas las piezas|compleet|volledig|niets ontbr\w+|alle (?:onderdelen|stuks))\b"
)
_ALMOST = re.compile(
    r"\b(?:rest|remainder|other|others|else|andere\w*|ubrige\w*|übrige\w*|reste|autres?|resto|demas|overige|almost"
    r"|nearly|not quite|apart from|except|but for|fast|beinahe|bis auf|ausser|außer|presque|sauf|a part|casi"
    r"|salvo|excepto|menos|bijna|op .{1,20} na|behalve|refund\w*|deposit|kaution|depot|deposito|fianza|borg|amount"
    r"|xamount)\b"
)
_COUNT = re.compile(r"\b(\d+) pieces? missing")
_NUMBER = {
    "en": re.compile(r"\b(\w+)\s(?:pieces?|parts?|items?)\b"),
    "de": re.compile(r"\b(\w+)\s(?:teile?|stücke?|stucke?)\b"),
    "fr": re.compile(r"\b(\w+)\s(?:pieces?|elements?|articles?)\b"),
    "es": re.compile(r"\b(\w+)\s(?:piezas?|partes?|articulos?|elementos?)\b"),
    "nl": re.compile(r"\b(\w+)\s(?:onderdelen|onderdeel|stuks?|delen)\b"),
}


def _covers(pieces: Mapping[str, str], kind: str, noun: re.Match[str], text: str) -> bool:
    """Check whether a noun is a part of the longer noun of another piece: the strap of a paddle."""
    return any(
        other != kind
        and (found := words(nouns).search(text))
        and found.start() <= noun.start() < noun.end() <= found.end()
        and found[0] != noun[0]
        for other, nouns in pieces.items()
    )


def _is_asked(clause: Clause) -> bool:
    language = LANGUAGES[clause.language]
    return clause.conditional or any(words(one).search(clause.words) for one in (language.wish, language.reported))


def _damage(case: Case, clause: Clause, near: Sequence[Clause], came: Sequence[Thing]) -> Wrong | None:
    """Return the contradiction if goods are said to have come back damaged, and no one wrote that down."""
    known = _known()[clause.language]
    found = words(known.damaged).search(clause.words)
    if found is None or clause.conditional or is_negated(clause, found.end()) or _RETURN.search(clause.words):
        return None
    told = any(words(known.back).search(one.words) or words(roots_of(one).kept).search(one.words) for one in near)
    if not told or words(known.aside).search(clause.words):
        return None
    worn = _BROKEN if _BROKEN_WORDS.search(found[0]) else _WORN
    if any(worn.search(one.note) for one in came) or any(words(known.aside).search(one.words) for one in near):
        return None
    faulty = {"damaged_in_transit", "defective", "wrong_item"}
    if any(one.kind == "label" and one.to.get("reason") in faulty for one in case.deeds) or not any(
        one.note for one in came
    ):
        return None
    return "state", f"goods that came back as noted: {came[0].note}", f"the text says {found[0]!r}"


_RETURN = re.compile(
    r"\b(?:return|rma|retoure|rucksendung|rücksendung|retour|devolucion|xrecord (?:is|ist|est|esta))\b"
)
"""A return may be open without being damaged."""
_BROKEN_WORDS = re.compile(
    r"broken|torn|ripped|cracked|snapped|tear|hole|burnt|zerrissen|gerissen|kaputt|gebrochen|loch|locher|löcher|riss"
    r"|dechire|casse|troue|trou|fissur|accroc|rot[oa]|rasgad|desgarr|agujer|quemad|gescheurd|kapot|gebroken|gat|scheur"
)
_BROKEN = re.compile(r"tear|torn|broken|damag|crack|hole|burn|rip|snap|fault|poor|bad")
"""What is noted of goods that are more than worn."""
_WORN = re.compile(r"tear|frayed|scuff|stiff|damag|broken|torn|scratch|used|worn|muddy|dent|crack|fault|poor|bad")
