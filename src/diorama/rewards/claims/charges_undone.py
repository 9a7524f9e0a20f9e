"""A payment that was cancelled or reversed: giving back what was taken is a refund, and no cancelled order.

`Die zweite Abbuchung habe ich storniert` is read as `Die zweite Abbuchung habe ich erstattet`. A refund that was
cancelled, a payment of the bank, and one that is still to come stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re


class _Words(msgspec.Struct, frozen=True):
    """The words of one language."""

    charge: str
    """What is taken from a customer."""
    payment: str
    """What may also be paid to a customer: it counts with a word of `one`, or with what it was for."""
    one: str
    """Which of several payments."""
    paid_for: str
    """What follows a payment that the customer made."""
    verbs: Mapping[str, str]
    """Verbs of cancelling and reversing, and verbs of refunding in the same form."""
    not_meant: str
    """Words of refunds, banks, coming payments, and of other things that are cancelled with the payment."""


_FOR = r"(?: (?:{}) (?:\S+ ){{0,3}}?(?:xrecord|xdate|xday))"
_LANGUAGES = {
    "en": _Words(
        charge=r"(?:charges?|debits?|direct debits?|transactions?|deductions?|collections?)",
        payment=r"(?:payments?|bookings?|one)",
        one=r"(?:second|double|duplicate[d]?|extra|other|surplus|superfluous|additional|wrong|mistaken|erroneous|first"
        r"|redundant|one of (?:the|your|these|both)(?: two)?|one of)",
        paid_for=_FOR.format("for|of|from|on|made"),
        verbs={
            r"cancell?ed|reversed|voided|undone|undid|revoked|annulled|called off|taken back|rolled back": "refunded",
            r"cancell?ing|reversing|voiding|undoing|taking back|rolling back": "refunding",
            r"cancel|reverse|void|undo|take back|roll back": "refund",
            r"cancellation|reversal": "refund",
        },
        not_meant=r"refunds?|repayment|payout|payment to you"
        r"|credit (?:was|has|is)|bank (?:has|had|have|cancel|revers)\w*"
        r"|by (?:the|your) bank|next|future|upcoming|further|coming|planned|scheduled|chargeback|dispute"
        r"|authori[sz]ation|hold",
    ),
    "de": _Words(
        charge=r"\w*(?:abbuchung|belastung|lastschrift|einzug)(?:en)?",
        payment=r"\w*(?:zahlung|buchung)(?:en)?",
        one=r"(?:zweiten?|doppelten?|doppel|andere[nr]?|überzähligen?|überflüssigen?|zusätzlichen?|falschen?"
        r"|irrtümlichen?|erste[nr]?|eine[r]? (?:der|von den|ihrer) (?:beiden|zwei)|eine davon|eine von)",
        paid_for=_FOR.format("für|vom|von|zu|zur|am"),
        verbs={
            r"storniert|annulliert|rückgängig gemacht|zurückgenommen|aufgehoben|zurückgebucht|storniert worden": (
                "erstattet"
            ),
            r"rückgängig": "erstattet",
            r"stornieren": "erstatten",
            r"storniere": "erstatte",
            r"stornierung": "erstattung",
        },
        not_meant=r"\w*erstattung\w*|rückzahlung\w*|auszahlung\w*|gutschrift\w*|an sie|nächste\w*|künftige\w*"
        r"|weitere\w*"
        r"|kommende\w*|geplante\w*|(?:ihre|die) bank|von der bank|von ihrer bank",
    ),
    "fr": _Words(
        charge=r"(?:prelevements?|debits?|ponctions?)",
        payment=r"(?:paiements?|transactions?|operations?)",
        one=r"(?:second|seconde|deuxieme|double|autre|en double|en trop|errone|supplementaire|premier|doublon"
        r"|l'une? des deux|un des deux|l'un de vos)",
        paid_for=_FOR.format("de|du|pour|d'|sur|effectue pour"),
        verbs={
            r"annulee?s?|extournee?s?|contre-passee?s?": "rembourse",
            r"annulons|extournons": "remboursons",
            r"annuler|extourner": "rembourser",
            r"annulation": "remboursement",
        },
        not_meant=r"rembours\w*|virement|versement|avoir (?:a|est)|prochaine?s?|futurs?|a venir|(?:votre|la) banque"
        r"|par (?:la|votre) banque",
    ),
    "es": _Words(
        charge=r"(?:cobros?|cargos?|adeudos?)",
        payment=r"(?:pagos?|transaccion|operacion)",
        one=r"(?:segundo|segunda|doble|duplicad[oa]|otr[oa]|de mas|erroneo|adicional|primer|uno de (?:los|sus|esos)"
        r"(?: dos)?)",
        paid_for=_FOR.format("de|del|por|para"),
        verbs={
            r"anulad[oa]s?|cancelad[oa]s?|revertid[oa]s?|deshech[oa]s?|dejado sin efecto|retrocedid[oa]": "reembolsado",
            r"anulamos|cancelamos|revertimos": "reembolsamos",
            r"anule|cancele|reverti": "reembolse",
            r"anular|cancelar|revertir": "reembolsar",
            r"anulacion|cancelacion": "reembolso",
        },
        not_meant=r"reembols\w*|devolucion|abono (?:ha|fue)|proxim[oa]s?|futur[oa]s?|(?:su|el) banco|por el banco",
    ),
    "nl": _Words(
        charge=r"\w*(?:afschrijving|incasso|debitering)(?:en)?",
        payment=r"\w*(?:betaling|boeking|transactie)(?:en)?",
        one=r"(?:tweede|dubbele|andere|extra|foute|onterechte|overtollige|eerste|een van (?:de|je|uw) (?:beide|twee)"
        r"|een van beide|een daarvan)",
        paid_for=_FOR.format("voor|van|op"),
        verbs={
            r"geannuleerd|teruggedraaid|ongedaan gemaakt|gestorneerd|ingetrokken|tenietgedaan": "terugbetaald",
            r"annuleren|terugdraaien|storneren": "terugbetalen",
            r"annuleer|storneer": "betaal terug",
            r"annulering|stornering": "terugbetaling",
        },
        not_meant=r"terugbeta\w*|terugstorting|creditering|volgende|toekomstige|komende|(?:je|uw|de) bank|door de bank",
    ),
}
_ORDER = re.compile(
    r"\b(?:orders?|plans?|subscriptions?|bookings?|reservations?|bestellung(?:en)?|\w*abos?|abonnements?|reservierung"
    r"|mietbuchung|commandes?|reservations?|pedidos?|suscripcion(?:es)?|reservas?|bestelling(?:en)?|reservering)\b"
)
_OF = re.compile(
    r"\b(?:for|of|from|on|your|für|der|ihrer|deiner|zur|zu|von|vom|de|du|pour|sur|del|por|para|van|voor|bij|je|uw|l'"
    r"|la|votre|su|the)\s?$"
)
"""What stands before an order that a payment was for."""


@lru_cache(maxsize=8)
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of a payment that was made, of the verbs, and of the words with which nothing is meant."""
    one = _LANGUAGES[language]
    one_of = rf"(?:{one.one}) (?:\S+ ){{0,2}}?"
    made = rf"(?:{one_of})?{one.charge}|{one_of}{one.payment}|{one.payment} {one.one}|{one.payment}{one.paid_for}"
    verbs = "|".join(one.verbs)
    return re.compile(rf"\b(?:{made})(?!\w)"), re.compile(rf"\b(?:{verbs})\b"), re.compile(rf"\b(?:{one.not_meant})\b")


