"""The account behind the desk: brands, addresses, languages, dynamic content, roles, settings, logs and sessions."""

from typing import Any

from diorama.apps.zendesk.rules import sessions
from diorama.apps.zendesk.schema import User
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, Desk


def role(desk: Desk, name: str, who: str, **configuration: Any) -> int:
    body = {"custom_role": {"name": name, "configuration": configuration}}
    made = int(desk.post("custom_roles.json", body)["custom_role"]["id"])
    desk.put(f"users/{desk.user(who).id}.json", {"user": {"custom_role_id": made}})
    return made


def test_a_brand_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = desk.post("brands.json", {"brand": {"name": "Lark Pro", "subdomain": "larkpro"}})["brand"]
    assert desk.get(f"brands/{made['id']}.json")["brand"] == made
    desk.put(f"brands/{made['id']}.json", {"brand": {"host_mapping": "help.larkpro.example"}})
    assert desk.get(f"brands/{made['id']}/check_host_mapping.json")["is_valid"] is True
    taken = desk.get("brands/check_host_mapping.json", host_mapping="help.larkpro.example", subdomain="other")
    assert taken["reason"] == "already_taken"
    number = desk.asks()
    assert desk.updates(number, brand_id=made["id"])["ticket"]["brand_id"] == made["id"]
    desk.delete(f"brands/{made['id']}.json")
    assert [one["default"] for one in desk.get("brands.json")["brands"]] == [True]
    assert desk.call("GET", f"brands/{made['id']}.json").status == 404
    assert desk.call("POST", "brands.json", {"brand": {"name": "x", "subdomain": "larkspur"}}).status == 422
    assert desk.call("POST", "brands.json", {"brand": {"name": "x", "subdomain": "y"}}, ANA).status == 403


def test_agents_are_members_of_brands(desk: Desk) -> None:
    ana = desk.user(ANA).id
    [member] = desk.get("brand_agents.json", user_id=ana)["brand_agents"]
    assert desk.get(f"brand_agents/{member['id']}.json")["brand_agent"] == member
    made = desk.post("brands.json", {"brand": {"name": "Lark Pro", "subdomain": "larkpro"}})["brand"]
    assert ana in [one["user_id"] for one in desk.get("brand_agents.json", brand_id=made["id"])["brand_agents"]]


def test_a_support_address_is_created_read_verified_and_deleted(desk: Desk) -> None:
    made = desk.post("recipient_addresses.json", {"recipient_address": {"name": "Shop", "email": "shop@lark.example"}})
    address = made["recipient_address"]
    assert address["forwarding_status"] == "unknown"
    path = f"recipient_addresses/{address['id']}"
    desk.put(f"{path}/verify.json", {"type": "forwarding"})
    desk.put(f"{path}.json", {"recipient_address": {"name": "The shop"}})
    shown = desk.get(f"{path}.json")["recipient_address"]
    assert (shown["name"], shown["forwarding_status"]) == ("The shop", "verified")
    assert len(desk.get("recipient_addresses.json")["recipient_addresses"]) == 2
    again = {"recipient_address": {"name": "Shop", "email": "shop@lark.example"}}
    assert desk.call("POST", "recipient_addresses.json", again).status == 422
    desk.delete(f"{path}.json")
    assert desk.call("GET", f"{path}.json").status == 404


def test_locales_can_be_listed_and_detected(desk: Desk) -> None:
    assert desk.get("locales/current.json", MARA)["locale"]["locale"] == "en-US"
    desk.put(f"users/{desk.user(MARA).id}.json", {"user": {"locale": "de"}})
    assert desk.get("locales/current.json", MARA)["locale"]["native_name"] == "Deutsch"
    best = desk.get("locales/detect_best_locale.json", MARA, raw={"available_locales[]": "fr"})
    assert best["locale"]["locale"] == "en-US"
    listed = [len(desk.get(f"locales{part}.json")["locales"]) for part in ("", "/agent", "/public")]
    assert listed == sorted(listed)
    assert desk.get("locales/de.json")["locale"] == desk.get("locales/8.json")["locale"]
    assert desk.call("GET", "locales/zz.json").status == 404


def test_dynamic_content_uses_the_requesters_language(desk: Desk) -> None:
    variants = [
        {"locale_id": 1, "content": "Hello {{ticket.requester.first_name}}"},
        {"locale_id": 8, "content": "Hallo"},
    ]
    body = {"item": {"name": "Greeting", "default_locale_id": 1, "variants": variants}}
    item = desk.post("dynamic_content/items.json", body)["item"]
    assert item["placeholder"] == "{{dc.greeting}}"
    assert desk.get(f"dynamic_content/items/{item['id']}.json")["item"] == item
    macro = {"title": "Greet", "actions": [{"field": "comment_value", "value": "{{dc.greeting}}!"}]}
    made = desk.post("macros.json", {"macro": macro})["macro"]["id"]
    number = desk.asks()
    path = f"tickets/{number}/macros/{made}/apply.json"
    assert desk.get(path)["result"]["ticket"]["comment"]["body"] == "Hello Mara!"
    desk.put(f"users/{desk.user(MARA).id}.json", {"user": {"locale": "de"}})
    assert desk.get(path)["result"]["ticket"]["comment"]["body"] == "Hallo!"


