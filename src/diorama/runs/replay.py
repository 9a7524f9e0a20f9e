"""Replay: repeat the recorded inputs from staging on, and compare everything that followed."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from diorama.episodes.agents import act
from diorama.episodes.agents.recorded import AgentHands, body_of, method_and_path, request_line
from diorama.episodes.endings import Overtime
from diorama.episodes.episode import INPUT_DOORS, Episode, start
from diorama.episodes.result import Ended
from diorama.episodes.seats import split_host
from diorama.episodes.usage import Misuse
from diorama.kernel import Defect, Event, Request, World
from diorama.kit import App
from diorama.runs.actors import check_actor, check_door, check_request
from diorama.runs.perform import AGENT_SECONDS, event_json, event_of, result_json, versions_of
from diorama.runs.store import Finished, lost, unpack
from diorama.scenarios import Hands

NOT_COMPARED = {"wall"}
"""Fields that replay ignores: wall time is stored with an event or a turn, but it is not part of the history."""
REPEATABLE_AGENTS = ("oracle", "noop", "random", "cheat")
"""Agents that act the same again; of others, the recorded inputs are repeated."""
NOT_REPEATABLE = {"provider": ("openai",), "sandbox": ("python",), "browser": ("python", "openai")}
"""Boundaries outside of the world, whose faults a replay does not meet again, and the agents that can meet them."""
SAID = {"said", "usage", "wall"}
"""What is recorded of each answer of a model."""
NEVER_WRITTEN = "a fault that no run writes for this agent"

OVERTIME = re.compile(r"the agent took more than [0-9.e+]{1,20} s of wall time")
"""The note of an agent that ran out of wall time."""
LIMITED_BY_TOKENS = ("openai", "python")

SHOWN = 160


class OtherVersion(Misuse):
    """The episode was made with another image, package, reward or code; it cannot be verified here."""


class Divergence(msgspec.Struct, frozen=True):
    """Where the replay differs from the record: at which event or turn, in which field, and both values."""

    episode: str
    seq: int | None
    what: str
    recorded: Any
    redone: Any
    place: str = "result"

    def __str__(self) -> str:
        place = f"at step {self.seq}" if self.seq is not None else f"in its {self.place}"
        return f"{self.episode} diverges {place}: {self.what} was {self.recorded!r}, now {self.redone!r}"


def verify(finished: Finished) -> Divergence | None:
    """Replay an episode; return None if every event, reply, digest, turn and the result are the same."""
    return check(finished)[0]


def check(finished: Finished) -> tuple[Divergence | None, str]:
    """Replay an episode; return the first difference, and why it cannot be verified ("" if it can).

    A fault inside the world must happen again. One from outside of it, such as a lost worker, cannot be verified.
    """
    job, result = finished.job, finished.result
    stored: list[dict[str, Any]] = unpack(finished.events, "its events")
    fault = result["fault"] or {}
    outside = f"{job.name} is void by a fault that a replay does not meet again: {told(fault)}" if fault else ""
    if not stored and fault.get("boundary") == "engine":  # lost outside of any world: nothing to replay
        same = {name: fault[name] for name in ("boundary", "kind", "message")}
        return _compare_lost(finished, lost(job, **same, versions=_known(result["versions"]))), outside
    same_version(finished)
    try:
        episode = start(job.scenario, job.seed, split=job.split, restage=True)
    except Defect as defect:
        again = lost(job, defect.boundary, defect.kind, defect.message, versions_of(job.scenario))
        return _compare_lost(finished, again), ""
    replay = Replay(finished, episode, stored)
    return replay.compare(), "" if replay.confirmed else outside


def told(fault: dict[str, Any]) -> str:
    """Return a fault in one line."""
    return "{boundary}: {message}".format(**fault)


def _known(versions: dict[str, str]) -> dict[str, str] | None:
    return versions if any(versions.values()) else None


def _compare_lost(finished: Finished, again: Finished) -> Divergence | None:
    """Compare an episode that never had a world with what a run writes of it."""
    name = finished.job.name
    found = difference(finished.result, again.result, {"wall_seconds"})
    if found:
        return Divergence(name, None, *found)
    for place in ("events", "transcript"):
        kept = len(unpack(getattr(finished, place), f"its {place}"))
        if kept:
            return Divergence(name, None, f"the number of {place}", kept, 0, place)
    return None


def same_version(finished: Finished) -> None:
    """Raise OtherVersion unless the episode was made by this installation's code and images."""
    here = versions_of(finished.job.scenario)
    there = {**finished.result["versions"], "source": finished.source}
    if there != here:
        old = ", ".join(f"{name} {value}" for name, value in there.items() if value != here.get(name))
        new = ", ".join(f"{name} {value}" for name, value in here.items() if value != there.get(name))
        name = finished.job.name
        raise OtherVersion(f"{name} was recorded with {old or 'unknown versions'}; this installation has {new}.")


