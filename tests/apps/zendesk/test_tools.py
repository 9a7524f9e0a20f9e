"""The desk's tools: each is one request to the API."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.kernel import Actor, Reply
from diorama.kit import WrongArguments
from tests.apps.zendesk.desk import ANA, APP, MARA, OLEG, Desk
from tests.apps.zendesk.test_ticket_fields import OPTIONS, make
from tests.apps.zendesk.test_ticket_forms import form

TOOLS = {tool.name: tool for tool in APP.product.tools}


def use(desk: Desk, name: str, **arguments: Any) -> Reply:
    return desk.send(APP.request_of(TOOLS[f"zendesk_{name}"].call(arguments)), Actor("agent", ANA))


def test_there_are_few_tools() -> None:
    assert 8 <= len(TOOLS) <= 15
    assert all(tool.description for tool in TOOLS.values())


def test_a_ticket_can_be_solved_with_tools_only(desk: Desk) -> None:
    number = desk.asks("Steam wand leaks")
    [hit] = use(desk, "search_tickets", query="steam status:new").json()["results"]
    assert hit["id"] == number
    shown = use(desk, "get_ticket", ticket_id=number).json()
    assert {user["email"] for user in shown["users"]} == {MARA}
    assert shown["ticket"]["comment_count"] == 1
    assert use(desk, "list_comments", ticket_id=number).json()["comments"][0]["body"] == "My machine leaks."
    use(desk, "update_ticket", ticket_id=number, priority="high", add_tags=["wand"], assignee_email=ANA)
    use(desk, "reply_to_ticket", ticket_id=number, body="Needs a part.", public=False)
    use(desk, "reply_to_ticket", ticket_id=number, body="A new gasket is in the mail.", status="solved")
    ticket = desk.ticket(number)
    assert (ticket.status, ticket.priority, ticket.tags, ticket.assignee_id) == (
        "solved",
        "high",
        ("wand",),
        desk.user(ANA).id,
    )
    assert [comment.public for comment in desk.comments(number)] == [True, False, True]


def test_tools_reach_views_macros_users_and_organizations(desk: Desk) -> None:
    number = desk.asks(by=OLEG)
    [queue] = [one for one in use(desk, "list_views").json()["views"] if one["title"] == "Unassigned tickets"]
    assert [one["id"] for one in use(desk, "list_views", view_id=queue["id"]).json()["tickets"]] == [number]
    [macro] = use(desk, "list_macros", query="downgrade").json()["macros"]
    assert (
        use(desk, "preview_macro", ticket_id=number, macro_id=macro["id"]).json()["result"]["ticket"]["priority"]
        == "low"
    )
    [oleg] = use(desk, "find_users", query="oleg").json()["users"]
    assert use(desk, "list_user_tickets", user_id=oleg["id"]).json()["count"] == 1
    shown = use(desk, "get_ticket", ticket_id=number).json()
    assert [one["id"] for one in shown["organizations"]] == [oleg["organization_id"]]
    assert use(desk, "list_groups").json()["count"] == 2
    made = use(desk, "create_ticket", subject="Call back", body="As agreed.", requester_email=MARA, priority="low")
    assert made.status == 201


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_ticket", {}),
        ("get_ticket", {"ticket_id": "one"}),
        ("reply_to_ticket", {"ticket_id": 1, "body": ""}),
        ("update_ticket", {"ticket_id": 1, "status": "closed"}),
        ("search_tickets", {"query": "x", "extra": 1}),
    ],
)
def test_wrong_arguments_are_reported_before_a_request_is_sent(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(WrongArguments):
        TOOLS[f"zendesk_{name}"].call(arguments)


def test_tools_can_merge_tickets_and_link_a_problem(desk: Desk) -> None:
    kept, twin, cause = desk.asks("Pump hums"), desk.asks("Pump hums!!"), desk.asks("Pumps of March", by=OLEG)
    assert use(desk, "merge_tickets", into=kept, ticket_ids=[twin]).status == 200
    desk.world.wait(timedelta(seconds=5))
    assert (desk.ticket(twin).status, desk.ticket(kept).status) == ("closed", "new")
    use(desk, "update_ticket", ticket_id=cause, type="problem")
    use(desk, "update_ticket", ticket_id=kept, problem_id=cause)
    assert (desk.ticket(kept).type, desk.ticket(kept).problem_id) == ("incident", cause)
    use(desk, "update_ticket", ticket_id=kept, problem_id=0)
    assert desk.ticket(kept).problem_id is None


def test_tools_fill_in_the_form_by_title_or_id(desk: Desk) -> None:
    number, field = desk.asks(), make(desk, "text", "Cause", required=True)["id"]
    size = make(desk, "tagger", "Size", custom_field_options=OPTIONS)["id"]
    update, reply = TOOLS["zendesk_update_ticket"], TOOLS["zendesk_reply_to_ticket"]
    for tool, arguments in (
        (update, {"fields": {"cause": "A worn seal", str(size): "big"}}),
        (reply, {"body": "Done.", "status": "solved", "fields": {"Size": "small"}}),
    ):
        call = tool.call({"ticket_id": number, **arguments}, desk.world.read)
        assert desk.send(APP.request_of(call), Actor("agent", ANA)).status == 200
    ticket = desk.ticket(number)
    assert (ticket.status, ticket.custom_fields) == ("solved", {str(field): "A worn seal", str(size): "small"})
    call = update.call({"ticket_id": number, "fields": {"Weather": "fine"}}, desk.world.read)
    assert desk.send(APP.request_of(call), Actor("agent", ANA)).refused


def test_the_form_is_shown_with_options_and_rules(desk: Desk) -> None:
    size = make(desk, "tagger", "Size", required=True, custom_field_options=OPTIONS)["id"]
    cause = make(desk, "text", "Cause", agent_description="What broke it")["id"]
    rule = {"type": "SOME_STATUSES", "statuses": ["solved"]}
    child = {"id": cause, "is_required": True, "required_on_statuses": rule}
    condition = {"parent_field_id": size, "value": "big", "child_fields": [child]}
    form(desk, "Returns", ticket_field_ids=[size, cause], agent_conditions=[condition])
    tool = TOOLS["zendesk_list_ticket_fields"]
    assert tool.show is not None
    shown = tool.show(use(desk, "list_ticket_fields")).splitlines()
    assert f"Size (id {size}, tagger, required to solve a ticket)" in shown
    assert "  big: Big" in shown
    assert f"Cause (id {cause}, text): What broke it" in shown
    assert "  if Size is big: Cause (required when solved)" in shown
