"""Patterns around the words for the states of parcels: damage, announcements, lists, ordinal numbers, bags."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import words

DAMAGE_WORDS = 3
DAMAGE = re.compile(
    r"\b(?:damage\w*|broken|broke|cracked|smashed|crushed|beschadigt\w*|zerbrochen|kaputt\w*|bruch|schaden"
    r"|transportschaden"
    r"|endommage\w*|casse\w*|abime\w*|avarie\w*|danad[oa]s?|dano|danos|rot[oa]s?|averiad[oa]s?|golpead[oa]s?"
    r"|beschadigd\w*|kapot\w*|gebroken|schade|transportschade)\b"
)
OPEN = (
    "is open",
    "still open",
    "ist offen",
    "noch offen",
    "est ouverte",
    "est ouvert",
    "esta abierta",
    "esta abierto",
    "is open",
    "nog open",
)
BAG = re.compile(
    r"\b(?:bag|bags|box|pack|packet|tin|sachet|tute|tüte|beutel|packung|dose|karton|sac|paquet|boite|bolsa|caja"
    r"|bote|zak"
    r"|zakje|pak|doos)\b"
)
"""What can be opened, and is then not an order that is still open."""
DEPOT = re.compile(
    r"\bdeposito (?:de |del |local |regional )(?:dhl|dpd|ups|gls|seur|correos|postnl|transportista|mensajeria"
    r"|canada post|purolator)?"
)
"""The depot of a carrier, which is not a deposit."""
ANNOUNCED = re.compile(
    r"\b(?:registered|announced|booked|logged|pre-advised|label\w*|angemeldet|angekundigt|angekündigt"
    r"|registriert|gebucht"
    r"|enregistree?|annoncee?|declaree?|registrad[oa]|anunciad[oa]|dad[oa] de alta|aangemeld|geregistreerd"
    r"|voorgemeld)\b"
)
"""A parcel that the carrier knows of and does not have yet."""
IS_WITH = re.compile(
    r"(?:'s|\b(?:is|are|be|been|was|were|now|already|still|safely|currently|back|sits|lies|rests|waits|waiting"
    r"|remains))\s$"
)
"""How a clause says that the carrier has a parcel: `it is with DHL`. In `sent with DHL`, DHL need not have it yet."""
LISTS = re.compile(
    r"\W*(?:(?:and|und|et|y|en|namely|namlich|nämlich|a savoir|namelijk|orders?|bestellung(?:en)?|commandes?|pedidos?"
    r"|bestelling(?:en)?|the|die|la|les|los|de)\s){0,2}xrecord\b"
)
FIRST = re.compile(
    r"\W*(?:(?:and|und|et|y|en)\s)?(?:the first(?: one| order)?|(?:die|das|der) erste\w?|l[ae] premi\w+|(?:el"
    r"|la) primer[oa]?"
    r"|(?:de|het) eerste)\b"
)
SECOND = re.compile(
    r"\W*(?:(?:and|und|et|y|en|as|since|because|da|weil|comme|puisque|como|ya que|omdat|aangezien)\s)?"
    r"(?:the second(?: one| order)?|(?:die|das|der) zweite\w?|l[ae] (?:second"
    r"|deuxieme)e?"
    r"|(?:el|la) segund[oa]|(?:de|het) tweede)\b"
)
BAGS = re.compile(
    r"\s(?:bags?|packs?|packets?|pieces?|tuten|tüten|beutel|packungen|stuck|stück|sachets?|paquets|bolsas?"
    r"|paquetes|zakken"
    r"|zakjes|pakken|stuks)\b"
)
"""How many of something are in one parcel: `the two bags`."""
NEW = re.compile(
    r"\b(?:new|replacement|another|second|neue[nrsm]?|ersatz\w*|zweite[nrs]?|weitere[nrs]?|nouve\w+|rempla\w+"
    r"|seconde?"
    r"|autre|nuev[oa]s?|reemplazo|repuesto|segund[oa]|otr[oa]|nieuwe?|vervangende?|vervanging\w*|tweede|andere?)\b"
)


ALREADY = words(
    "already+on its way | already+on the way | already+under way | already+sent | schon+unterwegs | bereits+unterwegs"
    " | déjà+en route | déjà+en chemin | déjà+parti | ya+en camino | ya+de camino | al+onderweg | reeds+onderweg"
)
"""Goods that were on their way before."""


def waits_for_its_carrier(case: Case, clause: Clause) -> bool:
    """Check whether a carrier is said to collect a parcel that waits for it at the company."""
    waits = any(one.status == "waiting" for one in case.parcels)
    return waits and _COLLECTS.search(clause.words) is not None and _FROM_YOU.search(clause.words) is None


_COLLECTS = re.compile(
    r"\b(?:holt|abgeholt|abholung|collects?|collected|pick\w*|enlev\w*|recog\w*|haalt|ophal\w*|opgehaald)\b"
)
_FROM_YOU = re.compile(
    r"\b(?:you|your|bei ihnen|ihnen|ihrer?|dir|chez vous|vous|votre|su|sus|usted|tu|bij (?:je|u)|je|uw|alte?[ns]?"
    r"|old|return\w*"
    r"|retour\w*|defekt\w*|averiad\w*|kapot\w*)\b"
)


MEANT = {"held": "that a parcel was stopped or recalled", "found": "that a parcel was found"}
"""What words mean whose meaning is not plain by themselves."""
OF_TODAY = re.compile(r"\bheutige\w*\b")
ORDER_CAME = re.compile(r"\b(?:orders?|bestellung|commande|pedido|bestelling)\b")
BROUGHT = re.compile(
    r"\b(?:parcel|package|paket|sendung|colis|paquete|pakket|pakje|zending|delivered|zugestellt|geliefert|livre\w*"
    r"|entreg\w+|bezorgd|afgeleverd|geleverd|at your (?:door|home|place)|bei (?:ihnen|dir)|chez vous|en su casa"
    r"|bij (?:u"
    r"|je|jou))\b"
)
"""An order of today that came in at the company, and words for what reached the customer."""
