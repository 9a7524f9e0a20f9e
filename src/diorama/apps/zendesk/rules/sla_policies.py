"""Checks of SLA policies."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import conditions
from diorama.apps.zendesk.schema import PRIORITIES, Conditions, PolicyMetric


def check_policy(title: str, when: Conditions, of_groups: bool) -> None:
    """Raise 422 unless a policy has a title and filters by fields that it may filter by."""
    if not title.strip():
        raise refusals.blank("title", "Title")
    for condition in (*when.all, *when.any):
        if not conditions.known(condition.field) or (of_groups and condition.field != "group_id"):
            raise refusals.invalid("filter", f"Filter: {condition.field} is not valid", "InvalidValue")
    if of_groups and not when.all:
        raise refusals.blank("filter", "Filter")


def check_metric(metric: PolicyMetric, known: tuple[str, ...]) -> PolicyMetric:
    """Return a target of a policy; raise 422 for an unknown priority or metric, or a time that is not positive."""
    if metric.priority not in PRIORITIES:
        raise refusals.not_listed("policy_metrics", "Priority", metric.priority)
    if metric.metric not in known:
        raise refusals.not_listed("policy_metrics", "Metric", metric.metric)
    if not 0 < metric.target < 1 << 31:
        raise refusals.invalid("policy_metrics", "Target: must be greater than 0", "InvalidValue")
    return metric
