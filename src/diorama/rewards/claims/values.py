"""Values in a text: amounts, dates, times, record numbers, addresses, e-mail, phone numbers, digits of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.kit.places import street_words
from diorama.rewards.claims.cues import Cues, cues_of
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.unusual import may_name_a_house, unusual_values

LONG = 5_000
"""A longer text costs quality: it is more than a person wants to read."""
CHARACTERS = 8_000
"""How much of one text is read. A longer text costs success, so that nothing is gained by what is not read."""


class Value(msgspec.Struct, frozen=True, order=True, gc=False):
    """One value and where it stands in the folded text."""

    start: int
    end: int
    kind: str
    """amount, number, percent, date, day, time, record, street, postcode, email, phone, card"""
    value: str
    """The normal form: cents, YYYY-MM-DD or --MM-DD, HH:MM, upper case without spaces, digits."""
    others: tuple[str, ...] = ()
    """Other readings: 03/04 is the 3rd of April or the 4th of March."""
    unusual: bool = False
    """It is written in an unusual way; where it overlaps with another value, the other counts."""

    @property
    def readings(self) -> tuple[str, ...]:
        """Return every reading of the value."""
        return (self.value, *self.others)


_MONTH_NAMES = {
    1: "january jan januar jänner janner jaenner janvier janv enero ene januari",
    2: "february feb februar fevrier fevr fev febrero februari",
    3: "march mar märz marz maerz mrz mars marzo maart mrt",
    4: "april apr avril avr abril abr",
    5: "may mai mayo mei",
    6: "june jun juni juin junio",
    7: "july jul juli juillet juil julio",
    8: "august aug aout agosto ago augustus",
    9: "september sep sept septembre septiembre setiembre",
    10: "october oct oktober okt octobre octubre",
    11: "november nov novembre noviembre",
    12: "december dec dezember dez decembre diciembre dic",
}
MONTHS = {name: number for number, names in _MONTH_NAMES.items() for name in names.split()}
_MONTH = (
    "(?:"
    + "|".join(
        re.escape(name)
        + (
            r"\b\.?"
            if len(name) < 5
            and name not in {"may", "mai", "mei", "juin", "june", "july", "juli", "mars", "aout", "mayo"}
            else r"\b"
        )
        for name in sorted(MONTHS, key=len, reverse=True)
    )
    + ")"
)
_MONTH_NAME = re.compile("|".join(sorted({name[:3] for name in MONTHS})))
"""The beginning of a name of a month, anywhere."""
_YEAR = r"(?:,?\s{1,2}(?:de\s|del\s)?((?:19|20)\d\d)\b)?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er(?!-)|re|e|\.|º|o)?"

_ISO = re.compile(r"(?<![\d-])((?:19|20)\d\d)[-/](\d{1,2})[-/](\d{1,2})(?!\d|-\d)")
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d|\d\d)(?![\d/-]|\.\d)")
_SHORT = re.compile(
    r"(?<![€$£])(?<!eur )(?<!cad )(?<![\d./,-])(\d{1,2})(?:/(\d\d)(?![\d/%]|[.,]\d|-\d)|\.\s?(\d{1,2})\.(?!\d))"
)
_SHORT_MONTH = re.compile(r"(?<![€$£\d./,-])(?!24/7)(1[3-9]|2\d|3[01])/([1-9])(?![\d/%]|[.,]\d|-\d)")
_DAY_MONTH = re.compile(rf"(?<![\d.,:]){_DAY}(?:\s{{1,2}}(?:of|de|del|van)(?:\sthe)?)?\s{{0,2}}[-]?({_MONTH}){_YEAR}")
_DAY_AND_DAY = re.compile(
    rf"(?<![\d.,:]){_DAY}\s?(?:and|und|et|y|en|to|bis|au|al|tot|or|oder|ou|o|of|&|[-/+\u2013,])\s?"
    rf"(?=\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s?(?:of\s|de\s)?({_MONTH}){_YEAR})"
)
_MONTH_DAY = re.compile(
    rf"\b({_MONTH})\s{{1,2}}(?:the\s)?(\d{{1,2}})(?:st|nd|rd|th)?\b(?![.,:]\d|\s?(?:%|euro|eur\b|€)){_YEAR}"
)
_TIME = re.compile(
    r"(?<![\d.,:/-])([01]?\d|2[0-3])(?:(?::|\s?h\s?)([0-5]\d)(?::[0-5]\d)?(?!\d)|\.([0-5]\d)(?=\s?(?:uhr|h\b|uur"
    r"|am\b|pm\b|a\.m|p\.m|utc|cet|o'clock)))"
)
HALF = re.compile(r"\s?(?:([ap])\.?\s?m\b|(?:de la|de l'|in the|'s) ?(?:tarde|apres-midi|afternoon|middags)\b)")
"""Which half of the day a time belongs to: `2.17 pm`."""


def on_the_clock(hour: int, half: re.Match[str] | None) -> int:
    """Return an hour from 0 to 23, given what follows its minutes."""
    if half is None or hour > 12:
        return hour
    return hour % 12 if half[1] == "a" else hour % 12 + 12


_NUMBER = r"\d{1,3}(?:[.,'\s]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?"
_CURRENCY = r"€|\$|£|eur\b|euros?\b|cad\b|usd\b|gbp\b|chf\b|dollars?\b|dolar(?:es)?\b|pounds?\b|bucks\b|quid\b"
_AMOUNT = re.compile(
    rf"(?:(?:€|£|(?:ca|us|c)?\$|\b(?:eur|cad|usd|gbp|chf)(?=[\s\d]))\s?(?P<a>{_NUMBER})(?![\d%]|[.,]\d))"
    rf"|(?:(?<![\d.,:/a-z-])|(?<=[\s:]-))(?P<b>{_NUMBER})(?:,-)?[\s-]?(?:{_CURRENCY})"
)
_UNIT = (
    "(?:working|business|bank|calendar|days?|weeks?|months?|hours?|minutes?|years?|times|bags?|werk|tage|wochen|monate"
    "|stunden|jahre|mal|arbeitstage|jours?|semaines?|mois|heures?|ans|fois|dias?|semanas?|meses|horas?|anos|veces|dagen"
    "|weken|maanden|uur|jaar|keer)"
)
_CENTS_AFTER = re.compile(
    r"(?<=[eo€s])\s?(?:(?:and|und|et|y|con|en)\s)?(\d\d)"
    rf"(?!\d|[.,:/%-]\d|%|\s?(?:{_CURRENCY}|{_MONTH})|\.?\s?{_MONTH}|\s{_UNIT}\b)(?:\s?(?:cents?|centimes?|centimos"
    rf"|ct)\b)?"
)
"""The cents that stand behind a whole number of euros: `18 euros 85`, `18 Euro und 85 Cent`, `18€85`."""
_DECIMAL = re.compile(
    r"(?:(?<![\d.,:/a-z-])|(?<=[\s:]-))(\d{1,3}(?:[.,]\d{3})*[.,]\d\d|\d{1,6}[.,]\d\d)(?![\d%:/-]|[.,]\d|\s?(?:%"
    r"|uhr|h\b|uur|am\b|pm\b|kg|g\b|mm|cm|l\b|ml|bar|v\b|w\b))"
)

_EMAIL = re.compile(r"[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9][a-z0-9.-]{0,200}\.[a-z]{2,12}")
_PHONE = re.compile(
    r"(?<![\w+])(?:\+|00)\d{1,3}[\s()/.-]{0,3}\d[\d\s()/.-]{5,18}\d(?!\w)"
    r"|(?<![\w./-])\(?0\d{2,5}\)?[\s/-]\d[\d\s/-]{4,14}\d(?!\w)"
    r"|(?<![\w.,+-])(?<!\d )[2-9]\d\d[ .]\d{3}[ .]\d{3,4}(?![\w-]|[ .,]\d)"
)
_CARD_WORD = r"visa|mastercard|master card|maestro|amex|american express|card|karte|carte|tarjeta|kaart|creditcard|kreditkarte|kartennummer"  # noqa: E501 - one pattern, one line
_ENDING = r"ending|ends|end|endet|endend|endziffern?|endung|letzten vier ziffern|terminant|finissant|se terminant|terminada|que termina|acaba|acabada|eindigend|eindigt|laatste vier cijfers|last four digits|last 4 digits|last four|quatre derniers chiffres|ultimas cuatro cifras|ultimos cuatro digitos|digits|ziffern|chiffres|digitos|cijfers"  # noqa: E501 - one pattern, one line
_CARD = re.compile(
    rf"(?:\b(?:{_ENDING})\b(?:\s(?:in|with|on|auf|mit|par|en|op|are|sind|sont|son|zijn|de|por))?[:\s]{{0,3}}"
    rf"|\b(?:{_CARD_WORD})\b[\s(:,]{{1,3}}(?:no\.?\s|number\s|nr\.?\s)?(?:[*x\u2022.\u2026]{{2,14}}[\s-]?)?"
    rf"|[*x\u2022]{{3,14}}[\s-]?)(\d{{4}})(?![\d.,:/-]\d|\d)"
)

_ID = re.compile(r"\b[a-z]{2,5}_[a-z0-9]{8,40}\b")
_RECORD = re.compile(
    r"(?<![\w-])(?:[a-z]{1,4}-?\d{1,2}-\d{3,6}-\d{3,8}|[a-z]{2,4}\d?-\d{4,10}(?:-\d{1,8})?|[a-z]{2,5}-\d{3}(?!\d)"
    r"|[a-z]{2,6}\d{9,24}[a-z]{0,2}|\d[a-z]{1,6}\d{9,20})(?![\w-]*\w)"
)
_DIGITS = re.compile(r"(?<![\w+.,-])\d{10,24}(?![\w]|[.,]\d)")
_NOT_RECORDS = {
    "iso",
    "din",
    "en",
    "ral",
    "covid",
    "ab",
    "ca",
    "um",
    "to",
    "bis",
    "de",
    "it",
    "utc",
    "gmt",
    "eur",
    "cad",
}

_UK = r"[a-z]{1,2}\d[a-z\d]?\s\d[a-z]{2}"
_IE = r"[a-z]\d[\dw]\s[a-z\d]{4}"
_NL = r"[1-9]\d{3}\s[a-z]{2}"
_CA = r"[a-z]\d[a-z]\s\d[a-z]\d"
_POSTCODE = re.compile(rf"(?<![\w-])(?:{_UK}|{_IE}|{_CA})(?![\w-])")
_TOWN = re.compile(r"(?<![\w.,€$-])(\d{5}|[1-9]\d{3}\s[A-Z]{2})(?![\w%])(?=,?\s[A-ZÀ-Þ])")
_STREET_WORDS = r"street|road|lane|avenue|gardens?|close|drive|hill|rise|court|crescent|terrace|square|mews|grove|way|place|park|gate|walk|view|parade|quay|row|st|rd|ave"  # noqa: E501 - one pattern, one line
_STREET = re.compile(
    rf"(?<![\w.,/-])(?P<n1>\d{{1,4}}[a-d]?),?\s(?P<s1>(?:[a-z][a-z']{{1,20}}\s){{1,3}}(?:{_STREET_WORDS}))\b"
    r"|\b(?P<s2>(?:[a-zäöü][a-zäöü-]{2,25})(?:strasse|strase|str\.|weg|allee|platz|gasse|ring|damm|ufer|hang|straat"
    r"|markt|graben|steig|chaussee"
    r"|laan|plein|gracht|kade|dijk|singel|\s?gürtel|\s?gurtel))\s(?P<n2>\d{1,4}[a-d]?)\b(?!\s?(?:uhr|euro|eur|€|%"
    r"|tage|dagen|werk|uur))"
    r"|(?<![\w.,/-])(?P<n3>\d{1,4}[a-d]?)(?:\s?(?:bis|ter))?,?\s(?P<s3>(?:rue|avenue|boulevard|place|chemin|allee"
    r"|quai|impasse|route|faubourg|esplanade|ruelle|sentier)\s(?:[a-z'-]{2,20}\s?){1,4})"
    r"|\b(?P<s4>(?:calle|avenida|paseo|plaza|carrer|camino"
    r"|ronda|travesia|glorieta|callejon|rambla|gran via)"
    r"\s(?:[a-z'-]{2,20}\s){0,4}[a-z'-]{2,20}),?\s(?P<n4>\d{1,4}[a-d]?)\b"
)
_BY_A_PLACE = re.compile(
    r"\b(?P<s>(?:(?:An|Auf|In|Unter|Hinter|Vor|Bei|Zu) (?:der|den|dem)|Am|Im|Zum|Zur|(?:Grote|Oude|Nieuwe|Korte|Lange"
    r"|Kleine|Alte[rn]?|Neue[rn]?|Gro(?:ss"
    r"|\u00df)e[rn]?))(?:\s[A-Z\u00c0-\u00de][\w\u00df-]{2,24}){1,3})\s(?P<n>\d{1,3}[a-d]?)"
    r"(?=,\s(?:\d{4,5}\s)?[A-Z\u00c0-\u00de]|\s(?:in|\u00e0|a|en|te)\s(?:\d{4,5}\s)?[A-Z\u00c0-\u00de])"
)
"""A street without a word for one, before its town: `An der Alten Ziegelei 18 in Frankfurt`."""
_FILLERS = re.compile(
    r"\b(?:is|on|its|the|a|an|in|by|per|or|and|our|your|their|for|to|at|it|was|are|has|been|had|will|this|that|his"
    r"|her)\b"
)
"""Words that do not stand in the name of a street: `2 is on its way`."""
_WAYS = {"unterweg", "onderweg", "hinweg", "ruckweg", "deswegen", "halverweg", "rechtsweg"}

_RELATIVE = {
    "today": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0, "vandaag": 0,
    "tomorrow": 1, "morgen": 1, "demain": 1, "manana": 1,
    "yesterday": -1, "gestern": -1, "hier": -1, "ayer": -1, "gisteren": -1,
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi lunes maandag", "tuesday dienstag mardi martes dinsdag",
            "wednesday mittwoch mercredi miercoles woensdag", "thursday donnerstag jeudi jueves donderdag",
            "friday freitag vendredi viernes vrijdag", "saturday samstag sonnabend samedi sabado zaterdag",
            "sunday sonntag dimanche domingo zondag",
        )
    )
    for name in names.split()
}  # fmt: skip
_DAYS = re.compile(r"\b(?:" + "|".join([*map(re.escape, _RELATIVE), *_WEEKDAYS]) + r")\b")


_BETWEEN = re.compile(r"['\s]")
"""What may stand between the digits of an amount."""


def cents_of(number: str) -> int | None:
    """Parse an amount: 1,849.00, 1.849,00, 1849 and 24,9 are all understood."""
    digits = _BETWEEN.sub("", number)
    head, mark, tail = digits.rpartition("." if digits.rfind(".") > digits.rfind(",") else ",")
    if not mark:
        return int(digits) * 100 if digits.isdigit() else None
    head = head.replace(".", "").replace(",", "")
    if len(tail) == 3:  # a thousands separator
        return int(head + tail) * 100
    return int(head or 0) * 100 + int(tail.ljust(2, "0"))


def _day(year: int, month: int, day: int) -> str | None:
    """Return a day in normal form; year 0 means that none is stated."""
    try:
        date(year or 2024, month, day)
    except ValueError:
        return None
    return f"{year:04d}-{month:02d}-{day:02d}" if year else f"--{month:02d}-{day:02d}"


def _year(text: str | None) -> int:
    return 0 if not text else int(text) + 2000 if len(text) == 2 else int(text)


def _dates(text: str, cues: Cues) -> Iterator[Value]:
    """Yield full dates: a day and a month, with or without a year."""
    for found in _ISO.finditer(text) if cues.four else ():
        if value := _day(int(found[1]), int(found[2]), int(found[3])):
            yield Value(found.start(), found.end(), "date", value)
    parted = not cues.marks.isdisjoint("./-")
    for found in _NUMERIC.finditer(text) if parted else ():
        year = _year(found[4])
        ways = [_day(year, int(found[3]), int(found[1])), _day(year, int(found[1]), int(found[3]))]
        yield from _either(found, ways if found[2] != "." else ways[:1])
    for found in _SHORT.finditer(text) if parted else ():
        first, second = int(found[1]), int(found[2] or found[3])
        yield from _either(found, [_day(0, second, first), *([_day(0, first, second)] if found[2] else [])])
    for found in _SHORT_MONTH.finditer(text) if parted else ():
        yield from _either(found, [_day(0, int(found[2]), int(found[1]))])
    if _MONTH_NAME.search(text) is None:
        return
    for pattern in (_DAY_MONTH, _DAY_AND_DAY):
        for found in pattern.finditer(text):
            if value := _day(_year(found[3]), MONTHS[found[2].rstrip(".")], int(found[1])):
                yield Value(found.start(), found.end(), "date", value)
    for found in _MONTH_DAY.finditer(text):
        if value := _day(_year(found[3]), MONTHS[found[1].rstrip(".")], int(found[2])):
            yield Value(found.start(), found.end(), "date", value)


def _either(found: re.Match[str], ways: list[str | None]) -> Iterator[Value]:
    known = [way for way in dict.fromkeys(ways) if way]
    if known:
        yield Value(found.start(), found.end(), "date", known[0], tuple(known[1:]))


def names_a_day(text: str) -> bool:
    """Check whether a text names a day relative to today: without one, its values do not depend on today."""
    return _DAYS.search(text) is not None


def _days(text: str, today: date | None) -> Iterator[Value]:
    """Yield days that are named relative to today; a weekday is the last or the next one."""
    if today is None:
        return
    for found in _DAYS.finditer(text):
        word = found[0]
        if word == "hier" and len(_FRENCH.findall(text, max(0, found.start() - 200), found.end() + 200)) < 2:
            continue  # German and Dutch for here
        if word in _RELATIVE:
            days = [today + timedelta(days=_RELATIVE[word])]
        else:
            ahead = (_WEEKDAYS[word] - today.weekday()) % 7
            days = [today + timedelta(days=ahead), today + timedelta(days=ahead - 7), today + timedelta(days=ahead + 7)]
            if _LAST.search(text, max(0, found.start() - 14), found.start()) or _PAST.match(text, found.end()):
                days = [today + timedelta(days=ahead - 7)]
        first, *rest = (day.isoformat() for day in days)
        yield Value(found.start(), found.end(), "day", first, tuple(rest))


_FRENCH = re.compile(r"\b(?:vous|nous|votre|vos|est|sont|avons|avez|les|le|des|une|bonjour|pour|sur|et)\b")
_LAST = re.compile(r"\b(?:last|past|letzte[nrm]|vergangene[nrm]|vorige[nrm]?|afgelopen)\s$")
_PAST = re.compile(r"\s(?:dernier|pasado)\b")
"""A weekday that has passed: `last Friday`."""


def _money(text: str, cues: Cues) -> Iterator[Value]:
    for found in _AMOUNT.finditer(text) if cues.money else ():
        cents = cents_of(found["a"] or found["b"])
        if cents is None:
            continue
        rest = _CENTS_AFTER.match(text, found.end()) if found["b"] and cents % 100 == 0 else None
        if rest is None:
            yield Value(found.start(), found.end(), "amount", str(cents))
        else:
            yield Value(found.start(), rest.end(), "amount", str(cents + int(rest[1])))
    for found in _DECIMAL.finditer(text) if not cues.marks.isdisjoint(".,") else ():
        cents = cents_of(found[1])
        if cents is not None:
            yield Value(found.start(), found.end(), "number", str(cents))


def _numbers(text: str, cues: Cues) -> Iterator[Value]:
    """Yield record numbers, ids, serial and tracking numbers."""
    for found in _ID.finditer(text) if "_" in cues.marks else ():
        yield Value(found.start(), found.end(), "record", found[0].upper())
    for found in _RECORD.finditer(text) if cues.three else ():
        if found[0].split("-")[0] not in _NOT_RECORDS:
            yield Value(found.start(), found.end(), "record", found[0].upper())
    for found in _DIGITS.finditer(text) if cues.digits >= LEAST_DIGITS else ():
        yield Value(found.start(), found.end(), "record", found[0])


def street_at(address: Mapping[str, Any]) -> str:
    """Return the normal form of the street of an address, or ""; its number may stand on the second line."""
    line = str(address.get("line1") or "")
    return street_of(line) or street_of(f"{line} {address.get('line2') or ''}")


def street_of(line: str) -> str:
    """Return the normal form of the first line of an address, or ""."""
    line = " ".join(_STOPS.sub(" ", fold(line)).split())
    for pattern, number, name in ((_NUMBER_FIRST, 1, 2), (_NUMBER_LAST, 2, 1)):
        if fits := pattern.fullmatch(line):
            return street_key(fits[name], fits[number])
    return ""


_STOPS = re.compile(r"[.,;]")
_NUMBER_FIRST = re.compile(r"(\d{1,4}[a-z]?)\s+(.+)")
_NUMBER_LAST = re.compile(r"(.+?)\s+(\d{1,4}[a-z]?)")


def street_key(name: str, number: str) -> str:
    """Return the normal form of a street and its number."""
    words = _SIGNS.sub(" ", fold(name).replace("'", "")).strip()
    return f"{street_words(_STRASSE.sub('str', words))} {number}".upper()


_SIGNS = re.compile(r"[^a-z0-9]+")
_STRASSE = re.compile(r"(?:strasse|strase|straat|str)$")


def _addresses(text: str, original: str, cues: Cues) -> Iterator[Value]:
    for found in _POSTCODE.finditer(text):
        yield Value(found.start(), found.end(), "postcode", re.sub(r"\s", "", found[0]).upper())
    for found in _TOWN.finditer(original) if cues.four else ():
        yield Value(found.start(1), found.end(1), "postcode", found[1].replace(" ", ""))
    for found in _STREET.finditer(text):
        name = found["s1"] or found["s2"] or found["s3"] or found["s4"]
        number = found["n1"] or found["n2"] or found["n3"] or found["n4"]
        if name not in _WAYS and not _FILLERS.search(name):
            yield Value(found.start(), found.end(), "street", street_key(name, number))
    for found in _BY_A_PLACE.finditer(original) if cues.digits else ():
        if not _DAYS.search(found["s"].lower()):
            yield Value(found.start(), found.end(), "street", street_key(found["s"], found["n"]))


def _contacts(text: str, cues: Cues) -> Iterator[Value]:
    for found in _EMAIL.finditer(text) if "@" in cues.marks else ():
        yield Value(found.start(), found.end(), "email", found[0].rstrip("."))
    for found in _PHONE.finditer(text) if cues.digits >= LEAST_PHONE else ():
        digits = re.sub(r"\D", "", found[0])
        if LEAST_PHONE <= len(digits) <= 15:
            yield Value(found.start(), found.end(), "phone", digits)
    for found in _CARD.finditer(text) if cues.four else ():
        if not (found[1][:2] in {"19", "20"} and not re.match(rf"\b(?:{_ENDING})|[*x\u2022]", found[0])):
            yield Value(found.start(1), found.end(1), "card", found[1])


def _usual(start: int, end: int, kind: str, readings: tuple[str, ...]) -> Value:
    """Make a value of what was found in unusual notation."""
    if kind == "house":
        return Value(start, end, "street", street_key(*readings), unusual=True)
    return Value(start, end, kind, readings[0], readings[1:], unusual=kind not in {"email", "amount"})


_RANK = {
    kind: rank
    for rank, kind in enumerate(
        ("email", "record", "phone", "card", "date", "postcode", "street", "amount", "percent", "time", "day", "number")
    )
}


def read_values(text: str, today: date | None = None, original: str | None = None) -> tuple[Value, ...]:
    """Return the values of a folded text, in order; where two overlap, the more specific one."""
    cues = cues_of(text)
    found = [*_contacts(text, cues), *_numbers(text, cues)]
    if cues.digits:
        found += _dates(text, cues)
        found += _addresses(text, original if original is not None else text, cues)
        found += _money(text, cues)
        found += _percentages(text) if cues.percent else ()
        found += _times(text) if not cues.marks.isdisjoint(":.h") else ()
    found += _days(text, today)
    found += [_usual(*one) for one in unusual_values(text, cues)]
    found.sort(key=lambda one: (one.unusual, _RANK[one.kind], one.start, one.start - one.end))
    taken = bytearray(len(text) + 1)
    kept = []
    for one in found:
        if 1 not in taken[one.start : one.end]:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            kept.append(one)
    return _with_weekdays(text, sorted(kept))


def _with_weekdays(text: str, values: list[Value]) -> tuple[Value, ...]:
    """Return values; a weekday right before a date is a part of it: `Friday, 27 February`."""
    found: list[Value] = []
    for one in values:
        before = found[-1] if found else None
        if (
            one.kind == "date"
            and before is not None
            and before.kind == "day"
            and text[before.start : before.end] in _WEEKDAYS
            and _UP_TO_A_DATE.fullmatch(text, before.end, one.start)
        ):
            found[-1] = Value(before.start, one.end, "date", one.value, one.others, one.unusual)
        else:
            found.append(one)
    return tuple(found)


_UP_TO_A_DATE = re.compile(r",?\s(?:(?:the|le|el|den|der|dem|de|am|on)\s)?")


def plain_value(text: str) -> Value | None:
    """Return the one value that a whole text is, if it is an e-mail address or a record number; else None."""
    if len(text) > LONGEST_PLAIN:
        return None
    found = _EMAIL.match(text)
    if found is not None:
        whole = found.end() == len(text) and not text.endswith(".")
        return Value(0, len(text), "email", text) if whole else None
    if "@" in text:
        return None
    return next((one for one in _numbers(text, cues_of(text)) if (one.start, one.end) == (0, len(text))), None)


LEAST_PHONE = 9
LEAST_DIGITS = 10
"""How many digits a phone number has, and a number without letters."""
LONGEST_PLAIN = 80
"""How long a text may be that is read as one value."""
_PERCENT = re.compile(
    r"(?<![\d.,])\d{1,3}(?:[.,]\d)?\s?(?:%|(?:percent|per cent|prozent|pour cent|por ciento|procent)\b)"
)


def may_name_a_street(text: str) -> bool:
    """Check whether a folded text may have a value of the kind `street`."""
    return bool(_DIGIT.search(text)) and (_STREET.search(text) is not None or may_name_a_house(text))


def families_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield the letters and the number of digits of what may be record numbers in a folded text, such as LK, 5."""
    for found in _RECORD.finditer(text):
        if fits := FAMILY.fullmatch(found[0].upper()):
            yield fits[1], len(fits[2])


FAMILY = re.compile(r"([A-Z]{2,4})-(\d{4,8})")
_DIGIT = re.compile(r"\d")


def _percentages(text: str) -> Iterator[Value]:
    for found in _PERCENT.finditer(text):
        yield Value(found.start(), found.end(), "percent", found[0])


def _times(text: str) -> Iterator[Value]:
    for found in _TIME.finditer(text):
        hour = on_the_clock(int(found[1]), HALF.match(text, found.end()))
        yield Value(found.start(), found.end(), "time", f"{hour:02d}:{found[2] or found[3]}")
