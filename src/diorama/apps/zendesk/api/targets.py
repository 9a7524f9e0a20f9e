"""Targets on the wire."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import PLAIN
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Target, User
from diorama.apps.zendesk.wire.targets import TargetRequest, TargetResponse, TargetsResponse, target_object
from diorama.kernel import Tx
from diorama.kit.resource import Resource

_WANTS: dict[str, tuple[str, ...]] = {
    "email_target": ("email", "subject"),
    "http_target": ("target_url", "method", "content_type"),
    "url_target": ("target_url", "method", "attribute"),
    "url_target_v2": ("target_url", "method"),
    "basecamp_target": ("target_url", "token", "project_id", "resource"),
    "campfire_target": ("subdomain", "room", "token"),
    "clickatell_target": ("username", "password", "api_id", "to"),
    "flowdock_target": ("api_token",),
    "jira_target": ("target_url", "username", "password"),
    "twitter_target": ("token", "secret"),
}
"""The required fields of each target type."""
_MORE = (
    "username",
    "password",
    "message_id",
    "todo_list_id",
    "from",
    "us_small_business_account",
    "ssl",
    "preserve_format",
)


def _target_fields(kind: str, asked: dict[str, Any]) -> dict[str, Any]:
    allowed = (*_WANTS[kind], *_MORE)
    return {name: value for name, value in asked.items() if name in allowed}


def _check_target(kind: str, title: str, settings: dict[str, Any]) -> None:
    if not title.strip():
        raise refusals.blank("title", "Title")
    for name in _WANTS[kind]:
        if settings.get(name) in (None, ""):
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    url = settings.get("target_url", "https://")
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise refusals.invalid("target_url", "Target url: is invalid", "InvalidFormat")


def _create(tx: Tx, me: User, asked: dict[str, Any]) -> Target:
    """Create a target."""
    kind, title = str(asked.get("type") or ""), str(asked.get("title") or "")
    if kind not in _WANTS:
        raise refusals.not_listed("type", "Type", kind or "empty")
    settings = _target_fields(kind, asked)
    _check_target(kind, title, settings)
    active = asked.get("active") is not False
    return audit_logs.add(tx, me, Target(type=kind, title=title, active=active, settings=settings, created_at=now(tx)))


def _change(tx: Tx, me: User, target: Target, asked: dict[str, Any]) -> Target:
    """Update a target; its type cannot change."""
    title = str(asked.get("title", target.title) or "")
    settings = {**target.settings, **_target_fields(target.type, asked)}
    _check_target(target.type, title, settings)
    active = target.active if asked.get("active") is None else asked["active"] is True
    return audit_logs.change(tx, me, target, {"title": title, "settings": settings, "active": active})


Resource(
    APP,
    PLAIN,
    "/api/v2/targets",
    Target,
    singular="target",
    shape=lambda tx, target: target_object(target),
    request=TargetRequest,
    response=TargetResponse,
    responses=TargetsResponse,
    create=_create,
    change=_change,
    remove=audit_logs.remove,
)
