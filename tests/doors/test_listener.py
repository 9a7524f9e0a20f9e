"""Ports: one that is in use is named in the error, with what to do about it."""

import socket

import pytest

from diorama.doors.listener import PortTaken, bind, port_of


def test_a_port_in_use_is_reported_with_advice() -> None:
    held = bind("127.0.0.1", 0, "holding")
    try:
        with pytest.raises(PortTaken, match=rf"port {port_of(held)} \(for zendesk\) is taken .* --port"):
            bind("127.0.0.1", port_of(held), "zendesk")
    finally:
        held.close()


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(PortTaken, match="cannot listen on"):
        bind("192.0.2.1", 0, "control plane")


def test_sockets_are_loopback_only_by_default() -> None:
    sock = bind("127.0.0.1", 0, "anything")
    assert sock.family == socket.AF_INET
    assert sock.getsockname()[0] == "127.0.0.1"
    sock.close()
