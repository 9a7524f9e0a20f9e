"""Whose label a text means: that of a return, or the one on a parcel."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import words
from diorama.rewards.claims.relations import is_new


def is_of_a_parcel(case: Case, clause: Clause) -> bool:
    """Check whether a label is the one on a parcel that was sent: goods were sent, and the clause names no return."""
    sent = any(one.stands and one.kind in GOODS and is_new(case, one) for one in case.deeds)
    sent = sent or (any(one.status == "waiting" for one in case.parcels) and bool(_BEFORE.search(clause.words)))
    own = sent or _SHIPPING.search(clause.words) is not None or not _may_be_of_a_return(case, clause)
    return own and BACK.search(clause.words) is None


def _may_be_of_a_return(case: Case, clause: Clause) -> bool:
    """Check whether a label without a word for a return can be one: it is given to the customer, or asked for."""
    return _GIVEN.search(clause.words) is not None or _SENT_BACK.search(case.thread) is not None


_GIVEN = words(
    "you | your | attach* | enclos* | e-mail* | email* | mail* | inbox | download* | below | here is | here's | use"
    " | sie | ihnen | ihr* | dir | dein* | du | anbei | anhang | angehängt | beigefügt | postfach | gemailt | drucken"
    " | vous | votre | vos | tu | te | ta | ton | ci-joint* | joint* | pièce jointe | boîte | imprim*"
    " | su | sus | usted | tu | te | adjunt* | correo | bandeja | imprim*"
    " | u | uw | je | jou* | bijlage | bijgevoegd | mailbox | gemaild | gebruik*"
)
"""Words for the customer, and for how a label reaches them."""
_SENT_BACK = re.compile(
    r"\b(?:return(?:s|ing)?\b|send (?:\w+ ){0,3}back|rma\b|(?:zurück|zuruck)(?:schick|send|geb)|rücksend|rucksend"
    r"|retoure|renvoyer|retourner|devolver|devolucion|terugstur|retourner|retour\b)"
)
"""Words of a customer who wants to send something back."""


_BEFORE = re.compile(r"\b(?:already|schon|bereits|deja|ya|al|reeds|dhl|dpd|ups|postnl)\b")
_SHIPPING = re.compile(
    r"\b(?:(?:shipping|parcel) label|versand\w*|etiquette d'expedition|etiqueta de envio|verzendlabel"
    r"|verzendetiket)\b"
)


BACK = words(
    "return* | rma | back | retour* | rücksend* | rückversand* | zurück* | renvoy* | renvoi* | devol* | devuelv*"
    " | terug*"
)
"""Words for what comes or is sent back."""
