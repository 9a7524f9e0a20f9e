"""The year of a day that a text states without one: past verbs mean the last such day, future verbs the next."""

from __future__ import annotations

from functools import lru_cache

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.lexicon import words

_PAST = words(
    "ran out | expired | ended | lapsed | was | were | had | did | came | arrived | left | went | bought | sold"
    " | finished | has run out | over since | since | ago"
    " | abgelaufen | lief | endete | geendet | ausgelaufen | erloschen | vorbei | seit | war | waren | hatte | hatten"
    " | wurde | wurden | kam | ging | gekauft | verkauft"
    " | a expiré | expirée | a pris fin | s'est terminé | s'est terminée | terminée | était | étaient | avait | a été"
    " | ont été | s'est achevée | finissait | depuis | est arrivé* | est parti*"
    " | terminó | expiró | venció | caducó | acabó | finalizó | ha expirado | ha vencido | ha caducado | ha terminado"
    " | estaba | era | fue | fueron | desde | llegó | salió"
    " | liep | verlopen | afgelopen | verstreken | eindigde | geëindigd | was | waren | had | werd | werden | sinds"
)
_FUTURE = words(
    "will | 'll | won't | runs until | lasts until | next | wird | werden wir | läuft bis | nächste* | sera | seront"
    " | prochain* | será | serán | próxim* | zal | zullen | loopt tot | volgende"
)


def with_year(day: str, said: str, today: str) -> str:
    """Return a day with the year that the words around it mean; without a tense, the year of today."""
    if not day.startswith("--") or not today:
        return day
    year, bare = int(today[:4]), day[1:]
    if f"{year}{bare}" > today[:10]:
        return f"{year - _tense(said)[0]}{bare}"
    return f"{year + _tense(said)[1]}{bare}" if f"{year}{bare}" < today[:10] else f"{year}{bare}"


@lru_cache(maxsize=256)
def _tense(said: str) -> tuple[int, int]:
    """Return how many years a day that is to come lies back, and how many one that has passed lies ahead."""
    past, future = _PAST.search(said) is not None, _FUTURE.search(said) is not None
    return int(past and not future), int(future and not past)


USED_TO = re.compile(
    r"\b(?:was|were|been) (?:\w+ )?(?:going|coming|sent|delivered|shipped|arriving)\b|\bused to\b|\b(?:gingen?|kamen"
    r"|wurden (?:\w+ ){0,4}(?:geschickt|geliefert))\b|\b(?:allaient|allait|arrivaient|arrivait|partaient|partait"
    r"|iban|iba|llegaban|llegaba|salian|salia|gingen|ging|kwamen|kwam|werden bezorgd)\b"
)
"""What went somewhere in the past, and perhaps no more."""
