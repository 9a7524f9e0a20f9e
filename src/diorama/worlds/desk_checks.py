"""What customers of a help desk can need, checked in its tickets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.kernel import Tx
from diorama.people import check
from diorama.people.reading import read

Args = Mapping[str, Any]
ANSWERED = "shop.answered"
"""The name under which rows of worlds hold this check."""


@check(ANSWERED)
def answered(tx: Tx, args: Args) -> bool:
    """Check for a public staff reply on `ticket` after comment `after` that asks nothing and contains `says`."""
    comments = tx.all(
        Comment, "ticket_id = ? AND id > ? AND public = 1", int(args["ticket"]), int(args.get("after", 0))
    )
    for comment in comments:
        author = tx.find(User, comment.author_id)
        answers = author is not None and author.staff and not read(comment.body).asks
        if answers and str(args.get("says", "")) in comment.body:
            return True
    return False


@check("shop.ticket_untouched")
def ticket_untouched(tx: Tx, args: Args) -> bool:
    """Check that the ticket `ticket` is neither solved nor deleted."""
    ticket = tx.get(Ticket, int(args["ticket"]))
    return ticket.deleted_at is None and ticket.status not in ("solved", "closed")
