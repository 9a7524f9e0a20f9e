"""Mail sent by rules, as recorded by the desk; messages to targets, and failed ones."""

from typing import Any

from diorama.apps.zendesk.schema import TargetFailure
from diorama.kit.webhooks import Delivery
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, Desk


class WiredDesk(Desk):
    """A desk whose messages are answered by the test."""

    def waiting(self) -> list[Delivery]:
        return self.read(lambda tx: tx.all(Delivery, "state = 'waiting'"))

    def answer(self, status: int, text: str = "") -> None:
        """Answer the oldest message as its receiver."""
        first = self.waiting()[0]
        self.world.apply("courier", "answered", delivery_id=first.id, status=status, answer=text)


def mails(desk: Desk, **raw: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.get("email_notifications.json", ANA, raw=raw)["email_notifications"]
    return found


def test_every_mail_of_a_ticket_can_be_listed(desk: Desk) -> None:
    ticket = desk.asks()
    desk.waits(minutes=1)
    desk.replies(ticket, "We are on it.")
    told = [event for audit in desk.audits(ticket) for event in audit.events if event.type == "Notification"]
    found = mails(desk, **{"filter[ticket_id]": ticket})
    assert sorted(one["notification_id"] for one in found) == sorted(event.id for event in told)
    assert [one["created_at"] for one in found] == sorted((one["created_at"] for one in found), reverse=True)
    answer = desk.comments(ticket)[-1]
    [mail] = mails(desk, **{"filter[comment_id]": answer.id})
    assert (mail["comment_id"], mail["ticket_id"]) == (answer.id, ticket)
    [reached] = [one for one in mail["recipients"] if one["email_address"] == MARA]
    assert (reached["user_id"], reached["delivery_status"]["name"]) == (desk.user(MARA).id, "NONE")
    assert desk.get(f"email_notifications/{mail['notification_id']}.json", ANA)["email_notification"] == mail
    assert mails(desk, **{"filter[notification_id]": mail["notification_id"]}) == [mail]
    for query in ({"ids": mail["notification_id"]}, {"comment_ids": answer.id}):
        assert desk.get("email_notifications/show_many.json", ANA, **query)["email_notifications"] == [mail]
    assert len(desk.get("email_notifications/show_many.json", ANA, ticket_ids=ticket)["email_notifications"]) == len(
        told
    )


def test_listing_mails_needs_a_filter(desk: Desk) -> None:
    ticket = desk.asks()
    assert desk.call("GET", "email_notifications.json", by=ANA).status == 400
    assert desk.call("GET", "email_notifications/5.json", by=ANA).status == 404
    assert desk.call("GET", "email_notifications/show_many.json", by=ANA).status == 400
    assert desk.call("GET", "email_notifications.json", by=MARA, raw={"filter[ticket_id]": ticket}).status == 403
    for number in range(3):
        desk.waits(minutes=1)
        desk.replies(ticket, f"Answer {number}")
    everything = mails(desk, **{"filter[ticket_id]": ticket})
    raw = {"filter[ticket_id]": ticket, "page[size]": 2}
    first = desk.get("email_notifications.json", ANA, raw=raw)
    rest = desk.get("email_notifications.json", ANA, raw={**raw, "page[after]": first["meta"]["after_cursor"]})
    assert [*first["email_notifications"], *rest["email_notifications"]] == everything[:4]


# --- targets

HOOK = {
    "type": "http_target", "title": "Pager", "target_url": "https://pager.example/{{ticket.id}}", "method": "post",
    "content_type": "application/json", "username": "desk", "password": "secret",
}  # fmt: skip


def aim(desk: Desk, target: dict[str, Any], message: Any) -> int:
    """Create a target, and a trigger that calls it for every urgent ticket."""
    made = desk.post("targets.json", {"target": target})["target"]
    trigger = {
        "title": "Page somebody",
        "conditions": {"all": [{"field": "priority", "operator": "is", "value": "urgent"}]},
        "actions": [{"field": "notification_target", "value": [str(made["id"]), message]}],
    }
    desk.post("triggers.json", {"trigger": trigger})
    number: int = made["id"]
    return number


def test_a_trigger_sends_its_message_to_a_target() -> None:
    desk = WiredDesk()
    target = aim(desk, HOOK, '{"subject": "{{ticket.title}}"}')
    ticket = desk.asks("It burns")
    desk.updates(ticket, priority="urgent")
    [message] = desk.waiting()
    assert (message.url, message.body) == (f"https://pager.example/{ticket}", '{"subject": "It burns"}')
    assert message.headers["content-type"] == "application/json"
    assert message.headers["authorization"].startswith("Basic ")
    [told] = [event for audit in desk.audits(ticket) for event in audit.events if event.type == "External"]
    assert told.value == str(target)
    desk.answer(200)
    assert desk.get("target_failures.json")["target_failures"] == []


def test_url_targets_put_their_message_into_the_url() -> None:
    desk = WiredDesk()
    old = {
        "type": "url_target",
        "title": "Old",
        "target_url": "https://old.example/x",
        "method": "get",
        "attribute": "m",
    }
    aim(desk, old, "Hot: {{ticket.title}}")
    desk.updates(desk.asks("It burns"), priority="urgent")
    [message] = desk.waiting()
    assert (message.url, message.body) == ("https://old.example/x?m=Hot%3A%20It%20burns", "")


def test_a_target_is_deactivated_after_repeated_failures() -> None:
    desk = WiredDesk()
    target = aim(desk, HOOK, "{}")
    tickets = [desk.asks(f"Fire {number}") for number in range(22)]
    for ticket in tickets[:2]:
        desk.updates(ticket, priority="urgent")
        desk.answer(500, "Sorry")
    newest, first = desk.get("target_failures.json")["target_failures"]
    assert [one["consecutive_failure_count"] for one in (first, newest)] == [1, 2]
    assert (newest["target_name"], newest["status_code"], newest["raw_response"]) == ("Pager", 500, "Sorry")
    assert f"POST https://pager.example/{tickets[1]} HTTP/1.1" in newest["raw_request"]
    assert "Basic" not in newest["raw_request"], "passwords stay out of the account"
    assert desk.get(f"target_failures/{newest['id']}.json")["target_failure"] == newest
    assert desk.call("GET", "target_failures.json", by=ANA).status == 403
    desk.updates(tickets[2], priority="urgent")
    desk.answer(200)
    for ticket in tickets[3:]:
        desk.updates(ticket, priority="urgent")
        desk.answer(503)
    last = desk.get("target_failures.json")["target_failures"][0]
    assert last["consecutive_failure_count"] == 19, "a success in between starts the count again"
    for number in range(2):
        desk.updates(desk.asks(f"More {number}"), priority="urgent")
        desk.answer(503)
    assert desk.get(f"targets/{target}.json")["target"]["active"] is False
    desk.updates(desk.asks("Once more"), priority="urgent")
    assert desk.waiting() == []
    assert desk.read(lambda tx: tx.count(TargetFailure)) == 23


# --- phone calls and seats


def test_a_voice_call_opens_a_ticket_on_the_agents_screen(desk: Desk) -> None:
    call = {
        "from": "+49 30 1", "to": "+49 30 2", "recording_url": "https://calls.example/1.mp3",
        "started_at": "2026-01-05T10:00:00Z", "call_duration": 125, "answered_by_id": desk.user(BEN).id,
        "transcription_text": "It leaks again", "location": "Berlin",
    }  # fmt: skip
    ticket = {"via_id": 44, "subject": "Voicemail", "requester_id": desk.user(MARA).id, "voice_comment": call}
    body = {"ticket": ticket, "display_to_agent": desk.user(BEN).id}
    made = desk.post("channels/voice/tickets.json", body, ANA)["ticket"]
    assert "ScreenShown" in str(desk.announced())
    shown = desk.get(f"tickets/{made['id']}.json")["ticket"]
    assert (shown["via"]["channel"], shown["requester_id"]) == ("voicemail", desk.user(MARA).id)
    for words in ("+49 30 1", "2 minutes, 5 seconds", "It leaks again", "Ben Ito", "https://calls.example/1.mp3"):
        assert words in shown["description"]
    plain = {"via_id": 45, "subject": "Call", "comment": {"body": "She called."}}
    spoken = desk.post("channels/voice/tickets.json", {"ticket": plain}, ANA)["ticket"]
    assert desk.get(f"tickets/{spoken['id']}.json")["ticket"]["via"]["channel"] == "phone_call_inbound"
    for wrong in (
        {"ticket": {**plain, "via_id": 4}},
        {"ticket": {**plain, "via_id": 44}},
        {"ticket": plain, "display_to_agent": desk.user(MARA).id},
        {"ticket": {**ticket, "voice_comment": {**call, "from": ""}}},
    ):
        assert desk.call("POST", "channels/voice/tickets.json", wrong, ANA).status == 422
    assert desk.call("POST", "channels/voice/tickets.json", {"ticket": plain}, MARA).status == 403


def test_a_ticket_or_user_is_displayed_to_an_agent(desk: Desk) -> None:
    ticket, ben = desk.asks(), desk.user(BEN).id
    for path in (f"tickets/{ticket}", f"users/{desk.user(MARA).id}"):
        desk.post(f"channels/voice/agents/{ben}/{path}/display.json", {}, ANA)
        assert "ScreenShown" in str(desk.announced())
    assert desk.call("POST", f"channels/voice/agents/{ben}/tickets/999/display.json", {}, ANA).status == 404
    mara = desk.user(MARA).id
    assert desk.call("POST", f"channels/voice/agents/{mara}/tickets/{ticket}/display.json", {}, ANA).status == 404


def test_an_agent_can_ask_the_owner_to_add_a_user(desk: Desk) -> None:
    body = {"user": {"name": "Cleo New", "email": "cleo@larkspur.example"}}
    assert desk.post("users/request_create.json", body, ANA) == ""
    assert "OwnerReminded" in str(desk.announced())
    [line] = [one for one in desk.get("audit_logs.json")["audit_logs"] if "Cleo New" in one["change_description"]]
    assert line["actor_id"] == desk.user(ANA).id
    assert desk.call("POST", "users/request_create.json", {"user": {}}, ANA).status == 422
    assert desk.call("POST", "users/request_create.json", body, MARA).status == 403


def test_a_subdomain_is_available_until_it_is_taken(desk: Desk) -> None:
    assert desk.get("accounts/available.json", subdomain="larkspur")["success"] is False
    assert desk.get("accounts/available.json", subdomain="larkparts")["success"] is True
    desk.post("brands.json", {"brand": {"name": "Parts", "subdomain": "larkparts"}}, ADA)
    assert desk.get("accounts/available.json", subdomain="larkparts")["success"] is False
    assert desk.get("accounts/available.json", subdomain="lark_parts")["success"] is False
