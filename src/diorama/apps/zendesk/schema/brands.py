"""Records of brands."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.photos import Picture
from diorama.kernel import Record, sparse


@APP.record("brands", ids=sparse(18_416_255_800_340, 512), index=[("subdomain",)], cached=True)
class Brand(Record):
    """A brand under which the company serves customers."""

    name: str
    subdomain: str
    active: bool = True
    default: bool = False
    is_deleted: bool = False
    has_help_center: bool = False
    help_center_state: str = "disabled"
    host_mapping: str | None = None
    signature_template: str = "{{agent.signature}}"
    ticket_form_ids: tuple[int, ...] = ()
    logo: Picture | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("brand_agents", ids=sparse(18_416_256_911_252, 384), unique=[("user_id", "brand_id")], cached=True)
class BrandAgent(Record):
    """An agent's membership in a brand."""

    user_id: int
    brand_id: int
    created_at: datetime
    updated_at: datetime
