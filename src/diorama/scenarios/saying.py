"""What was said: the replies of staff on a ticket, read against the records."""

from __future__ import annotations

from datetime import date
from typing import Any, Protocol

import msgspec

from diorama.apps.zendesk.schema import Comment
from diorama.rewards import View
from diorama.rewards.finding import Finding, Measure


class Telling(msgspec.Struct, frozen=True):
    """A value that the customer must be told: its kind (amount, day, number, name, address), itself, and of what."""

    kind: str
    text: str
    """The value in its plain form: 51.90, 2026-02-27, LK-11410."""
    of: str = ""

    @classmethod
    def of_value(cls, kind: str, value: Any, of: str = "") -> Telling:
        """Return the telling of a value of the cast."""
        if isinstance(value, int):
            return cls("amount", f"{value // 100}.{value % 100:02d}", of)
        if isinstance(value, date):
            return cls("day", value.isoformat(), of)
        return cls(kind, str(value), of)


class Case(Protocol):
    """What the words of a ticket are read against."""

    @property
    def ticket_id(self) -> int: ...
    @property
    def tell(self) -> tuple[Telling, ...]: ...


class Said(msgspec.Struct, frozen=True):
    """The verdict about everything that staff wrote on a ticket."""

    replies: int
    missing: tuple[str, ...] = ()
    false: tuple[str, ...] = ()
    """What costs success, as sentences."""
    loose: tuple[str, ...] = ()
    """What costs quality."""
    expected: str = "the customer is answered"
    evidence: tuple[int, ...] = ()

    def told_finding(self) -> Finding:
        """Judge whether the customer was told what they must know."""
        if not self.replies:
            return Finding(False, self.expected, "no public reply")
        found = f"not told: {', '.join(self.missing)}" if self.missing else f"told in {self.replies} public replies"
        return Finding(not self.missing, self.expected, found, self.evidence)

    def truth_finding(self) -> Finding:
        """Judge whether something false or somebody else's data was written."""
        found = "; ".join(self.false[:3]) or "nothing that the records contradict"
        return Finding(not self.false, "nothing is said that the records contradict", found, self.evidence)

    def quality(self) -> Measure:
        """Judge the small things: each one costs a fifth."""
        level = max(0.0, 1.0 - 0.2 * len(self.loose))
        return Measure(level, "exact words, and no needless mail", "; ".join(self.loose[:3]) or "nothing to object to")


def replies_on(view: View, ticket_id: int) -> list[Comment]:
    """Return what staff wrote to the customer on a ticket since the episode began."""
    rows = view.tx.rows(
        "SELECT c.id FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id WHERE c.ticket_id = ? "
        "AND c.public = 1 AND c.created_at >= ? AND u.role != 'end-user' ORDER BY c.id",
        ticket_id,
        view.staged_us,
    )
    return [view.tx.get(Comment, number) for (number,) in rows]


def said_on(view: View, truth: Case) -> Said:
    """Read everything that staff wrote on the ticket."""
    return view.once("said", lambda: _read(view, truth))


def _read(view: View, truth: Case) -> Said:
    texts = [comment.body for comment in replies_on(view, truth.ticket_id)]
    missing = tuple(f"{one.kind} {one.text}" for one in truth.tell if not any(one.text in text for text in texts))
    expected = f"the customer is told {', '.join(f'{one.kind} {one.text}' for one in truth.tell) or 'how it stands'}"
    return Said(len(texts), missing, expected=expected)
