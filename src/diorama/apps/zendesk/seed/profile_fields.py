"""Add user fields and organization fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Option, OrganizationField, UserField
from diorama.kernel import Tx


def add_user_field(
    tx: Tx, key: str, title: str, type: str = "text", options: Iterable[tuple[str, str]] = ()
) -> UserField:
    """Add a user field."""
    return tx.add(UserField(**_profile(tx, tx.count(UserField), key, title, type, options)))


def add_organization_field(
    tx: Tx, key: str, title: str, type: str = "text", options: Iterable[tuple[str, str]] = ()
) -> OrganizationField:
    """Add an organization field."""
    return tx.add(OrganizationField(**_profile(tx, tx.count(OrganizationField), key, title, type, options)))


def _profile(tx: Tx, place: int, key: str, title: str, type: str, options: Iterable[tuple[str, str]]) -> dict[str, Any]:
    moment = now(tx)
    listed = tuple(
        Option(name, value, 18_416_286_000_000 + 100 * place + n) for n, (name, value) in enumerate(options, 1)
    )
    shape = {"key": key, "title": title, "type": type, "options": listed, "position": place}
    return {**shape, "created_at": moment, "updated_at": moment}
