"""Targets on the wire."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Target
from diorama.apps.zendesk.wire.targets import TargetRequest, TargetResponse, TargetsResponse, target_object
from diorama.kernel import Tx

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
"""What each type of target must be told."""
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


@APP.get("/api/v2/targets", role="agent")
def list_targets(tx: Tx, page: Page) -> TargetsResponse:
    """List targets."""
    found, around = page_of(tx, page, Target)
    return TargetsResponse(targets=[target_object(one) for one in found], **around)


@APP.get("/api/v2/targets/{target_id}", role="agent")
def show_target(tx: Tx, target_id: int) -> TargetResponse:
    """Show a target."""
    return TargetResponse(target_object(tx.get(Target, target_id)))


@APP.post("/api/v2/targets", role="admin", status=201)
def create_target(tx: Tx, me: Me, body: TargetRequest) -> TargetResponse:
    """Create a target."""
    asked = required(body.target, "target")
    kind, title = str(asked.get("type") or ""), str(asked.get("title") or "")
    if kind not in _WANTS:
        raise refusals.not_listed("type", "Type", kind or "empty")
    settings = _target_fields(kind, asked)
    _check_target(kind, title, settings)
    active = asked.get("active") is not False
    target = audit_logs.add(
        tx, me, Target(type=kind, title=title, active=active, settings=settings, created_at=now(tx))
    )
    set_location(tx, f"targets/{target.id}")
    return TargetResponse(target_object(target))


@APP.put("/api/v2/targets/{target_id}", role="admin")
def update_target(tx: Tx, me: Me, target_id: int, body: TargetRequest) -> TargetResponse:
    """Update a target; its type stays."""
    target = tx.get(Target, target_id)
    asked = required(body.target, "target")
    title = str(asked.get("title", target.title) or "")
    settings = {**target.settings, **_target_fields(target.type, asked)}
    _check_target(target.type, title, settings)
    active = target.active if asked.get("active") is None else asked["active"] is True
    fields = {"title": title, "settings": settings, "active": active}
    return TargetResponse(target_object(audit_logs.change(tx, me, target, fields)))


@APP.delete("/api/v2/targets/{target_id}", role="admin")
def delete_target(tx: Tx, me: Me, target_id: int) -> None:
    """Delete a target."""
    audit_logs.remove(tx, me, tx.get(Target, target_id))
