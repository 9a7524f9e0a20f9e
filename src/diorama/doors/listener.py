"""Sockets and servers: many ASGI apps, each on its own port, in one event loop."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import Generator, Sequence
from typing import Any

import uvicorn

BACKLOG = 2048
GRACE_SECONDS = 5


class PortTaken(Exception):
    """A port that the server needs is in use, or cannot be bound."""


def bind(host: str, port: int, purpose: str) -> socket.socket:
    """Return a listening socket; raise PortTaken with the reason if that is not possible."""
    if not 0 <= port <= 65535:
        raise PortTaken(f"port {port} (for {purpose}) does not exist: ports end at 65535. Choose a lower --port.")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        why = f"cannot listen on {host!r}: {error.strerror or error}. Give --host an address of this machine."
        raise PortTaken(why) from error
    sock = socket.socket(family, kind, proto)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"port {port} (for {purpose}) is taken on {host}. Stop what listens there, "
                f"or choose another range with --port."
            ) from error
        raise PortTaken(f"cannot listen on {host}:{port} (for {purpose}): {error.strerror or error}.") from error
    return sock


def port_of(sock: socket.socket) -> int:
    """Return the port that a socket listens on."""
    return int(sock.getsockname()[1])


class Listener(uvicorn.Server):
    """One ASGI app on one socket. It installs no signal handlers: the event loop's owner does."""

    def __init__(self, app: Any, sock: socket.socket) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="httptools",
                ws="none",
                lifespan="off",
                access_log=False,
                log_config=None,
                server_header=False,
                date_header=False,  # wall time is not the world's time
                proxy_headers=False,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=GRACE_SECONDS,
                backlog=BACKLOG,
            )
        )
        self._sock = sock
        self._stopping = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the process's signal handlers unchanged."""
        yield

    async def main_loop(self) -> None:
        """Wait until `stop` is called."""
        await self._stopping.wait()

    def connection(self) -> asyncio.Protocol:
        """Return the HTTP protocol for a connection that the caller has accepted."""
        made = self.config.http_protocol_class(config=self.config, server_state=self.server_state, app_state={})  # type: ignore[call-arg]  # chosen by name at run time
        return made

    async def run_until_stopped(self) -> None:
        """Serve until `stop` is called, then finish requests in flight and close connections."""
        await self.serve(sockets=[self._sock])

    def stop(self) -> None:
        """Accept no new connections and finish requests in flight."""
        self.should_exit = True
        self._stopping.set()


async def serve_until(listeners: Sequence[Listener], stopping: asyncio.Event) -> None:
    """Run all listeners until the event is set or one of them fails, then stop them together."""
    tasks = [asyncio.create_task(listener.run_until_stopped()) for listener in listeners]
    waiter = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait([*tasks, waiter], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiter.cancel()
        for listener in listeners:
            listener.stop()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


def run(main: Any) -> Any:
    """Run a coroutine with uvloop if it is installed, otherwise with asyncio."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)
