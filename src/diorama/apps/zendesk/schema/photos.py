"""Pictures: photos of users and logos of brands."""

from __future__ import annotations

from msgspec import Struct


class Picture(Struct, frozen=True):
    """A square picture and its thumbnails; the bytes are in the file with the same id."""

    id: int
    file_name: str
    content_type: str
    size: int
    side: int
    thumbnails: tuple[Picture, ...] = ()
