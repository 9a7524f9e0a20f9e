"""Deeds beside those of the ledger: an invoice, a discount, an appointment, a grind that no one set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import claims_of
from diorama.rewards.claims.ledger import MONEY, PLAN_WORDS, deeds_of
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import PAST, Wrong, is_own_act, roots_of

ALLOWED: Mapping[str, frozenset[str]] = {
    "card": frozenset({"contact_change"}),
    "default_address": frozenset({"contact_change"}),
    "password": frozenset({"contact_change"}),
    "newsletter": frozenset({"contact_change"}),
    "discount": frozenset({"credit"}),
    "trace": frozenset({"trace"}),
    "ordering": frozenset({"order", "part", "replacement_machine", "reshipment", "subscription"}),
}
"""For each matter, the deeds that make it true; the others have no rows at all."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    looks: str
    keeps: str
    tells: str
    also: str
    other: str
    matters: dict[str, str]
    ordering: dict[str, str]
    grinds: dict[str, str]


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("extras", Words)


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> lexicon.Words:
    """Return the words without which no check finds anything."""
    known = _known()[language]
    return words("|".join([*known.matters.values(), *known.ordering.values(), *known.grinds.values()]))


def extras(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that tell a deed without a row."""
    if not case.things:
        return
    for before, clause in zip((None, *clauses), clauses, strict=False):
        carried = _CARRIER.search(clause.words)
        more = words(_known()[clause.language].also).may_stand_in(clause.words)
        if clause.question or not (
            clause.values
            or carried
            or more
            or _may_name_an_account(clause)
            or _cues(clause.language).may_stand_in(clause.words)
        ):
            continue
        wrong = _matter(case, clause, before) or _ordered(case, clause, before) or _grind(case, clause, text)
        wrong = wrong or _other_plan(case, clause) or _one_more(case, clause, before, clauses)
        wrong = wrong or _touched(case, clause, before, text) or _asked_a_carrier(case, clause, before)
        wrong = wrong or _in_the_account(case, clause, before)
        if wrong:
            yield clause, wrong


def _is_done(clause: Clause, before: Clause | None, end: int) -> bool:
    """Check whether a clause states what the company did, without a verb that only looks, or that is denied.

    The subject may stand in the clause before: `I have told them and lodged a claim`.
    """
    instead = _INSTEAD.search(clause.words, end)
    plain = msgspec.structs.replace(clause, words=clause.words[: instead.start()]) if instead else clause
    if _LACKS.search(plain.words):  # `a receipt without the price`
        plain = msgspec.structs.replace(plain, words=_LACKS.sub(lambda one: " " * len(one[0]), plain.words))
    known, language = _known()[clause.language], LANGUAGES[clause.language]
    unclear = (known.other, known.looks, roots_of(clause).thanks)
    if is_negated(plain, end) or any(words(one).search(plain.words) for one in unclear):
        return False
    own = _WE_DID[clause.language].search(plain.words)
    lead = plain.words[: own.start()] if own else plain.words
    if words(language.conditional).search(lead) or words(language.reported).search(lead):
        return False
    if own:
        return True
    goes_on = (
        before is not None and before.sentence == clause.sentence and _WE_DID[clause.language].search(before.words)
    )
    return bool(goes_on) and _GOES_ON[clause.language].match(plain.words) is not None


_LACKS = re.compile(r"\b(?:without|ohne|sans|sin|zonder) (?:(?:the|a|den|die|das|le|la|les|el|los|de|het)\s)?[\w'-]+")


def _matter(case: Case, clause: Clause, before: Clause | None) -> Wrong | None:
    """Return the contradiction if something was made, changed or sent that has no row."""
    known = _known()[clause.language]
    done = {one.kind for one in case.new_deeds}
    for name, nouns in known.matters.items():
        noun = words(nouns).search(clause.words)
        if noun is None or done & ALLOWED.get(name, frozenset()) or (name == "trace" and "trace" in case.stops):
            continue
        if name == "card" and any(one.says and one.kind in MONEY for one in claims_of(clause)):
            continue  # where the money went
        if _is_done(clause, before, noun.end()):
            return "claimed", "only what the records show", f"the text says that something was done: {noun[0]!r}"
    return None


_WE_DID = {
    "en": re.compile(
        r"\b(?:i|we|i've|we've|our team|our workshop|my colleague)\s(?:have\s|has\s|had\s)?(?:(?:also|just"
        r"|already|now|even|then|today|\w+ly)\s){0,2}(?:\w+ed|sent|made|put|set|gave|given|told|got|took"
        r"|wrote|written|drew|let|begun|added)\b"
    ),
    "de": re.compile(r"\b(?:habe(?:n)?\s(?:\w+\s)?(?:ich|wir)|(?:ich|wir)\s(?:\w+\s)?haben?)\b"),
    "fr": re.compile(
        r"\b(?:j'ai|j'en ai|je (?:vous|l'|te) ?(?:en )?ai|nous (?:vous |l'|en )?avons|(?:je viens"
        r"|nous venons) (?:aussi )?de)\b"
    ),
    "es": re.compile(r"\b(?:he|hemos|acabo de|acabamos de)\b"),
    "nl": re.compile(r"\b(?:heb(?:ben)?\s(?:\w+\s)?(?:ik|we|wij)|(?:ik|we|wij)\s(?:\w+\s)?heb(?:ben)?)\b"),
}
"""The company as the subject of what was done."""
_GOES_ON = {
    "en": re.compile(r"\W*(?:and\s)(?:(?:also|then|even|at once)\s)?(?:\w+ed|sent|made|put|set|gave|told)\b"),
    "de": re.compile(r"\W*und\b"),
    "fr": re.compile(r"\W*et\b"),
    "es": re.compile(r"\W*y\b"),
    "nl": re.compile(r"\W*en\b"),
}
"""How a clause begins that goes on with the subject of the one before."""


def _ordered(case: Case, clause: Clause, before: Clause | None) -> Wrong | None:
    """Return the contradiction if something was ordered for the customer, and there is no such order."""
    found = words(_known()[clause.language].ordering["verbs"]).search(clause.words)
    if found is None or {one.kind for one in case.new_deeds} & ALLOWED["ordering"]:
        return None
    if not _is_done(clause, before, found.end()):
        return None
    return "claimed", "the records show no new order", f"the text says {found[0]!r}"


def _touched(case: Case, clause: Clause, before: Clause | None, text: str) -> Wrong | None:
    """Return the contradiction if the company is said to have done something to an order or plan without a row."""
    if any(one.kind in {"amount", "number"} for one in clause.values) or not _WE_DID[clause.language].search(
        clause.words
    ):
        return None
    done = {name.upper() for one in case.new_deeds for name in (one.subject, *one.names)}
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    named = [orders[one.value] for one in clause.values if one.kind == "record" and one.value in orders]
    records = [one for one in clause.values if one.kind == "record"]
    if not records and not case.private_words:
        said = text[clause.start : clause.end]
        named = [
            one
            for one in case.things
            if one.kind == "plan" and one.name and re.search(rf"\b{re.escape(one.name)}\b", said)
        ]
    if len(named) != 1 or len(records) > 1 or done & {named[0].id.upper(), *named[0].numbers}:
        return None
    if any(one.kind == "date" for one in clause.values) and named[0].kind == "order":
        return None
    same = {one.id for one in case.things if one.kind == "plan" and one.name == named[0].name}
    known = _known()[clause.language]
    if {one.upper() for one in same} & done or words(known.keeps).search(clause.words):
        return None
    if not _is_done(clause, before, len(clause.words)):
        return None
    return (
        "claimed",
        f"nothing was done to {named[0].numbers[0] if named[0].numbers else named[0].name}",
        "the text says so",
    )


def _one_more(case: Case, clause: Clause, before: Clause | None, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the company did one more thing, `I have also`, that is not in the ledger.

    All deeds of the episode have to be told elsewhere: else one of them may be meant.
    """
    known = _known()[clause.language]
    found = words(known.also).search(clause.words)
    if found is None or words(f"{known.keeps} | {known.tells}").search(clause.words):
        return None
    if not _is_done(clause, before, len(clause.words)) or any(one.says for one in claims_of(clause)):
        return None
    others = [one for other in clauses if other.start != clause.start for one in claims_of(other) if one.says]
    told = frozenset().union(*(deeds_of(one.kind) for one in others))
    if any(one.kind not in told and not (one.kind == "credit" and "refund" in told) for one in case.new_deeds):
        return None
    return "claimed", "only what the records show", f"the text says that something was done: {clause.words.strip()!r}"


_CARRIER = re.compile(
    r"\b(?:dhl|dpd|ups|postnl|canada post|purolator|carrier|courier|transporteur|spediteur|paketdienst|transportista"
    r"|mensajeria|vervoerder|bezorger|them|ihnen|leur|les)\b"
)
_ASKED = re.compile(
    r"\b(?:called|phoned|rung|contacted)\s(?:dhl|dpd|ups|postnl|canada post|purolator|the carrier|the courier)\b"
    r"|\b(?:dhl|dpd|ups|postnl|canada post|purolator|den paketdienst|den zusteller)\s(?:\w+\s){0,2}(?:angerufen"
    r"|kontaktiert)\b"
    r"|\b(?:appele|contacte|joint) (?:dhl|dpd|ups|postnl|canada post|postes canada|purolator|le transporteur)\b"
    r"|\b(?:llamado|contactado) (?:a|con) (?:dhl|dpd|ups|postnl|canada post|purolator|la mensajeria)\b"
    r"|\bllamado al transportista\b"
    r"|\b(?:dhl|dpd|ups|postnl|canada post|purolator|de vervoerder|de bezorger)\s(?:\w+\s){0,2}gebeld\b"
    r"|\b(?:asked|told|instructed|(?:have|had) arranged with)\s(?:dhl|dpd|ups|postnl|canada post|purolator"
    r"|the carrier|the courier|them)\s(?:to|that)\b"
    r"|\b(?:dhl|dpd|ups|postnl|canada post|purolator|den paketdienst|die post)\s(?:\w+\s){0,3}(?:gebeten"
    r"|beauftragt|angewiesen)\b"
    r"|\bdemande a (?:dhl|dpd|ups|postnl|postes canada|canada post|purolator|le transporteur"
    r"|au transporteur) de\b|\bdemande au transporteur de\b"
    r"|\bpedido a (?:dhl|dpd|ups|postnl|canada post|purolator|la mensajeria) que\b|\bpedido al transportista que\b"
    r"|\b(?:dhl|dpd|ups|postnl|canada post|purolator|de vervoerder|de bezorger)\s(?:\w+\s){0,3}gevraagd\b"
)
"""A wish to a carrier: there is no row for one."""


def _asked_a_carrier(case: Case, clause: Clause, before: Clause | None) -> Wrong | None:
    """Return the contradiction if a carrier is said to have been asked to do something; only a trace has rows."""
    found = _ASKED.search(clause.words)
    if found is None or any(one.kind == "trace" for one in case.deeds) or "trace" in case.stops:
        return None
    if not _is_done(clause, before, found.end()):
        return None
    return "claimed", "only what the records show", f"the text says {found[0]!r}"


def _may_name_an_account(clause: Clause) -> bool:
    return any(one in clause.words for one in ("account", "konto", "profi", "compte", "cuenta", "perfil", "ficha"))


_ACCOUNT = re.compile(
    r"\b(?:(?:in|on|of) (?:your|the) (?:customer |larkspur |kittiwake )?(?:account|profile)|(?:in|auf|an) (?:ihrem"
    r"|deinem"
    r"|dem) (?:kunden)?(?:konto|profil)|(?:dans|sur) (?:votre|ton|le) (?:compte|profil)|en (?:su|tu|la|el)"
    r" (?:cuenta|perfil|ficha)|(?:in|op) (?:je|uw|jouw|het) (?:klant)?(?:account|profiel))\b"
)
_CHANGED = re.compile(
    r"\b(?:changed|replaced|updated|corrected|amended|entered|added|switched|swapped|renamed|set|geandert|geändert"
    r"|ersetzt"
    r"|aktualisiert|korrigiert|eingetragen|hinterlegt|angepasst|umbenannt|hinzugefugt|hinzugefügt|change|modifie"
    r"|remplace"
    r"|corrige|mis a jour|saisi|ajoute|inscrit|cambiado|modificado|sustituido|reemplazado|corregido|actualizado|anadido"
    r"|introducido|gewijzigd|vervangen|aangepast|bijgewerkt|gecorrigeerd|ingevoerd|toegevoegd|veranderd)\b"
)


def _in_the_account(case: Case, clause: Clause, before: Clause | None) -> Wrong | None:
    """Return the contradiction if something in the account is said to have been changed, and nothing was."""
    if (
        any(one.kind in {"amount", "number", "street"} for one in clause.values)
        or _ACCOUNT.search(clause.words) is None
    ):
        return None
    found = _CHANGED.search(clause.words)
    if (
        found is None
        or {one.kind for one in case.new_deeds} & _OF_THE_ACCOUNT
        or not _is_done(clause, before, found.end())
    ):
        return None
    if words(_known()[clause.language].keeps).search(clause.words):
        return None
    return "claimed", "an account that was not changed", f"the text says {found[0]!r}"


_OF_THE_ACCOUNT = frozenset({"contact_change", "address_change", "credit", "plan_change", "refund"})


_PLAN_OF = re.compile(
    r"\bxproduct[- ](?:plan|subscription|abo|abonnement)\b"
    r"|\b(?:plan|subscription|abo|abonnement|formule|suscripcion|koffieplan|koffieabonnement)\s(?:(?:is"
    r"|est|es|ist|for|of|de|con|mit|met|van)\s){0,2}xproduct\b"
)


def _other_plan(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if the plan of a customer is called by a coffee that none of their plans sends."""
    plans = [one for one in case.things if one.kind == "plan"]
    said = [one.value for one in clause.values if one.kind == "product"]
    if not plans or len(said) != 1 or _PLAN_OF.search(clause.words) is None or clause.conditional:
        return None
    sent = {good for one in case.things if one.kind == "order" and one.renews for good in one.goods}
    known = {*(one.name for one in plans), *sent}
    if not sent or any(said[0] in one or one in said[0] for one in known if one) or said[0] in case.thread:
        return None
    if any(one.kind in {"plan_change", "subscription"} for one in case.new_deeds) or PAST.search(clause.words):
        return None
    language = LANGUAGES[clause.language]
    if any(words(one).search(clause.words) for one in (language.negation, language.exempt, language.wish)):
        return None
    return "state", f"plans: {', '.join(sorted(one.name for one in plans))}", f"the text says {said[0]!r}"


def _grind(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if a plan is said to come in another grind than it has."""
    plans = [one for one in case.things if one.kind == "plan" and one.option]
    if not plans or clause.conditional or PAST.search(clause.words) or _is_advice(text[slice(*clause.sentence)]):
        return None
    known, language = _known()[clause.language], LANGUAGES[clause.language]
    held = {one.option for one in plans}
    for name, ways in known.grinds.items():
        found = words(ways).search(clause.words)
        if found is None or name in held or (name == "ground" and held != {"whole_bean"}):
            continue
        changed = name == "whole_bean" and any(one.kind == "plan_change" for one in case.new_deeds)
        if changed and not (words(roots_of(clause).goes_on).search(clause.words) or _is_lone(clause, found)):
            continue
        if is_negated(clause, found.end()) or clause.depends or is_own_act(clause) or found[0] in case.thread:
            continue
        unclear = (language.exempt, language.wish, language.reported)
        if any(words(one).search(clause.words) for one in unclear) or _INSTEAD.search(clause.words, 0, found.start()):
            continue
        return "state", f"a plan with {', '.join(sorted(held))}", f"the text says {found[0]!r}"
    return None


@lru_cache(maxsize=64)  # asked for every clause of a sentence
def _is_advice(sentence: str) -> bool:
    """Check whether a sentence advises how customers grind their coffee: how fine, without a plan or a delivery."""
    advice = _ADVICE.search(sentence)
    return advice is not None and not (_OF_OURS.search(sentence) or PLAN_WORDS.search(sentence))


_ADVICE = re.compile(
    r"\b(?:(?:coarser|finer|coarse|fine|medium)\b(?:\s\S+){0,4}?\s(?:than|as|for)|(?:a (?:little|bit|touch)"
    r"|slightly|somewhat|rather|fairly) (?:coarse|fine)\w*|(?:gröber|grober|feiner)\b"
    r"|(?:etwas|ziemlich|eher|mittel|recht)\s?(?:grob|fein)\w*"
    r"|(?:plus|assez|moins|un peu) (?:grossi\w+|fine?s?)|(?:mas|menos|algo|bastante|un poco mas) (?:grues[oa]|fin[oa])"
    r"|(?:grover|fijner)\b|(?:iets|vrij|redelijk|wat) (?:grof|fijn)\w*"
    r"|(?:grind|setting|mahlgrad|mouture|molienda|maalgraad)\b(?:\s\S+){0,6}?\s(?:between|zwischen|entre|tussen)"
    r"|(?:grind it|set (?:the|your) grinder|mahlen sie|moulez|muela|muele|maal (?:je|het|ze)|maalt u))\b"
)
"""How fine coffee should be: `grind a little coarser than for espresso`."""
_OF_OURS = re.compile(
    r"\b(?:your (?:coffee|bags?|beans|next|deliver\w+)|bags?|deliver\w+|we(?:'ve|'ll)?|i(?:'ve|'ll)?"
    r"|ihre? (?:kaffee|bohnen)"
    r"|tuten?|tüten?|beutel|lieferung\w*|wir|ich|votre cafe|sachets?|livraisons?|nous|j'ai|su cafe|bolsas?|entregas?"
    r"|hemos|he|je koffie|uw koffie|zak\w*|levering\w*|wij|we|ik|comes?|kommt|kommen|vient|arrive|viene|llega|komt)\b"
)
"""Words for what a plan sends, and for what we do."""


def _is_lone(clause: Clause, found: re.Match[str]) -> bool:
    """Check whether a clause says nothing but the grind: `, in whole beans,`."""
    return len((clause.words[: found.start()] + clause.words[found.end() :]).strip(" ,.").split()) <= FEW


FEW = 2
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|statt|anstatt|au lieu d\w*|plutot que|en vez de|en lugar de|in plaats van|no longer"
    r"|from|nicht mehr|plus de)\b"
)
