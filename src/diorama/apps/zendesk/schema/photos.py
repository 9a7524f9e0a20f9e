"""Pictures: the face of a person, the mark of a brand."""

from __future__ import annotations

from msgspec import Struct


class Picture(Struct, frozen=True):
    """A square picture whose bytes are the file of the same id, and smaller ones of it."""

    id: int
    file_name: str
    content_type: str
    size: int
    side: int
    thumbnails: tuple[Picture, ...] = ()
