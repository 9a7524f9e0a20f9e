"""API operations for macro attachments."""

from __future__ import annotations

import base64
from typing import Annotated

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.macros import owned_macro, usable_macro
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, MacroAttachment, User
from diorama.apps.zendesk.wire.macro_attachments import (
    MacroAttachmentResponse,
    MacroAttachmentsResponse,
    macro_attachment_object,
)
from diorama.kernel import Reply, Tx
from diorama.kit import Header
from diorama.kit.bounds import Invalid, Malformed
from diorama.kit.multipart import parse_multipart

MOST = 5
"""The most files that a macro can have."""
UNTYPED = "application/octet-stream"


def _file(body: bytes, content_type: str, filename: str | None) -> tuple[str, str, bytes]:
    """Return name, type and bytes of a file that was sent as a form or as it is."""
    if not content_type.startswith("multipart/form-data"):
        return filename or "", content_type.partition(";")[0].strip() or UNTYPED, body
    try:
        form = parse_multipart(body, content_type, APP.size_limits)
    except (Malformed, Invalid):
        return filename or "", UNTYPED, b""
    name = form.fields.get("filename", [""])[-1].strip() or filename or ""
    if "attachment" not in form.files:
        return name, UNTYPED, b""
    file = form.files["attachment"][-1]
    return name or file.filename, file.content_type.partition(";")[0].strip().lower(), file.content


def _kept(tx: Tx, body: bytes, content_type: str | None, filename: str | None, macro_id: int | None) -> MacroAttachment:
    name, kind, content = _file(body, content_type or UNTYPED, filename)
    if not name:
        raise refusals.parameter_missing("filename")
    if not content:
        raise refusals.parameter_missing("attachment")
    return tx.add(
        MacroAttachment(
            macro_id=macro_id,
            filename=name,
            content_type=kind,
            size=len(content),
            content=base64.b64encode(content).decode(),
            created_at=now(tx),
        )
    )


@APP.post("/api/v2/macros/attachments", role="agent", status=201, seconds=1.0)
def create_macro_attachment(
    tx: Tx,
    body: bytes,
    filename: str | None = None,
    content_type: Annotated[str | None, Header("Content-Type")] = None,
) -> MacroAttachmentResponse:
    """Upload a file for a macro that will be created later."""
    return MacroAttachmentResponse(macro_attachment_object(_kept(tx, body, content_type, filename, None)))


@APP.post("/api/v2/macros/{macro_id}/attachments", role="agent", status=201, seconds=1.0)
def create_associated_macro_attachment(
    tx: Tx,
    me: Me,
    macro_id: int,
    body: bytes,
    filename: str | None = None,
    content_type: Annotated[str | None, Header("Content-Type")] = None,
) -> MacroAttachmentResponse:
    """Add an attachment to a macro."""
    macro = owned_macro(tx, macro_id, me)
    if tx.count(MacroAttachment, "macro_id = ?", macro.id) >= MOST:
        raise refusals.invalid("base", f"Attachments: a macro has at most {MOST}", "InvalidValue")
    return MacroAttachmentResponse(macro_attachment_object(_kept(tx, body, content_type, filename, macro.id)))


@APP.get("/api/v2/macros/{macro_id}/attachments", role="agent")
def list_macro_attachments(tx: Tx, me: Me, macro_id: int) -> MacroAttachmentsResponse:
    """List the attachments of a macro."""
    macro = usable_macro(tx, macro_id, me)
    found = tx.all(MacroAttachment, "macro_id = ?", macro.id, order="id")
    return MacroAttachmentsResponse([macro_attachment_object(file) for file in found])


def _seen(tx: Tx, me: User, attachment_id: int) -> MacroAttachment:
    file = tx.get(MacroAttachment, attachment_id)
    if file.macro_id is not None:
        usable_macro(tx, file.macro_id, me)
    return file


@APP.get("/api/v2/macros/attachments/{attachment_id}", role="agent")
def show_macro_attachment(tx: Tx, me: Me, attachment_id: int) -> MacroAttachmentResponse:
    """Show a macro attachment, without its content."""
    return MacroAttachmentResponse(macro_attachment_object(_seen(tx, me, attachment_id)))


@APP.get("/api/v2/macros/attachments/{attachment_id}/content", role="agent")
def download_macro_attachment(tx: Tx, me: Me, attachment_id: int) -> Reply:
    """Download a macro attachment."""
    file = _seen(tx, me, attachment_id)
    return Reply(200, {"content-type": file.content_type}, base64.b64decode(file.content))
