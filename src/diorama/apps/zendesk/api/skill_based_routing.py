"""API operations for skills of agents and tickets."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.incremental_exports import changed_since
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.pagination import Page, ids_of, page_of, single_page
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, required_list
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import skill_based_routing
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.rules.tickets import visible_ticket
from diorama.apps.zendesk.schema import APP, BASE, Ticket, User
from diorama.apps.zendesk.schema.skill_based_routing import HeldSkill, Skill, SkillValue
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.skill_based_routing import (
    BulkItem,
    BulkRequest,
    ExportedSkillsResponse,
    FulfilledResponse,
    GiveRequest,
    HeldResponse,
    Named,
    SkillDefinitions,
    SkillDefinitionsResponse,
    SkillRequest,
    SkillResponse,
    SkillsResponse,
    SkillValueRequest,
    SkillValueResponse,
    SkillValuesResponse,
    held_object,
    skill_object,
    skill_value_object,
)
from diorama.kernel import Tx, to_us
from diorama.kit import Query, iso_z

SUBJECTS = {
    "status": "Ticket: Status", "priority": "Ticket: Priority", "type": "Ticket: Type", "group_id": "Ticket: Group",
    "organization_id": "Ticket: Organization", "requester_id": "Ticket: Requester", "current_tags": "Ticket: Tags",
    "via_id": "Ticket: Channel", "brand_id": "Ticket: Brand", "ticket_form_id": "Ticket: Form",
    "subject_includes_word": "Ticket: Subject text", "comment_includes_word": "Ticket: Comment text",
    "recipient": "Ticket: Received at",
}  # fmt: skip
"""The ticket fields that conditions of skills and queues can use, with their titles."""


# --- skill attributes


@APP.get("/api/v2/routing/attributes", role="agent")
def list_account_attributes(tx: Tx, page: Page) -> SkillsResponse:
    """List skill attributes."""
    found, around = page_of(tx, page, Skill, "", (), default="name")
    return SkillsResponse(attributes=[skill_object(one) for one in found], **around)


@APP.post("/api/v2/routing/attributes", role="admin", status=201)
def create_attribute(tx: Tx, body: SkillRequest) -> SkillResponse:
    """Create a skill attribute."""
    return SkillResponse(
        skill_object(skill_based_routing.add_skill(tx, required(body.attribute, "attribute").name or ""))
    )


@APP.get("/api/v2/routing/attributes/definitions", role="agent")
def list_routing_attribute_definitions(tx: Tx) -> SkillDefinitionsResponse:
    """List the conditions that skills support."""
    named = [Named(subject, title) for subject, title in SUBJECTS.items()]
    rows = tx.rows(
        "SELECT id, title FROM zendesk_ticket_fields WHERE removable = 1 AND active = 1 ORDER BY position, id"
    )
    named += [Named(f"custom_fields_{number}", f"Ticket: {title}") for number, title in rows]
    return SkillDefinitionsResponse(SkillDefinitions(named, named))


@APP.get("/api/v2/routing/attributes/{attribute_id}", role="agent")
def show_attribute(tx: Tx, attribute_id: str) -> SkillResponse:
    """Show a skill attribute."""
    return SkillResponse(skill_object(tx.get(Skill, attribute_id)))


@APP.put("/api/v2/routing/attributes/{attribute_id}", role="admin")
def update_attribute(tx: Tx, attribute_id: str, body: SkillRequest) -> SkillResponse:
    """Rename a skill attribute."""
    skill, name = tx.get(Skill, attribute_id), (required(body.attribute, "attribute").name or "").strip()
    return SkillResponse(skill_object(skill_based_routing.rename_skill(tx, skill, name)))


@APP.delete("/api/v2/routing/attributes/{attribute_id}", role="admin")
def delete_attribute(tx: Tx, attribute_id: str) -> None:
    """Delete a skill attribute."""
    skill_based_routing.remove_skill(tx, tx.get(Skill, attribute_id))


# --- skills


@APP.get("/api/v2/routing/attributes/{attribute_id}/values", role="agent")
def list_attribute_values(tx: Tx, attribute_id: str, page: Page) -> SkillValuesResponse:
    """List the values of a skill attribute."""
    found, around = page_of(tx, page, SkillValue, "attribute_id = ?", (tx.get(Skill, attribute_id).id,), default="name")
    return SkillValuesResponse(attribute_values=[skill_value_object(one) for one in found], **around)


@APP.post("/api/v2/routing/attributes/{attribute_id}/values", role="admin", status=201)
def create_attribute_value(tx: Tx, attribute_id: str, body: SkillValueRequest) -> SkillValueResponse:
    """Create a skill; new tickets that match its conditions require it."""
    skill, asked = tx.get(Skill, attribute_id), required(body.attribute_value, "attribute_value")
    when = conditions_of(asked.conditions) if asked.conditions is not UNSET else None
    return SkillValueResponse(skill_value_object(skill_based_routing.add_value(tx, skill, asked.name or "", when)))


@APP.get("/api/v2/routing/attributes/{attribute_id}/values/{attribute_value_id}", role="agent")
def show_attribute_value(tx: Tx, attribute_id: str, attribute_value_id: str) -> SkillValueResponse:
    """Show a skill."""
    return SkillValueResponse(
        skill_value_object(get_owned(tx, SkillValue, attribute_value_id, attribute_id=attribute_id))
    )


@APP.patch("/api/v2/routing/attributes/{attribute_id}/values/{attribute_value_id}", role="admin")
def update_attribute_value(
    tx: Tx, attribute_id: str, attribute_value_id: str, body: SkillValueRequest
) -> SkillValueResponse:
    """Update a skill."""
    value, asked = (
        get_owned(tx, SkillValue, attribute_value_id, attribute_id=attribute_id),
        required(body.attribute_value, "attribute_value"),
    )
    fields: dict[str, Any] = {}
    if asked.name is not UNSET:
        if not asked.name.strip():
            raise refusals.blank("name", "Name")
        fields["name"] = asked.name.strip()
    if asked.conditions is not UNSET:
        when = skill_based_routing.check_conditions(conditions_of(asked.conditions))
        fields |= {"conditions": when, "automatic": bool(when.all or when.any)}
    return SkillValueResponse(skill_value_object(tx.change(value, **fields, updated_at=now(tx))))


@APP.delete("/api/v2/routing/attributes/{attribute_id}/values/{attribute_value_id}", role="admin")
def delete_attribute_value(tx: Tx, attribute_id: str, attribute_value_id: str) -> None:
    """Delete a skill."""
    skill_based_routing.remove_value(tx, get_owned(tx, SkillValue, attribute_value_id, attribute_id=attribute_id))


# --- skills of agents and tickets


def _listed(values: list[SkillValue]) -> SkillValuesResponse:
    shapes = [skill_value_object(one) for one in values]
    return SkillValuesResponse(attribute_values=shapes, **single_page(shapes))


def _agent(tx: Tx, user_id: int) -> User:
    user = tx.get(User, user_id)
    if not user.staff:
        raise refusals.not_found()
    return user


@APP.get("/api/v2/routing/agents/{user_id}/instance_values", role="agent")
def list_agent_attribute_values(tx: Tx, user_id: int) -> SkillValuesResponse:
    """List the skills of an agent."""
    return _listed(skill_based_routing.skills_of(tx, "agent", _agent(tx, user_id).id))


@APP.post("/api/v2/routing/agents/{user_id}/instance_values", role="admin")
def set_agent_attribute_values(tx: Tx, user_id: int, body: GiveRequest) -> SkillValuesResponse:
    """Replace the skills of an agent."""
    return _listed(
        skill_based_routing.set_skills(
            tx, "agent", _agent(tx, user_id).id, required(body.attribute_value_ids, "attribute_value_ids")
        )
    )


@APP.get("/api/v2/routing/tickets/{ticket_id}/instance_values", role="agent")
def list_ticket_attribute_values(tx: Tx, ticket_id: int) -> SkillValuesResponse:
    """List the skills that a ticket requires."""
    return _listed(skill_based_routing.skills_of(tx, "ticket", visible_ticket(tx, ticket_id).id))


@APP.post("/api/v2/routing/tickets/{ticket_id}/instance_values", role="agent")
def set_ticket_attribute_values(tx: Tx, ticket_id: int, body: GiveRequest) -> SkillValuesResponse:
    """Replace the skills that a ticket requires."""
    return _listed(
        skill_based_routing.set_skills(
            tx, "ticket", visible_ticket(tx, ticket_id).id, required(body.attribute_value_ids, "attribute_value_ids")
        )
    )


@APP.get("/api/v2/routing/agents/instance_values", role="agent")
def list_many_agents_attribute_values(
    tx: Tx, page: Page, agent_ids: Annotated[str | None, Query("filter[agent_ids]")] = None
) -> HeldResponse:
    """List the skills of several agents."""
    ids = ids_of(agent_ids, "filter[agent_ids]")
    where = f"holder = 'agent' AND holder_id IN ({', '.join('?' * len(ids))})"
    found, around = page_of(tx, page, HeldSkill, where, ids)
    return HeldResponse(instance_values=[held_object(one) for one in found], **around)


@APP.post("/api/v2/routing/agents/instance_values/job", role="admin")
def bulk_set_agent_attribute_values_job(tx: Tx, me: Me, body: BulkRequest) -> JobStatusResponse:
    """Set the skills of up to a hundred agents, in the background."""
    if body.job is UNSET or not required_list(body.job.items, "job"):
        raise refusals.parameter_missing("job")
    if body.job.action not in ("upsert", "update", "delete"):
        raise refusals.bad_parameter("action", "must be one of upsert, update, delete")
    return enqueue_job(tx, me, "Bulk Set Skills", body.job.items, action=body.job.action)


@JOBS.worker("Bulk Set Skills", "Setting skills")
def set_skills_of_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Set the skills of one agent of a bulk job."""
    asked, action = msgspec.convert(item, BulkItem), job.shared["action"]
    number = _agent(tx, asked.agent_id).id
    if action == "delete":
        kept = [
            one.id
            for one in skill_based_routing.skills_of(tx, "agent", number)
            if one.id not in asked.attribute_value_ids
        ]
        skill_based_routing.set_skills(tx, "agent", number, kept)
    else:
        skill_based_routing.set_skills(tx, "agent", number, asked.attribute_value_ids, replace=action == "update")
    return {"index": place, "id": number, "action": action, "status": "Updated", "success": True}


