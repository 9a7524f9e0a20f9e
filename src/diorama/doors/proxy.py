"""The CONNECT proxy: unmodified HTTPS clients reach the apps under their real host names, and nothing else."""

import asyncio
import ssl
from collections.abc import Mapping
from typing import cast

from diorama.doors.certificates import Authority
from diorama.doors.listener import Listener
from diorama.kernel.app import host_pattern

HEAD_BYTES = 16 << 10
HANDSHAKE_SECONDS = 10.0
HEAD_SECONDS = 10.0
EARLY_BYTES = 64 << 10
WAITING_AT_MOST = 500
"""Connections that have not become tunnels; the oldest is closed for a new one."""


class Proxy:
    """Accepts CONNECT and passes each tunnel to the door of the app it names."""

    def __init__(self, doors: Mapping[str, Listener], authority: Authority) -> None:
        """`doors`: vendor host or host pattern -> the listener that serves it."""
        self._doors = doors
        self._patterns = [(host_pattern(host), host) for host in doors if "{" in host]
        self._contexts: dict[str, ssl.SSLContext] = {}
        for certificate in authority.certificates:
            self._contexts |= dict.fromkeys(certificate.hosts, certificate.context())
        self._tunnels: set[asyncio.Task[None]] = set()
        self._open: dict[Tunnel, None] = {}  # in the order of their arrival

    def protocol(self) -> asyncio.Protocol:
        """Return the protocol of a new connection."""
        if len(self._open) >= WAITING_AT_MOST:
            oldest = next(iter(self._open))
            self.closed(oldest)
            oldest.abort()
        tunnel = Tunnel(self)
        self._open[tunnel] = None
        return tunnel

    def closed(self, tunnel: "Tunnel") -> None:
        """Stop tracking a connection that has ended or become a tunnel."""
        self._open.pop(tunnel, None)

    def close(self) -> None:
        """Close the connections that have not become tunnels; tunnels end with their doors."""
        for tunnel in list(self._open):
            tunnel.end()

    def connect(self, tunnel: "Tunnel", transport: asyncio.Transport, host: str, port: str, rest: bytes) -> None:
        """Open a tunnel to an app, or answer 403. `rest`: what the client sent behind the head of its request."""
        known = self._find(host.lower())
        if known is None or port != "443":
            self.closed(tunnel)
            refusal = f"Access to {host}:{port} is denied by the network policy.\n"
            transport.write(_answer("403 Forbidden", refusal))
            transport.close()
            return
        transport.pause_reading()  # the next bytes are the client's hello, for TLS
        transport.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
        task = asyncio.get_running_loop().create_task(self._secure(tunnel, transport, known, rest))
        self._tunnels.add(task)
        task.add_done_callback(self._tunnels.discard)

    def _find(self, host: str) -> str | None:
        """Return the host or host pattern of an app that a name belongs to."""
        if host in self._doors:
            return host
        return next((known for pattern, known in self._patterns if pattern.fullmatch(host)), None)

    async def _secure(self, tunnel: "Tunnel", transport: asyncio.Transport, known: str, rest: bytes) -> None:
        """Do the TLS handshake as the vendor, then hand the connection to the app's door."""
        early = EarlyBytes(transport)
        loop = asyncio.get_running_loop()
        handshake = loop.create_task(
            loop.start_tls(
                transport, early, self._contexts[known], server_side=True, ssl_handshake_timeout=HANDSHAKE_SECONDS
            )
        )
        try:
            await asyncio.sleep(0)  # TLS has its protocol now, and begins in the next round of the loop
            if rest:
                loop.call_soon(_feed, transport, rest)  # after that beginning, and before anything else is read
            secured = await handshake
        except (OSError, EOFError):
            transport.abort()  # the client does not trust us, or disconnected
            return
        finally:
            self.closed(tunnel)
        if secured is not None:
            early.hand_over(secured, self._doors[known].connection())


class EarlyBytes(asyncio.Protocol):
    """Buffers bytes that arrive between the handshake and the hand-over to the door."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._data = b""
        self._ended = False
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Buffer bytes, but not without end."""
        self._data += data
        if len(self._data) > EARLY_BYTES:
            self._ended = True
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Remember that the client closed the connection."""
        self._ended = True

    def hand_over(self, transport: asyncio.Transport, protocol: asyncio.Protocol) -> None:
        """Let a door's protocol serve the connection, and give it the buffered bytes first."""
        if self._ended:
            return
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if self._data:
            protocol.data_received(self._data)


class Tunnel(asyncio.Protocol):
    """One connection to the proxy, until it becomes a TLS connection to an app."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._head = bytearray()
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport of the client, and give it some time to say where it wants to go."""
        self._transport = cast(asyncio.Transport, transport)
        self._timer = asyncio.get_running_loop().call_later(HEAD_SECONDS, self.abort)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget a client that left before it asked for a tunnel."""
        self._stop_timer()
        self._proxy.closed(self)

    def abort(self) -> None:
        """Close the connection at once."""
        self._stop_timer()
        if self._transport is not None:
            self._transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Collect the head of the request; refuse everything but CONNECT."""
        self._head += data
        transport = self._transport
        if transport is None or (b"\r\n\r\n" not in self._head and len(self._head) < HEAD_BYTES):
            return
        line = bytes(self._head.split(b"\r\n", 1)[0]).decode("latin-1").split(" ")
        self._stop_timer()
        if len(line) == 3 and line[0] == "CONNECT" and b"\r\n\r\n" in self._head:
            host, _, port = line[1].rpartition(":")
            rest = bytes(self._head.partition(b"\r\n\r\n")[2])
            self._proxy.connect(self, transport, host, port, rest)
        else:
            advice = "This proxy takes CONNECT to https addresses and nothing else.\n"
            self._proxy.closed(self)
            transport.write(_answer("403 Forbidden", advice))
            transport.close()


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Give bytes to the protocol of a transport, as if they were read from it."""
    protocol = cast(asyncio.BufferedProtocol, transport.get_protocol())
    while data:
        buffer = memoryview(protocol.get_buffer(len(data)))
        taken = min(len(buffer), len(data))
        buffer[:taken] = data[:taken]
        protocol.buffer_updated(taken)
        data = data[taken:]


def _answer(status: str, text: str) -> bytes:
    body = text.encode("utf-8", "replace")
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    return head.encode() + body
