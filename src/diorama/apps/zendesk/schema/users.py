"""Users: agents and customers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.photos import Picture
from diorama.kernel import Record, sparse

Role = Literal["end-user", "agent", "admin"]
ROLES: tuple[Role, ...] = ("end-user", "agent", "admin")


@APP.record(
    "users",
    ids=sparse(20_914_311_048_212, 640),
    index=[("email",), ("organization_id", "id"), ("role", "id"), ("updated_at", "id"), ("external_id",)],
    search=("name", "email", "phone", "notes", "details"),
    cached=True,
)
class User(Record):
    """An agent or a customer; `email` is the primary identity."""

    name: str
    email: str | None = None
    role: Role = "end-user"
    organization_id: int | None = None
    default_group_id: int | None = None
    created_at: datetime
    updated_at: datetime
    active: bool = True
    verified: bool = False
    suspended: bool = False
    phone: str | None = None
    external_id: str | None = None
    alias: str | None = None
    time_zone: str
    iana_time_zone: str
    locale: str
    tags: tuple[str, ...] = ()
    details: str | None = None
    notes: str | None = None
    signature: str | None = None
    moderator: bool = False
    only_private_comments: bool = False
    ticket_restriction: str | None = None
    custom_role_id: int | None = None
    last_login_at: datetime | None = None
    user_fields: dict[str, Any] = {}
    photo: Picture | None = None
    remote_photo_url: str | None = None

    @property
    def staff(self) -> bool:
        """Whether this is an agent or an administrator."""
        return self.role != "end-user"
