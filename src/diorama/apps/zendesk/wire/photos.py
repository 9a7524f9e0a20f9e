"""Pictures of users and brands in API format."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from msgspec import Struct

from diorama.apps.zendesk.schema import BASE, HOST, Picture
from diorama.apps.zendesk.schema.file_tokens import file_token


class ThumbnailObject(Struct, kw_only=True):
    url: str
    id: int
    file_name: str
    content_url: str
    mapped_content_url: str
    content_type: str
    size: int
    width: int
    height: int
    inline: bool = False
    deleted: bool = False


class PictureObject(ThumbnailObject, kw_only=True):
    thumbnails: list[ThumbnailObject]


def picture_object(picture: Picture | None) -> PictureObject | None:
    """Return the API object of a picture with its thumbnails, or None."""
    if picture is None:
        return None
    return PictureObject(**_shown(picture), thumbnails=[ThumbnailObject(**_shown(one)) for one in picture.thumbnails])


def _shown(picture: Picture) -> dict[str, Any]:
    content = f"https://{HOST}/attachments/token/{file_token(picture.id)}/?name={quote(picture.file_name)}"
    return {
        "url": f"{BASE}/attachments/{picture.id}.json",
        "id": picture.id,
        "file_name": picture.file_name,
        "content_url": content,
        "mapped_content_url": content,
        "content_type": picture.content_type,
        "size": picture.size,
        "width": picture.side,
        "height": picture.side,
    }
