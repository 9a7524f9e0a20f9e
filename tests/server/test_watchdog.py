"""Hangs: a transaction that does not end voids its own episode and nothing else."""

import asyncio
import mmap
import os
import signal
import threading
import time
from collections.abc import Iterator
from unittest import mock

import msgspec
import pytest

from diorama.doors.watchdog import PATIENCE_SECONDS, RECORDS_BYTES, WALL_SECONDS, Stand, overdue, running
from diorama.server.control import FinishRequest
from diorama.server.station import ProcessSetup
from diorama.server.workers import Cluster, Placement, _void
from tests.doors.serving import Server, app_client
from tests.server.test_workers import SCENARIO, serving, subject


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """Interrupt after a fraction of the usual time."""
    with mock.patch("diorama.doors.turns.LIMIT_SECONDS", 0.5), mock.patch("diorama.doors.watchdog.PYTHON_SECONDS", 0.3):
        yield


@pytest.mark.parametrize("way", ["python", "sql"])
def test_a_hanging_transaction_voids_only_its_own_episode(server: Server, way: str) -> None:
    hanging, other = server.start(seed=1), server.start(seed=2)
    with app_client(hanging) as one, app_client(other) as two:
        assert one.get("/hang", params={"way": way}).status_code == 500
        assert one.get("/notes/1").status_code == 403
        assert two.get("/notes/1").json()["text"] == "seed 2"
        assert two.post("/notes", json={"text": "wanted 2"}).status_code == 201
        assert two.get("/mails").json() == []
    result = server.post(hanging, "finish")
    assert (result["ended"], result["fault"]["kind"]) == ("void", "Watchdog")
    assert hanging["id"] in result["fault"]["message"]
    assert server.post(other, "finish")["success"] is True
    assert server.metric("episodes_void_total") == 1


def test_the_same_hang_beside_a_slow_thread_voids_only_its_own_episode(server: Server) -> None:
    hanging, others = server.start(seed=1), [server.start(seed=n) for n in range(2, 6)]
    with app_client(hanging) as one:
        assert one.get("/hang", params={"way": "python", "x": "y" * 20_000}).status_code == 500  # large: second thread
    for opened in others:
        with app_client(opened) as two:
            assert two.get("/notes/1").status_code == 200
    assert server.show(hanging)["status"] == "void"
    assert {server.show(opened)["status"] for opened in others} == {"live"}


def test_others_are_served_while_one_hangs_in_the_second_thread(server: Server) -> None:
    hanging, other = server.start(seed=1), server.start(seed=2)
    with app_client(hanging) as one, app_client(other) as two:
        two.get("/notes/1")
        thread = threading.Thread(
            target=one.get, args=("/hang",), kwargs={"params": {"way": "python", "x": "y" * 20_000}}
        )
        thread.start()
        time.sleep(0.1)
        began = time.monotonic()
        assert two.get("/notes/1").status_code == 200
        assert server.control.get("/v1/health").json()["status"] == "ok"
        assert time.monotonic() - began < 0.5
        assert thread.is_alive()
        thread.join()


def test_a_killed_worker_keeps_finished_results_and_names_who_ran() -> None:
    with serving("--workers", "1") as (server, _):
        done, open_one = server.start(SCENARIO, 1), server.start(SCENARIO, 2)
        result = server.post(done, "finish", {"report": "x"})
        busy = threading.Event()

        def load() -> None:
            while not busy.is_set():
                try:
                    subject(open_one, server)
                except OSError:
                    return
                except Exception:  # noqa: BLE001 # the worker dies in the middle of a request
                    return

        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        os.kill(server.control.get("/v1/health").json()["workers"][0]["pid"], signal.SIGKILL)
        busy.set()
        for thread in threads:
            thread.join()
        deadline = time.monotonic() + 30
        while server.show(open_one)["status"] != "void":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        kept = server.post(done, "finish")
        assert kept == result
        assert (server.show(done)["status"], server.show(done)["ended"]) == ("finished", result["ended"])
        fault = server.post(open_one, "finish")["fault"]
        assert (fault["boundary"], fault["kind"]) == ("engine", "WorkerLost")
        assert "worker 0 ended (signal 9 (SIGKILL))" in fault["message"]
        assert server.metric("episodes_lost_total") == 1


def test_the_control_plane_answers_while_a_worker_does_not() -> None:
    with serving("--workers", "1") as (server, _):
        one, two = server.start(SCENARIO, 1), server.start(SCENARIO, 2)
        pid = server.control.get("/v1/health").json()["workers"][0]["pid"]
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        assert server.control.get("/v1/health").status_code == 200
        assert server.control.delete(f"/v1/episodes/{two['id']}").status_code == 204
        assert time.monotonic() - began < 1.0
        os.kill(pid, signal.SIGCONT)
        assert subject(one, server) == 200


def test_an_episode_that_cannot_be_interrupted_is_named_to_all() -> None:
    records = mmap.mmap(-1, RECORDS_BYTES)
    Stand(records, 1).begin("ep-0-a", 5.0)
    now = time.monotonic()
    assert overdue(records, now + 5 + PATIENCE_SECONDS) is None
    assert overdue(records, now + 5 + WALL_SECONDS + PATIENCE_SECONDS) == "ep-0-a"

    async def lose() -> dict[str, str]:
        cluster = Cluster([ProcessSetup(0, {}, {})])
        cluster._placements = {f"ep-0-{n}": Placement(0, SCENARIO, 0, "train", 60.0) for n in "abc"}
        cluster._placements["ep-0-c"].result = msgspec.to_builtins(
            _void("ep-0-c", cluster._placements["ep-0-c"], "earlier")
        )
        cluster.mark_lost(0, "killed", [name for name, _ in running(records)])
        found = {name: (await cluster.finish(name, FinishRequest())).fault.message for name in cluster._placements}
        cluster.workers[0].close()
        return found

    told = asyncio.run(lose())
    assert told["ep-0-a"] == "worker 0 ended (killed) while it ran a request of this episode"
    assert told["ep-0-b"].endswith("with this episode in it; it ran a request of episode ep-0-a, not of this one")
    assert told["ep-0-c"] == "earlier"
