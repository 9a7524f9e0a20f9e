"""Zendesk's error replies, for requests that its rules refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.kernel import Refusal


def forbidden() -> Refusal:
    """Return 403: the caller's role does not allow this."""
    return Refusal(
        403,
        "Forbidden",
        "You do not have access to this page. Please contact the account owner of this help desk for further help.",
        fields={"title": "Forbidden"},
    )


def unauthenticated() -> Refusal:
    """Return 401: the credentials are unknown."""
    return Refusal(401, "Couldn't authenticate you")


def not_found() -> Refusal:
    """Return 404: the record does not exist, or the caller may not see it."""
    return Refusal(404, "RecordNotFound", "Not found")


def invalid(field: str, description: str, error: str | None = None, **more: Any) -> Refusal:
    """Return 422: one field of a record is invalid."""
    return invalids({field: [problem(description, error, **more)]})


def problem(description: str, error: str | None = None, **more: Any) -> dict[str, Any]:
    """Return one error entry of a field."""
    return {**more, "description": description, **({"error": error} if error else {})}


def invalids(details: Mapping[str, Sequence[Mapping[str, Any]]]) -> Refusal:
    """Return 422: a record is invalid, with the errors of each field."""
    refusal = Refusal(422, "RecordInvalid", "Record validation errors", fields={"details": details})
    reasons = "; ".join(str(complaint["description"]) for complaints in details.values() for complaint in complaints)
    refusal.args = (f"422 RecordInvalid: {reasons}",)
    return refusal


def blank(field: str, label: str) -> Refusal:
    """Return 422: a required field is blank."""
    return invalid(field, f"{label}: cannot be blank", "BlankValue")


def not_listed(field: str, label: str, value: object) -> Refusal:
    """Return 422: the value is not one of the field's options."""
    return invalid(field, f"{label}: {value} is not included in the list", "InvalidValue")


def search_too_complex(subject: str) -> Refusal:
    """Return the refusal of a search that is too long; the vendor's own words for it were not seen on the wire."""
    what = "is too long" if subject == "length" else f"has too many {subject}"
    return Refusal(422, "invalid", f"Invalid search: the query {what}")


def too_many(limit: int = 100) -> Refusal:
    """Return 400: the request has too many values."""
    return Refusal(400, "TooManyValues", f"Please pass at most {limit} values", fields={"max_count": limit})


def parameter_missing(name: str) -> Refusal:
    """Return 400: a required parameter is missing."""
    return Refusal(400, "ParameterMissing", f"Required parameter missing: {name}")


def bad_parameter(name: str, rule: str) -> Refusal:
    """Return 400: a parameter has an invalid value."""
    return Refusal(
        400,
        "InvalidAttribute",
        f"You passed an invalid value for the {name} attribute. Invalid parameter: {name} {rule}",
        fields={"title": "Invalid attribute"},
    )


def outdated() -> Refusal:
    """Return 409: the ticket was changed by another update in the meantime."""
    return Refusal(
        409,
        "UpdateConflict",
        "Safe Update prevented the update due to outdated ticket data. "
        "Please fetch the latest ticket data and try again.",
    )


def closed() -> Refusal:
    """Return 422: a closed ticket cannot be updated."""
    return invalid("status", "Status: closed prevents ticket update")
