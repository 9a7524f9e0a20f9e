"""Webhooks: called by triggers and events, signed, retried, and accounted for."""

from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk.rules import webhooks
from diorama.kit.webhooks import Answer, Delivery, deliver, waiting
from tests.apps.zendesk.desk import ADA, ANA, Desk


def make(desk: Desk, **more: Any) -> Any:
    """Create a webhook."""
    body = {"name": "Chat", "endpoint": "https://hooks.example/in", "http_method": "POST", "request_format": "json"}
    return desk.post("webhooks", {"webhook": {**body, "status": "active", **more}})["webhook"]


def trigger(desk: Desk, number: str) -> None:
    """Create a trigger that calls a webhook for every new ticket."""
    words = '{"ticket": "{{ticket.id}}", "title": "{{ticket.title}}"}'
    body = {
        "title": "Tell the chat",
        "conditions": {"all": [{"field": "update_type", "operator": "is", "value": "Create"}]},
        "actions": [{"field": "notification_webhook", "value": [number, words]}],
    }
    desk.post("triggers.json", {"trigger": body})


def calls(desk: Desk, webhook: Any) -> Any:
    """Return the invocations of a webhook."""
    return desk.get(f"webhooks/{webhook['id']}/invocations")["invocations"]


def test_a_webhook_is_created_shown_changed_and_deleted(desk: Desk) -> None:
    secret = {"type": "basic_auth", "data": {"username": "u", "password": "p"}, "add_position": "header"}
    made = make(desk, authentication=secret, custom_headers={"X-Team": "desk"})
    assert len(made["id"]) == 26
    assert made["authentication"] == {"type": "basic_auth", "add_position": "header"}
    assert desk.get(f"webhooks/{made['id']}")["webhook"] == made
    assert desk.call("PATCH", f"webhooks/{made['id']}", {"webhook": {"status": "inactive"}}).status == 204
    assert desk.get("webhooks", raw={"filter[status]": "inactive"})["webhooks"][0]["status"] == "inactive"
    full = {"name": "Pager", "endpoint": "https://x.example", "http_method": "PUT", "request_format": "xml"}
    assert desk.call("PUT", f"webhooks/{made['id']}", {"webhook": full}).status == 400
    assert desk.call("PUT", f"webhooks/{made['id']}", {"webhook": {**full, "status": "active"}}).status == 204
    assert desk.get("webhooks", raw={"filter[name_contains]": "page"})["webhooks"][0]["http_method"] == "PUT"
    copy = desk.post("webhooks", {}, clone_webhook_id=made["id"])["webhook"]
    assert (copy["name"], copy["id"] == made["id"]) == ("Pager", False)
    assert desk.delete(f"webhooks/{made['id']}").status == 204
    assert desk.call("GET", f"webhooks/{made['id']}").status == 404


@pytest.mark.parametrize(
    "wrong",
    [{"endpoint": "ftp://x"}, {"http_method": "FETCH"}, {"subscriptions": ["zen:event-type:moon.rose"]}, {"name": " "}],
)
def test_an_invalid_webhook_is_refused(desk: Desk, wrong: dict[str, Any]) -> None:
    body = {"name": "n", "endpoint": "https://x.example", "http_method": "POST", "request_format": "json"}
    reply = desk.call("POST", "webhooks", {"webhook": {**body, "status": "active", **wrong}})
    assert reply.status == 400
    assert reply.json()["errors"][0]["code"] == "InvalidWebhook"


def test_only_admins_see_webhooks(desk: Desk) -> None:
    assert desk.call("GET", "webhooks", None, ANA).status == 403


def test_a_trigger_calls_a_webhook_with_a_signed_body(desk: Desk) -> None:
    made = make(desk)
    trigger(desk, made["id"])
    desk.asks(subject='It "leaks"')
    caught: list[Delivery] = []

    def receiver(sent: Delivery) -> Answer:
        caught.append(sent)
        return Answer(200, "thanks")

    assert deliver(desk.world, receiver) == 1
    sent = caught[0]
    assert msgspec.json.decode(sent.body) == {"ticket": "1", "title": 'It "leaks"'}
    secret = desk.get(f"webhooks/{made['id']}/signing_secret")["signing_secret"]["secret"]
    stamp = sent.headers["x-zendesk-webhook-signature-timestamp"]
    assert sent.headers["x-zendesk-webhook-signature"] == webhooks.signature(secret, stamp, sent.body)
    (call,) = calls(desk, made)
    assert (call["status"], call["event_type"]) == ("success", "conditional_ticket_events")
    attempts = desk.get(f"webhooks/{made['id']}/invocations/{call['id']}/attempts")["attempts"]
    assert [(one["status_code"], one["response"]["payload"]) for one in attempts] == [(200, "thanks")]
    assert "External" in [event.type for event in desk.audits(1)[0].events]
    assert desk.call("DELETE", f"webhooks/{made['id']}").status == 400


def test_a_receiver_that_does_not_answer_is_retried(desk: Desk) -> None:
    made = make(desk)
    trigger(desk, made["id"])
    desk.asks()
    desk.waits(seconds=20)
    assert [one["status"] for one in calls(desk, made)] == ["pending"]
    desk.waits(minutes=30)
    (call,) = calls(desk, made)
    attempts = desk.get(f"webhooks/{made['id']}/invocations/{call['id']}/attempts")["attempts"]
    assert call["status"] == "failed"
    assert [one["status"] for one in attempts] == ["timeout"] * 6


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        (Answer(409, "busy"), 4),
        (Answer(500, "boom"), 1),
        (Answer(502), 1),
        (Answer(404), 1),
        (Answer(429, "slow down"), 1),
        (Answer(429, "slow down", retry_after=20), 4),
        (Answer(503, "", retry_after=60), 4),
        (Answer(503, "", retry_after=61), 1),
        (Answer(200), 1),
    ],
)
def test_only_the_vendors_retryable_failures_are_retried(desk: Desk, answer: Answer, attempts: int) -> None:
    made = make(desk)
    trigger(desk, made["id"])
    desk.asks()
    for _ in range(100):
        deliver(desk.world, lambda sent: answer)
        desk.waits(seconds=5)
    (call,) = calls(desk, made)
    tried = desk.get(f"webhooks/{made['id']}/invocations/{call['id']}/attempts")["attempts"]
    assert [one["status_code"] for one in tried] == [answer.status] * attempts
    assert call["status"] == ("success" if answer.status == 200 else "failed")


