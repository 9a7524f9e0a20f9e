"""Spell numbers as words in five languages, to find amounts that are written out."""

from __future__ import annotations

from functools import lru_cache

from diorama.rewards.claims.folding import fold


def _list(text: str) -> list[str]:
    return text.split(" ")


_EN = _list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_EN_TENS = _list("  twenty thirty forty fifty sixty seventy eighty ninety")
_DE = _list(
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_DE_TENS = _list("  zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_NL = _list(
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
    "achttien negentien"
)
_NL_TENS = _list("  twintig dertig veertig vijftig zestig zeventig tachtig negentig")
_FR = _list(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf"
)
_FR_TENS = _list("  vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")
_ES = _list(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
)
_ES_TENS = _list("   treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_ES_HUNDREDS = _list(
    " ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)


def _small(number: int, language: str) -> str:
    """Spell 0 to 99."""
    ten, one = divmod(number, 10)
    if language == "en":
        return _EN[number] if number < 20 else f"{_EN_TENS[ten]} {_EN[one] if one else ''}"
    if language in {"de", "nl"}:
        names, tens, link = (_DE, _DE_TENS, "und") if language == "de" else (_NL, _NL_TENS, "en")
        return names[number] if number < 20 else (names[one] + link if one else "") + tens[ten]
    if language == "fr":
        if number < 20:
            return _FR[number]
        rest = number - 60 if 70 <= number < 80 else number - 80 if number >= 80 else one
        return f"{_FR_TENS[ten]}{'s' if number == 80 else ''} {_FR[rest] if rest else ''}"
    return _ES[number] if number < 30 else f"{_ES_TENS[ten]} {'y ' + _ES[one] if one else ''}"


@lru_cache(maxsize=4096)
def spell(number: int, language: str) -> str:
    """Spell 0 to 9999 as it is found in a text that went through `plain_words`."""
    thousands, rest = divmod(number, 1000)
    hundreds, small = divmod(rest, 100)
    parts = []
    if thousands:
        word = {"en": "thousand", "de": "tausend", "nl": "duizend", "fr": "mille", "es": "mil"}[language]
        parts += ["" if thousands == 1 and language != "en" else spell(thousands, language), word]
    if hundreds:
        if language == "es":
            parts.append("cien" if hundreds == 1 and not small else _ES_HUNDREDS[hundreds])
        else:
            word = {"en": "hundred", "de": "hundert", "nl": "honderd", "fr": "cent"}[language]
            parts += ["" if hundreds == 1 and language != "en" else _small(hundreds, language), word]
            parts[-1] += "s" if language == "fr" and hundreds > 1 and not small else ""
    if small or not parts:
        parts.append(_small(small, language))
    return plain_words("".join(parts) if language in {"de", "nl"} else " ".join(parts))


def number_words(below: int) -> dict[str, int]:
    """Return the numbers from 1 on in five languages, each as one word without spaces, hyphens and linking words."""
    found: dict[str, int] = {}
    for language in ("en", "de", "fr", "es", "nl"):
        for number in range(1, below):
            found.setdefault("".join(spell(number, language).split()), number)
    found |= {"".join(spell(one, "en").split()).removeprefix("one"): one for one in range(100, min(below, 200))}
    return found | {"eins": 1, "une": 1, "een": 1, "un": 1, "ahundred": 100, "athousand": 1000}


def plain_words(text: str) -> str:
    """Return folded words without hyphens and without the words that link numbers."""
    words = fold(text).replace("-", " ").replace(",", " ").split()
    return " ".join(word for word in words if word not in {"and", "et", "y"})


def says_amount(words: str, cents: int) -> bool:
    """Check whether plain words state this amount: euros, then the cents if there are any."""
    euros, rest = divmod(cents, 100)
    if not 0 < euros < 10_000:
        return False
    for language in ("en", "de", "fr", "es", "nl"):
        start = words.find(spell(euros, language) + " euro")
        if start < 0 or (start and words[start - 1] != " "):
            continue
        after = words[start : start + 120].split(" euro", 1)[1]
        if not rest or spell(rest, language) in after or f"{rest:02d}" in after.split()[:3]:
            return True
    return False
