"""Records of trigger categories."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("trigger_categories", ids=sparse(18_416_290_551_700, 256), index=[("position", "id")], cached=True)
class TriggerCategory(Record):
    """A folder of triggers."""

    name: str
    position: int = 0
    created_at: datetime
    updated_at: datetime
