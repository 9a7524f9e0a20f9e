"""What colleagues wrote for each other about a customer: notes of the back office and internal comments."""

from __future__ import annotations

from collections.abc import Iterator

from diorama.apps.backoffice.schema import Approval, Credit, Note, Refund, Return
from diorama.apps.zendesk.schema import Comment
from diorama.kernel.records import table_of
from diorama.rewards import View
from diorama.rewards.attention import RecordAttention
from diorama.rewards.claims.case import InternalNote
from diorama.scenarios.customer_rows import CustomerRows
from diorama.scenarios.evidence import comments_on

_COMMENTS = table_of(Comment).name


def internal_notes(view: View, ticket_id: int, rows: CustomerRows | None) -> tuple[InternalNote, ...]:
    """Return the internal comments of a ticket, and the notes on the rows of a customer if there are any.

    Comments that merge tickets are left out: they repeat what people wrote. So are notes of the agent beyond what a
    judgement reads of texts in records, which cost success.
    """
    comments = view.kept(("internal comments", ticket_id), (_COMMENTS,), lambda: tuple(_comments(view, ticket_id)))
    if rows is None:
        return notes_within_budget(comments)
    return notes_within_budget((*comments, *rows.once("internal notes", lambda: tuple(_of_rows(view, rows)))))


def notes_within_budget(notes: tuple[InternalNote, ...]) -> tuple[InternalNote, ...]:
    """Leave out what the agent wrote after the end of the budget: notes are texts in records, and counted there."""
    attention = RecordAttention()
    for one in sorted((one for one in notes if one.own), key=lambda one: one.seq):
        if not attention.takes(one.body, one.seq, compared=True):
            return tuple(other for other in notes if not other.own or other.seq < one.seq)
    return notes


def _comments(view: View, ticket_id: int) -> Iterator[InternalNote]:
    for one in comments_on(view, ticket_id):
        if not one.public and one.source.get("rel") != "merge":
            yield _note(view, _COMMENTS, one.id, one.body)


def _of_rows(view: View, rows: CustomerRows) -> Iterator[InternalNote]:
    """Yield the notes on rows; what the agent wrote about its own refunds and credits says what it did."""
    for note in rows.all(Note):
        yield _note(view, table_of(Note).name, note.id, note.body)
    for record, name in ((Return, "note"), (Refund, "note"), (Credit, "note"), (Approval, "decision_note")):
        for one in rows.all(record):
            text = getattr(one, name)
            if text and (table_of(record).name, one.id) not in view.history.rows:
                yield InternalNote(text)


def _note(view: View, table: str, key: int | str, body: str) -> InternalNote:
    row = view.history.rows.get((table, key))
    return InternalNote(body, own=row is not None, seq=row.seq if row is not None else 0)
