"""Usage errors that commands raise."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import isnan, nan
from pathlib import Path

from typer import BadParameter

from diorama.episodes.usage import Misuse

__all__ = [
    "LONGEST_SECONDS",
    "Misuse",
    "check_words",
    "folder_path",
    "out_path",
    "printable",
    "readable",
    "seconds",
    "writable",
]

LONGEST_SECONDS = 7 * 86_400.0
"""The longest time that an option takes, which every clock can measure: a week."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys instead of showing them, and those that turn the direction of a line."""


def printable(text: str, keep: str = "") -> str:
    """Return a text for a terminal: control characters are shown as escapes, except those in `keep`."""
    return _CONTROL.sub(lambda found: found[0] if found[0] in keep else ascii(found[0])[1:-1], text)


def out_path(text: str) -> Path:
    """Parse --out; refuse the empty text, which Path takes for the current folder."""
    if not text.strip():
        raise Misuse("--out is empty: name a file or a folder.")
    return Path(text)


def folder_path(text: str) -> Path:
    """Parse the name of a folder; refuse the empty text, which Path takes for the current folder."""
    if not text.strip():
        raise Misuse("The name of a folder is empty. Write . for the current one.")
    return Path(text)


def seconds(least: float) -> Callable[[str | float], float]:
    """Return the parser of an option that takes seconds, from `least` on."""

    def parse(text: str | float) -> float:
        try:
            found = float(text)
        except ValueError:
            found = nan
        if isnan(found):
            raise BadParameter(f"{text!r} is not a number. Give seconds, from {least:g} to {LONGEST_SECONDS:g}.")
        if not least <= found <= LONGEST_SECONDS:
            raise BadParameter(f"{text} is not from {least:g} to {LONGEST_SECONDS:g} seconds.")
        return found

    return parse


def check_words(words: Iterable[str]) -> None:
    """Raise Misuse for a word of the command that is not text: it could be neither stored nor printed."""
    for word in words:
        if "\0" in word or word != word.encode(errors="replace").decode():
            raise Misuse(f"{word!r} is not text in UTF-8. Use another name.")


def check_environment(names: Iterable[str]) -> None:
    """Raise Misuse for a variable that is not text; its value, which may be a secret, is not shown."""
    for name in names:
        value = os.environ.get(name, "")
        if value != value.encode(errors="replace").decode():
            raise Misuse(f"The environment variable {name} is not text in UTF-8. Give it another value.")


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Turn the errors of a run that was changed or damaged into one sentence; a changed record may hold anything."""
    from sqlite3 import DatabaseError

    from diorama.runs.documents import UNREADABLE
    from diorama.runs.file import Damaged

    try:
        yield
    except DatabaseError as error:
        raise Misuse(f"The run in {folder} is damaged: {error}. Restore {folder} from a copy.") from None
    except UNREADABLE as error:
        told = f"an episode in {folder} cannot be shown ({type(error).__name__}: {error})."
        raise Damaged("unreadable record", f"{told} What was changed: diorama replay {folder} --verify") from None


def writable(file: Path) -> Path:
    """Return a file that can be written; refuse any other before long work is done for it."""
    try:
        with file.open("a", encoding="utf-8"):
            return file
    except OSError as error:
        raise Misuse(f"Cannot write {file}: {error.strerror}. Choose another file with --out.") from None
