"""Words of five languages for nine kinds of deeds: data, one file per language."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.dutch import DUTCH
from diorama.rewards.claims.lexicon.english import ENGLISH
from diorama.rewards.claims.lexicon.form import Frame, Language
from diorama.rewards.claims.lexicon.french import FRENCH
from diorama.rewards.claims.lexicon.german import GERMAN
from diorama.rewards.claims.lexicon.spanish import SPANISH

LANGUAGES = {one.name: one for one in (ENGLISH, GERMAN, FRENCH, SPANISH, DUTCH)}

__all__ = ["LANGUAGES", "Frame", "Language"]
