"""Every door leads to the same room: the same call gives the same event, but for the door."""

from typing import Any

import jsonschema
import msgspec
import pytest

from diorama.contract.pool import Pool, fill, noun
from diorama.episodes.agents.random_agent import Seen, value_for
from diorama.episodes.episode import Episode, start
from diorama.kernel import Dice, Event, Request
from diorama.kit import App, Tool
from tests.conformance.fuzz import Fuzz
from tests.conformance.knocking import SECRET, knock
from tests.conformance.playing import SCENARIOS

BESIDES = ("door", "wall", "signals")
"""What may differ between doors: the door itself, the wall clock, and what a grader notes beside an event."""


def same(event: Event) -> dict[str, Any]:
    """An event without what may differ."""
    return {name: value for name, value in msgspec.to_builtins(event).items() if name not in BESIDES}


def apps() -> list[Any]:
    """Every app of every scenario, once."""
    found = {
        app: pytest.param(name, app, id=app) for name, scenario in reversed(SCENARIOS.items()) for app in scenario.apps
    }
    return list(found.values())


def tools() -> list[Any]:
    """Every tool of every scenario, once."""
    found = {}
    for name, scenario in reversed(SCENARIOS.items()):
        for tool in start(scenario).tools:
            found[tool["name"]] = pytest.param(name, tool["name"], id=tool["name"])
    return [case for tool, case in found.items() if tool not in ("wait", "finish")]


def first_new(episode: Episode, before: int) -> Event:
    """The event that a request became; what time fired after it is another matter."""
    return episode.world.events[before]


@pytest.mark.parametrize(("name", "tool"), tools())
def test_a_tool_call_is_the_same_event_through_every_door(name: str, tool: str) -> None:
    staged = start(SCENARIOS[name])
    known = staged._tools[tool]
    app = staged.world.company.app(known.app)
    assert isinstance(app, App)
    before = len(staged.world.events)
    pool = fill(staged.world, app, Dice(tool))
    reached = set()
    for number in range(8):
        arguments = given(pool, app, known, number)
        request = app.request_of(known.call(arguments))
        doors = {door: staged.fork() for door in ("tools", "python", "http")}
        doors["tools"].call(tool, arguments)
        path = f"{request.path}?{request.query}" if request.query else request.path
        doors["python"].http(app.name, request.method, path, request.body or None, request.headers)
        reply = knock(doors["http"], app, request)
        events = {door: first_new(episode, before) for door, episode in doors.items()}
        assert {door: event.door for door, event in events.items()} == {door: door for door in doors}
        assert same(events["tools"]) == same(events["python"]) == same(events["http"])
        assert reply.status == events["http"].reply["status"]
        reached.add(reply.status)
    assert min(reached) < 500


def given(pool: Pool, app: App, tool: Tool, number: int) -> dict[str, Any]:
    """Arguments that fit a tool's schema, out of what there is in this world."""
    dice = Dice(f"{tool.name} {number}")
    seen = Seen()
    for about, keys in pool.ids.items():
        seen.values[f"{about}_id"] = list(keys)
    seen.values.update({field: list(values) for field, values in pool.fields.items()})
    seen.values["id"] = list(pool.ids.get(noun(app.product.tables[0].name.partition("_")[2]), ()))
    fits = jsonschema.Draft202012Validator(tool.schema).is_valid
    drawn = (value_for("", tool.schema, tool.schema.get("$defs", {}), seen, dice) for _ in range(50))
    return next(arguments for arguments in drawn if fits(arguments))


@pytest.mark.parametrize(("name", "app"), apps())
def test_a_request_is_the_same_event_over_http_and_in_process(name: str, app: str) -> None:
    staged = start(SCENARIOS[name])
    target: Any = staged.world.company.app(app)
    fuzz = Fuzz(target, staged.world, Dice(f"doors {app}"))
    before = len(staged.world.events)
    for operation in target.product.operations:
        for request in fuzz.requests(operation, 2):
            heard = Request(
                request.method, request.path, request.query, target.recorded_headers(request.headers), request.body
            )
            if any("\n" in value or "\r" in value or not value.isascii() for value in heard.headers.values()):
                continue  # no client can put that into a header
            inside, outside = staged.fork(), staged.fork()
            one = inside.request(app, heard, "python")
            other = knock(outside, target, heard)
            assert same(first_new(inside, before)) == same(first_new(outside, before)), request
            assert (one.status, one.body) == (other.status, other.body) or other.status in (204, 304)
            assert {key.lower() for key in one.headers} <= {key.lower() for key in other.headers}


@pytest.mark.parametrize(("name", "app"), apps())
def test_a_stranger_at_the_door_leaves_no_trace(name: str, app: str) -> None:
    staged = start(SCENARIOS[name])
    target: Any = staged.world.company.app(app)
    before = (staged.trace, staged.turns)
    for secret in ("wrong", SECRET.upper(), SECRET[:-1], " "):
        assert knock(staged, target, Request("GET", target.product.operations[0].path), secret).status == 401
    assert (staged.trace, staged.turns) == before


@pytest.mark.parametrize(("name", "app"), apps())
def test_credentials_are_never_recorded(name: str, app: str) -> None:
    staged = start(SCENARIOS[name])
    target: Any = staged.world.company.app(app)
    request = Request("GET", target.product.operations[0].path, "", {"cookie": "session=abc", "x-api-key": "abc"})
    knock(staged, target, request)
    recorded = repr(staged.world.events[-1])
    assert SECRET not in recorded
    assert "session=abc" not in recorded
    assert "authorization" not in recorded


@pytest.mark.parametrize("name", SCENARIOS)
def test_waiting_and_finishing_are_turns_like_any_other(name: str) -> None:
    episode = start(SCENARIOS[name])
    before = len(episode.world.events)
    episode.call("wait", {"minutes": 1})
    waited = first_new(episode, before)
    assert (waited.operation, waited.door, waited.actor, waited.turn) == ("wait", "tools", str(episode.actor), 1)
    assert episode.call("finish", {"report": "done"}).ended
    assert episode.world.events[-1].operation == "finish"
    assert episode.call("wait").ended
    for app in episode.scenario.apps:
        target: Any = episode.world.company.app(app)
        assert episode.http(app, "GET", target.product.operations[0].path).status == 401
