"""Tickets: create, update, answer, solve, close, follow up; everything written can be read back."""

from typing import Any

import pytest

from diorama.apps.zendesk import rules
from diorama.apps.zendesk.schema import Ticket
from diorama.kernel import Actor, Request
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk


def test_a_created_ticket_can_be_read_back(desk: Desk) -> None:
    body = {
        "subject": "Grinder jams",
        "comment": {"body": "It jams on dark roast."},
        "requester": {"name": "Ida Lund", "email": "ida@example.net"},
        "priority": "high",
        "type": "incident",
        "tags": ["Grinder", "jam"],
        "external_id": "crm-7",
        "due_at": "2026-03-09T10:00:00Z",
    }
    made = desk.post("tickets.json", {"ticket": body}, ANA)["ticket"]
    shown = desk.get(f"tickets/{made['id']}.json")["ticket"]
    assert shown == made
    assert {name: shown[name] for name in ("subject", "priority", "type", "external_id", "due_at", "status")} == {
        "subject": "Grinder jams",
        "priority": "high",
        "type": "incident",
        "external_id": "crm-7",
        "due_at": "2026-03-09T10:00:00Z",
        "status": "new",
    }
    assert shown["tags"] == ["grinder", "jam"]
    assert shown["description"] == "It jams on dark roast."
    assert shown["requester_id"] == desk.user("ida@example.net").id
    assert shown["submitter_id"] == desk.user(ANA).id


def test_the_submitter_is_the_author_of_the_first_comment(desk: Desk) -> None:
    body = {"comment": {"body": "We owe you a call."}, "requester": {"email": MARA}}
    desk.post("tickets.json", {"ticket": body}, ANA)
    assert desk.comments(1)[0].author_id == desk.user(ANA).id
    desk.post("tickets.json", {"ticket": {**body, "submitter_id": desk.user(MARA).id}}, ANA)
    assert desk.comments(2)[0].author_id == desk.user(MARA).id


def test_creating_returns_the_location_of_the_ticket(desk: Desk) -> None:
    reply = desk.call("POST", "tickets.json", {"ticket": {"subject": "A", "comment": {"body": "b"}}}, ANA)
    assert reply.status == 201
    assert reply.headers["location"] == "https://larkspur.zendesk.com/api/v2/tickets/1.json"


def test_the_json_suffix_is_optional(desk: Desk) -> None:
    number = desk.asks()
    assert desk.get(f"tickets/{number}") == desk.get(f"tickets/{number}.json")


@pytest.mark.parametrize("ticket", [{}, {"subject": "only"}, {"comment": {"body": "   "}}])
def test_a_ticket_without_a_comment_is_refused(desk: Desk, ticket: dict[str, Any]) -> None:
    reply = desk.call("POST", "tickets.json", {"ticket": ticket})
    assert reply.status == 422
    assert reply.json() == {
        "error": "RecordInvalid",
        "description": "Record validation errors",
        "details": {"base": [{"description": "Description: cannot be blank", "error": "BlankValue"}]},
    }


def test_a_ticket_gets_its_requesters_organization_and_tags(desk: Desk) -> None:
    ticket = desk.ticket(desk.asks(by=OLEG))
    assert ticket.organization_id == desk.user(OLEG).organization_id
    assert ticket.tags == ("vip", "wholesale")


def test_assigning_a_new_ticket_opens_it_in_the_agents_group(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, assignee_id=desk.user(BEN).id)
    ticket = desk.ticket(number)
    assert (ticket.status, ticket.assignee_id, ticket.group_id) == ("open", desk.user(BEN).id, desk.group("Support").id)


def test_a_new_group_drops_an_assignee_outside_of_it(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, assignee_email=ANA)
    desk.updates(number, group_id=desk.group("Billing").id)
    ticket = desk.ticket(number)
    assert (ticket.group_id, ticket.assignee_id) == (desk.group("Billing").id, None)


def test_an_assignee_outside_the_named_group_is_refused(desk: Desk) -> None:
    number = desk.asks()
    body = {"ticket": {"group_id": desk.group("Billing").id, "assignee_id": desk.user(ANA).id}}
    reply = desk.call("PUT", f"tickets/{number}.json", body, ANA)
    assert (reply.status, reply.json()["error"]) == (422, "RecordInvalid")


