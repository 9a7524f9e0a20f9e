"""API operations for SLA policies and group SLA policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of, parts_of
from diorama.apps.zendesk.api.request_parts import required, set_location
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import sla_policies
from diorama.apps.zendesk.rules.current_user import change_if_different, now
from diorama.apps.zendesk.rules.definitions import filter_shapes, group_filter_shapes
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.rules.ticket_metric_clocks import PROMISES
from diorama.apps.zendesk.schema import APP, GroupSlaPolicy, PolicyMetric, SlaPolicy
from diorama.apps.zendesk.wire.sla_policies import (
    DefinitionsResponse,
    GroupSlaPoliciesResponse,
    GroupSlaPolicyRequest,
    GroupSlaPolicyResponse,
    OrderRequest,
    PolicyInput,
    PolicyMetricInput,
    SlaPoliciesResponse,
    SlaPolicyRequest,
    SlaPolicyResponse,
    group_sla_policy_object,
    sla_policy_object,
)
from diorama.kernel import Tx

P = TypeVar("P", SlaPolicy, GroupSlaPolicy)
OF_GROUPS = ("group_ownership_time",)


def _seconds(metric: PolicyMetricInput, minutes: bool) -> int:
    if isinstance(metric.target_in_seconds, int):
        return metric.target_in_seconds
    if isinstance(metric.target, int):
        return metric.target * 60 if minutes else metric.target
    raise refusals.blank("policy_metrics", "Target")


def _metrics(listed: Sequence[PolicyMetricInput], known: tuple[str, ...], minutes: bool) -> tuple[PolicyMetric, ...]:
    found: dict[tuple[str, str], PolicyMetric] = {}
    for one in listed:
        target = _seconds(one, minutes)
        made = PolicyMetric(priority=one.priority, metric=one.metric, target=target, business_hours=one.business_hours)
        found[one.priority, one.metric] = sla_policies.check_metric(made, known)
    return tuple(found.values())


def _create(tx: Tx, record: type[P], asked: PolicyInput) -> P:
    of_groups = record is GroupSlaPolicy
    when = conditions_of(asked.filter) if asked.filter is not UNSET else None
    if when is None:
        raise refusals.blank("filter", "Filter")
    title = asked.title or ""
    sla_policies.check_policy(title, when, of_groups)
    listed = asked.policy_metrics or []
    last = max((policy.position for policy in tx.all(record)), default=0)
    fields = {"position": last + 1, **given_fields(asked, "description", "position")}
    made: Any = record(
        title=title,
        filter=when,
        policy_metrics=_metrics(listed, OF_GROUPS if of_groups else PROMISES, not of_groups),
        created_at=now(tx),
        updated_at=now(tx),
        **fields,
    )
    found: P = tx.add(made)
    return found


def _update(tx: Tx, policy: P, asked: PolicyInput) -> P:
    of_groups = isinstance(policy, GroupSlaPolicy)
    fields = given_fields(asked, "title", "description", "position")
    if asked.filter is not UNSET:
        fields["filter"] = conditions_of(asked.filter)
    if asked.policy_metrics is not UNSET:
        known = OF_GROUPS if of_groups else PROMISES
        fields["policy_metrics"] = _metrics(asked.policy_metrics, known, not of_groups)
    sla_policies.check_policy(fields.get("title", policy.title), fields.get("filter", policy.filter), of_groups)
    return change_if_different(tx, policy, fields)


def _reorder(tx: Tx, record: type[SlaPolicy] | type[GroupSlaPolicy], ids: Sequence[int | str]) -> None:
    """Set the positions of policies; those that are not named follow in their old order."""
    listed = dict.fromkeys(ids)
    named: list[Any] = [tx.get(record, number) for number in listed]
    others: list[Any] = [policy for policy in tx.all(record, order="position, id") if policy.id not in listed]
    for place, policy in enumerate([*named, *others], 1):
        if policy.position != place:
            tx.change(policy, position=place, updated_at=now(tx))


def _order(text: str | None, listed: Sequence[int | str] | UnsetType, name: str) -> list[int | str]:
    if text:
        return [part if (number := parse_id(part)) is None else number for part in parts_of(text)]
    return list(required(listed, name))


@APP.get("/api/v2/slas/policies", role="admin")
def list_sla_policies(tx: Tx, page: Page) -> SlaPoliciesResponse:
    """List SLA policies in the order in which tickets are matched."""
    found, around = page_of(tx, page, SlaPolicy, orders={"position": "position"}, default="position")
    return SlaPoliciesResponse(sla_policies=[sla_policy_object(policy) for policy in found], **around)


@APP.get("/api/v2/slas/policies/definitions", role="admin")
def retrieve_sla_policy_filter_definition_items(tx: Tx) -> DefinitionsResponse:
    """List the conditions that SLA policies support."""
    shapes = filter_shapes(tx)
    return DefinitionsResponse({"all": shapes, "any": shapes})


@APP.get("/api/v2/slas/policies/{sla_policy_id}", role="admin")
def show_sla_policy(tx: Tx, sla_policy_id: int) -> SlaPolicyResponse:
    """Show an SLA policy."""
    return SlaPolicyResponse(sla_policy_object(tx.get(SlaPolicy, sla_policy_id)))


@APP.post("/api/v2/slas/policies", role="admin", status=201)
def create_sla_policy(tx: Tx, body: SlaPolicyRequest) -> SlaPolicyResponse:
    """Create an SLA policy; it is matched last unless a position is given."""
    policy = _create(tx, SlaPolicy, required(body.sla_policy, "sla_policy"))
    set_location(tx, f"slas/policies/{policy.id}")
    return SlaPolicyResponse(sla_policy_object(policy))


@APP.put("/api/v2/slas/policies/reorder", role="admin")
def reorder_sla_policies(tx: Tx, body: OrderRequest, sla_policy_ids: str | None = None) -> str:
    """Reorder SLA policies."""
    _reorder(tx, SlaPolicy, _order(sla_policy_ids, body.sla_policy_ids, "sla_policy_ids"))
    return ""


@APP.put("/api/v2/slas/policies/{sla_policy_id}", role="admin")
def update_sla_policy(tx: Tx, sla_policy_id: int, body: SlaPolicyRequest) -> SlaPolicyResponse:
    """Update an SLA policy; it applies to a ticket when the ticket is next updated."""
    policy = _update(tx, tx.get(SlaPolicy, sla_policy_id), required(body.sla_policy, "sla_policy"))
    return SlaPolicyResponse(sla_policy_object(policy))


@APP.delete("/api/v2/slas/policies/{sla_policy_id}", role="admin")
def delete_sla_policy(tx: Tx, sla_policy_id: int) -> None:
    """Delete an SLA policy."""
    tx.remove(tx.get(SlaPolicy, sla_policy_id))


@APP.get("/api/v2/group_slas/policies", role="admin")
def list_group_sla_policies(tx: Tx, page: Page) -> GroupSlaPoliciesResponse:
    """List group SLA policies in the order in which tickets are matched."""
    found, around = page_of(tx, page, GroupSlaPolicy, orders={"position": "position"}, default="position")
    return GroupSlaPoliciesResponse(group_sla_policies=[group_sla_policy_object(one) for one in found], **around)


@APP.get("/api/v2/group_slas/policies/definitions", role="admin")
def retrieve_group_sla_policy_filter_definition_items(tx: Tx) -> DefinitionsResponse:
    """List the groups that group SLA policies can filter by."""
    return DefinitionsResponse({"all": group_filter_shapes(tx)})


@APP.get("/api/v2/group_slas/policies/{group_sla_policy_id}", role="admin")
def show_group_sla_policy(tx: Tx, group_sla_policy_id: str) -> GroupSlaPolicyResponse:
    """Show a group SLA policy."""
    return GroupSlaPolicyResponse(group_sla_policy_object(tx.get(GroupSlaPolicy, group_sla_policy_id)))


@APP.post("/api/v2/group_slas/policies", role="admin", status=201)
def create_group_sla_policy(tx: Tx, body: GroupSlaPolicyRequest) -> GroupSlaPolicyResponse:
    """Create a group SLA policy."""
    policy = _create(tx, GroupSlaPolicy, required(body.group_sla_policy, "group_sla_policy"))
    set_location(tx, f"group_slas/policies/{policy.id}")
    return GroupSlaPolicyResponse(group_sla_policy_object(policy))


@APP.put("/api/v2/group_slas/policies/reorder", role="admin")
def reorder_group_sla_policies(tx: Tx, body: OrderRequest, group_sla_policy_ids: str | None = None) -> str:
    """Reorder group SLA policies."""
    _reorder(tx, GroupSlaPolicy, _order(group_sla_policy_ids, body.group_sla_policy_ids, "group_sla_policy_ids"))
    return ""


@APP.put("/api/v2/group_slas/policies/{group_sla_policy_id}", role="admin")
def update_group_sla_policy(tx: Tx, group_sla_policy_id: str, body: GroupSlaPolicyRequest) -> GroupSlaPolicyResponse:
    """Update a group SLA policy."""
    asked = required(body.group_sla_policy, "group_sla_policy")
    policy = _update(tx, tx.get(GroupSlaPolicy, group_sla_policy_id), asked)
    return GroupSlaPolicyResponse(group_sla_policy_object(policy))


@APP.delete("/api/v2/group_slas/policies/{group_sla_policy_id}", role="admin")
def delete_group_sla_policy(tx: Tx, group_sla_policy_id: str) -> None:
    """Delete a group SLA policy."""
    tx.remove(tx.get(GroupSlaPolicy, group_sla_policy_id))
