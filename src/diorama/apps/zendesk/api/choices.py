"""What the fields of tickets, people and custom objects have in common on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.listing import given
from diorama.apps.zendesk.rules.fields import pattern
from diorama.apps.zendesk.schema import ObjectField, ProfileField, TicketField
from diorama.apps.zendesk.wire.fields import FieldInput

CHOOSING = ("tagger", "dropdown", "multiselect")
"""Types whose values are options."""


def asked_of(asked: FieldInput, *names: str) -> dict[str, Any]:
    """What a body wants of a field; a raw title is a title, and no description is an empty one."""
    fields = given(asked, *names)
    if asked.raw_title is not UNSET:
        fields["title"] = asked.raw_title
    if asked.description is not UNSET:
        fields["description"] = asked.description or ""
    return fields


def check_field(field: TicketField | ProfileField | ObjectField) -> None:
    """A field needs a title, and what its type cannot do without."""
    if not field.title.strip():
        raise refusals.blank("title", "Title")
    if field.type == "regexp" and (not field.regexp_for_validation or pattern(field.regexp_for_validation) is None):
        raise refusals.invalid("regexp_for_validation", "Regular expression: is invalid", "InvalidFormat")
    if field.type == "lookup" and not field.relationship_target_type:
        raise refusals.blank("relationship_target_type", "Relationship target type")
    if field.type in CHOOSING and not field.options:
        raise refusals.blank("custom_field_options", "Custom field options")
