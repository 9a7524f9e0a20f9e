"""The live episodes of one process: their tokens, leases, snapshots and clocks."""

import asyncio
import copy
import logging
import resource
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from diorama.doors.http import Door, Guests
from diorama.doors.meter import Figures, prometheus
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Defect, Reply, Request, Snapshot, image_of
from diorama.kit import App
from diorama.kit.grants import MARK
from diorama.runs.pipes import Problem
from diorama.scenarios import Scenario, find, load_all
from diorama.server.control import Calling, Finishing, Forking, Order, Restoring, Waiting
from diorama.worlds import company_of

log = logging.getLogger("diorama.host")

LEASE_SECONDS = 1800.0
EVENTS_AT_MOST = 5000
LONGEST_WAIT_SECONDS = 14 * 86400.0


class Seat:
    """One person in one live episode, as the app doors know them."""

    __slots__ = ("_live", "live", "login", "mark", "token")

    def __init__(self, live: "Live", login: str, token: str | None = None) -> None:
        """`token`: one that the world minted and that says who this is; empty for nobody."""
        self._live: Live | None = live
        self.login = login
        self.token = token
        self.mark = live.mark
        self.live = True

    def send(self, app: str, request: Request) -> Reply:
        """Ask as this person, after the wall time that a paced clock owes the world."""
        live = self._live
        assert live is not None
        live.touched = time.monotonic()
        if live.pace:
            live.catch_up()
        episode = live.episode
        try:
            return episode.request(app, request, "http", self.login, token=self.token)
        except Exception as error:  # noqa: BLE001 # ours, not the vendor's: this episode is void, the others go on
            defect = Defect.around(error, "door", f"{app} {request.method} {request.path}", len(episode.world.chain))
            log.error("episode %s is void: %s", live.id, defect.message)
            episode.world.poison(defect)
            return episode.request(app, request, "http", self.login)

    def leave(self) -> None:
        """From now on this token is a stranger's."""
        self.live = False
        self._live = None


