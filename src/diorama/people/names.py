"""Names of people from many cultures, with the country they live in and the language they write."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from diorama.kernel import Dice
from diorama.people.material import MATERIAL, load

LANGUAGES = {"GB": "en", "IE": "en", "DE": "de", "AT": "de", "FR": "fr", "ES": "es", "NL": "nl", "BE": "nl"}


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person: facts that everything written in their name must agree with."""

    given: str
    family: str
    culture: str
    country: str
    language: str
    native: bool = True

    @property
    def name(self) -> str:
        """The full name."""
        return f"{self.given} {self.family}".strip()

    @property
    def initials(self) -> str:
        """The first letters of the name."""
        return f"{self.given[:1]}{self.family[:1]}".upper()


def split_name(name: str) -> tuple[str, str]:
    """Return the given and the family name; the last word is the family name, and a single word is a given name."""
    given, _, family = name.rpartition(" ")
    return (given, family) if given else (family, "")


class _Culture(msgspec.Struct, frozen=True):
    given: tuple[str, ...]
    family: tuple[str, ...]
    homes: dict[str, float]
    language: str
    native: bool
    """Whether its people write their language as natives."""


@cache
def cultures(folder: Path = MATERIAL) -> dict[str, _Culture]:
    """Return the cultures of a folder's `names.toml`, by name."""
    found = {}
    for name, entry in load("names", folder).items():
        if name not in ("shares", "languages"):
            language = entry["language"]
            native = entry.get("native", language != "en" or name in ANGLOPHONE)
            given, family = _listed(entry["given"]), _listed(entry["family"])
            found[name] = _Culture(given, family, entry["homes"], language, native)
    return found


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in text.split())


def draw_person(dice: Dice, country: str | None = None, folder: Path = MATERIAL) -> Person:
    """Draw a person; with a country (or another place in `names.toml`), a person who lives there."""
    known, shares = cultures(folder), load("names", folder)["shares"]
    if country is not None:
        shares = {name: share * known[name].homes.get(country, 0.0) for name, share in shares.items()}
    culture = dice.weighted(shares)
    facts = known[culture]
    home = country or dice.weighted(facts.homes)
    family = dice.pick(facts.family)
    if culture in ("spanish", "latin_american") and dice.chance(0.5):
        family = f"{family} {dice.pick(facts.family)}"
    elif dice.chance(0.03):
        family = f"{family}-{dice.pick(facts.family)}"
    spoken = load("names", folder).get("languages", LANGUAGES)[home]
    if culture in ("french", "maghrebi") and home == "BE":
        spoken = "fr"
    language = spoken if facts.language == spoken or dice.chance(0.7) else facts.language
    native = facts.language == language and facts.native
    return Person(
        given=dice.pick(facts.given), family=family, culture=culture, country=home, language=language, native=native
    )


ANGLOPHONE = frozenset({"british", "irish", "american", "south_asian", "west_african", "jewish"})