class Replay:
    """A replay in progress, next to the recorded history."""

    def __init__(self, finished: Finished, episode: Episode, stored: list[dict[str, Any]]) -> None:
        self.name = finished.job.name
        self.agent = finished.job.agent
        self.note = finished.note
        self.bodies = finished.bodies
        self.result = finished.result
        self.turns: list[dict[str, Any]] = unpack(finished.transcript, "its transcript")
        self.stored = stored
        self.episode = episode
        self.staged = len(episode.world.chain)
        self.kind = self.agent.partition(":")[0]
        self.hands = AgentHands(episode.hands, episode.world)
        self.ended: Ended = self.result["ended"]
        self.broken: Defect | None = None
        self.confirmed = True
        self.without_turn = 0
        """The first recorded input that no turn of the transcript made; 0 if there is none."""

    def compare(self) -> Divergence | None:
        """Act again, then compare events, turns and result, in this order."""
        void = self.result["ended"] == "void"
        if self.kind == "cheat" and self.agent.partition(":")[2] not in self.episode.scenario.cheats:
            return Divergence(self.name, None, "the agent", self.agent, "no such cheat", "agent")
        if void and self._impossible():
            return Divergence(self.name, None, "the cause", told(self.result["fault"]), NEVER_WRITTEN, "void")
        over = frozenset(event["seq"] for event in self.stored if event["reply"].get("stopped"))
        self.episode.world.chain.stopped = over
        stopped = self._stopped_by(self._act_again if self.kind in REPEATABLE_AGENTS else self._repeat_inputs)
        if self.without_turn:
            told_by = "the turn of this event"
            return Divergence(self.name, self.without_turn, told_by, "nothing", "a turn", "transcript")
        again = self._finish()
        found = self._compare_events(stopped, void) or self._compare_turns()
        if found:
            return found
        if void and again["ended"] != "void" and self.confirmed:
            return Divergence(self.name, None, "the cause", told(self.result["fault"]), "nothing breaks", "void")
        differs = difference(self.result, again, {"wall_seconds"})
        return Divergence(self.name, None, *differs) if differs else None

    def _impossible(self) -> bool:
        """Tell whether this agent cannot have met the fault: only some meet a provider, sandbox or browser."""
        boundary = self.result["fault"]["boundary"]
        started = boundary == "sandbox" and bool(self.turns)  # a sandbox fails before the first turn, or not at all
        return boundary in NOT_REPEATABLE and (self.kind not in NOT_REPEATABLE[boundary] or started)

    def _act_again(self) -> None:
        """Run the agent itself again; how it ends follows from that.

        One that ran out of wall time would now go on, so it is stopped after its last recorded turn.
        """
        if self.result["ended"] == "time_limit" and OVERTIME.fullmatch(self.note):
            self.hands = StoppedHands(self.episode.hands, self.episode.world, len(self.turns))
        self.ended = "done"
        try:
            act(self.agent, self.episode, self.hands, AGENT_SECONDS)
        except Overtime:
            self.ended = "time_limit"
        except Defect as defect:
            self.broken = defect
        except (Exception, SystemExit):  # noqa: BLE001 - an agent that raised has given up
            self.ended = "gave_up"

    def _repeat_inputs(self) -> None:
        """Repeat the recorded turns; requests are taken from the events, which hold them whole.

        Nothing else is: every input of an agent is one of its turns, and how it ended follows from `_ending`.
        """
        for turn in self.turns:
            if "tool" in turn:
                self.hands.call(turn["tool"], turn["arguments"])
            elif "http" in turn:
                self._repeat_request(turn)
            elif self.kind == "openai" and turn.keys() == SAID:
                self.hands.transcript.append(turn)  # what a model said: no other agent says anything
        left = next(self._inputs(), None)
        if left is not None and left["operation"] != "finish":
            self.without_turn = left["seq"]

    def _inputs(self) -> Iterator[dict[str, Any]]:
        """Yield the next recorded input for as long as there is one, and repeating it goes on."""
        chain, before = self.episode.world.chain, -1
        while before < len(chain) < len(self.stored):
            recorded = self.stored[len(chain)]
            if recorded["door"] not in INPUT_DOORS or recorded["root"] != recorded["seq"]:
                return
            before = len(chain)
            yield recorded

    def _shown(self) -> list[bytes]:
        """Return every text that the agent was shown before the next input: the brief, and the replies to it."""
        texts = [self.episode.brief.encode()]
        for recorded in self.stored[: len(self.episode.world.chain)]:
            if recorded["door"] in INPUT_DOORS:
                reply = event_of(recorded, self.bodies).reply
                body = reply.get("body", b"")
                texts += [body if isinstance(body, bytes) else str(body).encode(), repr(reply.get("headers")).encode()]
        return texts

    def _repeat_request(self, turn: dict[str, Any]) -> None:
        """Send the request of a turn again: as its event records it, or, if it has none, as the turn does."""
        used: dict[str, Any] = {name: turn[name] for name in ("seat", "credential") if name in turn}
        recorded = next(self._inputs(), None) if self.episode.ended is None else None
        event = event_of(recorded, self.bodies) if recorded else None
        app = self.episode.app(turn["app"])
        method, path = method_and_path(turn)
        same = event is not None and is_request(app, method, path, event)
        grants = app.product.grants
        unheard = not same or recorded is None or recorded["reply"].get("body") != turn["text"]
        refused = unheard and grants is not None and turn["text"] == app.refuse(grants.refused).text
        if refused and self.episode.ended is None:
            self.hands.transcript.append(turn)  # an invalid token: refused at the door, without an event
        elif event is None:  # it came after the end, or it broke the episode
            sent = turn.get("request", {})
            self.hands.http(turn["app"], method, path, body_of(sent), sent.get("headers"), **used)
        else:
            check_door(event, "python")
            check_request(app, event)
            check_actor(self.episode, event, self._shown(), turn.get("seat", ""), turn.get("credential", ""))
            reply = self.episode.redo(event)
            if reply is not None:
                asked = event.request
                if not same:
                    method, path = asked["method"], f"{asked['path']}?{asked['query']}"
                said: dict[str, Any] = {"text": reply.text, "is_error": bool(reply.refused)}
                if "request" in turn and self.episode.ended is not None:  # the last turn; its event is what is compared
                    said["request"] = turn["request"]
                self.hands.remember({**request_line(method, path), "app": event.app, **used, **said})

    def _stopped_by(self, run: Callable[[], None]) -> str:
        """Run something; return what stopped it, or ""."""
        try:
            run()
        except Defect as defect:
            return f"a defect: {defect.message}"
        except Exception as error:  # noqa: BLE001 - a record that was changed may hold anything
            return f"{type(error).__name__}: {error}"
        return ""

    def _finish(self) -> dict[str, Any]:
        """End the episode as it ended before; a fault from outside is taken from the record, any other is not."""
        fault, agent = self.result["fault"], self.result["agent"]
        if self.result["ended"] == "void" and fault["boundary"] in NOT_REPEATABLE:
            self.confirmed = False
            defect = Defect(fault["message"], boundary=fault["boundary"], kind=fault["kind"], at=fault["at"])
            return result_json(self.episode.void(defect, agent))
        if self.broken is not None:
            return result_json(self.episode.void(self.broken, agent))
        return result_json(self.episode.finish(ended=self._ending(), agent=agent))

    def _ending(self) -> Ended:
        """Return how the agent ended an episode that no limit of the world had ended.

        Of an agent that is not run again it is taken from the record, if such an agent can have ended so.
        """
        if self.kind in REPEATABLE_AGENTS:
            return self.ended
        possible = {
            "time_limit": OVERTIME.fullmatch(self.note) is not None,
            "token_limit": self.kind in LIMITED_BY_TOKENS,
            "gave_up": True,
        }
        return self.ended if possible.get(self.ended) else "done"

    def _compare_events(self, stopped: str, void: bool) -> Divergence | None:
        chain = self.episode.world.chain
        for index, recorded in enumerate(self.stored):
            seq = recorded.get("seq")
            if index == len(chain):
                return Divergence(
                    self.name, seq, "the event", recorded.get("operation"), stopped or "nothing", "events"
                )
            again = event_json(chain.entry(index).open(whole=False), {})
            found = difference(recorded, again, NOT_COMPARED)
            if found:
                return Divergence(self.name, seq, *found, "events" if index >= self.staged else "staging")
        if len(chain) > len(self.stored) and not (void and self.episode.ended != "void"):
            more = chain[len(self.stored)]
            return Divergence(self.name, more.seq, "the event", "nothing", more.operation, "events")
        return None

    def _compare_turns(self) -> Divergence | None:
        found = None
        for number, (old, new) in enumerate(zip(self.turns, self.hands.transcript, strict=False), 1):
            found = difference(old, new, NOT_COMPARED)
            if found:
                return Divergence(self.name, None, f"turn {number}: {found[0]}", *found[1:], "transcript")
        counts = len(self.turns), len(self.hands.transcript)
        if counts[0] != counts[1]:
            return Divergence(self.name, None, "the number of turns", *counts, "transcript")
        return None


