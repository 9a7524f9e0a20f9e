"""Photos of users and logos of brands: fetched from a URL, stored as files, offered in several sizes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.attachments import placeholder_image
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Picture
from diorama.apps.zendesk.schema.attachments import File
from diorama.kernel import Tx

PHOTO = (("", 80), ("_thumb", 32))
LOGO = (("", 80), ("_thumb", 32), ("_small", 24))


def store_photo(tx: Tx, name: str, sizes: tuple[tuple[str, int], ...] = PHOTO) -> Picture:
    """Generate a picture with this name in each size; the first is the picture, the others are thumbnails."""
    made = []
    for ending, side in sizes:
        content = placeholder_image(name, side)
        file = File(
            file_name=f"{name}{ending}.png",
            content_type="image/png",
            size=len(content),
            content=content,
            created_at=now(tx),
        )
        kept = tx.add(file)
        made.append(Picture(kept.id, kept.file_name, kept.content_type, kept.size, side))
    whole, *smaller = made
    return Picture(whole.id, whole.file_name, whole.content_type, whole.size, whole.side, tuple(smaller))


def fetch_photo(tx: Tx, address: str | None) -> Picture | None:
    """Return the picture at a URL, generated from its file name; None without a URL."""
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise refusals.invalid("photo", "Photo: is not an address of a picture", "InvalidFormat")
    last = parts.path.rstrip("/").rpartition("/")[2].rpartition(".")[0] or parts.netloc
    return store_photo(tx, re.sub(r"[^\w-]", "_", last)[:80])
