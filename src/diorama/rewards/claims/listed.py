"""What is said of several things at once: each order, piece of goods and plan of a list needs its own row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Grounds, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import claims_of
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.relations import PAST, Wrong, is_own_act
from diorama.rewards.claims.sendings import Mention, fits_sku, is_lately_sent, kinds_of, mentions_of
from diorama.rewards.claims.spans import by_sentence, number_in
from diorama.rewards.claims.things import named_in

Found = tuple[Clause, Wrong]


def listed(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[Found]:
    """Yield the clauses that say of several things what rows show of one, or of a plan where it does not go."""
    if not case.things:
        return
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    plans = [one for one in case.things if one.kind == "plan"]
    labels = [one for one in case.new_deeds if one.kind == "label"]
    nothing_sent = not any(one.kind in GOODS and is_lately_sent(case, one) for one in case.deeds)
    for sentence in by_sentence(clauses):
        labelled = bool(labels) and any(_LABEL.search(one.words) for one in sentence)
        for clause in sentence:
            if clause.question or clause.conditional:
                continue
            wrong = _orders(case, clause, orders, labelled=labelled) if len(clause.values) > 1 else None
            if wrong is None and labelled:
                wrong = _goods(case, clause, text) or _how_many(case, clause, text)
            if wrong is None and plans:
                wrong = _plan_elsewhere(clause, sentence, plans) or _plan_changed(case, clause, plans, text)
            if wrong is None and nothing_sent and not case.expected and case.private == Grounds():
                wrong = _something_new(case, clause, text)
            if wrong and not is_own_act(clause):
                yield clause, wrong


def _is_unclear(clause: Clause) -> bool:
    """Check whether a clause denies, wishes, reports or only allows what it says."""
    language = LANGUAGES[clause.language]
    lists = (language.negation, language.wish, language.reported, language.exempt)
    return clause.depends or any(words(one).search(clause.words) for one in lists)


# --- orders


_AND = re.compile(
    r"\bxrecord\b(?:\s\([^()]{0,40}\))?,?\s(?:and|und|et|y|en|&|sowie|as well as|ainsi que|plus)\s"
    r"(?:(?:also|auch|aussi|tambien|ook|the|your|order|die|der|das|ihre|aus|von|from|of|bestellung|la|le|celle"
    r"|celles|de|du|del"
    r"|votre|commande|el|los|su|tu|pedido|je|uw|uit|bestelling)\s){0,4}xrecord\b"
)
_DONE = {"cancellation": "cancelled", "label": "returned", "reshipment": "sent again"}


def _orders(case: Case, clause: Clause, orders: dict[str, Thing], *, labelled: bool) -> Wrong | None:
    """Return the contradiction if a list of two orders is cancelled, sent again or returned, and one of them is not."""
    if _AND.search(clause.words) is None or _is_unclear(clause) or PAST.search(clause.words):
        return None
    named = [one.value for one in clause.values if one.kind == "record" and one.value in orders]
    if len(named) != 2:
        return None
    kinds = {one.kind for one in claims_of(clause) if one.says} | ({"label"} if labelled else set())
    for kind in sorted(kinds & _DONE.keys()):
        done = {
            name.upper() for one in case.deeds if one.kind == kind and one.stands for name in (one.subject, *one.names)
        }
        fine = [one for one in named if done & {one, orders[one].id.upper()}]
        bad = [one for one in named if one not in fine and orders[one].status != _DONE[kind]]
        if fine and bad:
            return "subject", f"only {fine[0]} was {_DONE[kind]}", f"the text says so of {bad[0]}, too"
    return None


# --- goods of a return


_LABEL = re.compile(
    r"\b(?:return label|returns label|label|labels|retourlabel|retouretiket|rucksendeetikett|rücksendeetikett"
    r"|retourenlabel|retourenetikett|etikett|etiquette|etiqueta)\b"
)
_BETWEEN = re.compile(
    r"\s*(?:and|und|et|y|en|&|sowie|ainsi que|as well as)\s(?:(?:for|fur|für|pour|para|voor|the|your|die|den|das|la"
    r"|le|les|el|los"
    r"|las|de|het|je|uw|ihre?n?|votre|su|tu|a|new|broken|kapotte)\s){0,3}"
)


def _returned_kinds(case: Case) -> list[frozenset[str]]:
    """Return the kinds of goods of the returns that were opened in the episode."""
    skus = [str(one.to.get("sku") or "") for one in case.new_deeds if one.kind == "label"]
    return [kinds_of(fold(one)) for sku in skus if sku for one in case.products if fits_sku(one, sku)]


def _goods(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if a label is for goods in a list, and only some of them are returned."""
    own = _returned_kinds(case)
    named = mentions_of(case, clause, text) if own else []
    if len(named) != 2 or _is_unclear(clause):
        return None
    said = text[clause.start : clause.end]
    if _BETWEEN.fullmatch(said[named[0].end : named[1].start]) is None:
        return None
    fits = [any(one.kinds & kinds for kinds in own) for one in named]
    held = {kind for one in case.things if one.kind == "order" for good in one.goods for kind in kinds_of(good)}
    other = next((one for one, fit in zip(named, fits, strict=True) if not fit), None)
    if other is None or not any(fits) or not other.kinds & held or other.kinds <= {"machine", "coffee"}:
        return None
    return "subject", "a return of one of them", f"the text says {other.said!r}, too"


