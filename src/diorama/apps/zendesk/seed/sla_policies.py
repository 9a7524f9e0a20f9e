"""Add SLA policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import GroupSlaPolicy, PolicyMetric, SlaPolicy
from diorama.apps.zendesk.seed.conditions import Test, conditions_of
from diorama.kernel import Tx

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
    """Add an SLA policy after the others; targets are minutes by priority, by metric."""
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_sla_policies")[0][0]
    return tx.add(
        SlaPolicy(
            title=title,
            description=description,
            position=last + 1,
            filter=conditions_of(every),
            policy_metrics=_metrics(targets, business_hours),
            created_at=now(tx),
            updated_at=now(tx),
        )
    )


def add_group_sla_policy(
    tx: Tx, title: str, groups: Sequence[int], minutes: Mapping[str, int], *, business_hours: bool = True
) -> GroupSlaPolicy:
    """Add a policy on how long groups may keep a ticket, in minutes by priority."""
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_group_sla_policies")[0][0]
    return tx.add(
        GroupSlaPolicy(
            title=title,
            position=last + 1,
            filter=conditions_of([("group_id", "includes", list(groups))]),
            policy_metrics=_metrics({"group_ownership_time": minutes}, business_hours),
            created_at=now(tx),
            updated_at=now(tx),
        )
    )
