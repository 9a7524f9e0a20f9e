"""An agent that writes as much as is read cannot void its own episode, nor delay the others for long."""

import json
import random
from typing import Any

import httpx

from tests.doors.serving import Server
from tests.rewards.flooding import SHAPES
from tests.server.test_workers import serving


def desk(opened: dict[str, Any]) -> httpx.Client:
    app = opened["apps"]["zendesk"]
    login = app["credentials"]
    return httpx.Client(base_url=app["base_url"], auth=(f"{login['email']}/token", login["token"]), timeout=120)


def solve_every_ticket(client: httpx.Client) -> list[int]:
    """Solve the newest tickets that the agent did not write; return the statuses."""
    listed = client.get("/api/v2/ticket_fields.json").json()["ticket_fields"]
    form = [
        {"id": one["id"], "value": one["custom_field_options"][-1]["value"]}
        for one in listed
        if one["title"] in ("Contact reason", "Resolution")
    ]
    query: dict[str, str | int] = {
        "query": "type:ticket status<solved",
        "sort_by": "created_at",
        "sort_order": "desc",
        "per_page": 100,
    }
    found = client.get("/api/v2/search.json", params=query).json()["results"]
    numbers = [one["id"] for one in found if one["subject"] != "s"][:16]
    solved = {"ticket": {"status": "solved", "custom_fields": form}}
    return [client.put(f"/api/v2/tickets/{number}.json", content=json.dumps(solved)).status_code for number in numbers]


def flooded(server: Server, opened: dict[str, Any]) -> dict[str, Any]:
    dice, shape = random.Random(3), SHAPES["words with stops"]
    texts = [{"subject": "s", "comment": {"body": f"{place} {shape(dice, 700)}"}} for place in range(40)]
    with desk(opened) as client:
        client.headers["content-type"] = "application/json"
        made = client.post("/api/v2/tickets/create_many.json", content=json.dumps({"tickets": texts}))
        assert made.status_code == 200
        for _ in range(4):
            assert client.get("/api/v2/users/me.json").status_code == 200
        statuses = solve_every_ticket(client)
    assert statuses
    assert not {500, 403} & set(statuses)
    result: dict[str, Any] = server.post(opened, "finish", {"report": "x"})
    return result


def test_a_flood_before_a_commitment_costs_success_and_voids_nothing() -> None:
    with serving("--workers", "1") as (server, _):
        result = flooded(server, server.start("zendesk/outage-flood", 9))
        assert (result["ended"], result["fault"], result["success"]) == ("done", None, False)
        names = [one["name"] for one in result["score"]["parts"]]
        assert {"words_unread", "records_unread"} & set(names)
