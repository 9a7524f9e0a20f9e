"""Goods that were sent: a claim that names none is true if any were sent, whatever kind of parcel it was."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.lexicon import words
from diorama.rewards.claims.relations import is_new

GOODS = frozenset({"replacement_machine", "part", "reshipment", "order"})
_KINDS = frozenset({"replacement_machine", "part", "reshipment", "goods"})
_MEANT_FOR = re.compile(
    r"\b(?:for|für|fur|pour|para|voor)\s(?:(?:your|the|ihre|ihren|ihr|die|den|das|deine|deinen|votre|la|le|su|el|tu"
    r"|uw|je|de|het)\s)?"
    r"(?:x(?:machine|product|part)|machine|maschine|maquina|apparaat)\b"
)
"""What something is for is not what was sent: `a new one for your Aria`."""
_NAMED = re.compile(r"\bx(machine|product|part)\b")
_NEW_ONE = re.compile(
    r"\b(?:(?:new|another|fresh) one|uno nuevo|una nueva)\b"
    r"|\b(?:(?:a|your|the) replacement|ein neues|eine neue|einen neuen|ein neuer|ersatz|un nouveau|une nouvelle"
    r"|un autre|une autre|otro|otra|un reemplazo|een nieuwe|een nieuw|een ander|een vervanging)(?=\s?(?:[.,;:!)]|$)"
    r"|\s(?:is|are|was|has|will|being|on|to|in|for|from|free|today|tomorrow|now|unterwegs|ist|wird|wurde|geht|zu|an"
    r"|auf|fur"
    r"|heute|est|a|sera|en|part|pour|aujourd'hui|esta|va|para|hoy|sale|wordt|werd|onderweg|naar|voor|vandaag)\b)"
)
"""A thing that is not named: no noun follows `a replacement`."""
_NOUNS = words(
    "machine | machines | unit | appliance | device | grinder | parcel | package | order | box | part | parts | seal"
    " | gasket | gerät | maschine | mühle | paket | bestellung | sendung | teil | dichtung | appareil | moulin | colis"
    " | commande | pièce | joint | máquina | aparato | molino | paquete | pedido | pieza | junta | apparaat | molen"
    " | pakket | bestelling | onderdeel | again | once more"
    " | noch einmal | nochmal | erneut | à nouveau | de nouveau | otra vez"
    " | de nuevo | opnieuw | nogmaals"
)
"""Words that name what was sent, or say that the same was sent again."""


def sends_other_goods(case: Case, claim: Claim) -> bool:
    """Check whether a claim of goods is true though the ledger calls them by another kind.

    So it is if the goods that the clause names were in what was sent, or if it names none: `a new one is on its way`.
    """
    if claim.kind not in _KINDS:
        return False
    sent = [one for one in case.deeds if one.kind in GOODS and is_new(case, one)]
    if not sent:
        return False
    text = claim.clause.words
    meant = [one.span() for one in _MEANT_FOR.finditer(text)]
    names = [one for one in claim.clause.values if one.kind in {"machine", "product", "part"}]
    named = [
        name.value
        for name, found in zip(names, _NAMED.finditer(text), strict=False)
        if not any(start <= found.start() < end for start, end in meant)
    ]
    contents = {good for one in sent for good in _contents(case, (one.subject, *one.names))}
    if named:
        return all(any(good.startswith(name) for good in contents) for name in named)
    if any(one.kind == "reshipment" for one in sent) and (_PARCEL.search(text) or _names_one(text, contents)):
        return not _MACHINE.search(text) or _names_one(text, contents)
    return claim.kind != "part" and bool(_NEW_ONE.search(text)) and not _NOUNS.search(_MEANT_FOR.sub(" ", text))


_PARCEL = words(
    "parcel | package | shipment | delivery | order | box | contents | paket | päckchen | sendung | bestellung"
    " | lieferung | inhalt | colis | envoi | commande | contenu | livraison | paquete | envío | pedido | contenido"
    " | entrega | pakket | pakketje | zending | bestelling | inhoud | levering"
)
_MACHINE = words(
    "machine | unit | appliance | device | grinder | gerät | maschine | mühle | appareil | moulin | máquina | aparato"
    " | molino | apparaat | molen"
)


def _names_one(text: str, contents: set[str]) -> bool:
    """Check whether a text calls something of a parcel by the end of its name: `a new hand grinder`."""
    return any(len(words := good.split()) > 1 and " ".join(words[-2:]) in text for good in contents)


def _contents(case: Case, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of what the orders with these numbers contain."""
    known = {one.upper() for one in numbers}
    return tuple(
        good
        for one in case.things
        if one.kind == "order" and known & {one.id.upper(), *one.numbers}
        for good in one.goods
    )
