"""Seed data like in production: the account's standard configuration, and ticket histories written in bulk."""

from diorama.apps.zendesk.seed.account import Standard, set_up, standard
from diorama.apps.zendesk.seed.automations import add_automation, start_automations
from diorama.apps.zendesk.seed.custom_statuses import add_custom_status
from diorama.apps.zendesk.seed.dynamic_content import add_content
from diorama.apps.zendesk.seed.macros import add_macro, usual_macros
from diorama.apps.zendesk.seed.photos import photo
from diorama.apps.zendesk.seed.profile_fields import add_organization_field, add_user_field
from diorama.apps.zendesk.seed.schedules import add_schedule, weekly
from diorama.apps.zendesk.seed.sla_policies import add_group_sla_policy, add_sla_policy
from diorama.apps.zendesk.seed.ticket_fields import add_field, system_fields
from diorama.apps.zendesk.seed.ticket_forms import add_form
from diorama.apps.zendesk.seed.tickets import Fired, Rating, Turn, add_ticket_history, mail_from
from diorama.apps.zendesk.seed.triggers import add_trigger, usual_triggers
from diorama.apps.zendesk.seed.views import add_view, usual_views
from diorama.apps.zendesk.seed.workspaces import add_workspace

__all__ = [
    "Fired", "Rating", "Standard", "Turn", "add_automation", "add_content", "add_custom_status", "add_field",
    "add_form", "add_group_sla_policy", "add_macro", "add_organization_field", "add_schedule", "add_sla_policy",
    "add_ticket_history", "add_trigger", "add_user_field", "add_view", "add_workspace", "mail_from", "photo", "set_up",
    "standard", "start_automations", "system_fields", "usual_macros", "usual_triggers", "usual_views", "weekly",
]  # fmt: skip
