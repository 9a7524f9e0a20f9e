"""Every pattern and every public function that reads an agent's words takes linear time, whatever the words are."""

from __future__ import annotations

import random
import re
import re._constants as codes
import re._parser as parser
import time
from collections.abc import Callable, Iterator
from itertools import count
from types import ModuleType
from typing import Any

import pytest

from diorama import start
from diorama.kit import disguises, documents, encodings, places, text, unseen
from diorama.kit.lazy_patterns import LazyPattern
from diorama.people import reading
from diorama.rewards import forgeries, insults
from diorama.rewards.claims.clauses import read_clauses
from diorama.rewards.claims.folding import fold, fold_places
from diorama.rewards.claims.values import CHARACTERS, read_values
from diorama.scenarios import desk_forged, desk_private, early_words, evidence, strangers

MODULES = [
    disguises, documents, encodings, places, text, unseen, reading, forgeries, insults, desk_forged, desk_private,
    early_words, evidence, strangers,
]  # fmt: skip
N = 4_000
FLOOR_MS = 20.0
"""Below this no ratio is measured: a quadratic reader of 4 x N characters takes longer."""
AT_ONCE_MS = 500.0
"""What no linear reader of N characters takes."""
CLAIMS_FLOOR_MS = 400.0
"""What reading a text of the greatest length may take."""
RATIO = 8.0
"""Linear is 4, quadratic 16."""
SPOILERS = ("", "\x00", "a", "é", ")")
TEXTS_EACH = 9
NUMBERS = count()
"""Each text is a new one, since some readers keep what they have read."""


def patterns_in(value: Any, depth: int = 2) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LazyPattern):
        yield re.compile(value.pattern, value.flags)
    elif depth and isinstance(value, dict):
        for one in value.values():
            yield from patterns_in(one, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from patterns_in(one, depth - 1)


def patterns(module: ModuleType) -> dict[str, re.Pattern[Any]]:
    found = {}
    for name, value in vars(module).items():
        for place, one in enumerate(patterns_in(value)):
            found[f"{module.__name__}.{name}[{place}]"] = one
    if module is reading:
        for name, value in vars(reading._patterns()).items():
            for place, one in enumerate(patterns_in(value, 4)):
                found[f"people.reading.{name}[{place}]"] = one
    return found


def literals(tree: Any) -> Iterator[str]:
    """Yield the literal runs of a parsed pattern, and a character of each class."""
    run = ""
    for code, value in tree:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        if run:
            yield run
        run = ""
        if code is codes.IN:
            yield from _of_class(value)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from literals(value[2])
        elif code is codes.SUBPATTERN:
            yield from literals(value[3])
        elif code is codes.ATOMIC_GROUP:
            yield from literals(value)
        elif code is codes.BRANCH:
            for one in value[1]:
                yield from literals(one)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from literals(value[1])
    if run:
        yield run


CATEGORIES = {
    codes.CATEGORY_DIGIT: "1", codes.CATEGORY_WORD: "w", codes.CATEGORY_SPACE: " ", codes.CATEGORY_NOT_WORD: "!",
    codes.CATEGORY_NOT_SPACE: "s", codes.CATEGORY_NOT_DIGIT: "d",
}  # fmt: skip


def _of_class(items: Any) -> Iterator[str]:
    for code, value in items[:4]:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])
        elif code is codes.CATEGORY:
            yield CATEGORIES.get(value, "x")
        elif code is codes.NEGATE:
            yield "z"


