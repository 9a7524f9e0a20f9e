"""Records of ticket fields."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.custom_field_options import Option
from diorama.kernel import Record, sparse


@APP.record("ticket_fields", ids=sparse(18_416_277_105_940, 384), index=[("position",)], cached=True)
class TicketField(Record):
    """A ticket field; removable ones are custom fields."""

    type: str
    title: str
    description: str = ""
    position: int = 9999
    active: bool = True
    required: bool = False
    collapsed_for_agents: bool = False
    regexp_for_validation: str | None = None
    title_in_portal: str = ""
    visible_in_portal: bool = False
    editable_in_portal: bool = False
    required_in_portal: bool = False
    agent_description: str | None = None
    tag: str | None = None
    removable: bool = False
    options: tuple[Option, ...] = ()
    sub_type_id: int | None = None
    relationship_target_type: str | None = None
    relationship_filter: dict[str, Any] | None = None
    creator_user_id: int = -1
    created_at: datetime
    updated_at: datetime