class Live:
    """One episode and what the control plane keeps about it."""

    def __init__(self, id: str, episode: Episode, order: Order, lease_seconds: float) -> None:
        self.id = id
        self.mark = secrets.token_hex(MARK // 2)
        self.episode = episode
        self.order = order
        self.lease_seconds = lease_seconds
        self.touched = time.monotonic()
        self.pace = order.rate if order.clock == "paced" else 0.0
        self.paid = self.touched  # wall time up to which a paced world has been brought
        self.seats: dict[tuple[str, str], Seat] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.result: Result | None = None

    def bearer(self, token: str) -> Seat:
        """The seat of whoever a token of this world stands for; of nobody for no token."""
        return Seat(self, "", token)

    def catch_up(self) -> None:
        """Turn the wall time since last time into a recorded wait."""
        owed_ms = int((time.monotonic() - self.paid) * self.pace * 1000)
        if owed_ms:
            self.paid += owed_ms / 1000 / self.pace
            self.episode.elapse(owed_ms / 1000)

    def row(self) -> dict[str, Any]:
        """What can be said of it at any time."""
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
            "clock": self.order.clock,
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
        gone: Callable[[list[str]], None] = lambda episodes: None,
    ) -> None:
        """`origins`: app -> where its door is; `gone` is told of episodes whose lease ran out."""
        self.guests = Guests()
        self.doors: dict[str, Door] = {}
        self._origins = origins
        self._worker = worker
        self._proxy = proxy
        self._lease_seconds = lease_seconds
        self._gone = gone
        self._live: dict[str, Live] = {}
        self._figures = Figures()

    # --- the Host

    async def health(self) -> Any:
        row = {"worker": self._worker, "alive": True, "episodes": self._open(), "deaths": 0}
        return {"status": "ok", "workers": [row]}

    async def metrics(self) -> str:
        return prometheus({str(self._worker): self.figures()}, 0, 0)

    async def apps(self) -> Any:
        return [{"name": name, "base_url": url} for name, url in self._origins.items()]

    async def scenarios(self) -> Any:
        return scenario_list()

    async def start(self, order: Order) -> Any:
        scenario = _wanted(order)
        size = order.world_size or scenario.size
        await asyncio.to_thread(image_of, company_of(scenario.world), size)  # it may have to be built; doors stay open
        try:
            episode = start(scenario, order.seed, split=order.split, size=size)
        except Defect as defect:
            self._count("void")
            raise Problem(500, "reset", defect.message) from defect
        return self._admit(episode, order)

    async def episodes(self) -> Any:
        return [live.row() for live in self._live.values()]

    async def show(self, episode: str) -> Any:
        return self._find(episode).row()

    async def events(self, episode: str, after: int, limit: int) -> Any:
        chain = self._find(episode).episode.world.events
        first = max(0, after)  # the event with seq n is the nth
        last = min(len(chain), first + max(1, min(limit, EVENTS_AT_MOST)))
        return {"events": chain[first:last], "last": len(chain), "more": last < len(chain)}

    async def call(self, episode: str, order: Calling) -> Any:
        live = self._acting(episode)
        return live.episode.call(order.tool, order.arguments)

    async def wait(self, episode: str, order: Waiting) -> Any:
        live = self._acting(episode)
        if not 0 < order.seconds <= LONGEST_WAIT_SECONDS:
            raise Problem(422, "invalid", "`seconds` must be more than 0 and at most 14 days.")
        return live.episode.call("wait", {"minutes": order.seconds / 60, "until": order.until})

    async def snapshot(self, episode: str) -> Any:
        live = self._acting(episode)
        name = f"snap-{secrets.token_hex(8)}"
        live.snapshots[name] = live.episode.snapshot()
        return {"snapshot": name, "state": live.episode.state, "trace": live.episode.trace}

    async def restore(self, episode: str, order: Restoring) -> Any:
        live = self._find(episode)
        if live.result is not None:
            raise Problem(409, "finished", f"Episode {episode} has its result; start or fork another one.")
        snapshot = live.snapshots.get(order.snapshot)
        if snapshot is None:
            raise Problem(404, "unknown_snapshot", f"Episode {episode} has no snapshot {order.snapshot!r}.")
        live.episode.restore(snapshot)
        live.paid = time.monotonic()
        return live.row()

    async def fork(self, episode: str, order: Forking) -> Any:
        live = self._acting(episode)
        return self._admit(live.episode.fork(order.dice), live.order)

    async def finish(self, episode: str, order: Finishing) -> Any:
        live = self._find(episode)
        if live.result is None:
            live.result = _finished(live.episode, order.report)
            self._dismiss(live)
            live.snapshots.clear()
            self._count(live.result.ended)
        return live.result

    async def delete(self, episode: str) -> None:
        self._drop(self._find(episode))

    # --- leases and figures

    def sweep(self) -> None:
        """Drop what nobody has touched for longer than its lease."""
        now = time.monotonic()
        expired = [live for live in self._live.values() if now - live.touched > live.lease_seconds]
        for live in expired:
            self._figures.expired += 1
            self._drop(live)
        if expired:
            self._gone([live.id for live in expired])

    def figures(self) -> Figures:
        """What this process has done so far."""
        figures = self._figures
        figures.live = self._open()
        figures.snapshots = sum(len(live.snapshots) for live in self._live.values())
        figures.resident_bytes = _resident_bytes()
        figures.doors = {name: door.figures for name, door in self.doors.items()}
        return figures

    # --- inside

    def _admit(self, episode: Episode, order: Order) -> dict[str, Any]:
        """Give an episode a name, tokens and a lease; say how to reach it."""
        name = f"ep-{self._worker}-{secrets.token_hex(8)}"
        episode.id = name
        lease_seconds = self._lease_seconds if order.lease_seconds is None else order.lease_seconds
        live = self._live[name] = Live(name, episode, order, lease_seconds)
        self.guests.open(live.mark, live)
        person = episode.scenario.person
        apps: dict[str, Any] = {}
        for app in episode.scenario.apps:
            target = episode.world.company.app(app)
            if app in self._origins and isinstance(target, App):
                credentials: dict[str, str] = {}
                for kind in target.product.seats.values():
                    secret = kind.secret(_drawn)
                    seat = live.seats[app, secret] = Seat(live, person)
                    self.guests.admit(app, secret, seat)
                    credentials.update(kind.credentials(person, secret))
                apps[app] = {"base_url": self._origins[app], "ui_url": None, "credentials": credentials}
        self._figures.started += 1
        return {"id": name, "brief": episode.brief, "tools": episode.tools, "apps": apps, "proxy": self._proxy}

    def _find(self, episode: str) -> Live:
        live = self._live.get(episode)
        if live is None:
            raise unknown(episode)
        live.touched = time.monotonic()
        return live

    def _acting(self, episode: str) -> Live:
        """An episode in which something can still be done, brought up to its paced time."""
        live = self._find(episode)
        if live.pace and live.result is None:
            live.catch_up()
        ended = live.result.ended if live.result else live.episode.ended
        if ended is not None:
            raise Problem(
                409, "ended", f"Episode {episode} has ended ({ended}): finish it for its result, or restore it."
            )
        return live

    def _open(self) -> int:
        return sum(live.result is None for live in self._live.values())

    def _count(self, ended: str) -> None:
        self._figures.finished[ended] = self._figures.finished.get(ended, 0) + 1

    def _dismiss(self, live: Live) -> None:
        for (app, secret), seat in live.seats.items():
            seat.leave()
            self.guests.dismiss(app, secret)
        live.seats.clear()
        self.guests.close(live.mark)

    def _drop(self, live: Live) -> None:
        self._dismiss(live)
        self._live.pop(live.id, None)


