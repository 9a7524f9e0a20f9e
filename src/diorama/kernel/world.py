"""World: one company at one moment, and the gateway that every request passes."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, Literal, TypeVar

import msgspec

from diorama.kernel.app import App, Wake
from diorama.kernel.budget import (
    BODY_SHIFT,
    BYTES_SHIFT,
    REQUEST,
    TURN_PRICE,
    UNLIMITED,
    WAIT_PRICE,
    OverBudget,
)
from diorama.kernel.changes import Change
from diorama.kernel.company import Company
from diorama.kernel.concluding import conclude
from diorama.kernel.errors import Boundary, Defect, Missing, Refusal
from diorama.kernel.events import BODY_AT_MOST, NO_BODIES, Bodies, Chain, Core, Entry, Signal, chained
from diorama.kernel.growth import check_size, is_full, is_over, is_too_large, start_over
from diorama.kernel.hot import Hot
from diorama.kernel.lane import LANES, Lane
from diorama.kernel.pages import Image, Layer, PageMap
from diorama.kernel.records import from_us
from diorama.kernel.snapshot import Snapshot
from diorama.kernel.truth import Truth
from diorama.kernel.tx import CALL, Tx
from diorama.kernel.wire import ANONYMOUS, FATE, Actor, Reply, Request
from diorama.kernel.work import NEXT, NEXT_OF_STORY, Due, Outcome, Work, loggable, outcome_note, title

T = TypeVar("T")
TABLE_OF = itemgetter(0)  # the table of a raw row change


class World:
    """One live world. Python holds its page map and the head of its chain; all state is in the page map."""

    __slots__ = ("chain", "company", "defect", "pages")

    def __init__(self, company: Company, pages: PageMap, chain: Chain, defect: Defect | None = None) -> None:
        self.company = company
        self.pages = pages
        self.chain = chain
        self.defect = defect

    @classmethod
    def open(cls, company: Company, image: Image, seed: int | str = 0) -> World:
        """Open a world at the image's moment, with dice of its own."""
        world = cls(company, PageMap(image), Chain())
        world._rekey("seed", seed)
        return world

    # --- reading

    @property
    def hot(self) -> Hot:
        """The clock row and the meters."""
        return self.pages.hot or self._lane().hot()

    @property
    def now(self) -> datetime:
        """The world's current time."""
        return from_us(self.hot.now)

    @property
    def state(self) -> str:
        """Digest of all rows: is this the same world?"""
        return self.hot.state.hex()

    @property
    def trace(self) -> str:
        """Digest of all events: is this the same history?"""
        return self.chain.head.hex()

    @property
    def turn(self) -> int:
        """The number of turns the agent has taken."""
        return self.hot.turn

    @property
    def progress(self) -> tuple[int, int]:
        """The time in microseconds and the number of turns, in one read."""
        hot = self.hot
        return hot.now, hot.turn

    @property
    def events(self) -> Chain:
        """All events, oldest first."""
        return self.chain

    @property
    def truth(self) -> Truth:
        """The control plane's own facts, stored in the image."""
        return Truth(self)

    def read(self, function: Callable[..., T], *args: Any, boundary: Boundary = "grader") -> T:
        """Run fn(tx, ...) read-only and return its result; no event is recorded."""
        self._check_usable()
        lane = self._lane()
        lane.busy = True
        lane.start(UNLIMITED)
        lane.begin()
        try:
            hot = lane.hot()
            LANES.now_us = hot.now
            tx = Tx(lane, self.company, self.company.system.name, FATE, hot.now, hot.seq, hot.seq, hot.dice, "read")
            tx.adopt(hot, lane.counts)
            result = function(tx, *args)
            if lane.journal.raw:
                raise Defect(f"{function!r} is read-only, but it wrote to {lane.journal.raw[0][0]}", boundary=boundary)
            return result
        finally:
            lane.journal.raw.clear()
            lane.roll_back()
            lane.busy = False

    # --- acting

    def send(
        self,
        app: str,
        request: Request,
        actor: Actor,
        door: str = "python",
        turn: bool = True,
        extra_seconds: float = 0.0,
    ) -> Reply:
        """Pass one request of one actor through the gateway: one transaction and one event."""
        work = self._request_work(app, request, actor, door, turn, extra_seconds)
        outcome = self._transact(work)
        if work.turn and outcome.due_us <= outcome.now_us:
            self._run_to(outcome.now_us)
        return outcome.result  # type: ignore[no-any-return] # serve() answers a Reply

    def do(
        self,
        function: Callable[..., T],
        actor: Actor | str,
        *args: Any,
        boundary: Boundary = "app",
        rooted: bool = True,
        **named: Any,
    ) -> T:
        """Run fn(tx, ...) as one transaction and one event, for staging and tests.

        An unrooted one belongs to the world's routine, not to the story: settlement does not wait for it.
        """
        note = {"function": title(function), "args": loggable(args), "named": loggable(named)}
        work = Work(
            app=self._declaring_app(function),
            actor=Actor.named(actor) if isinstance(actor, str) else actor,
            door="control",
            operation=f"do:{note['function']}",
            recorded=note,
            body=lambda tx: function(tx, *args, **named),
            boundary=boundary,
            rooted=rooted,
            budget=UNLIMITED,
        )
        return self._transact(work).value()  # type: ignore[no-any-return] # whatever fn returned

    def apply(self, app: str, command: str, actor: Actor = FATE, **args: Any) -> Any:
        """Run a declared command with JSON arguments, as a recorded input from outside."""
        target = self.company.app(app)
        function = target.product.commands[command]
        work = Work(
            app=target,
            actor=actor,
            door="input",
            operation=command,
            recorded={"args": args},
            body=lambda tx: function(tx, **args),
        )
        return self._transact(work).value()

    def plan(self, delay: timedelta, command: Callable[..., Any], /, **args: Any) -> int:
        """Schedule a command on the agenda from the control plane."""
        return int(self.do(lambda tx: tx.later(delay, command, **args), FATE))

    def wait(
        self,
        delay: timedelta,
        until: Literal["notice", "rest"] | None = None,
        actor: Actor = FATE,
        door: str = "control",
        turn: bool = False,
        price: int = WAIT_PRICE,
    ) -> list[Wake]:
        """Let time pass: record one event, then run the agenda in order. Return what woke the actor.

        Until `notice`: stop at the first notice that wakes the actor. Until `rest`: run only entries that this episode
        caused, while there are any. The wait ends early when they have cost the `price`.
        """
        seconds = delay.total_seconds()
        work = Work(
            app=self.company.system,
            actor=actor,
            door=door,
            operation="wait",
            recorded={"seconds": seconds, "until": until},
            body=lambda tx: None,
            turn=turn,
        )
        outcome = self._transact(work)
        target = outcome.now_us + round(seconds * 1e6)
        return self._run_to(target, stop=until, person=actor.name, price=price)[0]

    def go_on(self, target: int, until: Literal["rest"] | None, price: int) -> tuple[bool, int]:
        """Run some more entries of a wait; return whether it is over, and what of the price is left.

        The history is the same in however many parts.
        """
        self._check_usable()
        _, price = self._run_to(target, stop=until, price=price)
        left = self._lane().control(NEXT_OF_STORY if until == "rest" else NEXT)
        return not left or left[0][1] > target, price

    @property
    def is_over(self) -> bool:
        """Whether this world has used all of its memory, so that nothing more happens in it."""
        return is_over(self.pages, self.chain)

    def record_rest(self, operation: str, target: int, until: Literal["rest"] | None) -> None:
        """Record that the entries of a wait that are left will not run, and how many there are."""
        of_story = " AND root > 0" if until == "rest" else ""
        found = self._lane().control(f"SELECT count(*) FROM _agenda WHERE at <= ?{of_story}", (target,))
        work = Work(
            app=self.company.system,
            actor=FATE,
            door="control",
            operation=operation,
            recorded={"left": found[0][0]},
            body=lambda tx: None,
        )
        self._transact(work)

    def record_turn(
        self, actor: Actor, door: str, operation: str, recorded: dict[str, Any], seconds: float = 0.0
    ) -> None:
        """Record a turn that reached no app (a wrong tool call, a finish): one event, no change."""
        work = Work(
            app=self.company.system,
            actor=actor,
            door=door,
            operation=operation,
            recorded=recorded,
            body=lambda tx: None,
            turn=True,
            extra_seconds=seconds,
        )
        outcome = self._transact(work)
        if outcome.due_us <= outcome.now_us:
            self._run_to(outcome.now_us)

    # --- branching

    def snapshot(self) -> Snapshot:
        """Return a moment that can be restored."""
        self._check_usable()
        pages = self.pages
        return Snapshot(
            self.company, pages.image, pages.freeze(), pages.pages, self.chain.branch(), pages.hot, pages.decoded
        )

    def written(self) -> Layer:
        """Return every page that differs from the image, as a file would hold it."""
        self._lane(alone=True).flush()
        return self.pages.written()

    def fork(self, dice: int | None = None) -> World:
        """Return a second world that starts here; it gets new dice only if `dice` is given."""
        if dice is not None and not -(1 << 63) <= dice < 1 << 63:
            raise ValueError("dice must be a 64-bit integer")
        twin = World(self.company, self.pages.fork(), self.chain.branch(), self.defect)
        if dice is not None:
            twin._rekey("fork", dice)
        return twin

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot; everything since is undone, a defect included."""
        self.pages = snapshot.map()
        self.chain = snapshot.chain.branch()
        self.defect = None

    @classmethod
    def at(cls, snapshot: Snapshot) -> World:
        """Return a new world at a snapshot."""
        return cls(snapshot.company, snapshot.map(), snapshot.chain.branch())

    def add_signals(self, index: int, signals: tuple[Signal, ...]) -> None:
        """Attach a grader's signals to an event; they are not hashed."""
        entry = self.chain.entry(index)
        entry.signals = (*entry.signals, *signals)

    def poison(self, defect: Defect) -> None:
        """Raise this defect at every use from here on, until an earlier snapshot is restored."""
        self.defect = defect

    # --- internals

    def _check_usable(self) -> None:
        if self.defect is not None:
            raise self.defect

    def _lane(self, alone: bool = False) -> Lane:
        lane = LANES.borrow(self.pages.image, self.company.tracked, self.pages if alone else None)
        lane.bind(self.pages)
        return lane

    def _declaring_app(self, function: Callable[..., Any]) -> App:
        """Return the app whose package declares a function, or the world itself."""
        module = getattr(function, "__module__", "") or ""
        for app in self.company.apps:
            if f"{module}.".startswith(f"{app.product.package}."):
                return app
        return self.company.system

    def _rekey(self, purpose: str, number: int | str) -> None:
        self._transact(
            Work(
                app=self.company.system,
                actor=FATE,
                door="control",
                operation=purpose,
                recorded={"number": number},
                body=lambda tx: tx.rekey(purpose, number),
            )
        )

    def _request_work(
        self, app: str, request: Request, actor: Actor, door: str, turn: bool = False, extra_seconds: float = 0.0
    ) -> Work:
        """Describe the transaction of one request; only the headers that the app reads are recorded.

        The name of the main host is left out, so that the same call is the same event through every door.
        """
        target = self.company.app(app)
        request, over = target.bounded(request), None
        if len(request.body) > BODY_AT_MOST and is_full(self._lane(), self.pages.pages, self.chain):
            over = OverBudget("bytes of the episode")  # refused by its size alone: a part of the body is recorded
            request = msgspec.structs.replace(request, body=request.body[: BODY_AT_MOST + 1])
        turn = turn and not target.is_background(request)
        headers = target.recorded_headers(request.headers)
        recorded = {"method": request.method, "path": request.path, "query": request.query, "headers": headers}
        host = request.host
        if host and host.lower() == target.hosts.get(""):
            host = ""
        if host:
            recorded["host"] = host
        if headers or request.headers or host != request.host:
            request = Request(request.method, request.path, request.query, headers, request.body, host)
        return Work(
            app=target,
            actor=actor,
            door=door,
            recorded=recorded,
            body=lambda tx: target.serve(tx, request),
            request=request,
            turn=turn,
            extra_seconds=extra_seconds,
            budget=REQUEST,
            over=over,
        )

    # --- one transaction

    def _transact(self, work: Work) -> Outcome:
        """Run one transaction and record one event; anything unexpected is a defect that poisons this world."""
        if self.defect is not None:
            raise self.defect
        started = time.time()
        lane = self._lane(alone=True)
        lane.busy = True
        before, clock = lane.hot(), None
        lane.undone = lane.journal.undone = 0
        pages = self.pages.pages
        try:
            lane.begin()
            over = work.over
            while True:
                clock = before.copy()
                clock.seq += 1
                clock.turn += work.turn
                if work.due is not None:
                    clock.now = max(clock.now, work.due.at_us)  # an entry that was planned for the past is late
                LANES.now_us = clock.now
                result, refusal, tx = self._run(lane, clock, work, over)
                changes, target = conclude(lane, clock, work, tx)
                bodies = Bodies()
                core = self._describe(clock, work, tx, result, refusal, changes, bodies)
                payload, trace = chained(self.chain.head, core)  # what cannot be recorded is not committed
                entry = Entry(payload, work.door, clock.state, trace, started, bodies or NO_BODIES)
                if over is not None or not (reason := is_too_large(lane, work, entry, pages, self.chain)):
                    break
                over = OverBudget(reason)
                start_over(lane)
            if clock.due > target:
                clock.now = target
            self.pages.hot = clock
            kept = sum(map(len, bodies.values())) if bodies else 0
            price = lane.price + (len(payload) >> BYTES_SHIFT) + (kept >> BODY_SHIFT)
            lane.commit()
        except Exception as error:
            at = clock.seq if clock is not None else -1
            self.defect = Defect.around(error, work.boundary or work.app.product.boundary, work.title, at)
            raise self.defect from error
        finally:
            if lane.roll_back():  # also after Ctrl-C in the middle
                self.pages.hot = before
            lane.journal.raw.clear()
            lane.busy = False
        self.chain.append(entry)
        return Outcome(result, refusal, tx.wakes, target, clock.due, tx.root, price)

    def _open(self, lane: Lane, clock: Hot, work: Work) -> Tx:
        """Return the transaction's view of the world, with a due agenda entry taken off the agenda."""
        due = work.due
        root = due.root if due is not None else work.root or (clock.seq if work.rooted else 0)
        tx = Tx(
            lane, self.company, work.by or work.app.name, work.actor, clock.now, clock.seq, root, clock.dice, work.door
        )  # fmt: skip
        tx.operation = work.operation
        tx.adopt(clock, lane.counts)
        if due is not None:
            lane.control("DELETE FROM _agenda WHERE id = ?", (due.id,))
            tx._agenda_touched = True
        return tx

    def _run(
        self, lane: Lane, clock: Hot, work: Work, over: OverBudget | None = None
    ) -> tuple[Any, Refusal | Missing | None, Tx]:
        """Run the body, its notices and its watchers; after a refusal record the refusal alone.

        `over` refuses what the body did, whatever it was.
        """
        lane.start(work.budget)
        pages = self.pages.pages
        if self.chain.stopped is not None:
            over = self._recorded_stop(lane, clock) or over
        tx = self._open(lane, clock, work)
        try:
            try:
                result = work.body(tx)
                tx.deliver_notices()
                if lane.journal.raw and not self.company.watched.isdisjoint(map(TABLE_OF, lane.journal.raw)):
                    tx.run_watchers(lane.journal)
                check_size(lane, work, result, pages, self.chain)
            except (Refusal, Missing, OverBudget) as error:
                if over is None or lane.is_far_from_stop(over):
                    raise
                raise over from error
            if over is not None and not lane.is_far_from_stop(over):
                raise over
            return result, None, tx
        except (Refusal, Missing, OverBudget) as refused:
            if isinstance(refused, Missing) and work.request is None and work.due is not None:
                raise
            if isinstance(refused, OverBudget) and work.budget is UNLIMITED:
                raise  # a fault of the control plane
            return self._refused(lane, clock, work, tx, refused)

    def _refused(
        self, lane: Lane, clock: Hot, work: Work, tx: Tx, refused: Refusal | Missing | OverBudget
    ) -> tuple[Any, Refusal | Missing, Tx]:
        """Undo a transaction, and record its refusal alone."""
        if isinstance(refused, OverBudget):
            refusal = work.app.over_budget(refused)
            refusal.stopped = refused.stopped
            refused = refusal
        start_over(lane)
        again = self._open(lane, clock, work)
        again.operation, again.seconds, again.actor = tx.operation, tx.seconds, tx.actor
        if work.request is None:
            return None, refused, again
        refused.__traceback__ = refused.__cause__ = refused.__context__ = None  # their frames hold this world
        work.app.meter(again, work.request)
        return work.app.refuse(refused, again), refused, again

    def _recorded_stop(self, lane: Lane, clock: Hot) -> OverBudget | None:
        """In a replay: return what the record says about the backstop, and switch it off unless it fired."""
        if clock.seq in (self.chain.stopped or ()):
            return OverBudget("steps", stopped=True)
        lane.ticking = False
        return None

    def _describe(
        self,
        clock: Hot,
        work: Work,
        tx: Tx,
        result: Any,
        refusal: Refusal | Missing | None,
        changes: list[Change],
        bodies: Bodies,
    ) -> Core:
        """Return the hashed part of the event; large bodies are put into `bodies`."""
        recorded = work.recorded
        if work.request is not None:
            recorded["body"] = self.chain.recorded(work.request.body, bodies)
            body = self.chain.recorded(result.body, bodies)
            reply = {"status": result.status, "headers": result.headers, "body": body}
            if result.refused:
                reply["refused"] = result.refused
        else:
            reply = outcome_note(refusal)
        if isinstance(refusal, Refusal) and refusal.stopped:
            reply["stopped"] = True
        return Core(
            clock.seq, clock.turn, tx.root, clock.now, str(tx.actor), work.app.name, tx.operation, recorded, reply,
            changes, tx.emitted,
        )  # fmt: skip

    # --- the agenda

    def _run_to(
        self,
        target: int,
        stop: Literal["notice", "rest"] | None = None,
        person: str | None = None,
        price: int = TURN_PRICE,
    ) -> tuple[list[Wake], int]:
        """Run the agenda in order up to a time, then set the clock to it; return what woke a person, and what is left.

        Once the price is spent, the rest of the agenda runs later, and the clock stays at the last entry that ran.
        """
        seen: list[Wake] = []
        following = NEXT_OF_STORY if stop == "rest" else NEXT
        while (found := self._lane().control(following)) and found[0][1] <= target:
            if price <= 0 or self.is_over:
                return seen, price
            wakes, spent = self._fire(Due(*found[0]))
            price -= spent
            seen.extend(wake for wake in wakes if wake.person == person)
            if stop == "notice" and seen:
                return seen, price
        if stop != "rest":
            hot = self.hot
            if hot.now < target:
                self.pages.hot = msgspec.structs.replace(hot, now=target)
        return seen, price

    def _fire(self, due: Due) -> tuple[list[Wake], int]:
        """Run one entry of the agenda; return what it woke, and its price."""
        named = msgspec.json.decode(due.args)
        if due.command == CALL:
            return self._call(due, named)
        target = self.company.app(due.app)
        function = target.product.commands[due.command]
        work = Work(
            app=target,
            actor=Actor("system", due.app),
            door="agenda",
            operation=due.command,
            recorded={"args": named},
            body=lambda tx: function(tx, **named),
            by=due.by,
            due=due,
        )
        outcome = self._transact(work)
        return outcome.wakes, outcome.price

    def _call(self, due: Due, note: dict[str, Any]) -> tuple[list[Wake], int]:
        """Send one app's request to another app of this world, then hand the answer to the caller's command."""
        asked = msgspec.convert({**note["request"], "body": b""}, Request)
        asked = msgspec.structs.replace(asked, body=note["request"]["body"].encode())
        target = self.company.app(due.app)
        anonymous = self._request_work(due.app, target.without_credential(asked), ANONYMOUS, "world")

        def serve(tx: Tx) -> Reply:
            request = anonymous.request or asked
            tx.actor, request = target.authenticate(tx, asked) or (tx.actor, request)
            return target.serve(tx, request)

        caller = note["by"].partition(".")[0]
        outcome = self._transact(msgspec.structs.replace(anonymous, body=serve, due=due, by=f"{caller}.call"))
        app, command, args = note["then"]
        function = self.company.app(app).product.commands[command]
        reply: Reply = outcome.result
        args = {**args, "status": reply.status, "headers": reply.headers, "body": reply.text}
        answer = Work(
            app=self.company.app(app),
            actor=Actor("system", app),
            door="agenda",
            operation=command,
            recorded={"args": args},
            body=lambda tx: function(tx, **args),
            by=f"{app}.{command}",
            rooted=False,
            root=outcome.root,
        )
        second = self._transact(answer)
        return [*outcome.wakes, *second.wakes], outcome.price + second.price
