"""Side conversations: api-reference/ticketing/side_conversation/side_conversation and side_conversation_event."""

import re
from typing import Any

import pytest

from diorama.apps.zendesk.rules import side_conversations
from diorama.kernel import Actor
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, Desk

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SUPPLIER = "parts@supplier.example"


def start(desk: Desk, number: int, **more: Any) -> Any:
    message = {"subject": "Order 12", "body": "Where is it?\n\nThanks", "to": [{"email": SUPPLIER}], **more}
    return desk.post(f"tickets/{number}/side_conversations", {"message": message}, ANA)["side_conversation"]


def test_a_side_conversation_is_started_and_shown(desk: Desk) -> None:
    number = desk.asks()
    made = start(desk, number, to=[{"email": SUPPLIER}, {"user_id": desk.user(BEN).id}])
    assert UUID.fullmatch(made["id"])
    assert made["url"].endswith(f"/api/v2/tickets/{number}/side_conversations/{made['id']}")
    assert (made["state"], made["subject"], made["ticket_id"]) == ("open", "Order 12", number)
    assert made["preview_text"] == "Where is it? Thanks"
    assert made["created_at"].endswith("+00:00")
    people = {(one["user_id"], one["email"]) for one in made["participants"]}
    assert people == {(desk.user(ANA).id, ANA), (desk.user(BEN).id, BEN), (None, SUPPLIER)}
    assert "SideMessageSent" in desk.announced()
    path = f"tickets/{number}/side_conversations"
    assert desk.get(f"{path}/{made['id']}", ANA)["side_conversation"] == made
    assert desk.get(path, ANA)["side_conversations"] == [made]
    [event] = desk.get(f"{path}/{made['id']}/events", ANA)["events"]
    assert (event["type"], event["via"], event["side_conversation_id"]) == ("create", "support", made["id"])
    assert event["message"]["from"]["user_id"] == desk.user(ANA).id
    assert event["message"]["body"] == "Where is it?\n\nThanks"
    assert [one["email"] for one in event["message"]["to"]] == [SUPPLIER, BEN]
    assert desk.get(path, ANA, include="events")["events"] == [event]
    assert len(desk.comments(number)) == 1, "the customer's conversation is untouched"


def test_replies_and_answers_are_events(desk: Desk) -> None:
    number = desk.asks()
    made = start(desk, number)
    path = f"tickets/{number}/side_conversations/{made['id']}"
    body = {"message": {"html_body": "<p>Any <b>news</b>?<script>x</script></p>", "to": [{"email": SUPPLIER}]}}
    event = desk.post(f"{path}/reply", body, ANA)["event"]
    assert (event["type"], event["message"]["html_body"]) == ("reply", "<p>Any <b>news</b>?</p>")
    assert event["message"]["subject"] == "Order 12"
    desk.put(path, {"side_conversation": {"state": "closed"}}, ANA)
    desk.waits(hours=1)
    desk.world.do(side_conversations.receive, Actor("persona", SUPPLIER), made["id"], SUPPLIER, "Tomorrow")
    shown = desk.get(path, ANA)["side_conversation"]
    assert (shown["state"], shown["preview_text"]) == ("open", "Tomorrow"), "an answer opens it again"
    assert shown["message_added_at"] > made["message_added_at"]
    events = desk.get(f"{path}/events", ANA)["events"]
    assert [one["type"] for one in events] == ["create", "reply", "update", "reply"]
    assert events[2]["updates"] == {"state": "closed"}
    assert (events[3]["via"], events[3]["actor"]["email"]) == ("email", SUPPLIER)


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ({"to": []}, 422),
        ({"to": [{"name": "Nobody"}]}, 422),
        ({"to": [{"user_id": 5}]}, 422),
        ({"body": "", "html_body": ""}, 422),
        ({"body": "x" * 64_001}, 422),
        ({"to": [{"email": f"a{number}@b.example"} for number in range(49)]}, 422),
        ({"to": [{"email": "a@b.example"}] * 101}, 400),
    ],
)
def test_an_invalid_message_is_refused(desk: Desk, message: dict[str, Any], status: int) -> None:
    number = desk.asks()
    body = {"message": {"subject": "S", "body": "B", "to": [{"email": SUPPLIER}], **message}}
    assert desk.call("POST", f"tickets/{number}/side_conversations", body, ANA).status == status
    assert desk.get(f"tickets/{number}/side_conversations", ANA)["side_conversations"] == []


def test_external_ids_are_texts(desk: Desk) -> None:
    number = desk.asks()
    body = {"message": {"body": "B", "to": [{"email": SUPPLIER}]}, "external_ids": {"my_system_id": "abc"}}
    made = desk.post(f"tickets/{number}/side_conversations", body, ANA)["side_conversation"]
    assert made["external_ids"] == {"my_system_id": "abc"}
    assert made["subject"] == "It leaks", "without a subject it has the ticket's"
    path = f"tickets/{number}/side_conversations/{made['id']}"
    wrong = {"side_conversation": {"external_ids": {"a": 1}}}
    assert desk.call("PUT", path, wrong, ANA).status == 422
    assert desk.call("PUT", path, {"side_conversation": {"state": "asleep"}}, ANA).status == 422


def test_side_conversations_follow_the_tickets_permissions(desk: Desk) -> None:
    number, other = desk.asks(), desk.asks("Other")
    made = start(desk, number)
    assert desk.call("GET", f"tickets/{number}/side_conversations", by=MARA).status == 403
    assert desk.call("GET", f"tickets/{other}/side_conversations/{made['id']}", by=ANA).status == 404
    assert desk.call("GET", f"tickets/{number}/side_conversations/nothing", by=ANA).status == 404
    role = {"name": "Quiet", "configuration": {"side_conversation_create": False}}
    role_id = desk.post("custom_roles.json", {"custom_role": role}, ADA)["custom_role"]["id"]
    desk.put(f"users/{desk.user(BEN).id}.json", {"user": {"custom_role_id": role_id}})
    body = {"message": {"body": "B", "to": [{"email": SUPPLIER}]}}
    assert desk.call("POST", f"tickets/{number}/side_conversations", body, BEN).status == 403
    desk.updates(other, status="closed")
    assert desk.call("POST", f"tickets/{other}/side_conversations", body, ANA).status == 422


def test_the_same_requests_give_the_same_history() -> None:
    def act() -> tuple[str, str]:
        desk = Desk(seed=3)
        number = desk.asks()
        made = start(desk, number)
        desk.put(f"tickets/{number}/side_conversations/{made['id']}", {"side_conversation": {"state": "closed"}}, ANA)
        desk.call("POST", "tickets.json", {"ticket": {"comment": {"body": "Later"}}}, ANA, raw={"async": "true"})
        topic = desk.post("community/topics.json", {"topic": {"name": "Machines"}})["topic"]["id"]
        desk.post("community/posts.json", {"post": {"title": "Leaks", "topic_id": topic}}, MARA)
        desk.post("guide/content_tags", {"content_tag": {"name": "bug"}}, ANA)
        desk.waits(seconds=10)
        return desk.world.events[-1].state, desk.world.events[-1].trace

    assert act() == act()