def test_solving_an_unassigned_ticket_assigns_the_solver(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Done.", ANA, status="solved")
    assert desk.ticket(number).assignee_id == desk.user(ANA).id
    assert "TicketSolved" in desk.announced()


def test_a_customers_answer_reopens_a_solved_ticket(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    desk.writes(number, "No it is not.")
    ticket = desk.ticket(number)
    assert (ticket.status, ticket.solved_at, ticket.reopens) == ("open", None, 1)
    assert {"TicketReopened", "CommentAdded"} <= set(desk.announced())


@pytest.mark.parametrize("status", ["pending", "hold"])
def test_a_customers_answer_reopens_a_pending_ticket(desk: Desk, status: str) -> None:
    number = desk.asks()
    desk.replies(number, "Which serial number?", status=status)
    desk.writes(number, "LM-2231")
    assert desk.ticket(number).status == "open"


def test_an_agents_note_does_not_change_the_status(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, status="pending", assignee_email=ANA)
    desk.replies(number, "Looks like the pump.", public=False)
    assert desk.ticket(number).status == "pending"


def test_a_solved_ticket_closes_after_four_days(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    desk.waits(days=3, hours=23)
    assert desk.ticket(number).status == "solved"
    desk.waits(hours=2)
    assert desk.ticket(number).status == "closed"
    assert desk.announced()[-1] == "TicketClosed"


def test_reopening_restarts_the_four_days(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    desk.waits(days=3)
    desk.writes(number, "Still leaking.")
    desk.replies(number, "Now it is.", status="solved")
    desk.waits(days=2)
    assert desk.ticket(number).status == "solved"
    desk.waits(days=2, hours=1)
    assert desk.ticket(number).status == "closed"


def closed(desk: Desk) -> int:
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    desk.waits(days=5)
    return number


@pytest.mark.parametrize(
    "change", [{"status": "open"}, {"comment": {"body": "Hello?"}}, {"tags": ["x"]}, {"priority": "low"}]
)
def test_a_refused_change_of_a_closed_ticket_changes_nothing(desk: Desk, change: dict[str, Any]) -> None:
    number = closed(desk)
    before = desk.world.state
    reply = desk.call("PUT", f"tickets/{number}.json", {"ticket": change}, ANA)
    assert reply.status == 422
    assert reply.json()["details"] == {"status": [{"description": "Status: closed prevents ticket update"}]}
    assert desk.world.state == before


def test_a_mail_to_a_closed_ticket_becomes_a_follow_up(desk: Desk) -> None:
    number = closed(desk)
    follow_up = desk.writes(number, "It leaks again.")
    assert follow_up != number
    assert desk.ticket(follow_up).followup_source_id == number
    shown = desk.get(f"tickets/{number}.json")["ticket"]
    assert shown["followup_ids"] == [follow_up]
    assert desk.get(f"tickets/{follow_up}/related.json")["followup_source_ids"] == [str(number)]


def test_only_a_closed_ticket_can_be_followed_up(desk: Desk) -> None:
    number = closed(desk)
    body = {"via_followup_source_id": number, "comment": {"body": "Following up."}}
    made = desk.post("tickets.json", {"ticket": body}, ANA)["ticket"]
    assert (made["followup_source_id"], made["requester_id"]) == (number, desk.user(MARA).id)
    other = desk.post("tickets.json", {"ticket": {**body, "via_followup_source_id": made["id"]}}, ANA)["ticket"]
    assert "followup_source_id" not in other


def test_a_safe_update_fails_if_the_ticket_has_changed(desk: Desk) -> None:
    number = desk.asks()
    seen = desk.get(f"tickets/{number}.json")["ticket"]["updated_at"]
    desk.waits(seconds=5)
    desk.updates(number, BEN, priority="low")
    stale = {"ticket": {"priority": "high", "safe_update": True, "updated_stamp": seen}}
    reply = desk.call("PUT", f"tickets/{number}.json", stale, ANA)
    assert (reply.status, reply.json()["error"]) == (409, "UpdateConflict")
    now = desk.get(f"tickets/{number}.json")["ticket"]["updated_at"]
    desk.updates(number, priority="high", safe_update=True, updated_stamp=now)
    assert desk.ticket(number).priority == "high"


def test_an_update_that_changes_nothing_writes_nothing(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, priority="high")
    before, audits = desk.world.state, len(desk.audits(number))
    answer = desk.updates(number, priority="high")
    assert "audit" not in answer
    assert (desk.world.state, len(desk.audits(number))) == (before, audits)


@pytest.mark.parametrize(("field", "value"), [("status", "done"), ("priority", "asap"), ("type", "bug")])
def test_an_unknown_value_is_refused(desk: Desk, field: str, value: str) -> None:
    number = desk.asks()
    reply = desk.call("PUT", f"tickets/{number}.json", {"ticket": {field: value}}, ANA)
    assert (reply.status, list(reply.json()["details"])) == (422, [field])


@pytest.mark.parametrize("field", ["assignee_id", "group_id", "requester_id", "organization_id", "problem_id"])
def test_an_id_of_an_unknown_user_is_refused(desk: Desk, field: str) -> None:
    number = desk.asks()
    reply = desk.call("PUT", f"tickets/{number}.json", {"ticket": {field: 404}}, ANA)
    assert (reply.status, list(reply.json()["details"])) == (422, [field])


def test_numbers_may_be_sent_as_text(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, assignee_id=str(desk.user(BEN).id))
    assert desk.ticket(number).assignee_id == desk.user(BEN).id


def test_a_deleted_ticket_is_in_no_list(desk: Desk) -> None:
    number, other = desk.asks(), desk.asks("Other")
    desk.delete(f"tickets/{number}.json")
    assert desk.call("GET", f"tickets/{number}.json").status == 404
    assert [ticket["id"] for ticket in desk.get("tickets.json")["tickets"]] == [other]
    assert desk.get("tickets/count.json")["count"]["value"] == 1
    assert desk.get("search.json", query="type:ticket leak")["count"] == 1


def test_only_admins_delete_tickets(desk: Desk) -> None:
    number = desk.asks()
    assert desk.call("DELETE", f"tickets/{number}.json", by=ANA).status == 403


def test_tags_are_set_added_and_removed(desk: Desk) -> None:
    number = desk.asks()
    assert desk.post(f"tickets/{number}/tags.json", {"tags": ["B", "a"]})["tags"] == ["a", "b"]
    assert desk.put(f"tickets/{number}/tags.json", {"tags": ["c", "a"]})["tags"] == ["a", "b", "c"]
    reply = desk.call("DELETE", f"tickets/{number}/tags.json", {"tags": ["b"]})
    assert reply.json()["tags"] == ["a", "c"]
    assert desk.get(f"tickets/{number}/tags.json")["tags"] == ["a", "c"]
    listed = {tag["name"]: tag["count"] for tag in desk.get("tags.json")["tags"]}
    assert listed == {"a": 1, "c": 1}


def test_adding_and_removing_tags_keeps_the_others(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, tags=["a", "b"])
    desk.updates(number, additional_tags=["c"], remove_tags=["a"])
    assert desk.ticket(number).tags == ("b", "c")


def test_sideloads_include_users_groups_and_organizations(desk: Desk) -> None:
    number = desk.asks(by=OLEG)
    desk.updates(number, assignee_email=ANA)
    shown = desk.get(f"tickets/{number}.json", include="users,groups,organizations")
    assert {user["email"] for user in shown["users"]} == {OLEG, ANA}
    assert [group["name"] for group in shown["groups"]] == ["Support"]
    assert [company["name"] for company in shown["organizations"]] == ["Roasters United"]


def test_tickets_are_listed_by_requester_assignee_and_org(desk: Desk) -> None:
    mine, other = desk.asks(), desk.asks(by=OLEG)
    desk.updates(other, assignee_email=ANA)
    mara, oleg, ana = desk.user(MARA), desk.user(OLEG), desk.user(ANA)

    def ids(path: str) -> list[int]:
        return [ticket["id"] for ticket in desk.get(path)["tickets"]]

    assert ids(f"users/{mara.id}/tickets/requested.json") == [mine]
    assert ids(f"users/{ana.id}/tickets/assigned.json") == [other]
    assert ids(f"organizations/{oleg.organization_id}/tickets.json") == [other]
    assert desk.get("tickets/show_many.json", ids=f"{mine},{other},99")["count"] == 2


def test_a_problem_lists_its_incidents(desk: Desk) -> None:
    problem, incident = desk.asks("Outage"), desk.asks("Site down")
    desk.updates(problem, type="problem")
    desk.updates(incident, type="incident", problem_id=problem)
    assert desk.get(f"tickets/{problem}.json")["ticket"]["has_incidents"]
    assert [t["id"] for t in desk.get(f"tickets/{problem}/incidents.json")["tickets"]] == [incident]
    assert desk.get(f"tickets/{problem}/related.json")["incidents"] == 1


def test_the_same_idempotency_key_creates_one_ticket(desk: Desk) -> None:
    def create(subject: str) -> Any:
        body = b'{"ticket": {"subject": "%s", "comment": {"body": "once"}}}' % subject.encode()
        headers = {"content-type": "application/json", "idempotency-key": "abc"}
        return desk.send(Request("POST", "/api/v2/tickets.json", "", headers, body), Actor("agent", ANA))

    first, second = create("One"), create("One")
    assert first.json()["ticket"]["id"] == second.json()["ticket"]["id"]
    assert (first.headers["x-idempotency-lookup"], second.headers["x-idempotency-lookup"]) == ("miss", "hit")
    assert desk.read(lambda tx: tx.count(Ticket)) == 1
    assert (create("Other").status, create("Other").json()["error"]) == (400, "IdempotentRequestError")


def test_people_and_scenarios_can_call_commands_directly(desk: Desk) -> None:
    number = desk.asks()
    desk.world.do(rules.comment, Actor("agent", ANA), number, "Looking into it.", status="pending")
    desk.world.do(rules.solve, Actor("agent", ADA), number, "Fixed.")
    assert desk.ticket(number).status == "solved"
    assert [comment.body for comment in desk.comments(number)] == ["My machine leaks.", "Looking into it.", "Fixed."]