def test_variants_are_added_changed_and_removed(desk: Desk) -> None:
    body = {"item": {"name": "Bye", "default_locale_id": 1, "content": "Bye"}}
    item = desk.post("dynamic_content/items.json", body)["item"]
    path = f"dynamic_content/items/{item['id']}/variants"
    german = desk.post(f"{path}.json", {"variant": {"locale_id": 8, "content": "Bis bald"}})["variant"]
    assert desk.get(f"{path}/{german['id']}.json")["variant"] == german
    many = desk.post(f"{path}/create_many.json", {"variants": [{"locale_id": 16, "content": "Salut"}]})["variants"]
    desk.put(f"{path}/update_many.json", {"variants": [{"id": many[0]["id"], "content": "Au revoir"}]})
    desk.waits(minutes=5)
    desk.put(f"{path}/{item['variants'][0]['id']}.json", {"variant": {"content": "Goodbye"}})
    listed = {one["locale_id"]: (one["content"], one["outdated"]) for one in desk.get(f"{path}.json")["variants"]}
    assert listed == {1: ("Goodbye", False), 8: ("Bis bald", True), 16: ("Au revoir", True)}
    desk.delete(f"{path}/{german['id']}.json")
    assert desk.call("GET", f"{path}/{german['id']}.json").status == 404
    desk.put(f"dynamic_content/items/{item['id']}.json", {"item": {"name": "Farewell"}})
    shown = desk.get("dynamic_content/items/show_many.json", identifiers="bye")["items"]
    assert [one["name"] for one in shown] == ["Farewell"]
    assert desk.call("DELETE", f"{path}/{item['variants'][0]['id']}.json").status == 422
    desk.delete(f"dynamic_content/items/{item['id']}.json")
    assert desk.get("dynamic_content/items.json")["items"] == []
    assert desk.call("POST", "dynamic_content/items.json", body, ANA).status == 403


def test_titles_render_their_dynamic_content(desk: Desk) -> None:
    desk.post("dynamic_content/items.json", {"item": {"name": "Cause", "default_locale_id": 1, "content": "The cause"}})
    field = desk.post("ticket_fields.json", {"ticket_field": {"type": "text", "title": "{{dc.cause}}"}})["ticket_field"]
    assert (field["title"], field["raw_title"]) == ("The cause", "{{dc.cause}}")


def test_a_role_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = desk.post("custom_roles.json", {"custom_role": {"name": "Night shift", "description": "After six"}})
    number = made["custom_role"]["id"]
    desk.put(f"custom_roles/{number}.json", {"custom_role": {"configuration": {"ticket_deletion": True}}})
    shown = desk.get(f"custom_roles/{number}.json")["custom_role"]
    assert (shown["configuration"]["ticket_deletion"], shown["team_member_count"]) == (True, 0)
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"custom_role_id": number}})
    assert desk.get(f"custom_roles/{number}.json")["custom_role"]["team_member_count"] == 1
    assert desk.call("DELETE", f"custom_roles/{number}.json").status == 422
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"custom_role_id": None}})
    desk.delete(f"custom_roles/{number}.json")
    assert "Night shift" not in [one["name"] for one in desk.get("custom_roles.json")["custom_roles"]]
    wrong = {"custom_role": {"name": "Odd", "configuration": {"ticket_access": "sometimes"}}}
    assert desk.call("POST", "custom_roles.json", wrong).status == 422


def test_a_custom_role_decides_who_deletes_tickets(desk: Desk) -> None:
    number = desk.asks()
    assert desk.call("DELETE", f"tickets/{number}.json", by=ANA).status == 403
    role(desk, "Cleaner", ANA, ticket_deletion=True)
    desk.delete(f"tickets/{number}.json", ANA)


def test_a_role_without_public_comments_writes_notes(desk: Desk) -> None:
    number = desk.asks()
    role(desk, "Expert", ANA, ticket_comment_access="none")
    desk.replies(number, "It is the seal.", ANA, public=True)
    assert [one.public for one in desk.comments(number)] == [True, False]


def test_a_custom_role_hides_tickets_of_others(desk: Desk) -> None:
    number = desk.asks()
    role(desk, "Own tickets", ANA, ticket_access="assigned-only")
    assert desk.call("GET", f"tickets/{number}.json", by=ANA).status == 403
    assert desk.call("PUT", f"tickets/{number}.json", {"ticket": {"priority": "low"}}, ANA).status == 403
    desk.updates(number, BEN, assignee_id=desk.user(ANA).id)
    assert desk.get(f"tickets/{number}.json", ANA)["ticket"]["id"] == number


