"""Standard automations, and how a world adds more."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.apps.zendesk.rules.automations import schedule_next_run, start
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Action, Automation
from diorama.apps.zendesk.seed.conditions import Deed, Test, conditions_of
from diorama.kernel import Tx

CLOSING = "Close ticket 4 days after status is set to solved"
SURVEY = "Request customer satisfaction rating"
start_automations = start


def add_automation(
    tx: Tx, title: str, every: Sequence[Test], then: Sequence[Deed], *, active: bool = True, default: bool = False
) -> Automation:
    """Add an automation after the others."""
    schedule_next_run(tx)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_automations")[0][0]
    return tx.add(
        Automation(
            title=title,
            active=active,
            position=last + 1,
            conditions=conditions_of(every),
            actions=tuple(Action(*deed) for deed in then),
            default=default,
            created_at=now(tx),
            updated_at=now(tx),
        )
    )


_PENDING = (
    "This is an email to remind you that your request (#{{ticket.id}}) is pending and awaits your feedback.\n\n"
    "{{ticket.link}}"
)
_SURVEY = (
    "Hello {{ticket.requester.name}},\n\nWe'd love to hear what you think of our customer service. "
    "Please take a moment to answer one simple question:\n\n{{satisfaction.rating_section}}"
)


def usual_automations(tx: Tx) -> None:
    """Add an account's standard automations: close solved tickets, and send the satisfaction survey."""
    add_automation(
        tx,
        CLOSING,
        [("status", "is", "solved"), ("SOLVED", "greater_than", "96")],
        [("status", "closed")],
        default=True,
    )
    add_automation(
        tx,
        "Pending notification 24 hours",
        [("status", "is", "pending"), ("PENDING", "is", "24")],
        [("notification_user", ["requester_id", "[{{ticket.account}}] Pending request: {{ticket.title}}", _PENDING])],
        active=False,
        default=True,
    )
    survey = ["requester_id", "Request #{{ticket.id}}: How would you rate the support you received?", _SURVEY]
    add_automation(
        tx,
        SURVEY,
        [
            ("status", "is", "solved"),
            ("SOLVED", "is", "24"),
            ("satisfaction_score", "is", "unoffered"),
            ("ticket_is_public", "is", "public"),
        ],
        [("satisfaction_score", "offered"), ("notification_user", survey)],
        default=True,
    )
