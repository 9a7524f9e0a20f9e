"""One process's doors: every app on its port, the proxy beside them, all leading to one host."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec

from diorama.doors.http import Door
from diorama.doors.links import Links
from diorama.doors.listener import Listener, serve_until
from diorama.doors.proxy import Authority, Proxy
from diorama.kernel import image_of
from diorama.kit import App
from diorama.scenarios import load_all
from diorama.server.host import LEASE_SECONDS, LocalHost
from diorama.worlds import companies, company_of

SWEEP_SECONDS = 1.0
PROXY = "proxy"


class Plan(msgspec.Struct):
    """What a process is to serve: where its doors are, and the sockets they listen on."""

    worker: int
    origins: dict[str, str]
    sockets: dict[str, int]
    lease_seconds: float = LEASE_SECONDS
    proxy_url: str = ""
    authority: Authority | None = None


def served_apps() -> dict[str, App]:
    """Every app of every world that has a wire, by name."""
    found = {app.name: app for company in companies() for app in company.apps if isinstance(app, App) and app.host}
    return dict(sorted(found.items()))


def prepare(progress: Callable[[str], None]) -> None:
    """Have the images of every scenario at hand before the doors open; building one takes a while."""
    for world, size in sorted({(scenario.world, scenario.size) for scenario in load_all().values()}):
        image_of(company_of(world), size, progress=progress)


class Station:
    """The doors of one process."""

    def __init__(
        self,
        plan: Plan,
        sockets: Mapping[str, socket.socket],
        gone: Callable[[list[str]], None] = lambda episodes: None,
        apps: Mapping[str, App] | None = None,
    ) -> None:
        apps = served_apps() if apps is None else apps
        proxy = {"url": plan.proxy_url, "ca_pem": plan.authority.ca} if plan.authority is not None else None
        self.host = LocalHost(
            plan.origins, worker=plan.worker, proxy=proxy, lease_seconds=plan.lease_seconds, gone=gone
        )
        links = Links(
            {apps[name].host: origin for name, origin in plan.origins.items()},
            {apps[name].host: _spellings(origin) for name, origin in plan.origins.items()},
        )
        self.host.doors = {name: Door(apps[name], self.host.guests, links) for name in plan.origins}
        listeners = {name: Listener(door, sockets[name]) for name, door in self.host.doors.items()}
        self._listeners = list(listeners.values())
        self._proxy_socket = sockets.get(PROXY)
        self._proxy: Proxy | None = None
        if plan.authority is not None:
            self._proxy = Proxy({apps[name].host: listener for name, listener in listeners.items()}, plan.authority)

    async def serve(self, stopping: asyncio.Event, beside: tuple[Listener, ...] = ()) -> None:
        """Keep the doors (and other listeners beside them) open until told to stop."""
        sweeper = asyncio.create_task(self._sweep())
        server: asyncio.Server | None = None
        if self._proxy is not None and self._proxy_socket is not None:
            server = await asyncio.get_running_loop().create_server(self._proxy.protocol, sock=self._proxy_socket)
        try:
            await serve_until([*self._listeners, *beside], stopping)
        finally:
            sweeper.cancel()
            if server is not None and self._proxy is not None:
                server.close()
                self._proxy.close()
            with contextlib.suppress(asyncio.CancelledError):
                await sweeper

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.host.sweep()


def _spellings(origin: str) -> list[str]:
    """The same door under the names that clients on this machine use."""
    port = urlsplit(origin).port
    return [f"http://127.0.0.1:{port}", f"http://localhost:{port}"]