def test_retry_after_sets_the_time_of_the_retry(desk: Desk) -> None:
    made = make(desk)
    trigger(desk, made["id"])
    desk.asks()
    deliver(desk.world, lambda sent: Answer(429, "", retry_after=20))
    desk.waits(seconds=19)
    assert waiting(desk.world) == []
    desk.waits(seconds=1)
    assert len(waiting(desk.world)) == 1


def test_the_circuit_breaker_pauses_a_failing_receiver(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "FEWEST", 4)
    made = make(desk)
    trigger(desk, made["id"])
    for _ in range(4):
        desk.asks()
    deliver(desk.world, lambda sent: Answer(500))
    before = {one["id"] for one in calls(desk, made)}
    desk.asks()
    assert waiting(desk.world) == []
    [broken] = [one for one in calls(desk, made) if one["id"] not in before]
    attempts = desk.get(f"webhooks/{made['id']}/invocations/{broken['id']}/attempts")["attempts"]
    assert (broken["status"], [one["status"] for one in attempts]) == ("failed", ["circuit_broken"])
    desk.waits(seconds=6)
    desk.asks()
    assert deliver(desk.world, lambda sent: Answer(200)) == 1
    desk.waits(minutes=6)
    desk.asks()
    assert len(waiting(desk.world)) == 1


def test_a_webhook_may_subscribe_to_events_without_a_trigger(desk: Desk) -> None:
    made = make(desk, subscriptions=[webhooks.TICKET_CREATED, webhooks.COMMENT_ADDED])
    number = desk.asks(subject="Broken")
    desk.replies(number, "We look into it.")
    bodies: list[Any] = []

    def receiver(sent: Delivery) -> Answer:
        bodies.append(msgspec.json.decode(sent.body))
        return Answer(204)

    deliver(desk.world, receiver)
    kinds = [body["type"] for body in bodies]
    assert kinds == [webhooks.TICKET_CREATED, webhooks.COMMENT_ADDED, webhooks.COMMENT_ADDED]
    assert bodies[0]["detail"]["subject"] == "Broken"
    assert bodies[2]["event"]["comment"]["body"] == "We look into it."
    assert len(calls(desk, made)) == 3


def test_an_inactive_webhook_is_not_called(desk: Desk) -> None:
    made = make(desk, status="inactive")
    trigger(desk, made["id"])
    desk.asks()
    assert calls(desk, made) == []
    before = desk.get(f"webhooks/{made['id']}/signing_secret")
    after = desk.post(f"webhooks/{made['id']}/signing_secret", {})
    assert before != after == desk.get(f"webhooks/{made['id']}/signing_secret")
    sent = desk.post("webhooks/test", {"request": {"payload": '{"a": 1}'}}, webhook_id=made["id"])
    assert [one["id"] for one in calls(desk, made)] == [sent["invocation_id"]]
    deliver(desk.world, lambda one: Answer(200, one.body))
    attempts = desk.get(f"webhooks/{made['id']}/invocations/{sent['invocation_id']}/attempts")["attempts"]
    assert [one["response"]["payload"] for one in attempts] == ['{"a": 1}']


def test_webhooks_send_the_account_id(desk: Desk) -> None:
    make(desk, subscriptions=[webhooks.TICKET_CREATED])
    number = desk.asks()
    [sent] = waiting(desk.world)
    wanted = {"ticket_id": str(number), "content_type": "community_post", "content_id": "7"}
    pin = desk.post("ticket_content_pins", {"ticket_content_pin": wanted})
    assert pin["account_id"] == sent.headers["x-zendesk-account-id"]
    assert pin["account_id"] == str(msgspec.json.decode(sent.body)["account_id"])


def test_a_webhook_to_an_app_of_the_same_world_calls_it(desk: Desk) -> None:
    client = desk.post("oauth/clients.json", {"client": {"name": "Robot", "identifier": "robot"}})["client"]
    token = desk.post("oauth/tokens.json", {"token": {"client_id": client["id"], "scopes": ["read", "write"]}})
    bearer = {"type": "bearer_token", "data": {"token": token["token"]["full_token"]}, "add_position": "header"}
    number = desk.asks()
    address = f"https://larkspur.zendesk.com/api/v2/tickets/{number}/tags.json"
    hook = make(desk, endpoint=address, http_method="PUT", authentication=bearer)
    words = '{"tags": ["called"]}'
    then = [{"field": "notification_webhook", "value": [hook["id"], words]}]
    when = {"all": [{"field": "update_type", "operator": "is", "value": "Create"}]}
    desk.post("triggers.json", {"trigger": {"title": "Tag", "conditions": when, "actions": then}})
    desk.asks("Another one")
    desk.waits(seconds=1)
    [call] = calls(desk, hook)
    assert (call["status"], waiting(desk.world)) == ("success", [])
    assert desk.ticket(number).tags == ("called",)
    event = next(one for one in desk.world.events if one.operation == "put_tags_ticket")
    assert (event.door, event.actor) == ("world", f"app:{ADA}")
