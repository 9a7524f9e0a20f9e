"""What the handlers of the configuration have in common: bodies that must be there, and orders that are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.options import Wanted
from diorama.apps.zendesk.schema import BASE
from diorama.apps.zendesk.wire.fields import OptionInput
from diorama.kernel import Record, Tx

B = TypeVar("B", bound=Struct)
T = TypeVar("T")


def need(part: T | UnsetType, name: str) -> T:
    """The part of a body that a request is about."""
    if part is UNSET:
        raise refusals.parameter_missing(name)
    return part


def located(tx: Tx, path: str) -> None:
    """Say where the new thing is."""
    tx.headers["location"] = f"{BASE}/{path}.json"


def reorder(tx: Tx, record: type[Record], ids: Sequence[int | str]) -> None:
    """Put these first, in this order; the others keep theirs behind them."""
    place = 0
    listed = [found for number in dict.fromkeys(ids) if (found := tx.find(record, number)) is not None]
    if len(listed) != len(set(ids)):
        raise refusals.not_found()
    first = {one.id for one in listed}
    rest: list[Any] = [one for one in tx.all(record, order="position, id") if one.id not in first]
    for place, one in enumerate([*listed, *rest]):
        tx.change(one, position=place)


def wanted(listed: Iterable[OptionInput]) -> list[Wanted]:
    """Options as a body asks for them."""
    return [
        Wanted(
            name=_or_none(one.name),
            value=_or_none(one.value),
            id=_or_none(one.id),
            default=one.default is True,
            position=_or_none(one.position),
        )
        for one in listed
    ]


def _or_none(value: Any) -> Any:
    return None if value is UNSET else value
