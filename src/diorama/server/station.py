"""The doors of one process: a port for every host of every product, and the proxy; all serve the same live episodes."""

import asyncio
import contextlib
import mmap
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from diorama.doors.certificates import Authority, Site
from diorama.doors.hosts import door_name
from diorama.doors.http import Door
from diorama.doors.listener import Accepting, Listener, serve_until
from diorama.doors.proxy import Proxy
from diorama.doors.watchdog import RECORDS_BYTES
from diorama.kernel import Company, image_of
from diorama.kit import App, Product
from diorama.rewards.claims.warming import warm_up_fully
from diorama.scenarios import load_all
from diorama.server.host import LEASE_SECONDS, LocalHost
from diorama.worlds import companies, company_of

SWEEP_SECONDS = 1.0
PROXY = "proxy"


class ProcessSetup(msgspec.Struct):
    """What a process is to serve: the base URL of each door, and the sockets they listen on."""

    worker: int
    origins: dict[str, str]
    sockets: dict[str, int]
    lease_seconds: float = LEASE_SECONDS
    proxy_url: str = ""
    authority: Authority | None = None
    records: int = -1  # shared memory, as a file descriptor: what this process runs


class Service(msgspec.Struct):
    """One host alias of a product, and the host names at which companies have it."""

    product: Product
    alias: str
    hosts: list[str]


def sites(served: Iterable[Company]) -> list[Site]:
    """Return the hosts of every product, and when the companies that have it begin."""
    known = list(served)
    products = {app.product.name: app.product for one in known for app in one.apps if isinstance(app, App)}
    out = []
    for product in products.values():
        users = [(one, one.app(product.name)) for one in known if product.name in {app.name for app in one.apps}]
        hosts = dict.fromkeys(host for _, app in users for host in app.hosts.values())
        out.append(Site(tuple(hosts), product.domain, tuple(one.start for one, _ in users)))
    return out


def services(served: Iterable[Company]) -> dict[str, Service]:
    """Return every host alias of every product that companies have, by the name of its door, in alphabetical order.

    Companies share doors: what a request shows picks the episode, and with it the company.
    """
    found: dict[str, Service] = {}
    owners: dict[str, str] = {}
    for app in (app for company in served for app in company.apps if isinstance(app, App)):
        for alias, host in app.hosts.items():
            name = door_name(app.name, alias)
            if owners.setdefault(host, name) != name:
                raise ValueError(f"{host} cannot lead to both {owners[host]} and {name}: give one of them another host")
            hosts = found.setdefault(name, Service(app.product, alias, [])).hosts
            if host not in hosts:
                hosts.append(host)
    return dict(sorted(found.items()))


def prepare(progress: Callable[[str], None]) -> None:
    """Build or open the images of every scenario before serving; building one takes a while."""
    for world, size in sorted({(scenario.world, scenario.size) for scenario in load_all().values()}):
        image_of(company_of(world), size, progress=progress)


class Station:
    """The doors of one process."""

    def __init__(
        self,
        setup: ProcessSetup,
        sockets: Mapping[str, socket.socket],
        tell: Callable[[dict[str, Any]], None] = lambda message: None,
        served: Iterable[Company] | None = None,
    ) -> None:
        """`served` are the companies whose products get doors; all of them if not given."""
        served = tuple(companies() if served is None else served)
        found = services(served)
        apps = [app for company in served for app in company.apps]
        for prepare_app in dict.fromkeys(one for app in apps for one in app.product.preparations):
            prepare_app()
        warm_up_fully()
        proxy = {"url": setup.proxy_url, "ca_pem": setup.authority.ca} if setup.authority is not None else None
        records = mmap.mmap(setup.records, RECORDS_BYTES) if setup.records >= 0 else None
        self.host = LocalHost(
            setup.origins,
            worker=setup.worker,
            proxy=proxy,
            lease_seconds=setup.lease_seconds,
            tell=tell,
            records=records,
        )
        self.host.doors = {
            name: Door(found[name].product, self.host.credentials, found[name].alias, self.host.turns)
            for name in setup.origins
        }
        listeners = {name: Listener(door, sockets[name]) for name, door in self.host.doors.items()}
        self._listeners = list(listeners.values())
        self._proxy_socket = sockets.get(PROXY)
        self._proxy: Proxy | None = None
        if setup.authority is not None:
            hosts = {host: listener for name, listener in listeners.items() for host in found[name].hosts}
            self._proxy = Proxy(hosts, setup.authority)

    async def serve(self, stopping: asyncio.Event, beside: tuple[Listener, ...] = ()) -> None:
        """Keep the doors (and the listeners in `beside`) open until `stopping` is set."""
        self.host.turns.open()
        sweeper = asyncio.create_task(self._sweep())
        server: Accepting | None = None
        if self._proxy is not None and self._proxy_socket is not None:
            server = Accepting(self._proxy_socket, self._proxy.protocol)
        try:
            await serve_until([*self._listeners, *beside], stopping)
        finally:
            sweeper.cancel()
            if server is not None and self._proxy is not None:
                server.close()
                self._proxy.close()
            with contextlib.suppress(asyncio.CancelledError):
                await sweeper
            self.host.turns.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.host.sweep()
