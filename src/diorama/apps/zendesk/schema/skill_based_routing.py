"""Skills of agents and tickets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Dice, Record

Holder = Literal["agent", "ticket"]


def _uuid(n: int, dice: Callable[[], Dice], now_us: int) -> str:
    """Return a random UUID from the dice."""
    text = dice().hex(32)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{'89ab'[int(text[16], 16) % 4]}{text[17:20]}-{text[20:32]}"


@APP.record("routing_attributes", ids=_uuid, index=[("name",), ("updated_at", "id")], cached=True)
class Skill(Record):
    """A skill type, such as language or machine."""

    id: str = ""
    name: str
    created_at: datetime
    updated_at: datetime


@APP.record(
    "routing_values", ids=_uuid, index=[("attribute_id", "name"), ("automatic",), ("updated_at", "id")], cached=True
)
class SkillValue(Record):
    """A skill, such as German or lever machines; new tickets that match its conditions need it."""

    id: str = ""
    attribute_id: str
    name: str
    conditions: Conditions = Conditions()
    automatic: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "routing_instance_values",
    ids=_uuid,
    index=[("value_id",), ("updated_at", "id")],
    unique=[("holder", "holder_id", "value_id")],
)
class HeldSkill(Record):
    """A skill that an agent has or a ticket needs."""

    id: str = ""
    holder: Holder
    holder_id: int
    attribute_id: str
    value_id: str
    created_at: datetime
    updated_at: datetime
