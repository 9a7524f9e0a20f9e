"""Records of macros."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.actions import Action
from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("macros", ids=sparse(18_416_333_516_052, 640), index=[("active", "position")], cached=True)
class Macro(Record):
    """A prepared answer that an agent applies manually."""

    title: str
    active: bool = True
    position: int = 9999
    actions: tuple[Action, ...]
    description: str | None = None
    restriction: dict[str, Any] | None = None
    default: bool = False
    created_at: datetime
    updated_at: datetime
