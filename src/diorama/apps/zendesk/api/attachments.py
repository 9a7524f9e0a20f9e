"""API operations for uploads and attachments, including downloads."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import Me, get_owned, set_location
from diorama.apps.zendesk.rules import attachments
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.comment_redactions import redact_attachment
from diorama.apps.zendesk.schema import APP, Attachment, Comment
from diorama.apps.zendesk.schema.attachments import File
from diorama.apps.zendesk.schema.file_tokens import file_of_token
from diorama.apps.zendesk.wire.attachments import (
    AttachmentRequest,
    AttachmentResponse,
    UploadResponse,
    attachment_object,
    upload_object,
)
from diorama.kernel import Reply, Tx
from diorama.kit import Header
from diorama.kit.wire import content_disposition


@APP.post("/api/v2/uploads", role="user", status=201, seconds=1.0)
def upload_files(
    tx: Tx,
    me: Me,
    body: bytes,
    filename: str | None = None,
    token: str | None = None,
    content_type: Annotated[str | None, Header("Content-Type")] = None,
) -> UploadResponse:
    """Upload a file for a later comment; with a token, add it to an existing upload."""
    if not filename:
        raise refusals.parameter_missing("filename")
    kind = (content_type or attachments.UNTYPED).partition(";")[0].strip() or attachments.UNTYPED
    made = attachments.upload(tx, me, filename, kind, body, token)
    set_location(tx, f"uploads/{made.id}")
    listed = [attachments.attachment_of(file) for file in tx.all(File, "upload = ?", made.id)]
    return UploadResponse(upload_object(made, listed))


@APP.delete("/api/v2/uploads/{token}", role="user")
def delete_upload(tx: Tx, me: Me, token: str) -> None:
    """Delete an upload that was not used yet."""
    attachments.drop_upload(tx, attachments.open_upload(tx, token, me).id)


def _shown(tx: Tx, file: File) -> Attachment:
    """Return the attachment as its comment stores it."""
    comment = tx.find(Comment, file.comment_id) if file.comment_id else None
    found = [one for one in comment.attachments if one.id == file.id] if comment else []
    return found[0] if found else attachments.attachment_of(file)


@APP.get("/api/v2/attachments/{attachment_id}", role="agent")
def show_attachment(tx: Tx, me: Me, attachment_id: int) -> AttachmentResponse:
    """Show an attachment, without its content."""
    return AttachmentResponse(attachment_object(_shown(tx, attachments.readable_file(tx, attachment_id, me))))


@APP.put("/api/v2/attachments/{attachment_id}", role="admin")
def update_attachment(tx: Tx, attachment_id: int, body: AttachmentRequest) -> AttachmentResponse:
    """Set whether agents may open an attachment despite a malware finding."""
    if body.attachment is UNSET or body.attachment.malware_access_override is UNSET:
        raise refusals.parameter_missing("attachment")
    file = tx.get(File, attachment_id)
    return AttachmentResponse(
        attachment_object(attachments.set_malware_override(tx, file, body.attachment.malware_access_override))
    )


@APP.put("/api/v2/tickets/{ticket_id}/comments/{comment_id}/attachments/{attachment_id}/redact", role="admin")
def redact_comment_attachment(
    tx: Tx, me: Me, ticket_id: int, comment_id: int, attachment_id: int
) -> AttachmentResponse:
    """Replace an attachment with an empty file, permanently."""
    ticket = desk.visible_ticket(tx, ticket_id)
    comment = get_owned(tx, Comment, comment_id, ticket_id=ticket.id)
    return AttachmentResponse(attachment_object(redact_attachment(tx, ticket, comment, attachment_id, me)))


@APP.get("/attachments/token/{token}", role="user")
def download_attachment(tx: Tx, me: Me, token: str, name: str | None = None) -> Reply:
    """Download an attachment from its `content_url`."""
    number = file_of_token(token)
    if number is None:
        raise refusals.not_found()
    file = attachments.readable_file(tx, number, me)
    headers = {
        "content-type": file.content_type,
        "content-disposition": content_disposition(file.file_name),
    }
    return Reply(200, headers, attachments.content_of(file))
