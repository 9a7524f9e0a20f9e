"""General rules and contrasts: what usually holds is said of no case, if the text says that this one is different."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause

RULED = frozenset({"state", "denied", "claimed", "extra", "intended", "earlier"})
"""Kinds of contradictions that a general rule cannot be."""
_AN = r"(?:an?|any|ein(?:e[nmrs]?)?|une?|un[oa]?|een)"
_LONG_AS = re.compile(
    rf"\b(?:as long as|so long as|while|solange|tant qu(?:e|')|mientras(?: que)?|zolang)\s?(?:{_AN}\s[\w-]+"
    r"|(?:parcels|orders|packages|pakete|bestellungen|des colis|les commandes|los (?:paquetes|pedidos)|pakketten"
    r"|bestellingen))\b"
)
"""How long something is possible for anything of a kind: `as long as a parcel is still with us`."""
_USUALLY = re.compile(
    r"\b(?:usually|normally|generally|typically|often|most of the time|in most cases|as a rule|normalerweise|"
    r"in der regel|meistens?|gewöhnlich|gewohnlich|üblicherweise|ublicherweise|oft|d'habitude|d'ordinaire|normalement"
    r"|en general|generalement|le plus souvent|souvent|habituellement|normalmente|por lo general|generalmente"
    r"|habitualmente|suele\w*|a menudo|meestal|normaal(?: gesproken)?|gewoonlijk|doorgaans|vaak|over het algemeen)\b"
)
_CONTRAST = re.compile(
    r"\b(?:but|however|yet|though|except|aber|jedoch|doch|allerdings|mais|cependant|toutefois|or|pero|sin embargo"
    r"|aunque|maar|echter|evenwel)\b(?P<rest>[^.!?\n]{0,120})"
)
_THIS_ONE = re.compile(
    r"\b(?:yours?|you|this|here|in this case|bei ihnen|bei dir|ihre?[rnms]?|deine?[rnms]?|diese[rsmn]?|hier|hierbei"
    r"|dans votre cas|votre|vous|celui-ci|celle-ci|ici|ce|cette|en su caso|en tu caso|su|tu|este|esta|aqui"
    r"|bij (?:jou|u|jullie)"
    r"|jouw|uw|deze|dit|in jouw geval)\b"
)
_TOO = re.compile(
    r"\b(?:too|also|as well|likewise|auch|ebenfalls|ebenso|aussi|egalement|tambien|igualmente|ook|eveneens)\b"
)


def is_general(clause: Clause, text: str) -> bool:
    """Check whether a clause of a folded text only states a rule: how long something is possible, or what is usual.

    What is usual is a rule only if the text goes on with `but` and what is different in this case.
    """
    if any(one.kind in {"record", "amount", "date"} for one in clause.values):
        return False
    if _LONG_AS.search(text, clause.start, clause.end):
        return True
    start, end = clause.sentence
    usual = _USUALLY.search(text, start, clause.end)
    if usual is None:
        return False
    until = len(text) if (stop := text.find("\n\n", end)) < 0 else stop
    contrast = _CONTRAST.search(text, usual.end(), min(until, end + NEXT))
    if contrast is None or contrast.start() <= clause.start or (contrast.start() > end + BEGINNING):
        return False
    this_one = _THIS_ONE.search(text, min(clause.end, contrast.start()), contrast.end())
    return this_one is not None and not _TOO.search(contrast["rest"])


NEXT = 140
"""How far after its sentence the contrast to a rule may end."""
BEGINNING = 6
"""How far into the next sentence the contrast may begin."""
