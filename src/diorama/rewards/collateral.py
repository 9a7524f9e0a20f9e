"""Read columns of a changed row."""

from __future__ import annotations

from typing import Any

from diorama.kernel import Change, Defect, Tx


def row_value(tx: Tx, change: Change, column: str) -> Any:
    """Return a column of the changed row: from the change if it has it, else from the current row.

    Raise a Defect if the table has no such column.
    """
    known = tx.company.tracked.get(change.table, ())
    if column not in known:
        said = f"has no column {column!r}; it has {', '.join(known)}" if known else "is not a table of this company"
        raise Defect(f"row_value: {change.table} {said}", boundary="grader")
    for side in (change.after, change.before):
        if side is not None and column in side:
            return side[column]
    rows = tx.rows(f'SELECT "{column}" FROM {change.table} WHERE id = ?', change.key)
    return rows[0][0] if rows else None
