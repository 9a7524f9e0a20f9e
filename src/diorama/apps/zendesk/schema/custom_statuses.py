"""Records of custom statuses."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("custom_statuses", ids=sparse(12_480_498_900_244, 512), index=[("status_category",)], cached=True)
class CustomStatus(Record):
    """A status with a custom name; its category is the standard status it means."""

    status_category: str
    agent_label: str
    end_user_label: str = ""
    description: str = ""
    end_user_description: str = ""
    active: bool = True
    default: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "ticket_form_statuses",
    ids=sparse(18_416_271_410_004, 256),
    unique=[("ticket_form_id", "custom_status_id")],
)
class FormStatus(Record):
    """A status that a form offers."""

    ticket_form_id: int
    custom_status_id: int
    created_at: datetime
    updated_at: datetime
