"""Compare addresses as people write them: case, accents, signs, blanks and the usual abbreviations do not count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from diorama.kit.regions import REGIONS, is_region, region_code, without_region

PLACE_PARTS = ("name", "line1", "line2", "postal_code", "city", "region", "country")

_SHORT = {
    # English
    "street": "st", "saint": "st", "avenue": "av", "ave": "av", "road": "rd", "boulevard": "bd", "blvd": "bd",
    "drive": "dr", "lane": "ln", "court": "ct", "place": "pl", "square": "sq", "terrace": "ter", "terr": "ter",
    "crescent": "cres", "highway": "hwy", "parkway": "pkwy", "close": "cl", "gardens": "gdns", "mount": "mt",
    "apartment": "apt", "flat": "apt", "unit": "apt", "suite": "ste", "floor": "fl", "building": "bldg",
    "north": "n", "south": "s", "east": "e", "west": "w",
    # German
    "strasse": "str", "platz": "pl", "allee": "all", "wohnung": "apt", "whg": "apt", "etage": "fl", "sankt": "st",
    "postfach": "pf",
    # Spanish
    "calle": "c", "avenida": "av", "avda": "av", "plaza": "pl", "pza": "pl", "plza": "pl", "paseo": "p",
    "carretera": "ctra", "camino": "cno", "cmno": "cno", "pso": "p", "bulevar": "bd",
    "piso": "fl", "izquierda": "izq", "derecha": "dcha", "dch": "dcha",
    # French
    "rue": "r", "bld": "bd", "chemin": "ch", "che": "ch", "impasse": "imp", "route": "rte", "faubourg": "fbg",
    "sainte": "ste", "appartement": "apt", "app": "apt", "appt": "apt", "batiment": "bat", "quai": "q",
    # Dutch
    "straat": "str", "laan": "ln", "plein": "pln", "gracht": "gr", "kade": "kd", "verdieping": "fl", "sint": "st",
}  # fmt: skip
"""Abbreviations of the five languages; the long word and every short one become the same."""
_IGNORED = frozenset({"no", "nr", "num", "numero", "number", "nummer", "hausnummer", "de", "du", "des", "la"})
_NUMBER_MARK = re.compile(r"(?<![^\W\d_])n\s?[.,]?\s?[º°o]\.?(?=\s*\d)", re.IGNORECASE)
"""A mark before a house number: nº 150, n.º 150, n° 150, no. 150."""
_USUAL = frozenset({"c", "r"})
"""The words for a street that people leave out: Calle Mayor is Mayor, rue Saint-Jean is Saint-Jean."""
_WHOLE = {
    "rd": "road", "ln": "lane", "dr": "drive", "sq": "square", "ave": "avenue", "blvd": "boulevard", "bd": "boulevard",
    "avda": "avenida", "pza": "plaza", "plza": "plaza", "cno": "camino", "cmno": "camino", "pso": "paseo",
    "ctra": "carretera", "che": "chemin", "imp": "impasse", "rte": "route",
}  # fmt: skip
"""Abbreviations that are not ambiguous, for a street that is shown or looked for in a text."""
_UNITS = re.compile(
    r"(?<![\s,])[\s,]++(?=(?:#\s?|(?:apartment|apt|flat|unit|suite|wohnung|whg|appartement|appt|piso)\b\.?\s*)\w)",
    re.IGNORECASE,
)
"""Where the number of a flat begins on the line of a street."""
_HOUSE = re.compile(r"\A\s*\d+\s?[a-z]?(?:\s?(?:bis|ter))?\s*", re.IGNORECASE)
_NAME_STOPS = frozenset({
    "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir", "herr", "frau", "hr", "fr", "sr", "sra", "srta",
    "don", "dona", "senor", "senora", "mme", "mlle", "monsieur", "madame", "dhr", "mevr", "mw", "meneer",
    "mevrouw", "family", "familie", "familia", "famille", "fam", "household", "and", "und", "et", "en", "co",
    "care", "of", "bei", "chez",
})  # fmt: skip
"""Words around a name that name no person: titles, the household, care of."""
_CARE_OF = re.compile(r"\b[cp]\s?/\s?[oa]\b|&", re.IGNORECASE)
_TOWNS = {
    "munich": "munchen", "cologne": "koln", "nuremberg": "nurnberg", "hanover": "hannover", "vienna": "wien",
    "seville": "sevilla", "saragossa": "zaragoza", "la coruna": "a coruna", "corunna": "a coruna",
    "the hague": "den haag", "s gravenhage": "den haag", "brussels": "brussel", "bruxelles": "brussel",
    "antwerp": "antwerpen", "ghent": "gent", "bruges": "brugge", "luik": "liege", "namen": "namur",
    "donostia": "san sebastian", "frankfurt": "frankfurt am main", "freiburg": "freiburg im breisgau",
}  # fmt: skip
"""Towns with names in several languages, or with a long and a short one, by their plain form."""
_ENDINGS = (
    ("strasse", "str"), ("straat", "str"), ("platz", "pl"), ("plein", "pln"), ("laan", "ln"), ("gracht", "gr"),
    ("kade", "kd"),
)  # fmt: skip
"""Words for a street at the end of its name, written as one word: Hauptstraße, Hauptstr."""
_LETTERS = str.maketrans({"ß": "ss", "ẞ": "ss", "ø": "o", "œ": "oe", "æ": "ae", "ł": "l", "đ": "d"})
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_FIRST_NUMBER = re.compile(r"^(\d+[a-z]?(?: ?(?:bis|ter))?)\b ++([^a-z\n]*+[a-z].*)$")
_COUNTRY_MARK = re.compile(r"^[a-z]{1,3}-(?=\d)")


def plain(text: str) -> str:
    """Return a text in lower case without accents and signs, with single blanks."""
    lower = str(text).casefold()
    if not lower.isascii():
        apart = unicodedata.normalize("NFKD", lower.translate(_LETTERS))
        lower = "".join(one for one in apart if not unicodedata.combining(one))
    return " ".join(_SIGNS.sub(" ", lower).split())


_SIGNS = re.compile(r"[^\w]+")


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return a street, a town or a name in one form for all its ordinary spellings; house numbers come last."""
    words = _FIRST_NUMBER.sub(r"\2 \1", plain(_NUMBER_MARK.sub(" ", text))).split()
    short = [one for one in map(_short, words) if one]
    if len(short) > 1 and short[0] in _USUAL and not short[1][0].isdigit():
        short = short[1:]
    joined = "".join(f" {one}" if one[0].isdigit() else one for one in short)
    return re.sub(r"(\d) ([a-z])$", r"\1\2", joined).strip()


