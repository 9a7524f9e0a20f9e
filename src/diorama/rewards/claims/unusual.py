"""Values in unusual notation: digits set apart or spelled out, e-mail addresses with "at", spelled-out amounts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.cues import Cues
from diorama.rewards.claims.spelled import number_words

_DIGIT_WORDS = {
    word: str(digit)
    for names in (
        "zero one two three four five six seven eight nine",
        "null eins zwei drei vier fünf sechs sieben acht neun",
        "zero un deux trois quatre cinq six sept huit neuf",
        "cero uno dos tres cuatro cinco seis siete ocho nueve",
        "nul een twee drie vier vijf zes zeven acht negen",
        "zero uno due tre quattro cinque sei sette otto nove",
        "zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec",
        "zero um dois tres quatro cinco seis sete oito nove",
    )
    for digit, word in enumerate(names.split())
} | {"oh": "0", "nought": "0", "zwo": "2", "ein": "1"}
_SPELLED_DIGITS = re.compile(r"\b(?:(?:" + "|".join(_DIGIT_WORDS) + r")\b[\s,./-]{0,3}){4,24}")
_MAIL = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9._%+-]{0,63})(?P<at>\s?@\s?|\s?[(\[{<]\s?(?:at|arroba|chez|a)\s?[)\]}>]\s?|\s(?:at"
    r"|arroba)\s)"
    r"(?P<host>(?:[a-z0-9-]{2,40}(?:\.|\s?[(\[{]\s?(?:dot|punkt|point|punto|punt)\s?[)\]}]\s?|\s(?:dot|punkt|point"
    r"|punto|punt)\s)){1,3}"
    r"[a-z]{2,12})(?![\w@])"
)
_DOT = re.compile(r"\s?[(\[{]?\s?\b(?:dot|punkt|point|punto|punt)\b\s?[)\]}]?\s?")
_ENDING = re.compile(
    r"\.(?:com|net|org|info|biz|example|test|edu|gov|io|co|eu|de|at|ch|fr|be|es|nl|uk|ie|it|pt|pl|us|ca|me|app|dev|shop"
    r"|email|online|site|xyz)$"
)
"""How the name of a host ends."""
_DETERMINER = re.compile(r"(?:this|that|which|what|some|any|one|no|the|every|each)\.")
"""A word that begins no name of a host: `at this point it is late`."""
_ADDRESSED = re.compile(r"mail|write|address|adresse|schreib|ecri|correo|escrib|contact|kontakt|schrijf|adres")
_CALL = r"call|phone|ring|tel|telephone|mobile|dial|whatsapp|anruf\w*|telefon\w*|handy|appel\w*|portable|llam\w*|movil|bel|telefoon\w*|mobiel"  # noqa: E501 - one pattern, one line
_RUN = re.compile(r"(?<![\w.,/-])[+(]{0,2}\d(?:[\s().,/_-]{0,3}\d){5,19}(?![\w])")
_CALLED = re.compile(rf"\b(?:{_CALL})\b[^\n\d]{{0,24}}$")
_ENDS = re.compile(r"\b(?:number|nummer|numero)\b[^\n\d]{0,12}$")
_APART = re.compile(r"(?<![\w])(?:[a-z0-9][ ._/-]){5,40}[a-z0-9](?![\w])")
_CARD_BEFORE = re.compile(
    r"\b(?:card|karte|carte|tarjeta|kaart|kreditkarte|creditcard|visa|mastercard|amex|digits|ziffern|chiffres"
    r"|digitos|cijfers|ending|ends|endet)\b[^\n\d]{0,28}$"
)
_FOUR = re.compile(r"(?<![\w.,:/-])\d(?:[ .-]\d){3}(?![\w]|[ .,:-]\d)|(?<![\w.,:/-])\d\d[ .-]\d\d(?![\w]|[ .,:/-]\d)")
_PAYS = re.compile(
    r"\b(?:pays|paid|paying|zahlt|bezahlt|paie|paye|paga|pago|betaalt)\s(?:with|mit|avec|con|met)\s(\d{4})(?![\w]"
    r"|[.,]\d)"
)
_POSTCODE_APART = re.compile(
    r"\b(?:postcode|post code|postal code|zip|zip code|plz|postleitzahl|code postal|codigo postal)\b[^\n\w]{0,3}(?:is |ist |est |es )?"  # noqa: E501 - one pattern, one line
    r"((?:[a-z0-9][ .-]{1,3}){3,7}[a-z0-9])(?!\w)"
)
_HOUSE = re.compile(
    r"\b(?:house|haus|hausnummer|maison|casa|huis|huisnummer)\s(?:is\s)?(?:no\.?\s|number\s|nr\.?\s|nummer\s"
    r"|numero\s)?(?P<a>\d{1,4}[a-d]?)"
    r"\s(?:in|on|at|of)\s(?:the\s)?(?P<s>(?:[a-z']{2,20}\s){1,2}(?:street|road|lane|avenue|gardens?|crescent"
    r"|terrace|square|mews|grove|court|drive))\b"
    r"|\b(?P<t>(?:[a-z']{2,20}\s){1,2}(?:street|road|lane|avenue|gardens?|crescent|terrace|square|mews|grove|court"
    r"|drive))\b[^.\n\d]{0,24}"
    r"\bhouse\s(?:is\s)?(?:no\.?\s|number\s|nr\.?\s)?(?P<b>\d{1,4}[a-d]?)\b"
)
_LEAD = re.compile(r"^(?:(?:the|is|in|at|street|on|lives)\s)+")
_EURO = re.compile(r"\b(?:euros?|eur|bucks|quid|dollars?|dolar(?:es)?|pounds?)\b")
_TOKEN = re.compile(r"[a-zäöü']+")
_LINKS = {"and", "et", "y", "con", "und", "en"}
_CENT = re.compile(r"cents?|centimes?|centimos?|pence|cent")
_THOUSANDS = re.compile(
    r"(?<![\w.,])(\d{1,3}(?:[.,]\d{1,2})?)\s?(k|hundred|thousand|hundert|tausend|cents?|mille|cientos|mil|honderd"
    r"|duizend)\s?(?:euros?\b|eur\b|€)"
)
_PRICED = re.compile(r"(?<![\w.,])(\d{1,6}[.,]\d\d),-")

Found = tuple[int, int, str, tuple[str, ...]]
"""Start, end, kind, readings."""


def unusual_values(text: str, cues: Cues) -> Iterator[Found]:
    """Yield values of a folded text that are written in an unusual way."""
    yield from _mails(text)
    yield from _digits(text, cues)
    yield from _places(text, cues)
    yield from _amounts(text, cues)


def _mails(text: str) -> Iterator[Found]:
    for found in (
        _MAIL.finditer(text) if "@" in text or " at" in text or "(a" in text or "[a" in text or "arroba" in text else ()
    ):
        plain = found["at"].strip() in {"at", "arroba"}
        host = _DOT.sub(".", found["host"])
        if (
            plain
            and host != found["host"]
            and " dot " not in found["host"]
            and (_DETERMINER.match(host) or not _ENDING.search(host))
        ):
            continue  # a sentence: `and at this point we`
        certain = host != found["host"] or re.search(r"[\d._]", found["name"])
        if plain and not certain and not _ADDRESSED.search(text, max(0, found.start() - 40), found.start()):
            continue
        yield found.start(), found.end(), "email", (f"{found['name']}@{host}",)


def _number(digits: str, called: bool) -> str:
    """Return the kind of value that some digits are, or ""."""
    if len(digits) == 4:
        return "card"
    if 9 <= len(digits) <= 15 or (called and 6 <= len(digits) <= 15):
        return "phone"
    return "record" if len(digits) >= 5 and called else ""


def _digits(text: str, cues: Cues) -> Iterator[Found]:
    for found in _SPELLED_DIGITS.finditer(text):
        digits = "".join(_DIGIT_WORDS[word] for word in re.findall(r"[a-zäöü]+", found[0]))
        if kind := _number(digits, True):
            yield found.start(), found.end(), kind, (digits,)
    for found in _RUN.finditer(text) if cues.digits >= LEAST_CALLED else ():
        digits = re.sub(r"\D", "", found[0])
        head = text[max(0, found.start() - 40) : found.start()]
        called = _CALLED.search(head) is not None or (_ENDS.search(head) is not None and digits == found[0])
        if (called or found[0].lstrip("(+").startswith("0") or "+" in found[0]) and _number(digits, called) == "phone":
            yield found.start(), found.end(), "phone", (digits,)
    if cues.digits < LEAST_APART:
        return
    for found in _APART.finditer(text):
        whole = re.sub(r"[\W_]", "", found[0]).upper()
        count = sum(one.isdigit() for one in whole)
        if whole.isdigit() and 9 <= count <= 15:
            yield found.start(), found.end(), "phone", (whole,)
        elif count >= 4:
            yield found.start(), found.end(), "record", (whole,)
    for pattern in (_FOUR, _PAYS) if cues.four else (_FOUR,):
        for found in pattern.finditer(text):
            if pattern is _PAYS or _CARD_BEFORE.search(text, max(0, found.start() - 48), found.start()):
                yield found.start(), found.end(), "card", (re.sub(r"\D", "", found[found.lastindex or 0]),)


LEAST_CALLED, LEAST_APART = 6, 4
"""How many digits a phone number has after a word for calling, and a number whose digits are set apart."""


def may_name_a_house(text: str) -> bool:
    """Check whether a folded text may have a street whose number stands apart."""
    return _HOUSE.search(text) is not None


def _places(text: str, cues: Cues) -> Iterator[Found]:
    for found in _POSTCODE_APART.finditer(text) if cues.postcode else ():
        code = re.sub(r"\W", "", found[1]).upper()
        if any(one.isdigit() for one in code):
            yield found.start(1), found.end(1), "postcode", (code,)
    for found in _HOUSE.finditer(text) if cues.house else ():
        street, number = found["s"] or found["t"], found["a"] or found["b"]
        yield found.start(), found.end(), "house", (_LEAD.sub("", street), number)


def _amounts(text: str, cues: Cues) -> Iterator[Found]:
    """Yield spelled-out amounts; `twenty euros two` is read as 20.02 and as 20.00."""
    for found in _THOUSANDS.finditer(text) if cues.digits and cues.money else ():
        by = 1000 if found[2] in {"k", "thousand", "tausend", "mille", "mil", "duizend"} else 100
        yield found.start(), found.end(), "amount", (str(round(float(found[1].replace(",", ".")) * by * 100)),)
    for found in _PRICED.finditer(text) if ",-" in text else ():
        yield found.start(), found.end(), "amount", (re.sub(r"\D", "", found[1]),)
    for euro in _EURO.finditer(text) if cues.money else ():
        before = text[max(0, euro.start() - 70) : euro.start()]
        start, euros = euro.start(), None
        if _ENDS_IN_WORD.search(before.rstrip(" -")[-1:]):
            tokens = list(_TOKEN.finditer(text, max(0, euro.start() - 70), euro.start()))[-8:]
            start, euros = _last_number(text, tokens, euro.start())
        if euros is None and euro[0] != "eur":
            continue
        after = _tokens_after(text, euro.end())
        if euros is None:
            end, euros = _first_number(text, after, euro.end())
            if euros is not None and euros > 1:
                yield euro.start(), end, "amount", (str(euros * 100),)
            continue
        end, cents = _first_number(text, after, euro.end())
        if cents is None or cents >= 100:
            if euros > 1:
                yield start, euro.end(), "amount", (str(euros * 100),)
        elif (word := _TOKEN.search(text, end)) and word.start() - end < 3 and _CENT.fullmatch(word[0]):
            yield start, word.end(), "amount", (str(euros * 100 + cents),)
        else:
            yield start, euro.end(), "amount", (str(euros * 100 + cents), str(euros * 100))


_ENDS_IN_WORD = re.compile(r"[a-zäöü']")


def _tokens_after(text: str, start: int) -> list[re.Match[str]]:
    """Return the next words after a place, or none if they do not begin right there."""
    until = min(len(text), start + 50)
    first = _TOKEN.search(text, start, until)
    if first is None or (first[0] not in _LINKS and text[start : first.start()].strip(" -,")):
        return []
    return list(_TOKEN.finditer(text, start, until))[:6]


def _last_number(text: str, tokens: list[re.Match[str]], until: int) -> tuple[int, int | None]:
    """Return the longest spelled-out number that ends right before a place, and its start."""
    if not tokens or text[tokens[-1].end() : until].strip(" -"):
        return until, None
    for first in range(len(tokens)):
        spelled = "".join(one[0] for one in tokens[first:] if one[0] not in _LINKS)
        if tokens[first][0] not in _LINKS and (number := _known().get(spelled)) is not None:
            return tokens[first].start(), number
    return until, None


def _first_number(text: str, tokens: list[re.Match[str]], start: int) -> tuple[int, int | None]:
    """Return the longest spelled-out number that begins right after a place, and its end."""
    while tokens and tokens[0][0] in _LINKS:
        start = tokens.pop(0).end()
    if not tokens or text[start : tokens[0].start()].strip(" -,"):
        return start, None
    for last in range(len(tokens), 0, -1):
        spelled = "".join(one[0] for one in tokens[:last] if one[0] not in _LINKS)
        if (number := _known().get(spelled)) is not None:
            return tokens[last - 1].end(), number
    return start, None


@lru_cache(maxsize=1)
def _known() -> dict[str, int]:
    return number_words(2000)
