"""Larkspur is coherent: audits, rows, metrics and people agree about every ticket."""

from __future__ import annotations

from datetime import datetime

import pytest

from diorama.apps.zendesk.schema import Audit, Comment, Ticket, TicketMetric, User
from diorama.kernel import Tx, World, from_us
from diorama.worlds import open_world
from diorama.worlds.coherence import contradictions
from diorama.worlds.enclosures import promised
from diorama.worlds.larkspur.company import AT_THE_DESK, LEAD, TEAM


@pytest.fixture(scope="module")
def base() -> World:
    return open_world("larkspur")


@pytest.fixture
def world(base: World) -> World:
    return base.fork()


def test_rows_audits_and_figures_of_every_ticket_agree(base: World) -> None:
    assert contradictions(base) == []


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ({"status": "pending"}, "status is 'pending'"),
        ({"tags": ("invented",)}, "tags is"),
        ({"reopens": 9}, "reopened 9 times"),
        ({"requester_id": 7}, "requester is nobody"),
    ],
)
def test_a_row_that_its_audits_do_not_explain_is_found(world: World, damage: dict[str, object], told: str) -> None:
    world.do(lambda tx: tx.change(tx.get(Ticket, 12), **damage), "spoiler")
    assert any(line.startswith("12: ") and told in line for line in contradictions(world))


def test_an_audit_or_a_figure_that_is_wrong_is_found(world: World) -> None:
    def spoil(tx: Tx) -> None:
        tx.remove(tx.all(Audit, "ticket_id = 9", order="id")[-1])
        tx.change(tx.get(TicketMetric, 10), replies=99)
        tx.remove(tx.all(Comment, "ticket_id = 11")[0])

    world.do(spoil, "spoiler")
    found = contradictions(world)
    assert {int(line.partition(":")[0]) for line in found} >= {9, 10, 11}


def test_colleagues_write_in_their_shifts_and_never_on_a_holiday(base: World) -> None:
    shifts = {who.email: who for who in AT_THE_DESK}
    asked = "SELECT u.email, c.created_at FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id"
    for email, at in base.read(lambda tx: tx.rows(f"{asked} WHERE u.role != 'end-user'")):
        who, moment = shifts[email], from_us(at)
        if email == LEAD.email:  # who is on call when something breaks
            continue
        assert who.shift[0] <= moment.hour < who.shift[1], (email, moment)
        assert moment.weekday() in who.days, (email, moment)
        assert moment.date() not in TEAM.holidays, (email, moment)


def test_a_promised_attachment_is_attached(base: World) -> None:
    def look(tx: Tx) -> list[int]:
        staff = {user.id for user in tx.all(User) if user.staff}
        return [
            comment.ticket_id
            for comment in tx.all(Comment, "public = 1 AND attachments = '[]'")
            if comment.author_id in staff and promised(comment.body) and comment.source.get("rel") is None
        ]

    assert base.read(look) == []


def test_few_people_write_at_night(base: World) -> None:
    rows = base.read(lambda tx: tx.rows("SELECT created_at FROM zendesk_comments"))
    hours = [from_us(at).hour for (at,) in rows]
    assert sum(2 <= hour < 6 for hour in hours) < 0.03 * len(hours)


def test_a_late_order_was_in_transit_for_days(base: World) -> None:
    """A customer who asks about a parcel has waited for it, and it had not arrived."""

    def look(tx: Tx) -> list[tuple[datetime, datetime]]:
        asked = (
            "SELECT t.created_at, o.created_at FROM zendesk_tickets t JOIN backoffice_orders o "
            "ON t.description LIKE '%' || o.number || '%' WHERE t.tags LIKE '%late_delivery%' "
            "AND t.followup_source_id IS NULL"
        )
        return [(from_us(written), from_us(placed)) for written, placed in tx.rows(asked)]

    found = base.read(look)
    assert len(found) > 5
    assert all((written - placed).days >= 2 for written, placed in found)
