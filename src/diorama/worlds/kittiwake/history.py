"""Kittiwake's past: customers, what they bought and rented, and a year of tickets about it, the same in both apps."""

from __future__ import annotations

from datetime import timedelta

from diorama import people
from diorama.apps.backoffice import seed as office_seed
from diorama.kernel import Tx
from diorama.worlds.chronicle import Chronicle
from diorama.worlds.configuration_history import date_configuration
from diorama.worlds.kittiwake.catalogue import GOODS, POLICIES, SETTINGS
from diorama.worlds.kittiwake.company import COLLEAGUES, FOUNDED, ZONE
from diorama.worlds.kittiwake.crowd import SHOPPING
from diorama.worlds.kittiwake.firm import FIRM
from diorama.worlds.kittiwake.helpdesk import add_helpdesk
from diorama.worlds.kittiwake.knowledge import ABSENCES, KNOWN
from diorama.worlds.past import Past, Scale
from diorama.worlds.purchases import add_crowd
from diorama.worlds.residents import buyer_of, draw_residents
from diorama.worlds.shop_enrolment import enrol_shop

SCALE = Scale(customers=170, tickets=420, ticket_days=365, customer_days=520)


def fill(tx: Tx, size: str) -> None:
    """Build the company; it comes in one size."""
    people.set_up(tx, shop=FIRM.short, shop_name=FIRM.name, time_zone=ZONE, days_off=FIRM.team.holidays)
    office_seed.set_up(tx, SETTINGS, GOODS, POLICIES, opened=FOUNDED, first_order=20_140, first_return=501)
    for one in COLLEAGUES:
        office_seed.add_staff(tx, one.email, one.name, one.role, one.team, since=FOUNDED)
    helpdesk, chronicle = add_helpdesk(tx), Chronicle()
    date_configuration(tx, FOUNDED, tx.now - timedelta(days=SCALE.ticket_days + 30), helpdesk.staff)
    residents = draw_residents(FIRM, tx, SCALE.customers, SCALE.customer_days)
    histories = add_crowd(
        tx, [buyer_of(one) for one in residents], tx.dice("kittiwake crowd"), SHOPPING, chronicle=chronicle
    )
    for resident, (customer_id, bought) in zip(residents, histories.items(), strict=True):
        resident.customer_id = customer_id
        resident.histories = sorted(bought, key=lambda history: history.order.created_at)
    past = Past(FIRM, tx, helpdesk, residents, chronicle)
    past.record(past.stories(SCALE))
    enrol_shop(tx, FIRM, KNOWN, ABSENCES)
    chronicle.save(tx)
