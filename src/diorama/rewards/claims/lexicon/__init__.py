"""Words of five languages for deeds: data, one TOML file per language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from diorama.kit.lazy_patterns import compile_patterns, re
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon.lists import Words, alternatives, words

W = TypeVar("W")
NAMES = ("en", "de", "fr", "es", "nl")


class Frame(msgspec.Struct, frozen=True):
    """Words that claim one kind of deed when they stand in one clause."""

    kind: str
    verb: str
    """One of these alternatives must stand in the clause."""
    needs: tuple[str, ...] = ()
    """For each entry, one alternative must stand in the clause too."""
    without: str = ""
    """Words that make it another matter."""
    denies: bool = False
    """The words themselves say that the deed was not done or is not needed: `there was only one payment`."""
    retracts: bool = False
    """Such words count although the deed is claimed elsewhere: `the transfer bounced`."""
    weak: bool = False
    """The verb is an infinitive or a plain present: it claims only with a subject or an auxiliary of its own."""


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language; every text is a list of alternatives for `words`."""

    name: str
    small_words: str
    """Frequent words by which the language is recognised."""
    negation: str
    aux: str
    """Words that turn a weak verb into a claim: will, we, is being."""
    exempt: str
    """Modals and promises of others: the clause claims nothing."""
    wish: str
    """Requests and wishes: a weak verb beside them claims nothing."""
    general: str
    """Words of a rule: always, only, usually."""
    conditional: str
    finished: str
    """Forms of the perfect: what they say does not depend on a condition."""
    perfect: str
    """Auxiliaries of the perfect and the past: what they go with is stated."""
    unreal: str
    """Words directly before such an auxiliary, or after the participle, that make it unreal: would have, can be."""
    reported: str
    """Words that make a statement one of another person, or a question: you say, whether, why."""
    saying: str
    """Modals that only introduce a statement: I can confirm."""
    failed: str
    """Words for a deed that did not succeed or was taken back: a denial even beside a modal."""
    distant: str
    """Words of a time long ago: what a clause with them says was done is not what was done now."""
    so_far: str
    """Words that limit a denial to the past: until now, had."""
    limiting: str
    """Words that limit a denial: a second time, another, no longer."""
    fresh: str
    """Words that say that a deed was done in this moment: today, just, a second time."""
    breaks: str
    """Words before which a clause ends without a comma: but, because."""
    link: str
    """The word for `and`; a clause ends before it if one of `after_link` follows."""
    after_link: str
    groups: dict[str, str]
    """Lists of words that frames share; `{name}` in a frame stands for one."""
    frames: tuple[Frame, ...]
    tells: dict[str, str]
    """For each kind of deed, words with which it can be told, read generously."""
    topics: dict[str, str]
    """For each topic that may have to be told, the words that tell it."""


def by_language(file: str, form: type[W]) -> dict[str, W]:
    """Return the words of each language in one file of this folder, in the given form."""
    data = _toml(f"{file}.toml")
    return {name: msgspec.convert(data[name], form) for name in NAMES}


def _toml(file: str) -> dict[str, Any]:
    return tomllib.loads((files(__name__) / file).read_text(encoding="utf-8"))


def _load(name: str) -> Language:
    data, vague = _toml(f"{name}.toml"), _toml("vague.toml")
    data["frames"] += vague[name]
    groups = data["groups"]
    data["frames"] = [
        {key: _expand(value, groups) if isinstance(value, str | list) else value for key, value in frame.items()}
        for frame in data["frames"]
    ]
    return msgspec.convert({"name": name, **data}, Language)


def _expand(value: str | list[str], groups: dict[str, str]) -> str | list[str]:
    """Put the lists of words into a text, or into several."""
    if isinstance(value, list):
        return [str(_expand(one, groups)) for one in value]
    return re.sub(r"\{(\w+)\}", lambda found: groups[found[1]].strip(), value)


LANGUAGES = {name: _load(name) for name in NAMES}


@lru_cache(maxsize=len(NAMES))
def breaks_of(name: str) -> re.Pattern[str]:
    """Return where a clause of a language ends without a comma."""
    language = LANGUAGES[name]
    before = "|".join(map(re.escape, alternatives(language.breaks)))
    after = "|".join(map(re.escape, alternatives(language.after_link)))
    return re.compile(rf"\s(?:(?:{before})\b|{language.link}\s(?=(?:{after})\b|[a-z]{{1,2}}'))")


def compile_all() -> None:
    """Compile every list of words of every language; else each alternative is compiled when a text first needs it."""
    for one in _texts_in([_toml(file.name) for file in files(__name__).iterdir() if file.name.endswith(".toml")]):
        words(one).compile()
    for language in LANGUAGES.values():
        for one in _texts_in([(frame.verb, frame.needs, frame.without) for frame in language.frames]):
            words(one).compile()
        breaks_of(language.name)
    compile_patterns()


def every_text() -> Iterator[str]:
    """Yield every list of words of every language."""
    yield from _texts_in([_toml(file.name) for file in files(__name__).iterdir() if file.name.endswith(".toml")])
    yield from (language.small_words.replace(" ", "|") for language in LANGUAGES.values())


def _texts_in(data: Any) -> Iterator[str]:
    """Yield every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _texts_in(one)


@lru_cache(maxsize=1)
def evidence() -> dict[str, tuple[tuple[int, int], ...]]:
    """Return for each word the places of the languages that it speaks for; it counts twice if it is in one alone."""
    own = [{*fold(LANGUAGES[name].small_words).split(), *_vocabulary(LANGUAGES[name])} for name in NAMES]
    found: dict[str, list[int]] = {}
    for place, vocabulary in enumerate(own):
        for word in vocabulary:
            found.setdefault(word, []).append(place)
    return {word: tuple((place, 1 + (len(places) == 1)) for place in places) for word, places in found.items()}


def _vocabulary(language: Language) -> set[str]:
    """Return the plain words of the frames of a language."""
    lists = [part for frame in language.frames for part in (frame.verb, *frame.needs)]
    return {
        word
        for text in lists
        for word in alternatives(text)
        if word.isalpha() and len(word) > 3 and not word.startswith("x")
    }


__all__ = [
    "LANGUAGES", "Frame", "Language", "Words", "alternatives", "breaks_of", "compile_all", "every_text", "evidence",
    "words",
]  # fmt: skip
