"""The live episodes of one process: their tokens, leases, snapshots and clocks."""

import asyncio
import copy
import logging
import mmap
import resource
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from diorama.doors.credentials import Credentials
from diorama.doors.hosts import links_of, reaches
from diorama.doors.http import Door
from diorama.doors.links import Links
from diorama.doors.meter import Figures, prometheus
from diorama.doors.turns import Turns
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.episodes.seats import kinds_at
from diorama.kernel import ANONYMOUS, Actor, Defect, Reply, Request, Snapshot, image_of
from diorama.kit import App
from diorama.kit.tokens import MARK, tokens_of
from diorama.runs.pipes import Problem
from diorama.scenarios import Scenario, find, load_all
from diorama.server.control import CallRequest, FinishRequest, ForkRequest, RestoreRequest, StartRequest, WaitRequest
from diorama.server.ended import EndedEpisode, EndedEpisodes, EndedSession, Remnant
from diorama.worlds import company_of

log = logging.getLogger("diorama.host")

T = TypeVar("T")

LEASE_SECONDS = 1800.0
EVENTS_AT_MOST = 5000
SOME_EVENTS = 50
LONGEST_WAIT_SECONDS = 14 * 86400.0
LONG_SECONDS = 60.0
"""How long a wait, a settlement or a staging may run before the watchdog interrupts it."""


class Session:
    """One person, or an anonymous client, at one app of one live episode."""

    __slots__ = ("_episode", "actor", "app", "issued", "live", "login", "mark", "secret", "token", "tokens")

    def __init__(self, episode: "LiveEpisode", app: App, actor: Actor, *, secret: str = "", token: str = "") -> None:
        """`secret` verifies signatures; `token` is one that the world minted, and then decides who acts."""
        self._episode: LiveEpisode | None = episode
        self.app = app
        self.actor = actor
        self.login = actor.name
        self.secret = secret
        self.token = token
        self.mark = episode.mark
        self.issued = episode.issued
        self.tokens = episode.tokens
        self.live = True

    @property
    def now_us(self) -> int:
        """The time of its world."""
        return self._episode.episode.world.hot.now if self._episode is not None else 0

    def send(self, request: Request) -> Reply:
        """Send a request as this person, after the wall time that a paced clock owes the world."""
        live = self._episode
        assert live is not None
        live.touched = time.monotonic()
        if live.pace:
            live.catch_up()
        episode, app = live.episode, self.app.name
        was_broken = episode.ended == "void"
        reply = episode.request(app, request, "http", self.actor, token=self.token)
        if episode.world.defect is not None and not was_broken:
            log.error("episode %s is void: %s", live.id, episode.world.defect.message)
        return reply

    def is_costly(self, size: int) -> bool:
        """Return whether a request of this size may make the grader read much."""
        return self._episode is not None and self._episode.episode.is_costly(size)

    def links(self, at_origin: bool) -> Links:
        """Return the addresses of the episode's apps, as clients of its origin or of the shared ports know them."""
        assert self._episode is not None
        return self._episode.links(at_origin)

    def end(self) -> None:
        """Refuse the credential from now on."""
        self.live = False
        self._episode = None


