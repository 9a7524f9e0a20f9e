"""Standard triggers, and how a world adds more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.triggers import save_revision
from diorama.apps.zendesk.schema import Action, Trigger
from diorama.apps.zendesk.seed.conditions import Deed, Test, conditions_of
from diorama.kernel import Tx

RECEIVED = "Notify requester and CCs of received request"
ANSWERED = "Notify requester and CCs of comment update"


def add_trigger(
    tx: Tx,
    title: str,
    every: Sequence[Test],
    then: Sequence[Deed],
    *,
    some: Sequence[Test] = (),
    active: bool = True,
    description: str | None = None,
    position: int | None = None,
    default: bool = False,
    at: datetime | None = None,
) -> Trigger:
    """Add a trigger, made now or at a past moment, after the others unless a position is given."""
    moment = at or now(tx)
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_triggers")[0][0]
    made = tx.add(
        Trigger(
            title=title,
            active=active,
            position=last + 1 if position is None else position,
            conditions=conditions_of(every, some),
            actions=tuple(Action(*deed) for deed in then),
            description=description,
            default=default,
            created_at=moment,
            updated_at=moment,
        )
    )
    return save_revision(tx, made, -1)


_CREATED: Test = ("update_type", "is", "Create")
_UPDATED: Test = ("update_type", "is", "Change")
_PUBLIC: Test = ("ticket_is_public", "is", "public")
_HELD: Test = ("assignee_id", "is_not", "")
_BY_ANOTHER: Test = ("assignee_id", "is_not", "current_user")


def _mail(to: str, subject: str, *lines: str) -> Deed:
    return "notification_user", [to, subject, "\n\n".join(lines)]


def _tell_assignee(what: str, text: str) -> Deed:
    return _mail("assignee_id", f"[{{{{ticket.account}}}}] {what}: {{{{ticket.title}}}}", text, "{{ticket.link}}")


def usual_triggers(tx: Tx) -> None:
    """Add an account's standard triggers; without them no email would be sent."""
    _tell_requester(tx)
    _tell_agents(tx)
    add_trigger(
        tx,
        "Notify all agents of received request",
        [_CREATED],
        [_mail("all_agents", "[{{ticket.account}}] {{ticket.title}}", "A ticket (#{{ticket.id}}) has been received.")],
        active=False,
        default=True,
    )
    add_trigger(
        tx,
        "Auto-assign to first email responding agent",
        [
            _UPDATED,
            ("role", "is", "agent"),
            ("comment_is_public", "is", "true"),
            ("assignee_id", "is", ""),
            ("current_via_id", "is", 4),
        ],
        [("assignee_id", "current_user")],
        active=False,
        default=True,
    )


def _tell_requester(tx: Tx) -> None:
    received = "Your request ({{ticket.id}}) has been received and is being reviewed by our support staff."
    more = "To add additional comments, reply to this email."
    words = "{{ticket.latest_comment_formatted}}"
    add_trigger(
        tx,
        RECEIVED,
        [_CREATED, ("status", "is_not", "solved"), _PUBLIC, ("role", "is", "end_user")],
        [_mail("requester_and_ccs", "[Request received] {{ticket.title}}", received, more, words)],
        default=True,
    )
    add_trigger(
        tx,
        "Notify requester of new proactive ticket",
        [_CREATED, _PUBLIC, ("role", "is", "agent")],
        [_mail("requester_id", "{{ticket.title}}", "{{ticket.latest_comment}}", more)],
        default=True,
    )
    updated = f"Your request ({{{{ticket.id}}}}) has been updated. {more}"
    add_trigger(
        tx,
        ANSWERED,
        [_UPDATED, ("comment_is_public", "is", "true"), ("role", "is_not", "requester_id")],
        [
            _mail(
                "requester_and_ccs",
                "[{{ticket.account}}] Re: {{ticket.title}}",
                updated,
                "{{ticket.latest_comment}}",
            )
        ],
        default=True,
    )


def _tell_agents(tx: Tx) -> None:
    add_trigger(
        tx,
        "Notify assignee of comment update",
        [
            _UPDATED,
            ("comment_is_public", "is", "not_relevant"),
            _BY_ANOTHER,
            _HELD,
            ("assignee_id", "not_changed", None),
            ("status", "not_changed", None),
        ],
        [_tell_assignee("Re", "This ticket (#{{ticket.id}}) has been updated.")],
        default=True,
    )
    add_trigger(
        tx,
        "Notify assignee of assignment",
        [("assignee_id", "changed", None), _BY_ANOTHER, _HELD],
        [_tell_assignee("Assignment", "You have been assigned to this ticket (#{{ticket.id}}).")],
        default=True,
    )
    add_trigger(
        tx,
        "Notify assignee of reopened ticket",
        [_BY_ANOTHER, _HELD, ("status", "value_previous", "solved"), ("status", "is_not", "closed")],
        [_tell_assignee("Re", "This ticket (#{{ticket.id}}) has been reopened.")],
        default=True,
    )
    subject = '[{{ticket.account}}] "{{ticket.group.name}}" assignment: {{ticket.title}}'
    text = "This ticket (#{{ticket.id}}) has been assigned to group '{{ticket.group.name}}', of which you are a member."
    add_trigger(
        tx,
        "Notify group of assignment",
        [("group_id", "changed", None), ("group_id", "is_not", ""), ("assignee_id", "is", "")],
        [("notification_group", ["group_id", subject, f"{text}\n\n{{{{ticket.link}}}}"])],
        default=True,
    )
