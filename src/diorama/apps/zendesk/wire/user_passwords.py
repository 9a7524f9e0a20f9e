"""User passwords as the API shows and takes them."""

from __future__ import annotations

from msgspec import Struct


class PasswordRequest(Struct):
    password: str = ""
    previous_password: str = ""


class RequirementsResponse(Struct):
    requirements: tuple[str, ...]
