"""The account behind the desk: its settings, brands, addresses, languages, and whom it works with."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.business import Conditions
from diorama.apps.zendesk.schema.pictures import Picture
from diorama.kernel import Notice, Record, sparse, ulid


@APP.record("account_settings")
class AccountSetting(Record):
    """One section of the account's settings."""

    section: str
    values: dict[str, Any]


@APP.record("brands", ids=sparse(18_416_255_800_340, 512), index=[("subdomain",)])
class Brand(Record):
    """A face that the company shows to customers."""

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


@APP.record("brand_agents", ids=sparse(18_416_256_911_252, 384), unique=[("user_id", "brand_id")])
class BrandAgent(Record):
    """An agent answers for a brand."""

    user_id: int
    brand_id: int
    created_at: datetime
    updated_at: datetime


@APP.record("recipient_addresses", ids=sparse(18_416_257_320_468, 384), unique=[("email",)])
class SupportAddress(Record):
    """An address that customers write to."""

    name: str
    email: str
    brand_id: int
    default: bool = False
    forwarding_status: str = "unknown"
    spf_status: str = "unknown"
    cname_status: str = "unknown"
    domain_verification_status: str = "unknown"
    domain_verification_code: str = ""
    created_at: datetime
    updated_at: datetime


@APP.record("locales", index=[("locale",)])
class Locale(Record):
    """A language that the product speaks; `public` ones are offered to customers."""

    locale: str
    name: str
    native_name: str
    presentation_name: str
    rtl: bool = False
    default: bool = False
    public: bool = False
    agent: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record("deletion_schedules", ids=ulid())
class DeletionSchedule(Record):
    """What is deleted by itself, and when."""

    id: str = ""
    title: str
    description: str | None = None
    object: str = "zen:ticket"
    active: bool = False
    default: bool = False
    conditions: Conditions
    runs_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("sharing_agreements", ids=sparse(18_416_259_007_124, 384))
class SharingAgreement(Record):
    """Tickets that pass between this account and another."""

    name: str
    type: str = "outbound"
    status: str = "pending"
    partner_name: str | None = None
    remote_subdomain: str = ""
    allows_public_comments: bool = True
    sync_tags: bool = False
    sync_custom_fields: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record("targets", ids=sparse(18_416_288_430_868, 384))
class Target(Record):
    """Where triggers can send a message besides mail."""

    type: str
    title: str
    active: bool = True
    settings: dict[str, Any] = {}
    failures: int = 0
    created_at: datetime


@APP.record("target_failures", ids=sparse(18_416_289_510_548, 384), index=[("target_id", "id")])
class TargetFailure(Record):
    """A message that a target did not take; `failures` of a target counts those in a row."""

    target_id: int
    target_name: str
    status_code: int | None = None
    consecutive_failure_count: int
    raw_request: str
    raw_response: str
    created_at: datetime


class TargetCalled(Notice):
    """A message is to leave for a target's address."""

    target: int
    method: str
    url: str
    headers: dict[str, str]
    body: str


@APP.record("workspaces", ids=sparse(18_416_290_770_196, 384), index=[("position",)])
class Workspace(Record):
    """What agents are shown for tickets of one kind: a form, macros and apps."""

    title: str
    description: str | None = None
    activated: bool = False
    position: int = 0
    ticket_form_id: int | None = None
    macro_ids: tuple[int, ...] = ()
    apps: tuple[dict[str, Any], ...] = ()
    layout_uuid: str | None = None
    prefer_workspace_app_order: bool = False
    conditions: Conditions
    created_at: datetime
    updated_at: datetime


@APP.record("essentials_cards", ids=ulid(), unique=[("object_type",)])
class EssentialsCard(Record):
    """Which fields of an object agents see first."""

    id: str = ""
    object_type: str
    layout: str = "essentials_card"
    fields: tuple[dict[str, Any], ...] = ()
    max_count: int = 20
    created_at: datetime
    updated_at: datetime


@APP.record("dynamic_items", ids=sparse(18_416_292_660_436, 384), unique=[("placeholder",)])
class DynamicItem(Record):
    """A text in several languages that rules and fields name by its placeholder."""

    name: str
    placeholder: str
    default_locale_id: int = 1
    created_at: datetime
    updated_at: datetime


@APP.record("dynamic_variants", ids=sparse(18_416_293_840_148, 384), unique=[("item_id", "locale_id")])
class DynamicVariant(Record):
    """A text in one of its languages."""

    item_id: int
    locale_id: int
    content: str
    active: bool = True
    default: bool = False
    created_at: datetime
    updated_at: datetime
