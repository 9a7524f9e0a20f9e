"""What the desk remembers, and what it announces."""

from diorama.apps.zendesk.schema.app import APP, BASE, HOST
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
from diorama.apps.zendesk.schema.notices import (
    CommentAdded,
    RequesterNotified,
    TicketClosed,
    TicketCreated,
    TicketRated,
    TicketReopened,
    TicketSolved,
    TicketUpdated,
)
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
    "APP", "AUDIT_STEP", "BASE", "BRAND_ID", "CUSTOM_STATUS", "EVENT_STEP", "FORM_ID", "HOST", "KINDS", "NOWHERE",
    "PRIORITIES", "ROLES", "STATUSES", "Account", "Action", "Attachment", "Audit", "Comment",
    "CommentAdded", "Condition", "Conditions", "Event", "Group", "GroupMembership", "Identity", "Job", "Kind", "Macro",
    "Option", "Organization", "OrganizationMembership", "Output", "Priority", "RequesterNotified", "Role",
    "SatisfactionRating", "Score", "Status", "Ticket", "TicketClosed", "TicketCreated", "TicketField", "TicketRated",
    "TicketReopened", "TicketSolved", "TicketUpdated", "Trigger", "User", "Via", "View",
]  # fmt: skip
