"""Larkspur's desk before the first ticket: groups, colleagues, fields, macros, triggers and views."""

from __future__ import annotations

from diorama.apps.zendesk import rules as desk_rules
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.schema import Group
from diorama.kernel import Tx
from diorama.worlds.closing import add_closing_form
from diorama.worlds.helpdesk import (
    Helpdesk,
    add_colleague,
    add_macros,
    add_routing,
    add_views,
    backdated,
    open_sessions,
)
from diorama.worlds.larkspur import configuration
from diorama.worlds.larkspur.closing import FORM
from diorama.worlds.larkspur.company import (
    AT_THE_DESK,
    CURRENCY,
    FOUNDED,
    GROUPS,
    HOLIDAYS,
    LOCALE,
    NAME,
    SUPPORT,
    TIME_ZONE,
)
from diorama.worlds.larkspur.firm import BOOK
from diorama.worlds.larkspur.held_mail import hold_mail

PRODUCTS = (
    "Lark Compact",
    "Aria",
    "Aria Plus",
    "Calla",
    "Duet",
    "Tern Lever",
    "Atelier 2",
    "Finch Grinder",
    "Heron 64",
    "Coffee",
)


def add_helpdesk(tx: Tx) -> Helpdesk:
    """Set the account up as of the company's first day, with everything that was added since."""
    with backdated(tx, FOUNDED):
        everybody = seed.set_up(
            tx,
            NAME,
            plan="suite_enterprise",
            time_zone=TIME_ZONE,
            currency=CURRENCY,
            locale=LOCALE,
            languages=("de", "fr", "es", "it", "nl"),
            help_center_languages=("de", "es", "fr", "nl"),
            support_address=SUPPORT,
            running=False,
        )
        groups = {"Support": everybody}
        for name, description in GROUPS.items():
            groups[name] = desk_rules.add_group(tx, name=name, description=description)
        order_field = seed.add_field(tx, "Order number", visible=True)
        options = [(product, product.lower().replace(" ", "_")) for product in PRODUCTS]
        product_field = seed.add_field(tx, "Product", "tagger", options, visible=True)
        macros = add_macros(tx, BOOK)
        first = seed.add_trigger(
            tx,
            "VIP: nobody waits",
            [("update_type", "is", "Create"), ("current_tags", "includes", "vip")],
            [("priority", "high")],
        )
        triggers = (first, *add_routing(tx, BOOK, groups))
        add_views(tx, BOOK, groups)
        configuration.arrange(tx, order_field, product_field)
        closing = add_closing_form(tx, FORM)
        _promises(tx, groups)
    seed.start_automations(tx)
    hold_mail(tx)
    staff = {one.email: add_colleague(tx, one, groups, NAME) for one in AT_THE_DESK}
    configuration.machines(tx, next(iter(staff.values())))
    open_sessions(tx, staff)
    standard = seed.standard(tx)
    return Helpdesk(groups, staff, order_field, product_field, PRODUCTS, standard, macros, triggers, FORM, closing)


def _promises(tx: Tx, groups: dict[str, Group]) -> None:
    """Add the desk's hours and its service targets."""
    seed.add_schedule(tx, "Desk hours", TIME_ZONE, seed.weekly(9, 18), HOLIDAYS)
    usual = {"urgent": 60, "high": 120, "normal": 480, "low": 960}
    seed.add_sla_policy(
        tx,
        "VIP customers",
        [("current_tags", "includes", "vip")],
        {
            "first_reply_time": {"urgent": 30, "high": 60, "normal": 120, "low": 240},
            "next_reply_time": {"urgent": 30, "high": 60, "normal": 120, "low": 240},
            "requester_wait_time": {"urgent": 240, "high": 480, "normal": 1080, "low": 1620},
        },
        business_hours=False,
        description="Regulars who spend a lot, and reviewers; around the clock",
    )
    seed.add_sla_policy(
        tx,
        "Everybody else",
        [("type", "is_not", "task")],
        {
            "first_reply_time": usual,
            "next_reply_time": usual,
            "pausable_update_time": {"urgent": 240, "high": 540, "normal": 1080, "low": 2160},
        },
        description="Answers within the day, in desk hours",
    )
    others = [group.id for name, group in groups.items() if name != "Support"]
    seed.add_group_sla_policy(tx, "Specialists", others, {"urgent": 120, "high": 240, "normal": 1080, "low": 2160})
