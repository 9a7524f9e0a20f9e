"""Records of sessions."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("sessions", ids=sparse(3_432_510_211, 96), index=[("user_id", "id")])
class Session(Record):
    """A browser session of a logged-in user."""

    user_id: int
    authenticated_at: datetime
    last_seen_at: datetime
