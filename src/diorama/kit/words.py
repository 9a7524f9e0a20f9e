"""Words that leave a company: what an app sent or showed to people outside, found in the record of its changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol

import msgspec

from diorama.kernel import Change, Tx
from diorama.kit.documents import Document

Way = Literal["mail", "page", "field"]
"""How words reach people: a message, a comment on a page, or a text that they see when they look."""


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What one row change told people outside, as it was at that moment."""

    body: str = ""
    """The text that a reader is shown."""
    extra: tuple[str, ...] = ()
    """Texts that came with it: attributes and comments of its HTML, names and contents of files."""
    struck: tuple[str, ...] = ()
    """Texts that are struck through: they tell and claim nothing, but they can be read."""
    unread: tuple[str, ...] = ()
    """The names of files and pictures that came with it and that no check can read."""
    to: tuple[str, ...] = ()
    """The addresses that it went to."""
    thread: int | str = 0
    """The conversation that it belongs to; 0 if it has none."""
    way: Way = "mail"
    staff: bool = True
    """Whether it stands under the name of staff."""
    seq: int = 0
    """The event that sent it."""
    at: int = 0
    """When, in microseconds."""


class Moment(Protocol):
    """The rows as they were right after one event, in stored values."""

    @property
    def tx(self) -> Tx: ...
    @property
    def seq(self) -> int: ...
    def row(self, table: str, key: int | str) -> Mapping[str, Any] | None:
        """Return a row as it was, or None."""

    def first(self, table: str, key: int | str, column: str) -> Any:
        """Return a value as it was before the agent first changed it; None for a row that the agent added."""

    def made(self, table: str, key: int | str) -> bool:
        """Check whether an act of the agent had added or changed a row by then."""

    def document(self, content: bytes) -> Document:
        """Read a file, within what one judgement reads of files."""


class Outlet(msgspec.Struct, frozen=True):
    """How the changes of one table become words that leave."""

    read: Callable[[Moment, Change], Iterable[Sent]]
    everyone: bool = False
    """Whether changes that others caused are read, too, such as a mail of a rule that the agent made."""
