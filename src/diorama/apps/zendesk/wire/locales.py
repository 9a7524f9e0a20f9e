"""Locales as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema import Locale
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class LocaleObject(Struct, kw_only=True):
    url: str
    id: int
    locale: str
    name: str
    native_name: str
    presentation_name: str
    rtl: bool
    default: bool
    created_at: datetime
    updated_at: datetime


def locale_object(locale: Locale) -> LocaleObject:
    """Return the API object of a language."""
    return shaped(LocaleObject, locale, f"locales/{locale.id}")


class LocaleResponse(Struct):
    locale: LocaleObject


class LocalesResponse(Listing, kw_only=True):
    locales: list[LocaleObject]
