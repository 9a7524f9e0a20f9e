"""Law 9. Nothing leaves: no door and no client started by a test can reach a real vendor; egress fails closed."""

import ast
import asyncio
import http.client
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from diorama.kernel.testing import fresh
from diorama.kit.webhooks import COURIER, post, waiting

SOURCE = Path(__file__).parents[2] / "src" / "diorama"
VENDOR = "support.vendor.example"
NOWHERE = "192.0.2.1"  # an address reserved for documentation
WORLD_LAYERS = ("kernel", "kit", "apps", "people", "worlds", "scenarios", "rewards")
WAYS_OUT = {
    "socket", "ssl", "http", "urllib.request", "httpx", "requests", "urllib3", "aiohttp", "ftplib", "smtplib",
    "subprocess", "asyncio", "telnetlib", "xmlrpc", "webbrowser", "uvicorn", "starlette", "uvloop",
}  # fmt: skip


async def _asyncio(host: str) -> None:
    await asyncio.open_connection(host, 443)


async def _httpx(host: str) -> None:
    async with httpx.AsyncClient() as client:
        await client.get(f"https://{host}/")


def _uvloop(host: str) -> None:
    uvloop = pytest.importorskip("uvloop")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_asyncio(host))


def _requests(host: str) -> None:
    pytest.importorskip("requests").get(f"https://{host}/", timeout=1)


def _zenpy(host: str) -> None:
    client = pytest.importorskip("zenpy").Zenpy(
        domain=host, subdomain="acme", email="a@b.example", token="x", timeout=1
    )
    client.users.me()


CLIENTS: dict[str, Callable[[str], Any]] = {
    "socket": lambda host: socket.create_connection((host, 443), timeout=1),
    "http.client": lambda host: http.client.HTTPSConnection(host, timeout=1).request("GET", "/"),
    "urllib": lambda host: urllib.request.urlopen(f"https://{host}/", timeout=1),
    "httpx": lambda host: httpx.get(f"https://{host}/", timeout=1),
    "httpx, asynchronous": lambda host: asyncio.run(_httpx(host)),
    "asyncio": lambda host: asyncio.run(_asyncio(host)),
    "uvloop": _uvloop,
    "requests": _requests,
    "zenpy": _zenpy,
}


def chain(error: BaseException | None) -> Iterator[str]:
    """Yield the messages of an error and of its causes: each client wraps them differently."""
    while error is not None:
        yield str(error)
        for inner in getattr(error, "exceptions", ()):
            yield from chain(inner)
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("host", [VENDOR, NOWHERE])
@pytest.mark.parametrize("client", CLIENTS)
def test_law_09_no_client_in_a_test_can_leave_the_machine(client: str, host: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each client has errors of its own
        CLIENTS[client](host)
    assert any("loopback only" in said for said in chain(caught.value)), list(chain(caught.value))


def test_law_09_no_datagram_leaves_either() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, pytest.raises(PermissionError, match="loopback"):
        sock.sendto(b"x", (NOWHERE, 53))


def test_law_09_no_process_that_a_test_starts_can_leave_the_machine() -> None:
    code = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1])"
    child = subprocess.run(
        [sys.executable, "-c", code, f"https://{VENDOR}/"], capture_output=True, text=True, check=False
    )
    assert child.returncode != 0
    assert "loopback only" in child.stderr


def test_law_09_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


HARMLESS = frozenset({"http.HTTPStatus"})
"""Parts of network modules that only define constants."""


def ways_out(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where code imports something that could reach the network."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        names = [name for name in names if name not in HARMLESS]
        if leading := [name for name in names if name in WAYS_OUT or name.partition(".")[0] in WAYS_OUT]:
            yield node.lineno, leading[0]


def test_law_09_no_world_layer_imports_a_network_module() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {name}"
        for layer in WORLD_LAYERS
        for path in sorted((SOURCE / layer).rglob("*.py"))
        for line, name in ways_out(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(found)
    assert list(ways_out(ast.parse("import urllib.request")))
    assert not list(ways_out(ast.parse("from urllib.parse import quote")))


def test_law_09_an_outgoing_webhook_waits_in_the_image() -> None:
    world = fresh([COURIER])
    world.do(lambda tx: post(tx, "desk", "solved", f"https://{VENDOR}/hook", "{}", {}).id, "system:test")
    world.wait(timedelta(days=2))
    assert waiting(world) == []
    assert "DeliveryFailed" in {notice for event in world.events for notice in event.notices}
