"""Run one job: start the episode, run the agent, return the result."""

import base64
import sys
import time
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import msgspec

from diorama.episodes.agents import act
from diorama.episodes.agents.clock import wall_time, wall_time_at
from diorama.episodes.agents.model import ProviderFailed
from diorama.episodes.agents.recorded import AgentHands, method_and_path, request_line
from diorama.episodes.endings import AgentFailed, OutOfTokens, Overtime
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Ended, Result
from diorama.episodes.seats import kinds_at, split_host
from diorama.episodes.usage import Misuse
from diorama.kernel import Defect, Event
from diorama.kernel.cache import PACKAGE
from diorama.kernel.events import BODY_AT_MOST
from diorama.kernel.sources import OURS, Part, SourceCache, source_digest, wording_digest
from diorama.runs.actors import ACTED_BY_AGENT
from diorama.runs.store import Finished, Job, lost, pack
from diorama.scenarios import AGENT_SEAT, find
from diorama.worlds import open_world

DECIDING = ("people", "rewards", "doors", "episodes", "runs/perform.py")
"""Code of this package that decides results, besides the image's own and the scenario's."""

TOOK = "the agent took more than"
"""How the note begins on an agent that ran out of wall time; no words of an agent begin so."""
AGENT_SECONDS = 600.0
"""The wall-clock limit of an agent for one episode."""


def perform(job: Job, agent_seconds: float = AGENT_SECONDS) -> Finished:
    """Run one attempt: anything the agent does gets a score, any failure of ours makes it void."""
    try:
        episode = start(job.scenario, job.seed, split=job.split)
    except Defect as defect:
        return lost(job, defect.boundary, defect.kind, defect.message, versions_of(job.scenario))
    hands = AgentHands(episode.hands, episode.world)
    ended, note, broken = acted(job.agent, episode, hands, agent_seconds)
    result = episode.void(broken, job.agent) if broken else episode.finish(ended=ended, agent=job.agent)
    return stored_episode(job, episode, hands, result, note)


def acted(agent: str, episode: Episode, hands: AgentHands, seconds: float) -> tuple[Ended, str, Defect | None]:
    """Let an agent act; return how it ended, the note on that, and the fault if one made the episode void.

    Wall time that is over after the end of the episode changes nothing, so it is not noted.
    """
    try:
        act(agent, episode, hands, seconds)
    except Overtime:
        late = episode.ended is not None
        return ("done", "", None) if late else ("time_limit", f"{TOOK} {seconds:g} s of wall time", None)
    except OutOfTokens as error:
        return "token_limit", _of_agent(str(error)), None
    except ProviderFailed as error:
        return "done", "", Defect(str(error), boundary="provider", kind=error.kind)
    except Defect as defect:
        return "done", "", defect
    except AgentFailed as error:
        return "gave_up", _of_agent(str(error)), None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a policy that crashes has given up: that keeps its score
        return "gave_up", f"the agent raised {type(error).__name__}: {error}", None
    return "done", "", None


def _of_agent(words: str) -> str:
    """Return words that an agent chose as a note that cannot be taken for one of a run."""
    return f"the agent said: {words}" if words.startswith(TOOK) else words


def stored_episode(job: Job, episode: Episode, hands: AgentHands, result: Result, note: str = "") -> Finished:
    """Return an episode as the store keeps it."""
    entries = list(episode.world.chain.entries())
    bodies = {digest: body for entry in entries for digest, body in entry.bodies.items()}
    made = [event_json(entry.open(whole=False), bodies) for entry in entries]
    _put_on_clock(made, episode, hands, result.wall_seconds)
    events = pack(made)
    source = versions_of(job.scenario)["source"]
    turns = pack([canonical(turn, episode) for turn in hands.transcript])
    return Finished(job, result_json(result), events, turns, note, bodies, source)


