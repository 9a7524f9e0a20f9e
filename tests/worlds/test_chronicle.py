"""The chronicle: rows of both apps lead back to what happened, and only the control plane can read it."""

from __future__ import annotations

import pytest

from diorama.apps.backoffice.schema import Refund
from diorama.apps.zendesk.schema import Ticket
from diorama.kernel import Actor, Request, World
from diorama.worlds import open_world
from diorama.worlds.chronicle import Chronicle, happenings, told_by


@pytest.fixture(scope="module")
def world() -> World:
    return open_world("larkspur")


def test_a_small_company_has_thousands_of_happenings(world: World) -> None:
    kinds = {one.kind for one in happenings(world)}
    assert 2_000 <= len(happenings(world)) <= 5_000
    assert {
        "ordered",
        "delivered",
        "lost",
        "refunded",
        "wrote",
        "answered",
        "promised",
        "failed",
        "broke_down",
    } <= kinds


def test_a_refund_leads_back_to_what_it_was_for(world: World) -> None:
    for refund in world.read(lambda tx: tx.all(Refund)):
        (made,) = told_by(world, "backoffice_refunds", refund.id)
        causes = {one.id: one for one in happenings(world)}
        assert made.kind == "refunded"
        assert causes[made.cause].subject == made.subject


def test_a_letter_about_an_order_follows_from_it(world: World) -> None:
    letters = [one for one in happenings(world, "wrote") if one.subject.startswith("LK-")]
    assert len(letters) > 100
    assert all(one.cause for one in letters)


def test_who_answers_a_letter_knows_what_it_is_about(world: World) -> None:
    every = {one.id: one for one in happenings(world)}
    answers = [one for one in every.values() if one.kind == "answered" and one.subject.startswith("LK-")]
    pairs = [(one, every[every[one.cause].cause]) for one in answers if every[one.cause].kind == "wrote"]
    assert len(pairs) > 100
    assert all(answer.people[0] in {known.who for known in cause.known} for answer, cause in pairs)


def test_no_app_can_read_the_chronicle(world: World) -> None:
    with pytest.raises(Exception, match="prohibited"):
        world.read(lambda tx: tx.rows("SELECT * FROM _chronicle_happenings"))
    shown = world.fork().send(
        "zendesk", Request("GET", "/api/v2/tickets/20.json", "", {}, b""), Actor("agent", "ana@larkspur.coffee")
    )
    assert b"happening" not in shown.body
    assert "happening" not in "".join(Ticket.__struct_fields__)


def test_who_took_part_knows_at_once_and_others_learn_later(world: World) -> None:
    chronicle = Chronicle()
    first = chronicle.add(
        "promised", world.read(lambda tx: tx.now), ["a@x.example", "b@x.example"], "LK-1", day="Monday"
    )
    chronicle.learn(first, "c@x.example", first.at, "mail")
    chronicle.learn(first, "c@x.example", first.at, "ticket")
    assert [(one.who, one.how) for one in chronicle.happenings[first.id].known] == [
        ("a@x.example", "did"),
        ("c@x.example", "mail"),
    ]
    assert chronicle.latest("LK-1", first.at) == chronicle.happenings[first.id]
