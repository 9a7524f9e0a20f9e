"""A desk as production has it: the account's standard configuration, and histories written in bulk."""

from diorama.apps.zendesk.seed.account import (
    add_content,
    add_custom_status,
    add_form,
    add_organization_field,
    add_user_field,
    add_workspace,
    photo,
)
from diorama.apps.zendesk.seed.clockwork import (
    add_automation,
    add_group_sla_policy,
    add_schedule,
    add_sla_policy,
    start_automations,
    weekly,
)
from diorama.apps.zendesk.seed.history import Fired, Rating, Turn, add_ticket_history, mail_from
from diorama.apps.zendesk.seed.standard import (
    Standard,
    add_field,
    add_macro,
    add_trigger,
    add_view,
    set_up,
    standard,
    system_fields,
    usual_macros,
    usual_triggers,
    usual_views,
)

__all__ = [
    "Fired", "Rating", "Standard", "Turn", "add_automation", "add_content", "add_custom_status", "add_field",
    "add_form", "add_group_sla_policy", "add_macro", "add_organization_field", "add_schedule", "add_sla_policy",
    "add_ticket_history", "add_trigger", "add_user_field", "add_view", "add_workspace", "mail_from", "photo", "set_up",
    "standard", "start_automations", "system_fields", "usual_macros", "usual_triggers", "usual_views", "weekly",
]  # fmt: skip
