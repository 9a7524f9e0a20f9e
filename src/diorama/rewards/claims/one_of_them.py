"""One of several payments that goes back: a pronoun stands for a payment of the sentence before it."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.negation import is_negated

_ONE = re.compile(
    r"\b(?:(?:the|that) (?:second|other|extra|duplicate|double|superfluous|surplus|first)(?: (?:one|payment"
    r"|charge|debit))?"
    r"|one of (?:them|these|those|the two|both)"
    r"|(?:die|der|das|den) (?:zweite|andere|doppelte|überzählige|uberzahlige|erste)[nrs]?"
    r"|eine[rsn]? (?:davon|von (?:beiden|ihnen|diesen)|der beiden)"
    r"|l[ea] (?:second|seconde|deuxieme|double)|l'autre|l'une? d'(?:eux|elles|entre (?:eux|elles))|l'une? des deux"
    r"|(?:el|la) (?:segund[oa]|otr[oa]|duplicad[oa])|un[oa] de (?:ell[oa]s|l[oa]s dos)"
    r"|(?:de|het) (?:tweede|andere|dubbele)|een (?:daarvan|van (?:de|die) twee|van beide))\b"
)
"""Words for one of several payments."""
_BACK = {
    "en": re.compile(r"\b(?:back|returned|refunded|reimbursed|repaid|reversed)\b"),
    "de": re.compile(r"\b(?:zurück\w*|zuruck\w*|erstattet|rückerstattet|gutgeschrieben|rückgängig)\b"),
    "fr": re.compile(
        r"\b(?:rembours\w+|rendue?|restitue\w*|revient|revenue?|repart\w*|retourne\w*|recredite\w*|renvoye\w*)\b"
    ),
    "es": re.compile(r"\b(?:devuel\w+|devolv\w+|reembols\w+|vuelve\w*|de vuelta|regres\w+|reintegr\w+)\b"),
    "nl": re.compile(r"\bterug\w*\b"),
}
_TAKEN = re.compile(
    r"\b(?:payments?|charges?|debits?|bookings?|collect\w*|charged|debited|taken|took|billed|twice|zahlungen"
    r"|abbuchung\w*"
    r"|belastung\w*|buchungen|abgebucht|eingezogen|belastet|zweimal|doppelt|paiements?|prelevement\w*|debits?"
    r"|preleve\w*"
    r"|debite\w*|encaisse\w*|deux fois|pagos?|cobros?|cargos?|cobrad\w+|cobramos|cargad\w+|dos veces|betaling\w*"
    r"|afschrijving\w*|afgeschreven|ge.ncasseerd|twee keer|tweemaal|dubbel)\b"
)
"""Words for money that was taken, in the sentence before."""
_GOODS = re.compile(
    r"\b(?:parcels?|packages?|box|orders?|machines?|pakete?|päckchen|bestellung|maschine|colis|commande|paquetes?"
    r"|pedidos?"
    r"|maquina|pakket\w*|pakje|bestelling|to us|zu uns|an uns|chez nous|vers nous|a nosotros|(?:naar|bij) ons"
    r"|xpart|xproduct|xmachine)\b"
)


def repaid(clause: Clause, before: Sequence[Clause]) -> tuple[int, int] | None:
    """Return where a clause says that one of several payments went back, or None.

    `before` are the clauses of its sentence and of the one before it, which must state the amount that was taken.
    """
    one, back = _ONE.search(clause.words), _BACK[clause.language].search(clause.words)
    if one is None or back is None or clause.question or clause.conditional or clause.depends:
        return None
    if _GOODS.search(clause.words) or is_negated(clause, len(clause.words)):
        return None
    language = LANGUAGES[clause.language]
    if any(words(lists).search(clause.words) for lists in (language.exempt, language.wish, language.reported)):
        return None
    near = [other for other in before if other.sentence == clause.sentence or other.sentence[1] == clause.sentence[0]]
    stated = any(value.kind == "amount" for other in near for value in other.values)
    if not stated or not any(_TAKEN.search(other.words) for other in near):
        return None
    return min(one.start(), back.start()), max(one.end(), back.end())
