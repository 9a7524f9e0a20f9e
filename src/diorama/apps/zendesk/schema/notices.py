"""The notices that the app sends."""

from __future__ import annotations

from diorama.kernel import Notice


class TicketCreated(Notice):
    """A ticket was created."""

    ticket: int
    requester: str
    channel: str


class TicketUpdated(Notice):
    """A ticket changed; `fields` names what."""

    ticket: int
    fields: tuple[str, ...] = ()


class TicketSolved(Notice):
    """A ticket was marked solved."""

    ticket: int


class TicketReopened(Notice):
    """A solved ticket was reopened."""

    ticket: int


class TicketClosed(Notice):
    """A ticket was closed; it can no longer change."""

    ticket: int


class CommentAdded(Notice):
    """A comment was added; `author` is an email address."""

    ticket: int
    comment: int
    author: str
    public: bool
    by_end_user: bool


class RequesterNotified(Notice):
    """An email about a ticket was sent to its requester; `comment` is the id of the comment in it, or 0."""

    ticket: int
    to: str
    subject: str
    body: str
    comment: int = 0


class ScreenShown(Notice):
    """An agent was shown a ticket or a user's profile; the id of the other is 0."""

    agent: str
    ticket: int = 0
    user: int = 0


class OwnerReminded(Notice):
    """An email was sent that asks the account's owner for another agent seat."""

    to: str
    by: str
    subject: str
    body: str


class TicketRated(Notice):
    """A customer rated a ticket."""

    ticket: int
    score: str
