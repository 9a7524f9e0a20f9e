"""Custom field options as the API shows and takes them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Option
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class FieldOptionObject(Struct, kw_only=True):
    id: int | UnsetType = UNSET
    name: str
    raw_name: str | UnsetType = UNSET
    value: str
    default: bool | UnsetType = UNSET
    position: int | UnsetType = UNSET
    url: str | UnsetType = UNSET


def option_object(option: Option, **more: Any) -> FieldOptionObject:
    """Return the API object of a field option."""
    return shaped(FieldOptionObject, option, raw_name=option.name, **more)


class OptionInput(Struct, kw_only=True):
    id: Id | UnsetType | None = UNSET
    name: str | UnsetType = UNSET
    value: str | UnsetType = UNSET
    default: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET


class OptionRequest(Struct):
    custom_field_option: OptionInput | UnsetType = UNSET


class CustomFieldOptionResponse(Struct):
    custom_field_option: FieldOptionObject


class CustomFieldOptionsResponse(Listing, kw_only=True):
    custom_field_options: list[FieldOptionObject]
