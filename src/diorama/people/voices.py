"""Voices: how the same content is written by a hurried, formal, furious or non-native writer."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from diorama.kernel import Dice
from diorama.people.material import load
from diorama.people.typos import add_typos


class Voice(msgspec.Struct, frozen=True, kw_only=True):
    """How a person writes, as shares and chances; independent of the content."""

    name: str
    typo_rate: float
    """Share of words mistyped."""
    short: float = 0.0
    """Chance of the one-line version."""
    aside: float = 0.0
    more: tuple[int, int] = (0, 1)
    ask: float = 0.8
    press: tuple[float, float, float, float] = (0.7, 0.25, 0.05, 0.0)
    """Weights of: nothing, mild, firm, furious."""
    footer: float = 0.15
    legal: float = 0.0
    paragraphs: float = 0.4
    """Chance of a blank line after a sentence."""


VOICES = {
    voice.name: voice
    for voice in (
        Voice(name="plain", typo_rate=0.01, aside=0.05, more=(0, 2)),
        Voice(
            name="terse",
            typo_rate=0.018,
            short=0.65,
            more=(0, 0),
            ask=0.5,
            press=(0.85, 0.05, 0.1, 0.0),
            paragraphs=0.1,
        ),
        Voice(name="rambling", typo_rate=0.016, aside=1.0, more=(1, 3), press=(0.6, 0.35, 0.05, 0.0), paragraphs=0.15),
        Voice(
            name="polite", typo_rate=0.005, aside=0.5, more=(0, 2), ask=1.0, press=(0.5, 0.5, 0.0, 0.0), paragraphs=0.6
        ),
        Voice(name="angry", typo_rate=0.025, short=0.1, more=(0, 2), press=(0.05, 0.0, 0.25, 0.7), paragraphs=0.3),
        Voice(name="nonnative", typo_rate=0.02, aside=0.35, more=(0, 2), press=(0.6, 0.3, 0.1, 0.0)),
        Voice(
            name="elderly",
            typo_rate=0.006,
            aside=0.6,
            more=(1, 2),
            ask=1.0,
            press=(0.5, 0.2, 0.3, 0.0),
            footer=0.0,
            paragraphs=0.7,
        ),
        Voice(
            name="phone",
            typo_rate=0.04,
            short=0.5,
            more=(0, 1),
            ask=0.6,
            press=(0.7, 0.15, 0.1, 0.05),
            footer=0.6,
            paragraphs=0.0,
        ),
        Voice(
            name="business",
            typo_rate=0.004,
            more=(0, 2),
            ask=1.0,
            press=(0.6, 0.2, 0.2, 0.0),
            footer=0.0,
            legal=0.4,
            paragraphs=0.6,
        ),
    )
}

SHARES = {
    "plain": 26,
    "terse": 14,
    "polite": 13,
    "phone": 15,
    "rambling": 9,
    "nonnative": 8,
    "angry": 7,
    "elderly": 4,
    "business": 4,
}


def draw_voice(dice: Dice, native: bool = True, business: bool = False) -> str:
    """Draw the voice in which a person always writes."""
    if business and dice.chance(0.6):
        return "business"
    if not native and dice.chance(0.55):
        return "nonnative"
    shares = {name: share for name, share in SHARES.items() if native or name not in ("elderly", "rambling")}
    return dice.weighted({**shares, "nonnative": 0} if native else shares)


def apply_voice(dice: Dice, voice: Voice, sentences: list[str], language: str) -> str:
    """Write sentences in this voice."""
    manner = MANNERS.get(voice.name)
    if manner is not None:
        sentences = manner(dice, sentences, language)
    out: list[str] = []
    for number, sentence in enumerate(sentences):
        if number:
            out.append("\n\n" if dice.chance(voice.paragraphs) else " ")
        out.append(sentence)
    return add_typos(dice, "".join(out), voice.typo_rate, language)


def capitalised(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


# --- manners

_STOP = re.compile(r"[.!?]+$")
_ARTICLE = re.compile(r"\b(the|a|an) (?=[a-z\ue000-\uf8ff])")


def _swap(text: str, table: dict[str, str], dice: Dice, chance: float) -> str:
    """Replace some words of the text by those in the table."""
    for word, other in table.items():
        if word in text and dice.chance(chance):
            text = re.sub(rf"(?<![\w']){re.escape(word)}(?![\w'])", other, text)
    return text


def _phone_style(dice: Dice, sentences: list[str], language: str) -> list[str]:
    """Write as on a phone: lower case, no full stops, shorthand."""
    table = load(language)["shorthand"]
    out = [_swap(sentence, table, dice, 0.35) for sentence in sentences]
    if dice.chance(0.75):
        out = [sentence.lower() for sentence in out]
    if dice.chance(0.6):
        out = [one if one.endswith("?") and dice.chance(0.6) else _STOP.sub("", one) for one in out]
    if dice.chance(0.25):
        out[-1] += dice.pick((" 😡", " 🙏", " 🙄", " ☕", " :(", " ..", " 😩", " lol", " !!"))
    return out


def _angry_style(dice: Dice, sentences: list[str], language: str) -> list[str]:
    """Write in anger: some sentences in capitals, too many punctuation marks."""
    out = []
    for sentence in sentences:
        shouted = sentence.upper() if dice.chance(0.28) else sentence
        if dice.chance(0.4):
            marks = ("???", "?!", "??") if shouted.endswith("?") else ("!!!", "!!", "!")
            shouted = _STOP.sub(dice.pick(marks), shouted)
        out.append(shouted)
    return out


def _second_language_style(dice: Dice, sentences: list[str], language: str) -> list[str]:
    """Write as in a second language: missing articles, foreign idioms."""
    if language != "en":
        return [sentence if dice.chance(0.5) else sentence.replace(",", "") for sentence in sentences]
    out = []
    for sentence in sentences:
        sentence = _swap(sentence, load("en")["broken"], dice, 0.6)
        out.append(_ARTICLE.sub(lambda found: "" if dice.chance(0.35) else found[0], sentence))
    return out


def _formal_style(dice: Dice, sentences: list[str], language: str) -> list[str]:
    """Write in an old-fashioned way: no contractions, semicolons."""
    if language == "en":
        sentences = [_swap(sentence, load("en")["whole"], dice, 1.0) for sentence in sentences]
    if len(sentences) > 2 and dice.chance(0.3) and sentences[0].endswith("."):
        first, second, *rest = sentences
        lowered = second if second[:2] in ("I ", "I'") or language == "de" else second[:1].lower() + second[1:]
        return [f"{first[:-1]}; {lowered}", *rest]
    return sentences


def _run_on_style(dice: Dice, sentences: list[str], language: str) -> list[str]:
    """Write without pauses: join sentences."""
    out: list[str] = []
    for sentence in sentences:
        if out and out[-1].endswith(".") and dice.chance(0.4):
            joint = dice.pick(("...", ",", " -", ",", "..."))
            keep = language == "de" or sentence[:2] in ("I ", "I'", "I,")
            out[-1] = out[-1][:-1] + joint + " " + (sentence if keep else sentence[:1].lower() + sentence[1:])
        else:
            out.append(sentence)
    return out


def _terse_style(dice: Dice, sentences: list[str], language: str) -> list[str]:
    """Write tersely: sometimes without capitals or full stops."""
    if dice.chance(0.3):
        sentences = [_STOP.sub(lambda found: "?" if "?" in found[0] else "", sentence) for sentence in sentences]
    if language != "de" and dice.chance(0.35):
        sentences = [sentence[:1].lower() + sentence[1:] for sentence in sentences]
    return sentences


MANNERS: dict[str, Callable[[Dice, list[str], str], list[str]]] = {
    "phone": _phone_style,
    "angry": _angry_style,
    "nonnative": _second_language_style,
    "elderly": _formal_style,
    "rambling": _run_on_style,
    "terse": _terse_style,
}
