"""Uploads, files and the attachments of comments."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse, token


@APP.record("uploads", ids=token(length=25), index=[("user_id",)])
class Upload(Record):
    """A token under which files wait for the comment they belong to."""

    id: str = ""
    user_id: int
    created_at: datetime
    expires_at: datetime


@APP.record("files", ids=sparse(42_120_310_004_212, 384), index=[("upload",), ("comment_id",)])
class File(Record):
    """The bytes of an attachment, under its id; None for generated history."""

    file_name: str
    content_type: str
    size: int
    content: bytes | None = None
    upload: str | None = None
    comment_id: int | None = None
    ticket_id: int | None = None
    created_at: datetime


class Attachment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file on a comment."""

    id: int
    file_name: str
    content_type: str
    size: int
    malware_access_override: bool = False
