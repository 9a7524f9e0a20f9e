"""Replay: repeat the recorded inputs from staging on, and compare everything that followed."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPException
from typing import Any

import msgspec

from diorama.episodes.agents.recorded import INVALID_TOKEN, AgentHands, body_of, method_and_path, request_line
from diorama.episodes.endings import Overtime
from diorama.episodes.episode import INPUT_DOORS, Episode, start
from diorama.episodes.result import Ended
from diorama.episodes.seats import split_host
from diorama.episodes.usage import Misuse
from diorama.kernel import Defect, Event, Reply, Request, World
from diorama.kit import App
from diorama.runs.actors import NeverWritten, check_actor, check_door, check_request, check_seat
from diorama.runs.perform import (
    AGENT_SECONDS,
    TOOK,
    acted,
    canonical,
    event_json,
    event_of,
    perform,
    result_json,
    versions_of,
)
from diorama.runs.shapes import SHAPES, misfit
from diorama.runs.store import Finished, lost, unpack
from diorama.runs.times import wrong_turns
from diorama.scenarios import Hands

NOT_COMPARED = {"wall"}
"""Fields that replay ignores: wall time is stored with an event or a turn, but it is not part of the history."""
REPEATABLE_AGENTS = ("oracle", "noop", "random", "cheat")
"""Agents that act the same again; of others, the recorded inputs are repeated."""
NOT_REPEATABLE = {"provider": ("openai",), "sandbox": ("python",)}
"""Boundaries outside of the world, whose faults a replay does not meet again, and the agents that can meet them."""
FAILURES = {"provider": ("configuration", "refused", "malformed"), "sandbox": ("no_process",)}
"""Kinds of these faults; others are the names of exceptions of the system or the network."""
NEVER_WRITTEN = "a fault that no run writes for this agent"
OVERTIME = re.compile(TOOK + r" ([0-9.e+-]{1,20}) s of wall time")
"""The note of an agent that ran out of wall time."""
LOSSES = {
    "worker_death": re.compile(
        r"the worker process ended (?:in the middle of an episode|before it was ready): "
        r"(?:it did not answer and was killed|signal \d+(?: \(SIG[A-Z0-9]+\))?|exit code \d+)"
    ),
    "no_start": re.compile(r"the worker process was not ready within ([0-9.e+-]{1,20}) s of wall time"),
    "hang": re.compile(r"an episode did not end within ([0-9.e+-]{1,20}) s of wall time"),
}
"""The faults of a lost worker, as `Engine` writes them."""

SHOWN = 160
MISSING = "nothing"
"""What a divergence names where a key is not there."""


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
    told: str = ""
    """The whole message, if there are no two values to compare."""

    def __str__(self) -> str:
        if self.told:
            return f"{self.episode}: {self.told}"
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
        if is_loss(fault, result["wall_seconds"]):
            same = {name: fault[name] for name in ("boundary", "kind", "message")}
            return _compare_lost(finished, lost(job, **same, versions=_known(result["versions"]))), outside
        return _break_again(finished), ""
    same_version(finished)
    try:
        episode = start(job.scenario, job.seed, split=job.split, restage=True)
    except Defect as defect:
        again = lost(job, defect.boundary, defect.kind, defect.message, versions_of(job.scenario))
        return _compare_lost(finished, again), ""
    replay = Replay(finished, episode, stored)
    return replay.compare(), "" if replay.confirmed else outside


def is_loss(fault: Mapping[str, Any], wall_seconds: float) -> bool:
    """Tell whether a fault is that of a lost worker, in the words of a run; a hang took the time that it names."""
    form = LOSSES.get(fault["kind"])
    found = form.fullmatch(fault["message"]) if form is not None else None
    return found is not None and (not found.groups() or took(found[1], wall_seconds))


def took(limit: str, wall_seconds: float) -> bool:
    """Tell whether a time is above a limit that a message names with six digits."""
    try:
        seconds = float(limit)
    except ValueError:
        return False
    return wall_seconds >= seconds * (1 - 1e-5) - 0.01


def _break_again(finished: Finished) -> Divergence | None:
    """Run an episode again that broke in code of ours outside of any world: an agent of ours breaks it again."""
    job, fault = finished.job, finished.result["fault"]
    now = "a lost worker, or a fault that happens again"
    if job.agent.partition(":")[0] in REPEATABLE_AGENTS:
        try:
            perform(job)
            now = "nothing breaks"
        except Exception as error:  # noqa: BLE001 - as in a worker
            return _compare_lost(finished, lost(job, "engine", type(error).__name__, str(error)))
    return Divergence(job.name, None, "the cause", told(fault), now, "void")


def told(fault: dict[str, Any]) -> str:
    """Return a fault in one line."""
    return "{boundary}: {message}".format(**fault)


def _known(versions: dict[str, str]) -> dict[str, str] | None:
    return versions if any(versions.values()) else None


def _compare_lost(finished: Finished, again: Finished) -> Divergence | None:
    """Compare an episode that never had a world with what a run writes of it."""
    name = finished.job.name
    found = difference(finished.result, plain(again.result), {"wall_seconds"})
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
        self.shape = SHAPES[self.kind]
        self.hands: AgentHands = RepeatingHands(episode.hands, episode.world)
        self.ended: Ended = self.result["ended"]
        self.broken: Defect | None = None
        self.confirmed = True
        self.again_note = self.note
        self.never_written = ""
        self.without_turn = 0
        """The first recorded input that no turn of the transcript made; 0 if there is none."""

    def compare(self) -> Divergence | None:
        """Act again, then compare events, turns and result, in this order."""
        void = self.result["ended"] == "void"
        if self.kind == "cheat" and self.agent.partition(":")[2] not in self.episode.scenario.cheats:
            return Divergence(self.name, None, "the agent", self.agent, "no such cheat", "agent")
        if void and self._impossible():
            return Divergence(self.name, None, "the cause", told(self.result["fault"]), NEVER_WRITTEN, "void")
        if self.note and not self.shape.notes:
            return Divergence(self.name, None, "the note", self.note, "", "agent")
        strange = misfit(self.agent, self.turns, self.ended)
        if strange is not None:
            place = "agent" if strange.other_agent else "transcript"
            return Divergence(self.name, None, "a turn", None, None, place, strange.message)
        over = frozenset(event["seq"] for event in self.stored if event["reply"].get("stopped"))
        self.episode.world.chain.stopped = over
        stopped = self._stopped_by(self._act_again if self.kind in REPEATABLE_AGENTS else self._repeat_inputs)
        if self.never_written:
            at = f"step {len(self.episode.world.chain) + 1}"
            return Divergence(self.name, None, at, None, None, "events", f"{at}: {self.never_written}")
        if self.without_turn:
            told_by = "the turn of this event"
            return Divergence(self.name, self.without_turn, told_by, "nothing", "a turn", "transcript")
        if self._left_early() and not stopped:
            left = f"it stopped before the episode had ended; {self.kind} agents go on until then"
            return Divergence(self.name, None, "the end", None, None, "agent", left)
        again = self._finish()
        found = self._compare_events(stopped, void) or self._compare_turns()
        if found:
            return found
        if void and again["ended"] != "void" and self.confirmed:
            return Divergence(self.name, None, "the cause", told(self.result["fault"]), "nothing breaks", "void")
        differs = difference(self.result, again, {"wall_seconds"})
        if differs is None and self.again_note != self.note:
            differs = ("the note", *_cut(self.note, self.again_note))
        if differs is not None:
            return Divergence(self.name, None, *differs)
        wrong = wrong_turns(self.stored, self.turns, self.hands.marks)
        return Divergence(self.name, None, "the wall times", None, None, "times", wrong) if wrong else None

    def _impossible(self) -> bool:
        """Tell whether this agent cannot have met the fault: only some meet a provider or a sandbox."""
        boundary, kind = self.result["fault"]["boundary"], self.result["fault"]["kind"]
        if boundary not in NOT_REPEATABLE:
            return False
        started = boundary == "sandbox" and bool(self.turns)  # a sandbox fails before the first turn, or not at all
        known = kind in FAILURES[boundary] or kind in _system_errors()
        answered = boundary == "provider" and re.fullmatch(r"http_[1-9]\d\d", kind) is not None
        return self.kind not in NOT_REPEATABLE[boundary] or started or not (known or answered)

    def _left_early(self) -> bool:
        """Tell whether an agent stopped that goes on until the end; a model may call `finish` with a wrong report."""
        tried = self.shape.speaks and self.turns[-1:] and self.turns[-1].get("tool") == "finish"
        return self.shape.finishes and self.ended == "done" and self.episode.ended is None and not tried

    def _act_again(self) -> None:
        """Run the agent itself again; how it ends, and the note on that, follow from it.

        One that ran out of wall time would now go on, so it is stopped after its last recorded turn. If that was the
        last thing that it does, it was stopped before it could return.
        """
        seconds = AGENT_SECONDS
        overtime = OVERTIME.fullmatch(self.note) if self.result["ended"] == "time_limit" else None
        if overtime is not None:
            seconds = float(overtime[1])
            self.hands = StoppedHands(self.episode.hands, self.episode.world, len(self.turns))
        self.ended, self.again_note, self.broken = acted(self.agent, self.episode, self.hands, seconds)
        returned = (self.ended, self.again_note, self.broken, self.episode.ended) == ("done", "", None, None)
        if overtime is not None and returned and len(self.hands.transcript) == len(self.turns):
            self.ended, self.again_note = "time_limit", self.note

    def _repeat_inputs(self) -> None:
        """Repeat the recorded turns; requests are taken from the events, which hold them whole.

        Nothing else is: every input of an agent is one of its turns, and how it ended follows from `_ending`.
        """
        after_end = 0
        for turn in self.turns:
            if "said" in turn:
                self.hands.remember({"said": turn["said"], "usage": turn["usage"]})
                continue
            after_end += self.episode.ended is not None
            if self.shape.after_end is not None and after_end > self.shape.after_end:
                raise NeverWritten(f"no {self.kind} agent goes on for so long after the episode has ended")
            if "tool" in turn:
                self._repeat_call(turn)
            else:
                self._repeat_request(turn)
        left = next(self._inputs(), None)
        if left is not None and left["operation"] != "finish":
            self.without_turn = left["seq"]

    def _repeat_call(self, turn: dict[str, Any]) -> None:
        """Call a tool again; a person can only call the tools that there are."""
        known = {tool["name"] for tool in self.hands.tools}
        if self.kind == "person" and not (turn["tool"] in known and isinstance(turn["arguments"], dict)):
            raise NeverWritten(f"no person can call {turn['tool']!r} with these arguments")
        self.hands.call(turn["tool"], turn["arguments"])

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
        app = self.episode.app(turn["app"])
        check_seat(self.episode, app, **used)
        if canonical(turn, self.episode) != turn:
            raise NeverWritten(f"no run records the request {turn['http'][:SHOWN]!r} with these words")
        method, path = method_and_path(turn)
        running = self.episode.ended is None
        if "token" in turn and running:
            self._repeat_refusal(turn, app, used)
            return
        recorded = next(self._inputs(), None) if running and "request" not in turn else None
        if recorded is None:  # it came after the end, or it broke the episode
            sent = turn.get("request", {})
            self.hands.http(turn["app"], method, path, body_of(sent), sent.get("headers"), **used)
            return
        event = event_of(recorded, self.bodies)
        check_door(event, "python")
        check_request(app, event)
        check_actor(self.episode, event, self._shown(), turn.get("seat", ""), turn.get("credential", ""))
        if not is_request(app, method, path, event):
            asked = event.request
            method, path = asked["method"], f"https://{asked.get('host', '')}{asked['path']}?{asked['query']}"
        told = {**request_line(method, path), "app": event.app, **used}
        self._repeated(told, lambda: self.episode.redo(event))

    def _repeat_refusal(self, turn: dict[str, Any], app: App, used: dict[str, Any]) -> None:
        """Repeat a request that the app refused for its token, which left no event."""
        grants = app.product.grants
        if grants is None:
            raise NeverWritten(f"{app.name} gives out no tokens that it could refuse")
        method, path = method_and_path(turn)
        check_path(app, path)
        told = {**request_line(method, path), "app": app.name, **used}
        self._repeated(told, lambda: app.refuse(grants.refused), {"token": INVALID_TOKEN})

    def _repeated(
        self, turn: dict[str, Any], act: Callable[[], Reply | None], more: dict[str, Any] | None = None
    ) -> None:
        assert isinstance(self.hands, RepeatingHands)
        self.hands.repeat(turn, act, more or {})

    def _stopped_by(self, run: Callable[[], None]) -> str:
        """Run something; return what stopped it, or ""."""
        try:
            run()
        except NeverWritten as error:
            self.never_written = str(error)
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
        timed = self.ended != "time_limit" or OVERTIME.fullmatch(self.note) is not None
        return self.ended if timed and self.ended in self.shape.endings else "done"

    def _compare_events(self, stopped: str, void: bool) -> Divergence | None:
        chain = self.episode.world.chain
        for index, recorded in enumerate(self.stored):
            seq = recorded.get("seq")
            if index == len(chain):
                return Divergence(
                    self.name, seq, "the event", recorded.get("operation"), stopped or "nothing", "events"
                )
            again = event_json(chain.entry(index).open(whole=False), {})
            found = difference(recorded, plain(again), NOT_COMPARED)
            if found:
                return Divergence(self.name, seq, *found, "events" if index >= self.staged else "staging")
        if len(chain) > len(self.stored) and not (void and self.episode.ended != "void"):
            more = chain[len(self.stored)]
            return Divergence(self.name, more.seq, "the event", "nothing", more.operation, "events")
        return None

    def _compare_turns(self) -> Divergence | None:
        found = None
        for number, (old, new) in enumerate(zip(self.turns, self.hands.transcript, strict=False), 1):
            found = difference(old, plain(canonical(new, self.episode)), NOT_COMPARED)
            if found:
                return Divergence(self.name, None, f"turn {number}: {found[0]}", *found[1:], "transcript")
        counts = len(self.turns), len(self.hands.transcript)
        if counts[0] != counts[1]:
            return Divergence(self.name, None, "the number of turns", *counts, "transcript")
        return None


class RepeatingHands(AgentHands):
    """The interface that repeats recorded turns, under the limits of an agent."""

    def repeat(self, turn: dict[str, Any], act: Callable[[], Reply | None], more: dict[str, Any]) -> None:
        """Act as a turn did, and record what follows from it now."""
        with self._acting():
            reply = act()
            if reply is not None:
                self.remember({**turn, "text": reply.text, "is_error": bool(reply.refused), **more})


class StoppedHands(AgentHands):
    """The interface of an agent that ran out of wall time: it is interrupted after a number of turns."""

    def __init__(self, hands: Hands, world: World, turns: int) -> None:
        super().__init__(hands, world)
        self._turns = turns

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give the agent more time than it had: its turns stop it, however slow this machine is."""
        with super().within(max(seconds, AGENT_SECONDS)):
            yield

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
        same = all(event.request.get(name) == getattr(seen, name) for name in ("method", "path", "query"))
        return same and (event.request.get("host") or "") == seen.host and event.app == app.name
    return False


