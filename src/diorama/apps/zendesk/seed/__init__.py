"""A desk as production has it: the account's standard configuration, and histories written in bulk."""

from diorama.apps.zendesk.seed.history import Rating, Turn, add_ticket_history, mail_from
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
    "Rating", "Standard", "Turn", "add_field", "add_macro", "add_ticket_history", "add_trigger", "add_view",
    "mail_from", "set_up", "standard", "system_fields", "usual_macros", "usual_triggers", "usual_views",
]  # fmt: skip
