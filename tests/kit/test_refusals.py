"""Refusals are a fact of the reply, not of its status: a vendor may refuse with 200."""

import pytest

from diorama.doors.tools import observe
from diorama.kernel import Request
from diorama.kit import Call
from tests.kit.parlour import APP, EVA, parlour

TOOLS = {tool.name: tool for tool in APP.product.tools}


def test_a_refusal_with_status_200_is_an_error_for_the_agent() -> None:
    world = parlour()
    before = world.state
    reply = world.send("parlour", APP.request_of(TOOLS["parlour_say"].call({})), EVA, "tools")
    assert (reply.status, reply.refused) == (200, "invalid")
    assert world.events[-1].reply["refused"] == "invalid"
    assert world.state == before
    seen = observe(TOOLS["parlour_say"], reply)
    assert seen.is_error
    assert seen.text.startswith("error invalid: ")
    assert seen.data["ok"] is False


def test_a_success_is_not_an_error() -> None:
    reply = parlour().send("parlour", APP.request_of(TOOLS["parlour_say"].call({"channel": "C1"})), EVA, "tools")
    seen = observe(TOOLS["parlour_say"], reply)
    assert (seen.is_error, seen.data["text"]) == (False, "hi")


@pytest.mark.parametrize("path", ["/nowhere", "/jobs/1:cancel"])
def test_refusals_by_the_gateway_are_marked_as_refused(path: str) -> None:
    reply = parlour().send("parlour", Request("GET", path), EVA)
    assert reply.status == 200
    assert reply.refused == reply.json()["error"] != ""


def test_a_tool_may_use_another_host() -> None:
    request = APP.request_of(Call("GET", "/a.txt", host="photos.files.parlour.example"))
    assert parlour().send("parlour", request, EVA).json() == {"bucket": "photos", "key": "a.txt"}
    assert APP.request_of(Call("GET", "/", host="bucket")).host == APP.hosts["bucket"]
