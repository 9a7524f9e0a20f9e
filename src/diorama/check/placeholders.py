"""Find placeholders of host names: product code writes them, and no reply may contain one."""

from typing import Any

from diorama.kit.product import HOST_PLACEHOLDER

PLACEHOLDER = HOST_PLACEHOLDER[0]
_FORMS = (ascii(PLACEHOLDER)[1:-1], ascii(PLACEHOLDER.encode())[2:-1])


def shows_placeholder(value: Any) -> bool:
    """Return whether a value holds a placeholder anywhere: as text, as bytes, or escaped."""
    text = ascii(value)
    return any(form in text for form in _FORMS)