@APP.get("/api/v2/routing/requirements/fulfilled", role="agent")
def list_tickets_fullfilled_by_user(tx: Tx, me: Me, ticket_ids: str | None = None) -> FulfilledResponse:
    """List which of these tickets the caller has the skills for."""
    found = [number for number in ids_of(ticket_ids, "ticket_ids") if tx.find(Ticket, number) is not None]
    return FulfilledResponse([number for number in found if skill_based_routing.has_required_skills(tx, me.id, number)])


# --- exports


def _export(tx: Tx, resource: str, record: type[Any], start_time: int | None) -> tuple[list[Any], dict[str, Any]]:
    found, around = changed_since(tx, record, f"routing/{resource}", start_time, 1000)
    since = start_time or 0
    url = around["next_page"] or f"{BASE}/incremental/routing/{resource}.json?start_time={since}"
    return found, {"count": len(found), "end_time": around["end_time"] or since, "next_page": url}


def _stamp(one: Any) -> dict[str, Any]:
    fresh = to_us(one.created_at) == to_us(one.updated_at)
    return {"id": one.id, "time": iso_z(one.updated_at), "type": "create" if fresh else "update"}


@APP.get("/api/v2/incremental/routing/attributes", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_skill_based_routing_attributes(tx: Tx, start_time: int | None = None) -> ExportedSkillsResponse:
    """Export the skill attributes that changed since a time."""
    found, around = _export(tx, "attributes", Skill, start_time)
    shapes = [{**_stamp(one), "name": one.name} for one in found]
    return ExportedSkillsResponse(attributes=shapes, attribute_values=[], instance_values=[], **around)


@APP.get("/api/v2/incremental/routing/attribute_values", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_skill_based_routing_attribute_values(tx: Tx, start_time: int | None = None) -> ExportedSkillsResponse:
    """Export the skills that changed since a time."""
    found, around = _export(tx, "attribute_values", SkillValue, start_time)
    shapes = [{**_stamp(one), "name": one.name, "attribute_id": one.attribute_id} for one in found]
    return ExportedSkillsResponse(attributes=[], attribute_values=shapes, instance_values=[], **around)


@APP.get("/api/v2/incremental/routing/instance_values", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_skill_based_routing_instance_values(tx: Tx, start_time: int | None = None) -> ExportedSkillsResponse:
    """Export the skill assignments that changed since a time."""
    found, around = _export(tx, "instance_values", HeldSkill, start_time)
    shapes = [
        {
            **_stamp(one),
            "type": f"associate_{one.holder}",
            "instance_id": str(one.holder_id),
            "attribute_value_id": one.value_id,
        }
        for one in found
    ]
    return ExportedSkillsResponse(attributes=[], attribute_values=[], instance_values=shapes, **around)
