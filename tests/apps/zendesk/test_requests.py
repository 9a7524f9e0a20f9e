"""The customer's side: mail, requests, private comments that stay private, ratings."""

from typing import Any

import pytest

from diorama.apps.zendesk import rules
from diorama.apps.zendesk.schema import User
from diorama.kernel import Actor
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk, listened


def test_a_mail_from_a_stranger_creates_a_user_and_a_ticket(desk: Desk) -> None:
    number = desk.world.do(
        rules.receive_mail, Actor("persona", "kim@new.example"), "Kim.Park@new.example", "Hi", "Do you ship to Oslo?"
    )
    ticket, kim = desk.ticket(number), desk.user("kim.park@new.example")
    assert (ticket.requester_id, kim.name, kim.role) == (kim.id, "Kim Park", "end-user")
    assert (ticket.channel, ticket.recipient) == ("email", "support@larkspur.zendesk.com")
    assert ticket.source["from"] == {"address": "kim.park@new.example", "name": "Kim Park"}


def test_a_mail_to_a_ticket_becomes_a_comment(desk: Desk) -> None:
    number = desk.asks()
    assert desk.writes(number, "Any news?") == number
    assert [comment.body for comment in desk.comments(number)] == ["My machine leaks.", "Any news?"]


def test_another_sender_who_answers_becomes_a_cc(desk: Desk) -> None:
    number = desk.asks()
    desk.writes(number, "I have the same.", OLEG)
    assert desk.ticket(number).email_cc_ids == (desk.user(OLEG).id,)
    assert [user["email"] for user in desk.get(f"tickets/{number}/email_ccs.json")["users"]] == [OLEG]


def test_mail_from_a_suspended_customer_opens_no_ticket(desk: Desk) -> None:
    desk.put(f"users/{desk.user(MARA).id}.json", {"user": {"suspended": True}})
    assert desk.asks() == 0
    assert desk.get("tickets.json")["tickets"] == []


def test_outgoing_mail_has_its_placeholders_filled_in() -> None:
    desk, heard = listened()
    number = desk.asks("Leak", "It leaks.")
    desk.replies(number, "A new pump is on its way.")
    received, answered = heard
    assert (received.ticket, received.to, received.subject) == (number, MARA, "[Request received] Leak")
    assert f"Your request ({number}) has been received" in received.body
    assert "It leaks." in received.body
    assert (answered.subject, answered.comment) == ("[Larkspur] Re: Leak", desk.comments(number)[-1].id)
    assert answered.body.endswith("A new pump is on its way.")


# --- requests


def test_a_customer_creates_reads_and_answers_requests(desk: Desk) -> None:
    body = {"request": {"subject": "Refund", "comment": {"body": "Please."}}}
    made = desk.post("requests.json", body, MARA)["request"]
    assert (made["status"], made["requester_id"], made["solved"]) == ("open", desk.user(MARA).id, False)
    number = made["id"]
    desk.replies(number, "Refunded.", status="pending", assignee_email=ANA)
    desk.put(f"requests/{number}.json", {"request": {"comment": {"body": "Thanks!"}}}, MARA)
    assert desk.ticket(number).status == "open"
    assert [one["id"] for one in desk.get("requests.json", MARA)["requests"]] == [number]
    desk.put(f"requests/{number}.json", {"request": {"solved": True}}, MARA)
    assert desk.ticket(number).status == "solved"


