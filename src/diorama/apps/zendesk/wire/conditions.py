"""Conditions as the API takes them."""

from __future__ import annotations

from msgspec import Struct

from diorama.apps.zendesk.schema import Condition


class ConditionsInput(Struct, kw_only=True):
    all: list[Condition] | None = None
    any: list[Condition] | None = None
