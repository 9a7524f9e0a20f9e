"""Violations about parcels, causes, money, people, times and configuration."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from diorama.apps.backoffice.schema import (
    Address,
    Charge,
    Customer,
    Note,
    Order,
    OrderLine,
    Refund,
    Replacement,
    Return,
    Scan,
    Shipment,
    Stock,
    Subscription,
    Unit,
)
from diorama.apps.backoffice.schema.ledger import Entry
from diorama.apps.zendesk.schema import (
    Audit,
    AuditLog,
    Event,
    Macro,
    Ticket,
    TicketField,
    User,
)
from diorama.kernel import Tx
from tests.worlds.plants import (
    CHRISTMAS,
    DAY,
    ODD,
    SUNDAY,
    delivered,
    order_with_parcel,
    plant,
    staff_audit,
    talk,
    thread,
)

# --- parcels


@plant
def carriers_rest_on_sundays_and_holidays(tx: Tx) -> object:
    parcel = delivered(tx)
    tx.change(parcel, closed_at=SUNDAY)
    return parcel.id


@plant
def the_warehouse_rests_on_weekends_and_holidays(tx: Tx) -> object:
    parcel = delivered(tx)
    tx.change(parcel, handed_over_at=CHRISTMAS)
    return parcel.id


@plant
def parcels_arrive_on_all_working_days(tx: Tx) -> object:
    for parcel in tx.all(Shipment, "status = 'delivered'"):
        if parcel.closed_at is not None:
            tx.change(parcel, closed_at=parcel.closed_at - DAY * parcel.closed_at.weekday())
    return None


@plant
def parcels_follow_their_order(tx: Tx) -> object:
    order, parcel = order_with_parcel(tx)
    tx.change(parcel, created_at=order.created_at - timedelta(hours=1))
    return parcel.id


@plant
def transit_takes_time(tx: Tx) -> object:
    parcel = delivered(tx)
    assert parcel.handed_over_at is not None
    tx.change(parcel, closed_at=parcel.handed_over_at + timedelta(hours=1))
    return parcel.id


@plant
def scans_tell_the_parcel(tx: Tx) -> object:
    parcel = delivered(tx)
    tx.remove(tx.all(Scan, "shipment_id = ?", parcel.id, order="id")[-1])
    return parcel.id


@plant
def old_orders_are_settled(tx: Tx) -> object:
    order = tx.all(Order, "status = 'delivered'", order="created_at")[0]
    tx.change(order, status="open")
    return order.number


# --- causes


@plant
def charges_follow_their_order(tx: Tx) -> object:
    charge = tx.all(Charge)[3]
    tx.change(charge, created_at=charge.created_at - DAY)
    return charge.id


@plant
def refunds_follow_their_charge(tx: Tx) -> object:
    refund = tx.all(Refund)[0]
    tx.change(refund, created_at=tx.get(Charge, refund.charge_id).created_at - DAY)
    return refund.id


@plant
def refunds_fit_their_reason(tx: Tx) -> object:
    refund = next(
        one
        for one in tx.all(Refund)
        if tx.get(Order, one.order_id).status != "cancelled" and tx.count(Return, "order_id = ?", one.order_id) == 0
    )
    tx.change(refund, reason="returned" if refund.reason == "cancelled_order" else "cancelled_order")
    return refund.id


@plant
def returns_follow_the_delivery(tx: Tx) -> object:
    back = tx.all(Return)[0]
    tx.change(back, created_at=tx.get(Order, back.order_id).created_at)
    return back.number


@plant
def replacements_follow_the_delivery(tx: Tx) -> object:
    made = tx.all(Replacement)[0]
    tx.change(made, created_at=tx.get(Order, made.order_id).created_at)
    return made.id


@plant
def customers_precede_their_orders(tx: Tx) -> object:
    customer = tx.get(Customer, tx.all(Order)[0].customer_id)
    tx.change(customer, created_at=tx.now - timedelta(hours=1))
    return customer.id


@plant
def users_precede_their_words(tx: Tx) -> object:
    ticket, _ = thread(tx)
    tx.change(tx.get(User, ticket.requester_id), created_at=ticket.created_at + DAY)
    return ticket.id


@plant
def accounts_are_explained(tx: Tx) -> object:
    user = msgspec.structs.replace(tx.all(User, "role = 'end-user'")[0], id=77, email="x@y.example", created_at=ODD)
    tx.add(user)
    return 77


@plant
def answers_follow_the_letter(tx: Tx) -> object:
    ticket, said = thread(tx)
    tx.change(said[1], created_at=ticket.created_at - DAY)
    return ticket.id


@plant
def follow_ups_come_later(tx: Tx) -> object:
    ticket = tx.all(Ticket, "followup_source_id IS NOT NULL")[0]
    tx.change(tx.get(Ticket, ticket.followup_source_id or 0), status_updated_at=ticket.created_at + DAY)
    return ticket.id


# --- money


@plant
def orders_add_up(tx: Tx) -> object:
    line = tx.all(OrderLine)[0]
    tx.change(line, total_cents=line.total_cents + 1)
    return tx.get(Order, line.order_id).number


@plant
def charges_are_what_was_ordered(tx: Tx) -> object:
    charge = tx.all(Charge)[0]
    tx.change(charge, amount_cents=charge.amount_cents + 1)
    return tx.get(Order, charge.order_id).number


@plant
def refunds_stay_within_their_charge(tx: Tx) -> object:
    refund = tx.all(Refund, "status = 'succeeded'")[0]
    tx.change(refund, amount_cents=refund.amount_cents * 2)
    return refund.charge_id


@plant
def postings_balance(tx: Tx) -> object:
    entry = tx.all(Entry)[0]
    tx.add(msgspec.structs.replace(entry, id="led_planted", amount_cents=1))
    return entry.posting_id


@plant
def stock_is_not_negative(tx: Tx) -> object:
    stock = tx.all(Stock)[0]
    tx.change(stock, on_hand=-1)
    return stock.id


@plant
def serial_numbers_fit_what_was_sold(tx: Tx) -> object:
    unit = next(one for one in tx.all(Unit) if not one.replaces)
    other = next(one for one in tx.all(Unit) if one.sku != unit.sku)
    tx.change(unit, sku=other.sku)
    return unit.id


@plant
def renewals_are_on_their_dates(tx: Tx) -> object:
    one = tx.all(Subscription, "status = 'active'")[0]
    tx.change(one, next_renewal_at=tx.now - DAY)
    return one.id


# --- people


@plant
def postcodes_fit_their_country(tx: Tx) -> object:
    home = next(one for one in tx.all(Address) if one.postal.country == "DE")
    tx.change(home, postal=msgspec.structs.replace(home.postal, postal_code="12AB"))
    return home.id


@plant
def phone_numbers_fit_their_country(tx: Tx) -> object:
    home = next(one for one in tx.all(Address, "is_default = 1") if one.postal.country == "DE")
    tx.change(tx.get(Customer, home.customer_id), phone="+33 6 12 34 56 78")
    return home.customer_id


@plant
def people_act_under_their_names(tx: Tx) -> object:
    note = tx.all(Note)[0]
    tx.remove(note)
    tx.add(msgspec.structs.replace(note, id="note_planted", author="seed"))
    return "note_planted"


@plant
def words_have_an_author(tx: Tx) -> object:
    _, said = thread(tx)
    tx.change(tx.get(User, said[0].author_id), name="system")
    return said[0].id


@plant
def greetings_name_the_requester(tx: Tx) -> object:
    return talk(tx, "Where is it? Thanks, Bob", "Hi Zebedee,\n\nit is on its way.\n\nAna")


# --- times


@plant
def times_are_not_round(tx: Tx) -> object:
    for order in tx.all(Order)[:60]:
        tx.change(order, created_at=order.created_at.replace(minute=0, second=0, microsecond=0))
    return "backoffice_orders.created_at"


def automatic(tx: Tx) -> list[Audit]:
    return [one for one in tx.all(Audit) if one.source.get("rel") == "automation"]


@plant
def automations_run_through_the_hour(tx: Tx) -> object:
    for audit in automatic(tx)[::2]:
        tx.change(audit, created_at=audit.created_at.replace(minute=0, second=0) - timedelta(seconds=0))
    for audit in automatic(tx)[1::2]:
        tx.change(audit, created_at=audit.created_at.replace(minute=31, second=7))
    return None


@plant
def automations_are_a_plausible_share(tx: Tx) -> object:
    for audit in automatic(tx):
        tx.remove(audit)
    return None


@plant
def seasons_are_visible(tx: Tx) -> object:
    for ticket in tx.all(Ticket)[:200]:
        tx.change(ticket, created_at=SUNDAY + timedelta(seconds=ticket.id))
    return None


@plant
def nothing_is_dated_later_than_now(tx: Tx) -> object:
    tx.change(tx.all(Order)[0], created_at=tx.now + DAY)
    return "backoffice_orders.created_at"


# --- configuration


@plant
def configuration_grew_over_time(tx: Tx) -> object:
    for macro in tx.all(Macro):
        tx.change(macro, created_at=ODD)
        tx.change(tx.get(Macro, macro.id), position=macro.position)
    for field in tx.all(TicketField):
        tx.change(field, created_at=ODD)
    return None


@plant
def the_audit_log_tells_the_configuration(tx: Tx) -> object:
    made = msgspec.structs.replace(tx.all(Macro)[0], id=4711, created_at=ODD)
    tx.add(made)
    return 4711


@plant
def the_audit_log_is_by_people_of_the_day(tx: Tx) -> object:
    entry = AuditLog(
        actor_id=-1,
        actor_name="System",
        action="create",
        source_id=1,
        source_type="rule",
        source_label="Macro: x",
        change_description="",
        ip_address="",
        created_at=ODD,
    )
    return tx.add(entry).id


@plant
def staff_use_what_exists(tx: Tx) -> object:
    audit = staff_audit(tx)
    event = Event(id=audit.events[0].id + 1, type="AgentMacroReference", macro_id="1", macro_title="Not there")
    tx.change(audit, events=(*audit.events, event))
    return audit.id