_MEASURE = (
    r"(?:bags?|packs?|packets?|sets?|pieces?|boxes|beutel|tuten|tüten|packungen|stuck|stück|satze|sätze|paquets?"
    r"|sachets?|lots"
    r"|paquetes|bolsas|juegos|piezas|zakken|zakjes|pakken|stuks|dozen)"
)
_COUNTED = re.compile(
    rf"(?:\b([a-zäöü]+|\d)\s)?\b([a-zäöü]+|\d)\s{_MEASURE}\s(?:(?:of|de|d'|van|mit|con)\s?)?(?:[a-z]+\s)?$"
)


def _how_many(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if a label is for more pieces than the return has."""
    returned = [one for one in case.new_deeds if one.kind == "label" and str(one.to.get("quantity") or "").isdigit()]
    own = _returned_kinds(case)
    if not returned or not own or _is_unclear(clause):
        return None
    most = sum(int(one.to["quantity"]) for one in returned)
    for one in mentions_of(case, clause, text):
        counted = _COUNTED.search(text[clause.start : clause.start + one.start])
        number = max(number_in(counted[1] or ""), number_in(counted[2])) if counted else 0
        if number > most and any(one.kinds & kinds for kinds in own) and not _has_a_number(case, one):
            return "subject", f"a return of {most}", f"the text says {number}"
    return None


def _has_a_number(case: Case, mention: Mention) -> bool:
    """Check whether goods are sold by several: `espresso cups, set of four`."""
    return any(_NUMBER.search(fold(one)) for one in case.products if mention.kinds & kinds_of(fold(one)))


_NUMBER = re.compile(r"\b(?:set of|two|three|four|six|ten)\b")


# --- where a plan goes


_STORED = re.compile(
    r"\b(?:saved|stored|registered|entered|recorded|set|goes|go|sent|delivered|comes|gespeichert|hinterlegt"
    r"|eingetragen|geht|gehen"
    r"|geliefert|kommt|enregistre\w*|note|inscrit|livre\w*|ira|va|part|guard\w+|registrad\w+|anotad\w+|enviara"
    r"|llegara|opgeslagen"
    r"|ingevoerd|genoteerd|gaat|gaan|komt|geleverd|vastgelegd)\b"
)
_PLAN = words(
    "plan | subscription | abo | kaffee-abo | kaffeeabo | abonnement | formule | suscripción | koffieabonnement"
    " | koffieplan | coffee plan"
)


def _plan_elsewhere(clause: Clause, sentence: Sequence[Clause], plans: Sequence[Thing]) -> Wrong | None:
    """Return the contradiction if a plan is said to go to a street that no plan goes to."""
    streets = {one.value for one in clause.values if one.kind == "street"}
    if not streets and _AS_ADDRESS.search(clause.words):  # `I stored 3 Mill Lane, York, as the address of your plan`
        before = [one for one in sentence if one.start < clause.start and not _is_unclear(one)]
        streets = {
            value.value for one in before if _STORED.search(one.words) for value in one.values if value.kind == "street"
        }
        known = {street for one in plans for street in one.streets}
        wrong = (
            bool(streets and known) and not streets & known and _PLAN.search(clause.words) and not _is_unclear(clause)
        )
        return ("place", f"plans that go to {min(known)}", f"the text says {min(streets)}") if wrong else None
    if not streets or any(one.kind == "record" for one in clause.values) or _PLAN.search(clause.words) is None:
        return None
    if _STORED.search(clause.words) is None or _is_unclear(clause) or PAST.search(clause.words):
        return None
    known = {street for one in plans for street in one.streets}
    if not known or streets & known or _UNTIL_NOW.search(clause.words):
        return None
    return "place", f"plans that go to {', '.join(sorted(known))}", f"the text says {min(streets)}"


_UNTIL_NOW = re.compile(
    r"\b(?:instead of|rather than|until now|so far|before|no longer|statt|bisher|bislang|nicht mehr|au lieu"
    r"|jusqu'ici|en vez"
    r"|hasta ahora|antes|in plaats|tot nu toe|eerder|you asked|you wrote|request\w*)\b"
)


_AS_ADDRESS = re.compile(
    r"\b(?:as (?:the |your )?(?:new )?(?:delivery )?address|als (?:neue |deine |ihre )?(?:liefer)?adresse"
    r"|comme (?:nouvelle )?adresse"
    r"|como (?:nueva )?direccion|als (?:nieuw )?(?:bezorg|aflever)?adres)\b"
)
_CHANGED = {
    "en": re.compile(
        r"\b(?:i|we|i've|we've|i have|we have) (?:(?:also|now|just) )?(?:switched|changed|moved|converted|set|put)\b"
    ),
    "de": re.compile(
        r"\b(?:habe ich|haben wir|ich habe|wir haben)\b.*\b(?:umgestellt|gewechselt|geandert|geändert|umgewandelt)\b"
    ),
    "fr": re.compile(r"\b(?:j'ai|nous avons) (?:aussi |egalement )?(?:change|bascule|passe|modifie|remis)\b"),
    "es": re.compile(r"\b(?:he|hemos) (?:tambien )?(?:cambiado|pasado|modificado|puesto)\b"),
    "nl": re.compile(
        r"\b(?:heb ik|hebben we|ik heb|we hebben)\b.*\b(?:omgezet|gewijzigd|veranderd|aangepast|overgezet)\b"
    ),
}
"""What the company changed."""
_TO = re.compile(r"\b(?:to|onto|auf|zu|sur|a|al|au|naar|op|in)\b")


def _plan_changed(case: Case, clause: Clause, plans: Sequence[Thing], text: str) -> Wrong | None:
    """Return the contradiction if a plan is said to have been switched to something, and nothing was done to it."""
    found = _CHANGED[clause.language].search(clause.words)
    if found is None or any(one.kind in {"street", "record", "amount"} for one in clause.values) or _is_unclear(clause):
        return None
    said = text[clause.start : clause.end]
    named = [one for one, _, _ in named_in(plans, said)]
    if not (named or _PLAN.search(clause.words)) or _TO.search(clause.words, found.start()) is None:
        return None
    done = {one.subject for one in case.new_deeds}
    changed = {one.subject for one in case.new_deeds if one.subject.startswith("sub_")}
    wrong = [one for one in named if one.id not in done]
    if _OF_MONEY.search(clause.words) or (named and len(wrong) < len(named)) or (changed and not named):
        return None
    shown = wrong[0].name if wrong else plans[0].name
    return "claimed", f"nothing was done to {shown}", f"the text says {found[0]!r}"


_OF_MONEY = re.compile(
    r"\b(?:money|refund\w*|card|address|adresse|anschrift|adres|direccion|geld|karte|argent|carte|dinero|tarjeta"
    r"|kaart)\b"
)


# --- something new that has no known name


_NEW_ONE = {
    "en": re.compile(r"\b(?:an?|your|the) (?:(?:brand-?)?new|replacement|fresh) ([a-z-]{3,20})\b"),
    "de": re.compile(r"\b(?:ein|eine|einen|die|den|das) (?:neue[ns]?|nagelneue[ns]?) ([a-zäöü-]{3,24})\b"),
    "fr": re.compile(
        r"\b(?:une?|le|la) (?:nouve(?:au|l|lle)) ([a-z-]{3,20})\b|\b(?:une?) ([a-z-]{3,20}) (?:neu(?:f|ve))\b"
    ),
    "es": re.compile(r"\b(?:un|una|el|la) (?:nuev[oa]) ([a-z-]{3,20})\b|\b(?:un|una) ([a-z-]{3,20}) (?:nuev[oa])\b"),
    "nl": re.compile(r"\b(?:een|de|het) (?:nieuwe?) ([a-z-]{3,20})\b"),
}
_SENT = re.compile(
    r"\b(?:sent|shipped|dispatched|posted|mailed|on its way|geschickt|verschickt|versandt|gesendet|unterwegs"
    r"|envoye\w*|expedie\w*"
    r"|parti\w*|enviado|enviada|mandado|mandada|en camino|gestuurd|verstuurd|verzonden|opgestuurd|onderweg)\b"
)
_SENDS = re.compile(
    r"\b(?:goes out|is going out|leaves (?:us )?(?:xday|soon)|ships xday|geht (?:\w+ )?(?:xday |an sie |zu ihnen )?raus"
    r"|schicken wir|schicke ich|part xday|partira|sale xday|saldra|mandamos|enviamos|gaat xday|gaat morgen de deur uit"
    r"|sturen we|stuur ik|vertrekt xday)\b"
)
_NO_GOODS = re.compile(
    r"\b(?:label\w*|link\w*|code\w*|password|passwor\w*|e-?mail\w*|mail\w*|invoice\w*|message\w*|reply|answer"
    r"|form\w*|document\w*"
    r"|photo\w*|picture\w*|confirmation\w*|request\w*|ticket\w*|case|copy|pdf|offer|address\w*|delivery|date|day"
    r"|order\w*|charge"
    r"|refund\w*|credit\w*|card|one|etikett\w*|rechnung\w*|nachricht\w*|antwort\w*|bestatig\w*|bestätig\w*"
    r"|anfrage\w*|adresse"
    r"|lieferung\w*|bestellung\w*|etiquette\w*|facture\w*|lien|reponse|demande|adresse|livraison|commande\w*"
    r"|etiqueta\w*|factura\w*"
    r"|enlace|respuesta|solicitud|direccion|entrega|pedido\w*|factuur\w*|bericht\w*|antwoord\w*|verzoek\w*|adres"
    r"|levering"
    r"|colleagues?|team|owner|customers?|kolleg\w*|collegues?|equipe|equipo|companer\w*|collega\w*|technicia\w*"
    r"|question\w*"
    r"|bestelling\w*|wachtwoord|bags?|beans?|coffee|kaffee|cafe|koffie|beutel|tute|tüte|sachet|bolsa|zak)\b"
)


def _something_new(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if something new was sent, whatever it is, and nothing was sent for weeks."""
    found = _NEW_ONE[clause.language].search(clause.words)
    sent = _SENT.search(clause.words) if found else None
    if found and sent is None and not _is_unclear(clause):
        sent = _SENDS.search(clause.words)
    elif sent is None or not is_stated(clause, [sent.span()]):
        return None
    if found is None or sent is None or is_negated(clause, sent.end()):
        return None
    noun = next(filter(None, found.groups()))
    days = [one for one in clause.values if one.kind == "date"]
    if (
        _NO_GOODS.search(noun)
        or days
        or any(one.kind == "record" for one in clause.values)
        or PAST.search(clause.words)
    ):
        return None
    moving = {kind for one in case.things if one.moves(case.today) for good in one.goods for kind in kinds_of(good)}
    if any(one.kinds & moving for one in mentions_of(case, clause, text)):
        return None
    return "claimed", "nothing that was sent", f"the text says that {noun!r} was sent"
