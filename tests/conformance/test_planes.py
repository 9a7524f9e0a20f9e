"""The agent plane of every scenario, crawled for what only the control plane may know (law 6)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest

from diorama.episodes.episode import Episode, start
from diorama.kernel import Dice, Request, Tx
from diorama.kit import App
from diorama.scenarios import Scenario
from tests.conformance.fuzz import Fuzz
from tests.conformance.playing import SCENARIOS

SHARES = 3
CANARY = "canary-0b7e55"
PROBES = (
    "' UNION SELECT value FROM _truth --", '" OR 1=1 --', "_truth", "1; SELECT args FROM _agenda", "*", "%",
    "../v1/episodes", "x' AND (SELECT value FROM _truth) --", ") UNION SELECT hex(dice) FROM _world --", "canary*",
    "created>1 OR _truth:*",
)  # fmt: skip


def planted(episode: Episode) -> list[str]:
    """Put marks where the agent must not see them; all the texts that must never be shown."""
    world = episode.world
    command = next((name, app) for app in world.company.apps for name in app.product.commands)

    def hide(tx: Tx) -> None:
        tx.control(
            "INSERT INTO _agenda VALUES (?, ?, ?, ?, ?, ?, ?)",
            10**9, tx.now_us + 10**15, command[1].name, command[0], f'{{"x": "{CANARY}"}}', "system:x", 1,
        )  # fmt: skip
        tx.fault(episode.scenario.apps[0], "down", timedelta(days=900), timedelta(1), CANARY)
        tx.control("INSERT INTO _meters VALUES (?, 0, 0)", CANARY)

    world.do(hide, f"system:{CANARY}")
    world.truth["oracle"] = [CANARY]
    dice = world.read(lambda tx: tx.control("SELECT hex(dice) FROM _world"))[0][0]
    return [CANARY, str(dice), str(dice).lower(), world.trace, world.state, episode.scenario.name]


def crawled(episode: Episode) -> Iterator[str]:
    """Everything that an agent can get to see: the brief, the tools, its share of the operations, every error."""
    yield episode.brief
    yield repr(episode.tools)
    for name in episode.scenario.apps:
        app: Any = episode.world.company.app(name)
        assert isinstance(app, App)
        fuzz = Fuzz(app, episode.world, Dice(f"crawl {name}"))
        for operation in app.product.operations[share(episode.scenario, name)]:
            for request in (*fuzz.requests(operation, 2), *probes(operation, fuzz.dice)):
                reply = episode.fork().request(name, request, "python")
                yield repr((reply.status, reply.headers, reply.body))
    for tool in episode.tools:
        for probe in (*PROBES[:4], 1):
            if tool["name"] not in ("wait", "finish"):
                fields = tool["parameters"].get("properties", {})
                seen = episode.fork().call(tool["name"], dict.fromkeys(fields, probe))
                yield repr((seen.text, seen.data))
    yield episode.fork().call("wait", {"minutes": 600}).text
    yield episode.fork().call("finish", {"report": PROBES[0]}).text


def share(scenario: Scenario[Any], app: str) -> slice:
    """The operations of an app that fall to a scenario: all who have the app go through them several times over."""
    having = [one.name for one in SCENARIOS.values() if app in one.apps]
    shares = min(SHARES, len(having))
    return slice(having.index(scenario.name) % shares, None, shares)


def probes(operation: Any, dice: Dice) -> Iterator[Request]:
    """Requests that ask for more than they should."""
    probe = dice.pick(PROBES)
    path = operation.path
    for parameter in operation.parameters:
        if parameter.place == "path":
            path = path.replace(f"{{{parameter.name}}}", quote(probe, safe=""))
    names = [p.name for p in operation.parameters if p.place == "query"]
    query = "&".join(f"{quote(name)}={quote(probe)}" for name in (*names, "query", "q", "sort", "include", "fields"))
    yield Request(operation.method, path, query, {"content-type": "application/json"}, b"{}")


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_nothing_that_an_agent_can_reach_shows_the_control_plane(scenario: Scenario[Any]) -> None:
    episode = start(scenario, 5)
    secrets = planted(episode)
    found = [(secret, text[:300]) for text in crawled(episode) for secret in secrets if secret in text]
    assert not found, found[:3]


def test_the_crawl_would_find_a_leak() -> None:
    scenario = next(iter(SCENARIOS.values()))
    episode = start(scenario, 5)
    planted(episode)
    app: Any = episode.world.company.app(scenario.apps[0])
    app.product.operations[0].handler, kept = lambda tx, **named: {"oracle": CANARY}, app.product.operations[0].handler
    try:
        assert any(CANARY in text for text in crawled(episode))
    finally:
        app.product.operations[0].handler = kept


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_two_episodes_of_one_seed_do_not_see_each_other(scenario: Scenario[Any]) -> None:
    one, other = start(scenario, 5), start(scenario, 5)
    before = other.state
    for tool in one.tools:
        if tool["name"] not in ("wait", "finish"):
            fields = tool["parameters"].get("properties", {})
            one.call(tool["name"], dict.fromkeys(fields, 1))
    one.call("wait", {"minutes": 300})
    assert (other.state, other.turns) == (before, 0)
    assert start(scenario, 5).trace == other.trace
