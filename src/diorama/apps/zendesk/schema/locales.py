"""Records of locales."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record


@APP.record("locales", index=[("locale",)], cached=True)
class Locale(Record):
    """A language of the product; `public` ones are offered to customers."""

    locale: str
    name: str
    native_name: str
    presentation_name: str
    rtl: bool = False
    default: bool = False
    public: bool = False
    agent: bool = False
    created_at: datetime
    updated_at: datetime
