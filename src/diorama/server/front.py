"""The program behind `diorama serve`: bind the ports, run one process or several, and shut them down in order."""

import asyncio
import socket
from collections.abc import Callable, Sequence

import msgspec

from diorama.doors.asgi import AsgiApp
from diorama.doors.certificates import Authority
from diorama.doors.connection import Limits
from diorama.doors.listener import Listener, bind, connections_at_most, port_of, serve_until
from diorama.kernel import Company
from diorama.server.control import Host, control
from diorama.server.host import LEASE_SECONDS
from diorama.server.station import PROXY, ProcessSetup, Station, services, sites
from diorama.server.workers import Cluster
from diorama.worlds import companies


class Settings(msgspec.Struct, frozen=True):
    """The options of a server."""

    token: str
    host: str = "127.0.0.1"
    port: int = 8700  # 0: any free ports
    workers: int = 1  # 0: everything in this process, for tests
    advertise: str = ""
    lease_seconds: float = LEASE_SECONDS


class Ready(msgspec.Struct, frozen=True):
    """The addresses of a server that is ready."""

    control_url: str
    origins: list[dict[str, str]]
    proxy_urls: list[str]


class Front:
    """The sockets of a server, and the processes that use them."""

    def __init__(self, settings: Settings, served: Sequence[Company] | None = None) -> None:
        """Take every port at once, or raise PortTaken.

        `served` are the companies to serve: all of them unless given, which needs 0 workers.
        """
        self.settings = settings
        self._served = companies() if served is None else served
        self._services = services(self._served)
        self._authority = Authority.create(sites(self._served))
        self.sockets: list[socket.socket] = []
        try:
            self._control = self._bind(0, "the control plane")
            self._shares = [self._share(number) for number in range(max(1, settings.workers))]
        except BaseException:
            self.close()
            raise
        shown = settings.advertise or ("127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host)
        self._shown = f"[{shown}]" if ":" in shown else shown
        self._setups = [self._make_setup(number, share) for number, share in enumerate(self._shares)]
        self.ready = Ready(
            self._url(self._control),
            [setup.origins for setup in self._setups],
            [p.proxy_url for p in self._setups if p.proxy_url],
        )

    async def serve(self, stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        """Serve until the event is set; call `ready` once all doors are open."""
        try:
            if self.settings.workers == 0:
                station = Station(self._setups[0], self._shares[0], served=self._served)
                listener = self._control_listener(station.host)
                ready(self.ready)
                await station.serve(stopping, (listener,))
            else:
                cluster = Cluster(self._setups)
                listener = self._control_listener(cluster)
                ending = asyncio.Event()
                lives = asyncio.create_task(cluster.live(ending, lambda: ready(self.ready)))
                lives.add_done_callback(lambda task: stopping.set())
                try:
                    await serve_until([listener], stopping)
                finally:
                    ending.set()  # workers stop last, so that requests to the control plane are still answered
                    await lives
        finally:
            self.close()

    def _control_listener(self, host: Host) -> Listener:
        """Return the listener of the control plane; one holder of the token may have all its connections."""
        limits = Limits(connections=connections_at_most(), per_episode=Limits().connections, held_bytes=256 << 20)
        return Listener(AsgiApp(control(host, self.settings.token), self.settings.token), self._control, limits)

    def close(self) -> None:
        """Close every socket."""
        for sock in self.sockets:
            sock.close()

    def _bind(self, offset: int, purpose: str) -> socket.socket:
        port = self.settings.port + offset if self.settings.port else 0
        sock = bind(self.settings.host, port, purpose)
        self.sockets.append(sock)
        return sock

    def _share(self, number: int) -> dict[str, socket.socket]:
        """Return one worker's sockets: a port for each host alias of each product, and one for the proxy."""
        names = [*self._services, PROXY]
        first = 1 + number * len(names)
        wanted = [name for name in names if name != PROXY or self._authority is not None]
        return {name: self._bind(first + names.index(name), f"{name}, worker {number}") for name in wanted}

    def _make_setup(self, number: int, share: dict[str, socket.socket]) -> ProcessSetup:
        return ProcessSetup(
            worker=number,
            origins={name: self._url(sock) for name, sock in share.items() if name != PROXY},
            sockets={name: sock.fileno() for name, sock in share.items()},
            lease_seconds=self.settings.lease_seconds,
            proxy_url=self._url(share[PROXY]) if PROXY in share else "",
            authority=self._authority,
        )

    def _url(self, sock: socket.socket) -> str:
        return f"http://{self._shown}:{port_of(sock)}"
