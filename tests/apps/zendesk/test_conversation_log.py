"""The conversation log, and what is pinned to tickets."""

from typing import Any

from tests.apps.zendesk.desk import ANA, MARA, OLEG, Desk


def test_the_conversation_log_shows_who_wrote_what(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Which model?")
    desk.replies(number, "Note to us", public=False)
    log = desk.get(f"tickets/{number}/conversation_log.json", ANA)
    assert [(one["author"]["type"], one["metadata"]["public"]) for one in log["events"]] == [
        ("end-user", True),
        ("agent", True),
        ("agent", False),
    ]
    assert "Which model?" in log["events"][1]["content"]["body"]
    first = desk.get(f"tickets/{number}/conversation_log.json", ANA, raw={"page[size]": 2})
    after = {"page[size]": 2, "page[after]": first["meta"]["after_cursor"]}
    rest = desk.get(f"tickets/{number}/conversation_log.json", ANA, raw=after)
    assert first["events"] + rest["events"] == log["events"]
    assert desk.call("GET", f"tickets/{number}/conversation_log.json", by=MARA).status == 403


def pins(desk: Desk, number: int, content: str, kind: str = "external_content") -> dict[str, Any]:
    body = {"ticket_id": str(number), "content_type": kind, "content_id": content}
    return {"ticket_content_pin": body}


def test_content_pins_are_added_and_removed(desk: Desk) -> None:
    number = desk.asks()
    made = desk.post("ticket_content_pins.json", pins(desk, number, "manual-7"), ANA)
    assert (made["ticket_id"], made["content_id"]) == (str(number), "manual-7")
    assert desk.get("ticket_content_pins.json", ANA, ticket_id=number)["ticket_content_pins"] == [made]
    again = desk.call("POST", "ticket_content_pins.json", pins(desk, number, "manual-7"), ANA)
    assert (again.status, again.json()["error"]) == (422, "ContentAlreadyPinned")
    assert desk.call("POST", "ticket_content_pins.json", pins(desk, number, "12", "article"), ANA).status == 404
    assert desk.call("POST", "ticket_content_pins.json", pins(desk, number, "12", "poem"), ANA).status == 400
    assert desk.delete(f"ticket_content_pins/{made['id']}.json", ANA).json() == made
    assert desk.get("ticket_content_pins.json", ANA, ticket_id=number)["count"] == 0


def test_comments_from_outsiders_are_flagged_until_trusted(desk: Desk) -> None:
    number = desk.asks()
    desk.writes(number, "I have the same problem", OLEG)
    said = desk.get(f"tickets/{number}/comments.json", ANA)["comments"][-1]
    assert (said["metadata"]["flags"], said["metadata"]["trusted"]) == ([2], False)
    desk.put(f"tickets/{number}/audits/{said['audit_id']}/trust.json", by=ANA)
    after = desk.get(f"tickets/{number}/audits/{said['audit_id']}.json", ANA)["audit"]["metadata"]
    assert (after["trusted"], after["flags_options"]) == (True, {"2": {"trusted": True}})
    desk.writes(number, "And still", OLEG)
    assert "flags" not in desk.get(f"tickets/{number}/comments.json", ANA)["comments"][-1]["metadata"]
    assert desk.call("PUT", f"tickets/{number}/audits/{said['audit_id']}/trust.json", by=MARA).status == 403


def test_tickets_are_counted_by_requester_cc_assignee_and_org(desk: Desk) -> None:
    first, second = desk.asks(by=OLEG), desk.asks()
    desk.updates(second, assignee_id=desk.user(ANA).id, email_ccs=[{"user_email": OLEG}])
    oleg, ana = desk.user(OLEG), desk.user(ANA)
    paths = (
        f"users/{oleg.id}/tickets/requested/count.json",
        f"users/{oleg.id}/tickets/ccd/count.json",
        f"users/{ana.id}/tickets/assigned/count.json",
        f"organizations/{oleg.organization_id}/tickets/count.json",
    )
    assert [desk.get(path, ANA)["count"]["value"] for path in paths] == [1, 1, 1, 1]
    desk.delete(f"tickets/{first}.json")
    assert [desk.get(path, ANA)["count"]["value"] for path in paths] == [0, 1, 1, 0]
    assert desk.call("GET", paths[0], by=MARA).status == 403
