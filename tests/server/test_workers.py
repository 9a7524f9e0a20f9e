"""Several workers behind one control plane, as the command runs them: balanced, lost, replaced, and shut down."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from diorama.bench.load import Desk, Load, Wire
from diorama.server.front import Ready
from tests.doors.serving import TOKEN, Server
from tests.server.test_serve import assert_odd_calls_are_mistakes

SCENARIO = "zendesk/late-refund"


@contextmanager
def serving(*options: str) -> Iterator[tuple[Server, subprocess.Popen[str]]]:
    """Run `diorama serve` in a separate process; it must exit when interrupted."""
    command = [sys.executable, "-c", "from diorama.cli import main; main()", "serve", "--port", "0", *options]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "DIORAMA_ADMIN_TOKEN": TOKEN, "NO_COLOR": "1"}
    )
    try:
        assert process.stderr is not None
        said = ""
        while "Ctrl-C ends it." not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        url = re.search(r"control plane\s+(http://[^/\s]+)", said)
        assert url is not None, said
        server = Server(Ready(url[1], [], []))
        yield server, process
        server.control.close()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        finally:
            process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def subject(opened: dict[str, Any], server: Server) -> int:
    """Return the status of listing tickets through the app door."""
    return listed(opened).status_code


def told(opened: dict[str, Any]) -> str:
    """Return the text of listing tickets through the app door."""
    return listed(opened).text


def listed(opened: dict[str, Any]) -> httpx.Response:
    zendesk = opened["apps"]["zendesk"]
    credentials = zendesk["credentials"]
    auth = (f"{credentials['email']}/token", credentials["token"])
    return httpx.get(f"{zendesk['base_url']}/api/v2/tickets.json", auth=auth, timeout=30)


def test_episodes_spread_over_workers_and_replies_name_the_right_ports() -> None:
    with serving("--workers", "2") as (server, process):
        opened = [server.start(SCENARIO, seed) for seed in range(4)]
        urls = [one["apps"]["zendesk"]["base_url"] for one in opened]
        assert len(set(urls)) == 2
        assert sorted(urls.count(url) for url in set(urls)) == [2, 2]
        assert [subject(one, server) for one in opened] == [200] * 4
        twin = server.post(opened[0], "fork", status=201)
        assert twin["apps"]["zendesk"]["base_url"] == urls[0]  # forks stay on the same worker
        elsewhere = {**opened[0], "apps": {"zendesk": {**opened[0]["apps"]["zendesk"], "base_url": urls[1]}}}
        assert subject(elsewhere, server) == 401
        assert server.metric("requests_total") == 5
        assert server.metric("episodes_started_total") == 5
        workers = children(process.pid)
        assert len(workers) == 2
        result = server.post(opened[1], "finish")
        assert result["episode"] == opened[1]["id"]
        assert_odd_calls_are_mistakes(server, SCENARIO)
        assert [alive(pid) for pid in workers] == [True, True]
    assert process.returncode == 0
    assert not [pid for pid in workers if alive(pid)]


def test_a_lost_worker_voids_its_episodes_and_is_replaced() -> None:
    with serving("--workers", "2") as (server, process):
        one, two = server.start(SCENARIO, 1), server.start(SCENARIO, 2)
        deleted = server.start(SCENARIO, 4)
        while deleted["id"].split("-")[1] != one["id"].split("-")[1]:
            deleted = server.start(SCENARIO, 4)
        assert server.control.delete(f"/v1/episodes/{deleted['id']}").status_code == 204
        health = server.control.get("/v1/health").json()
        number = int(one["id"].split("-")[1])
        os.kill(next(row["pid"] for row in health["workers"] if row["worker"] == number), signal.SIGKILL)
        deadline = time.monotonic() + 30
        while server.show(one)["status"] != "void":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        result = server.post(one, "finish")
        assert (result["ended"], result["reward"], result["fault"]["boundary"]) == ("void", None, "engine")
        server.post(one, "fork", status=409)
        assert subject(two, server) == 200  # the others go on
        while server.control.get("/v1/health").json()["status"] != "ok":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert subject(one, server) == 403  # a new worker, which was told that this episode has ended
        assert "(lost): the worker process that ran it has ended (WorkerLost)" in told(one)
        assert "(gone): it was deleted" in told(deleted)
        assert subject(server.start(SCENARIO, 3), server) == 200
        assert (server.metric("workers_lost_total"), server.metric("episodes_lost_total")) == (1, 1)
    assert process.returncode == 0


async def ask_on(desk: Desk, statuses: Counter[tuple[str, str]], until: asyncio.Event) -> None:
    """Send one request after the other to an episode, and count the replies; connect again when the server closes."""
    number = 0
    while not until.is_set():
        try:
            status, _ = await asyncio.wait_for(desk.wire.ask(*desk.request(number)), 10)
            statuses[desk.id, str(status)] += 1
        except (OSError, EOFError, ValueError, IndexError) as error:
            statuses[desk.id, type(error).__name__] += 1
            await desk.wire.close()
            desk.wire = Wire(f"http://{desk.wire.host}:{desk.wire.port}", desk.wire.authorization)
            await asyncio.sleep(0.05)
        number += 1
        await asyncio.sleep(0.02)


async def killed_under_load(server: Server) -> tuple[list[str], list[str], Counter[tuple[str, str]]]:
    """Kill a worker while eight episodes are busy; return its episodes, the others, and what all were answered."""
    load = Load(server.ready.control_url, TOKEN)
    await load.open(SCENARIO, 8)
    workers = {row["worker"]: row["pid"] for row in server.control.get("/v1/health").json()["workers"]}
    lost = [desk.id for desk in load.desks if desk.id.startswith("ep-0-")]
    others = [desk.id for desk in load.desks if desk.id not in lost]
    statuses: Counter[tuple[str, str]] = Counter()
    until = asyncio.Event()
    asking = [asyncio.create_task(ask_on(desk, statuses, until)) for desk in load.desks]
    await asyncio.sleep(1)
    before = Counter({key: count for key, count in statuses.items() if key[0] in others})
    os.kill(workers[0], signal.SIGKILL)
    await asyncio.sleep(2)
    until.set()
    await asyncio.gather(*asking)
    await load.disconnect()
    assert all(statuses[one, "200"] > before[one, "200"] for one in others)  # they went on
    return lost, others, statuses


def test_killing_a_worker_under_load_loses_nothing_else() -> None:
    with serving("--workers", "2") as (server, process):
        finished = [server.start(SCENARIO, seed) for seed in (20, 21)]  # one on each worker
        assert {one["id"][:5] for one in finished} == {"ep-0-", "ep-1-"}
        results = [server.post(one, "finish") for one in finished]
        lost, others, statuses = asyncio.run(killed_under_load(server))
        assert (len(lost), len(others)) == (4, 4)
        assert {status for episode, status in statuses if episode in others} == {"200"}
        for episode in lost:
            result = server.post({"id": episode}, "finish")
            assert (result["ended"], result["reward"], result["fault"]["kind"]) == ("void", None, "WorkerLost")
            assert result["episode"] == episode
        assert [server.post(one, "finish") for one in finished] == results
        assert all(result["reward"] is not None for result in results)
        for episode in others:
            assert server.post({"id": episode}, "finish")["reward"] is not None
        assert (server.metric("workers_lost_total"), server.metric("episodes_lost_total")) == (1, 4)
    assert process.returncode == 0


def test_workers_exit_when_the_front_is_killed() -> None:
    with serving("--workers", "2") as (_, process):
        workers = children(process.pid)
        process.kill()
        process.wait()
        deadline = time.monotonic() + 20
        while any(alive(pid) for pid in workers):
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_single_process_server_shuts_down_cleanly(stop: signal.Signals) -> None:
    with serving() as (server, process):
        assert subject(server.start(SCENARIO), server) == 200
        process.send_signal(stop)
        assert process.wait(20) == 0


def test_a_port_in_use_is_reported_in_one_sentence() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        command = [sys.executable, "-c", "from diorama.cli import main; main()", "serve", "--port", str(port)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 2
    assert f"port {port} (for the control plane) is taken" in run.stderr
    assert "Traceback" not in run.stderr