def test_a_customer_never_sees_a_private_comment(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Secret: he always complains.", public=False)
    desk.replies(number, "We are looking into it.")
    private = next(comment for comment in desk.comments(number) if not comment.public)
    shown = desk.get(f"requests/{number}/comments.json", MARA)
    assert [one["body"] for one in shown["comments"]] == ["My machine leaks.", "We are looking into it."]
    assert desk.call("GET", f"requests/{number}/comments/{private.id}.json", by=MARA).status == 404
    for path in (
        f"requests/{number}.json",
        f"requests/{number}/comments.json",
        "requests.json",
        "requests/search.json",
    ):
        assert "Secret" not in desk.call("GET", path, by=MARA, query="").text


def test_a_customer_sees_only_their_own_requests(desk: Desk) -> None:
    number = desk.asks()
    assert desk.call("GET", f"requests/{number}.json", by=OLEG).status == 404
    assert desk.get("requests.json", OLEG)["requests"] == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "tickets.json"),
        ("GET", "tickets/1.json"),
        ("GET", "tickets/1/comments.json"),
        ("GET", "tickets/1/audits.json"),
        ("PUT", "tickets/1.json"),
        ("POST", "tickets.json"),
        ("GET", "users.json"),
        ("GET", "search.json"),
        ("GET", "views.json"),
        ("GET", "macros.json"),
        ("GET", "triggers.json"),
        ("GET", "groups.json"),
        ("GET", "organizations.json"),
        ("GET", "tags.json"),
        ("GET", "job_statuses.json"),
        ("GET", "incremental/tickets/cursor.json"),
    ],
)
def test_customers_cannot_use_agent_endpoints(desk: Desk, method: str, path: str) -> None:
    desk.asks()
    reply = desk.call(method, path, {"ticket": {"status": "solved"}} if method != "GET" else None, MARA, query="x")
    assert reply.status == 403
    assert reply.json()["error"]["title"] == "Forbidden"


def test_a_request_without_an_assignee_cannot_be_solved_by_the_customer(desk: Desk) -> None:
    number = desk.asks()
    assert desk.call("PUT", f"requests/{number}.json", {"request": {"solved": True}}, MARA).status == 422


# --- ratings


def solved(desk: Desk) -> int:
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    return number


def test_the_requester_rates_a_solved_ticket_and_may_change_it(desk: Desk) -> None:
    number = solved(desk)
    rating = desk.do(rules.rate, number, "bad", "Slow.")
    assert desk.announced()[-1] == "TicketRated"
    assert desk.do(rules.rate, number, "good", None) == rating
    shown = desk.get(f"tickets/{number}.json")["ticket"]["satisfaction_rating"]
    assert shown == {"id": rating, "score": "good"}
    listed = desk.get("satisfaction_ratings.json")["satisfaction_ratings"]
    assert [(one["score"], one["ticket_id"], one["assignee_id"]) for one in listed] == [
        ("good", number, desk.user(ANA).id)
    ]
    assert desk.audits(number)[-1].events[0].type == "SatisfactionRating"


def test_only_the_requester_can_rate_through_the_api(desk: Desk) -> None:
    number = solved(desk)
    body = {"satisfaction_rating": {"score": "good", "comment": "Quick!"}}
    for somebody in (ANA, OLEG):
        assert desk.call("POST", f"tickets/{number}/satisfaction_rating.json", body, somebody).status == 403
    made = desk.post(f"tickets/{number}/satisfaction_rating.json", body, MARA)["satisfaction_rating"]
    assert desk.get(f"satisfaction_ratings/{made['id']}.json")["satisfaction_rating"] == made
    assert desk.get("satisfaction_ratings/count.json", score="good")["count"]["value"] == 1
    assert desk.get("search.json", query="satisfaction:good")["count"] == 1


@pytest.mark.parametrize("score", ["great", "", "offered"])
def test_a_rating_is_good_or_bad(desk: Desk, score: str) -> None:
    number = solved(desk)
    body = {"satisfaction_rating": {"score": score}}
    assert desk.call("POST", f"tickets/{number}/satisfaction_rating.json", body, MARA).status == 422


def test_an_open_ticket_cannot_be_rated(desk: Desk) -> None:
    number = desk.asks()
    reply = desk.call(
        "POST", f"tickets/{number}/satisfaction_rating.json", {"satisfaction_rating": {"score": "good"}}, MARA
    )
    assert reply.status == 422


def test_a_closed_ticket_can_still_be_rated(desk: Desk) -> None:
    number = solved(desk)
    desk.waits(days=5)
    desk.do(rules.rate, number, "good")
    assert (desk.ticket(number).status, desk.ticket(number).satisfaction) == ("closed", "good")


def test_the_seeded_users_are_unchanged(desk: Desk) -> None:
    people: list[Any] = desk.read(lambda tx: [user.email for user in tx.all(User)])
    assert people == [ADA, ANA, BEN, MARA, OLEG]
