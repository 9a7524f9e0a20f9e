"""Verbs that say that something was done by naming it: `I had to cancel`, `took the liberty of pausing`."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re

_EN = {
    "cancel": "cancelled", "refund": "refunded", "pause": "paused", "stop": "stopped", "send": "sent",
    "ship": "shipped",
    "reship": "reshipped", "redirect": "redirected", "change": "changed", "credit": "credited", "exchange": "exchanged",
    "replace": "replaced", "resume": "resumed", "skip": "skipped", "order": "ordered", "extend": "extended",
    "waive": "waived", "intercept": "intercepted", "recall": "recalled", "put": "put", "move": "moved", "end": "ended",
    "add": "added", "issue": "issued", "update": "updated", "book": "booked", "upgrade": "upgraded",
    "reserve": "reserved",
}  # fmt: skip
_DE = {
    "stornieren": "storniert", "erstatten": "erstattet", "pausieren": "pausiert", "kündigen": "gekündigt",
    "stoppen": "gestoppt", "verschicken": "verschickt", "versenden": "versandt", "umleiten": "umgeleitet",
    "ändern": "geändert", "gutschreiben": "gutgeschrieben", "austauschen": "ausgetauscht", "abfangen": "abgefangen",
    "zurückrufen": "zurückgerufen", "umstellen": "umgestellt", "überweisen": "überwiesen", "beenden": "beendet",
}  # fmt: skip
_NL = {
    "annuleren": "geannuleerd", "terugbetalen": "terugbetaald", "pauzeren": "gepauzeerd", "opzeggen": "opgezegd",
    "stoppen": "gestopt", "versturen": "verstuurd", "verzenden": "verzonden", "omleiden": "omgeleid",
    "wijzigen": "gewijzigd", "omruilen": "omgeruild", "onderscheppen": "onderschept", "terughalen": "teruggehaald",
    "stopzetten": "stopgezet", "overslaan": "overgeslagen", "tegenhouden": "tegengehouden",
}  # fmt: skip
_FR = {
    "annuler": "annule", "rembourser": "rembourse", "suspendre": "suspendu", "arreter": "arrete", "resilier": "resilie",
    "envoyer": "envoye", "expedier": "expedie", "rediriger": "redirige", "modifier": "modifie", "crediter": "credite",
    "echanger": "echange", "intercepter": "intercepte", "bloquer": "bloque", "remplacer": "remplace",
}  # fmt: skip
_ES = {
    "cancelar": "cancelado", "anular": "anulado", "reembolsar": "reembolsado", "pausar": "pausado", "enviar": "enviado",
    "devolver": "devuelto", "suspender": "suspendido", "cambiar": "cambiado", "interceptar": "interceptado",
    "detener": "detenido", "abonar": "abonado", "redirigir": "redirigido", "sustituir": "sustituido",
}  # fmt: skip


def _stem(verb: str) -> str:
    """Return the form of an English verb before `ing`."""
    if verb in {"ship", "reship", "stop", "skip", "put"}:
        return verb + verb[-1]
    return verb + "l" if verb == "cancel" else verb.removesuffix("e")


_FORMS = {
    **_EN,
    **{_stem(verb) + "ing": done for verb, done in _EN.items()},
    **{verb + "ing": done for verb, done in _EN.items()},
}
_ENGLISH = re.compile(
    r"\b((?:i|we)) (?:(?:have )?had to|(?:have )?(?:taken|took) the liberty (?:of|to)|(?:went"
    r"|have gone) ahead (?:and|with)"
    rf"|(?:have )?managed to|was able to|were able to|saw to|took care of|(?:have )?decided to) (?:also "
    rf"|already )?({'|'.join(_FORMS)})\b"
)
_DE_VERBS, _NL_VERBS = "|".join(_DE), "|".join(_NL)
_GERMAN = re.compile(
    r"\b(?:musste|mussten|konnte|konnten)\b((?:(?!\b(?:nicht|nie|kein\w*)\b)[^.;]){1,90}?)"
    rf"\b({_DE_VERBS})\b"
)
_DUTCH = re.compile(
    r"\b(?:moest|moesten|kon|konden)\b((?:(?!\b(?:niet|geen|nooit)\b)[^.;]){1,90}?)"
    rf"\b({_NL_VERBS})\b"
)
_FRENCH = re.compile(
    rf"\b(j'ai|nous avons) (?:du|pu|pris la liberte d[e']|egalement pu)\s?({'|'.join(_FR)})\b"
    rf"|\b(?:je me suis|nous nous sommes) permis d[e']\s?({'|'.join(_FR)})\b"
)
_SPANISH = re.compile(
    r"\b(?:he tenido que|hemos tenido que|tuve que|tuvimos que|me he permitido|nos hemos permitido|he podido"
    r"|hemos podido"
    rf"|me tome la libertad de|nos tomamos la libertad de) ({'|'.join(_ES)})\b"
)


def as_done(words: str, language: str) -> str:
    """Return the words of a clause with such a verb as what was done: `I had to cancel it`, `I have cancelled it`."""
    if language == "en":
        return _ENGLISH.sub(lambda found: f"{found[1]} have {_FORMS[found[2]]}", words)
    if language == "de" and ("musste" in words or "konnte" in words):
        return _GERMAN.sub(lambda found: f"haben{found[1]}{_DE[found[2]]}", words)
    if language == "nl" and ("moest" in words or "kon" in words):
        return _DUTCH.sub(lambda found: f"hebben{found[1]}{_NL[found[2]]}", words)
    if language == "fr" and (" du " in words or "pu " in words or "libert" in words or "permis" in words):
        return _FRENCH.sub(lambda found: f"nous avons {_FR[found[2] or found[3]]}", words)
    if language == "es" and any(one in words for one in ("tenido", "tuv", "permitido", "pod", "libertad")):
        return _SPANISH.sub(lambda found: f"hemos {_ES[found[1]]}", words)
    return words
