"""Stances: what a text says about the whole matter or about itself, and what it demands of its reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import claims_of
from diorama.rewards.claims.heads import is_of_goods
from diorama.rewards.claims.ledger import PLAN_WORDS, deeds_of
from diorama.rewards.claims.lexicon import Words, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.staying import keeps_as_wished
from diorama.rewards.claims.wording import done

Found = tuple[Clause, tuple[str, str, str]]
"""A clause, and its contradiction: the kind, expected, found."""
CHANGES_NOTHING = frozenset({"refused", "explained", "answered", "nothing"})
"""Resolutions of the closing form that say that nothing was done."""


class Stances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    undone: str
    undone_without: str
    message: str
    message_without: str
    earlier: str
    refuses: str
    refuses_without: str
    accepts: str
    done: str
    accepts_without: str
    demands: str
    demands_without: str
    asks: str
    secrets: str
    secrets_without: str
    instant: str
    money: str
    keeps: str
    keeps_without: str
    hints: str
    hints_without: str
    matters: str
    third: str
    second: str
    acts: str
    gives: str


@lru_cache(maxsize=1)
def _known() -> dict[str, Stances]:
    return by_language("stances", Stances)


@lru_cache(maxsize=8)
def _cues(language: str) -> Words:
    """Return the words without which no stance is taken; all but those of `message`."""
    known = _known()[language]
    lists = (known.demands, known.secrets, known.matters, known.hints, known.undone, known.refuses, known.accepts)
    return words("|".join((*lists, known.done, known.instant, known.keeps, known.acts, known.gives)))


def stances(case: Case, clauses: Sequence[Clause], text: str, cased: str) -> Iterator[Found]:
    """Yield the clauses of one text that contradict what was done, or demand what no one may demand.

    `text` and `cased` are the folded text and the same with its capital letters.
    """
    made = [one for one in case.deeds if one.stands and one.seq]
    for clause in clauses:
        contact = any(one.kind in {"email", "phone"} for one in clause.values)
        if not contact and not _cues(clause.language).may_stand_in(clause.words):
            continue
        known = _known()[clause.language]
        yield from ((clause, one) for one in _demands(clause, known))
        if clause.question:
            continue
        if one := _leaks(case, clause, known, text, cased):
            yield clause, one
        if not (clause.conditional or clause.depends) and (one := _unseen(case, clause, known)):
            yield clause, one
        if not (clause.conditional or clause.depends) and (one := _decision(case, clause, known, made)):
            if one[0] == "retraction" and (
                _is_about_another(clauses, clause, made) or _withdraws_an_order(clauses, clause, made)
            ):
                continue
            if one[0] == "decision" and not made and keeps_as_wished(clauses, clause):
                continue
            yield clause, one


def taken_back(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, bool]]:
    """Yield the clauses that say that a text is not to be believed, and whether they mean an earlier text."""
    for clause in clauses:
        known = _known()[clause.language]
        if not clause.question and _has(clause, known.message, known.message_without):
            yield clause, means_earlier(clause)


def means_earlier(clause: Clause) -> bool:
    """Check whether a clause speaks of an earlier text."""
    return words(_known()[clause.language].earlier).search(clause.words) is not None


def _has(clause: Clause, said: str, without: str) -> bool:
    return words(said).search(clause.words) is not None and words(without).search(clause.words) is None


def _denied(clause: Clause, said: str, *, before: bool = False) -> bool:
    """Check whether words are denied; `before`: only by what stands before them, as they have a negation themselves."""
    found = words(said).search(clause.words)
    if found is None:
        return False
    return is_negated(clause, found.end(), [found.span()] if before else ())


def _demands(clause: Clause, known: Stances) -> Iterator[tuple[str, str, str]]:
    """Yield a demand of money, a waiver or a threat, and the request for a secret."""
    stated = _SINCE_YOU.match(clause.words) is None and _has(clause, known.demands, known.demands_without)
    if stated and not _denied(clause, known.demands, before=True):
        yield "demand", "no demand or threat that no record supports", "the text demands or threatens"
    secret = words(known.secrets).search(clause.words)
    if secret and words(known.asks).search(clause.words) and not words(known.secrets_without).search(clause.words):
        yield "demand", "no request for secrets of the customer", f"the text asks for {secret[0]!r}"


def _unseen(case: Case, clause: Clause, known: Stances) -> tuple[str, str, str] | None:
    """Return the contradiction of a clause that claims a deed, or promises a gift, that no row can show."""
    act = words(known.acts).search(clause.words)
    if act and not _denied(clause, known.acts) and "address_change" not in {one.kind for one in case.new_deeds}:
        return "claimed", "only what the records show", f"the text says {act[0]!r}"
    gift = words(known.gives).search(clause.words)
    if gift and not _denied(clause, known.gives) and not any(one.kind == "credit" for one in case.new_deeds):
        return "extra", "no gift that no record shows", f"the text says {gift[0]!r}"
    return None


_SINCE_YOU = re.compile(
    r"\W*(?:(?:and|but|so|und|aber|et|mais|y|pero|en|maar) )?(?:since|as|because|now that|given that|da|weil|nachdem"
    r"|comme|puisque|vu que|etant donne que|como|ya que|puesto que|dado que|omdat|aangezien|nu|doordat)\s"
)
"""How a clause begins that gives a reason: what the customer does by themselves is not demanded."""


def _decision(case: Case, clause: Clause, known: Stances, made: Sequence[Deed]) -> tuple[str, str, str] | None:
    """Return how a clause about the whole matter contradicts what was done."""
    if made and _has(clause, known.undone, known.undone_without) and not _is_of_another_matter(case, clause, known):
        return "retraction", done(made), "the text says that it was not done or was taken back"
    if made and case.resolution not in CHANGES_NOTHING and _has(clause, known.refuses, known.refuses_without):
        return "decision", done(made), "the text says that the request is refused"
    if not made and not case.expected and case.resolution in {*CHANGES_NOTHING, "handed_over", ""}:
        earlier = any(one.stands and one.kind not in {"order", "shipment"} for one in case.deeds)
        granted = known.accepts if earlier else f"{known.accepts}\n{known.done}"
        past = _is_past(case, clause) or _ONCE.search(clause.words)
        if _has(clause, granted, known.accepts_without) and not past and not _denied(clause, granted):
            return "decision", "nothing was done, and the form says so", "the text says that the request is granted"
    return _of_the_deed(clause, known, made)


def _withdraws_an_order(clauses: Sequence[Clause], clause: Clause, made: Sequence[Deed]) -> bool:
    """Check whether a clause says with other words that an order was cancelled, and one was."""
    cancelled = {name.upper() for one in made if one.kind == "cancellation" for name in (one.subject, *one.names)}
    if not cancelled or _WITHDRAWN.search(clause.words) is None:
        return False
    here = [one for one in clauses if one.sentence == clause.sentence and one.start <= clause.start]
    named = {value.value for one in here for value in one.values if value.kind == "record"}
    return bool(named & cancelled) if named else any(_ORDER.search(one.words) for one in here)


_WITHDRAWN = re.compile(
    r"\b(?:withdrawn|pulled|revoked|zurückgezogen|zurückgenommen|retiree?s?|retirad[oa]s?|ingetrokken|herroepen)\b"
)
_ORDER = re.compile(r"\b(?:order|bestellung|commande|pedido|bestelling)\b")


def _is_of_another_matter(case: Case, clause: Clause, known: Stances) -> bool:
    """Check whether what was not done is about something that no deed is about: `not done anything about the login`."""
    paid = any(one.kind in {"refund", "credit"} for one in case.new_deeds)
    if lifts_a_pause(case, clause.words) or (paid and _CHARGE.search(clause.words)):
        return True
    found = words(known.undone).search(clause.words)
    if found is not None and _ABOUT.match(clause.words, found.end()) is not None:
        return True
    kinds = {one.kind for one in claims_of(clause) if not one.says}
    named = {name for kind in kinds for name in deeds_of(kind)}
    return bool(named) and not any(one.stands and one.seq and one.kind in named for one in case.deeds)


def lifts_a_pause(case: Case, said: str) -> bool:
    """Check whether a pause is said to be lifted, and a plan was resumed."""
    return _PAUSE.search(said) is not None and any(one.kind == "resumption" for one in case.new_deeds)


_CHARGE = re.compile(
    r"\b(?:charges?|debits?|\w*abbuchung(?:en)?|\w*belastung(?:en)?|doppelbuchung|prelevements?|debits?|cargos?|cobros?"
    r"|\w*afschrijving(?:en)?|incasso)\b"
)
"""What a refund undoes: `the double charge has been reversed`."""
_PAUSE = re.compile(r"\b(?:pause|pausierung|unterbrechung|pausa|pauze|suspension|hold)\b")
_ABOUT = re.compile(
    r"\s(?:about|with|to|on|regarding|an|am|mit|beim?|wegen|zum|zur|avec|concernant|pour|au sujet d[eu]|sur|con|sobre"
    r"|respecto a|en|met|aan|voor|over|rond)\s(?:(?:the|your|my|that|this|der|die|das|dem|den|ihr\w*|dein\w*|le|la|les"
    r"|l'|votre|vos|el|los|las|su|sus|tu|de|het|je|uw|jouw)\s?){0,2}"
    r"(?:pass\w*|log-?in\w*|kennw\w*|zugang\w*|anmeldung|mot de passe|connexion|identifiants?|contrasena|clave|acceso"
    r"|wachtwoord|inlog\w*|invoice\w*|rechnung\w*|facture\w*|factura\w*|factu\w+|news\w*|e-?mail\w*|mail\w*"
    r"|phone|telefon\w*|telephone|telefono|account|konto|compte|cuenta|profil\w*|perfil|profiel)\b"
)
"""What no deed is about: passwords, invoices, the account."""


def _is_past(case: Case, clause: Clause) -> bool:
    """Check whether a clause names a day before today."""
    days = [day for one in clause.values if one.kind in {"date", "day"} for day in one.readings]
    return any((case.today[:4] + day[1:] if day.startswith("--") else day) < case.today[:10] for day in days)


_ONCE = re.compile(
    r"\b(?:last time|already (?:once|made)|schon (?:einmal|mal|gemacht)|bereits (?:einmal|gemacht)|letztes mal"
    r"|deja (?:une fois|fait)|la derniere fois|ya (?:una vez|hicimos|se hizo)|la ultima vez|al (?:een keer"
    r"|eens|gemaakt)"
    r"|vorige keer|de vorige)\b"
)
"""Words for what was granted at another time."""


def _is_about_another(clauses: Sequence[Clause], clause: Clause, made: Sequence[Deed]) -> bool:
    """Check whether the sentence of a clause names only records to which nothing was done: `I left LK-1 as it was`."""
    names = {word.upper() for one in made for word in (one.subject, *one.names)}
    said = {
        value.value
        for one in clauses
        if one.sentence == clause.sentence
        for value in one.values
        if value.kind == "record"
    }
    return bool(said) and not said & names


def _of_the_deed(clause: Clause, known: Stances, made: Sequence[Deed]) -> tuple[str, str, str] | None:
    """Return the contradiction of a clause that says that money has arrived, or that a return is not needed."""
    paid = [one for one in made if one.kind in {"refund", "credit"}]
    to_card = bool(paid) and all(one.kind == "refund" and one.destination == "original_payment" for one in paid)
    found = words(known.instant).search(clause.words) if to_card else None
    if found and words(known.money).search(clause.words) and not is_of_goods(clause, found, known.money):
        return "claimed", "money that is on its way", "the text says that the money has arrived"
    if any(one.kind == "label" for one in made) and _has(clause, known.keeps, known.keeps_without):
        return "denied", "a return was opened", "the text says that nothing has to be sent back"
    return None


# What may not be told about other people.

_PERSON = re.compile(
    r"\b[A-ZÀ-Þ][a-zà-þ'-]{1,20}\s(?:(?:van|von|de|del|der|la|le|O)[\s'])?[A-ZÀ-Þ][A-Za-zà-þ'-]{1,24}\b"
)


def _leaks(case: Case, clause: Clause, known: Stances, text: str, cased: str) -> tuple[str, str, str] | None:
    """Return the leak of a clause: a private matter of a third person, or a hint for someone who proved nothing."""
    expected = "nothing about other people"
    found = words(known.matters).search(clause.words)
    start, end = clause.sentence
    if found and "gekündigt" in found[0] and PLAN_WORDS.search(text, start, end):
        found = None  # a plan was cancelled, not a person dismissed
    if found and found[0] not in case.thread and not words(known.second).search(clause.words):
        third = words(known.third).search(text, start, end)
        if third or _named(cased[start:end], case):
            return "leak", expected, f"{found[0]!r}: a private matter of another person"
    mailed = next((one for one in clause.values if one.kind in {"email", "phone"}), None)
    if mailed and _THEIRS.search(clause.words) and mailed.value.rpartition("@")[2] not in case.domains:
        return "leak", expected, f"{mailed.value!r}: where another person can be reached"
    unproven = case.private.emails or case.private_words
    if unproven and (hint := words(known.hints).search(clause.words)) and not clause.conditional:
        without = words(known.hints_without).search(clause.words) or is_negated(clause, hint.start())
        if not without and hint[0] not in case.thread:
            return (
                "leak",
                "no help for someone who has not proved who they are",
                f"{hint[0]!r}: a hint about another person",
            )
    return None


_THEIRS = re.compile(
    r"(?:\b(?:his|her|their|seine?|deren|dessen|son|sa|leur|haar|hun)|\w's)\s(?:\w+\s)?"
    r"(?:e-?mail\w*|mail\w*|address|phone|telephone|mobile|number|adresse|telefon\w*|courriel|numero|adres|telefoon\w*"
    r"|nummer)\b"
)
"""Contact data of someone who is spoken of, and not to."""


def _named(sentence: str, case: Case) -> bool:
    """Check whether a sentence names a person who is not in the thread; goods and plans do not count."""
    found = (one[0].lower() for one in _PERSON.finditer(sentence))
    things = {one.name for one in case.things if one.name}
    return any(one not in case.thread and one not in case.goods and one not in things for one in found)