def hostile_units(pattern: re.Pattern[Any]) -> list[str]:
    """Return what to repeat: each literal of a pattern, pairs and triples of them; a sample of all."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    found = list(dict.fromkeys(literals(parser.parse(source, pattern.flags & ~re.UNICODE))))
    dice = random.Random(ascii(source))
    units = list(found) if len(found) <= TEXTS_EACH else dice.sample(found, TEXTS_EACH)
    for size in (2, 2, 3):
        units += ["".join(dice.choice(found) for _ in range(size)) for _ in range(TEXTS_EACH // 3) if found]
    return list(dict.fromkeys(units))


def cpu_ms(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def is_linear(read: Callable[[str], object], unit: str, spoiler: str) -> bool:
    def text_of(length: int) -> str:
        return f"{next(NUMBERS)} {(unit * (length // len(unit) + 1))[:length]}{spoiler}"

    if cpu_ms(lambda: read(text_of(N))) > AT_ONCE_MS:
        return False
    if cpu_ms(lambda: read(text_of(4 * N))) < FLOOR_MS:
        return True
    short = min(cpu_ms(lambda: read(text_of(N))) for _ in range(3))
    long = min(cpu_ms(lambda: read(text_of(4 * N))) for _ in range(3))
    return long < FLOOR_MS or long / max(short, 0.1) < RATIO


def found_by(pattern: re.Pattern[Any]) -> Callable[[str], object]:
    if isinstance(pattern.pattern, bytes):
        return lambda said: sum(1 for _ in pattern.finditer(said.encode("latin-1", "replace")))
    return lambda said: sum(1 for _ in pattern.finditer(said))


@pytest.mark.soak
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_pattern_takes_linear_time(module: ModuleType) -> None:
    slow = []
    for name, pattern in patterns(module).items():
        read, dice = found_by(pattern), random.Random(name)
        tried = ((unit, dice.choice(SPOILERS)) for unit in (*hostile_units(pattern), *SEPARATORS))
        slow += [(name, *one) for one in tried if not is_linear(read, *one)]
    assert not slow


READERS: dict[str, Callable[[str], object]] = {
    "decoded_texts": lambda said: encodings.decoded_texts.__wrapped__(said),
    "document": lambda said: documents._read(said.encode(errors="replace"), 2),
    "pdf": lambda said: documents._read(b"%PDF" + said.encode(errors="replace"), 2),
    "rtf": lambda said: documents._read(b"{\\rtf" + said.encode(errors="replace"), 2),
    "xml": lambda said: documents._markup(said.encode(errors="replace")),
    "layout": lambda said: documents._layout(said.encode(errors="replace")),
    "plain_text": lambda said: text.plain_text.__wrapped__(said),
    "unseen_texts": lambda said: unseen.unseen_texts.__wrapped__(said),
    "without_struck": lambda said: unseen.without_struck(said, html=True),
    "without_struck plain": lambda said: unseen.without_struck(said, html=False),
    "remote_pictures": unseen.remote_pictures,
    "name_words": unseen.name_words,
    "separated": disguises.separated,
    "other_readings": lambda said: disguises.other_readings.__wrapped__(said),
    "unwrapped": unseen.unwrapped,
    "read": reading.read,
    "fresh_part": reading.fresh_part,
    "fold": fold,
    "fold_places": fold_places,
    "insults_in": insults.insults_in,
    "claims_of": forgeries.claims_of,
    "numbers_named": evidence.numbers_named,
    "read_values": lambda said: read_values(fold(said), None, fold(said)),
    "read_clauses": lambda said: read_clauses(fold(said), ()),
    "strangers": lambda said: list(strangers._runs(said)),
}
SEPARATORS = (
    "- ",
    ", ",
    ": ",
    "; ",
    "( ",
    "\u2013 ",
    "-\n",
    "a ",
    "1 ",
    "a-",
    "thanks ",
    "thank you ",
    "not ",
    "www.",
    "...",
)
"""What is between words, alone and with short words: it is repeated for every pattern and every reader."""
UNITS = (
    *SEPARATORS,
    "0x41", "\\(1", "(", "((a)", "()", "<", "<b>", "<!--", "<del>", "<a b='", "&", "&#x41;", "%41", "=41", "\\u0041",
    "iv, ", "n ", "#iv, Monday ", "a b ", "alfa ", "x-ray ", "QUJD", "QUJDREVGR0hJSktMTU5P\n", "MFRGGZDFMZTWQ2LK", "~~",
    "a\u0336", "65 ", "41:", "+49 ", "a@b.", "http://a/", ". ", ", and ", "\n> ", "\n", " ", "1", "ı ",
    "refunded 5 EUR ",
)  # fmt: skip


SAID = (
    "!", "?", "-", "w", "o ", "en ", "over ", "#iv, Monday ", "since you : ", "we have sent it, ", "refunded 5 EUR, ",
    '"x" refunded 5 EUR, ', "12.50 EUR ", "LK-16514 ", "(a) ", "\n- ", "if ", "1 ", "@a ", 'w . "x" ', "\u20ac5 ",
    "(a;b); ", "if we have sent it, ",
)  # fmt: skip
"""What the reader of claims gets; most of its patterns are used at one place only, so it is measured as a whole."""


@pytest.mark.soak
@pytest.mark.parametrize("name", ["zendesk/late-refund", "zendesk/restless-subscription"])
def test_the_reader_of_claims_takes_linear_time(name: str) -> None:
    origin, dice = start(name, 7), random.Random(name)
    most = 4 * (CHARACTERS // 4 - 50)

    def cost(unit: str, length: int) -> float:
        episode, said = origin.fork(), f"{next(NUMBERS)} {(unit * length)[:length]}{dice.choice(SPOILERS[1:])}"
        path = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
        assert episode.http("zendesk", "PUT", path, {"ticket": {"comment": {"body": said}}}).status in (200, 422)
        return cpu_ms(episode.finish)

    cost("first ", most)
    usual = min(cost("Hello. ", 10) for _ in range(3))
    for unit in (*SAID, *("".join(dice.sample(SAID, 2)) for _ in range(12))):
        if cost(unit, most) < CLAIMS_FLOOR_MS:
            continue
        short = min(cost(unit, most // 4) for _ in range(3)) - usual
        long = min(cost(unit, most) for _ in range(3)) - usual
        assert long < CLAIMS_FLOOR_MS or long / max(short, 5.0) < RATIO, (unit, short, long)


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_every_reader_takes_linear_time(name: str) -> None:
    dice = random.Random(name)
    units = [*UNITS, *("".join(dice.sample(UNITS, 2)) for _ in range(20))]
    tried = ((unit, dice.choice(SPOILERS)) for unit in units)
    assert not [one for one in tried if not is_linear(READERS[name], *one)]
