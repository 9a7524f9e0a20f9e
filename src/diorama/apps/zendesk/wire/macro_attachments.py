"""Macro attachments as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema import BASE, MacroAttachment
from diorama.apps.zendesk.wire.shapes import shaped


class MacroAttachmentObject(Struct, kw_only=True):
    id: int
    filename: str
    content_type: str
    content_url: str
    size: int
    created_at: datetime


def macro_attachment_object(file: MacroAttachment) -> MacroAttachmentObject:
    """Return the API object of a macro attachment."""
    return shaped(MacroAttachmentObject, file, content_url=f"{BASE}/macros/attachments/{file.id}/content")


class MacroAttachmentResponse(Struct):
    macro_attachment: MacroAttachmentObject


class MacroAttachmentsResponse(Struct):
    macro_attachments: list[MacroAttachmentObject]
