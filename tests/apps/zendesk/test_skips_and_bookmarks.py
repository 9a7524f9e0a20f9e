"""Skips, bookmarks, satisfaction reasons, imports and the event stream."""

from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk
from tests.apps.zendesk.test_job_statuses import finished


def test_skips_are_listed_by_agent_and_by_ticket(desk: Desk) -> None:
    one, two = desk.asks("a"), desk.asks("b")
    skip = desk.post("skips.json", {"skip": {"ticket_id": one, "reason": "Not my language"}}, ANA)["skip"]
    assert (skip["ticket"]["id"], skip["user_id"]) == (one, desk.user(ANA).id)
    desk.post("skips.json", {"skip": {"ticket_id": two, "reason": "Later"}}, ANA)
    desk.post("skips.json", {"skip": {"ticket_id": one, "reason": "No time"}}, BEN)
    mine = desk.get(f"users/{desk.user(ANA).id}/skips.json", ANA)["skips"]
    assert [entry["reason"] for entry in mine] == ["Not my language", "Later"]
    found = desk.get(f"users/{desk.user(ANA).id}/skips.json", ANA, ticket_id=two)["skips"]
    assert [entry["ticket_id"] for entry in found] == [two]
    assert [entry["reason"] for entry in desk.get(f"tickets/{one}/skips.json", ANA)["skips"]] == [
        "Not my language",
        "No time",
    ]
    assert desk.call("POST", "skips.json", {"skip": {"ticket_id": 99}}, ANA).status == 404
    assert desk.call("POST", "skips.json", {}, ANA).status == 400


def test_bookmarks_are_private_to_their_owner(desk: Desk) -> None:
    number = desk.asks()
    body = {"bookmark": {"ticket_id": number}}
    reply = desk.call("POST", "bookmarks.json", body, ANA)
    assert (reply.status, reply.json()["bookmark"]["ticket"]["id"]) == (201, number)
    again = desk.call("POST", "bookmarks.json", body, ANA)
    assert (again.status, again.json()["bookmark"]["id"]) == (200, reply.json()["bookmark"]["id"])
    [mine] = desk.get("bookmarks.json", ANA)["bookmarks"]
    assert desk.get("bookmarks.json", BEN)["bookmarks"] == []
    assert desk.call("DELETE", f"bookmarks/{mine['id']}.json", by=BEN).status == 404
    desk.delete(f"bookmarks/{mine['id']}.json", ANA)
    assert desk.get("bookmarks.json", ANA)["bookmarks"] == []
    assert desk.call("POST", "bookmarks.json", body, MARA).status == 403


