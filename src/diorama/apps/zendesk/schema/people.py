"""Who the desk knows: agents and customers, their addresses, organizations and groups."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.pictures import Picture
from diorama.kernel import Record, sparse

Role = Literal["end-user", "agent", "admin"]
ROLES: tuple[Role, ...] = ("end-user", "agent", "admin")


@APP.record(
    "users",
    ids=sparse(20_914_311_048_212, 640),
    index=[("email",), ("organization_id", "id"), ("role", "id"), ("updated_at", "id"), ("external_id",)],
    search=("name", "email", "phone", "notes", "details"),
)
class User(Record):
    """Somebody who asks or somebody who answers; the email is the primary one of the identities."""

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
    time_zone: str = "Berlin"
    iana_time_zone: str = "Europe/Berlin"
    locale: str = "en-US"
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
        """Whether this is somebody who answers."""
        return self.role != "end-user"


@APP.record("identities", ids=sparse(21_480_227_310_804, 384), index=[("user_id", "id"), ("value", "type")])
class Identity(Record):
    """One address under which a user is known."""

    user_id: int
    type: str = "email"
    value: str
    primary: bool = False
    verified: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "organizations",
    ids=sparse(19_856_122_753_300, 512),
    index=[("name",), ("external_id",), ("updated_at", "id")],
    search=("name", "notes", "details"),
)
class Organization(Record):
    """A company that customers belong to."""

    name: str
    created_at: datetime
    updated_at: datetime
    domain_names: tuple[str, ...] = ()
    external_id: str | None = None
    group_id: int | None = None
    details: str | None = None
    notes: str | None = None
    tags: tuple[str, ...] = ()
    shared_tickets: bool = False
    shared_comments: bool = False
    organization_fields: dict[str, Any] = {}


@APP.record(
    "organization_memberships",
    ids=sparse(22_310_554_870_676, 256),
    index=[("organization_id", "user_id")],
    unique=[("user_id", "organization_id")],
)
class OrganizationMembership(Record):
    """A user belongs to an organization, to one of them by default."""

    user_id: int
    organization_id: int
    default: bool = False
    view_tickets: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record("groups", ids=sparse(18_416_262_917_908, 1024), search=("name", "description"))
class Group(Record):
    """A team of agents."""

    name: str
    description: str = ""
    default: bool = False
    is_public: bool = True
    deleted: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "group_memberships",
    ids=sparse(18_977_403_221_524, 256),
    index=[("group_id", "user_id")],
    unique=[("user_id", "group_id")],
)
class GroupMembership(Record):
    """An agent works in a group, in one of them by default."""

    user_id: int
    group_id: int
    default: bool = False
    created_at: datetime
    updated_at: datetime
