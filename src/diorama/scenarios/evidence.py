"""Evidence has a source: what people wrote themselves, and since when a sender is known to own an account."""

from __future__ import annotations

import re
from typing import Protocol

from diorama.apps.zendesk.schema import Comment, User
from diorama.kernel import to_us
from diorama.rewards import View

PEOPLE = "people"
"""The app in whose events simulated people act."""


class Account(Protocol):
    """What a truth says about who owns the account that a ticket is about."""

    @property
    def ticket_id(self) -> int: ...
    @property
    def emails(self) -> tuple[str, ...]: ...
    @property
    def digits(self) -> str: ...


def written_by_people(view: View, ticket_id: int) -> list[tuple[User, Comment]]:
    """Return the public comments that people from outside wrote themselves, in order, with their authors.

    A comment counts if it was there before the episode, or if a person's own act added it. What anything else added in
    a person's name does not count. Comments and authors that the agent changed do not count either.
    """
    return view.once(f"written {ticket_id}", lambda: _written(view, ticket_id))


def public_comments(view: View, ticket_id: int) -> list[Comment]:
    """Return the public comments on a ticket, in order."""
    return [one for one in comments_on(view, ticket_id) if one.public]


def comments_on(view: View, ticket_id: int) -> list[Comment]:
    """Return all comments on a ticket, in order. They are read once for all who need some of them."""
    return view.tx.all(Comment, "ticket_id = ?", ticket_id)


def _written(view: View, ticket_id: int) -> list[tuple[User, Comment]]:
    added, changed = view.history.added_by, view.history.rows
    found = []
    for comment in public_comments(view, ticket_id):
        author = view.tx.find(User, comment.author_id)
        row = ("zendesk_comments", comment.id)
        own = added.get(row, PEOPLE) == PEOPLE and row not in changed
        if own and author is not None and author.role == "end-user" and ("zendesk_users", author.id) not in changed:
            found.append((author, comment))
    return found


def owner_since_us(view: View, truth: Account) -> int | None:
    """Return when the owner of the account first wrote on the ticket, or None.

    The owner writes from an address that the account had before the episode, or names the digits of its card where
    that counts as a proof.
    """
    return view.once("owner since", lambda: _owner_since_us(view, truth))


def _owner_since_us(view: View, truth: Account) -> int | None:
    for author, comment in written_by_people(view, truth.ticket_id):
        if author.email in truth.emails or names(comment.body, truth.digits):
            return to_us(comment.created_at)
    return None


def names(text: str, digits: str) -> bool:
    """Check whether a text states these digits, not as a part of a longer number or word."""
    if not digits or digits not in text:
        return False
    return re.search(rf"(?<![\w-]){re.escape(digits)}(?![\w-])", text) is not None


def numbers_named(text: str) -> set[int]:
    """Return the whole numbers that a text names, such as those of tickets."""
    return {int(one) for one in re.findall(r"(?<!\d)\d{1,9}(?!\d)", text)}
