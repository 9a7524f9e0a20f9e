"""Words of five languages for nine kinds of deeds: data, one file per language."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.dutch import DUTCH
from diorama.rewards.claims.lexicon.english import ENGLISH
from diorama.rewards.claims.lexicon.form import Frame, Language
from diorama.rewards.claims.lexicon.french import FRENCH
from diorama.rewards.claims.lexicon.german import GERMAN
from diorama.rewards.claims.lexicon.spanish import SPANISH

LANGUAGES = {one.name: one for one in (ENGLISH, GERMAN, FRENCH, SPANISH, DUTCH)}



def _evidence() -> dict[str, dict[str, int]]:
    """Return for each language the words that speak for it; a word that no other language has counts twice."""
    own = {name: one.small_words | one.vocabulary for name, one in LANGUAGES.items()}
    return {
        name: {word: 1 + all(word not in own[other] for other in own if other != name) for word in words}
        for name, words in own.items()
    }


EVIDENCE = _evidence()

__all__ = ["EVIDENCE", "LANGUAGES", "Frame", "Language"]
