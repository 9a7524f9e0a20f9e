"""Checks of the two planes: nothing that an agent can reach shows what only the grader may know (law 6)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from diorama.check.declaring import check
from diorama.check.fuzz import Fuzz
from diorama.episodes.episode import Episode, start
from diorama.kernel import Dice, Request, Tx
from diorama.kit import App, Operation
from diorama.scenarios import Scenario, load_all

SHARES = 3
SEED = 5
CANARY = "canary-0b7e55"
OWN_TOOLS = ("wait", "finish")
"""Tools that belong to the episode, not to an app."""
PROBES = (
    "' UNION SELECT value FROM _truth --", '" OR 1=1 --', "_truth", "1; SELECT args FROM _agenda", "*", "%",
    "../v1/episodes", "x' AND (SELECT value FROM _truth) --", ") UNION SELECT hex(dice) FROM _world --", "canary*",
    "created>1 OR _truth:*",
)  # fmt: skip


def plant(episode: Episode) -> list[str]:
    """Put marks where the agent must not see them; return the texts that must never be shown."""
    world = episode.world

    def hide(tx: Tx) -> None:
        due = tx.now_us + 10**15  # in thirty years
        tx.control(
            "INSERT INTO _agenda VALUES (?, ?, ?, ?, ?, ?, ?)",
            10**9, due, episode.scenario.apps[0], CANARY, f'{{"x": "{CANARY}"}}', CANARY, 1,
        )  # fmt: skip
        tx.fault(episode.scenario.apps[0], "down", timedelta(days=900), timedelta(1), CANARY)
        tx.control("INSERT INTO _meters VALUES (?, 0, 0)", CANARY)

    world.do(hide, f"system:{CANARY}")
    world.truth["oracle"] = [CANARY]
    dice = str(world.read(lambda tx: tx.control("SELECT hex(dice) FROM _world"))[0][0])
    return [CANARY, dice, dice.lower(), world.trace, world.state, episode.scenario.name]


def crawl(episode: Episode) -> Iterator[str]:
    """Yield everything that an agent can see: the brief, the tools, its share of the operations, every error."""
    yield episode.brief
    yield repr(episode.tools)
    for name in episode.scenario.apps:
        app = episode.world.company.app(name)
        if isinstance(app, App):
            fuzz = Fuzz(app, episode.world, Dice(f"crawl {name}"))
            for operation in app.product.operations[share(episode.scenario, name)]:
                for request in (*fuzz.requests(operation, 2), *probes(operation, fuzz.dice)):
                    reply = episode.fork().request(name, request, "python")
                    yield repr((reply.status, reply.headers, reply.body))
    for tool in episode.tools:
        for probe in (*PROBES[:4], 1):
            if tool["name"] not in OWN_TOOLS:
                fields = tool["parameters"].get("properties", {})
                seen = episode.fork().call(tool["name"], dict.fromkeys(fields, probe))
                yield repr((seen.text, seen.data))
    yield episode.fork().call("wait", {"minutes": 600}).text
    yield episode.fork().call("finish", {"report": PROBES[0]}).text


def share(scenario: Scenario[Any], app: str) -> slice:
    """Return the operations of an app that fall to a scenario: together, its scenarios cover all of them."""
    having = [one.name for one in load_all().values() if app in one.apps]
    shares = min(SHARES, len(having))
    return slice(having.index(scenario.name) % shares, None, shares)


def probes(operation: Operation, dice: Dice) -> Iterator[Request]:
    """Yield requests that ask for more than they should."""
    probe = dice.pick(PROBES)
    path = operation.path
    for parameter in operation.parameters:
        if parameter.place == "path":
            path = path.replace(f"{{{parameter.name}}}", quote(probe, safe=""))
    names = [p.name for p in operation.parameters if p.place == "query"]
    query = "&".join(f"{quote(name)}={quote(probe)}" for name in (*names, "query", "q", "sort", "include", "fields"))
    yield Request(operation.method, path, query, {"content-type": "application/json"}, b"{}")


@check("scenario")
def agents_cannot_reach_the_grader(scenario: Scenario[Any]) -> Iterator[str]:
    """Nothing that an agent can reach shows the score, the oracle, the seed or the agenda."""
    episode = start(scenario, SEED)
    secrets = plant(episode)
    for text in crawl(episode):
        yield from (f"{secret!r} is shown in {text[:300]}" for secret in secrets if secret in text)


@check("scenario")
def episodes_do_not_see_each_other(scenario: Scenario[Any]) -> Iterator[str]:
    """Two episodes of one seed do not see each other."""
    one, other = start(scenario, SEED), start(scenario, SEED)
    before = other.state
    for tool in one.tools:
        if tool["name"] not in OWN_TOOLS:
            one.call(tool["name"], dict.fromkeys(tool["parameters"].get("properties", {}), 1))
    one.call("wait", {"minutes": 300})
    if (other.state, other.turns) != (before, 0):
        yield "what one episode did changed the other"
    if start(scenario, SEED, restage=True).trace != other.trace:
        yield "a third episode starts from another history"


@check("scenario")
def waiting_and_finishing_are_turns(scenario: Scenario[Any]) -> Iterator[str]:
    """Waiting and finishing are turns, and nothing can be done after the end."""
    episode = start(scenario)
    before = len(episode.world.events)
    episode.call("wait", {"minutes": 1})
    waited = episode.world.events[before]
    if (waited.operation, waited.door, waited.actor, waited.turn) != ("wait", "tools", str(episode.actor), 1):
        yield f"a wait was recorded as {waited}"
    if not episode.call("finish", {"report": "done"}).ended or episode.world.events[-1].operation != "finish":
        yield "finish does not end the episode"
    if not episode.call("wait").ended:
        yield "an agent can wait after the end"
    for name in scenario.apps:
        app = episode.world.company.app(name)
        if isinstance(app, App):
            reply = episode.http(name, "GET", app.product.operations[0].path)
            if reply.refused != "ended" or b"episode" not in reply.body:
                yield f"{name} answers {reply.status} after the end"