class StoppedHands(AgentHands):
    """The interface of an agent that ran out of wall time: it is interrupted after a number of turns."""

    def __init__(self, hands: Hands, world: World, turns: int) -> None:
        super().__init__(hands, world)
        self._turns = turns

    @contextmanager
    def _acting(self) -> Iterator[None]:
        if len(self.transcript) >= self._turns:
            raise Overtime
        with super()._acting():
            yield


def is_request(app: App, method: str, path: str, event: Event) -> bool:
    """Tell whether an event records the request that a turn names."""
    with suppress(LookupError):  # the path is an address of another host
        host, path = split_host(app, path)
        bare, _, query = path.partition("?")
        seen = app.bounded(app.without_credential(Request(method, bare, query, {}, b"", host)))
        if all(event.request.get(name) == getattr(seen, name) for name in ("method", "path", "query")):
            return event.app == app.name
    return False


def difference(old: Any, new: Any, ignored: set[str], path: str = "") -> tuple[str, Any, Any] | None:
    """Return the first place where two documents differ, with both values; causes before the digests."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys(), key=lambda key: (key in ("trace", "state"), key)):
            if key not in ignored:
                found = difference(old.get(key), new.get(key), set(), f"{path}.{key}" if path else key)
                if found:
                    return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            found = difference(one, other, set(), f"{path}[{index}]")
            if found:
                return found
        return None
    return None if old == new else (path, *_cut(old, new))


def _cut(old: Any, new: Any) -> tuple[Any, Any]:
    """Return both values; long texts are cut to where they begin to differ."""
    one, other = (value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in (old, new))
    if len(one) <= SHOWN and len(other) <= SHOWN:
        return old, new
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    first = max(0, at - SHOWN // 4)
    return one[first : first + SHOWN], other[first : first + SHOWN]
