"""How Zendesk says no when its rules forbid something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.kernel import Refusal


def forbidden() -> Refusal:
    """The person's role does not allow this."""
    return Refusal(
        403,
        "Forbidden",
        "You do not have access to this page. Please contact the account owner of this help desk for further help.",
        fields={"title": "Forbidden"},
    )


def unauthenticated() -> Refusal:
    """Nobody here has these credentials."""
    return Refusal(401, "Couldn't authenticate you")


def not_found() -> Refusal:
    """Nothing is there, or nothing that this person may see."""
    return Refusal(404, "RecordNotFound", "Not found")


def invalid(field: str, description: str, error: str | None = None, **more: Any) -> Refusal:
    """One field of a record is not acceptable."""
    return invalids({field: [problem(description, error, **more)]})


def problem(description: str, error: str | None = None, **more: Any) -> dict[str, Any]:
    """One complaint about one field."""
    return {**more, "description": description, **({"error": error} if error else {})}


def invalids(details: Mapping[str, Sequence[Mapping[str, Any]]]) -> Refusal:
    """A record is not acceptable, for these reasons."""
    refusal = Refusal(422, "RecordInvalid", "Record validation errors", fields={"details": details})
    reasons = "; ".join(str(complaint["description"]) for complaints in details.values() for complaint in complaints)
    refusal.args = (f"422 RecordInvalid: {reasons}",)
    return refusal


def blank(field: str, label: str) -> Refusal:
    """A required field is missing."""
    return invalid(field, f"{label}: cannot be blank", "BlankValue")


def not_listed(field: str, label: str, value: object) -> Refusal:
    """A value that the field does not offer."""
    return invalid(field, f"{label}: {value} is not included in the list", "InvalidValue")


def search_too_complex(subject: str) -> Refusal:
    """Return the refusal of a search that is too long; the vendor's own words for it were not seen on the wire."""
    return Refusal(422, "invalid", f"Invalid search: the query has too many {subject}")


def too_many(limit: int = 100) -> Refusal:
    """More values than one request may carry."""
    return Refusal(400, "TooManyValues", f"Please pass at most {limit} values", fields={"max_count": limit})


def parameter_missing(name: str) -> Refusal:
    """The request has not what it needs."""
    return Refusal(400, "ParameterMissing", f"Required parameter missing: {name}")


def bad_parameter(name: str, rule: str) -> Refusal:
    """A parameter has the wrong type."""
    return Refusal(
        400,
        "InvalidAttribute",
        f"You passed an invalid value for the {name} attribute. Invalid parameter: {name} {rule}",
        fields={"title": "Invalid attribute"},
    )


def outdated() -> Refusal:
    """Somebody else was faster."""
    return Refusal(
        409,
        "UpdateConflict",
        "Safe Update prevented the update due to outdated ticket data. "
        "Please fetch the latest ticket data and try again.",
    )


def closed() -> Refusal:
    """A closed ticket stays as it is."""
    return invalid("status", "Status: closed prevents ticket update")
