"""Rules about causes: nothing comes before what it follows from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import BACKOFFICE, ZENDESK, at, rule

AFTER_ARRIVAL = ("wrong_item", "defective", "returned")
"""The reasons of refunds for goods that the customer has seen."""
SOON = timedelta(days=3)
"""How soon after it was created an account is used."""
LONG = timedelta(days=400)
"""A desk whose history is shorter than this does not show the first contact of older accounts."""


@rule(BACKOFFICE)
def charges_follow_their_order(records: Records) -> Iterator[str]:
    """A charge is made with its order or after it, and not for an order that does not exist."""
    for one in records.charges.values():
        order = records.orders.get(one.order_id)
        wrong = order is None or one.created_at < order.created_at
        yield f"charge {one.id} of {at(one.created_at)} precedes its order {one.order_id}" if wrong else ""


@rule(BACKOFFICE)
def refunds_follow_their_charge(records: Records) -> Iterator[str]:
    """A refund is made after its charge and settled after it was made."""
    for one in records.refunds:
        charge = records.charges.get(one.charge_id)
        wrong = charge is None or one.created_at <= charge.created_at
        wrong = wrong or (one.settled_at is not None and one.settled_at < one.created_at)
        yield f"refund {one.id} of {at(one.created_at)} precedes its charge" if wrong else ""


@rule(BACKOFFICE)
def refunds_fit_their_reason(records: Records) -> Iterator[str]:
    """Money for goods is paid after they came, for a return after it came back, for a lost parcel after it was due."""
    back = {one.order_id: one.received_at for one in records.returns if one.received_at is not None}
    for one in records.refunds:
        order, came = records.orders.get(one.order_id), records.arrived(one.order_id)
        wrong = ""
        if one.reason in AFTER_ARRIVAL and (came is None or came >= one.created_at):
            wrong = f"before the goods came ({at(came)})"
        elif (
            one.reason == "returned"
            and not _rented(records, one.order_id, one.amount_cents)
            and (one.order_id not in back or back[one.order_id] >= one.created_at)
        ):
            wrong = f"before a return was received ({at(back.get(one.order_id))})"
        elif one.reason == "not_received" and _due(records, one.order_id) > one.created_at:
            wrong = f"before the parcel was due ({at(_due(records, one.order_id))})"
        elif one.reason == "late_delivery" and came is not None and not _late(records, one.order_id):
            wrong = f"although the parcel was not late ({at(came)})"
        elif one.reason == "cancelled_order" and (order is None or order.status != "cancelled"):
            wrong = "although the order was not cancelled"
        yield f"refund {one.id} ({one.reason}) was made on {at(one.created_at)}, {wrong}" if wrong else ""


def _rented(records: Records, order_id: str, cents: int) -> bool:
    """Return whether an amount is the deposit of something that was rented; no return is opened for it."""
    return any(line.unit_price_cents == cents and "eposit" in line.name for line in records.lines.get(order_id, []))


def _due(records: Records, order_id: str) -> datetime:
    return min((one.estimated_at for one in records.parcels_of.get(order_id, [])), default=records.now)


def _late(records: Records, order_id: str) -> bool:
    parcels = records.parcels_of.get(order_id, [])
    return any(one.closed_at is None or one.closed_at.date() > one.estimated_at.date() for one in parcels)


@rule(BACKOFFICE)
def returns_follow_the_delivery(records: Records) -> Iterator[str]:
    """A return is opened after the goods came, and received at least a day after it was opened."""
    for one in records.returns:
        came = records.arrived(one.order_id)
        wrong = came is None or came >= one.created_at
        if one.received_at is not None:
            wrong = wrong or one.received_at < one.created_at + timedelta(days=1) or one.received_at > records.now
        yield f"return {one.number} of {at(one.created_at)}, goods came {at(came)}" if wrong else ""


@rule(BACKOFFICE)
def replacements_follow_the_delivery(records: Records) -> Iterator[str]:
    """A unit is replaced after it was delivered."""
    for one in records.replacements:
        came = records.arrived(one.order_id)
        wrong = came is None or came >= one.created_at
        yield f"replacement {one.id} of {at(one.created_at)}, goods came {at(came)}" if wrong else ""


@rule(BACKOFFICE)
def customers_precede_their_orders(records: Records) -> Iterator[str]:
    """A customer's account is older than their first order, and not by more than a few days."""
    first: dict[str, datetime] = {}
    for order in records.orders.values():
        first[order.customer_id] = min(order.created_at, first.get(order.customer_id, order.created_at))
    for one in records.customers.values():
        bought = first.get(one.id)
        wrong = bought is not None and not one.created_at <= bought <= one.created_at + SOON
        wrong = wrong or (bought is None and one.created_at < records.now - SOON)
        yield f"customer {one.id} of {at(one.created_at)} first ordered on {at(bought)}" if wrong else ""


