"""SLA policies as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Conditions, GroupSlaPolicy, PolicyMetric, SlaPolicy
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped

MINUTE, MICROMINUTE = 60, 60_000_000


class PolicyMetricObject(Struct, kw_only=True):
    priority: str
    metric: str
    target: int
    target_in_seconds: int
    business_hours: bool


class SlaPolicyObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    description: str | None
    position: int
    filter: Conditions
    policy_metrics: list[PolicyMetricObject]
    created_at: datetime
    updated_at: datetime


def sla_policy_object(policy: SlaPolicy) -> SlaPolicyObject:
    """Return the API object of an SLA policy; targets are in minutes, and also in seconds."""
    return shaped(
        SlaPolicyObject,
        policy,
        f"slas/policies/{policy.id}",
        policy_metrics=[
            PolicyMetricObject(
                priority=one.priority,
                metric=one.metric,
                target=one.target // MINUTE,
                target_in_seconds=one.target,
                business_hours=one.business_hours,
            )
            for one in policy.policy_metrics
        ],
    )


class PolicyMetricInput(Struct, kw_only=True):
    priority: str
    metric: str
    target: Id | UnsetType | None = UNSET
    target_in_seconds: Id | UnsetType | None = UNSET
    business_hours: bool = False


class PolicyInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    position: Id | UnsetType = UNSET
    filter: ConditionsInput | UnsetType = UNSET
    policy_metrics: list[PolicyMetricInput] | UnsetType = UNSET


class SlaPolicyRequest(Struct):
    sla_policy: PolicyInput | UnsetType = UNSET


class SlaPolicyResponse(Struct):
    sla_policy: SlaPolicyObject


class SlaPoliciesResponse(Listing, kw_only=True):
    sla_policies: list[SlaPolicyObject]


class GroupSlaPolicyObject(Struct, kw_only=True):
    url: str
    id: str
    title: str
    description: str | None
    position: int
    filter: Conditions
    policy_metrics: tuple[PolicyMetric, ...]
    created_at: datetime
    updated_at: datetime


def group_sla_policy_object(policy: GroupSlaPolicy) -> GroupSlaPolicyObject:
    """Return the API object of a group SLA policy; targets are in seconds."""
    return shaped(GroupSlaPolicyObject, policy, f"group_slas/policies/{policy.id}")


class GroupSlaPolicyRequest(Struct):
    group_sla_policy: PolicyInput | UnsetType = UNSET


class GroupSlaPolicyResponse(Struct):
    group_sla_policy: GroupSlaPolicyObject


class GroupSlaPoliciesResponse(Listing, kw_only=True):
    group_sla_policies: list[GroupSlaPolicyObject]


class DefinitionsResponse(Struct):
    definitions: dict[str, Any]


class OrderRequest(Struct, kw_only=True):
    """The new order of policies, first to last."""

    sla_policy_ids: list[Id] | UnsetType = UNSET
    group_sla_policy_ids: list[str] | UnsetType = UNSET
