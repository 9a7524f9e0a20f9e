"""Records of dynamic content."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("dynamic_items", ids=sparse(18_416_292_660_436, 384), unique=[("placeholder",)], cached=True)
class DynamicItem(Record):
    """A text in several languages; rules and fields refer to it by its placeholder."""

    name: str
    placeholder: str
    default_locale_id: int = 1
    created_at: datetime
    updated_at: datetime


@APP.record("dynamic_variants", ids=sparse(18_416_293_840_148, 384), unique=[("item_id", "locale_id")], cached=True)
class DynamicVariant(Record):
    """The text of an item in one language."""

    item_id: int
    locale_id: int
    content: str
    active: bool = True
    default: bool = False
    created_at: datetime
    updated_at: datetime