@rule(ZENDESK)
def users_precede_their_words(records: Records) -> Iterator[str]:
    """A user exists before the first ticket or comment of theirs."""
    for ticket in records.tickets:
        user = records.users.get(ticket.requester_id)
        wrong = user is None or user.created_at > ticket.created_at
        yield f"ticket {ticket.id} of {at(ticket.created_at)} is older than its requester" if wrong else ""
    for comments in records.comments.values():
        for comment in comments:
            author = records.users.get(comment.author_id)
            wrong = author is not None and author.created_at > comment.created_at
            yield f"comment {comment.id} of {at(comment.created_at)} is older than its author" if wrong else ""


@rule(ZENDESK)
def accounts_are_explained(records: Records) -> Iterator[str]:
    """An end user writes, is copied or orders soon after their account was created; or they are a customer."""
    contact = _first_contacts(records)
    bought = _known_mails(records)
    for user in records.users.values():
        if user.staff:
            continue
        moments = [contact[user.id]] if user.id in contact else []
        moments += [bought[email] for email in _mails(records, user.id) if email in bought]
        soon = any(abs(moment - user.created_at) <= SOON for moment in moments)
        yield (
            "" if soon else f"user {user.id} ({user.email}) of {at(user.created_at)}: contacts {list(map(at, moments))}"
        )


def _first_contacts(records: Records) -> dict[int, datetime]:
    found: dict[int, datetime] = {}
    for ticket in records.tickets:
        for user in (ticket.requester_id, *ticket.email_cc_ids):
            found[user] = min(ticket.created_at, found.get(user, ticket.created_at))
    return found


def _known_mails(records: Records) -> dict[str, datetime]:
    """Return since when the back office knows an address."""
    if "backoffice_customer_emails" not in records.tx.company.tracked:
        return {}
    from diorama.apps.backoffice.schema import CustomerEmail

    return {one.email: one.created_at for one in records.tx.all(CustomerEmail)}


def _mails(records: Records, user_id: int) -> list[str]:
    user = records.users[user_id]
    return [user.email] if user.email else []


@rule(ZENDESK)
def answers_follow_the_letter(records: Records) -> Iterator[str]:
    """The first message of a ticket is its oldest, and audits and comments are in the order of their ids."""
    for thread in records.threads:
        moments = [one.comment.created_at for one in thread.messages]
        numbers = [one.id for one in records.audits.get(thread.ticket.id, [])]
        wrong = bool(moments) and min(moments) < thread.ticket.created_at
        yield f"ticket {thread.ticket.id} was answered before it was written" if wrong else ""
        yield f"ticket {thread.ticket.id}: audits are not in order" if numbers != sorted(numbers) else ""


@rule(ZENDESK)
def follow_ups_come_later(records: Records) -> Iterator[str]:
    """A follow-up is written after its first ticket was closed, and the first ticket names it."""
    known = {one.id: one for one in records.tickets}
    for ticket in records.tickets:
        if ticket.followup_source_id is not None:
            first = known.get(ticket.followup_source_id)
            wrong = first is None or first.status_updated_at > ticket.created_at or ticket.id not in first.followup_ids
            yield f"ticket {ticket.id} follows up on {ticket.followup_source_id}" if wrong else ""
