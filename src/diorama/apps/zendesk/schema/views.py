"""Records of views."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, sparse


class Output(msgspec.Struct, frozen=True):
    """How a view shows its tickets."""

    columns: tuple[str, ...] = ("subject", "requester", "created", "updated", "group", "assignee")
    group_by: str | None = None
    group_order: str = "desc"
    sort_by: str | None = None
    sort_order: str = "desc"


@APP.record("views", ids=sparse(18_416_360_402_836, 640), index=[("active", "position")], cached=True)
class View(Record):
    """A list of tickets by conditions."""

    title: str
    active: bool = True
    position: int = 9999
    conditions: Conditions
    output: Output = Output()
    description: str | None = None
    restriction: dict[str, Any] | None = None
    default: bool = False
    created_at: datetime
    updated_at: datetime