def canonical(turn: dict[str, Any], episode: Episode) -> dict[str, Any]:
    """Return a turn as a run stores it, so that the same request is recorded in one way only.

    The agent's own seat, the first credential of a seat, the only host of an app and an empty query are left out.
    """
    if "http" not in turn:
        return turn
    made = dict(turn)
    with suppress(LookupError):  # an app, a seat or a host that is not there
        app = episode.app(turn["app"])
        if made.get("credential", "") == next(iter(kinds_at(episode.scenario, app, turn.get("seat", ""))), None):
            made.pop("credential", None)
        if made.get("seat") == AGENT_SEAT:
            del made["seat"]
        method, path = method_and_path(turn)
        host, bare = split_host(app, path)
        made |= request_line(method, without_empty_query(path if host else bare))
    return made


def without_empty_query(path: str) -> str:
    """Return a path without the question mark of an empty query; `a??` has the query `?` and stays as it is."""
    bare, _, query = path.partition("?")
    return path if query else bare


def _put_on_clock(events: list[dict[str, Any]], episode: Episode, hands: AgentHands, seconds: float) -> None:
    """Give events the times of the clock of the run: worlds read that of the machine, which may have been set.

    What happened in a turn of the agent was after the turn before it, and before its own end.
    """
    began = wall_time_at(episode.began)
    first = next((at for at, event in enumerate(events) if event["door"] in ACTED_BY_AGENT), None)
    shift, last = wall_time() - time.time(), 0.0
    for at, event in enumerate(events):
        low = began if first is not None and at >= first else 0.0
        high = began if first is not None and at < first else began + seconds
        if first is not None and at >= first:
            turn = bisect_right(hands.marks, at)
            low = hands.transcript[turn - 1]["wall"] if turn else low
            high = max(low, hands.transcript[turn]["wall"] if turn < len(hands.marks) else high)
        event["wall"] = last = max(last, min(max(event["wall"] + shift, low), high))


def result_json(result: Result) -> dict[str, Any]:
    """Return a result as JSON data."""
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(result))
    return made


def event_json(event: Event, bodies: dict[str, bytes]) -> dict[str, Any]:
    """Return an event as JSON: short binary values as base64, large ones by digest, their bytes put into `bodies`."""
    made: dict[str, Any] = _plain(msgspec.to_builtins(event, builtin_types=(bytes,)), bodies)
    return made


def _plain(value: Any, bodies: dict[str, bytes]) -> Any:
    if isinstance(value, bytes):
        if len(value) <= BODY_AT_MOST:
            return {"base64": base64.b64encode(value).decode()}
        digest = sha256(value).hexdigest()
        bodies[digest] = value
        return {"sha256": digest, "bytes": len(value)}
    if isinstance(value, dict):
        return {key: _plain(item, bodies) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, bodies) for item in value]
    return value


def event_of(made: dict[str, Any], bodies: Mapping[str, bytes]) -> Event:
    """Return the event that event_json wrote, with its large bodies in place."""
    fields = dict(made)
    for name in ("request", "reply"):
        body = fields[name].get("body")
        if isinstance(body, dict):
            whole = bodies[body["sha256"]] if "sha256" in body else base64.b64decode(body["base64"])
            fields[name] = {**fields[name], "body": whole}
    return msgspec.convert(fields, Event)


@cache
def versions_of(scenario: str) -> dict[str, str]:
    """Return the versions that results of a scenario depend on: image, package, reward, and all deciding code."""
    if sys.flags.optimize > 1:
        raise Misuse("Python was started without docstrings (-OO or PYTHONOPTIMIZE=2), which scenarios and apps need.")
    chosen = find(scenario)
    world = open_world(chosen.world, chosen.size, "versions")
    known = SourceCache()
    parts = [known.read(Part(f"{OURS}.{name}", PACKAGE / name))[0] for name in DECIDING]
    known.save()
    words = (
        f"{wording_digest(world.company)} {chosen.wording}"  # docstrings of facts are recorded, those of tools shown
    )
    code = f"{source_digest(world.company)} {chosen.version} {' '.join(parts)}"
    source = sha256(f"{code} {words}".encode()).hexdigest()
    image = world.pages.image.digest
    return {"image": image, "package": version(OURS), "reward": chosen.version, "source": source}
