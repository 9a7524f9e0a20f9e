"""Limits at the door: what no client may send, how long it may take, and how much of it is kept."""

import re
import socket
import time

import pytest

from diorama.doors.chunks import Chunks
from diorama.doors.connection import BLANK_LINES, Limits
from diorama.doors.heads import HEAD_BYTES, Heads, Malformed
from tests.doors.serving import Served, door_of_notes
from tests.doors.test_http import basic, client, raw

AUTH = f"authorization: {basic()}\r\n".encode()
POST = b"POST /notes HTTP/1.1\r\nhost: x\r\n" + AUTH
BODY = b'{"text":"hello"}'


def connect(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=10)


def read_all(sock: socket.socket) -> bytes:
    answer = b""
    try:
        while part := sock.recv(65536):
            answer += part
    except ConnectionResetError:
        pass
    return answer


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", answer)]


def written(served: Served) -> int:
    return sum(event.operation == "write_note" for event in served.sessions["one"].world.events)


@pytest.mark.parametrize(
    "head",
    [
        b"content-length: 16\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"transfer-encoding: chunked\r\ncontent-length: 16\r\n\r\n0\r\n\r\n",
        b"content-length: 16\r\ncontent-length: 16\r\n\r\n" + BODY,
        b"content-length: 16\r\nContent-Length: 3\r\n\r\n" + BODY,
        b"content-length: +16\r\n\r\n" + BODY,
        b"content-length: 16,16\r\n\r\n" + BODY,
        b"content-length: 0x10\r\n\r\n" + BODY,
        b"content-length: 1_6\r\n\r\n" + BODY,
        b"content-length:\r\n\r\n" + BODY,
        b"content-length : 16\r\n\r\n" + BODY,
        b" content-length: 16\r\n\r\n" + BODY,
        b"x-a: b\r\n content-length: 16\r\n\r\n" + BODY,
        b"x-a: b\ncontent-length: 16\r\n\r\n" + BODY,
        b"x-a: b\rcontent-length: 16\r\n\r\n" + BODY,
        b"x-a: b\x00\r\ncontent-length: 16\r\n\r\n" + BODY,
        b"transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"transfer-encoding: identity\r\n\r\n" + BODY,
        b"transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
        b"host: y\r\ncontent-length: 16\r\n\r\n" + BODY,
        b"transfer-encoding: chunked\r\n\r\n-1\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n0x10\r\n" + BODY + b"\r\n0\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n10\n" + BODY + b"\n0\n\n",
        b"transfer-encoding: chunked\r\n\r\n5\r\n" + BODY + b"\r\n0\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\nfffffffff\r\n" + BODY,
        b"transfer-encoding: chunked\r\n\r\n10;" + b"x" * 300 + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n10;a\nb\r\n" + BODY + b"\r\n0\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n",
    ],
)
def test_a_request_that_can_be_read_in_two_ways_is_refused(served: Served, head: bytes) -> None:
    smuggled = b"GET /echo HTTP/1.1\r\nhost: x\r\n" + AUTH + b"\r\n"
    answer = raw(served, POST + head + smuggled)
    assert statuses(answer) == [400], answer
    assert b"connection: close" in answer
    assert len(served.sessions["one"].world.events) == len(served.sessions["two"].world.events)


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /echo HTTP/1.1\nhost: x\n\n",
        b"GET /echo HTTP/1.1\r\nhost: x\n",
        b"\n",
        POST + b"transfer-encoding: chunked\r\n\r\n10\n",
        POST + b"transfer-encoding: chunked\r\n\r\n0\r\nx: y\n",
    ],
)
def test_a_bare_line_feed_is_refused_at_once(served: Served, sent: bytes) -> None:
    began = time.monotonic()
    assert statuses(raw(served, sent)) == [400]
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "line",
    [
        b"GET  /echo HTTP/1.1",
        b"GET /echo  HTTP/1.1",
        b"GET /echo HTTP/1.1 ",
        b"GET /echo HTTP/2.0",
        b"GET /echo",
        b"GET\t/echo HTTP/1.1",
        b"GET echo HTTP/1.1",
        b"GET /e cho HTTP/1.1",
        b"GET /\x01 HTTP/1.1",
        b"G\x00T /echo HTTP/1.1",
        b"GET http:///echo HTTP/1.1",
        b"CONNECT x:443 HTTP/1.1",
    ],
)
def test_a_malformed_request_line_is_refused(served: Served, line: bytes) -> None:
    assert statuses(raw(served, line + b"\r\nhost: x\r\n" + AUTH + b"\r\n")) == [400]


