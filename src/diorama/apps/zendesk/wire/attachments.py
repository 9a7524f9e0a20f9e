"""Attachments as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import HOST, Attachment
from diorama.apps.zendesk.schema.attachments import Upload
from diorama.apps.zendesk.schema.file_tokens import file_token
from diorama.apps.zendesk.wire.shapes import shaped


class AttachmentObject(Struct, kw_only=True):
    url: str
    id: int
    file_name: str
    content_url: str
    mapped_content_url: str
    content_type: str
    size: int
    width: int | None = None
    height: int | None = None
    inline: bool = False
    deleted: bool = False
    malware_access_override: bool = False
    malware_scan_result: str = "malware_not_found"
    thumbnails: list[dict[str, Any]] = []


def attachment_object(attachment: Attachment) -> AttachmentObject:
    """A file on a comment."""
    content = f"https://{HOST}/attachments/token/{file_token(attachment.id)}/?name={quote(attachment.file_name)}"
    return shaped(
        AttachmentObject, attachment, f"attachments/{attachment.id}", content_url=content, mapped_content_url=content
    )


class UploadObject(Struct, kw_only=True):
    token: str
    expires_at: datetime
    attachment: AttachmentObject
    attachments: list[AttachmentObject]


class UploadResponse(Struct):
    upload: UploadObject


def upload_object(upload: Upload, attachments: Sequence[Attachment]) -> UploadObject:
    """Return the API object of an upload with all its files; `attachment` is the newest."""
    shown = [attachment_object(one) for one in attachments]
    return UploadObject(token=upload.id, expires_at=upload.expires_at, attachment=shown[-1], attachments=shown)


class AttachmentResponse(Struct):
    attachment: AttachmentObject


class AttachmentInput(Struct, kw_only=True):
    malware_access_override: bool | UnsetType = UNSET


class AttachmentRequest(Struct):
    attachment: AttachmentInput | UnsetType = UNSET
