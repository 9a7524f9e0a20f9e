"""Records of essentials cards."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid


@APP.record("essentials_cards", ids=ulid(), unique=[("object_type",)])
class EssentialsCard(Record):
    """The fields of an object that agents see first."""

    id: str = ""
    object_type: str
    layout: str = "essentials_card"
    fields: tuple[dict[str, Any], ...] = ()
    max_count: int = 20
    created_at: datetime
    updated_at: datetime