def test_http_1_1_needs_a_host_and_1_0_does_not(served: Served) -> None:
    assert statuses(raw(served, b"GET /echo HTTP/1.1\r\n" + AUTH + b"\r\n")) == [400]
    twice = (b"GET /echo HTTP/1.0\r\n" + AUTH + b"\r\n") * 2
    answer = raw(served, twice)
    assert statuses(answer) == [200]  # HTTP/1.0 closes after one reply
    assert b"connection: close" in answer
    assert statuses(
        raw(served, b"POST /notes HTTP/1.0\r\ntransfer-encoding: chunked\r\n" + AUTH + b"\r\n0\r\n\r\n")
    ) == [400]


def test_a_target_with_a_host_is_read_like_its_path(served: Served) -> None:
    answer = raw(served, b"GET http://other.example/echo?text=a#b HTTP/1.1\r\nhost: x\r\n" + AUTH + b"\r\n")
    assert statuses(answer) == [200]
    assert answer.endswith(b"\r\n\r\na")


def test_chunks_with_extensions_and_trailers_make_one_body(served: Served) -> None:
    chunks = b"8;name=value\r\n" + BODY[:8] + b"\r\n8 \r\n" + BODY[8:] + b"\r\n0;last\r\nx-trailer: 1\r\n\r\n"
    answer = raw(
        served, POST + b"transfer-encoding: Chunked\r\n\r\n" + chunks + b"GET /echo HTTP/1.1\r\nhost: x\r\n\r\n"
    )
    assert statuses(answer) == [201, 401]


def test_a_trailer_never_authenticates(served: Served) -> None:
    head = b"POST /notes HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    answer = raw(served, head + b"10\r\n" + BODY + b"\r\n0\r\n" + AUTH + b"\r\n")
    assert statuses(answer) == [401]
    assert written(served) == 0


@pytest.mark.parametrize("pieces", [1, 7])
def test_a_body_may_arrive_in_any_pieces(served: Served, pieces: int) -> None:
    chunked = b"transfer-encoding: chunked\r\n\r\n" + b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n"
    for data in (POST + b"content-length: 16\r\n\r\n" + BODY, POST + chunked):
        with connect(served) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(0, len(data), pieces):
                sock.send(data[at : at + pieces])
            assert statuses(sock.recv(65536)) == [201]
    assert written(served) == 2


def test_a_client_that_expects_100_continue_gets_it_only_if_admitted(served: Served) -> None:
    expecting = b"expect: 100-continue\r\ncontent-length: 16\r\n\r\n"
    with connect(served) as sock:
        sock.sendall(POST + expecting)
        assert sock.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(BODY)
        assert statuses(sock.recv(65536)) == [201]
    with connect(served) as sock:
        sock.sendall(b"POST /notes HTTP/1.1\r\nhost: x\r\n" + expecting)
        assert statuses(read_all(sock)) == [401]
    with connect(served) as sock:
        sock.sendall(POST + expecting.replace(b"16", b"20000"))
        assert statuses(read_all(sock)) == [413]


def test_a_head_of_64_kb_is_read_and_a_larger_one_refused(served: Served) -> None:
    start = b"GET /echo HTTP/1.1\r\nhost: x\r\n" + AUTH
    room = HEAD_BYTES - len(start) - len(b"x-a: \r\n")
    assert statuses(raw(served, start + b"x-a: " + b"a" * (room - 10) + b"\r\n\r\n")) == [200]
    assert statuses(raw(served, start + b"x-a: " + b"a" * (room + 10) + b"\r\n\r\n")) == [431]
    assert statuses(raw(served, start + b"x-a: a\r\n" * 300 + b"\r\n")) == [431]


def test_a_few_empty_lines_may_precede_a_request_but_not_many(served: Served) -> None:
    get = b"GET /echo HTTP/1.1\r\nhost: x\r\n" + AUTH + b"\r\n"
    assert statuses(raw(served, b"\r\n" * BLANK_LINES + get)) == [200]
    assert statuses(raw(served, b"\r\n" * (BLANK_LINES + 1) + get)) == [400]
    assert statuses(raw(served, get + b"\r\n" * BLANK_LINES + get)) == [200, 200]


def test_empty_lines_without_end_are_cut_off(served: Served) -> None:
    with connect(served) as sock:
        for _ in range(BLANK_LINES + 1):
            sock.sendall(b"\r\n")
        assert statuses(read_all(sock)) == [400]


