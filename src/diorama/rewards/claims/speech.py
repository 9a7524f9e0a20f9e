"""Whether a text speaks to a person: sentences of a language, with the values in them, that say how a matter stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, by_language
from diorama.rewards.claims.lexicon.lists import alternatives, words
from diorama.rewards.claims.taking_apart import Reading, clauses_of, values_of

WITHOUT_VERB = 2
"""How many different small words a sentence has at least in which no verb is known; else one does."""
LABEL = 5
"""How many words name a value that stands behind a colon: `Next delivery: 12 March`."""
LONG_COURTESY = 14
"""How many words a sentence has at most that only greets, thanks or wishes."""
BRIEF, VERBS, SMALL = 6, 2, 4
"""How many words a brief note has at least, and how many verbs or small words: `Plan paused, all else kept.`"""


class Speech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    verbs: str
    courtesy: str
    things: str
    """What a matter is about; with a verb that is none of `looks` it says how the matter stands."""
    looks: str
    """Verbs that only say that someone looked, read or wrote."""
    stands: str


@lru_cache(maxsize=1)
def _known() -> dict[str, Speech]:
    return by_language("speech", Speech)


_GREETINGS = frozenset(
    fold(
        "please thank thanks hello dear hi sorry danke hallo guten tag sehr geehrter geehrte liebe lieber bonjour "
        "merci madame monsieur cordialement chère cher hola gracias estimado estimada sr sra apreciado apreciada "
        "saludos beste hoi dag geachte bedankt dank groet vriendelijke"
    ).split()
)


_MORE_SMALL = frozenset(
    fold(
        "until since before after per than into only still yet seit bis für depuis jusqu'au avant entre desde sinds "
        "vanaf aucun aucune"
    ).split()
)


@lru_cache(maxsize=1)
def _small() -> frozenset[str]:
    """Return the small words of all languages, without greetings."""
    every = {word for name in NAMES for word in fold(LANGUAGES[name].small_words).split()}
    return frozenset((every | _MORE_SMALL) - _GREETINGS)


@lru_cache(maxsize=8)
def _verbs(language: str) -> frozenset[str]:
    return frozenset(one for one in alternatives(_known()[language].verbs) if "*" not in one)


@lru_cache(maxsize=1)
def _every_verb() -> frozenset[str]:
    """Return the verbs of all languages: that of a brief sentence is often taken for another one."""
    return frozenset(one for name in NAMES for one in _verbs(name) if len(one) > 1)


_SHAPES = {
    "en": r"[a-z]{2,}(?:ed|ing|n't)|\w+'(?:s|re|ve|ll|m|d)",
    "de": r"(?:\w{2,4})?ge\w{2,}(?:t|en)|(?:ver|be|er|ent|zer|uber|über)\w{2,}(?:t|en)|\w+iert",
    "fr": r"\w{3,}(?:ee?s?|ons|ez|ont|ent|ait|aient|i|is|it|u|us|ue|ues)|[jnl]'\w+|\w+'(?:est|ai|a|avons)",
    "es": r"\w{3,}(?:ad|id)[oa]s?|\w{3,}(?:amos|emos|imos|aron|ieron|an|en|ara|aran)",
    "nl": r"(?:\w{2,5})?ge\w{2,}(?:d|t|en)|(?:ver|be|her|ont)\w{2,}(?:d|t|en)",
}
_SHAPE = {name: re.compile(rf"(?:{shape})") for name, shape in _SHAPES.items()}
"""How verbs of a language look that are not in its list: participles, and common endings."""
_WORD = re.compile(r"[a-zäöüß][a-zäöüß']*")
_MASKED = re.compile(
    r"\bx(?:amount|number|percent|date|day|time|record|street|postcode|email|phone|card|machine|part|product)\b"
)
"""What stands for a value in the words of a clause."""


def spoken(reading: Reading) -> Reading:
    """Return a reading without the sentences that only line up values and catchwords: `LK-17217. 51.90 EUR refund`."""
    bare = [span for span, here in _lines(reading.head, reading.clauses) if _is_bare(reading.head, span, here)]
    if not bare:
        return reading
    head = reading.head
    for start, end in bare:
        head = head[:start] + " " * (end - start) + head[end:]
    return msgspec.structs.replace(
        reading,
        head=head,
        values=tuple(one for one in reading.values if not _inside(one.start, bare)),
        clauses=[one for one in reading.clauses if not _inside(one.start, bare)],
        claims=[one for one in reading.claims if not _inside(one.clause.start, bare)],
    )


def speaks(reading: Reading) -> bool:
    """Check whether a text says something in sentences, or in a brief note, besides greetings, thanks and wishes."""
    return _speak(reading.clauses)


@lru_cache(maxsize=256)
def is_speech(body: str) -> bool:
    """Check whether a text is words to a person, thanks among them, and not a sign, a catchword or a bare greeting."""
    _, head, values = values_of(body, None)
    clauses = clauses_of(head, values)
    return any(map(_is_said, _sentences(clauses).values())) or _speak(clauses)


def says_how_it_stands(readings: Sequence[Reading]) -> bool:
    """Check whether a sentence of a text says what was done, is so, will be so or is not possible."""
    spoke = [one for one in readings if speaks(one)]
    return any(_stands(here) for one in spoke for here in _sentences(one.clauses).values())


def _speak(clauses: Sequence[Clause]) -> bool:
    sentences = [here for here in _sentences(clauses).values() if not _is_courtesy(here)]
    if any(map(_is_said, sentences)):
        return True
    said = Counter((word, here[0].language) for here in sentences for word in _words_of(here))
    if said.total() < BRIEF:
        return False
    if len({word for word, _ in said} & _small()) >= SMALL:
        return True
    return sum(times for (word, language), times in said.items() if _has_verb([word], language)) >= VERBS


def _sentences(clauses: Sequence[Clause]) -> dict[tuple[int, int], list[Clause]]:
    """Return the clauses of each sentence, and of what joins several, by their places."""
    found: dict[tuple[int, int], list[Clause]] = {}
    for one in clauses:
        found.setdefault(one.sentence, []).append(one)
    return found


def _lines(head: str, clauses: Sequence[Clause]) -> list[tuple[tuple[int, int], list[Clause]]]:
    """Return the sentences with their clauses; those with only a dash or a semicolon between them are one."""
    found: list[tuple[tuple[int, int], list[Clause]]] = []
    for span, here in sorted(_sentences(clauses).items()):
        if found and (found[-1][0][1] > span[0] or not _STOP.search(head, found[-1][0][1] - 3, found[-1][0][1])):
            (start, end), before = found.pop()
            span, here = (start, max(end, span[1])), [*before, *here]
        found.append((span, here))
    return found


_STOP = re.compile(r"[.!?\u2026\n]")


def _inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _words_of(clauses: Sequence[Clause]) -> list[str]:
    """Return the words of a sentence besides its values."""
    return _WORD.findall(" ".join(_MASKED.sub(" ", one.words) for one in clauses))


def _is_bare(head: str, span: tuple[int, int], clauses: Sequence[Clause]) -> bool:
    """Check whether a sentence has values or catchwords and nothing that joins them; lists and labels are not bare."""
    said = _words_of(clauses)
    if any(one in _small() for one in said) or _EQUALS.search(head, *span):
        return False
    text = head[span[0] : span[1]].strip()
    if any(one in _every_verb() for one in said) or (_has_verb(said, clauses[0].language) and len(said) > 1):
        return False
    label, colon, value = text.partition(":")
    if colon and value.strip() and 0 < len(_WORD.findall(label)) <= LABEL:
        return False
    return not _begins_a_line(head, span[0])


_EQUALS = re.compile(r"\s(?:=|->|\u2192)\s")


def _begins_a_line(head: str, place: int) -> bool:
    """Check whether a sentence is a line of a list: it follows another line."""
    before = head[:place].rstrip(" \t*-\u2022\u2013#0123456789.)(")
    return before.endswith("\n") and bool(before.strip())


def _has_verb(said: Sequence[str], language: str) -> bool:
    listed, every, shape = _verbs(language), _every_verb(), _SHAPE[language]
    return any(one in listed or one in every or shape.fullmatch(one) for one in dict.fromkeys(said))


def _is_said(clauses: Sequence[Clause]) -> bool:
    """Check whether words make a sentence: a verb with a small word, or several small words with others."""
    said = _words_of(clauses)
    small = len({one for one in said if one in _small()})
    if _has_verb(said, clauses[0].language):
        return small > 0 and len(said) > 1
    return small >= WITHOUT_VERB and len(said) > WITHOUT_VERB


def _is_courtesy(clauses: Sequence[Clause]) -> bool:
    """Check whether a sentence only greets, thanks or wishes."""
    known = _known()[clauses[0].language]
    text = " ".join(one.words for one in clauses)
    if not words(known.courtesy).search(text) or len(_words_of(clauses)) > LONG_COURTESY:
        return False
    if any(one.values for one in clauses):
        return False
    return not words(known.stands).search(text)


_EXCLAIMED = re.compile(
    r"\b(?:oh|ah|ach|och|ay) (?:no|nein|nee|non|je|dear|man)\b|\bno (?:problem|worries|trouble"
    r"|need to apologi[sz]e)\b|\bnot at all\b"
    r"|\b(?:kein|gar kein) problem\b|\bkeine (?:sorge|ursache)\b|\b(?:pas|aucun) (?:de )?(?:souci|probleme)\b"
    r"|\bne (?:vous inquietez|t'inquiete) pas\b|\bno (?:te preocupes|se preocupe|pasa nada|hay problema)\b"
    r"|\bgeen (?:probleem|zorgen|punt)\b"
)
"""What is called out, or said to calm someone: it has a denial and says nothing about the matter."""


def _plain(clause: Clause) -> Clause:
    if not _EXCLAIMED.search(clause.words):
        return clause
    return msgspec.structs.replace(clause, words=_EXCLAIMED.sub(lambda found: " " * len(found[0]), clause.words))


def _stands(clauses: Sequence[Clause]) -> bool:
    """Check whether a sentence says how a matter stands.

    It does by its words, as what a thing of the matter does, or with a value: other companies have other things.
    """
    stated = [_plain(one) for one in clauses if not one.question]
    looks = words(_known()[clauses[0].language].looks)
    if any(one.values for one in stated) and _is_said(clauses) and not any(looks.search(one.words) for one in clauses):
        return True
    brief = len(_words_of(clauses)) <= BRIEF
    for name in NAMES if brief else (clauses[0].language,):
        known = _known()[name]
        if any(words(known.stands).search(one.words) for one in stated):
            return True
        things = [one for one in stated if words(known.things).search(one.words)]
        if any(_has_verb(_WORD.findall(words(known.looks).sub(" ", one.words)), name) for one in things):
            return True
    return False