def test_a_role_with_read_only_views_cannot_create_one(desk: Desk) -> None:
    body = {"view": {"title": "Mine", "all": [{"field": "status", "operator": "is", "value": "open"}]}}
    assert desk.call("POST", "views.json", body, ANA).status == 201
    role(desk, "Looker", ANA, view_access="readonly")
    assert desk.call("POST", "views.json", body, ANA).status == 403


def test_settings_are_read_and_changed(desk: Desk) -> None:
    assert desk.get("account/settings.json")["settings"]["tickets"]["tagging"] is True
    desk.put("account/settings.json", {"settings": {"tickets": {"tagging": False, "no_such": 1}}})
    settings = desk.get("account/settings.json")["settings"]
    assert settings["tickets"]["tagging"] is False
    assert "no_such" not in settings["tickets"]
    assert desk.call("PUT", "account/settings.json", {"settings": {"tickets": {"tagging": "no"}}}).status == 422
    assert desk.call("PUT", "account/settings.json", {"settings": {}}, ANA).status == 403
    assert desk.call("GET", "account/settings.json", by=MARA).status == 403


def test_changes_and_logins_are_in_the_audit_log(desk: Desk) -> None:
    made = desk.post("brands.json", {"brand": {"name": "Lark Pro", "subdomain": "larkpro"}})["brand"]
    desk.put(f"brands/{made['id']}.json", {"brand": {"name": "Lark Professional"}})
    desk.do(sessions.log_in, desk.user(ANA))
    lines = desk.get("audit_logs.json")["audit_logs"]
    assert {(one["action"], one["source_type"], one["actor_name"]) for one in lines} == {
        ("create", "brand", "Ada King"), ("update", "brand", "Ada King"), ("login", "user", "Ana Ruiz"),
    }  # fmt: skip
    [change] = desk.get("audit_logs.json", raw={"filter[action]": "update"})["audit_logs"]
    assert change["change_description"] == "Name changed from Lark Pro to Lark Professional"
    assert desk.get(f"audit_logs/{change['id']}.json")["audit_log"] == change
    assert desk.call("GET", "audit_logs.json", by=ANA).status == 403
    assert desk.call("POST", "audit_logs/export.json").status == 202
    assert desk.get("audit_logs.json", raw={"filter[action]": "exported"})["count"] == 1


def test_agents_see_activities_on_their_tickets(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, BEN, assignee_id=desk.user(ANA).id)
    desk.updates(number, BEN, priority="high")
    desk.writes(number, "Still leaking!")
    desk.replies(number, "On it.", ANA)
    heard = desk.get("activities.json", ANA)
    assert sorted(one["verb"] for one in heard["activities"]) == [
        "tickets.assignment", "tickets.comment", "tickets.priority",
    ]  # fmt: skip
    assert desk.get("activities/count.json", ANA)["count"]["value"] == 3
    first = heard["activities"][0]
    assert desk.get(f"activities/{first['id']}.json", ANA)["activity"] == first
    assert desk.call("GET", f"activities/{first['id']}.json", by=BEN).status == 404
    desk.waits(days=31)
    assert desk.get("activities.json", ANA)["activities"] == []


def log_in(desk: Desk, who: str) -> int:
    def go(tx: Any) -> int:
        found = tx.first(User, "email = ?", who)
        return int(sessions.log_in(tx, found).id)

    return desk.do(go)


def test_sessions_are_started_listed_and_ended(desk: Desk) -> None:
    first, second, other = log_in(desk, ANA), log_in(desk, ANA), log_in(desk, BEN)
    ana = desk.user(ANA).id
    assert [one["id"] for one in desk.get("sessions.json")["sessions"]] == [first, second, other]
    assert [one["id"] for one in desk.get(f"users/{ana}/sessions.json", ANA)["sessions"]] == [first, second]
    assert desk.get(f"users/{ana}/sessions/{first}.json")["session"][0]["user_id"] == ana
    assert desk.get("users/me/session.json", ANA)["session"][0]["id"] == second
    desk.waits(minutes=3)
    assert len(desk.get("users/me/session/renew.json", ANA)["authenticity_token"]) == 40
    [shown] = desk.get("users/me/session.json", ANA)["session"]
    assert shown["last_seen_at"] > shown["authenticated_at"]
    assert desk.call("GET", f"users/{ana}/sessions.json", by=BEN).status == 403
    desk.delete(f"users/{ana}/sessions/{first}.json")
    desk.delete("users/me/logout.json", ANA)
    assert desk.get("sessions.json")["count"] == 1
    assert desk.call("POST", "users/logout_many.json", ids=desk.user(BEN).id).status == 202
    assert desk.get("sessions.json", ADA)["sessions"] == []
    third = log_in(desk, ANA)
    desk.delete(f"users/{ana}/sessions.json")
    assert desk.call("GET", f"users/{ana}/sessions/{third}.json").status == 404