def unknown(episode: str) -> Problem:
    """There is no such episode, or no longer."""
    return Problem(404, "unknown_episode", f"No episode {episode!r} is live here: deleted, expired, or never started.")


def scenario_list() -> list[dict[str, Any]]:
    """What can be started, for those who choose."""
    return [
        {
            "name": scenario.name,
            "story": scenario.story,
            "world": scenario.world,
            "apps": list(scenario.apps),
            "turns": scenario.turns,
            "hours": scenario.hours,
            "tags": list(scenario.tags),
        }
        for scenario in load_all().values()
    ]


def _wanted(order: Order) -> Scenario[Any]:
    """The scenario that is asked for, with another turn limit where that is asked for too."""
    try:
        scenario = find(order.scenario)
    except LookupError as error:
        raise Problem(422, "unknown_scenario", str(error.args[0])) from None
    company = company_of(scenario.world)
    if order.world_size is not None and order.world_size not in company.sizes:
        raise Problem(422, "invalid", f"{company.name} comes in the sizes {', '.join(company.sizes)}.")
    if not 0.001 <= order.rate <= 1e6:
        raise Problem(422, "invalid", "`rate` is virtual seconds per second: between 0.001 and 1000000.")
    if order.lease_seconds is not None and order.lease_seconds <= 0:
        raise Problem(422, "invalid", "`lease_seconds` must be more than 0.")
    if order.turns is not None:
        scenario = copy.copy(scenario)
        scenario.turns = order.turns  # type: ignore[misc] # this one attempt's own limit, not the class's
    return scenario


def _finished(episode: Episode, report: str) -> Result:
    try:
        return episode.finish(report)
    except Exception as error:  # noqa: BLE001 # grading must not take the server down with it
        return episode.void(Defect.around(error, "engine", episode.scenario.name, len(episode.world.chain)))


def _drawn(length: int, alphabet: str) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))


def _resident_bytes() -> int:
    """Memory of this process; the highest it ever was where the system says no more than that."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