def _short(word: str) -> str:
    if word in _IGNORED:
        return ""
    if word in _SHORT:
        return _SHORT[word]
    for long, brief in _UMLAUTS:
        word = word.replace(long, brief)
    return next((word.removesuffix(long) + brief for long, brief in _ENDINGS if word.endswith(long)), word)


def street_words(name: str) -> str:
    """Return the name of a street in plain words, without what people leave out; abbreviations are written out."""
    words = re.sub(r" n o$", "", plain(name)).split()
    while len(words) > 1 and words[-1] in {"no", "nr", "num", "numero", "nummer", "number"}:
        words.pop()
    if len(words) > 1 and words[0] in {"c", "calle"}:
        words = words[1:]
    elif len(words) > 1 and words[0] == "r":
        words[0] = "rue"
    whole = [_WHOLE.get(one, one) for one in words]
    if len(whole) > 1 and whole[-1] == "st":
        whole[-1] = "street"
    return " ".join(whole)


def _lines(place: Mapping[str, str]) -> frozenset[str]:
    """Return the lines of a street address in their normal forms; a bare number belongs to the street beside it."""
    text = ", ".join(filter(None, (place.get("line1", ""), place.get("line2", ""))))
    found: list[str] = []
    for piece in _UNITS.sub(", ", _NUMBER_MARK.sub(" ", text)).split(","):
        bare = _HOUSE.fullmatch(piece) is not None
        if found and (bare != (_HOUSE.fullmatch(found[-1]) is not None)) and not (bare and re.search(r"\d", found[-1])):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return frozenset(filter(None, (folded(one.replace("#", " apt ")) for one in found)))


def same_part(part: str, one: str, other: str) -> bool:
    """Check whether two spellings of a part of an address, such as `line1` or `postal_code`, mean the same."""
    if part == "postal_code":
        return _code(one) == _code(other)
    if part == "city":
        return town(one) == town(other)
    return folded(one) == folded(other)


def town(text: str, code: str = "", country: str = "") -> str:
    """Return a town in one form: without its postcode and its region, in its own language."""
    words = plain(text).split()
    known = plain(code).split()
    for form in (known, ["".join(known)]) if known else ():
        if words[: len(form)] == form:
            words = words[len(form) :]
        elif words[-len(form) :] == form:
            words = words[: -len(form)]
    found = without_region(" ".join(words), country)
    return folded(_TOWNS.get(found, found))


def _name_words(text: str) -> list[str]:
    return [word for word in plain(_CARE_OF.sub(" ", text)).split() if word not in _NAME_STOPS]


