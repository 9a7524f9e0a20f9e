"""`A new one for your Brio`: what goes into a machine is the part that was named before, and not a machine."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause

BACK = 300
"""How many characters before a clause may name the part."""
_MACHINE = (
    r"(?:\S+ ){0,2}?(?:xmachine|machine|grinder|maschine|mühle|gerät|moulin|appareil|maquina|molino|molinillo|molen)\b"
)
_FOR_A_MACHINE = re.compile(
    rf"\b(?:(?:new|fresh|spare|replacement|second|other|working) one|another(?: one)?|one) for (?:your|the|this"
    rf"|that) {_MACHINE}"
    rf"|\b(?:neue[nrs]?|zweite[nrs]?|frische[nrs]?) für (?:ihren?|deinen?|eure?|die|den|das|diese) {_MACHINE}"
    rf"|\b(?:neuf|neuve|nouveau|nouvelle|autre) pour (?:votre|ta|ton|la|le|cette) {_MACHINE}"
    rf"|\b(?:nuev[oa]|otr[oa]) para (?:su|tu|la|el|esta) {_MACHINE}"
    rf"|\b(?:nieuwe?|andere|tweede|vers) (?:exemplaar )?voor (?:je|jouw|uw|de|deze) {_MACHINE}"
)
_PART = re.compile(
    r"\b(?:parts?|seals?|gaskets?|valves?|pumps?|switch|element|tray|knob|hose|screen|collar|burrs?|\w*sensors?"
    r"|thermostat|cable|board|tank|component|probe|relay|flow ?meter|o-ring|spring|fuse|wand|portafilter|basket"
    r"|\w*(?:teil|dichtung|ventil|pumpe|schalter|schlauch|fühler|sensor|relais|tank|schale|feder|kabel|platine|knopf"
    r"|mahlwerk|heizung|durchflussmesser)"
    r"|piece|joint|vanne|pompe|interrupteur|capteur|sonde|relais|tuyau|reservoir|bac|ressort|cable|carte|meules?"
    r"|resistance"
    r"|debitmetre|electrovanne"
    r"|pieza|junta|valvula|electrovalvula|bomba|interruptor|sonda|sensor|rele|manguera|deposito|bandeja|muelle|muelas"
    r"|resistencia|placa|caudalimetro|termostato"
    r"|onderdeel|\w*(?:afdichting|ring|klep|ventiel|pomp|schakelaar|slang|voeler|reservoir|lade|veer|kabel|printplaat"
    r"|maalschijven|stromingsmeter|element))\b"
)


def is_a_part(clause: Clause, text: str) -> bool:
    """Check whether a clause names something new for a machine, and a part was named before it in the folded text."""
    if _FOR_A_MACHINE.search(clause.words) is None:
        return False
    return _PART.search(text, max(0, clause.start - BACK), clause.start) is not None
