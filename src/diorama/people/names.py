"""Names of people from many cultures, with the country they live in and the language they write."""

from __future__ import annotations

from functools import cache

import msgspec

from diorama.kernel import Dice
from diorama.people.material import load

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
        return f"{self.given} {self.family}"

    @property
    def initials(self) -> str:
        """The first letters of the name."""
        return f"{self.given[0]}{self.family[0]}".upper()


class _Culture(msgspec.Struct, frozen=True):
    given: tuple[str, ...]
    family: tuple[str, ...]
    homes: dict[str, float]
    language: str


@cache
def cultures() -> dict[str, _Culture]:
    """Return the cultures of the material by name."""
    raw = load("names")
    return {
        name: _Culture(_listed(entry["given"]), _listed(entry["family"]), entry["homes"], entry["language"])
        for name, entry in raw.items()
        if name != "shares"
    }


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in text.split())


def draw_person(dice: Dice, country: str | None = None) -> Person:
    """Draw a new person, in the given country if there is one."""
    known, shares = cultures(), load("names")["shares"]
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
    spoken = LANGUAGES[home]
    if culture in ("french", "maghrebi") and home == "BE":
        spoken = "fr"
    language = spoken if facts.language == spoken or dice.chance(0.7) else facts.language
    native = facts.language == language and (language != "en" or culture in ANGLOPHONE)
    return Person(
        given=dice.pick(facts.given), family=family, culture=culture, country=home, language=language, native=native
    )


ANGLOPHONE = frozenset({"british", "irish", "american", "south_asian", "west_african", "jewish"})
