"""The rules of Zendesk: what people can do and what happens automatically."""

from diorama.apps.zendesk.rules import attention
from diorama.apps.zendesk.rules.automations import run_automations
from diorama.apps.zendesk.rules.current_user import SYSTEM, by_email, current_admin, current_agent, now
from diorama.apps.zendesk.rules.deleted_tickets import delete, mark_as_spam, restore
from diorama.apps.zendesk.rules.groups import add_group
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.memberships import join_group, join_organization
from diorama.apps.zendesk.rules.organizations import add_organization, change_organization
from diorama.apps.zendesk.rules.problems import solve_incidents
from diorama.apps.zendesk.rules.satisfaction_ratings import rate, rate_as
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.ticket_merges import merge
from diorama.apps.zendesk.rules.tickets import (
    AUTO_CLOSE,
    Update,
    comment,
    existing_ticket,
    make_private,
    open_ticket,
    solve,
    update,
)
from diorama.apps.zendesk.rules.users import add_user, change_user, find_or_add

__all__ = [
    "AUTO_CLOSE",
    "SYSTEM",
    "NewComment",
    "Update",
    "add_group",
    "add_organization",
    "add_user",
    "attention",
    "by_email",
    "change_organization",
    "change_user",
    "comment",
    "current_admin",
    "current_agent",
    "delete",
    "existing_ticket",
    "find_or_add",
    "join_group",
    "join_organization",
    "make_private",
    "mark_as_spam",
    "merge",
    "now",
    "open_ticket",
    "rate",
    "rate_as",
    "receive_mail",
    "restore",
    "run_automations",
    "solve",
    "solve_incidents",
    "tidy_tags",
    "update",
]  # fmt: skip
