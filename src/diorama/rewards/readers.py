"""The boundary around the readers of what agents write: a text that a reader fails at is not readable, never void."""

from __future__ import annotations

from collections.abc import Callable
from traceback import walk_tb
from typing import NamedTuple, TypeVar

from diorama.kernel import Defect, Interrupted
from diorama.rewards.finding import Finding

R = TypeVar("R")
READERS = (
    "diorama.kit.documents", "diorama.kit.encodings", "diorama.kit.places", "diorama.kit.text", "diorama.kit.unseen",
    "diorama.people.reading", "diorama.rewards.claims.", "diorama.rewards.forgeries", "diorama.rewards.insults",
    "diorama.scenarios.company_words", "diorama.scenarios.customer_rows", "diorama.scenarios.desk_fields",
    "diorama.scenarios.desk_forged", "diorama.scenarios.desk_private", "diorama.scenarios.desk_tidy",
    "diorama.scenarios.early_words", "diorama.scenarios.evidence", "diorama.scenarios.internal_notes",
    "diorama.scenarios.replies", "diorama.scenarios.saying", "diorama.scenarios.strangers",
)  # fmt: skip
"""Modules that read texts, files and fields; the `words` module of each app belongs to them."""
Place = tuple[str, str]
"""Where the grader calls readers: the kind of a part, and its name."""
SHOWN_AT_MOST = 3
EXPECTED = "texts, files and fields that can be read"


class Failure(NamedTuple):
    """A reader's failure: the error and its file, and the event whose text it read; 0 if that is not known."""

    error: str
    seq: int = 0


class Failures:
    """What the readers of one episode fail at, by the place in the grader where they were called."""

    def __init__(self) -> None:
        self._found: dict[Place, Failure] = {}

    def forget(self, *kinds: str) -> None:
        """Forget the failures at some kinds of places, because all of these are judged again."""
        self._found = {place: one for place, one in self._found.items() if place[0] not in kinds}

    def reading(self, place: Place, read: Callable[[], R], otherwise: R, seq: int = 0) -> R:
        """Return what a function returns, or `otherwise` if a reader fails in it; other failures are raised."""
        try:
            made = read()
        except Interrupted:
            raise
        except Exception as error:
            said = failure_of(error)
            if not said:
                raise
            self._found[place] = Failure(said, seq)
            return otherwise
        self._found.pop(place, None)
        return made

    def at(self, place: Place) -> str:
        """Return what a finding says about a place at which a reader failed; "" if none did."""
        return could_not_be_read(self._found[place].error) if place in self._found else ""

    def errors(self) -> tuple[str, ...]:
        """Return the different errors, in the order of the alphabet."""
        return tuple(sorted({one.error for one in self._found.values()}))

    def findings(self) -> dict[str, Finding]:
        """Return why success is lost, if a reader failed."""
        errors = self.errors()
        if not errors:
            return {}
        seqs = tuple(sorted({one.seq for one in self._found.values() if one.seq}))
        return {"unreadable": Finding(False, EXPECTED, could_not_be_read(*errors[:SHOWN_AT_MOST]), seqs)}


def could_not_be_read(*errors: str) -> str:
    """Return what a finding says about errors of readers."""
    return f"this text could not be read: {', '.join(errors)}"


def failure_of(error: Exception) -> str:
    """Return the name of an error and its file if a reader failed: `KeyError in kit/encodings.py`; else "".

    A broken database or a lack of memory is never the fault of a text.
    """
    if isinstance(error, Defect | MemoryError) or type(error).__module__.partition(".")[0] == "apsw":
        return ""
    modules = [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)]
    if not any(one.startswith(READERS) or one.endswith(".words") for one in modules):
        return ""
    last = next(one for one in reversed(modules) if one.startswith("diorama.") or one.endswith(".words"))
    return f"{type(error).__name__} in {last.removeprefix('diorama.').replace('.', '/')}.py"
