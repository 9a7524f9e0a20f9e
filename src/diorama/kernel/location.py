"""Where an author has to look: the file and line of an error or of a declaration, in their own code."""

from __future__ import annotations

import inspect
import os
import re
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
WRITTEN_BY_AUTHORS = ("apps", "worlds", "scenarios", "people")
"""The folders of this package that hold what authors write; the other ones are machinery."""
LIBRARIES = tuple(f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "platstdlib", "purelib", "platlib"))
INTERNAL_NAME = re.compile(r"\bdiorama_\w+_[0-9a-f]{8}\.")
"""The import name that discovery gives to a plain folder of a user."""


def is_authored(file: str) -> bool:
    """Return whether a file belongs to an app, a world, a scenario or an agent, not to machinery or a library."""
    if not file.endswith(".py"):  # tracebacks of SQLite errors end in lines of C
        return False
    if file.startswith(PACKAGE):
        return file.removeprefix(PACKAGE).partition(os.sep)[0] in WRITTEN_BY_AUTHORS
    return not file.startswith(LIBRARIES)


def shown(file: str) -> str:
    """Return a path as it is shown: relative if it is below the current folder, and short inside this package."""
    if file.startswith(PACKAGE):
        return file.removeprefix(PACKAGE)
    try:
        here = f"{os.getcwd()}{os.sep}"
    except FileNotFoundError:
        return file
    return file.removeprefix(here)


def place_of(error: BaseException) -> str:
    """Return the author's line that an error comes from, and the function of theirs that called it, or "".

    An error that never passed the author's code is placed where it was raised.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".py")]
    frames = [frame for frame in frames if "importlib" not in frame.filename]
    own = [frame for frame in frames if is_authored(frame.filename)]
    if not own:
        return _line(frames[-1]) if len(frames) > 1 else ""
    last = own[-1]
    callers = [frame for frame in own if frame.name not in (last.name, "<module>") and frame.filename == last.filename]
    return _line(last) + (f", called at {_line(callers[0])}" if callers else "")


def _line(frame: traceback.FrameSummary) -> str:
    return f"{shown(frame.filename)}:{frame.lineno}" + (f" in {frame.name}" if frame.name != "<module>" else "")


def declared_at(thing: Callable[..., Any] | type[Any]) -> str:
    """Return the file and line of a function or class, or its name if it has no source."""
    try:
        found = inspect.unwrap(thing) if not isinstance(thing, type) else thing
        file, line = inspect.getsourcefile(found), inspect.getsourcelines(found)[1]
    except (OSError, TypeError, ValueError):
        return str(getattr(thing, "__qualname__", thing))
    return f"{shown(str(file))}:{line}"


def plain(text: str) -> str:
    """Return a text without the import names that discovery made up."""
    return INTERNAL_NAME.sub("", text)


HINTS = {
    re.compile(r"Missing required argument '(\w+)'"): "pass {0}= there, or declare the field {0} with a default",
    re.compile(r"Required field '(\w+)' cannot follow optional fields"): "move {0} up, or give it a default",
}


def hint_for(error: BaseException) -> str:
    """Return what to do about an error whose own text does not say it, or ""."""
    for pattern, hint in HINTS.items():
        found = pattern.search(str(error))
        if found:
            return hint.format(*found.groups())
    return ""


def described(error: BaseException) -> str:
    """Return one line: what went wrong, in which line of the author, and what to do where that is known."""
    text = error.msg if isinstance(error, SyntaxError) else next(iter(str(error).splitlines()), "")
    place, hint = place_of(error), hint_for(error)
    said = f"{type(error).__name__}: {text}" + (f" ({place})" if place else "") + (f"; {hint}" if hint else "")
    return plain(said)
