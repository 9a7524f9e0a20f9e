"""Webhooks: called by triggers and events, signed, retried, and accounted for."""

from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk.rules import webhooks
from diorama.kernel import Company, Product, World
from diorama.kernel.testing import image_for
from diorama.kit.webhooks import COURIER, Answer, Delivery, deliver, waiting
from tests.apps.zendesk.desk import ANA, APP, Desk, furnish

LINKS = Product("test_links", title="Wiring", control=True)
webhooks.connect(LINKS)
COMPANY = Company("zendesk-webhook-tests", [APP, COURIER, LINKS], furnish)


@pytest.fixture
def wired() -> Desk:
    """A desk whose webhooks reach the courier."""
    desk = Desk()
    desk.world = World.open(COMPANY, image_for(COMPANY), 0)
    return desk


def make(desk: Desk, **more: Any) -> Any:
    """A webhook."""
    body = {"name": "Chat", "endpoint": "https://hooks.example/in", "http_method": "POST", "request_format": "json"}
    return desk.post("webhooks", {"webhook": {**body, "status": "active", **more}})["webhook"]


def trigger(desk: Desk, number: str) -> None:
    """A trigger that calls a webhook for every new ticket."""
    words = '{"ticket": "{{ticket.id}}", "title": "{{ticket.title}}"}'
    body = {
        "title": "Tell the chat",
        "conditions": {"all": [{"field": "update_type", "operator": "is", "value": "Create"}]},
        "actions": [{"field": "notification_webhook", "value": [number, words]}],
    }
    desk.post("triggers.json", {"trigger": body})


def calls(desk: Desk, webhook: Any) -> Any:
    """What was sent to a webhook."""
    return desk.get(f"webhooks/{webhook['id']}/invocations")["invocations"]


def test_a_webhook_is_made_shown_changed_and_removed(desk: Desk) -> None:
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
def test_a_webhook_must_be_sound(desk: Desk, wrong: dict[str, Any]) -> None:
    body = {"name": "n", "endpoint": "https://x.example", "http_method": "POST", "request_format": "json"}
    reply = desk.call("POST", "webhooks", {"webhook": {**body, "status": "active", **wrong}})
    assert reply.status == 400
    assert reply.json()["errors"][0]["code"] == "InvalidWebhook"


def test_only_admins_see_webhooks(desk: Desk) -> None:
    assert desk.call("GET", "webhooks", None, ANA).status == 403


def test_a_trigger_calls_a_webhook_with_a_signed_body(wired: Desk) -> None:
    made = make(wired)
    trigger(wired, made["id"])
    wired.asks(subject='It "leaks"')
    caught: list[Delivery] = []

    def receiver(sent: Delivery) -> Answer:
        caught.append(sent)
        return Answer(200, "thanks")

    assert deliver(wired.world, receiver) == 1
    sent = caught[0]
    assert msgspec.json.decode(sent.body) == {"ticket": "1", "title": 'It "leaks"'}
    secret = wired.get(f"webhooks/{made['id']}/signing_secret")["signing_secret"]["secret"]
    stamp = sent.headers["x-zendesk-webhook-signature-timestamp"]
    assert sent.headers["x-zendesk-webhook-signature"] == webhooks.signature(secret, stamp, sent.body)
    (call,) = calls(wired, made)
    assert (call["status"], call["event_type"]) == ("success", "conditional_ticket_events")
    attempts = wired.get(f"webhooks/{made['id']}/invocations/{call['id']}/attempts")["attempts"]
    assert [(one["status_code"], one["response"]["payload"]) for one in attempts] == [(200, "thanks")]
    assert "External" in [event.type for event in wired.audits(1)[0].events]
    assert wired.call("DELETE", f"webhooks/{made['id']}").status == 400


def test_a_silent_receiver_is_tried_again_until_it_is_given_up(wired: Desk) -> None:
    made = make(wired)
    trigger(wired, made["id"])
    wired.asks()
    wired.waits(seconds=20)
    assert [one["status"] for one in calls(wired, made)] == ["pending"]
    wired.waits(minutes=30)
    (call,) = calls(wired, made)
    attempts = wired.get(f"webhooks/{made['id']}/invocations/{call['id']}/attempts")["attempts"]
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
def test_only_what_the_vendor_retries_is_tried_again(wired: Desk, answer: Answer, attempts: int) -> None:
    made = make(wired)
    trigger(wired, made["id"])
    wired.asks()
    for _ in range(100):
        deliver(wired.world, lambda sent: answer)
        wired.waits(seconds=5)
    (call,) = calls(wired, made)
    tried = wired.get(f"webhooks/{made['id']}/invocations/{call['id']}/attempts")["attempts"]
    assert [one["status_code"] for one in tried] == [answer.status] * attempts
    assert call["status"] == ("success" if answer.status == 200 else "failed")


