"""Episode: one attempt at one scenario with one seed, on its own fork of a world."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import timedelta
from importlib.metadata import version
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from diorama.doors.tools import Observation, bounded, cut, json_body, observe, recordable, sendable, tools_of
from diorama.episodes.endings import end_text, refuse_ended
from diorama.episodes.gradebook import GRADEBOOK, Gradebook, gradebook_of
from diorama.episodes.grader import NOTHING, Grader, Seen
from diorama.episodes.hands import Hands, only_hands
from diorama.episodes.queue import one_at_a_time
from diorama.episodes.result import Ended, Result, Versions
from diorama.episodes.seats import actor_at, check_seats, split_host
from diorama.episodes.usage import check_size, check_variant
from diorama.kernel import Actor, Company, Defect, Event, Reply, Request, Signal, Snapshot, Tx, Wake, World, to_us
from diorama.kernel.budget import PACED_PRICE, SETTLEMENT_PRICE, TURN_PRICE
from diorama.kit import App, WrongArguments
from diorama.kit.auth import credential_in
from diorama.rewards.account import Score, ScorePart
from diorama.rewards.parts import View
from diorama.scenarios import Scenario, Stage, find
from diorama.worlds import company_of, open_world

X = TypeVar("X")
PACKAGE = version("diorama")
ACTING_DOORS = frozenset({"python", "tools", "http", "mcp", "browser"})
INPUT_DOORS = ACTING_DOORS | {"paced", "input"}
"""Doors for inputs from outside: replay feeds these in again, and everything else follows from them."""


ENDED_EARLY = "The wait ended early: too much happened in it. Wait again to go on."


class Settling(NamedTuple):
    """How far the world has run on after the end: from which event, until when, what more may cost."""

    first: int
    target: int
    price: int


class Episode:
    """An attempt in progress: the agent plane (call, http) and the control plane (the rest)."""

    def __init__(self, scenario: Scenario[Any], world: World, id: str = "") -> None:
        self.lock = threading.RLock()
        self.began = time.monotonic()
        self.scenario = scenario
        self.world = world
        self._settling: Settling | None = None
        self.gradebook: Gradebook
        self.truth: Any
        self._open_gradebook(world.truth.record(GRADEBOOK, Gradebook))
        self.id = id or f"{scenario.name}:{self.gradebook.split}:{self.gradebook.seed}"
        self.actor = Actor("agent", scenario.person)
        apps = [world.company.app(name) for name in scenario.apps]
        self._apps = {app.name: app for app in apps if isinstance(app, App)}
        self._tools = tools_of(list(self._apps.values()))
        check_seats(scenario, self._apps.values())

    # --- agent plane

    @property
    def brief(self) -> str:
        """The task text for the agent."""
        return self.scenario.brief(self.truth)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as JSON schemas."""
        return [tool.describe() for tool in self._tools.values()]

    @property
    def hands(self) -> Hands:
        """The agent interface of this episode."""
        return only_hands(self, tuple(self.scenario.seats))

    @property
    def ended(self) -> Ended | None:
        """How the episode ended, or None while it is running."""
        return "void" if self.world.defect is not None else self.gradebook.ended

    @one_at_a_time
    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Observation:
        """Call a tool: one turn. A mistake of the agent is an observation, never an exception."""
        if self.ended is not None:
            return Observation(end_text(self.ended), None, True, True)
        try:
            return self._call(sendable(tool), recordable(arguments) or {})
        except Exception as error:  # noqa: BLE001 - ours: whatever an agent can get wrong is an observation
            self.world.poison(Defect.around(error, "engine", f"tool {sendable(tool)[:100]}", len(self.world.chain)))
            return Observation(end_text("void"), None, True, True)

    @one_at_a_time
    def http(
        self,
        app: str,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        door: str = "python",
        *,
        seat: str = "",
        credential: str = "",
    ) -> Reply:
        """Speak an app's own API as the agent: one turn, the full wire contract, no socket.

        `path` may be a link of a reply: a URL with one of the app's host names. `seat` is one that the scenario allows,
        "" for the agent's own; `credential` is one of the kinds that this seat holds at the app, "" for the first.
        """
        target = self.app(app)
        host, path = split_host(target, path)
        path, _, query = path.partition("?")
        data = body if isinstance(body, bytes) else b"" if body is None else json_body(body)
        heads = {sendable(name).lower(): sendable(value) for name, value in (headers or {}).items()}
        if data and "content-type" not in heads:
            heads["content-type"] = "application/json"
        request = Request(sendable(method), sendable(path), sendable(query), heads, data, host)
        actor: Actor | None = actor_at(self.scenario, self.truth, target, seat, credential)
        token = None
        if target.product.grants is not None:
            heads.pop(target.product.grants.header, None)  # only a door says which token was shown
            shown = credential_in(target.product.auth, request)
            if shown is not None and target.product.grants.tokens.is_token(shown.secret):
                actor, token = None, shown.secret
        reply = self._request(target, target.without_credential(request), door, actor, token)
        return target.product.dressed(reply, self.world.hot.now)

    def app(self, name: str) -> App:
        """Return one of the scenario's apps; raise LookupError for any other."""
        target = self._apps.get(name)
        if target is None:
            raise LookupError(f"{self.scenario.name} has no app {name!r}; it has {', '.join(self._apps)}")
        return target

    @one_at_a_time
    def request(
        self, app: str, request: Request, door: str = "http", actor: Actor | None = None, token: str | None = None
    ) -> Reply:
        """Send one request through a door; after the end every request is refused and none is recorded.

        `actor` is the agent if it is not given. `token` is one that the world minted; it decides who acts.
        """
        return self._request(self.app(app), request, door, actor, token)

    def _request(
        self, target: App, request: Request, door: str, actor: Actor | None = None, token: str | None = None
    ) -> Reply:
        if self.ended is not None:
            return refuse_ended(target, self.ended)
        if token and target.product.grants is not None:
            admitted = target.product.grants.admit(self.world, request, token)
            if admitted is None:
                return target.refuse(target.product.grants.refused)
            request, actor = admitted
        sender = actor or actor_at(self.scenario, self.truth, target)
        try:
            return self._send(target, request, door, sender)
        except Exception as error:  # noqa: BLE001 - ours: no request of an agent may cause one
            self.world.poison(Defect.around(error, "door", f"{target.name} {request.path[:99]}", len(self.world.chain)))
            return target.refuse(target.product.refusal("failing", ""))

    def is_costly(self, size: int) -> bool:
        """Return whether a turn with a request of this size may take long, because much was written that is unread."""
        return self.ended is None and self.grader.is_costly(self.world.chain, self.gradebook, size)

    @one_at_a_time
    def elapse(self, seconds: float) -> None:
        """Record wall time that passed outside as a wait (paced clock); it does not count as a turn.

        From then on turns cost no declared thinking time. It ends early if too much is due, because a request waits.
        """
        if self.ended is None and seconds > 0:
            if not self.gradebook.paced:
                self._keep(replace(self.gradebook, paced=True))
            try:
                delay = timedelta(seconds=seconds)
                self._turn(lambda: self.world.wait(delay, None, self.actor, "paced", price=PACED_PRICE))
            except Defect as defect:
                self.world.poison(defect)

    # --- control plane

    @property
    def seed(self) -> int:
        """The seed of this variant."""
        return self.gradebook.seed

    @property
    def split(self) -> str:
        """The split: train, eval or eval-new."""
        return self.gradebook.split

    @property
    @one_at_a_time
    def turns(self) -> int:
        """The number of turns the agent has taken."""
        return self.world.turn

    @property
    def events(self) -> list[Event]:
        """All events, including those of staging."""
        return self.world.events[:]

    @property
    @one_at_a_time
    def state(self) -> str:
        """The digest of the state: equal for equal worlds."""
        return self.world.state

    @property
    def trace(self) -> str:
        """The digest of the history: equal for equal histories."""
        return self.world.trace

    @property
    def potential(self) -> float:
        """The current potential."""
        return self.gradebook.potential

    @property
    @one_at_a_time
    def score(self) -> Score:
        """The score if the episode ended now, without settlement."""
        return self._graded()[0]

    @one_at_a_time
    def snapshot(self) -> Snapshot:
        """Return a snapshot to restore later."""
        return self.world.snapshot()

    @one_at_a_time
    def fork(self, dice: int | None = None) -> Episode:
        """Return a second episode that continues from here; it shares everything that never changes."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.lock = threading.RLock()
        twin.began = time.monotonic()
        twin.world = self.world.fork(dice)
        twin.grader = self.grader.fork()
        twin.id = f"{self.id}'"
        return twin

    @one_at_a_time
    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot; a defect since then is undone too."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"restore takes what snapshot() returned, not {type(snapshot).__name__} {snapshot!r}")
        if snapshot.company.name != self.world.company.name:
            raise ValueError(f"this snapshot is of the world {snapshot.company.name}, not {self.world.company.name}")
        gradebook = gradebook_of(snapshot)
        if gradebook.truth is not self.gradebook.truth:
            self._open_gradebook(gradebook)
        self.gradebook = gradebook
        self._settling = None
        self.world.restore(snapshot)

    @one_at_a_time
    def finish(self, report: str = "", ended: Ended = "done", agent: str = "") -> Result:
        """Settle and grade: run the world on, at most to the horizon, then grade everything."""
        try:
            self._settle(report, ended)
            score, success = self._graded()
            reward = score.episode
            self.world.add_signals(
                len(self.world.chain) - 1, (Signal("reward", "episode", reward, self.gradebook.ended or "done"),)
            )
            return Result.scored(
                ended=self.gradebook.ended or "done", success=success, reward=reward, score=score,
                unreadable=list(self.grader.unreadable()), **self._about(agent)
            )  # fmt: skip
        except Defect as defect:
            return self.void(defect, agent)

    @one_at_a_time
    def settle(self, report: str = "", price: int = TURN_PRICE) -> bool:
        """Do a part of `finish`, so that other episodes get their turn; return whether the rest is to grade it."""
        try:
            return self._run_on(report, "done", price)
        except Exception as error:  # noqa: BLE001 - ours: `finish` says so
            self.world.poison(Defect.around(error, "engine", self.scenario.name, len(self.world.chain)))
            return True

    @one_at_a_time
    def void(self, defect: Defect, agent: str = "") -> Result:
        """End the episode as broken: poison the world and give no reward."""
        self.world.poison(self.world.defect or defect)
        return Result.void(self.world.defect or defect, **self._about(agent))

    @one_at_a_time
    def redo(self, event: Event) -> Reply | None:
        """Feed a recorded input in again, through its original door; return the reply if it is a request."""
        asked = event.request
        if event.operation == "wait" and event.door in INPUT_DOORS:
            if event.door == "paced":
                self.elapse(asked["seconds"])
            else:
                self._wait(asked["seconds"], asked["until"], event.door)
        elif event.operation in ("finish", "wrong_call"):
            if event.operation == "finish":
                self._end(asked["ended"], asked["report"], event.door)
            else:
                self._wrong(asked["tool"], asked["arguments"], asked["error"], event.door)
        elif event.door == "input":
            self._turn(lambda: self.world.apply(event.app, event.operation, Actor.named(event.actor), **asked["args"]))
        else:
            body = asked["body"] if isinstance(asked["body"], bytes) else asked["body"].encode()
            host = asked.get("host", "")
            request = Request(asked["method"], asked["path"], asked["query"], asked["headers"], body, host)
            return self.request(event.app, request, event.door, Actor.named(event.actor))
        return None

    # --- internals

    def _call(self, tool: str, arguments: dict[str, Any]) -> Observation:
        known = self._tools.get(tool)
        if known is None:
            return self._wrong(tool, arguments, f"no tool named {tool!r}; there are: {', '.join(self._tools)}")
        try:
            call = known.call(arguments, self.world.read)
        except WrongArguments as error:
            return self._wrong(tool, arguments, str(error))
        if call.method == "WAIT":
            return self._wait(call.body["minutes"] * 60.0, call.body["until"])
        if call.method == "FINISH":
            self._end("gave_up" if call.body["gave_up"] else "done", call.body["report"])
            return Observation("finished", None, False, True)
        app = self._apps[known.app]
        request = app.request_of(call)
        try:
            sender = actor_at(self.scenario, self.truth, app, credential=known.credential)
        except LookupError as error:  # the scenario does not give the agent this kind
            return self._wrong(tool, arguments, str(error))
        return self._with_end_notice(observe(known, self._send(app, request, "tools", sender)))

    def _send(self, target: App, request: Request, door: str, sender: Actor) -> Reply:
        """Send a request through the gateway and account for it."""
        think = self._think_seconds(door)
        return self._turn(lambda: self.world.send(target.name, request, sender, door, extra_seconds=think))

    def _wrong(self, tool: str, arguments: Any, error: str, door: str = "tools") -> Observation:
        """Record a call that fits no tool; it counts as a turn."""
        note = {"tool": tool[:1000], "arguments": cut(arguments), "error": error[:2000]}
        self._turn(lambda: self.world.record_turn(self.actor, door, "wrong_call", note, self._think_seconds(door)))
        return self._with_end_notice(Observation(bounded(f"error: {error}"), None, True))

    def _wait(self, seconds: float, until: str | None, door: str = "tools") -> Observation:
        left = self._remaining_us() / 1e6
        limit = timedelta(seconds=max(0.0, min(seconds, left)))
        stop: Literal["notice"] | None = "notice" if until == "notice" else None
        before = self.world.now
        woken: list[Wake] = self._turn(lambda: self.world.wait(limit, stop, self.actor, door, turn=True))
        now = self.world.now
        passed = (now - before).total_seconds() / 60.0
        lines = [f"It is now {now:%A %Y-%m-%d %H:%M} UTC; {passed:.0f} minutes have passed."]
        if now < before + limit and not (stop and woken):
            lines.append(ENDED_EARLY)
        lines.extend(f"- {wake.text}" for wake in woken)
        notices = [{"notice": wake.notice, **wake.data} for wake in woken]
        return self._with_end_notice(Observation("\n".join(lines), {"now": now.isoformat(), "notices": notices}))

    def _end(self, ended: Ended, report: str, door: str = "tools") -> None:
        report = sendable(report)
        if ended in ("done", "gave_up"):
            self.world.record_turn(self.actor, door, "finish", {"ended": ended, "report": report})
        self._keep(replace(self.gradebook, ended=ended, report=report))

    def _with_end_notice(self, seen: Observation) -> Observation:
        """Tell the agent when a limit has just ended the episode."""
        if self.ended is None:
            return seen
        return Observation(f"{seen.text}\n[{end_text(self.ended)}]", seen.data, seen.is_error, True)

    def _think_seconds(self, door: str) -> float:
        """Return the declared thinking time of a turn; under a paced clock the time outside already counts."""
        return self.scenario.think_seconds if door in ACTING_DOORS and not self.gradebook.paced else 0.0

    def _turn(self, act: Callable[[], X]) -> X:
        """Run one input, then update the account and the limits."""
        world = self.world
        first, before = len(world.chain), world.hot.state
        result = act()
        gradebook = self.gradebook
        seen = self._judged(lambda: self.grader.notice(world.chain, first, gradebook))
        hot = world.hot
        if seen or hot.state != before:
            gradebook = self._account(first, seen)
        last = hot.turn >= self.scenario.turns or world.is_over
        if gradebook.ended is None and (last or hot.now >= self._deadline_us()):
            gradebook = replace(gradebook, ended="step_limit" if last else "time_limit")
        if gradebook is not self.gradebook:
            self._keep(gradebook)
        return result

    def _open_gradebook(self, gradebook: Gradebook) -> None:
        """Take over what staging wrote into a gradebook."""
        if gradebook.scenario != self.scenario.name:
            raise ValueError(f"this snapshot is of the scenario {gradebook.scenario}, not {self.scenario.name}")
        self.gradebook = gradebook
        self.truth = msgspec.convert(gradebook.truth, self.scenario.truth)
        self.grader = Grader(self.scenario, self.truth, gradebook.open_facts)

    def _remaining_us(self) -> int:
        return self._deadline_us() - to_us(self.world.now)

    def _deadline_us(self) -> int:
        return self.gradebook.staged_us + round(self.scenario.hours * 3.6e9)

    def _judged(self, function: Any) -> Any:
        """Run grader code; any exception is a Defect of the grader."""
        try:
            return function()
        except Exception as error:
            raise Defect.around(error, "grader", self.scenario.name, len(self.world.chain)) from error

    def _account(self, first: int, seen: Seen = NOTHING, end: bool = False) -> Gradebook:
        """Log the change of the potential in this turn, and the phases it completed; return the gradebook with both."""
        before = self.gradebook
        gradebook = before
        if seen:
            gradebook = replace(
                before,
                deeds=(*before.deeds, *seen.deeds),
                looked=(*before.looked, *seen.looked),
                shown=(*before.shown, *seen.shown),
            )
        verdict = self._judged(lambda: self.grader.judge(self.world, gradebook, end))
        signals = self.grader.signals(verdict, before, seen.looked)
        if signals:
            self.world.add_signals(min(first, len(self.world.chain) - 1), tuple(signals))
        return self.grader.booked(verdict, gradebook)

    def _keep(self, gradebook: Gradebook) -> None:
        """Replace the gradebook, in the image first."""
        self.world.truth.write_record(GRADEBOOK, gradebook)
        self.gradebook = gradebook

    def _run_on(self, report: str, ended: Ended, price: int) -> bool:
        """End the episode, then run the world on, at most to the horizon; return whether that is over.

        People reopen tickets and rate, targets are missed. All of it together may cost SETTLEMENT_PRICE, and the memory
        of an episode; the rest is not run, which is recorded, and the episode earns nothing.
        """
        until: Literal["rest"] | None = "rest" if self.scenario.settles == "rest" else None
        if self._settling is None:
            if self.ended is None:
                self._end(ended, report)
            target = self.gradebook.staged_us + round(self.scenario.horizon_hours * 3.6e9)
            first, left = len(self.world.chain), target - to_us(self.world.now)
            if left > 0:
                self.world.wait(timedelta(microseconds=left), until, price=0)
            self._settling = Settling(first, target, SETTLEMENT_PRICE if left > 0 else 0)
        first, target, whole = self._settling
        if whole <= 0:
            return True
        part = min(price, whole)
        over, left = self.world.go_on(target, until, part)
        self._settling = Settling(first, target, 0 if over or self.world.is_over else whole - part + left)
        if not over and self._settling.price <= 0:
            self.world.record_rest("settlement_limit", target, until)
            self._keep(replace(self.gradebook, unsettled=True))
        return self._settling.price <= 0

    def _settle(self, report: str, ended: Ended) -> None:
        """Run the world on, then judge everything."""
        while not self._run_on(report, ended, SETTLEMENT_PRICE):
            pass
        assert self._settling is not None
        gradebook = self._account(self._settling.first, end=True)
        self._settling = None
        if gradebook is not self.gradebook:
            self._keep(gradebook)

    def _graded(self) -> tuple[Score, bool]:
        graded: tuple[Score, bool] = self._judged(lambda: self.grader.score(self.world, self.gradebook, self._steps()))
        return graded

    def _steps(self) -> list[ScorePart]:
        """Return the logged changes of the potential, turn by turn."""
        out = []
        for index in range(self.gradebook.staged_seq, len(self.world.chain)):
            entry = self.world.chain.entry(index)
            for signal in entry.signals:
                if signal.scale == "step":
                    said = signal.because, (index + 1,), signal.expected, signal.found
                    out.append(ScorePart(f"seq {index + 1}", "step", signal.value, *said))
        return out

    def _about(self, agent: str) -> dict[str, Any]:
        world, gradebook = self.world, self.gradebook
        broken, world.defect = world.defect, None
        try:
            now_us = to_us(world.now)
            return {
                "episode": self.id,
                "scenario": self.scenario.name,
                "seed": gradebook.seed,
                "split": gradebook.split,
                "versions": Versions(world.pages.image.digest, PACKAGE, self.scenario.version),
                "turns": world.turn,
                "virtual_seconds": (now_us - gradebook.staged_us) / 1e6,
                "state": world.state,
                "trace": world.trace,
                "plan": str(getattr(self.truth, "plan", "")),
                "agent": agent,
                "wall_seconds": time.monotonic() - self.began,
            }
        finally:
            world.defect = broken


def start(
    scenario: str | Scenario[Any],
    seed: int = 0,
    *,
    split: str = "train",
    size: str | None = None,
    restage: bool = False,
    company: Company | None = None,
) -> Episode:
    """Stage a scenario on a fork of its world; a failure here is a Defect at the boundary `reset`.

    Wrong arguments raise LookupError, TypeError or ValueError.

    A variant that this process staged recently is forked instead of staged again, unless `restage` is set. `company`
    replaces the scenario's own world, for example by the same one with further apps.
    """
    began = time.monotonic()
    if not isinstance(scenario, str | Scenario):
        raise TypeError(f"scenario is a name such as 'zendesk/late-refund', not {type(scenario).__name__} {scenario!r}")
    chosen = find(scenario) if isinstance(scenario, str) else scenario
    check_variant(seed, split, chosen.splits)
    if size is not None:
        check_size(size, (company or company_of(chosen.world)).sizes)
    try:
        world = open_world(company or chosen.world, size or chosen.size, f"{chosen.name}/{split}/{seed}")
        variant = (chosen, type(chosen).stage, seed, split, world.pages.image)
        staged = None if restage else _STAGED.find(variant)
        if staged is None:
            staged = _stage(chosen, world, seed, split)
            _STAGED.keep(variant, staged)
        episode = Episode(chosen, World.at(staged))
        episode.began = began
        return episode
    except Defect:
        raise
    except Exception as error:
        raise Defect.around(error, "reset", f"{chosen.name} seed {seed} ({split})") from error


def _stage(chosen: Scenario[Any], world: World, seed: int, split: str) -> Snapshot:
    """Stage a variant on a fresh world; return the snapshot from which every attempt starts."""
    truth = chosen.stage(Stage(world, chosen.name, seed, split))
    staged = len(world.chain)
    gradebook = Gradebook(chosen.name, seed, split, truth, to_us(world.now), staged, ())

    def still_open(tx: Tx) -> tuple[str, ...]:
        view = View(tx, world.chain, gradebook.staged_us, staged)
        return tuple(f.name for f in chosen.facts_for(truth) if f.deed or not f.check(chosen, view, truth))

    world.truth[GRADEBOOK] = replace(gradebook, open_facts=world.read(still_open))
    world.truth.record(GRADEBOOK, Gradebook)  # decoded once for all attempts
    return world.snapshot()


class _Staged:
    """A cache of recently staged variants: a new attempt starts from a fork instead of staging again."""

    AT_MOST = 64

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Any, Snapshot] = OrderedDict()

    def find(self, variant: Any) -> Snapshot | None:
        with self._lock:
            found = self._known.get(variant)
            if found is not None:
                self._known.move_to_end(variant)
            return found

    def keep(self, variant: Any, staged: Snapshot) -> None:
        with self._lock:
            self._known[variant] = staged
            while len(self._known) > self.AT_MOST:
                self._known.popitem(last=False)


_STAGED = _Staged()
