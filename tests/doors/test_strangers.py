"""Clients without a valid credential get a small share of a server, whatever they send."""

import asyncio
import socket
from collections.abc import Callable, Iterator

import pytest

from diorama.doors import strangers
from diorama.doors.connection import Admission, Answer, Done, plain_refusal
from diorama.doors.heads import Head
from diorama.doors.listener import Listener, bind, port_of
from diorama.doors.strangers import Sorter, StrangersQueue

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
KNOWN = b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: me\r\n\r\n"
MANY = 300


class Counting:
    """A server that knows one client and notes in which order it answers."""

    def __init__(self, until: Callable[[list[str]], bool]) -> None:
        self.answered: list[str] = []
        self.reached = asyncio.Event()
        self._until = until

    def admit(self, head: Head) -> Admission:
        known = (b"authorization", b"me") in head.fields.pairs
        return Admission(None, "episode" if known else None, 1000)

    def answer(self, head: Head, admission: Admission, body: bytes | None, done: Done) -> None:
        self.answered.append(admission.episode or "stranger")
        done(Answer(200, b"", b"ok"))
        if self._until(self.answered):
            self.reached.set()

    def crowded(self, admission: Admission) -> Answer:
        return plain_refusal(429, "crowded")

    def unreadable(self, status: int, reason: str, episode: str | None) -> Answer:
        return plain_refusal(status, reason)


def connected(port: int, sent: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), 10)
    client.sendall(sent)
    return client


def known_was_answered(answered: list[str]) -> bool:
    return "episode" in answered


async def serve(server: Counting, sock: socket.socket) -> None:
    listener = Listener(server, sock)
    task = asyncio.create_task(listener.run_until_stopped())
    async with asyncio.timeout(30):
        await server.reached.wait()
    listener.stop()
    await task


@pytest.mark.parametrize("leave", [True, False])
def test_a_known_client_does_not_wait_for_strangers_before_it(leave: bool) -> None:
    async def main() -> list[str]:
        server, sock = Counting(known_was_answered), bind("127.0.0.1", 0, "a test")
        crowd = [connected(port_of(sock), GET) for _ in range(MANY)]
        if leave:
            for one in crowd:
                one.close()
        honest = connected(port_of(sock), KNOWN)
        await serve(server, sock)
        for one in (*crowd, honest):
            one.close()
        return server.answered

    answered = asyncio.run(main())
    assert answered.index("episode") < MANY / 4


def test_strangers_are_answered_too() -> None:
    async def main() -> int:
        server, sock = Counting(lambda answered: len(answered) == MANY), bind("127.0.0.1", 0, "a test")
        crowd = [connected(port_of(sock), GET) for _ in range(MANY)]
        await serve(server, sock)
        replies = [one.recv(4096) for one in crowd]
        for one in crowd:
            one.close()
        return sum(reply.endswith(b"ok") for reply in replies)

    assert asyncio.run(main()) == MANY


def test_a_known_client_is_answered_while_strangers_send_much() -> None:
    async def main() -> list[str]:
        server, sock = Counting(known_was_answered), bind("127.0.0.1", 0, "a test")
        chunked = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 5000
        crowd = [connected(port_of(sock), sent) for sent in (GET * 400, chunked, GET * 400, chunked)]
        honest = connected(port_of(sock), KNOWN)
        await serve(server, sock)
        for one in (*crowd, honest):
            one.close()
        return server.answered

    answered = asyncio.run(main())
    assert answered.index("episode") < 100


@pytest.fixture
def pairs() -> Iterator[Callable[[bytes], socket.socket]]:
    """Return the server's end of connections on which something was sent."""
    ends: list[socket.socket] = []

    def pair(sent: bytes) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.sendall(sent)
        ends.extend((ours, theirs))
        return ours

    yield pair
    for one in ends:
        one.close()


def test_the_oldest_waiting_stranger_is_closed_for_a_new_one(
    pairs: Callable[[bytes], socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strangers, "WAITING_AT_MOST", 3)
    begun: list[socket.socket] = []

    async def main() -> list[socket.socket]:
        sorter = Sorter(lambda head: b"me" in head, StrangersQueue(), begun.append)
        sent = [pairs(GET) for _ in range(5)]
        assert [sorter.take(one) for one in sent] == [False] * 5
        assert sorter.take(pairs(KNOWN))
        assert sorter.take(pairs(b"")), "a client that has sent nothing yet may be known"
        await asyncio.sleep(0.05)
        return sent

    sent = asyncio.run(main())
    assert [one.fileno() < 0 for one in sent] == [True, True, False, False, False]
    assert begun[2:] == sent[2:]


def test_a_client_that_has_left_costs_nothing(pairs: Callable[[bytes], socket.socket]) -> None:
    async def main() -> None:
        begun: list[socket.socket] = []
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.close()
        assert not Sorter(lambda head: True, StrangersQueue(), begun.append).take(ours)
        assert ours.fileno() < 0
        assert begun == []

    asyncio.run(main())


def test_the_line_goes_on_after_work_that_failed() -> None:
    done: list[int] = []

    async def main() -> None:
        failures: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))
        line = StrangersQueue()
        line.put(lambda: done.append(1 // len(done)))
        line.put(lambda: done.append(2))
        await asyncio.sleep(0.05)
        assert [type(one) for one in failures] == [ZeroDivisionError]

    asyncio.run(main())
    assert done == [2]
