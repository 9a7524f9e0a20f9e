"""Workers that die again and again, or fall silent: the others and the control plane go on."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from diorama.kernel import Defect
from diorama.runs.pipes import Lost, Problem
from diorama.server import supervisor
from diorama.server.control import FinishRequest, ForkRequest, StartRequest
from diorama.server.ended import Remnant
from diorama.server.host import LocalHost, unknown
from diorama.server.station import ProcessSetup
from diorama.server.workers import Cluster

DIES, SERVES, FREEZES = "dies", "serves", "freezes"


class FakePipe:
    """The pipe of a process that is not there."""

    def __init__(self) -> None:
        self.sent: list[tuple[Any, ...]] = []

    def send(self, *order: Any) -> None:
        self.sent.append(order)

    def close(self) -> None:
        """Do nothing."""


class FakeProcess:
    """A worker process that dies at once, serves, or answers until it is frozen."""

    conduct: dict[int, str] = {}
    made: list["FakeProcess"] = []

    def __init__(self, entry: str, receive: Callable[[Any], None], fds: Any) -> None:
        self.number = receive.args[0]  # type: ignore[attr-defined] # a partial of the cluster's method
        self.receive = receive
        self.pid = 1000 + len(self.made)
        self.pipe = FakePipe()
        self.frozen = asyncio.Event()
        self.gone = asyncio.Event()
        self.opened_with: Any = None
        self.asked: list[tuple[Any, ...]] = []
        self.unheld = asyncio.Event()  # forks and results are answered after this
        self.unheld.set()
        self.made.append(self)

    async def start(self) -> None:
        if self.conduct[self.number] == DIES:
            self.gone.set()

    async def ended(self) -> None:
        await self.gone.wait()

    def kill(self) -> None:
        self.gone.set()

    async def stop(self, seconds: float) -> int:
        self.gone.set()
        return -9

    async def call(self, verb: str, *args: Any) -> Any:
        if self.gone.is_set():
            raise Lost
        if verb == "open":
            self.opened_with = args
            return None
        if self.frozen.is_set():
            await asyncio.sleep(1000)
        if verb == "start":
            if self.conduct[self.number] == FREEZES:
                self.frozen.set()
                await asyncio.sleep(0.3)
            name = f"ep-{self.number}-{len(self.pipe.sent)}"
            self.receive({"issued": {"mark": name, "world": "w", "apps": [], "sessions": []}})
            return {"id": name}
        self.asked.append((verb, *args))
        if verb in ("fork", "finish"):
            await self.unheld.wait()
            return {"id": f"{args[0]}-fork"} if verb == "fork" else {"ended": "done"}
        if verb == "delete" and (verb, *args) in self.asked[:-1]:
            raise unknown(args[0])
        if verb == "figures":
            return {}
        return {"episodes": [{"id": f"ep-{self.number}-0"}]} if verb == "episodes" else {"verb": verb}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeProcess.conduct, FakeProcess.made = {}, []
    monkeypatch.setattr(supervisor, "WorkerProcess", FakeProcess)
    for name, seconds in (
        ("PING_SECONDS", 0.01),
        ("SILENT_SECONDS", 0.05),
        ("HANG_SECONDS", 1.0),
        ("LOOK_SECONDS", 0.01),
        ("SHORTEST_PAUSE_SECONDS", 0.0005),
        ("LONGEST_PAUSE_SECONDS", 0.05),
    ):
        monkeypatch.setattr(supervisor, name, seconds)


@asynccontextmanager
async def running(*conduct: str) -> AsyncIterator[tuple[Cluster, asyncio.Event]]:
    FakeProcess.conduct = dict(enumerate(conduct))
    cluster = Cluster([ProcessSetup(number, {}, {}) for number in range(len(conduct))])
    stopping, ready = asyncio.Event(), asyncio.Event()
    life = asyncio.create_task(cluster.live(stopping, ready.set))
    try:
        yield cluster, ready
    finally:
        stopping.set()
        await life


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110 - what is waited for sets no event
            await asyncio.sleep(0.005)


def test_quick_deaths_of_one_worker_leave_the_others_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def act() -> None:
        async with running(DIES, SERVES) as (cluster, ready):
            await asyncio.wait_for(ready.wait(), 20)
            assert (await cluster.start(StartRequest("s")))["id"].startswith("ep-1")
            await until(lambda: cluster.workers[0].deaths >= 8)
            health = await cluster.health()
            first, second = health["workers"]
            assert health["status"] == "degraded"
            assert (first["failing"], first["alive"], second["failing"], second["alive"]) == (True, False, False, True)
            assert 'worker_up{worker="0"} 0' in await cluster.metrics()
            assert await cluster.show("ep-1-0") == {"verb": "show"}

    with caplog.at_level(logging.ERROR):
        asyncio.run(act())
    lines = [record.getMessage() for record in caplog.records if "worker 0 ended" in record.getMessage()]
    assert len(lines) >= 8
    assert "the 5th time in a row right after its start" in lines[4]


def test_a_worker_that_recovers_is_no_longer_failing() -> None:
    async def act() -> None:
        async with running(DIES, SERVES) as (cluster, _):
            await until(lambda: cluster.workers[0].failing)
            FakeProcess.conduct[0] = SERVES
            await until(lambda: cluster.workers[0].responsive)
            assert (await cluster.health())["status"] == "ok"

    asyncio.run(act())


def test_a_server_without_any_worker_ends_with_one_line() -> None:
    async def act() -> None:
        async with running(DIES, DIES) as (_, ready):
            await asyncio.sleep(1)
            assert not ready.is_set()

    with pytest.raises(Defect, match="No worker could be started: each of 2 ended 5 times"):
        asyncio.run(act())


def test_a_silent_worker_does_not_block_the_control_plane() -> None:
    async def act() -> None:
        async with running(FREEZES, SERVES) as (cluster, ready):
            await asyncio.wait_for(ready.wait(), 20)
            frozen = FakeProcess.made[0]
            async with asyncio.timeout(0.8):  # before it is replaced
                opened = await cluster.start(StartRequest("s"))  # first asked of worker 0, which freezes
                assert opened["id"].startswith("ep-1")
                assert await cluster.episodes() == {"episodes": [{"id": "ep-1-0"}], "silent_workers": [0]}
                health = await cluster.health()
                assert health["status"] == "degraded"
                assert [row["responsive"] for row in health["workers"]] == [False, True]
                assert [row["alive"] for row in health["workers"]] == [True, True]
            await until(lambda: bool(frozen.pipe.sent))
            assert frozen.pipe.sent == [("delete", "ep-0-0")]  # what came too late is not wanted
            await until(lambda: len(FakeProcess.made) > 2 and cluster.workers[0].responsive)
            assert frozen.gone.is_set()

    asyncio.run(act())


def test_episodes_of_a_silent_worker_are_listed_and_answer_503() -> None:
    async def act() -> None:
        async with running(SERVES) as (cluster, ready):
            await asyncio.wait_for(ready.wait(), 20)
            opened = await cluster.start(StartRequest("s", 7))
            FakeProcess.made[0].frozen.set()
            await until(lambda: cluster.workers[0].silent)
            listed = await cluster.episodes()
            assert listed["silent_workers"] == [0]
            assert [(row["id"], row["seed"], row["status"]) for row in listed["episodes"]] == [
                (opened["id"], 7, "silent")
            ]
            with pytest.raises(Problem) as caught:
                await cluster.show(opened["id"])
            assert (caught.value.status, caught.value.error) == (503, "worker_silent")
            with pytest.raises(Problem, match="No worker is up and answers"):
                await cluster.start(StartRequest("s"))

    asyncio.run(act())


@asynccontextmanager
async def asked_and_held(ask: Callable[[Cluster, str], Any]) -> AsyncIterator[tuple[Cluster, str, asyncio.Task[Any]]]:
    """Ask something about an episode, which its worker does not answer yet."""
    async with running(SERVES) as (cluster, ready):
        await asyncio.wait_for(ready.wait(), 20)
        name, process = (await cluster.start(StartRequest("s")))["id"], FakeProcess.made[0]
        process.unheld.clear()
        asked = asyncio.create_task(ask(cluster, name))
        await until(lambda: any(order[0] in ("fork", "finish") for order in process.asked))
        yield cluster, name, asked


def test_a_fork_of_an_episode_that_was_deleted_meanwhile_is_deleted() -> None:
    async def act(expires: bool) -> None:
        async with asked_and_held(lambda cluster, name: cluster.fork(name, ForkRequest())) as (cluster, name, forking):
            if expires:
                cluster.receive(0, {"gone": [name]})
            else:
                await cluster.delete(name)
            FakeProcess.made[0].unheld.set()
            with pytest.raises(Problem) as caught:
                await forking
            assert (caught.value.status, caught.value.error) == (404, "unknown_episode")
            assert FakeProcess.made[0].pipe.sent == [("delete", f"{name}-fork")]
            for gone in (name, f"{name}-fork"):
                with pytest.raises(Problem, match="No episode"):
                    await cluster.show(gone)

    asyncio.run(act(expires=False))
    asyncio.run(act(expires=True))


def test_a_fork_that_no_one_waits_for_is_deleted() -> None:
    async def act() -> None:
        async with asked_and_held(lambda cluster, name: cluster.fork(name, ForkRequest())) as (_, name, forking):
            forking.cancel()
            await asyncio.wait([forking])
            FakeProcess.made[0].unheld.set()
            await until(lambda: FakeProcess.made[0].pipe.sent == [("delete", f"{name}-fork")])

    asyncio.run(act())


def test_a_result_counts_although_its_episode_was_deleted_meanwhile() -> None:
    async def act() -> None:
        async with asked_and_held(lambda cluster, name: cluster.finish(name, FinishRequest())) as (cluster, name, ends):
            await cluster.delete(name)
            FakeProcess.made[0].unheld.set()
            assert await ends == {"ended": "done"}
            with pytest.raises(Problem, match="No episode"):
                await cluster.delete(name)

    asyncio.run(act())


def test_an_episode_that_its_worker_does_not_know_is_deleted_in_the_front() -> None:
    async def act() -> None:
        async with running(SERVES) as (cluster, ready):
            await asyncio.wait_for(ready.wait(), 20)
            name = (await cluster.start(StartRequest("s")))["id"]
            FakeProcess.made[0].asked.append(("delete", name))
            with pytest.raises(Problem, match="No episode"):
                await cluster.delete(name)
            assert (await cluster.health())["workers"][0]["episodes"] == 0

    asyncio.run(act())


def test_a_fork_in_one_process_answers_404_if_its_origin_is_deleted() -> None:
    async def act() -> None:
        host = LocalHost({"zendesk": "http://127.0.0.1:1"})
        name = (await host.start(StartRequest("zendesk/late-refund")))["id"]
        host.turns.open()
        try:
            forking = asyncio.create_task(host.fork(name, ForkRequest()))
            await asyncio.sleep(0)  # it waits for its turn
            await host.delete(name)
            with pytest.raises(Problem, match="No episode"):
                await forking
            assert (await host.episodes())["episodes"] == []
        finally:
            host.turns.close()

    asyncio.run(act())


def test_a_new_worker_learns_which_credentials_have_ended() -> None:
    async def act() -> None:
        async with running(SERVES) as (cluster, ready):
            await asyncio.wait_for(ready.wait(), 20)
            opened = await cluster.start(StartRequest("s"))
            FakeProcess.made[0].kill()
            await until(lambda: len(FakeProcess.made) > 1 and FakeProcess.made[1].opened_with is not None)
            assert FakeProcess.made[1].opened_with[1] == [Remnant(opened["id"], "w", (), ())]

    asyncio.run(act())
