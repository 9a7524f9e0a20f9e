"""Bulk seeding writes what the live desk would have written, and faults look as real clients see them."""

from datetime import timedelta

import pytest

from diorama.apps.zendesk import faults, seed
from diorama.apps.zendesk.schema import Ticket
from diorama.kernel import Tx
from tests.apps.zendesk.desk import ANA, MARA, Desk


def history(tx: Tx, desk: Desk, days_ago: int, rating: bool = False) -> Ticket:
    mara, ana = desk.user(MARA), desk.user(ANA)
    start = tx.now - timedelta(days=days_ago)
    hour, taken = timedelta(hours=1), {"status": "pending", "assignee_id": ana.id}
    turns = [
        seed.Turn(
            at=start,
            author=mara,
            body="It leaks.",
            via=seed.mail_from(mara, "Larkspur", "support@larkspur.zendesk.com"),
        ),
        seed.Turn(at=start + 2 * hour, author=ana, body="Which model?", changes=taken),
        seed.Turn(at=start + 5 * hour, author=mara, body="An Aria."),
        seed.Turn(at=start + 6 * hour, author=ana, body="Pump.", public=False, changes={"tags": ["pump"]}),
        seed.Turn(at=start + 7 * hour, author=ana, body="A new pump is on its way.", changes={"status": "solved"}),
    ]
    score = seed.Rating("good", "Quick!", start + timedelta(hours=9)) if rating else None
    return seed.add_ticket_history(
        tx, requester=mara, subject="Leak", turns=turns, rating=score, standard=seed.standard(tx)
    )


@pytest.mark.parametrize("days", [1, 2, 9], ids=["solved", "asked about", "closed"])
def test_a_seeded_history_equals_an_acted_one(desk: Desk, days: int) -> None:
    def told(number: int) -> list[tuple[str, list[tuple[str, ...]]]]:
        return [
            (
                audit.channel,
                sorted(
                    (event.type, str(event.field_name), str(event.value), str(event.via))
                    for event in audit.events
                    if event.type != "Create"
                ),
            )
            for audit in desk.audits(number)
        ]

    written = desk.do(history, desk, days)
    first, tale = desk.ticket(written.id), told(written.id)
    words = [one.body for one in desk.comments(written.id)]
    lived = desk.asks("Leak", "It leaks.")
    desk.waits(hours=2)
    desk.replies(lived, "Which model?", status="pending", assignee_email=ANA)
    desk.waits(hours=3)
    desk.writes(lived, "An Aria.")
    desk.waits(hours=1)
    desk.replies(lived, "Pump.", public=False, tags=["pump"])
    desk.waits(hours=1)
    desk.replies(lived, "A new pump is on its way.", status="solved")
    desk.waits(hours=24 * days - 7)
    second = desk.ticket(lived)
    for name in ("status", "tags", "assignee_id", "group_id", "requester_id", "subject", "description", "reopens"):
        assert getattr(first, name) == getattr(second, name), name
    assert first.solved_at is not None
    assert first.solved_at - first.created_at == timedelta(hours=7)
    assert first.satisfaction == second.satisfaction == ("unoffered" if days == 1 else "offered")
    assert (first.status == "closed") is (days == 9)
    assert [one for _, one in tale] == [one for _, one in told(lived)]
    assert [channel for channel, _ in tale[5:]] == [channel for channel, _ in told(lived)[5:]]  # what the desk did
    assert words == [one.body for one in desk.comments(lived)]


def test_an_old_solved_ticket_is_closed_and_a_recent_one_will_be(desk: Desk) -> None:
    old, recent = desk.do(history, desk, 30), desk.do(history, desk, 1)
    assert (desk.ticket(old.id).status, desk.ticket(recent.id).status) == ("closed", "solved")
    assert desk.audits(old.id)[-1].author_id == -1
    desk.waits(days=4)
    assert desk.ticket(recent.id).status == "closed"


def test_a_history_can_end_in_a_rating(desk: Desk) -> None:
    ticket = desk.do(history, desk, 1, rating=True)
    shown = desk.get(f"tickets/{ticket.id}.json")["ticket"]["satisfaction_rating"]
    assert (shown["score"], shown["comment"]) == ("good", "Quick!")


def test_seeded_tickets_behave_like_any_ticket(desk: Desk) -> None:
    ticket = desk.do(history, desk, 1)
    assert desk.get("search.json", query="type:ticket aria")["results"][0]["id"] == ticket.id
    desk.writes(ticket.id, "Still leaking.")
    assert desk.ticket(ticket.id).status == "open"


def test_custom_fields_are_shown_on_every_ticket(desk: Desk) -> None:
    field = desk.do(seed.add_field, "Product", "tagger", [("Aria", "aria"), ("Presto", "presto")])
    number = desk.asks()
    assert desk.get(f"tickets/{number}.json")["ticket"]["custom_fields"] == [{"id": field.id, "value": None}]
    desk.updates(number, custom_fields=[{"id": field.id, "value": "aria"}])
    assert desk.get(f"tickets/{number}.json")["ticket"]["fields"] == [{"id": field.id, "value": "aria"}]
    assert desk.get("search.json", query=f"custom_field_{field.id}:aria")["count"] == 1
    assert (
        desk.call(
            "PUT", f"tickets/{number}.json", {"ticket": {"custom_fields": [{"id": field.id, "value": "moka"}]}}
        ).status
        == 422
    )
    shown = desk.get(f"ticket_fields/{field.id}.json")["ticket_field"]
    assert [option["value"] for option in shown["custom_field_options"]] == ["aria", "presto"]


def test_system_fields_list_the_values_of_tickets(desk: Desk) -> None:
    fields = {field["type"]: field for field in desk.get("ticket_fields.json")["ticket_fields"]}
    assert [option["value"] for option in fields["priority"]["system_field_options"]] == [
        "low",
        "normal",
        "high",
        "urgent",
    ]
    assert {"subject", "description", "status", "tickettype", "priority", "group", "assignee"} <= set(fields)


def test_maintenance_shows_an_html_page(desk: Desk) -> None:
    desk.do(faults.maintenance, timedelta(minutes=10), delay=timedelta(minutes=1))
    assert desk.call("GET", "tickets.json").status == 200
    desk.waits(minutes=2)
    reply = desk.call("GET", "tickets.json")
    assert (reply.status, reply.headers["content-type"]) == (503, "text/html; charset=utf-8")
    desk.waits(minutes=10)
    assert desk.call("GET", "tickets.json").status == 200


def test_outages_look_as_the_vendors_do(desk: Desk) -> None:
    number = desk.asks()
    desk.do(faults.throttled, timedelta(minutes=1), retry_after=17)
    reply = desk.call("GET", "tickets.json")
    assert (reply.status, reply.headers["Retry-After"]) == (429, "17")
    desk.waits(minutes=2)
    desk.do(faults.errors, timedelta(minutes=1), operation="update_ticket")
    assert desk.call("PUT", f"tickets/{number}.json", {"ticket": {"priority": "low"}}).status == 500
    assert desk.call("GET", "tickets.json").status == 200
    desk.waits(minutes=2)
    desk.do(faults.slow, timedelta(minutes=5), applied=True)
    reply = desk.call("PUT", f"tickets/{number}.json", {"ticket": {"priority": "high"}})
    assert (reply.status, desk.ticket(number).priority) == (504, "high")