def test_a_receiver_that_says_when_is_called_then(wired: Desk) -> None:
    made = make(wired)
    trigger(wired, made["id"])
    wired.asks()
    deliver(wired.world, lambda sent: Answer(429, "", retry_after=20))
    wired.waits(seconds=19)
    assert waiting(wired.world) == []
    wired.waits(seconds=1)
    assert len(waiting(wired.world)) == 1


def test_the_circuit_breaker_leaves_a_failing_receiver_alone_and_tries_it_again(
    wired: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "FEWEST", 4)
    made = make(wired)
    trigger(wired, made["id"])
    for _ in range(4):
        wired.asks()
    deliver(wired.world, lambda sent: Answer(500))
    before = {one["id"] for one in calls(wired, made)}
    wired.asks()
    assert waiting(wired.world) == []
    [broken] = [one for one in calls(wired, made) if one["id"] not in before]
    attempts = wired.get(f"webhooks/{made['id']}/invocations/{broken['id']}/attempts")["attempts"]
    assert (broken["status"], [one["status"] for one in attempts]) == ("failed", ["circuit_broken"])
    wired.waits(seconds=6)
    wired.asks()
    assert deliver(wired.world, lambda sent: Answer(200)) == 1
    wired.waits(minutes=6)
    wired.asks()
    assert len(waiting(wired.world)) == 1


def test_a_receiver_may_listen_to_events_without_a_trigger(wired: Desk) -> None:
    made = make(wired, subscriptions=[webhooks.TICKET_CREATED, webhooks.COMMENT_ADDED])
    number = wired.asks(subject="Broken")
    wired.replies(number, "We look into it.")
    bodies: list[Any] = []

    def receiver(sent: Delivery) -> Answer:
        bodies.append(msgspec.json.decode(sent.body))
        return Answer(204)

    deliver(wired.world, receiver)
    kinds = [body["type"] for body in bodies]
    assert kinds == [webhooks.TICKET_CREATED, webhooks.COMMENT_ADDED, webhooks.COMMENT_ADDED]
    assert bodies[0]["detail"]["subject"] == "Broken"
    assert bodies[2]["event"]["comment"]["body"] == "We look into it."
    assert len(calls(wired, made)) == 3


def test_a_sleeping_webhook_is_not_called_and_a_test_is_sent_by_hand(wired: Desk) -> None:
    made = make(wired, status="inactive")
    trigger(wired, made["id"])
    wired.asks()
    assert calls(wired, made) == []
    before = wired.get(f"webhooks/{made['id']}/signing_secret")
    after = wired.post(f"webhooks/{made['id']}/signing_secret", {})
    assert before != after == wired.get(f"webhooks/{made['id']}/signing_secret")
    sent = wired.post("webhooks/test", {"request": {"payload": '{"a": 1}'}}, webhook_id=made["id"])
    assert [one["id"] for one in calls(wired, made)] == [sent["invocation_id"]]
    deliver(wired.world, lambda one: Answer(200, one.body))
    attempts = wired.get(f"webhooks/{made['id']}/invocations/{sent['invocation_id']}/attempts")["attempts"]
    assert [one["response"]["payload"] for one in attempts] == ['{"a": 1}']


def test_a_receiver_is_told_the_number_of_the_account_that_pins_have_too(wired: Desk) -> None:
    make(wired, subscriptions=[webhooks.TICKET_CREATED])
    number = wired.asks()
    [sent] = waiting(wired.world)
    wanted = {"ticket_id": str(number), "content_type": "community_post", "content_id": "7"}
    pin = wired.post("ticket_content_pins", {"ticket_content_pin": wanted})
    assert pin["account_id"] == sent.headers["x-zendesk-account-id"]
    assert pin["account_id"] == str(msgspec.json.decode(sent.body)["account_id"])
