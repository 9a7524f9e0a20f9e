"""Larkspur's history: customers, their orders, and months of tickets about them, consistent in both apps."""

from __future__ import annotations

from datetime import timedelta
from heapq import merge

from diorama import people
from diorama.apps.backoffice import seed as office_seed
from diorama.kernel import Tx
from diorama.worlds.chronicle import Chronicle
from diorama.worlds.configuration_history import date_configuration
from diorama.worlds.larkspur.catalogue import GOODS, OFFERS, OPENED, POLICIES, SETTINGS
from diorama.worlds.larkspur.company import COLLEAGUES, FOUNDED
from diorama.worlds.larkspur.crowd import SHOPPING
from diorama.worlds.larkspur.early import add_early_orders
from diorama.worlds.larkspur.firm import FIRM
from diorama.worlds.larkspur.guide import open_help_center
from diorama.worlds.larkspur.helpdesk import add_helpdesk
from diorama.worlds.larkspur.knowledge import ABSENCES, KNOWN
from diorama.worlds.larkspur.outages import tell_outages
from diorama.worlds.larkspur.skills import add_skills
from diorama.worlds.past import Past, Scale
from diorama.worlds.purchases import add_crowd
from diorama.worlds.residents import buyer_of, draw_residents
from diorama.worlds.shop_enrolment import enrol_shop

SCALES = {
    "small": Scale(customers=150, tickets=300, ticket_days=120, customer_days=400),
    "medium": Scale(customers=2000, tickets=20_500, ticket_days=430, customer_days=560),
    "large": Scale(customers=3000, tickets=34_000, ticket_days=640, customer_days=720),
}


def fill(tx: Tx, size: str) -> None:
    """Build the company."""
    scale = SCALES[size]
    people.set_up(tx, shop=FIRM.short, shop_name=FIRM.name, time_zone="UTC", days_off=FIRM.team.holidays)
    office_seed.set_up(tx, SETTINGS, GOODS, POLICIES, OFFERS, opened=OPENED)
    for one in COLLEAGUES:
        office_seed.add_staff(tx, one.email, one.name, one.role, one.team, since=OPENED)
    helpdesk, chronicle = add_helpdesk(tx), Chronicle()
    residents = draw_residents(FIRM, tx, scale.customers, scale.customer_days)
    histories = add_crowd(
        tx, [buyer_of(one) for one in residents], tx.dice("larkspur crowd"), SHOPPING, chronicle=chronicle
    )
    for resident, (customer_id, bought) in zip(residents, histories.items(), strict=True):
        resident.customer_id = customer_id
        resident.histories = sorted(bought, key=lambda history: history.order.created_at)
    add_early_orders(tx, tx.dice("larkspur first orders"), chronicle)
    past = Past(FIRM, tx, helpdesk, residents, chronicle)
    open_help_center(tx, helpdesk.staff)
    add_skills(tx, helpdesk.staff, helpdesk.groups)
    date_configuration(tx, FOUNDED, tx.now - timedelta(days=scale.ticket_days + 30), helpdesk.staff)
    broken = tell_outages(tx, past.residents, scale.ticket_days, 8 + scale.tickets // 300)
    past.record(merge(past.stories(scale), broken, key=lambda story: story.turns[0].at))
    enrol_shop(tx, FIRM, KNOWN, ABSENCES)
    chronicle.save(tx)
