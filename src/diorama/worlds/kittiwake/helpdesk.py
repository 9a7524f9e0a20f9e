"""Kittiwake's desk before the first ticket: groups, colleagues, fields, forms, rules and service targets."""

from __future__ import annotations

from diorama.apps.zendesk import rules as desk_rules
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.schema import ChildField, FormCondition
from diorama.kernel import Tx
from diorama.worlds.closing import add_closing_form, publish
from diorama.worlds.helpdesk import (
    Helpdesk,
    add_colleague,
    add_macros,
    add_routing,
    add_views,
    backdated,
    open_sessions,
)
from diorama.worlds.kittiwake.catalogue import GEAR
from diorama.worlds.kittiwake.closing import FORM
from diorama.worlds.kittiwake.company import CURRENCY, DESK_ZONE, FOUNDED, GROUPS, HOLIDAYS, LOCALE, NAME, SUPPORT, TEAM
from diorama.worlds.kittiwake.firm import BOOK

GEAR_NAMES = (*(good.name for good in GEAR), "Rental kit", "Small things")
MONDAY_TO_SATURDAY = (1, 2, 3, 4, 5, 6)
"""Weekdays as the desk counts them, from Sunday."""


def add_helpdesk(tx: Tx) -> Helpdesk:
    """Set the account up as of the company's first day, with everything that was added since."""
    with backdated(tx, FOUNDED):
        everybody = seed.set_up(
            tx,
            NAME,
            plan="suite_growth",
            time_zone=DESK_ZONE,
            currency=CURRENCY,
            locale=LOCALE,
            languages=("fr",),
            support_address=SUPPORT,
            running=False,
        )
        groups = {"Support": everybody}
        for name, description in GROUPS.items():
            groups[name] = desk_rules.add_group(tx, name=name, description=description)
        order_field = seed.add_field(tx, "Order", visible=True, description="KW- and five digits")
        options = [(name, name.lower().replace(" ", "_")) for name in GEAR_NAMES]
        gear_field = seed.add_field(tx, "Gear", "tagger", options, visible=True)
        pickup = seed.add_field(tx, "Pickup day", "date", visible=True)
        returned = seed.add_field(tx, "Kit came back complete", "checkbox")
        seed.add_form(
            tx,
            "Rental",
            (order_field, gear_field, pickup, returned),
            agent_conditions=[FormCondition(gear_field.id, "rental_kit", (ChildField(pickup.id),))],
        )
        seed.add_form(tx, "Repair", (order_field, gear_field))
        closing = add_closing_form(tx, FORM)
        macros = add_macros(tx, BOOK)
        triggers = add_routing(tx, BOOK, groups)
        add_views(tx, BOOK, groups)
        seed.add_custom_status(tx, "hold", "On the bench", "In the workshop", "The gear is being repaired")
        seed.add_content(
            tx,
            "Shop hours",
            {"en-US": "Monday to Saturday, 9 to 5:30", "fr": "Du lundi au samedi, de 9 h à 17 h 30"},
        )
        seed.add_user_field(tx, "guide", "Works as a guide", "checkbox")
        seed.add_schedule(tx, "Shop hours", DESK_ZONE, seed.weekly(9, 18, MONDAY_TO_SATURDAY), HOLIDAYS)
        seed.add_sla_policy(
            tx,
            "Rentals leave tomorrow",
            [("group_id", "is", str(groups["Rentals"].id))],
            {"first_reply_time": {"urgent": 60, "high": 120, "normal": 240, "low": 480}},
            description="A kit has a date; answer within half a day",
        )
        seed.add_sla_policy(
            tx,
            "One working day",
            [("type", "is_not", "task")],
            {"first_reply_time": {"urgent": 120, "high": 270, "normal": 540, "low": 1080}},
            description="Everything else, in shop hours",
        )
    seed.start_automations(tx)
    staff = {one.email: add_colleague(tx, one, groups, NAME) for one in TEAM.at_the_desk}
    open_sessions(tx, staff)
    with backdated(tx, FOUNDED):
        publish(tx, FORM, staff[TEAM.lead.email])
    standard = seed.standard(tx)
    return Helpdesk(groups, staff, order_field, gear_field, GEAR_NAMES, standard, macros, triggers, FORM, closing)
