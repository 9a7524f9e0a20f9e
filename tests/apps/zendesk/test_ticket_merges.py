"""Merged tickets, problems with their incidents, and follow-ups."""

from typing import Any

from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk
from tests.apps.zendesk.test_attachments import uploads
from tests.apps.zendesk.test_job_statuses import finished


def merges(desk: Desk, target: int, *sources: int, **words: Any) -> dict[str, Any]:
    job = desk.post(f"tickets/{target}/merge.json", {"ids": list(sources), **words}, ANA)
    assert job["job_status"]["status"] == "queued"
    return finished(desk, job)


def test_a_merge_closes_the_source_and_copies_its_last_comment(desk: Desk) -> None:
    target, source = desk.asks("It leaks"), desk.asks("Leak!!", "Water everywhere", OLEG)
    desk.updates(source, comment={"body": "Photo", "uploads": [uploads(desk, "a.png", b"PNG")["token"]]})
    desk.writes(source, "Hello?", OLEG)
    assert merges(desk, target, source)["results"][0]["success"]
    closed, kept = desk.ticket(source), desk.ticket(target)
    assert (closed.status, "closed_by_merge" in closed.tags) == ("closed", True)
    assert kept.email_cc_ids == (desk.user(OLEG).id,)
    words = desk.comments(target)[-1]
    assert words.body.startswith(f'Request #{source} "Leak!!" was closed and merged into this request.')
    assert words.body.endswith("Hello?")
    assert (words.public, words.author_id) == (False, desk.user(ANA).id)
    assert [one.file_name for one in words.attachments] == ["a.png"]
    assert words.attachments[0].id != desk.comments(source)[1].attachments[0].id
    assert desk.comments(source)[-1].body == f'This request was closed and merged into request #{target} "It leaks".'
    audit = desk.audits(target)[-1]
    assert (audit.source["rel"], audit.source["from"]["ticket_id"]) == ("merge", source)


def test_a_merge_uses_the_given_comments(desk: Desk) -> None:
    target, one, two = desk.asks("a"), desk.asks("b"), desk.asks("c")
    merges(
        desk,
        target,
        one,
        two,
        target_comment="All here now",
        source_comment="See the other",
        target_comment_is_public=True,
        source_comment_is_public=True,
    )
    assert (desk.comments(target)[-1].body, desk.comments(target)[-1].public) == ("All here now", True)
    assert [desk.comments(number)[-1].body for number in (one, two)] == ["See the other"] * 2
    assert desk.ticket(target).email_cc_ids == ()


def test_an_invalid_merge_changes_nothing(desk: Desk) -> None:
    solved, other, closed = desk.asks("a"), desk.asks("b"), desk.asks("c")
    desk.updates(solved, status="solved")
    assert not merges(desk, solved, other)["results"][0]["success"]
    desk.updates(closed, status="closed")
    assert not merges(desk, other, closed)["results"][0]["success"]
    assert not merges(desk, other, other)["results"][0]["success"]
    assert desk.ticket(other).status == "new"
    assert desk.call("POST", f"tickets/{other}/merge.json", {}, ANA).status == 400
    assert desk.call("POST", "tickets/99/merge.json", {"ids": [other]}, ANA).status == 404
    assert desk.call("POST", f"tickets/{other}/merge.json", {"ids": [solved]}, MARA).status == 403


def test_solving_a_problem_solves_its_incidents(desk: Desk) -> None:
    problem, first, second = desk.asks("Outage"), desk.asks("No order", by=OLEG), desk.asks("Shop down")
    desk.updates(problem, type="problem")
    desk.updates(first, type="incident", problem_id=problem)
    desk.updates(second, type="incident", problem_id=problem)
    assert desk.get(f"tickets/{problem}.json")["ticket"]["has_incidents"]
    assert desk.get(f"tickets/{problem}/related.json")["incidents"] == 2
    desk.replies(problem, "The shop is back.", status="solved")
    assert desk.ticket(first).status == "new"
    desk.waits(minutes=1)
    for number in (first, second):
        incident = desk.ticket(number)
        assert (incident.status, incident.assignee_id) == ("solved", desk.user(ANA).id)
        assert desk.comments(number)[-1].body == "The shop is back."
        assert desk.audits(number)[-1].source["rel"] == "problem"


def test_an_incident_can_be_linked_to_a_problem_only(desk: Desk) -> None:
    one, two = desk.asks("a"), desk.asks("b")
    reply = desk.call("PUT", f"tickets/{one}.json", {"ticket": {"problem_id": two}}, ANA)
    assert (reply.status, "problem_id" in reply.json()["details"]) == (422, True)


def test_problems_are_listed_and_autocompleted(desk: Desk) -> None:
    older, newer = desk.asks("Fire in the shop"), desk.asks("Water damage")
    desk.updates(older, type="problem")
    desk.waits(minutes=1)
    desk.updates(newer, type="problem")
    assert [one["id"] for one in desk.get("problems.json", ANA)["tickets"]] == [newer, older]
    assert [one["id"] for one in desk.post("problems/autocomplete.json", {"text": "fire"}, ANA)["tickets"]] == [older]
    found = desk.call("POST", "problems/autocomplete.json", None, ANA, text="WATER").json()["tickets"]
    assert [one["id"] for one in found] == [newer]
    assert desk.call("GET", "problems.json", by=MARA).status == 403


def test_a_customer_follows_up_on_a_closed_request(desk: Desk) -> None:
    number = desk.asks("It leaks")
    body = {"request": {"comment": {"body": "Again"}, "via_followup_source_id": number}}
    assert desk.post("requests.json", body, MARA)["request"]["followup_source_id"] is None, "it is not closed"
    desk.updates(number, status="closed")
    made = desk.post("requests.json", body, MARA)["request"]
    assert (made["followup_source_id"], made["subject"]) == (number, "It leaks")
    assert desk.ticket(number).followup_ids == (made["id"],)
    assert desk.get(f"tickets/{made['id']}/related.json", ADA)["followup_source_ids"] == [str(number)]
