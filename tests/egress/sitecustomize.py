"""Block egress: a process with this folder on PYTHONPATH can reach only loopback (law 9)."""

import ipaddress
import sys
from typing import Any

NAMES = ("localhost", "ip6-localhost")


class EgressRefused(PermissionError):
    """A test tried to leave the machine."""


def is_local(host: object) -> bool:
    """Check whether a socket address is on this machine."""
    if host is None or host in ("", b""):
        return True
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name in NAMES or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def refuse(what: str, host: object) -> None:
    """Raise EgressRefused unless the host is local."""
    if not is_local(host):
        raise EgressRefused(f"{what} of {host!r}: tests reach loopback only")


def close_uvloop() -> None:
    """Patch uvloop, which connects in C without audit events: block each of its connecting methods."""
    loop = getattr(sys.modules.get("uvloop"), "Loop", None)
    if loop is None or getattr(loop, "diorama_egress_closed", False):
        return
    loop.diorama_egress_closed = True
    connect, look_up, sock_connect = loop.create_connection, loop.getaddrinfo, loop.sock_connect

    def create_connection(self: Any, factory: Any, host: Any = None, port: Any = None, **options: Any) -> Any:
        refuse("uvloop.create_connection", host)
        return connect(self, factory, host, port, **options)

    def getaddrinfo(self: Any, host: Any, port: Any, **options: Any) -> Any:
        refuse("uvloop.getaddrinfo", host)
        return look_up(self, host, port, **options)

    def sock_connect_to(self: Any, sock: Any, address: Any) -> Any:
        if isinstance(address, tuple):
            refuse("uvloop.sock_connect", address[0])
        return sock_connect(self, sock, address)

    def create_datagram_endpoint(self: Any, *args: Any, **options: Any) -> Any:
        raise EgressRefused("uvloop.create_datagram_endpoint: tests send no datagrams")

    loop.create_connection, loop.getaddrinfo, loop.sock_connect = create_connection, getaddrinfo, sock_connect_to
    loop.create_datagram_endpoint = create_datagram_endpoint


def refuse_egress(event: str, args: tuple[Any, ...]) -> None:
    """Audit hook: the interpreter calls it before every connection and every name lookup."""
    if event.startswith("socket."):
        close_uvloop()
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if isinstance(address, tuple) and not is_local(address[0]):
            raise EgressRefused(f"{event} to {address!r}: tests reach loopback only")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not is_local(args[0]):
        raise EgressRefused(f"{event} of {args[0]!r}: tests reach loopback only")


if not getattr(sys, "diorama_egress_closed", False):
    sys.addaudithook(refuse_egress)
    sys.diorama_egress_closed = True  # type: ignore[attr-defined]  # one hook per process, however often this is imported