def test_a_bad_rating_has_a_reason(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Done", status="solved")
    reasons = {reason["value"]: reason for reason in desk.get("satisfaction_reasons.json")["reasons"]}
    late = reasons["The issue took too long to resolve"]
    assert desk.get(f"satisfaction_reasons/{late['id']}.json")["reason"] == late
    assert desk.call("GET", "satisfaction_reasons.json", by=ANA).status == 403
    path = f"tickets/{number}/satisfaction_rating.json"
    wrong = {"satisfaction_rating": {"score": "bad", "reason_code": 4}}
    assert desk.call("POST", path, wrong, MARA).status == 422
    body = {"satisfaction_rating": {"score": "bad", "comment": "Slow", "reason_code": late["reason_code"]}}
    rating = desk.post(path, body, MARA)["satisfaction_rating"]
    assert (rating["reason"], rating["reason_id"]) == (late["value"], late["id"])
    assert desk.get(f"satisfaction_ratings/{rating['id']}.json")["satisfaction_rating"] == rating
    better = desk.post(path, {"satisfaction_rating": {"score": "good"}}, MARA)["satisfaction_rating"]
    assert (better["id"], better["reason"], better["reason_code"]) == (rating["id"], None, None)


def test_a_ticket_is_imported_with_its_history(desk: Desk) -> None:
    mara, ana = desk.user(MARA).id, desk.user(ANA).id
    ticket = {
        "subject": "Old", "requester_id": mara, "assignee_id": ana, "status": "solved", "priority": "high",
        "tags": ["old"], "created_at": "2026-02-27T10:00:00Z", "solved_at": "2026-02-28T12:00:00Z",
        "updated_at": "2026-02-28T13:00:00Z",
        "comments": [
            {"author_id": mara, "value": "It broke", "created_at": "2026-02-27T10:00:00Z"},
            {"author_id": ana, "body": "Fixed", "created_at": "2026-02-28T11:00:00Z", "public": False},
        ],
    }  # fmt: skip
    assert desk.call("POST", "imports/tickets.json", {"ticket": ticket}, ANA).status == 403
    made = desk.post("imports/tickets.json", {"ticket": ticket})["ticket"]
    assert (made["created_at"], made["updated_at"]) == ("2026-02-27T10:00:00Z", "2026-02-28T13:00:00Z")
    assert (made["status"], made["priority"], made["tags"]) == ("solved", "high", ["old"])
    comments = desk.get(f"tickets/{made['id']}/comments.json")["comments"]
    assert [(one["body"], one["created_at"], one["public"]) for one in comments] == [
        ("It broke", "2026-02-27T10:00:00Z", True),
        ("Fixed", "2026-02-28T11:00:00Z", False),
    ]
    audits = desk.get(f"tickets/{made['id']}/audits.json")["audits"]
    assert all(event["type"] != "Notification" for audit in audits for event in audit["events"])
    late = {"ticket": {"subject": "x", "description": "y", "created_at": "2030-01-01T00:00:00Z"}}
    assert desk.call("POST", "imports/tickets.json", late).status == 422
    assert desk.call("POST", "imports/tickets.json", {"ticket": {"subject": "x"}}).status == 422


def test_many_tickets_are_imported(desk: Desk) -> None:
    tickets = [{"subject": "a", "description": "one"}, {"subject": "b"}, {"subject": "c", "description": "three"}]
    done = finished(desk, desk.post("imports/tickets/create_many.json", {"tickets": tickets}))
    assert [result["success"] for result in done["results"]] == [True, False, True]
    assert [one["subject"] for one in desk.get("tickets.json")["tickets"]] == ["a", "c"]


def test_every_update_is_in_the_event_stream(desk: Desk) -> None:
    number = desk.asks()
    desk.waits(minutes=1)
    desk.replies(number, "Yes?", priority="high", public=False)
    desk.waits(minutes=2)
    answer = desk.get("incremental/ticket_events.json", start_time=1)
    assert [event["id"] for event in answer["ticket_events"]] == [audit.id for audit in desk.audits(number)]
    last = answer["ticket_events"][-1]
    assert (last["ticket_id"], last["updater_id"]) == (number, desk.user(ANA).id)
    spoken = next(child for child in last["child_events"] if child["event_type"] == "Comment")
    assert (spoken["comment_present"], spoken["comment_public"], "body" in spoken) == (True, False, False)
    changed = next(child for child in last["child_events"] if "priority" in child)
    assert (changed["priority"], changed["previous_value"]) == ("high", None)
    full = desk.get("incremental/ticket_events.json", start_time=1, include="comment_events")
    assert [c["body"] for e in full["ticket_events"] for c in e["child_events"] if c["event_type"] == "Comment"] == [
        "My machine leaks.",
        "Yes?",
    ]
    later = desk.get("incremental/ticket_events.json", start_time=answer["end_time"])
    assert [event["id"] for event in later["ticket_events"]] == [last["id"]]
    assert desk.call("GET", "incremental/ticket_events.json", by=ANA, start_time=1).status == 403


def test_every_export_has_a_sample(desk: Desk) -> None:
    desk.asks()
    desk.waits(minutes=2)
    for resource in ("tickets", "ticket_events", "users", "organizations"):
        answer = desk.get(f"incremental/{resource}/sample.json", start_time=1)
        assert answer["count"] == len(answer[resource]) > 0
    assert desk.call("GET", "incremental/nothing/sample.json", start_time=1).status == 404


def test_requests_are_filtered_by_status_and_organization(desk: Desk) -> None:
    first, second = desk.asks("a"), desk.asks("b")
    other = desk.asks("c", by=OLEG)
    desk.replies(first, "Done", status="solved")
    desk.updates(other, email_ccs=[{"user_email": MARA}])
    assert [one["id"] for one in desk.get("requests/open.json", MARA)["requests"]] == [second, other]
    assert [one["id"] for one in desk.get("requests/solved.json", MARA)["requests"]] == [first]
    assert [one["id"] for one in desk.get("requests/ccd.json", MARA)["requests"]] == [other]
    assert [one["id"] for one in desk.get("requests.json", MARA, status="solved,closed")["requests"]] == [first]
    shared = desk.get("requests.json", MARA, include="users,organizations")
    assert {user["id"] for user in shared["users"]} >= {desk.user(MARA).id, desk.user(OLEG).id}
    company = desk.user(OLEG).organization_id
    assert [one["id"] for one in desk.get(f"organizations/{company}/requests.json", ADA)["requests"]] == [other]
    assert desk.call("GET", f"organizations/{company}/requests.json", by=MARA).status == 403
    found = desk.get("requests/search.json", OLEG, query="C", organization_id=company)["requests"]
    assert [one["id"] for one in found] == [other]


def test_a_private_ticket_is_not_shown_as_a_request(desk: Desk) -> None:
    body = {"subject": "About Mara", "requester_id": desk.user(MARA).id, "comment": {"body": "note", "public": False}}
    number = desk.post("tickets.json", {"ticket": body}, ANA)["ticket"]["id"]
    assert desk.call("GET", f"requests/{number}.json", by=MARA).status == 404
    desk.replies(number, "Hello Mara")
    assert desk.get(f"requests/{number}.json", MARA)["request"]["id"] == number


def test_customers_add_ccs_and_filter_comments_by_role(desk: Desk) -> None:
    body = {"request": {"subject": "s", "comment": {"body": "b"}, "collaborators": ["pia@example.com"]}}
    number = desk.post("requests.json", body, MARA)["request"]["id"]
    more = {
        "request": {"comment": {"body": "c"}, "additional_collaborators": [{"name": "Jo", "email": "jo@x.example"}]}
    }
    desk.put(f"requests/{number}.json", more, MARA)
    people = {desk.user("pia@example.com").id, desk.user("jo@x.example").id}
    assert set(desk.ticket(number).email_cc_ids) == people
    desk.replies(number, "Hello")
    assert [one["body"] for one in desk.get(f"requests/{number}/comments.json", MARA, role="agent")["comments"]] == [
        "Hello"
    ]
    ours = desk.get(f"requests/{number}/comments.json", MARA, role="end_user")["comments"]
    assert [one["body"] for one in ours] == ["b", "c"]
