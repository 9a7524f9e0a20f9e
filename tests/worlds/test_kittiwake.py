"""Kittiwake: a small company unlike Larkspur, whose desk and back office tell one believable past."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from diorama import people
from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import Charge, Customer, Order, Refund, Shipment, Staff
from diorama.apps.zendesk.rules import account
from diorama.apps.zendesk.schema import Comment, Ticket, TicketForm, User
from diorama.kernel import Actor, Request, Tx, World, from_us
from diorama.people.grammar import parse
from diorama.worlds import open_world
from diorama.worlds.book import tagged
from diorama.worlds.coherence import contradictions
from diorama.worlds.kittiwake.company import COLLEAGUES, GROUPS, TEAM
from diorama.worlds.kittiwake.firm import BOOK, FAULTS
from diorama.worlds.profile import profile

HALIFAX = ZoneInfo("America/Halifax")
ELISE = Actor("agent", "elise@kittiwake.ca")
PARCELS = ("unsent", "moving", "arrived", "lost")


@pytest.fixture(scope="module")
def base() -> World:
    return open_world("kittiwake")


@pytest.fixture
def world(base: World) -> World:
    return base.fork()


def local(moment: datetime) -> datetime:
    return moment.astimezone(HALIFAX)


def test_rows_audits_and_figures_of_every_ticket_agree(base: World) -> None:
    assert contradictions(base) == []


def test_the_company_has_its_own_settings(base: World) -> None:
    def look(tx: Tx) -> None:
        ours = settings(tx)
        assert (ours.country, ours.currency, ours.time_zone, ours.order_prefix) == (
            "CA",
            "CAD",
            "America/Halifax",
            "KW-",
        )
        assert (account.account_of(tx).plan, account.account_of(tx).currency) == ("suite_growth", "CAD")
        assert account.time_zone(tx).key == "America/Halifax"
        assert {"Rental", "Repair"} <= {form.name for form in tx.all(TicketForm)}

    base.read(look)


def test_colleagues_work_in_both_apps(base: World) -> None:
    def look(tx: Tx) -> None:
        for one in COLLEAGUES:
            assert tx.first(Staff, "email = ?", one.email) is not None
        for one in TEAM.at_the_desk:
            user = tx.first(User, "email = ?", one.email)
            assert user is not None
            assert user.staff

    base.read(look)
    assert {group for one in TEAM.at_the_desk for group in one.groups} == set(GROUPS)


def test_every_amount_is_in_canadian_dollars(base: World) -> None:
    def look(tx: Tx) -> set[str]:
        kinds: tuple[type[Order | Charge | Refund | Customer], ...] = (Order, Charge, Refund, Customer)
        return {row.currency for kind in kinds for row in tx.all(kind)}

    assert base.read(look) == {"CAD"}


def test_prices_contain_fifteen_percent_of_tax(base: World) -> None:
    for order in base.read(lambda tx: tx.all(Order))[:50]:
        gross = order.subtotal_cents + order.shipping_cents
        assert order.tax_cents == gross - round(gross / 1.15)


def test_no_parcel_moves_or_arrives_on_a_weekend(base: World) -> None:
    parcels = base.read(lambda tx: tx.all(Shipment))
    assert len(parcels) > 200
    arrived = [local(one.closed_at) for one in parcels if one.status == "delivered" and one.closed_at]
    assert {moment.weekday() for moment in arrived} <= {0, 1, 2, 3, 4}
    assert all(8 <= moment.hour < 18 for moment in arrived)
    assert all(local(one.estimated_at).weekday() < 5 for one in parcels)


def test_every_customer_is_known_at_the_desk_and_lives_in_canada(base: World) -> None:
    def look(tx: Tx) -> list[str]:
        wrong = [one.email for one in tx.all(Customer) if tx.first(User, "email = ?", one.email) is None]
        return wrong + [one.number for one in tx.all(Order) if one.shipping_address.country != "CA"]

    assert base.read(look) == []


def test_an_order_named_in_a_letter_belongs_to_its_writer(base: World) -> None:
    def look(tx: Tx) -> tuple[int, list[str]]:
        seen, wrong = 0, []
        for ticket in tx.all(Ticket):
            requester = tx.get(User, ticket.requester_id)
            for number in set(re.findall(r"\bKW-\d{5}\b", ticket.description)):
                seen += 1
                order = tx.first(Order, "number = ?", number)
                owner = tx.get(Customer, order.customer_id) if order else None
                if order is None or owner is None or requester.email not in owner.emails:
                    wrong.append(f"{ticket.id}: {number}")
                elif order.created_at > ticket.created_at:
                    wrong.append(f"{ticket.id}: {number} was ordered later")
        return seen, wrong

    seen, wrong = base.read(look)
    assert seen > 60
    assert wrong == []


def test_colleagues_answer_in_their_shifts(base: World) -> None:
    rows = base.read(
        lambda tx: tx.rows(
            "SELECT u.email, c.created_at FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id "
            "JOIN zendesk_tickets t ON t.id = c.ticket_id "
            "WHERE u.role != 'end-user' AND c.created_at > t.created_at"
        )
    )
    assert len(rows) > 300
    for email, at in rows:
        moment, who = local(from_us(at)), TEAM.colleague(email)
        assert moment.weekday() in who.days, (email, moment)
        assert who.shift[0] <= moment.hour < who.shift[1] + 1, (email, moment)
        assert moment.date() not in TEAM.holidays, (email, moment)


def test_customers_sleep_at_night_in_halifax(base: World) -> None:
    moments = [local(one.created_at) for one in base.read(lambda tx: tx.all(Ticket))]
    at_night = sum(2 <= moment.hour < 6 for moment in moments)
    assert at_night / len(moments) < 0.05


def test_the_desk_has_a_realistic_history(base: World) -> None:
    found = profile(base)
    assert 300 <= found.tickets <= 600
    assert set(found.languages) == {"en", "fr"}
    assert 0.15 < found.languages["fr"] < 0.4
    assert 0.004 < found.typo_rate < 0.03
    assert 0.3 < found.missing["priority"] < 0.7
    assert 0.005 < found.duplicate_rate < 0.08
    assert 0.05 < found.reopened_rate < 0.25
    assert found.first_reply_hours["p99"] > 4 * found.first_reply_hours["p50"]
    assert -1.4 < found.topic_slope < -0.6
    assert found.distinct_of_200 >= 190
    assert found.features["routed by a trigger"] > 0.2
    assert {"new", "open", "closed", "solved"} <= set(found.statuses)


def test_every_topic_can_be_written_and_answered_in_both_languages() -> None:
    missing = []
    for language in BOOK.languages:
        letters = BOOK.letters(language)
        for topic in BOOK.topics:
            if topic.name not in letters:
                missing.append((language, topic.name))
                continue
            for part in letters[topic.name].values():
                for phrase in part:
                    parse(tagged(phrase)[1])
            said = letters["lists"]["fault"] if topic.name == "gear_fault" else letters[topic.name]["say"]
            cases = {case for phrase in said for case in tagged(phrase)[0]} or {""}
            unanswered = [
                (language, topic.name, case, parcel)
                for case in cases
                for parcel in PARCELS
                if topic.name != "spam"
                and not BOOK.phrases(language, topic.name, "done", frozenset((case, parcel, "within")))
            ]
            assert unanswered == []
    assert missing == [("fr", "spam")]


def test_every_fault_has_texts_in_both_languages() -> None:
    for language in BOOK.languages:
        said = {case for phrase in BOOK.letters(language)["lists"]["fault"] for case in tagged(phrase)[0]}
        assert {fault for faults in FAULTS.values() for fault in faults} <= said


def test_amounts_are_written_in_both_notations(base: World) -> None:
    texts = base.read(lambda tx: [comment.body for comment in tx.all(Comment)])
    assert any(re.search(r"\$\d+\.\d{2}", text) for text in texts)
    assert any(re.search(r"\d+,\d{2} \$", text) for text in texts)


def test_waiting_customers_answer_questions(world: World) -> None:
    ticket = world.read(lambda tx: tx.all(people.Conversation, "state = 'waiting'", order="id", limit=1)[0].thread)
    body = b'{"ticket": {"comment": {"body": "Could you tell me your full name, please?"}, "status": "pending"}}'
    request = Request("PUT", f"/api/v2/tickets/{ticket}.json", "", {"Content-Type": "application/json"}, body)
    assert world.send("zendesk", request, ELISE).status == 200
    before = world.read(lambda tx: tx.count(Comment, "ticket_id = ?", int(ticket)))
    for _ in range(6):
        world.wait(timedelta(hours=12))
    assert world.read(lambda tx: tx.count(Comment, "ticket_id = ?", int(ticket))) > before
