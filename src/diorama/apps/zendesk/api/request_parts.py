"""Checks on the parts of a request that many operations share: body keys, ids, order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from msgspec import UNSET, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST, Page, page_of
from diorama.apps.zendesk.schema import BASE, User
from diorama.kernel import Record, Tx
from diorama.kit import Caller
from diorama.kit.resource import Conventions

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Me = Annotated[User, Caller]
"""The caller, as the role of the operation finds it."""


def required(part: T | UnsetType, name: str) -> T:
    """Return a required part of a body; raise 400 if it is missing."""
    if part is UNSET:
        raise refusals.parameter_missing(name)
    return part


def required_list(part: Sequence[T] | UnsetType, name: str) -> Sequence[T]:
    """Return the items of a body; raise 400 for more than a hundred."""
    items = required(part, name)
    if len(items) > MOST:
        raise refusals.too_many()
    return items


def or_not_found(record: T | None) -> T:
    """Return the record; raise 404 if it is None."""
    if record is None:
        raise refusals.not_found()
    return record


def get_owned(tx: Tx, record: type[R], number: int | str, **owner: int | str) -> R:
    """Return a record by id; raise 404 unless it belongs to the owner named in the path."""
    found = tx.get(record, number)
    if any(getattr(found, name) != value for name, value in owner.items()):
        raise refusals.not_found()
    return found


def set_location(tx: Tx, path: str) -> None:
    """Set the Location header to a new record's URL."""
    tx.headers["location"] = f"{BASE}/{path}.json"


def reorder(tx: Tx, record: type[Record], ids: Sequence[int | str]) -> None:
    """Move these records to the front, in this order; the others follow in their old order."""
    place = 0
    listed = [found for number in dict.fromkeys(ids) if (found := tx.find(record, number)) is not None]
    if len(listed) != len(set(ids)):
        raise refusals.not_found()
    first = {one.id for one in listed}
    rest: list[Any] = [one for one in tx.all(record, order="position, id") if one.id not in first]
    for place, one in enumerate([*listed, *rest]):
        tx.change(one, position=place)


PLAIN = Conventions(
    page=Page,
    list_page=page_of,
    part=required,
    located=lambda tx, path: set_location(tx, path.removeprefix("/api/v2/")),
    reads="agent",
    writes="admin",
)
"""How the vendor writes plain configuration nouns: every agent reads them, administrators change them."""
