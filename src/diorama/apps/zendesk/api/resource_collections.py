"""Resource collections on the wire: pieces of the configuration that are made, changed and removed together."""

from __future__ import annotations

from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import (
    APP,
    Automation,
    Macro,
    OrganizationField,
    Resource,
    ResourceCollection,
    Target,
    TicketField,
    Trigger,
    UserField,
    View,
)
from diorama.apps.zendesk.schema.webhooks import Webhook
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.resource_collections import (
    CollectionObject,
    CollectionRequest,
    CollectionResponse,
    CollectionsResponse,
    ResourceObject,
)
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.kernel import Record, Request, Tx
from diorama.kit.jobs import Job

TYPES: dict[str, tuple[str, type[Record]]] = {
    "automations": ("automation", Automation),
    "macros": ("macro", Macro),
    "organization_fields": ("organization_field", OrganizationField),
    "targets": ("target", Target),
    "ticket_fields": ("ticket_field", TicketField),
    "triggers": ("trigger", Trigger),
    "user_fields": ("user_field", UserField),
    "views": ("view", View),
    "webhooks": ("webhook", Webhook),
}
"""What a collection may hold: the noun of its bodies, and what it becomes."""
MAKE, CHANGE, REMOVE = "Create Resource Collection", "Update Resource Collection", "Delete Resource Collection"


def _shape(tx: Tx, collection: ResourceCollection) -> CollectionObject:
    listed = [
        ResourceObject(
            type=one.type,
            identifier=one.identifier,
            resource_id=one.resource_id,
            deleted=tx.find(TYPES[one.type][1], one.resource_id) is None,
        )
        for one in collection.resources
    ]
    return shaped(CollectionObject, collection, "", resources=listed)


@APP.get("/api/v2/resource_collections", role="admin")
def list_resource_collections(tx: Tx, page: Page) -> CollectionsResponse:
    """List resource collections."""
    found, around = page_of(tx, page, ResourceCollection)
    return CollectionsResponse(resource_collections=[_shape(tx, one) for one in found], **around)


@APP.get("/api/v2/resource_collections/{resource_collection_id}", role="admin")
def retrieve_resource_collection(tx: Tx, resource_collection_id: int) -> CollectionResponse:
    """Show a resource collection."""
    return CollectionResponse(_shape(tx, tx.get(ResourceCollection, resource_collection_id)))


def _items(body: CollectionRequest) -> list[dict[str, Any]]:
    """The pieces that a payload names, one after the other."""
    if not isinstance(body.payload, dict) or not body.payload:
        raise refusals.parameter_missing("payload")
    items = []
    for kind, listed in body.payload.items():
        if kind not in TYPES:
            raise refusals.invalid("payload", f"Payload: {kind} is not a type of resource", "InvalidValue")
        if not isinstance(listed, dict):
            raise refusals.invalid("payload", f"Payload: {kind} must be a hash of identifiers", "InvalidValue")
        items += [{"type": kind, "identifier": name, "body": piece} for name, piece in listed.items()]
    return items


@APP.post("/api/v2/resource_collections", role="admin")
def create_resource_collection(tx: Tx, me: Me, body: CollectionRequest) -> JobStatusResponse:
    """Set up, in the background, what a payload names."""
    moment, items = now(tx), _items(body)
    made = tx.add(ResourceCollection(created_at=moment, updated_at=moment))
    return enqueue_job(tx, me, MAKE, items, collection=made.id)


@APP.put("/api/v2/resource_collections/{resource_collection_id}", role="admin")
def update_resource_collection(
    tx: Tx, me: Me, resource_collection_id: int, body: CollectionRequest
) -> JobStatusResponse:
    """Change, in the background, what a payload names; what it names anew is set up, the rest stays."""
    items = _items(body)
    found = tx.get(ResourceCollection, resource_collection_id)
    return enqueue_job(tx, me, CHANGE, items, collection=found.id)


@APP.delete("/api/v2/resource_collections/{resource_collection_id}", role="admin", answers=JobStatusResponse)
def delete_resource_collection(tx: Tx, me: Me, resource_collection_id: int) -> JobStatusResponse:
    """Remove, in the background, a collection with everything in it."""
    found = tx.get(ResourceCollection, resource_collection_id)
    items = [{"type": one.type, "identifier": one.identifier} for one in found.resources]
    return enqueue_job(tx, me, REMOVE, [*items, {}], collection=found.id)


# --- the work


def _ask(tx: Tx, method: str, path: str, body: Any = None) -> Any:
    """Do what the operation of a path does, as the desk itself."""
    data = b"" if body is None else msgspec.json.encode(body)
    request = Request(method, path, "", {"content-type": "application/json"} if data else {}, data)
    return APP.of(tx).perform(tx, request)


def _known(collection: ResourceCollection, item: dict[str, Any]) -> Resource | None:
    wanted = (item["type"], item["identifier"])
    return next((one for one in collection.resources if (one.type, one.identifier) == wanted), None)


@JOBS.worker(MAKE)
@JOBS.worker(CHANGE)
def put_together(tx: Tx, job: Job, item: dict[str, Any], place: int) -> dict[str, Any]:
    """One piece is set up, or changed where its collection has it already."""
    collection = tx.get(ResourceCollection, job.shared["collection"])
    kind, name = item["type"], item["identifier"]
    noun, record = TYPES[kind]
    known = _known(collection, item)
    if known is not None and tx.find(record, known.resource_id) is not None:
        _ask(tx, "PUT", f"/api/v2/{kind}/{known.resource_id}", {noun: item["body"]})
        number, action = known.resource_id, "update"
        rest = collection.resources
    else:
        made = _ask(tx, "POST", f"/api/v2/{kind}", {noun: item["body"]})
        shape = msgspec.to_builtins(getattr(made, noun))
        number, action = shape["id"], "create"
        rest = (*(one for one in collection.resources if one != known), Resource(kind, name, number))
    tx.change(collection, resources=tuple(rest), updated_at=now(tx))
    return {"index": place, "id": number, "type": kind, "identifier": name, "action": action, "success": True}


@JOBS.worker(REMOVE)
def take_apart(tx: Tx, job: Job, item: dict[str, Any], place: int) -> dict[str, Any]:
    """One piece goes; behind the last the collection itself."""
    collection = tx.get(ResourceCollection, job.shared["collection"])
    if not item:
        tx.remove(collection)
        return {"index": place, "id": collection.id, "action": "delete", "success": True}
    known = _known(collection, item)
    if known is None:
        raise refusals.not_found()
    if tx.find(TYPES[known.type][1], known.resource_id) is not None:
        _ask(tx, "DELETE", f"/api/v2/{known.type}/{known.resource_id}")
    return {
        "index": place,
        "id": known.resource_id,
        "type": known.type,
        "identifier": known.identifier,
        "action": "delete",
        "success": True,
    }