class LiveEpisode:
    """One episode, and the control plane's data about it."""

    def __init__(
        self, id: str, episode: Episode, options: StartRequest, lease_seconds: float, base_urls: Mapping[str, str]
    ) -> None:
        self.id = id
        self.mark = secrets.token_hex(MARK // 2)  # also a label of host names: lower case
        self.episode = episode
        self.tokens = tokens_of(episode.world.company)
        self.options = options
        self.lease_seconds = lease_seconds
        self.touched = time.monotonic()
        self.pace = options.rate if options.clock == "paced" else 0.0
        self.paid = self.touched  # wall time that a paced world has already recorded
        self.sessions: dict[tuple[str, str], Session] = {}
        self.issued: list[str] = []  # secrets and key ids of all sessions
        self.snapshots: dict[str, Snapshot] = {}
        self.result: Result | None = None
        self._base_urls = base_urls
        self._links: dict[bool, Links] = {}

    def session(self, app: str, token: str = "") -> Session | None:
        """Return the session of a token that the world minted, or an anonymous one; None without this app."""
        if app not in self.episode.scenario.apps:
            return None
        return Session(self, self.episode.app(app), ANONYMOUS, token=token)

    def links(self, at_origin: bool) -> Links:
        """Return the addresses of the episode's apps."""
        made = self._links.get(at_origin)
        if made is None:
            made = links_of(self.episode.world.company, self._base_urls, self.mark, at_origin)
            self._links[at_origin] = made
        return made

    def reply(self, credentials: Credentials) -> dict[str, Any]:
        """Issue credentials for the seats that were ordered; return where each app is and who may use it."""
        out: dict[str, Any] = {}
        for name in self.episode.scenario.apps:
            app = self.episode.world.company.app(name)
            hosts = list(reaches(app, self._base_urls, self.mark)) if isinstance(app, App) else []
            if isinstance(app, App) and hosts:
                seats = {seat: self._issue(app, seat, credentials) for seat in self.options.seats}
                held = {seat: about for seat, about in seats.items() if about is not None}
                out[name] = {
                    "base_url": hosts[0].base_url,
                    "ui_url": None,
                    "origin": hosts[0].origin,
                    "credentials": held.get(self.options.seats[0], {}).get("credentials", {}),
                    "seats": held,
                    "hosts": hosts,
                }
        return out

    def _issue(self, app: App, seat: str, credentials: Credentials) -> dict[str, Any] | None:
        """Issue every kind of credential that a seat holds at an app; None if it holds none there."""
        shown: dict[str, str] = {}
        person = self.episode.scenario.seat_person(seat, self.episode.truth)
        for kind in kinds_at(self.episode.scenario, app, seat):
            if kind in app.product.credential_kinds:
                declared = app.product.credential_kinds[kind]
                issued = declared.issue(person, _drawn)
                session = Session(self, app, Actor("agent", person, kind), secret=issued.secret)
                self.sessions[app.name, issued.shown] = session
                self.issued += filter(None, (issued.shown, issued.secret))
                credentials.add(app.name, issued.shown, session, declared.scheme)
                shown.update(issued.credentials)
        return {"person": person, "credentials": shown} if shown else None

    def remnant(self) -> Remnant:
        """Return what another process needs to refuse the credentials if this one is lost."""
        scenario = self.episode.scenario
        sessions = ((app, shown, one.login, one.secret) for (app, shown), one in self.sessions.items())
        return Remnant(self.mark, scenario.world, tuple(scenario.apps), tuple(sessions), self.id)

    def catch_up(self) -> None:
        """Record the wall time since the last call as a wait in the world; the first one is never empty."""
        owed_ms = max(int((time.monotonic() - self.paid) * self.pace * 1000), not self.episode.gradebook.paced)
        if owed_ms:
            before = self.episode.world.now
            self.episode.elapse(owed_ms / 1000)
            passed = (self.episode.world.now - before).total_seconds()  # less if too much was due: the rest stays owed
            self.paid += passed / self.pace

    def check_open(self) -> None:
        """Bring a paced episode to its time; raise a 409 if the episode has ended."""
        if self.pace and self.result is None:
            self.catch_up()
        ended = self.result.ended if self.result else self.episode.ended
        if ended is not None:
            raise Problem(
                409, "ended", f"Episode {self.id} has ended ({ended}): finish it for its result, or restore it."
            )

    def row(self) -> dict[str, Any]:
        """Return what the control plane shows of the episode."""
        episode = self.episode
        ended = self.result.ended if self.result else episode.ended
        return {
            "id": self.id,
            "scenario": episode.scenario.name,
            "seed": episode.seed,
            "split": episode.split,
            "status": "finished" if self.result else "void" if ended == "void" else "ended" if ended else "live",
            "ended": ended,
            "turns": episode.turns,
            "now": episode.world.now,
            "state": episode.state,
            "trace": episode.trace,
            "clock": self.options.clock,
            "snapshots": list(self.snapshots),
            "lease_seconds": self.lease_seconds,
            "idle_seconds": round(time.monotonic() - self.touched, 3),
            "result": self.result,
        }


class LocalHost:
    """The Host of one process."""

    def __init__(
        self,
        origins: Mapping[str, str],
        *,
        worker: int = 0,
        proxy: Mapping[str, str] | None = None,
        lease_seconds: float = LEASE_SECONDS,
        tell: Callable[[dict[str, Any]], None] = lambda message: None,
        records: mmap.mmap | None = None,
    ) -> None:
        """`origins`: door -> its base URL; `tell` gets what the front must know: new credentials, expired episodes.

        `records` is memory that is shared with the process that watches this one: what runs, and until when it may.
        """
        self.credentials = Credentials()
        self.turns = Turns(self._interrupted, records)
        self.doors: dict[str, Door] = {}
        self._origins = origins
        self._worker = worker
        self._proxy = proxy
        self._lease_seconds = lease_seconds
        self._tell = tell
        self._live: dict[str, LiveEpisode] = {}
        self._ended = EndedEpisodes(self.credentials)
        self._by_mark: dict[str, LiveEpisode] = {}
        self._figures = Figures()

    # --- the Host

    async def health(self) -> Any:
        row = {"worker": self._worker, "alive": True, "responsive": True, "episodes": self._open(), "deaths": 0}
        return {"status": "ok", "workers": [row]}

    async def metrics(self) -> str:
        return prometheus({str(self._worker): self.figures()}, 0, 0, {str(self._worker): True})

    async def apps(self) -> Any:
        return [{"name": name, "base_url": url} for name, url in self._origins.items()]

    async def scenarios(self) -> Any:
        return scenario_list()

    async def start(self, options: StartRequest) -> Any:
        scenario = _wanted(options)
        size = options.world_size or scenario.size
        await asyncio.to_thread(image_of, company_of(scenario.world), size)  # may build the image; doors stay open

        def stage() -> Episode:
            return start(scenario, options.seed, split=options.split, size=size)

        try:
            episode = await self.turns.do("", stage, heavy=True, limit=LONG_SECONDS)
        except Defect as defect:
            self._count("void")
            raise Problem(500, "reset", defect.message) from defect
        return self._add(episode, options)

    async def episodes(self) -> Any:
        rows = await asyncio.gather(*(self._turn(live, live.row) for live in self._live.values()))
        return {"episodes": rows, "silent_workers": []}

    async def show(self, episode: str) -> Any:
        live = self._find(episode)
        return await self._turn(live, live.row)

    async def events(self, episode: str, after: int, limit: int) -> Any:
        live = self._find(episode)

        def look() -> Any:
            chain = live.episode.world.events
            first = max(0, after)  # the event with seq n is at index n - 1
            last = min(len(chain), first + max(1, min(limit, EVENTS_AT_MOST)))
            return {"events": chain[first:last], "last": len(chain), "more": last < len(chain)}

        return await self._turn(live, look, heavy=limit > SOME_EVENTS)

    async def call(self, episode: str, options: CallRequest) -> Any:
        live = self._find(episode)

        def act() -> Any:
            live.check_open()
            return live.episode.call(options.tool, options.arguments)

        long = options.tool in ("wait", "finish")
        size = len(str(options.arguments))
        return await self._turn(
            live, act, heavy=long, limit=LONG_SECONDS if long else None, costly=lambda: live.episode.is_costly(size)
        )

    async def wait(self, episode: str, options: WaitRequest) -> Any:
        live = self._find(episode)

        def act() -> Any:
            live.check_open()
            if not 0 < options.seconds <= LONGEST_WAIT_SECONDS:
                raise Problem(422, "invalid", "`seconds` must be more than 0 and at most 14 days.")
            return live.episode.call("wait", {"minutes": options.seconds / 60, "until": options.until})

        return await self._turn(live, act, heavy=True, limit=LONG_SECONDS)

    async def snapshot(self, episode: str) -> Any:
        live = self._find(episode)

        def act() -> Any:
            live.check_open()
            name = f"snap-{secrets.token_hex(8)}"
            live.snapshots[name] = live.episode.snapshot()
            return {"snapshot": name, "state": live.episode.state, "trace": live.episode.trace}

        return await self._turn(live, act)

    async def restore(self, episode: str, options: RestoreRequest) -> Any:
        live = self._find(episode)

        def act() -> Any:
            if live.result is not None:
                raise Problem(409, "finished", f"Episode {episode} has its result; start or fork another one.")
            snapshot = live.snapshots.get(options.snapshot)
            if snapshot is None:
                raise Problem(404, "unknown_snapshot", f"Episode {episode} has no snapshot {options.snapshot!r}.")
            live.episode.restore(snapshot)
            live.paid = time.monotonic()
            return live.row()

        return await self._turn(live, act)

    async def fork(self, episode: str, options: ForkRequest) -> Any:
        live = self._find(episode)

        def act() -> Episode:
            live.check_open()
            return live.episode.fork(options.dice)

        made = await self._turn(live, act)
        if episode not in self._live:  # deleted while the fork waited for its turn
            raise unknown(episode)
        return self._add(made, live.options)

    async def finish(self, episode: str, options: FinishRequest) -> Any:
        live = self._find(episode)

        def act() -> bool:
            if live.result is not None:
                return False
            live.result = _finished(live.episode, options.report)
            return True

        def settle() -> bool:
            return live.result is not None or live.episode.settle(options.report)

        while not await self._turn(live, settle, heavy=True, limit=LONG_SECONDS):
            pass  # other episodes get their turn
        if await self._turn(live, act, heavy=True, limit=LONG_SECONDS):
            assert live.result is not None
            live.snapshots.clear()
            self._count(live.result.ended)
        return live.result

    async def delete(self, episode: str) -> None:
        self._drop(self._find(episode))

    # --- leases and figures

    def sweep(self) -> None:
        """Delete the episodes that have been idle for longer than their lease."""
        now = time.monotonic()
        expired = [live for live in self._live.values() if now - live.touched > live.lease_seconds]
        for live in expired:
            self._figures.expired += 1
            self._drop(live)
        if expired:
            self._tell({"gone": [live.id for live in expired]})

    def figures(self) -> Figures:
        """Return the counters of this process."""
        figures = self._figures
        figures.live = self._open()
        figures.snapshots = sum(len(live.snapshots) for live in self._live.values())
        figures.resident_bytes = _resident_bytes()
        figures.doors = {name: door.figures for name, door in self.doors.items()}
        return figures

    # --- internals

    def _add(self, episode: Episode, options: StartRequest) -> dict[str, Any]:
        """Give an episode a name, credentials and a lease; say how to reach it."""
        name = f"ep-{self._worker}-{secrets.token_hex(8)}"
        episode.id = name
        lease_seconds = self._lease_seconds if options.lease_seconds is None else options.lease_seconds
        live = self._live[name] = LiveEpisode(name, episode, options, lease_seconds, self._origins)
        self.credentials.add_episode(live.mark, live)
        self._by_mark[live.mark] = live
        self.turns.names[live.mark] = name
        apps = live.reply(self.credentials)
        self._tell({"issued": live.remnant()})
        self._figures.started += 1
        return {"id": name, "brief": episode.brief, "tools": episode.tools, "apps": apps, "proxy": self._proxy}

    def remember(self, remnants: Iterable[Remnant]) -> None:
        """Let the credentials of episodes that were lost with another process say that they have ended."""
        for remnant in remnants:
            self._ended.remember(remnant)

    def _find(self, episode: str) -> LiveEpisode:
        live = self._live.get(episode)
        if live is None:
            raise unknown(episode)
        live.touched = time.monotonic()
        return live

    async def _turn(
        self,
        live: LiveEpisode,
        act: Callable[[], T],
        *,
        heavy: bool = False,
        limit: float | None = None,
        costly: Callable[[], bool] | None = None,
    ) -> T:
        """Run work of the control plane in the episode's queue."""
        return await self.turns.do(live.mark, act, heavy=heavy, limit=limit, costly=costly)

    def _interrupted(self, mark: str, why: str, completed: bool) -> None:
        """Void the episode whose work the watchdog has interrupted; work that was completed all the same counts."""
        live = self._by_mark.get(mark)
        if live is None:
            return
        cause = live.episode.world.defect
        if completed and cause is None:
            log.warning("episode %s: a request was completed although %s", live.id, why)
            return
        message = f"episode {live.id} was interrupted: {why}" + (f" ({cause.message})" if cause is not None else "")
        log.error("%s", message)
        defect = Defect(message, boundary="engine", kind="Watchdog", at=len(live.episode.world.chain))
        live.episode.world.poison(defect)
        if live.result is not None and live.result.ended != "void":
            live.result = live.episode.void(defect)

    def _open(self) -> int:
        return sum(live.result is None for live in self._live.values())

    def _count(self, ended: str) -> None:
        self._figures.finished[ended] = self._figures.finished.get(ended, 0) + 1

    def _drop(self, live: LiveEpisode) -> None:
        """Forget an episode; its credentials say from now on that it has ended."""
        left = {key: EndedSession(one.app, live.mark, one.login, one.secret) for key, one in live.sessions.items()}
        apps = {name: live.episode.app(name) for name in live.episode.scenario.apps}
        for session in live.sessions.values():
            session.end()
        live.sessions.clear()
        self._ended.add(EndedEpisode(live.mark, apps, left), left)
        self._live.pop(live.id, None)
        self._by_mark.pop(live.mark, None)
        self.turns.drop(live.mark)


def unknown(episode: str) -> Problem:
    """Return the 404 for an unknown episode."""
    return Problem(404, "unknown_episode", f"No episode {episode!r} is live here: deleted, expired, or never started.")


def scenario_list() -> list[dict[str, Any]]:
    """Return every scenario as `GET /v1/scenarios` lists it."""
    return [
        {
            "name": scenario.name,
            "story": scenario.story,
            "world": scenario.world,
            "apps": list(scenario.apps),
            "turns": scenario.turns,
            "hours": scenario.hours,
            "tags": list(scenario.tags),
            "seats": list(scenario.seats),
        }
        for scenario in load_all().values()
    ]


def _wanted(options: StartRequest) -> Scenario[Any]:
    """Return the scenario of a request, with its turn limit; raise a 422 for what cannot be met."""
    try:
        scenario = find(options.scenario)
    except LookupError as error:
        raise Problem(422, "unknown_scenario", str(error.args[0])) from None
    if options.world_size is not None and options.world_size not in (sizes := company_of(scenario.world).sizes):
        raise Problem(422, "invalid", f"{scenario.world} comes in the sizes {', '.join(sizes)}.")
    if not 0.001 <= options.rate <= 1e6:
        raise Problem(422, "invalid", "`rate` is virtual seconds per second: between 0.001 and 1000000.")
    unknown_seats = [seat for seat in options.seats if seat not in scenario.seats]
    if len(set(options.seats)) < len(options.seats):
        raise Problem(422, "invalid", "`seats` names a seat twice.")
    if unknown_seats or not options.seats:
        asked = ", ".join(seat[:100] for seat in unknown_seats) or "none"
        raise Problem(
            422, "unknown_seat", f"{scenario.name} allows the seats {', '.join(scenario.seats)}; asked for: {asked}."
        )
    if options.turns is not None:
        scenario = copy.copy(scenario)
        scenario.turns = options.turns  # type: ignore[misc] # this one attempt's own limit, not the class's
    return scenario


def _finished(episode: Episode, report: str) -> Result:
    try:
        return episode.finish(report)
    except Exception as error:  # noqa: BLE001 # grading must not take the server down with it
        return episode.void(Defect.around(error, "engine", episode.scenario.name, len(episode.world.chain)))


def _drawn(length: int, alphabet: str) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))


def _resident_bytes() -> int:
    """Return the memory of this process; its peak on systems that report only that."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
