"""Misspelled words for deeds, things and negations: a word that no list knows is read as the one that it resembles."""

from __future__ import annotations

from functools import lru_cache

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import NAMES, every_text
from diorama.rewards.claims.lexicon.lists import alternatives

SHORTEST = 5
"""How many letters a word has at least that may be misspelled."""
LONG = 10
"""From how many letters on a word may differ in two places."""
_TARGETS = {
    "en": "refund refunded refunding reimbursed reimbursement cancel cancelled canceled cancellation subscription"
    " machine espresso grinder replacement replaced sent shipped dispatched added credit credited voucher parcel"
    " package label paused terminated transferred delivered nothing never actually orders",
    "de": "erstattet erstattung gutschrift gutgeschrieben gekündigt storniert kündigung stornierung abonnement"
    " geschickt gesendet versendet verschickt maschine espressomaschine guthaben gutschein überwiesen pausiert nichts"
    " niemals",
    "fr": "remboursé remboursement annulé résilié résiliation abonnement expédié renvoyé envoyé machine crédité"
    " remplacé suspendu jamais aucun",
    "es": "reembolsado reembolso cancelado cancelada suscripción enviado enviada máquina paquete anulado sustituido"
    " nunca ninguno",
    "nl": "terugbetaald terugbetaling opgezegd geannuleerd abonnement verzonden verstuurd gestuurd machine pakket"
    " tegoed gepauzeerd nooit niets",
}
_SHORT = {"en": "not any none never", "de": "nicht kein nie", "fr": "pas rien", "es": "no nada", "nl": "niet geen"}
"""Words in which one letter may stand twice: `noot`."""
_OTHERS = frozenset(
    fold(
        "scent spent saint stent aided adder cancer creditor creditors skipped shopped slipped shipper passed pauses"
        " reminded repeated rebounded retraced replayed refined orders ordered others offers owners"
        " gewendet gespendet verwendet verendet passiert überwiegen überweisen nichte gesandt geschick annuel annuelle"
        " envole envolé anclado verbonden verzenden verlangen verstoord machines anno cannot nota noten"
        " parsel packed packaged cancels labeled labelled labels refuel level libel lapel creed credits"
        " crediter enviando cancelando anulando reembolsando versenden senden dispatches dispatcher terminates"
        " reimburses replaces delivers deliverer transfers transferable erstatten erstattete verschicken espressos"
    ).split()
)
"""Words of their own that look like one of these."""
_WORD = re.compile(r"[a-zäöü]{4,24}")


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    """Return the words of all lists; those that end with * only tell how words begin."""
    found = {one for text in every_text() for one in re.split(r"[\s+]+", " ".join(alternatives(text)))}
    return frozenset(one for one in found if not one.endswith("*"))


@lru_cache(maxsize=1)
def _index() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return for each language which targets are left when letters are taken away from them."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for name in NAMES:
        here = found[name] = {}
        for target in fold(_TARGETS[name]).split():
            for rest in _rests(target):
                here[rest] = (*here.get(rest, ()), target)
    return found


def _rests(word: str) -> set[str]:
    """Return a word, and what is left of it without one letter, or two of a long one."""
    once = {word[:place] + word[place + 1 :] for place in range(len(word))}
    if len(word) < LONG:
        return {word} | once
    return {word} | once | {one[:place] + one[place + 1 :] for one in once for place in range(len(one))}


@lru_cache(maxsize=512)
def spelled_right(text: str, language: str) -> str:
    """Return the folded words of a clause with misspelled words put right."""
    right = _WORD.sub(lambda found: _right(found[0], language), text)
    return _LIVRE.sub(r"\1livrera", right) if language == "fr" and " livre" in right else right


_LIVRE = re.compile(r"\b((?:le|la|les|l'|vous|nous|te|dpd|dhl|ups|postnl|transporteur|facteur|poste|canada)\s)livre\b")
"""A carrier that brings something: folded, `le livre` would be read like `livré`, which has arrived."""


@lru_cache(maxsize=8192)
def _right(word: str, language: str) -> str:
    if word in _known() or word in _OTHERS:
        return word
    single = _DOUBLE.sub(r"\1", word) if len(word) <= SHORTEST else word
    if single != word and single in _SHORT[language].split():
        return single
    if len(word) < SHORTEST:
        return word
    index = _index()[language]
    near = {target for rest in _rests(word) for target in index.get(rest, ())}
    close = [
        one
        for one in sorted(near)
        if one[0] == word[0] and not word.startswith(one) and _distance(word, one) <= 1 + (len(one) >= LONG)
    ]
    return min(close, key=lambda one: _distance(word, one), default=word)


_DOUBLE = re.compile(r"(\w)\1")


def _distance(first: str, second: str) -> int:
    """Return how many letters are added, left out, replaced or swapped."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for place, letter in enumerate(first, 1):
        following = [place]
        for other, sign in enumerate(second, 1):
            cost = min(row[other] + 1, following[-1] + 1, row[other - 1] + (letter != sign))
            if before and other > 1 and letter == second[other - 2] and first[place - 2] == sign:
                cost = min(cost, before[other - 2] + 1)
            following.append(cost)
        before, row = row, following
    return row[-1]
