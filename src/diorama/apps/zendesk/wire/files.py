"""Uploads and attachments as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Attachment
from diorama.apps.zendesk.schema.files import Upload
from diorama.apps.zendesk.wire.comments import AttachmentObject, attachment_object


class UploadObject(Struct, kw_only=True):
    token: str
    expires_at: datetime
    attachment: AttachmentObject
    attachments: list[AttachmentObject]


class UploadResponse(Struct):
    upload: UploadObject


def upload_object(upload: Upload, attachments: Sequence[Attachment]) -> UploadObject:
    """An upload with all its files, the newest of them by itself."""
    shown = [attachment_object(one) for one in attachments]
    return UploadObject(token=upload.id, expires_at=upload.expires_at, attachment=shown[-1], attachments=shown)


class AttachmentResponse(Struct):
    attachment: AttachmentObject


class AttachmentInput(Struct, kw_only=True):
    malware_access_override: bool | UnsetType = UNSET


class AttachmentRequest(Struct):
    attachment: AttachmentInput | UnsetType = UNSET