def test_an_endless_header_is_cut_off(served: Served) -> None:
    sent = 0
    with connect(served) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\n")
        try:
            while sent < 200 << 20:
                sent += sock.send(b"x-filler: " + b"a" * 60_000 + b"\r\n")
        except OSError:
            pass
    assert sent < 200 << 20
    with client(served) as one:
        assert one.get("/echo").status_code == 200


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"GET / HTTP/1.1\r\nx: ", [408]),
        (b"POST /notes HTTP/1.1\r\nhost: x\r\ncontent-length: 16\r\n\r\n{", [408]),
        (POST + b"content-length: 16\r\n\r\n{", [408]),
        (POST + b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n", [408]),
        (b"GET /echo HTTP/1.1\r\nhost: x\r\n" + AUTH + b"\r\n", [200]),
    ],
)
def test_a_client_that_takes_too_long_is_closed(data: bytes, expected: list[int]) -> None:
    limits = Limits(head_seconds=0.3, idle_seconds=0.3, body_seconds=0.3, body_rate=1 << 20, linger_seconds=0.3)
    with door_of_notes(limits) as served, connect(served) as sock:
        began = time.monotonic()
        sock.sendall(data)
        assert statuses(read_all(sock)) == expected
        assert time.monotonic() - began < 5


def test_sending_a_byte_now_and_then_gives_no_more_time() -> None:
    with door_of_notes(Limits(head_seconds=0.5)) as served, connect(served) as sock:
        sent = 0
        try:
            while sent < 200:
                sent += sock.send(b"G")
                time.sleep(0.05)
        except OSError:
            pass
        assert sent < 200


def test_strangers_make_room_for_a_new_client() -> None:
    with door_of_notes(Limits(strangers=20)) as served:
        held = [connect(served) for _ in range(100)]
        for sock in held:
            sock.sendall(b"GET / HTTP/1.1\r\n")
        with client(served) as one:
            assert one.get("/echo").status_code == 200
            more = [connect(served) for _ in range(30)]
            assert one.get("/echo").status_code == 200  # a known client is not a stranger any more
        for sock in (*held, *more):
            sock.close()


def test_an_episode_has_a_limited_number_of_connections() -> None:
    ask = b"GET /echo HTTP/1.1\r\nhost: x\r\n" + AUTH + b"\r\n"
    with door_of_notes(Limits(per_episode=3)) as served:
        socks = [connect(served) for _ in range(4)]
        answers = []
        for sock in socks:
            sock.sendall(ask)
            answers.append(sock.recv(65536))
        assert [statuses(answer) for answer in answers] == [[200], [200], [200], [429]]
        assert b"TooMany" in answers[3]
        with client(served, "two") as other:
            assert other.get("/echo").status_code == 200
        socks[0].close()
        time.sleep(0.1)
        with client(served) as one:
            assert one.get("/echo").status_code == 200
        for sock in socks:
            sock.close()


def test_bodies_that_have_not_arrived_yet_are_kept_up_to_a_limit() -> None:
    head = POST + b"content-length: 9000\r\n\r\n" + b"x" * 8000
    with door_of_notes(Limits(held_bytes=20_000)) as served:
        socks = [connect(served) for _ in range(5)]
        for sock in socks:
            sock.sendall(head)
            time.sleep(0.05)
        refused = 0
        for sock in socks:
            sock.settimeout(0.3)
            try:
                refused += statuses(sock.recv(65536)) == [429]
            except TimeoutError:
                continue
        assert refused == 3
        for sock in socks:
            sock.close()


def test_a_client_that_does_not_read_is_served_no_more(served: Served) -> None:
    ask = b"GET /echo?text=" + b"x" * 9000 + b" HTTP/1.1\r\nhost: x\r\n" + AUTH + b"\r\n"
    with connect(served) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        sent = 0
        deadline = time.monotonic() + 5
        while sent < 100 << 20 and time.monotonic() < deadline:
            try:
                rest = sent % len(ask)  # go on exactly where the last part ended
                sent += sock.send(ask[rest:] + ask * 10)
            except BlockingIOError:
                time.sleep(0.01)
        assert sent < 50 << 20
    with client(served) as one:
        assert one.get("/echo").status_code == 200


def test_many_tiny_chunks_are_decoded_in_portions() -> None:
    buffer = bytearray(b"1\r\nx\r\n" * 1000 + b"0\r\n\r\n")
    chunks, rounds, data = Chunks(), 0, b""
    while not chunks.done:
        data += chunks.feed(buffer)
        rounds += 1
    assert data == b"x" * 1000
    assert rounds > 3


def test_much_framing_around_little_data_is_refused() -> None:
    chunks = Chunks()
    buffer = bytearray((b"1;" + b"x" * 200 + b"\r\nx\r\n") * 2000)

    def decode() -> None:
        while buffer:
            chunks.feed(buffer)

    with pytest.raises(Malformed):
        decode()


def test_equal_headers_are_parsed_once_and_kept_in_bounds() -> None:
    heads = Heads()
    first = heads.parse(b"GET /a HTTP/1.1\r\nhost: x\r\nx-a: 1")
    assert heads.parse(b"PUT /b HTTP/1.1\r\nhost: x\r\nx-a: 1").fields is first.fields
    for n in range(5000):
        heads.parse(b"GET /a HTTP/1.1\r\nhost: x%d" % n)
    assert len(heads._known) <= 2000
