"""Where people can be reached: e-mail addresses, postal addresses, telephone numbers."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import msgspec

from diorama.kernel import Dice
from diorama.people.material import MATERIAL, load
from diorama.people.names import Person

SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae"})
LETTERS = "ABCDEFGHJKLMNPRSTUWXY"
POSTAL_LETTERS = {"CA": "ABCEGHJKLMNPRSTVWXYZ", "GB": "ABDEFGHJLNPQRSTUWXYZ", "IE": "ACDEFHKNPRTVWXY"}
"""The letters of postal codes by country, where not all are in use."""


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """A postal address."""

    line1: str
    line2: str
    city: str
    postal_code: str
    country: str
    region: str = ""

    def one_line(self) -> str:
        """Return the address on one line, as people write it in an e-mail."""
        street = f"{self.line1}, {self.line2}" if self.line2 else self.line1
        if self.region:  # as in Canada: the code comes last
            return f"{street}, {self.city}, {self.region} {self.postal_code}"
        return f"{street}, {self.postal_code} {self.city}"


def plain(text: str) -> str:
    """Return the text in lower-case ASCII, as used in e-mail addresses."""
    text = unicodedata.normalize("NFKD", text.lower().translate(SPELLED))
    return re.sub(r"[^a-z0-9]", "", text.encode("ascii", "ignore").decode())


def draw_home(dice: Dice, country: str, folder: Path = MATERIAL) -> Home:
    """Draw a postal address in a country, or in another place of the folder's `addresses.toml`."""
    facts = load("addresses", folder)[country]
    city, _, pattern = dice.pick(facts["places"]).partition("|")
    number = str(dice.integer(1, 38) if dice.chance(0.7) else dice.integer(39, 240))
    if dice.chance(0.08):
        number += dice.pick("abc")
    street = dice.pick(facts["streets"])
    slots = {"number": number, "street": street, "small": str(dice.integer(1, 14)), "letter": dice.pick("ABCD")}
    extra = dice.pick(facts["extras"]).format(**slots) if dice.chance(0.3) else ""
    line1 = facts["line"].format(**slots)
    nation = facts.get("country", country)
    code = _pattern(dice, pattern, POSTAL_LETTERS.get(nation, LETTERS))
    return Home(line1=line1, line2=extra, city=city, postal_code=code, country=nation, region=facts.get("region", ""))


def draw_phone(dice: Dice, country: str, folder: Path = MATERIAL) -> str:
    """Draw a telephone number as people of a country write it."""
    number = _pattern(dice, load("addresses", folder)[country]["phone"])
    style = dice.integer(0, 3)
    if style == 0:
        return number.replace(" ", "")
    if style == 1:
        return re.sub(r"^\+\d\d3? ", "" if country == "ES" else "0", number)
    return number


def draw_company(dice: Dice, folder: Path = MATERIAL) -> str:
    """Draw the name of a small firm."""
    facts = load("addresses", folder)["companies"]
    form = dice.pick(facts["forms"])
    return f"{dice.pick(facts['stems'])} {dice.pick(facts['kinds']).capitalize()}{form}"


def draw_email(dice: Dice, person: Person, company: str = "", folder: Path = MATERIAL) -> str:
    """Draw a mail address that fits the person: a provider of the country, or the domain of their firm."""
    facts = load("addresses", folder)[person.country]
    given, family = plain(person.given), plain(person.family)
    if company:
        stem = "-".join(word for word in re.split(r"\W+", company) if len(word) > 2 and word not in FORMS)
        domain = f"{'-'.join(plain(part) for part in stem.split('-')[:2])}.{facts['tld']}"
        local = dice.weighted(
            {f"{given}.{family}": 4, f"{given[0]}.{family}": 3, given: 2, "office": 1, "info": 1, "accounts": 0.6}
        )
        return f"{local}@{domain}"
    domain = dice.weighted(facts["providers"])
    year = str(dice.integer(1948, 2004))
    local = dice.weighted(
        {
            f"{given}.{family}": 30,
            f"{given}{family}": 16,
            f"{given[0]}{family}": 10,
            f"{given}.{family}{year[2:]}": 10,
            f"{given}{year[2:]}": 6,
            f"{given}_{family}": 5,
            f"{family}.{given}": 7,
            f"{family}{given[0]}{dice.integer(1, 99)}": 5,
            f"{given}{dice.pick(NICK)}{dice.integer(1, 999)}": 5,
            f"{dice.pick(NICK)}.{family}": 2,
            f"{given}{year}": 4,
        }
    )
    return f"{local}@{domain}"


NICK = (
    "coffee",
    "the",
    "mail",
    "home",
    "x",
    "runs",
    "private",
    "garden",
    "bikes",
    "music",
    "post",
    "online",
    "hi",
    "cat",
)
FORMS = frozenset({"Ltd", "GmbH"})


def _pattern(dice: Dice, pattern: str, letters: str = LETTERS) -> str:
    return "".join(
        str(dice.integer(0, 9)) if mark == "#" else dice.pick(letters) if mark == "@" else mark for mark in pattern
    )


def places(folder: Path = MATERIAL) -> set[str]:
    """Return every word of streets, cities and firms in the material, in lower case."""
    found: set[str] = set()
    for entry in load("addresses", folder).values():
        texts = [*entry.get("places", ()), *entry.get("streets", ()), *entry.get("extras", ())]
        texts += [*entry.get("stems", ()), *entry.get("kinds", ()), *FORMS, "BV SL Co"]
        for text in texts:
            found.update(re.findall(r"[^\W\d_]+", text.lower()))
    return found
