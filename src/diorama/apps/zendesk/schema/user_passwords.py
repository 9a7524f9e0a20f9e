"""Records of user passwords."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("passwords", ids=sparse(24_338_004_112_148, 128), unique=[("user_id",)])
class Password(Record):
    """The password of a user, as a digest."""

    user_id: int
    digest: str
    updated_at: datetime
