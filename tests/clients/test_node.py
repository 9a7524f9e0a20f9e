"""The unmodified node-zendesk client runs a desk's everyday workflows: one JavaScript file each."""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from diorama.scenarios import SCENARIOS, find
from diorama.server.front import Front, Ready, Settings
from diorama.worlds.larkspur.company import AT_THE_DESK
from tests.doors.serving import TOKEN, Server, in_thread

HERE = Path(__file__).parent / "node"
NODE = shutil.which("node")
LEAD = next(one.email for one in AT_THE_DESK if one.role != "agent")
pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not on this machine"),
    pytest.mark.skipif(
        NODE is not None and not (HERE / "node_modules" / "node-zendesk").is_dir(),
        reason="node-zendesk is not installed (make setup)",
    ),
]


def led() -> Any:
    """Return a scenario in which the client is a lead, who may export and see every rule."""
    known: Any = type(find("zendesk/late-refund"))

    class Led(known):  # type: ignore[misc] # its class is looked up by name
        """The late-refund scenario with the lead as the agent."""

        name = "zendesk/led"
        person = LEAD

    return Led()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)

    with mock.patch.dict(SCENARIOS, {"zendesk/led": led()}), in_thread(main) as ready:
        server = Server(ready)
        yield server
        server.control.close()


def performed(server: Server, workflow: str) -> dict[str, Any]:
    """Run a workflow in a new world, and return its output."""
    opened = server.start("zendesk/led", 1, turns=100_000)["apps"]["zendesk"]
    shown = opened["credentials"]
    told = {
        "DESK_USER": shown["email"],
        "DESK_TOKEN": shown["token"],
        "DESK_URI": f"{opened['base_url']}/api/v2",
        "PATH": os.environ["PATH"],
    }
    assert NODE is not None
    run = subprocess.run(
        [NODE, f"workflows/{workflow}.js"], cwd=HERE, env=told, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_node_zendesk_reads(server: Server) -> None:
    told = performed(server, "read")
    assert told["same"]
    assert told["metrics"]
    assert told["requester"]
    assert told["found"] == told["count"] > 1
    assert told["comments"] >= 1
    assert told["audits"] >= 1


def test_node_zendesk_answers(server: Server) -> None:
    assert performed(server, "answer") == {"priority": "urgent", "said": True, "refused": 409, "subject": "In time"}


def test_node_zendesk_works_in_bulk(server: Server) -> None:
    assert performed(server, "bulk") == {
        "created": "completed",
        "changed": "completed",
        "priorities": ["low", "low", "low"],
        "merge": "completed",
        "merged": "closed",
    }


def test_node_zendesk_reads_views_macros_and_slas(server: Server) -> None:
    told = performed(server, "rules")
    assert told["counted"]
    assert told["applied"]
    assert min(told["views"], told["macros"], told["policies"]) > 1


def test_node_zendesk_manages_users(server: Server) -> None:
    assert performed(server, "people") == {
        "found": [["Nora Node", "+49 30 1234567", ["node"]]],
        "members": ["Nora Node"],
        "many": "completed",
        "listed": True,
        "known": [True],
        "gone": 404,
        "me": LEAD,
    }


def test_node_zendesk_transfers_files(server: Server) -> None:
    assert performed(server, "files") == {"name": "reading.json", "shown": True, "same": "diorama-clients"}


def test_node_zendesk_exports(server: Server) -> None:
    told = performed(server, "exports")
    assert told["byTime"] == told["byCursor"] > 100
    assert told["score"]
    assert min(told["ratings"], told["metrics"]) > 10