def as_refund(words: str, language: str) -> str:
    """Return the words of a clause with a payment that was cancelled or reversed as one that was refunded."""
    made, verbs, not_meant = _patterns(language)
    verb = verbs.search(words)
    if verb is None or (paid := made.search(words)) is None or not_meant.search(words):
        return words
    between = words[min(verb.end(), paid.end()) : max(verb.start(), paid.start())]
    if len(between.split()) > MOST_WORDS or _with_another_thing(words, verb, paid):
        return words
    return words[: verb.start()] + _same_form(verb[0], language) + words[verb.end() :]


MOST_WORDS = 8
"""How many words stand between a payment and its verb at most."""


def _with_another_thing(words: str, verb: re.Match[str], paid: re.Match[str]) -> bool:
    """Check whether an order or a plan is cancelled as well: `the order and its charge are cancelled`."""
    for found in _ORDER.finditer(words):
        if paid.start() <= found.start() < paid.end():
            continue
        lead = words[max(0, found.start() - 12) : found.start()]
        after = found.start() > paid.end()
        if not after or not _OF.search(lead) or found.start() > max(verb.start(), paid.end() + 40):
            return True
    return False


def _same_form(verb: str, language: str) -> str:
    return next(form for pattern, form in _LANGUAGES[language].verbs.items() if re.fullmatch(pattern, verb))