def _names_fit(some: Sequence[str], known: Sequence[str], least: int) -> bool:
    """Check whether each of some words of a name is a known one or its initial, and one of them is written out."""
    left = list(known)
    whole = 0
    for word in sorted(some, key=len, reverse=True):
        fits = next((one for one in left if _fold_name(one) == _fold_name(word)), None)
        whole += fits is not None
        if fits is None:
            fits = next((one for one in left if one[0] == word[0] and 1 in (len(one), len(word))), None)
        if fits is None:
            return False
        left.remove(fits)
    return whole > 0 and len(some) >= min(least, len(known))


def _fold_name(word: str) -> str:
    for long, brief in _UMLAUTS:
        word = word.replace(long, brief)
    return word


def differing_parts(
    place: Mapping[str, str], goal: Mapping[str, str], known: Sequence[Mapping[str, str]] = ()
) -> tuple[str, ...]:
    """Return the parts in which an address is not the goal; parts that the goal leaves open have to be known ones.

    Street with number, postcode, town and country decide. A region has to be known, or one of its country, and a name
    only if it can be another person's. Without known addresses the parts that the goal leaves open are free.
    """
    everywhere = (*known, goal)
    differs = [*_streets_differ(place, goal, known)]
    if "postal_code" in goal and _code(place.get("postal_code", "")) != _code(goal["postal_code"]):
        differs.append("postal_code")
    if not any(_same_town(place, one) for one in ([goal] if "city" in goal else known)) and ("city" in goal or known):
        differs.append("city")
    if known and not _region_fits(place, [one.get("region", "") for one in everywhere]):
        differs.append("region")
    countries = {plain(one.get("country", "")) for one in everywhere if one.get("country")}
    if countries and place.get("country") and plain(place["country"]) not in countries:
        differs.append("country")
    if not _name_fits(place.get("name", ""), goal.get("name", ""), [one.get("name", "") for one in known]):
        differs.append("name")
    return tuple(differs)


def _streets_differ(
    place: Mapping[str, str], goal: Mapping[str, str], known: Sequence[Mapping[str, str]]
) -> tuple[str, ...]:
    """Return `line1` or `line2` if an address is in another street or house, or has lines that are not known."""
    if "line1" not in goal:
        return () if not known or any(_same_house(place, one) for one in known) else ("line1",)
    mine, theirs = _lines(place), _lines(goal)
    free = {line for one in known for line in _lines({"line2": one.get("line2", "")})} if "line2" not in goal else set()
    if theirs <= mine and (not known or mine <= theirs | free):
        return ()
    return ("line2",) if _lines({"line1": goal["line1"]}) <= mine else ("line1",)


def _same_house(place: Mapping[str, str], known: Mapping[str, str]) -> bool:
    """Check whether an address has the street, the postcode and the town of a known one."""
    code = _code(place.get("postal_code", "")) == _code(known.get("postal_code", ""))
    return (
        bool(known.get("line1"))
        and code
        and _same_town(place, known)
        and (_lines({"line1": known["line1"]}) <= _lines(place) <= _lines(known))
    )


def _same_town(place: Mapping[str, str], other: Mapping[str, str]) -> bool:
    code, country = place.get("postal_code", ""), place.get("country") or other.get("country", "")
    return town(place.get("city", ""), code, country) == town(other.get("city", ""), code, country)


def _region_fits(place: Mapping[str, str], known: Sequence[str]) -> bool:
    """Check whether a region is empty or known; of a country without codes, also one of its regions or the town."""
    region, country = plain(place.get("region", "")), place.get("country", "")
    if not region or region in {plain(one) for one in known}:
        return True
    if country.casefold() not in REGIONS:
        return town(region) == town(place.get("city", "")) or is_region(region, country, plain)
    code = region_code(region, country)
    return bool(code) and code in {region_code(plain(one), country) for one in known}


def _name_fits(name: str, goal: str, known: Sequence[str]) -> bool:
    """Check whether a name on a label is the one that it must have, or only one that is known."""
    words = _name_words(name)
    if not words and plain(name):  # nothing is left but words such as family or care of: compare all of them
        return plain(name) in {plain(one) for one in (goal, *known) if one} if goal or known else True
    own = [word for one in known for word in _name_words(one)]
    if goal:
        wanted = _name_words(goal)
        mine = [word for word in words if any(_names_fit([word], [one], 1) or one[0] == word for one in wanted)]
        rest = [word for word in words if word not in mine]
        return _names_fit(mine, wanted, 2) and all(word in own for word in rest)
    return (
        not words
        or not known
        or any(_names_fit(words, _name_words(one), 1) for one in known if one)
        or (set(map(_fold_name, words)) <= set(map(_fold_name, own)))
    )


def _code(text: str) -> str:
    """Return a postcode without blanks, signs and the mark of a country: `NL-1012 ab` is 1012ab."""
    return plain(_COUNTRY_MARK.sub("", str(text).casefold().strip())).replace(" ", "")
