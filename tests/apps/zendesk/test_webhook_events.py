"""Events of webhooks: what the vendor's pages under api-reference/webhooks/event-types describe."""

import re
from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk.rules import webhook_events, webhooks
from diorama.apps.zendesk.schema import Organization
from diorama.kit.webhooks import Answer, Delivery, deliver
from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk
from tests.apps.zendesk.test_webhooks import calls, make

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def subscribe(desk: Desk, *names: str, **more: Any) -> Any:
    return make(desk, subscriptions=[f"zen:event-type:{name}" for name in names], **more)


def caught(desk: Desk) -> list[Delivery]:
    """Return the requests that wait, and answer them."""
    found: list[Delivery] = []

    def receiver(sent: Delivery) -> Answer:
        found.append(sent)
        return Answer(200)

    deliver(desk.world, receiver)
    return found


def told(desk: Desk) -> list[Any]:
    """Return the bodies of the requests that wait, and answer them."""
    return [msgspec.json.decode(sent.body) for sent in caught(desk)]


def test_events_of_organizations_are_told(desk: Desk) -> None:
    # api-reference/webhooks/event-types/organization-events
    subscribe(desk, "organization.created", "organization.name_changed", "organization.tags_changed")
    subscribe(desk, "organization.deleted")
    made = desk.post("organizations.json", {"organization": {"name": "Acme"}})["organization"]
    [body] = told(desk)
    assert body["type"] == "zen:event-type:organization.created"
    assert body["subject"] == f"zen:organization:{made['id']}"
    assert body["zendesk_event_version"] == "2022-06-20"
    assert UUID.fullmatch(body["id"])
    assert body["event"] == {}
    assert body["detail"] == {
        "id": str(made["id"]),
        "name": "Acme",
        "shared_comments": False,
        "shared_tickets": False,
        "created_at": made["created_at"],
        "updated_at": made["updated_at"],
    }
    desk.put(f"organizations/{made['id']}.json", {"organization": {"name": "Acme Ltd", "tags": ["vip"]}})
    name, tags = told(desk)
    assert name["event"] == {"current": "Acme Ltd", "previous": "Acme"}
    assert tags["event"] == {"added": {"tags": ["vip"]}, "removed": {"tags": []}}
    assert name["id"] != tags["id"]
    desk.delete(f"organizations/{made['id']}.json")
    [gone] = told(desk)
    assert (gone["type"], gone["detail"]["name"]) == ("zen:event-type:organization.deleted", "Acme Ltd")


def test_events_of_users_are_told(desk: Desk) -> None:
    # api-reference/webhooks/event-types/user-events; the example of webhook-event-types
    names = ("created", "active_changed", "role_changed", "identity_created", "group_membership_created")
    subscribe(desk, *(f"user.{name}" for name in names))
    made = desk.post("users.json", {"user": {"name": "Kim", "email": "kim@example.com"}})["user"]
    bodies = {body["type"].rpartition(".")[2]: body for body in told(desk)}
    assert bodies.keys() == {"created", "identity_created"}
    detail = bodies["created"]["detail"]
    assert detail == {
        "created_at": made["created_at"],
        "email": "kim@example.com",
        "external_id": "",
        "default_group_id": "0",
        "id": str(made["id"]),
        "organization_id": "0",
        "role": "end-user",
        "updated_at": made["updated_at"],
    }
    desk.delete(f"users/{made['id']}.json")
    [body] = told(desk)
    assert body["type"] == "zen:event-type:user.active_changed"
    assert body["event"] == {"current": False, "previous": True}


def test_a_merged_user_is_told(desk: Desk) -> None:
    subscribe(desk, "user.merged")
    mara, oleg = desk.user(MARA), desk.user(OLEG)
    desk.put(f"users/{oleg.id}/merge.json", {"user": {"id": mara.id}})
    [body] = told(desk)
    assert (body["subject"], body["event"]) == (f"zen:user:{mara.id}", {"user": {"id": str(oleg.id)}})


def test_events_of_articles_are_told(desk: Desk) -> None:
    # api-reference/webhooks/event-types/article-events
    subscribe(desk, "article.published", "article.unpublished", "article.vote_created", "article.comment_created")
    category = desk.post("help_center/categories.json", {"category": {"locale": "en-us", "name": "C"}})["category"]
    path = f"help_center/categories/{category['id']}/sections.json"
    section = desk.post(path, {"section": {"locale": "en-us", "name": "S"}})["section"]
    group = desk.get("guide/permission_groups.json")["permission_groups"][0]
    article = {"title": "Leaks", "body": "x", "locale": "en-us", "permission_group_id": group["id"], "draft": False}
    body = {"article": {**article, "user_segment_id": None}}
    made = desk.post(f"help_center/sections/{section['id']}/articles.json", body)["article"]
    [published] = told(desk)
    assert published["type"] == "zen:event-type:article.published"
    assert published["detail"]["id"] == str(made["id"])
    assert published["detail"]["user_id"] == str(desk.user(ADA).id)
    assert published["event"]["section_id"] == str(section["id"])
    assert ULID.fullmatch(published["id"])
    desk.call("POST", f"help_center/articles/{made['id']}/up.json", {}, MARA)
    comment = {"comment": {"body": "Thanks", "locale": "en-us"}}
    desk.post(f"help_center/articles/{made['id']}/comments.json", comment, MARA)
    assert [one["type"].rpartition(".")[2] for one in told(desk)] == ["vote_created", "comment_created"]
    desk.delete(f"help_center/articles/{made['id']}.json")
    assert [one["type"].rpartition(".")[2] for one in told(desk)] == ["unpublished"]


