"""The conversation log, and what is pinned to tickets."""

from typing import Any

from tests.apps.zendesk.desk import ANA, MARA, Desk


def test_the_log_tells_who_said_what(desk: Desk) -> None:
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


def test_pins_come_and_go(desk: Desk) -> None:
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
