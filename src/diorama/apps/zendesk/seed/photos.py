"""Photos of users."""

from __future__ import annotations

from diorama.apps.zendesk.rules import photos
from diorama.apps.zendesk.schema import Picture
from diorama.kernel import Tx


def photo(tx: Tx, email: str) -> Picture:
    """Return a profile picture for the user with this email."""
    return photos.store_photo(tx, f"profile_image_{email.partition('@')[0].replace('.', '_')}")
