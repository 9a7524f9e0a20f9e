"""Closes the way out: a process with this folder on PYTHONPATH can reach loopback and nothing else (law 9)."""

import ipaddress
import sys
from typing import Any

NAMES = ("localhost", "ip6-localhost")


class EgressRefused(PermissionError):
    """A test tried to leave the machine."""


def is_local(host: object) -> bool:
    """Whether an address as sockets take it stays on this machine."""
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


def refuse_egress(event: str, args: tuple[Any, ...]) -> None:
    """An audit hook: the interpreter asks it before every connection and every look-up of a name."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if isinstance(address, tuple) and not is_local(address[0]):
            raise EgressRefused(f"{event} to {address!r}: tests reach loopback only")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not is_local(args[0]):
        raise EgressRefused(f"{event} of {args[0]!r}: tests reach loopback only")


if not getattr(sys, "diorama_egress_closed", False):
    sys.addaudithook(refuse_egress)
    sys.diorama_egress_closed = True  # type: ignore[attr-defined]  # one hook per process, however often this is imported
