"""Conditions as the API takes them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from diorama.apps.zendesk.schema import Action, Condition

MOST_CONDITIONS = 200
"""The most conditions or actions of a rule; the vendor limits the size of a rule as a whole."""
ConditionList = Annotated[list[Condition], Meta(max_length=MOST_CONDITIONS)]
ActionList = Annotated[list[Action], Meta(max_length=MOST_CONDITIONS)]


class ConditionsInput(Struct, kw_only=True):
    all: ConditionList | None = None
    any: ConditionList | None = None
