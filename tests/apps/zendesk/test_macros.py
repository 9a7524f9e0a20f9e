"""Macros: a preview of what would be written and changed; nothing changes until it is sent."""

from diorama.apps.zendesk import seed
from tests.apps.zendesk.desk import ANA, BEN, Desk


def macro(desk: Desk, title: str) -> int:
    return int(next(one["id"] for one in desk.get("macros.json")["macros"] if one["title"] == title))


def test_applying_a_macro_shows_the_ticket_after_it_and_changes_nothing(desk: Desk) -> None:
    number = desk.asks()
    before = desk.world.state
    result = desk.get(f"tickets/{number}/macros/{macro(desk, 'Customer not responding')}/apply.json", ANA)["result"]
    assert desk.world.state == before
    assert result["ticket"]["status"] == "pending"
    assert result["ticket"]["comment"]["body"].startswith("Hello Mara Voss. Our agent Ana Ruiz has tried")
    assert result["ticket"]["comment"]["public"] is True


def test_applying_a_macro_to_no_ticket_shows_only_its_changes(desk: Desk) -> None:
    result = desk.get(f"macros/{macro(desk, 'Take it!')}/apply.json", ANA)["result"]["ticket"]
    assert result == {
        "status": "open",
        "type": "problem",
        "assignee_id": desk.user(ANA).id,
        "group_id": desk.group("Support").id,
    }


def test_a_macros_comment_is_plain_text_and_html(desk: Desk) -> None:
    number = desk.asks("<It> leaks")

    def applied(field: str, words: str) -> dict[str, str]:
        macro = {"title": "M", "actions": [{"field": field, "value": words}]}
        made = desk.post("macros.json", {"macro": macro})["macro"]["id"]
        comment: dict[str, str] = desk.get(f"tickets/{number}/macros/{made}/apply.json")["result"]["ticket"]["comment"]
        return comment

    plain = applied("comment_value", "{{ticket.title}}\n& more\n\nBye")
    assert plain["body"] == "<It> leaks\n& more\n\nBye"
    assert plain["html_body"] == "<p>&lt;It&gt; leaks<br>&amp; more</p><p>Bye</p>"
    rich = applied("comment_value_html", "<p>Hi <b>Caf&eacute;</b></p>")
    assert (rich["body"], rich["html_body"]) == ("Hi Café", "<p>Hi <b>Caf&eacute;</b></p>")


def test_using_a_macro_is_shown_in_the_audit(desk: Desk) -> None:
    number, used = desk.asks(), macro(desk, "Take it!")
    audit = desk.updates(number, status="open", assignee_email=ANA, macro_ids=[used])["audit"]
    assert [event["macro_title"] for event in audit["events"] if event["type"] == "AgentMacroReference"] == ["Take it!"]


def test_a_macro_is_created_read_changed_and_deleted(desk: Desk) -> None:
    body = {"title": "Shipping::Where is it", "actions": [{"field": "comment_value", "value": "It is on its way."}]}
    made = desk.post("macros.json", {"macro": body})["macro"]
    assert desk.get(f"macros/{made['id']}.json")["macro"] == made
    assert desk.get("macros/categories.json")["categories"] == ["Shipping"]
    assert [one["id"] for one in desk.get("macros.json", category="Shipping")["macros"]] == [made["id"]]
    assert [one["id"] for one in desk.get("macros/search.json", query="where")["macros"]] == [made["id"]]
    desk.put(f"macros/{made['id']}.json", {"macro": {"active": False}})
    assert made["id"] not in [one["id"] for one in desk.get("macros/active.json")["macros"]]
    desk.delete(f"macros/{made['id']}.json")
    assert desk.call("GET", f"macros/{made['id']}.json").status == 404


def test_a_personal_macro_is_visible_to_its_owner_only(desk: Desk) -> None:
    body = {"title": "Mine", "actions": [{"field": "status", "value": "open"}]}
    made = desk.post("macros.json", {"macro": body}, ANA)["macro"]
    assert made["restriction"] == {"type": "User", "id": desk.user(ANA).id}
    assert desk.call("GET", f"macros/{made['id']}.json", by=BEN).status == 404
    assert desk.call("DELETE", f"macros/{macro(desk, 'Take it!')}.json", by=ANA).status == 403


def test_a_macro_for_a_group_is_visible_to_its_members(desk: Desk) -> None:
    billing = desk.group("Billing").id
    made = desk.do(seed.add_macro, "Refund", [("status", "solved")], restriction={"type": "Group", "id": billing})
    assert desk.call("GET", f"macros/{made.id}.json", by=ANA).status == 404
    desk.post("group_memberships.json", {"group_membership": {"user_id": desk.user(ANA).id, "group_id": billing}})
    assert desk.call("GET", f"macros/{made.id}.json", by=ANA).status == 200


def test_a_macro_needs_actions_that_exist(desk: Desk) -> None:
    for actions in ([], [{"field": "moon", "value": "full"}]):
        assert desk.call("POST", "macros.json", {"macro": {"title": "x", "actions": actions}}).status == 422
