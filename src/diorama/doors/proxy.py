"""The CONNECT proxy: unmodified HTTPS clients reach the apps under their real host names, and nothing else."""

import asyncio
import datetime as dt
import re
import ssl
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from diorama.doors.listener import Listener
from diorama.kernel.app import host_pattern

HEAD_BYTES = 16 << 10
HANDSHAKE_SECONDS = 10.0
HEAD_SECONDS = 10.0
EARLY_BYTES = 64 << 10
WAITING_AT_MOST = 500
"""Connections that have not become tunnels; the oldest is closed for a new one."""


class Authority(msgspec.Struct, frozen=True):
    """A private certificate authority and the one certificate it signed, as PEM text."""

    ca: str
    certificate: str
    key: str

    @classmethod
    def create(cls, hosts: Iterable[str]) -> "Authority | None":
        """Return a new authority for these hosts only, or None if `diorama[proxy]` is not installed.

        A pattern gets a wildcard, which TLS allows in place of the first label: `{bucket}.s3.example` and no other.
        """
        try:
            from cryptography import x509
            from cryptography.hazmat.primitives import hashes, serialization
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
        except ImportError:
            return None
        known = list(dict.fromkeys(hosts))
        patterns = [host.partition(".") for host in known if "{" in host]
        wild = [rest for first, _, rest in patterns if re.fullmatch(r"\{\w+\}", first) and "{" not in rest]
        literal = [host for host in known if "{" not in host]
        names = [x509.DNSName(name) for name in dict.fromkeys([*literal, *(f"*.{rest}" for rest in wild)])]
        subtrees = [x509.DNSName(name) for name in dict.fromkeys([*literal, *wild])]
        since = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)
        until = since + dt.timedelta(days=365)

        def called(name: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

        ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        ca_id = x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key())
        ca = (
            x509.CertificateBuilder(called("Diorama world CA"), called("Diorama world CA"), ca_key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(since)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(x509, signs_certificates=True), critical=True)
            .add_extension(x509.NameConstraints(permitted_subtrees=subtrees, excluded_subtrees=None), critical=True)
            .add_extension(ca_id, critical=False)
            .sign(ca_key, hashes.SHA256())
        )
        leaf = (
            x509.CertificateBuilder(called("Diorama world CA"), called("diorama"), key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(since)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(x509, signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(ca_id), critical=False)
            .sign(ca_key, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return cls(ca.public_bytes(pem).decode(), leaf.public_bytes(pem).decode(), private.decode())

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings with which the apps' hosts answer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:  # ssl loads keys only from files
            chain = Path(folder, "chain.pem")
            chain.touch(mode=0o600)
            chain.write_text(self.certificate + self.key)
            context.load_cert_chain(chain)
        return context


def _usage(x509: Any, signs_certificates: bool) -> Any:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


class Proxy:
    """Accepts CONNECT and passes each tunnel to the door of the app it names."""

    def __init__(self, doors: Mapping[str, Listener], authority: Authority) -> None:
        """`doors`: vendor host or host pattern -> the listener that serves it."""
        self._doors = doors
        self._patterns = [(host_pattern(host), listener) for host, listener in doors.items() if "{" in host]
        self._context = authority.context()
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

    def connect(self, tunnel: "Tunnel", transport: asyncio.Transport, host: str, port: str) -> None:
        """Open a tunnel to an app, or answer 403."""
        listener = self._find(host.lower())
        if listener is None or port != "443":
            self.closed(tunnel)
            refusal = f"{host}:{port} is not an app of this world; nothing leaves.\n"
            transport.write(_answer("403 Forbidden", refusal))
            transport.close()
            return
        transport.pause_reading()  # the next bytes are the client's hello, for TLS
        transport.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
        task = asyncio.get_running_loop().create_task(self._secure(tunnel, transport, listener))
        self._tunnels.add(task)
        task.add_done_callback(self._tunnels.discard)

    def _find(self, host: str) -> Listener | None:
        found = self._doors.get(host)
        return found or next((listener for pattern, listener in self._patterns if pattern.fullmatch(host)), None)

    async def _secure(self, tunnel: "Tunnel", transport: asyncio.Transport, listener: Listener) -> None:
        """Do the TLS handshake as the vendor, then hand the connection to the app's door."""
        early = EarlyBytes(transport)
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport, early, self._context, server_side=True, ssl_handshake_timeout=HANDSHAKE_SECONDS
            )
        except (OSError, EOFError):
            transport.abort()  # the client does not trust us, or disconnected
            return
        finally:
            self.closed(tunnel)
        if secured is not None:
            early.hand_over(secured, listener.connection())


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
            self._proxy.connect(self, transport, host, port)
        else:
            advice = "This proxy takes CONNECT to the apps' https addresses and nothing else.\n"
            self._proxy.closed(self)
            transport.write(_answer("403 Forbidden", advice))
            transport.close()


def _answer(status: str, text: str) -> bytes:
    body = text.encode("utf-8", "replace")
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    return head.encode() + body
