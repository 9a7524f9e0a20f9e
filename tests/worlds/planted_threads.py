"""Violations about conversations, the desk, the chronicle, files and voices."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import (
    Order,
)
from diorama.apps.zendesk.schema import (
    Audit,
    Comment,
    MetricEvent,
    MetricEvents,
    SatisfactionRating,
    Ticket,
    User,
)
from diorama.apps.zendesk.schema.attachments import File
from diorama.kernel import Tx
from diorama.worlds.chronicle import Happening, Known, Telling, telling_id
from tests.worlds.plants import DAY, about, plant, staff_audit, talk, thread

# --- conversations


@plant
def letters_fit_the_dates(tx: Tx) -> object:
    return about(tx, "The machine is just over a year old and leaks.", placed=20 * DAY).id


@plant
def answers_agree_with_the_customer(tx: Tx) -> object:
    return talk(tx, "Both are booked, since Monday.", "The second line is only a reservation and falls away.")


@plant
def deliveries_agree_with_the_customer(tx: Tx) -> object:
    ticket = about(tx, "There is still nothing here, no card either.", came=3 * DAY)
    answer = tx.all(Comment, "ticket_id = ? AND public = 1", ticket.id, order="created_at, id")[1]
    tx.change(answer, body="I see it was delivered, probably just after you wrote.")
    return answer.id


@plant
def nobody_asks_what_was_said(tx: Tx) -> object:
    return talk(tx, "Where is LK-14001?", "Hi,\n\nCould you send me the order number, please?\n\nAna")


@plant
def offers_fit_the_fault(tx: Tx) -> object:
    return talk(tx, "It does not switch on.", "I'd give you fifteen per cent back.")


@plant
def repairs_take_more_than_a_day(tx: Tx) -> object:
    _, said = thread(tx)
    tx.change(said[1], body="A new gasket is in the post.")
    thanks = msgspec.structs.replace(
        said[0], id=said[1].id + 5, body="Fitted it, all dry now.", created_at=said[1].created_at + timedelta(hours=2)
    )
    tx.add(thanks)
    return thanks.id


@plant
def promised_files_are_attached(tx: Tx) -> object:
    number = talk(tx, "Please send me the invoice.", "The invoice is attached.")
    tx.change(tx.get(Comment, number), attachments=())
    return number


@plant
def answers_are_in_the_customers_language(tx: Tx) -> object:
    return talk(
        tx,
        "Wo ist mein Paket? Ich habe es nicht und bitte Sie um eine Antwort.",
        "It is with the carrier and you will have it on Monday, please wait for it.",
    )


# --- the desk


@plant
def colleagues_act_in_their_shifts(tx: Tx) -> object:
    audit = staff_audit(tx)
    tx.change(audit, created_at=audit.created_at.replace(hour=3))
    return audit.id


@plant
def colleagues_answer_once_they_are_hired(tx: Tx) -> object:
    audit = staff_audit(tx)
    tx.change(audit, created_at=datetime(2020, 3, 4, 9, 1, 2, tzinfo=UTC))
    return audit.id


@plant
def origins_vary_by_person(tx: Tx) -> object:
    for audit in tx.all(Audit):
        if "client" in audit.metadata.get("system", {}):
            system = {**audit.metadata["system"], "client": "Lynx"}
            tx.change(audit, metadata={**audit.metadata, "system": system})
    return "1 browsers"


@plant
def ratings_follow_the_solution(tx: Tx) -> object:
    rating = tx.all(SatisfactionRating)[0]
    tx.change(rating, created_at=tx.get(Ticket, rating.ticket_id).created_at)
    return rating.id


@plant
def clocks_follow_the_audits(tx: Tx) -> object:
    told = next(one for one in tx.all(MetricEvents) if one.events[0].type == "activate")
    tx.change(told, at=told.at + timedelta(seconds=1))
    return told.id


@plant
def replies_fulfil_the_clocks(tx: Tx) -> object:
    ticket, _ = thread(tx)
    event = MetricEvent(metric="reply_time", instance=9, type="fulfill", at=1)
    tx.add(MetricEvents(id=5, ticket_id=ticket.id, at=ticket.created_at + timedelta(seconds=1), events=(event,)))
    return ticket.id


@plant
def merges_point_both_ways(tx: Tx) -> object:
    audit = next(one for one in tx.all(Audit) if one.source.get("rel") == "merge" and one.source["to"])
    tx.remove(audit)
    return audit.ticket_id


@plant
def incidents_follow_their_problem(tx: Tx) -> object:
    ticket = tx.all(Ticket, "problem_id IS NOT NULL")[0]
    tx.change(ticket, problem_id=1_000_000)
    return ticket.id


@plant
def answers_take_time(tx: Tx) -> object:
    return talk(tx, "Where is it?", "On its way.", timedelta(seconds=3))


# --- the chronicle


@plant
def causes_come_first(tx: Tx) -> object:
    late, early = tx.all(Happening, order="at")[-1], tx.all(Happening, order="at")[0]
    tx.change(early, cause=late.id)
    return early.id


@plant
def nobody_knows_the_future(tx: Tx) -> object:
    one = tx.all(Happening, "kind = 'delivered'")[0]
    tx.change(one, learned=(Known("ana@larkspur.coffee", one.at - DAY, "ticket"),))
    return one.id


@plant
def rows_tell_what_happened(tx: Tx) -> object:
    order = tx.all(Order)[0]
    tx.remove(tx.get(Telling, telling_id("backoffice_orders", order.id)))
    return order.id


@plant
def what_is_told_exists(tx: Tx) -> object:
    telling = tx.all(Telling)[0]
    tx.change(telling, happening_ids=(10**9,))
    return telling.id


# --- files


@plant
def files_have_real_content(tx: Tx) -> object:
    file = tx.all(File, "comment_id IS NOT NULL")[0]
    tx.change(file, content=b"\x00" * file.size)
    return file.id


@plant
def files_are_of_many_sizes(tx: Tx) -> object:
    files = tx.all(File, "comment_id IS NOT NULL")
    for file in files:
        tx.change(file, size=1024)
    return files[0].id


# --- voices


def answers_of(tx: Tx, email: str) -> list[Comment]:
    who = tx.all(User, "email = ?", email)[0]
    return [one for one in tx.all(Comment, "author_id = ? AND public = 1", who.id) if one.source.get("rel") is None]


@plant
def sentences_are_not_repeated(tx: Tx) -> object:
    for one in answers_of(tx, "ana@larkspur.coffee"):
        tx.change(one, body=f"{one.body}\n\nPlease do remember to water the plants behind the big machine.")
    return "ana@larkspur.coffee"


def shorten(tx: Tx, words: int) -> Any:
    staff = {user.id for user in tx.all(User) if user.staff}
    for one in tx.all(Comment, "public = 1"):
        if one.author_id in staff:
            tx.change(one, body=" ".join((one.body.split() * 9)[:words]))
    return None


@plant
def answers_are_long_and_short(tx: Tx) -> object:
    return shorten(tx, 30)


@plant
def colleagues_write_differently(tx: Tx) -> object:
    return shorten(tx, 29)


@plant
def first_messages_are_not_copies(tx: Tx) -> object:
    text = "I would like to know where my parcel is, since nobody has told me anything about it for weeks. " * 2
    tickets = [one for one in tx.all(Ticket) if one.requester_id != tx.all(Ticket)[0].requester_id][:4]
    for ticket in tickets:
        tx.change(ticket, description=text)
    return tickets[0].requester_id
