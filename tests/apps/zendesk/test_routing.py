"""Skills, queues and agent availability: which tickets are assigned to which agents."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, Desk


def skill(desk: Desk, kind: str = "Language", name: str = "German", **more: Any) -> tuple[str, str]:
    """Create a skill of a kind; return both ids."""
    known = {one["name"]: one["id"] for one in desk.get("routing/attributes.json")["attributes"]}
    attribute = (
        known.get(kind) or desk.post("routing/attributes.json", {"attribute": {"name": kind}})["attribute"]["id"]
    )
    body = {"attribute_value": {"name": name, **more}}
    return attribute, desk.post(f"routing/attributes/{attribute}/values.json", body)["attribute_value"]["id"]


def queue(desk: Desk, *groups: str, field: str = "status", value: str = "solved", **more: Any) -> Any:
    """Create a queue, by default of unsolved tickets."""
    operator = "less_than" if field == "status" else "includes"
    body = {
        "name": "All",
        "definition": {"all": [{"field": field, "operator": operator, "value": value}]},
        "primary_groups_id": [desk.group(name).id for name in groups],
        **more,
    }
    return desk.post("queues.json", {"queue": body})["queue"]


def comes(desk: Desk, email: str, status: int = 1) -> Any:
    """Set an agent online (1) or offline (4)."""
    path = f"agent_availabilities/agent_statuses/agents/{desk.user(email).id}"
    return desk.put(path, {"id": status})["data"]["attributes"]


def test_a_skill_type_is_created_renamed_and_deleted(desk: Desk) -> None:
    attribute, value = skill(desk)
    assert desk.get("routing/attributes.json")["count"] == 1
    assert desk.call("POST", "routing/attributes.json", {"attribute": {"name": "language"}}).status == 422
    renamed = desk.put(f"routing/attributes/{attribute}.json", {"attribute": {"name": "Tongue"}})["attribute"]
    assert desk.get(f"routing/attributes/{attribute}.json")["attribute"] == renamed
    path = f"routing/attributes/{attribute}/values"
    reply = desk.call("PATCH", f"{path}/{value}.json", {"attribute_value": {"name": "Deutsch"}})
    assert reply.json()["attribute_value"]["name"] == "Deutsch"
    assert [one["name"] for one in desk.get(f"{path}.json")["attribute_values"]] == ["Deutsch"]
    assert desk.get(f"{path}/{value}.json")["attribute_value"]["attribute_id"] == attribute
    desk.post(f"routing/agents/{desk.user(ANA).id}/instance_values.json", {"attribute_value_ids": [value]})
    desk.delete(f"routing/attributes/{attribute}.json")
    assert desk.call("GET", f"{path}/{value}.json").status == 404
    assert desk.get(f"routing/agents/{desk.user(ANA).id}/instance_values.json")["attribute_values"] == []
    assert desk.call("POST", "routing/attributes.json", {"attribute": {"name": "x"}}, ANA).status == 403


def test_one_skill_can_be_deleted(desk: Desk) -> None:
    attribute, value = skill(desk)
    desk.delete(f"routing/attributes/{attribute}/values/{value}.json")
    assert desk.get(f"routing/attributes/{attribute}/values.json")["attribute_values"] == []


def test_agents_have_skills_and_tickets_need_them(desk: Desk) -> None:
    _, german = skill(desk)
    _, french = skill(desk, name="French")
    first, second = desk.asks(), desk.asks()
    ana, ben = desk.user(ANA).id, desk.user(BEN).id
    desk.post(f"routing/agents/{ana}/instance_values.json", {"attribute_value_ids": [german, french]})
    desk.post(f"routing/agents/{ana}/instance_values.json", {"attribute_value_ids": [german]})
    names = [one["name"] for one in desk.get(f"routing/agents/{ana}/instance_values.json")["attribute_values"]]
    assert names == ["German"]
    desk.post(f"routing/tickets/{first}/instance_values.json", {"attribute_value_ids": [french]}, ANA)
    assert len(desk.get(f"routing/tickets/{first}/instance_values.json")["attribute_values"]) == 1
    found = desk.get("routing/requirements/fulfilled.json", ANA, ticket_ids=f"{first},{second}")
    assert found == {"fulfilled_ticket_ids": [second]}
    held = desk.get("routing/agents/instance_values", raw={"filter[agent_ids]": f"{ana},{ben}"})["instance_values"]
    assert [(one["agent_id"], one["attribute_value_id"]) for one in held] == [(ana, german)]
    assert desk.call("GET", "routing/agents/instance_values").status == 400
    body = {"job": {"action": "upsert", "items": [{"agent_id": ben, "attribute_value_ids": [french]}]}}
    desk.post("routing/agents/instance_values/job", body)
    desk.waits(minutes=1)
    assert desk.get("routing/requirements/fulfilled.json", BEN, ticket_ids=first)["fulfilled_ticket_ids"] == [first]


def test_a_new_ticket_needs_the_skills_whose_conditions_it_meets(desk: Desk) -> None:
    when = {"all": [{"field": "subject_includes_word", "operator": "includes", "value": "tern lever"}]}
    _, value = skill(desk, "Machine", "Lever", conditions=when)
    number = desk.asks(subject="My Tern drips")
    found = desk.get(f"routing/tickets/{number}/instance_values.json")["attribute_values"]
    assert [one["id"] for one in found] == [value]
    assert desk.get(f"routing/tickets/{desk.asks(subject='Invoice')}/instance_values.json")["attribute_values"] == []
    wrong = {"attribute_value": {"name": "x", "conditions": {"all": [{"field": "moon", "operator": "is"}]}}}
    attribute = found[0]["attribute_id"]
    assert desk.call("POST", f"routing/attributes/{attribute}/values.json", wrong).status == 422
    definitions = desk.get("routing/attributes/definitions.json")["definitions"]
    assert "subject_includes_word" in {one["subject"] for one in definitions["conditions_all"]}


def test_a_queue_is_created_changed_ordered_and_deleted(desk: Desk) -> None:
    first, second = queue(desk, "Support"), queue(desk, "Billing", name="Second", priority=7)
    assert desk.get(f"queues/{first['id']}.json")["queue"] == first
    assert second["primary_groups"]["groups"][0]["name"] == "Billing"
    changed = desk.put(f"queues/{second['id']}.json", {"queue": {"secondary_groups_id": [desk.group("Support").id]}})
    assert changed["queue"]["secondary_groups"]["count"] == 1
    assert desk.call("PATCH", "queues/order.json", {"queue_ids": [second["id"], first["id"]]}).status == 204
    assert [one["name"] for one in desk.get("queues.json")["queues"]] == ["Second", "All"]
    assert desk.call("PATCH", "queues/order.json", {"queue_ids": [second["id"]]}).status == 400
    subjects = desk.get("queues/definitions.json")["definitions"]["conditions_all"]
    named = next(one for one in subjects if one["subject"] == "group_id")["values"]
    assert {one["title"] for one in named} == {"Billing", "Support"}
    desk.delete(f"queues/{first['id']}.json")
    assert desk.call("GET", f"queues/{first['id']}.json").status == 404
    assert desk.call("POST", "queues.json", {"queue": {"name": "x"}}).status == 422
    assert desk.call("DELETE", f"queues/{second['id']}.json", None, ANA).status == 403


def test_a_new_ticket_goes_to_the_least_busy_online_agent(desk: Desk) -> None:
    queue(desk, "Support")
    assert desk.ticket(desk.asks()).assignee_id is None
    shown = comes(desk, ANA)
    assert shown["agent_status"]["name"] == "online"
    comes(desk, BEN)
    second, third = desk.asks(), desk.asks()
    assert desk.ticket(second).assignee_id == desk.user(BEN).id
    assert desk.ticket(second).status == "open"
    assert desk.ticket(third).assignee_id in (desk.user(ANA).id, desk.user(BEN).id)
    comes(desk, ANA, 4)
    comes(desk, BEN, 2)
    assert desk.ticket(desk.asks()).assignee_id is None


def test_skills_decide_who_may_take_a_ticket(desk: Desk) -> None:
    queue(desk, "Support")
    when = {"all": [{"field": "subject_includes_word", "operator": "includes", "value": "hallo"}]}
    _, german = skill(desk, conditions=when)
    desk.post(f"routing/agents/{desk.user(BEN).id}/instance_values.json", {"attribute_value_ids": [german]})
    comes(desk, ANA)
    number = desk.asks(subject="Hallo")
    assert desk.ticket(number).assignee_id is None
    assert comes(desk, BEN)["skills"] == [{"id": german}]
    assert desk.ticket(number).assignee_id == desk.user(BEN).id


def test_a_full_capacity_holds_tickets_back(desk: Desk) -> None:
    queue(desk, "Support")
    comes(desk, ANA)
    numbers = [desk.asks() for _ in range(6)]
    assert [desk.ticket(number).assignee_id is None for number in numbers] == [False] * 5 + [True]
    desk.updates(numbers[0], status="solved")
    assert desk.ticket(numbers[-1]).assignee_id == desk.user(ANA).id
    via = desk.audits(numbers[-1])[-1]
    assert via.source["rel"] == "omnichannel"


@pytest.mark.parametrize("status", [0, 9])
def test_agents_change_only_their_own_status(desk: Desk, status: int) -> None:
    path = f"agent_availabilities/agent_statuses/agents/{desk.user(ANA).id}"
    assert desk.call("PUT", path, {"id": 1}, BEN).status == 403
    assert desk.call("PUT", path, {"id": status}, ANA).status == 422
    assert desk.get("agent_availabilities/me", ANA)["data"]["attributes"]["agent_status"]["name"] == "offline"
    assert desk.call("GET", f"agent_availabilities/{desk.user(MARA).id}").status == 404
    everybody = {one["attributes"]["agent_id"] for one in desk.get("agent_availabilities")["data"]}
    assert everybody == {desk.user(ADA).id, desk.user(ANA).id, desk.user(BEN).id}
    assert len(desk.get("agent_availabilities/agent_statuses")["data"]) == 4
    desk.put(path, {"id": 2}, ANA)
    assert desk.get(f"agent_availabilities/{desk.user(ANA).id}")["data"]["attributes"]["agent_status"]["id"] == 2


def test_routing_is_exported_since_a_time(desk: Desk) -> None:
    desk.waits(minutes=5)
    start = int(desk.world.now.timestamp()) - 120
    attribute, value = skill(desk)
    desk.post(f"routing/agents/{desk.user(ANA).id}/instance_values.json", {"attribute_value_ids": [value]})
    desk.waits(minutes=5)
    kinds = desk.get("incremental/routing/attributes.json", start_time=start)
    assert [(one["id"], one["type"]) for one in kinds["attributes"]] == [(attribute, "create")]
    values = desk.get("incremental/routing/attribute_values.json", start_time=start)["attribute_values"]
    assert [one["attribute_id"] for one in values] == [attribute]
    held = desk.get("incremental/routing/instance_values.json", start_time=start)["instance_values"]
    assert [(one["type"], one["attribute_value_id"]) for one in held] == [("associate_agent", value)]


def test_a_pending_ticket_frees_capacity_for_the_next(desk: Desk) -> None:
    # support.zendesk.com 4776409839770, "Creating capacity rules": the capacity is a number of open tickets
    queue(desk, "Support")
    comes(desk, ANA)
    numbers = [desk.asks(f"Leak {place}") for place in range(6)]
    assert [desk.ticket(number).assignee_id for number in numbers].count(None) == 1, "the capacity is five"
    desk.updates(numbers[0], status="pending")
    assert desk.ticket(numbers[-1]).assignee_id == desk.user(ANA).id


def test_availabilities_have_the_documented_shape(desk: Desk) -> None:
    # api-reference/agent-availability/agent-availability-api/agent_availabilities
    ana = desk.user(ANA)
    comes(desk, ANA)
    number = desk.asks()
    desk.updates(number, assignee_id=ana.id)
    reply = desk.get(f"agent_availabilities/{ana.id}")
    data, name = reply["data"], f"agent_availabilities|{ana.id}"
    assert (data["id"], data["type"]) == (name, "agent_availabilities")
    assert data["links"]["self"].endswith(f"/api/v2/agent_availabilities/{ana.id}")
    assert data["relationships"]["channels"]["data"] == [{"id": f"{name}|channels|support", "type": "channels"}]
    assert data["attributes"].keys() == {"agent_id", "agent_status", "group_ids", "skills", "version"}
    channel, item = reply["included"]
    assert channel["attributes"].items() >= {"name": "support", "max_capacity": 5, "work_item_count": 1}.items()
    assert channel["relationships"]["work_items"]["data"] == [{"id": item["id"], "type": "work_items"}]
    version = data["attributes"]["version"]
    assert comes(desk, ANA, 2)["version"] == version + 1
    assert desk.call("GET", f"agent_availabilities/{ana.id}", by=ANA).status == 403, "only administrators see others"


def test_the_list_of_availabilities_has_cursors_and_filters(desk: Desk) -> None:
    # api-reference/agent-availability/agent-availability-api/introduction: cursor pagination only
    comes(desk, ANA)
    first = desk.get("agent_availabilities", raw={"page[size]": 2})
    assert (len(first["data"]), first["meta"]["has_more"]) == (2, True)
    rest = desk.get("agent_availabilities", raw={"page[size]": 2, "page[after]": first["meta"]["after_cursor"]})
    assert len(rest["data"]) == 1
    for query in ({"filter[agent_status_id]": "1"}, {"filter[channel_status]": "support:online"}):
        found = desk.get("agent_availabilities", raw=query)["data"]
        assert [one["attributes"]["agent_id"] for one in found] == [desk.user(ANA).id]
    assert desk.get("agent_availabilities", raw={"filter[channel_status]": "talk:online"})["data"] == []
    assert desk.call("GET", "agent_availabilities", raw={"filter[agent_status_id]": "99"}).status == 400
