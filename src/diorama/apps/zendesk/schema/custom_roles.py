"""Records of custom roles."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("custom_roles", ids=sparse(18_416_266_480_148, 384), cached=True)
class CustomRole(Record):
    """The permissions of agents with this role; `role_type` is 0 for the company's own roles."""

    name: str
    description: str = ""
    role_type: int = 0
    configuration: dict[str, Any] = {}
    created_at: datetime
    updated_at: datetime
