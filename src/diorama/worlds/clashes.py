"""Statements that exclude each other: what a customer said, and answers that do not fit it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec


class Clash(msgspec.Struct, frozen=True):
    """A pair of statements: once a customer said the first, a colleague cannot say the second."""

    name: str
    said: re.Pattern[str]
    answer: re.Pattern[str]


def _clash(name: str, said: str, answer: str) -> Clash:
    return Clash(name, re.compile(said, re.IGNORECASE), re.compile(answer, re.IGNORECASE))


_NOTHING_CAME = (
    r"\bno card\b|nothing in the letterbox|(?:nothing|no parcel)(?: has)? (?:arrived|come)|\bno parcel\b"
    r"|still nothing\b"
    r"|keine karte|nichts im briefkasten|(?:immer noch|noch immer|weiterhin) nichts|nichts angekommen|kein paket"
    r"|pas d'avis|aucun avis|rien dans la boîte|toujours rien|ningún aviso|sin aviso|sigue sin llegar"
    r"|no ha llegado nada"
    r"|geen kaartje|niets in de brievenbus|nog steeds niets|niets ontvangen"
)
_IT_IS_THERE = (
    r"late, but there|but it (?:is with you|got there)|mails crossed|just after you wrote|good news, i hope"
    r"|mails haben sich (?:wohl )?gekreuzt|kurz nach ihrer mail|ist (?:aber )?(?:jetzt )?bei ihnen"
    r"|messages se sont croisés|correos se (?:han )?cruz|mails hebben elkaar gekruist"
)
CLASHES = (
    _clash(
        "both bookings are final",
        r"both (?:are|went) (?:booked|through|final)|both went off|beide (?:sind|buchungen sind) (?:gebucht|endgültig)"
        r"|les deux sont (?:débités|passés|comptabilisés)|los dos (?:están|cargos están) (?:cobrados|hechos)"
        r"|beide (?:zijn|staan) (?:geboekt|definitief)",
        r"only a reservation|set aside while|never collected|falls away|nur eine (?:reservierung|vormerkung)|vorgemerkt"
        r"|réserve de votre banque|retención|reservering|qu'une (?:réservation|autorisation)"
        r"|pré-?autorisation|solo (?:es )?una reserva|(?:slechts"
        r"|alleen) een reservering",
    ),
    _clash(
        "nobody has the parcel",
        r"nobody has it|asked (?:them all|everyone)|niemand hat es|alle gefragt|personne ne l'a"
        r"|nadie lo tiene|niemand heeft",
        r"left it with a neighbour|with a neighbour, |beim nachbarn|chez un voisin|con un vecino"
        r"|bij de buren|bij een buur",
    ),
    _clash(
        "descaled already",
        r"\bdescaled it\b|says descale even though i just did|habe (?:sie |ihn )?(?:schon |bereits )?entkalkt|détartré"
        r"|descalcificad|(?:al |net )?ontkalkt",
        r"sounds like limescale|run the descaling|nach kalk|entkalkungsprogramm|tartre|détartrage|\bcal:"
        r"|descalcificación"
        r"|klinkt als kalk|ontkalkingsprogramma",
    ),
    _clash(
        "more than a mark",
        r"in pieces|smashed|half of it is broken|rattling inside|crushed|cracked|wet\b|completely dead"
        r"|\bhin\b|zerbrochen"
        r"|in stücken|cassé|en morceaux|roto|hecho pedazos|kapot|in stukken|zerdrückt|écrasé|aplastad",
        r"per cent back|live with the mark|prozent (?:zurück|nachlass)|pour cent|por ciento|procent",
    ),
)
"""All pairs, in any of the languages that desks answer in."""
DELIVERY_DENIED = _clash("nothing came", _NOTHING_CAME, _IT_IS_THERE)
"""What a colleague cannot say once the customer wrote, after the delivery, that nothing came."""


MARKED = re.compile(
    r"scratch|dent|bent|mark\b|kratz|delle|verbeult|rayure|rayé|bosse|caboss|arañ|abolla|rasguñ|kras|deuk",
    re.IGNORECASE,
)
"""What a customer says of goods that work but are marked."""
SHARE = re.compile(r"per cent back|prozent zurück|rends [^.]*pour cent", re.IGNORECASE)
"""An offer of money for keeping goods that are marked."""
SENT = re.compile(
    r"in the post|on (?:its|their) way|goes out today|leaves (?:today|tomorrow)|have sent|we send|label is attached"
    r"|courier brings|pick up|sent it again|unterwegs|in der post|schicken|kurier|part aujourd'hui|envoyons|sale hoy"
    r"|enviamos|onderweg|sturen",
    re.IGNORECASE,
)
"""A promise that something travels, which takes days."""


def supported(said: Iterable[str], answer: str) -> bool:
    """Return whether an offer fits what the customer said."""
    return not SHARE.search(answer) or any(MARKED.search(text) for text in said)


def clashing(said: Iterable[str], answer: str, pairs: Iterable[Clash] = (*CLASHES, DELIVERY_DENIED)) -> Clash | None:
    """Return the first pair that an answer breaks after what the customer said, or None."""
    broken = [one for one in pairs if one in _answered_by(answer)]
    heard = [" ".join(text.split()) for text in said] if broken else []
    return next((one for one in broken if any(one.said.search(text) for text in heard)), None)


@lru_cache(maxsize=8192)
def _answered_by(answer: str) -> tuple[Clash, ...]:
    """Return the pairs whose second statement is in an answer; the phrases of a desk are few."""
    return tuple(one for one in (*CLASHES, DELIVERY_DENIED) if one.answer.search(answer))