def check_path(app: App, path: str) -> None:
    """Raise NeverWritten unless this app can be asked for a path."""
    try:
        split_host(app, path)
    except LookupError:
        raise NeverWritten(f"{app.name} cannot be asked for {path[:SHOWN]!r}") from None


def _system_errors() -> set[str]:
    """Return the names of the exceptions that a connection or a new process can end with."""
    left: list[type[BaseException]] = [OSError, HTTPException]
    names: set[str] = set()
    while left:
        one = left.pop()
        names.add(one.__name__)
        left += one.__subclasses__()
    return names


def difference(old: Any, new: Any, ignored: set[str], path: str = "") -> tuple[str, Any, Any] | None:
    """Return the first place where two JSON documents differ, with both values; causes before the digests.

    Types count: 1 is neither 1.0 nor true, and a key with null is not a missing one.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys(), key=lambda key: (key in ("trace", "state"), key)):
            if key not in ignored:
                place = f"{path}.{key}" if path else key
                if key not in old or key not in new:
                    return place, *_cut(old.get(key, MISSING), new.get(key, MISSING))
                found = difference(old[key], new[key], set(), place)
                if found:
                    return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            found = difference(one, other, set(), f"{path}[{index}]")
            if found:
                return found
        return None
    return None if is_same(old, new) else (path, *_cut(old, new))


def is_same(old: Any, new: Any) -> bool:
    """Tell whether two values are equal and of the same type; 0.0 and -0.0 are not."""
    return type(old) is type(new) and old == new and (type(old) is not float or repr(old) == repr(new))


def plain(value: Any) -> Any:
    """Return a document as it is after it was stored."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _cut(old: Any, new: Any) -> tuple[Any, Any]:
    """Return both values; long texts are cut to where they begin to differ."""
    one, other = (value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in (old, new))
    if len(one) <= SHOWN and len(other) <= SHOWN:
        return old, new
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    first = max(0, at - SHOWN // 4)
    return one[first : first + SHOWN], other[first : first + SHOWN]
