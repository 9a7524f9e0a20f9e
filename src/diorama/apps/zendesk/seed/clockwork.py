"""What an account does by the hour, when it works, and what it promised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diorama.apps.zendesk.rules.acting import now
from diorama.apps.zendesk.rules.automations import start, wake
from diorama.apps.zendesk.schema import (
    Action,
    Automation,
    Condition,
    Conditions,
    GroupSlaPolicy,
    Holiday,
    Interval,
    PolicyMetric,
    Schedule,
    SlaPolicy,
)
from diorama.kernel import Tx, sparse

Test = tuple[str, str, Any]
Deed = tuple[str, Any]

CLOSING = "Close ticket 4 days after status is set to solved"
SURVEY = "Request customer satisfaction rating"
WEEKDAYS = (1, 2, 3, 4, 5)
HOLIDAY_IDS = sparse(18_416_410_220_116, 320)

start_automations = start


def _conditions(every: Iterable[Test]) -> Conditions:
    return Conditions(tuple(Condition(*test) for test in every))


def add_automation(
    tx: Tx, title: str, every: Sequence[Test], then: Sequence[Deed], *, active: bool = True, default: bool = False
) -> Automation:
    """One more automation, behind the others."""
    wake(tx)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_automations")[0][0]
    return tx.add(
        Automation(
            title=title,
            active=active,
            position=last + 1,
            conditions=_conditions(every),
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
    """The automations that come with an account: solved tickets close, and customers are asked how it went."""
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


def weekly(opens: int, closes: int, days: Sequence[int] = WEEKDAYS) -> tuple[Interval, ...]:
    """The same hours on several days; Sunday is 0."""
    return tuple(Interval(day * 1440 + opens * 60, day * 1440 + closes * 60) for day in days)


def add_schedule(
    tx: Tx,
    name: str,
    time_zone: str,
    intervals: Sequence[Interval],
    holidays: Mapping[str, tuple[str, str]] | None = None,
) -> Schedule:
    """Business hours; holidays are first and last day by name."""
    made = tuple(
        Holiday(id=int(tx.mint("zendesk_holidays", HOLIDAY_IDS)), name=title, start_date=first, end_date=last)
        for title, (first, last) in (holidays or {}).items()
    )
    return tx.add(
        Schedule(
            name=name,
            time_zone=time_zone,
            intervals=tuple(intervals),
            holidays=made,
            created_at=now(tx),
            updated_at=now(tx),
        )
    )


Targets = Mapping[str, Mapping[str, int]]
"""Minutes by priority, by metric."""


def _metrics(targets: Targets, business_hours: bool) -> tuple[PolicyMetric, ...]:
    return tuple(
        PolicyMetric(priority=priority, metric=metric, target=minutes * 60, business_hours=business_hours)
        for metric, by_priority in targets.items()
        for priority, minutes in by_priority.items()
    )


def add_sla_policy(
    tx: Tx, title: str, every: Sequence[Test], targets: Targets, *, business_hours: bool = True, description: str = ""
) -> SlaPolicy:
    """One more promise, behind the others; minutes by priority, by metric."""
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_sla_policies")[0][0]
    return tx.add(
        SlaPolicy(
            title=title,
            description=description,
            position=last + 1,
            filter=_conditions(every),
            policy_metrics=_metrics(targets, business_hours),
            created_at=now(tx),
            updated_at=now(tx),
        )
    )


def add_group_sla_policy(
    tx: Tx, title: str, groups: Sequence[int], minutes: Mapping[str, int], *, business_hours: bool = True
) -> GroupSlaPolicy:
    """How long some groups may keep a ticket, in minutes by priority."""
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_group_sla_policies")[0][0]
    return tx.add(
        GroupSlaPolicy(
            title=title,
            position=last + 1,
            filter=_conditions([("group_id", "includes", list(groups))]),
            policy_metrics=_metrics({"group_ownership_time": minutes}, business_hours),
            created_at=now(tx),
            updated_at=now(tx),
        )
    )
