"""What the desk remembers, and what it announces."""

from diorama.apps.zendesk.schema.account import (
    AccountSetting,
    Brand,
    BrandAgent,
    DeletionSchedule,
    DynamicItem,
    DynamicVariant,
    EssentialsCard,
    Locale,
    SharingAgreement,
    SupportAddress,
    Target,
    TargetCalled,
    TargetFailure,
    Workspace,
)
from diorama.apps.zendesk.schema.app import ACCOUNT_ID, APP, BASE, GRANTS, HOST
from diorama.apps.zendesk.schema.automations import (
    Automation,
    AutomationClock,
    AutomationFiring,
    MacroAttachment,
    TriggerCategory,
    TriggerRevision,
)
from diorama.apps.zendesk.schema.business import (
    Account,
    Action,
    Condition,
    Conditions,
    Job,
    Macro,
    Option,
    Output,
    TicketField,
    Trigger,
    View,
)
from diorama.apps.zendesk.schema.clocks import (
    Clock,
    GroupSlaPolicy,
    Holiday,
    Interval,
    MetricEvent,
    MetricEvents,
    PolicyMetric,
    Schedule,
    SlaPolicy,
    TicketMetric,
)
from diorama.apps.zendesk.schema.collections import Resource, ResourceCollection
from diorama.apps.zendesk.schema.forms import (
    ChildField,
    CustomStatus,
    FormCondition,
    FormStatus,
    RequiredOn,
    TicketForm,
)
from diorama.apps.zendesk.schema.logs import Activity, AuditLog, Session
from diorama.apps.zendesk.schema.merged_people import (
    ComplianceDeletion,
    OrganizationMerge,
    OrganizationSubscription,
    Password,
    VerificationRequested,
)
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
from diorama.apps.zendesk.schema.objects import CustomObject, ObjectField, ObjectRecord
from diorama.apps.zendesk.schema.people import (
    ROLES,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    Role,
    User,
)
from diorama.apps.zendesk.schema.pictures import Picture
from diorama.apps.zendesk.schema.profiles import CustomRole, OrganizationField, ProfileField, UserField
from diorama.apps.zendesk.schema.tickets import (
    AUDIT_STEP,
    BRAND_ID,
    CUSTOM_STATUS,
    EVENT_STEP,
    FORM_ID,
    KINDS,
    NOWHERE,
    PRIORITIES,
    STATUSES,
    Attachment,
    Audit,
    Comment,
    Event,
    Kind,
    Priority,
    SatisfactionRating,
    Score,
    Status,
    Ticket,
    Via,
)

__all__ = [
    "ACCOUNT_ID",
    "APP", "AUDIT_STEP", "BASE", "BRAND_ID", "CUSTOM_STATUS", "EVENT_STEP", "FORM_ID", "GRANTS", "HOST", "KINDS",
    "NOWHERE", "PRIORITIES", "ROLES", "STATUSES", "Account", "AccountSetting", "Action", "Activity", "Attachment",
    "Audit", "AuditLog", "Automation", "AutomationClock", "AutomationFiring", "Brand", "BrandAgent", "ChildField",
    "Clock", "Comment", "CommentAdded", "ComplianceDeletion", "Condition", "Conditions", "CustomObject", "CustomRole",
    "CustomStatus", "DeletionSchedule", "DynamicItem", "DynamicVariant", "EssentialsCard", "Event", "FormCondition",
    "FormStatus", "Group", "GroupMembership", "GroupSlaPolicy", "Holiday", "Identity", "Interval", "Job", "Kind",
    "Locale", "Macro", "MacroAttachment", "MetricEvent", "MetricEvents", "OAuthClient", "OAuthCode", "OAuthToken",
    "ObjectField", "ObjectRecord", "ObjectTrigger", "Option", "Organization", "OrganizationField",
    "OrganizationMembership", "OrganizationMerge", "OrganizationSubscription", "Output", "OwnerReminded", "Password",
    "Picture", "PolicyMetric", "Priority", "ProfileField", "RequesterNotified", "RequiredOn", "Resource",
    "ResourceCollection", "Role", "SatisfactionRating", "Schedule", "Score", "ScreenShown", "Session",
    "SharingAgreement", "SlaPolicy", "Status", "SupportAddress", "Target", "TargetCalled", "TargetFailure", "Ticket",
    "TicketClosed", "TicketCreated", "TicketField", "TicketForm", "TicketMetric", "TicketRated", "TicketReopened",
    "TicketSolved", "TicketUpdated", "Trigger", "TriggerCategory", "TriggerRevision", "User", "UserField",
    "VerificationRequested", "Via", "View", "Workspace",
]  # fmt: skip
