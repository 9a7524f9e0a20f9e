"""Checks of workspaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import conditions
from diorama.apps.zendesk.schema import Conditions


def check_fields(fields: Mapping[str, Any]) -> None:
    """Raise 422 for a blank title or a condition on a field that does not exist."""
    if "title" in fields and not fields["title"].strip():
        raise refusals.blank("title", "Title")
    when: Conditions = fields.get("conditions", Conditions())
    for one in (*when.all, *when.any):
        if not conditions.known(one.field):
            raise refusals.invalid("conditions", f"Conditions: {one.field} is invalid", "InvalidValue")
