"""API operations for custom object records: single, search and bulk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.pagination import MOST, Page, given_fields, page_of, parts_of
from diorama.apps.zendesk.api.request_parts import Me, or_not_found, required, required_list, set_location
from diorama.apps.zendesk.rules import custom_object_records, custom_objects, object_triggers
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, ObjectRecord, User
from diorama.apps.zendesk.wire.custom_object_records import (
    ObjectCountResponse,
    ObjectJobRequest,
    ObjectRecordInput,
    ObjectRecordObject,
    ObjectRecordRequest,
    ObjectRecordResponse,
    ObjectRecordsResponse,
    ObjectSearchRequest,
    object_record_object,
)
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.pagination import Count
from diorama.kernel import Tx
from diorama.kit import Query
from diorama.kit.paging import Cursor

_ORDERS = {"id": "id", "updated_at": "updated_at", "created_at": "created_at", "name": "name"}


def _keys(tx: Tx, key: str) -> list[str]:
    return [field.key for field in custom_objects.fields_of(tx, key) if not field.system and field.active]


def _shape(tx: Tx, record: ObjectRecord) -> ObjectRecordObject:
    return object_record_object(record, _keys(tx, record.object_key))


def _page(tx: Tx, page: Page, key: str, where: str, args: Sequence[Any]) -> ObjectRecordsResponse:
    """Return one page of records, always with cursor paging."""
    custom_objects.object_of(tx, key)
    turned = page if page.cursor is not None else msgspec.structs.replace(page, cursor=Cursor(MOST))
    text = f"object_key = ? AND {where}" if where else "object_key = ?"
    found, around = page_of(tx, turned, ObjectRecord, text, (key, *args), orders=_ORDERS)
    keys = _keys(tx, key)
    shapes = [object_record_object(record, keys) for record in found]
    return ObjectRecordsResponse(custom_object_records=shapes, count=len(shapes), **around)


def _named(listed: str, column: str) -> tuple[str, list[str]]:
    names = parts_of(listed)
    if len(names) > MOST:
        raise refusals.too_many()
    return f"{column} IN ({', '.join('?' * len(names))})", names


@APP.get("/api/v2/custom_objects/{custom_object_key}/records", role="agent")
def list_custom_object_records(
    tx: Tx,
    custom_object_key: str,
    page: Page,
    ids: Annotated[str | None, Query("filter[ids]")] = None,
    external_ids: Annotated[str | None, Query("filter[external_ids]")] = None,
) -> ObjectRecordsResponse:
    """List the records of a custom object."""
    if ids is not None:
        return _page(tx, page, custom_object_key, *_named(ids, "id"))
    if external_ids is not None:
        return _page(tx, page, custom_object_key, *_named(external_ids, "external_id"))
    return _page(tx, page, custom_object_key, "", ())


@APP.get("/api/v2/custom_objects/{custom_object_key}/records/count", role="agent")
def count_custom_object_records(tx: Tx, custom_object_key: str) -> ObjectCountResponse:
    """Count records."""
    custom_objects.object_of(tx, custom_object_key)
    return ObjectCountResponse(Count(tx.count(ObjectRecord, "object_key = ?", custom_object_key), now(tx)))


def _words(query: str | None) -> tuple[str, list[str]]:
    """Return the SQL condition that every word occurs in the name, the external id or a value."""
    words = [word.strip('"*').lower() for word in (query or "").split() if word.strip('"*')]
    text = "includes_any(name || ' ' || coalesce(external_id, '') || ' ' || fields, ?)"
    return " AND ".join([text] * len(words)), words


@APP.get("/api/v2/custom_objects/{custom_object_key}/records/search", role="agent")
def search_custom_object_records(
    tx: Tx, custom_object_key: str, page: Page, query: str | None = None
) -> ObjectRecordsResponse:
    """Search records by text."""
    return _page(tx, page, custom_object_key, *_words(query))


@APP.post("/api/v2/custom_objects/{custom_object_key}/records/search", role="agent")
def filtered_search_custom_object_records(
    tx: Tx, custom_object_key: str, page: Page, body: ObjectSearchRequest, query: str | None = None
) -> ObjectRecordsResponse:
    """Search records by field values."""
    custom_objects.object_of(tx, custom_object_key)
    text, args = custom_object_records.where(tx, custom_object_key, body.filter if body.filter is not UNSET else {})
    words, more = _words(query)
    return _page(tx, page, custom_object_key, f"{text} AND {words}" if words else text, [*args, *more])


@APP.get("/api/v2/custom_objects/{custom_object_key}/records/autocomplete", role="agent")
def autocomplete_custom_object_record_search(
    tx: Tx, custom_object_key: str, page: Page, name: str | None = None
) -> ObjectRecordsResponse:
    """Search records by the start of a word in their name."""
    if not name:
        raise refusals.parameter_missing("name")
    return _page(tx, page, custom_object_key, "instr(' ' || lower(name), ?) > 0", (f" {name.lower()}",))


@APP.get("/api/v2/custom_objects/{custom_object_key}/records/{custom_object_record_id}", role="agent")
def show_custom_object_record(tx: Tx, custom_object_key: str, custom_object_record_id: str) -> ObjectRecordResponse:
    """Show a record."""
    return ObjectRecordResponse(
        _shape(tx, custom_object_records.record_of(tx, custom_object_key, custom_object_record_id))
    )


def _wanted(asked: ObjectRecordInput) -> dict[str, Any]:
    return given_fields(asked, "name", "external_id", "custom_object_fields")


def _add(tx: Tx, me: User, key: str, asked: ObjectRecordInput) -> ObjectRecord:
    custom_objects.object_of(tx, key)
    fields = _wanted(asked)
    return object_triggers.add(
        tx, me, key, fields.get("name"), fields.get("external_id"), fields.get("custom_object_fields", {})
    )


@APP.post("/api/v2/custom_objects/{custom_object_key}/records", role="agent", status=201)
def create_custom_object_record(
    tx: Tx, me: Me, custom_object_key: str, body: ObjectRecordRequest
) -> ObjectRecordResponse:
    """Create a record."""
    record = _add(tx, me, custom_object_key, required(body.custom_object_record, "custom_object_record"))
    set_location(tx, f"custom_objects/{custom_object_key}/records/{record.id}")
    return ObjectRecordResponse(_shape(tx, record))


def _known(tx: Tx, key: str, external_id: str | None, name: str | None) -> ObjectRecord | None:
    custom_objects.object_of(tx, key)
    if not external_id and not name:
        raise refusals.parameter_missing("external_id")
    column, value = ("external_id", external_id) if external_id else ("name", name)
    return tx.first(ObjectRecord, f"object_key = ? AND {column} = ?", key, value)


@APP.patch("/api/v2/custom_objects/{custom_object_key}/records", role="agent")
def upsert_custom_object_record(
    tx: Tx,
    me: Me,
    custom_object_key: str,
    body: ObjectRecordRequest,
    external_id: str | None = None,
    name: str | None = None,
) -> ObjectRecordResponse:
    """Create a record, or update the one with the same external id or name."""
    asked = required(body.custom_object_record, "custom_object_record")
    found = _known(tx, custom_object_key, external_id, name)
    if found is not None:
        return ObjectRecordResponse(_shape(tx, object_triggers.change(tx, me, found, _wanted(asked))))
    if asked.external_id is UNSET and external_id:
        asked = msgspec.structs.replace(asked, external_id=external_id)
    if asked.name is UNSET and name:
        asked = msgspec.structs.replace(asked, name=name)
    return ObjectRecordResponse(_shape(tx, _add(tx, me, custom_object_key, asked)))


@APP.delete("/api/v2/custom_objects/{custom_object_key}/records", role="agent")
def delete_custom_object_record_by_external_id_or_name(
    tx: Tx, custom_object_key: str, external_id: str | None = None, name: str | None = None
) -> None:
    """Delete a record by external id or name."""
    found = or_not_found(_known(tx, custom_object_key, external_id, name))
    tx.remove(found)


@APP.patch("/api/v2/custom_objects/{custom_object_key}/records/{custom_object_record_id}", role="agent")
def update_custom_object_record(
    tx: Tx, me: Me, custom_object_key: str, custom_object_record_id: str, body: ObjectRecordRequest
) -> ObjectRecordResponse:
    """Update a record; fields that are not given stay unchanged."""
    record = custom_object_records.record_of(tx, custom_object_key, custom_object_record_id)
    asked = _wanted(required(body.custom_object_record, "custom_object_record"))
    return ObjectRecordResponse(_shape(tx, object_triggers.change(tx, me, record, asked)))


@APP.delete("/api/v2/custom_objects/{custom_object_key}/records/{custom_object_record_id}", role="agent")
def delete_custom_object_record(tx: Tx, custom_object_key: str, custom_object_record_id: str) -> None:
    """Delete a record."""
    tx.remove(custom_object_records.record_of(tx, custom_object_key, custom_object_record_id))


# --- bulk jobs


_ACTIONS = (
    "create", "update", "delete", "delete_by_external_id", "create_or_update_by_external_id",
    "create_or_update_by_name",
)  # fmt: skip
_KIND = "Bulk Custom Object Records"


@APP.post("/api/v2/custom_objects/{custom_object_key}/jobs", role="agent", status=201)
def custom_object_record_bulk_jobs(tx: Tx, me: Me, custom_object_key: str, body: ObjectJobRequest) -> JobStatusResponse:
    """Create, change or delete up to a hundred records in the background."""
    job = required(body.job, "job")
    custom_objects.object_of(tx, custom_object_key)
    action, items = required(job.action, "action"), required(job.items, "items")
    if action not in _ACTIONS:
        raise refusals.not_listed("action", "Action", action)
    return enqueue_job(tx, me, _KIND, required_list(items, "items"), key=custom_object_key, action=action)


@JOBS.worker(_KIND, "Processing record")
def work_record(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one record of a bulk job."""
    me, key, action = tx.get(User, job.shared["user_id"]), job.shared["key"], job.shared["action"]
    if action == "delete":
        record = custom_object_records.record_of(tx, key, str(item))
        tx.remove(record)
    elif action == "delete_by_external_id":
        record = or_not_found(_known(tx, key, str(item), None))
        tx.remove(record)
    else:
        try:
            asked = msgspec.convert(item, ObjectRecordInput, strict=False)
        except msgspec.ValidationError as error:
            raise refusals.invalid("base", str(error), "InvalidValue") from None
        record = _written(tx, me, key, action, asked)
    verb = "delete" if action.startswith("delete") else "create" if action == "create" else "update"
    return {"index": place, "id": record.id, "action": verb, "success": True, "status": f"{verb.capitalize()}d"}


def _written(tx: Tx, me: User, key: str, action: str, asked: ObjectRecordInput) -> ObjectRecord:
    if action == "create":
        return _add(tx, me, key, asked)
    if action == "update":
        return object_triggers.change(
            tx, me, custom_object_records.record_of(tx, key, required(asked.id, "id")), _wanted(asked)
        )
    fields = _wanted(asked)
    external_id = fields.get("external_id") if action.endswith("external_id") else None
    found = _known(tx, key, external_id, fields.get("name"))
    return object_triggers.change(tx, me, found, fields) if found else _add(tx, me, key, asked)
