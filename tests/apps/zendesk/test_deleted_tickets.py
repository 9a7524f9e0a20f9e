"""Deleted tickets, restored and scrubbed; spam."""

from diorama.apps.zendesk import rules
from diorama.kernel import Actor
from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk
from tests.apps.zendesk.test_job_statuses import finished


def test_a_deleted_ticket_is_listed_and_can_be_restored(desk: Desk) -> None:
    number = desk.asks("It leaks")
    desk.updates(number, priority="high")
    before = desk.get(f"tickets/{number}.json")["ticket"]
    desk.delete(f"tickets/{number}.json")
    assert desk.call("GET", f"tickets/{number}.json").status == 404
    [gone] = desk.get("deleted_tickets.json")["deleted_tickets"]
    assert (gone["id"], gone["subject"], gone["previous_state"]) == (number, "It leaks", before["status"])
    assert gone["actor"] == {"id": desk.user(ADA).id, "name": "Ada King"}
    desk.put(f"deleted_tickets/{number}/restore.json")
    after = desk.get(f"tickets/{number}.json")["ticket"]
    assert (after["status"], after["priority"]) == (before["status"], "high")
    assert desk.get("deleted_tickets.json")["deleted_tickets"] == []
    assert desk.call("PUT", f"deleted_tickets/{number}/restore.json").status == 404
    events = [event for audit in desk.audits(number)[-2:] for event in audit.events]
    assert [(event.previous_value, event.value) for event in events] == [("new", "deleted"), ("deleted", "new")]


def test_deleted_tickets_are_restored_or_purged_in_bulk(desk: Desk) -> None:
    numbers = [desk.asks(subject) for subject in ("a", "b", "c")]
    for number in numbers:
        desk.delete(f"tickets/{number}.json")
    page = desk.get("deleted_tickets.json", raw={"page[size]": 2})
    assert ([one["id"] for one in page["deleted_tickets"]], page["meta"]["has_more"]) == (numbers[:2], True)
    desk.put("deleted_tickets/restore_many.json", ids=f"{numbers[0]},{numbers[1]}")
    assert [one["id"] for one in desk.get("tickets.json")["tickets"]] == numbers[:2]
    assert desk.call("DELETE", f"deleted_tickets/{numbers[2]}.json", by=ANA).status == 403
    done = finished(desk, desk.delete(f"deleted_tickets/{numbers[2]}.json").json())
    assert done["results"][0]["success"]
    assert desk.get("deleted_tickets.json")["deleted_tickets"] == []
    assert desk.comments(numbers[2]) == []
    assert desk.ticket(numbers[2]).subject == "SCRUBBED"
    assert desk.call("PUT", f"deleted_tickets/{numbers[2]}/restore.json").status == 404
    exported = {one["id"]: one for one in desk.get("incremental/tickets/cursor.json", start_time=1)["tickets"]}
    assert (exported[numbers[2]]["status"], exported[numbers[2]]["subject"]) == ("deleted", "SCRUBBED")


def test_bulk_purging_reports_tickets_it_could_not_delete(desk: Desk) -> None:
    one, two = desk.asks("a"), desk.asks("b")
    desk.delete(f"tickets/{one}.json")
    done = finished(desk, desk.delete("deleted_tickets/destroy_many.json", ids=f"{one},{two}").json())
    assert [result["success"] for result in done["results"]] == [True, False]
    assert (desk.ticket(one).subject, desk.ticket(two).subject) == ("SCRUBBED", "b")


def test_a_deleted_ticket_is_scrubbed_after_a_month(desk: Desk) -> None:
    number = desk.asks()
    desk.delete(f"tickets/{number}.json")
    desk.waits(days=29)
    assert desk.comments(number)
    desk.waits(days=2)
    assert desk.comments(number) == []


def test_spam_is_deleted_and_its_sender_suspended(desk: Desk) -> None:
    number = desk.asks("Rank first")
    desk.put(f"tickets/{number}/mark_as_spam.json", by=ANA)
    assert desk.user(MARA).suspended
    assert [one["id"] for one in desk.get("deleted_tickets.json", ANA)["deleted_tickets"]] == [number]
    assert desk.writes(number, "Still there?") == 0
    [held] = desk.get("suspended_tickets.json", ANA)["suspended_tickets"]
    assert (held["cause_id"], held["author"]["email"], held["content"]) == (13, MARA, "Still there?")
    assert desk.call("GET", "requests.json", by=MARA).status == 401


def test_an_agents_ticket_is_never_spam(desk: Desk) -> None:
    number = desk.post("tickets.json", {"ticket": {"subject": "Note", "comment": {"body": "x"}}}, ANA)["ticket"]["id"]
    assert desk.call("PUT", f"tickets/{number}/mark_as_spam.json", by=ANA).status == 422
    assert desk.call("PUT", f"tickets/{number}/mark_as_spam.json", by=MARA).status == 403


def test_many_tickets_are_marked_as_spam(desk: Desk) -> None:
    one, two = desk.asks("a"), desk.asks("b", by=OLEG)
    done = finished(desk, desk.put("tickets/mark_many_as_spam.json", ids=f"{one},{two},99", by=ANA))
    assert [result["success"] for result in done["results"]] == [True, True, False]
    assert desk.user(MARA).suspended
    assert desk.user(OLEG).suspended


def test_a_suspended_mail_can_be_recovered_by_an_agent(desk: Desk) -> None:
    number = desk.asks("a")
    desk.put(f"tickets/{number}/mark_as_spam.json", by=ANA)
    desk.world.do(rules.receive_mail, Actor("persona", MARA), MARA, "Sorry", "I was hacked.")
    [held] = desk.get("suspended_tickets.json", ANA)["suspended_tickets"]
    recovered = desk.put("suspended_tickets/recover_many.json", by=ANA, ids=str(held["id"]))["tickets"]
    assert [ticket["requester_id"] for ticket in recovered] == [desk.user(MARA).id]
