"""The records of the app, and the notices it sends."""

from diorama.apps.zendesk.schema.account_settings import Account, AccountSetting
from diorama.apps.zendesk.schema.actions import Action
from diorama.apps.zendesk.schema.activities import Activity
from diorama.apps.zendesk.schema.app import APP, BASE, GRANTS, HOST
from diorama.apps.zendesk.schema.attachments import Attachment
from diorama.apps.zendesk.schema.audit_logs import AuditLog
from diorama.apps.zendesk.schema.automations import Automation, AutomationClock, AutomationFiring
from diorama.apps.zendesk.schema.brands import Brand, BrandAgent
from diorama.apps.zendesk.schema.conditions import Condition, Conditions
from diorama.apps.zendesk.schema.custom_field_options import Option
from diorama.apps.zendesk.schema.custom_object_fields import ObjectField
from diorama.apps.zendesk.schema.custom_object_records import ObjectRecord
from diorama.apps.zendesk.schema.custom_objects import CustomObject
from diorama.apps.zendesk.schema.custom_roles import CustomRole
from diorama.apps.zendesk.schema.custom_statuses import CustomStatus, FormStatus
from diorama.apps.zendesk.schema.deleted_users import ComplianceDeletion
from diorama.apps.zendesk.schema.deletion_schedules import DeletionSchedule
from diorama.apps.zendesk.schema.dynamic_content import DynamicItem, DynamicVariant
from diorama.apps.zendesk.schema.essentials_cards import EssentialsCard
from diorama.apps.zendesk.schema.groups import Group
from diorama.apps.zendesk.schema.job_statuses import Job
from diorama.apps.zendesk.schema.locales import Locale
from diorama.apps.zendesk.schema.macro_attachments import MacroAttachment
from diorama.apps.zendesk.schema.macros import Macro
from diorama.apps.zendesk.schema.memberships import GroupMembership, OrganizationMembership
from diorama.apps.zendesk.schema.notices import (
    CommentAdded,
    OwnerReminded,
    RequesterNotified,
    ScreenShown,
    TicketClosed,
    TicketCreated,
    TicketRated,
    TicketReopened,
    TicketSolved,
    TicketUpdated,
)
from diorama.apps.zendesk.schema.oauth import OAuthClient, OAuthCode, OAuthToken
from diorama.apps.zendesk.schema.object_triggers import ObjectTrigger
from diorama.apps.zendesk.schema.organization_merges import OrganizationMerge
from diorama.apps.zendesk.schema.organization_subscriptions import OrganizationSubscription
from diorama.apps.zendesk.schema.organizations import Organization
from diorama.apps.zendesk.schema.photos import Picture
from diorama.apps.zendesk.schema.profile_fields import OrganizationField, ProfileField, UserField
from diorama.apps.zendesk.schema.resource_collections import Resource, ResourceCollection
from diorama.apps.zendesk.schema.satisfaction_ratings import SatisfactionRating
from diorama.apps.zendesk.schema.schedules import Holiday, Interval, Schedule
from diorama.apps.zendesk.schema.sessions import Session
from diorama.apps.zendesk.schema.sharing_agreements import SharingAgreement
from diorama.apps.zendesk.schema.sla_policies import GroupSlaPolicy, PolicyMetric, SlaPolicy
from diorama.apps.zendesk.schema.support_addresses import SupportAddress
from diorama.apps.zendesk.schema.targets import Target, TargetFailure
from diorama.apps.zendesk.schema.ticket_audits import AUDIT_STEP, EVENT_STEP, Audit, Event
from diorama.apps.zendesk.schema.ticket_comments import Comment
from diorama.apps.zendesk.schema.ticket_fields import TicketField
from diorama.apps.zendesk.schema.ticket_forms import ChildField, FormCondition, RequiredOn, TicketForm
from diorama.apps.zendesk.schema.ticket_metrics import Clock, MetricEvent, MetricEvents, TicketMetric
from diorama.apps.zendesk.schema.tickets import (
    BRAND_ID,
    CUSTOM_STATUS,
    FORM_ID,
    NOWHERE,
    PRIORITIES,
    STATUSES,
    TICKET_TYPES,
    Kind,
    Priority,
    Score,
    Status,
    Ticket,
    Via,
)
from diorama.apps.zendesk.schema.trigger_categories import TriggerCategory
from diorama.apps.zendesk.schema.triggers import Trigger, TriggerRevision
from diorama.apps.zendesk.schema.user_identities import Identity, VerificationRequested
from diorama.apps.zendesk.schema.user_passwords import Password
from diorama.apps.zendesk.schema.users import ROLES, Role, User
from diorama.apps.zendesk.schema.views import Output, View
from diorama.apps.zendesk.schema.workspaces import Workspace

__all__ = [
    "APP",
    "AUDIT_STEP",
    "BASE",
    "BRAND_ID",
    "CUSTOM_STATUS",
    "EVENT_STEP",
    "FORM_ID",
    "GRANTS",
    "HOST",
    "NOWHERE",
    "PRIORITIES",
    "ROLES",
    "STATUSES",
    "TICKET_TYPES",
    "Account",
    "AccountSetting",
    "Action",
    "Activity",
    "Attachment",
    "Audit",
    "AuditLog",
    "Automation",
    "AutomationClock",
    "AutomationFiring",
    "Brand",
    "BrandAgent",
    "ChildField",
    "Clock",
    "Comment",
    "CommentAdded",
    "ComplianceDeletion",
    "Condition",
    "Conditions",
    "CustomObject",
    "CustomRole",
    "CustomStatus",
    "DeletionSchedule",
    "DynamicItem",
    "DynamicVariant",
    "EssentialsCard",
    "Event",
    "FormCondition",
    "FormStatus",
    "Group",
    "GroupMembership",
    "GroupSlaPolicy",
    "Holiday",
    "Identity",
    "Interval",
    "Job",
    "Kind",
    "Locale",
    "Macro",
    "MacroAttachment",
    "MetricEvent",
    "MetricEvents",
    "OAuthClient",
    "OAuthCode",
    "OAuthToken",
    "ObjectField",
    "ObjectRecord",
    "ObjectTrigger",
    "Option",
    "Organization",
    "OrganizationField",
    "OrganizationMembership",
    "OrganizationMerge",
    "OrganizationSubscription",
    "Output",
    "OwnerReminded",
    "Password",
    "Picture",
    "PolicyMetric",
    "Priority",
    "ProfileField",
    "RequesterNotified",
    "RequiredOn",
    "Resource",
    "ResourceCollection",
    "Role",
    "SatisfactionRating",
    "Schedule",
    "Score",
    "ScreenShown",
    "Session",
    "SharingAgreement",
    "SlaPolicy",
    "Status",
    "SupportAddress",
    "Target",
    "TargetFailure",
    "Ticket",
    "TicketClosed",
    "TicketCreated",
    "TicketField",
    "TicketForm",
    "TicketMetric",
    "TicketRated",
    "TicketReopened",
    "TicketSolved",
    "TicketUpdated",
    "Trigger",
    "TriggerCategory",
    "TriggerRevision",
    "User",
    "UserField",
    "VerificationRequested",
    "Via",
    "View",
    "Workspace",
]  # fmt: skip
