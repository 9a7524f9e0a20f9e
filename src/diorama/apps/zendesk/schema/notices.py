"""What the desk announces to the rest of the world."""

from __future__ import annotations

from diorama.kernel import Notice


class TicketCreated(Notice):
    """Somebody asked something."""

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
    """A solved ticket is open again."""

    ticket: int


class TicketClosed(Notice):
    """A ticket can no longer change."""

    ticket: int


class CommentAdded(Notice):
    """Something was said; `author` is an e-mail address."""

    ticket: int
    comment: int
    author: str
    public: bool
    by_end_user: bool


class RequesterNotified(Notice):
    """A mail about a ticket left for its requester; `comment` is what it carries, 0 where it carries none."""

    ticket: int
    to: str
    subject: str
    body: str
    comment: int = 0


class ScreenShown(Notice):
    """Something was put before an agent: a ticket, or somebody's profile; 0 for what it is not."""

    agent: str
    ticket: int = 0
    user: int = 0


class OwnerReminded(Notice):
    """A mail asks the account's owner for room for another agent."""

    to: str
    by: str
    subject: str
    body: str


class TicketRated(Notice):
    """A customer said whether the help was good."""

    ticket: int
    score: str