def test_events_of_availability_are_told(desk: Desk) -> None:
    # api-reference/webhooks/event-types/agent-availability-events
    names = ("state_changed", "unified_state_changed", "work_item_added", "work_item_removed")
    subscribe(desk, *(f"agent.{name}" for name in names))
    ana = desk.user(ANA)
    desk.put(f"agent_availabilities/agent_statuses/agents/{ana.id}", {"id": 1})
    state, unified = told(desk)
    assert state["detail"]["agent_id"] == str(ana.id)
    assert state["event"].items() >= {"previous_state": "offline", "new_state": "online", "channel": "support"}.items()
    assert unified["event"]["new_unified_state"] == {"id": "1", "name": "online"}
    number = desk.asks()
    desk.updates(number, assignee_id=ana.id)
    [added] = told(desk)
    assert added["type"] == "zen:event-type:agent.work_item_added"
    assert added["event"]["work_item_id"] == f"zen:ticket:{number}"
    desk.updates(number, status="pending")
    assert [one["type"].rpartition(".")[2] for one in told(desk)] == ["work_item_removed"]


@pytest.mark.parametrize("name", webhook_events.TYPES)
def test_every_documented_event_can_be_subscribed(name: str) -> None:
    assert name in webhooks.EVENTS


def test_events_without_a_subscriber_write_nothing(desk: Desk) -> None:
    desk.post("organizations.json", {"organization": {"name": "Acme"}})
    assert told(desk) == []
    assert desk.read(lambda tx: tx.count(Organization, "name = 'Acme'")) == 1


def test_headers_keep_the_case_in_which_they_were_given(desk: Desk) -> None:
    # api-reference/webhooks/webhooks-api/webhooks, "JSON format": custom_headers
    secret = {"type": "api_key", "data": {"name": "X-Api-Key", "value": "k"}, "add_position": "header"}
    subscribe(
        desk, "organization.created", custom_headers={"X-Team": "desk", "User-Agent": "us"}, authentication=secret
    )
    desk.post("organizations.json", {"organization": {"name": "Acme"}})
    sent = caught(desk)
    assert sent[0].headers["X-Team"] == "desk"
    assert sent[0].headers["X-Api-Key"] == "k"
    assert [name for name in sent[0].headers if name.lower() == "user-agent"] == ["User-Agent"]


def test_a_webhook_can_be_tested_before_it_exists(desk: Desk) -> None:
    # api-reference/webhooks/webhooks-api/webhooks has the operation; that the id may be missing is not confirmed
    body = {"request": {"endpoint": "https://new.example/in", "http_method": "PUT", "payload": '{"a": 1}'}}
    made = desk.post("webhooks/test", body)
    assert made["invocation_id"]
    sent = caught(desk)
    assert (sent[0].url, sent[0].method, sent[0].body) == ("https://new.example/in", "PUT", '{"a": 1}')
    assert desk.get("webhooks")["webhooks"] == []
    assert desk.call("POST", "webhooks/test", {"request": {"payload": "{}"}}).status == 400
    known = make(desk)
    desk.post("webhooks/test", {"request": {"endpoint": "https://other.example/"}}, webhook_id=known["id"])
    assert desk.get(f"webhooks/{known['id']}")["webhook"]["endpoint"] == known["endpoint"]


def test_lists_of_webhooks_have_cursors(desk: Desk) -> None:
    # api-reference/webhooks/webhooks-api/webhooks has the lists; meta and links were seen by an operator
    for number in range(3):
        made = make(desk, name=f"W{number}")
    page = desk.get("webhooks", raw={"page[size]": 2})
    assert page["meta"]["has_more"] is True
    assert "count" not in page
    rest = desk.get("webhooks", raw={"page[size]": 2, "page[after]": page["meta"]["after_cursor"]})
    assert [one["name"] for one in (*page["webhooks"], *rest["webhooks"])] == ["W0", "W1", "W2"]
    assert desk.get("webhooks").keys() >= {"meta", "links"}
    assert calls(desk, made) == []
    assert desk.get(f"webhooks/{made['id']}/invocations").keys() >= {"meta", "links"}


@pytest.mark.parametrize("text", ["[draft]", "{braces", "[1, 2"])
def test_texts_that_look_like_json_are_told_as_texts(desk: Desk, text: str) -> None:
    subscribe(desk, "user.notes_changed", "user.name_changed")
    desk.put(f"users/{desk.user(MARA).id}.json", {"user": {"notes": text, "name": text}})
    assert [body["event"]["current"] for body in told(desk)] == [text, text]
