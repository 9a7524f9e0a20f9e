"""Typing errors, by the distance of keys on the keyboard."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache

from diorama.kernel import Dice
from diorama.people.material import load

ROWS = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
}
LAYOUTS = {"en": "qwerty", "nl": "qwerty", "es": "qwerty", "de": "qwertz", "fr": "azerty"}

_WORD = re.compile(r"[^\W\d_]{3,}(?:'[^\W\d_]+)?")


@cache
def neighbours(layout: str) -> Mapping[str, str]:
    """Return the letters next to each letter on a keyboard, nearest first."""
    places = {
        letter: (column + 0.4 * row, float(row))
        for row, keys in enumerate(ROWS[layout])
        for column, letter in enumerate(keys)
    }
    near: dict[str, str] = {}
    for letter, place in places.items():
        others = sorted((math.dist(place, there), other) for other, there in places.items() if other != letter)
        near[letter] = "".join(other for distance, other in others if distance < 1.25)
    return near


def add_typos(dice: Dice, text: str, rate: float, language: str = "en") -> str:
    """Mistype about `rate` of the words of a text; digits, codes and hidden facts are never changed."""
    if rate <= 0:
        return text
    words = list(_WORD.finditer(text))
    if not words:
        return text
    out: list[str] = []
    done, at = 0, _gap(dice, rate)
    while at < len(words):
        word = words[at]
        out += (text[done : word.start()], mistype(dice, word[0], language))
        done = word.end()
        at += 1 + _gap(dice, rate)
    out.append(text[done:])
    return "".join(out)


def mistype(dice: Dice, word: str, language: str = "en") -> str:
    """Return the word with one typing error."""
    known = load(language)["misspelled"]
    if word in known and dice.chance(0.7):
        return str(known[word])
    place = dice.integer(1, word.find("'") - 1 if "'" in word else len(word) - 1)
    letter = word[place]
    near = neighbours(LAYOUTS.get(language, "qwerty")).get(letter.lower(), "")
    kind = dice.weighted({"near": 4.0, "swap": 3.0, "drop": 2.5, "double": 1.5, "extra": 1.0})
    if kind == "swap" and word[place - 1] != letter:
        return word[: place - 1] + letter + word[place - 1] + word[place + 1 :]
    if kind == "drop" and len(word) > 3:
        return word[:place] + word[place + 1 :]
    if kind == "double" or not near:
        return word[:place] + letter + word[place:]
    hit = dice.pick(near)
    hit = hit.upper() if letter.isupper() else hit
    return word[:place] + hit + (word[place:] if kind == "extra" else word[place + 1 :])


def _gap(dice: Dice, rate: float) -> int:
    """Draw how many words are typed correctly before the next typing error."""
    return int(math.log(1.0 - dice.uniform()) / math.log(1.0 - rate))
