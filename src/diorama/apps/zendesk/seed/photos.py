"""Photos of users."""

from __future__ import annotations

from diorama.apps.zendesk.rules import photos
from diorama.apps.zendesk.schema import Picture
from diorama.kernel import Tx


def photo(tx: Tx, email: str) -> Picture:
    """The picture that somebody put beside their name."""
    return photos.store_photo(tx, f"profile_image_{email.partition('@')[0].replace('.', '_')}")
