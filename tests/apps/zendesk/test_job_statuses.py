"""Bulk work: queued, then working, then completed, each item with its own result; and incremental exports."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk


def finished(desk: Desk, job: dict[str, Any]) -> dict[str, Any]:
    desk.waits(minutes=1)
    done: dict[str, Any] = desk.get(f"job_statuses/{job['job_status']['id']}.json")["job_status"]
    assert done["status"] == "completed"
    assert done["message"].startswith("Completed at 2026-03-02 ")
    return done


def test_many_tickets_are_created_in_the_background(desk: Desk) -> None:
    bodies = [{"subject": f"n{n}", "comment": {"body": "x"}} for n in range(3)]
    job = desk.post("tickets/create_many.json", {"tickets": bodies}, ANA)
    queued = job["job_status"]
    assert (queued["status"], queued["progress"], queued["total"], queued["results"]) == ("queued", None, 3, None)
    assert queued["id"].startswith("V3-")
    assert desk.get("tickets/count.json")["count"]["value"] == 0
    done = finished(desk, job)
    assert [result["id"] for result in done["results"]] == [1, 2, 3]
    assert desk.ticket(1).submitter_id == desk.user(ANA).id


def test_many_tickets_are_updated_in_one_job(desk: Desk) -> None:
    one, two = desk.asks(), desk.asks("Other")
    finished(desk, desk.put("tickets/update_many.json", {"ticket": {"priority": "high"}}, ANA, ids=f"{one},{two}"))
    assert desk.ticket(one).priority == desk.ticket(two).priority == "high"
    body = {"tickets": [{"id": one, "status": "solved"}, {"id": 77, "status": "solved"}, {"id": two, "type": "bug"}]}
    done = finished(desk, desk.put("tickets/update_many.json", body, ANA))
    assert [result["success"] for result in done["results"]] == [True, False, False]
    assert (desk.ticket(one).status, desk.ticket(two).type) == ("solved", None)
    assert desk.audits(one)[-1].author_id == desk.user(ANA).id


def test_many_tickets_are_deleted_by_admins(desk: Desk) -> None:
    one, two = desk.asks(), desk.asks("Other")
    assert desk.call("DELETE", "tickets/destroy_many.json", by=ANA, ids=str(one)).status == 403
    finished(desk, desk.delete("tickets/destroy_many.json", ids=f"{one},{two}").json())
    assert desk.get("tickets.json")["tickets"] == []


def test_many_organizations_and_users_are_created(desk: Desk) -> None:
    names = [{"name": f"Cafe {n}"} for n in range(3)]
    done = finished(desk, desk.post("organizations/create_many.json", {"organizations": names}))
    ids = ",".join(str(result["id"]) for result in done["results"])
    assert desk.get("organizations/show_many.json", ids=ids)["count"] == 3
    people = [{"name": "A", "email": "a@x.example"}, {"name": "B", "email": MARA}]
    done = finished(desk, desk.post("users/create_many.json", {"users": people}))
    assert [("error" in result) for result in done["results"]] == [False, True]
    done = finished(desk, desk.post("users/create_or_update_many.json", {"users": people}))
    assert [result["status"] for result in done["results"]] == ["Updated", "Updated"]


def test_more_than_a_hundred_at_once_are_refused(desk: Desk) -> None:
    reply = desk.call("GET", "tickets/show_many.json", ids=",".join(map(str, range(101))))
    assert (reply.status, reply.json()["error"], reply.json()["max_count"]) == (400, "TooManyValues", 100)
    bodies = [{"comment": {"body": "x"}}] * 101
    assert desk.call("POST", "tickets/create_many.json", {"tickets": bodies}).status == 400


def test_jobs_are_listed(desk: Desk) -> None:
    job = desk.post("tickets/create_many.json", {"tickets": [{"comment": {"body": "x"}}]}, ANA)["job_status"]
    assert [one["id"] for one in desk.get("job_statuses.json")["job_statuses"]] == [job["id"]]
    assert desk.get("job_statuses/show_many.json", ids=job["id"])["job_statuses"][0]["id"] == job["id"]
    assert desk.call("GET", "job_statuses/V3-none.json").status == 404


# --- exports


def exported(desk: Desk, resource: str, per_page: int) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    desk.waits(minutes=2)
    answer = desk.get(f"incremental/{resource}/cursor.json", start_time=1, per_page=per_page)
    while True:
        out.extend(answer[resource])
        if answer["end_of_stream"]:
            return out
        answer = desk.get(f"incremental/{resource}/cursor.json", cursor=answer["after_cursor"], per_page=per_page)


@pytest.mark.parametrize("size", [1, 2, 100])
def test_an_export_equals_the_live_tickets(desk: Desk, size: int) -> None:
    for subject in ("a", "b", "c", "d"):
        desk.asks(subject)
        desk.waits(minutes=1)
    desk.updates(2, priority="high")
    desk.delete("tickets/4.json")
    replayed = {ticket["id"]: ticket for ticket in exported(desk, "tickets", size)}
    live = {ticket["id"]: ticket for ticket in desk.get("tickets.json")["tickets"]}
    assert {number: ticket for number, ticket in replayed.items() if ticket["status"] != "deleted"} == live
    assert replayed[4]["status"] == "deleted"


def test_an_export_continues_from_its_end_time(desk: Desk) -> None:
    desk.asks()
    desk.waits(minutes=2)
    first = desk.get("incremental/tickets/cursor.json", start_time=1)
    assert first["end_of_stream"]
    desk.asks("Later")
    assert desk.get("incremental/tickets/cursor.json", cursor=first["after_cursor"])["tickets"] == []
    desk.waits(minutes=2)
    second = desk.get("incremental/tickets/cursor.json", cursor=first["after_cursor"])
    assert [ticket["subject"] for ticket in second["tickets"]] == ["Later"]


def test_users_are_exported_too(desk: Desk) -> None:
    assert len(exported(desk, "users", 2)) == 5
    by_time = desk.get("incremental/users.json", start_time=1, per_page=2)
    assert (by_time["count"], by_time["end_of_stream"]) == (5, True)


def test_an_export_by_time_never_splits_a_second(desk: Desk) -> None:
    for subject in ("a", "b", "c"):
        desk.asks(subject)
    desk.waits(minutes=2)
    answer = desk.get("incremental/tickets.json", start_time=1, per_page=2)
    assert answer["count"] == 3
    assert answer["end_time"] == 1772438400


def test_exports_are_for_admins_and_reach_only_into_the_past(desk: Desk) -> None:
    assert desk.call("GET", "incremental/tickets/cursor.json", by=ANA, start_time=1).status == 403
    assert desk.call("GET", "incremental/tickets/cursor.json", by=ADA, start_time=4102444800).status == 400
    assert desk.call("GET", "incremental/tickets/cursor.json").status == 400
    assert desk.call("GET", "incremental/tickets/cursor.json", start_time=-(10**17)).status == 200
    assert desk.call("GET", "incremental/tickets/cursor.json", cursor="nonsense").status == 400
