"""Agents that misbehave, each in its own way: `python:tests.runs.misbehaving:NAME`; standard library only."""

import ctypes
import fcntl
import gc
import os
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

SURVIVORS = "survivors.lock"
"""A file in the current folder that left-over processes keep locked."""


class Rude(BaseException):
    """Not an Exception."""


class Sullen(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no")


class Odd:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def cyclic() -> list[Any]:
    """Return a list that contains itself."""
    made: list[Any] = []
    made.append(made)
    return made


def deep(levels: int) -> Any:
    """Return nested lists."""
    made: Any = 1
    for _ in range(levels):
        made = [made]
    return made


ODD: tuple[Any, ...] = (
    "\ud83d", "\udcff", "\x00", float("nan"), float("inf"), 2**70, 10**5000, b"\xff\x00", {1, 2}, {"a": {3}}, object(),
    Odd(), cyclic(), deep(300), deep(900), deep(10_000), {1: 2}, {(1, 2): 3}, {None: 1}, {"ticket_id": "\ud83d"},
    {"ticket_id": 2**64}, {"ticket_id": deep(500)}, {"ticket_id": "\x00"}, {"\ud83d": 1}, {"ticket_id": float("nan")},
)  # fmt: skip


def _act(hands: Any) -> None:
    hands.call("wait", {"minutes": 1})


def _pipes() -> list[int]:
    return [fd for fd in range(3, 256) if _is_socket(fd)]


def _is_socket(fd: int) -> bool:
    try:
        socket.socket(fileno=os.dup(fd)).close()
    except OSError:
        return False
    return True


# --- exceptions and exits


def raises(hands: Any) -> None:
    _act(hands)
    raise ValueError("my own fault \ud83d")


def raises_something_unprintable(hands: Any) -> None:
    raise Sullen


def raises_a_base_exception(hands: Any) -> None:
    raise Rude("no")


def raises_keyboard_interrupt(hands: Any) -> None:
    raise KeyboardInterrupt


def pretends_that_its_provider_failed(hands: Any) -> None:
    from diorama.episodes.agents.model import ProviderFailed

    raise ProviderFailed("http_500", "not my fault")


def exits(hands: Any) -> None:
    _act(hands)
    sys.exit(5)


def exits_at_once(hands: Any) -> None:
    _act(hands)
    os._exit(9)


def exits_with_zero(hands: Any) -> None:
    os._exit(0)


def exits_the_second_time(hands: Any) -> None:
    EPISODES.append(len(EPISODES) + 1)
    if len(EPISODES) == 2:
        hands.call("wait", {"minutes": 2})
        os._exit(1)
    hands.call("finish", {"report": str(len(EPISODES))})


EPISODES: list[int] = []


def aborts(hands: Any) -> None:
    os.abort()


def crashes_in_c(hands: Any) -> None:
    ctypes.string_at(0)


def kills_itself(hands: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kills_its_group(hands: Any) -> None:
    os.killpg(0, signal.SIGKILL)


def kills_its_parents(hands: Any) -> None:
    for kill, target in ((os.killpg, os.getpgid(os.getppid())), (os.kill, os.getppid())):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                kill(target, number)
    _act(hands)


def kills_everybody(hands: Any) -> None:
    if b"agent_child" in Path("/proc/1/cmdline").read_bytes():  # never outside of a namespace
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
    _act(hands)


# --- hangs


def sleeps(hands: Any) -> None:
    time.sleep(600)


def swallows_everything(hands: Any) -> None:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            time.sleep(0.01)
        except BaseException:  # noqa: BLE001, S112 - the point of it
            continue


def hangs_in_c(hands: Any) -> None:
    re.match(r"(a+)+$", "a" * 60 + "b")


def stops_itself(hands: Any) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def goes_on_after_the_end(hands: Any) -> None:
    hands.call("finish", {"report": "done"})
    while True:
        hands.call("wait", {"minutes": 1})


def never_reads_its_answers(hands: Any) -> None:
    (pipe,) = _pipes()
    question = b"\x93\xa4call\xa4wait\x80"
    while True:
        os.write(pipe, len(question).to_bytes(4, "big") + question)


# --- processes and threads


def _forked(then: Callable[[], object]) -> None:
    if os.fork() == 0:
        try:
            then()
        finally:
            os._exit(0)


def _linger() -> None:
    lock = open(SURVIVORS, "w")  # noqa: SIM115 - held until the end
    fcntl.flock(lock, fcntl.LOCK_SH)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)


def _daemon() -> None:
    os.setsid()
    _forked(_linger)


def forks(hands: Any) -> None:
    for _ in range(5):
        _forked(_linger)
        _forked(_daemon)
    _act(hands)
    time.sleep(0.3)


def forks_and_exits(hands: Any) -> None:
    _forked(_daemon)
    _forked(_linger)
    time.sleep(0.3)
    os._exit(0)


def acts_from_a_copy(hands: Any) -> None:
    copy = os.fork()
    _act(hands)
    if copy:
        os.waitpid(copy, 0)


def returns_twice(hands: Any) -> None:
    os.fork()
    time.sleep(0.1)


def starts_threads(hands: Any) -> None:
    threads = [threading.Thread(target=_act, args=(hands,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def leaves_threads_behind(hands: Any) -> None:
    def go_on() -> None:
        time.sleep(0.2)
        while True:
            try:
                _act(hands)
            except Exception:  # noqa: BLE001 - the point of it
                time.sleep(0.001)

    for _ in range(4):
        threading.Thread(target=go_on, daemon=True).start()


# --- files, output and messages


def closes_everything(hands: Any) -> None:
    os.closerange(0, 4096)
    _act(hands)


def closes_its_output(hands: Any) -> None:
    sys.stdout.close()
    sys.stderr.close()
    os.close(1)
    _act(hands)


def makes_a_namespace(hands: Any) -> None:
    """In a namespace of its own it would have every capability."""
    child = os.fork()
    if child == 0:
        os._exit(ctypes.CDLL(None).unshare(0x10000000))
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        raise RuntimeError("a new namespace")
    _act(hands)


def prints_much(hands: Any) -> None:
    for _ in range(100):
        sys.stdout.write("x" * 100_000)
        os.write(2, b"y" * 100_000)
    _act(hands)


def _sends(frame: bytes) -> Callable[[Any], None]:
    def agent(hands: Any) -> None:
        for pipe in _pipes():
            os.write(pipe, frame)
        _act(hands)

    return agent


sends_garbage = _sends(b"\xff" * 100)
sends_half_a_message = _sends(b"\x00\x00\x10\x00half")
sends_another_shape = _sends(b"\x00\x00\x00\x02\x91\x01")
sends_deep_nesting = _sends((20_000).to_bytes(4, "big") + b"\x91" * 20_000)
claims_to_be_loaded = _sends(b"\x00\x00\x00\x0f\x94\xa4said\xa6loaded\xa0\xa0")


def says_odd_things(hands: Any) -> None:
    for odd in ODD:
        hands.call("zendesk_get_ticket", odd)
        for name in (odd, "zendesk_get_ticket \ud83d"):
            hands.call(name, {})


def says_odd_things_over_http(hands: Any) -> None:
    for odd in ODD:
        attempts = (
            partial(hands.http, "zendesk", "POST", "/api/v2/tickets.json", odd),
            partial(hands.http, "zendesk", "PUT", "/api/v2/tickets/1.json", {"ticket": {"subject": odd}}),
            partial(hands.http, "zendesk", odd, odd, odd, {"accept": odd}),
            partial(hands.http, odd, "GET", "/", seat=odd),
        )
        for attempt in attempts:
            try:
                attempt()
            except (TypeError, ValueError, LookupError, RecursionError, RuntimeError):
                continue


def reports_half_an_emoji(hands: Any) -> None:
    hands.call("finish", {"report": "done \ud83d"})


# --- what it can see


def looks_for_the_truth(hands: Any) -> None:
    """Search every object, module, frame, file descriptor and variable for something of the harness."""
    found = [f"{type(one)}" for one in gc.get_objects() if _is_forbidden(one)]
    frames = list(sys._current_frames().values())
    while frames:
        frame = frames.pop()
        found += [f"local {name}" for name, one in frame.f_locals.items() if _is_forbidden(one)]
        frames += [frame.f_back] if frame.f_back is not None else []
    found += [f"module {name}" for name in sys.modules if name.startswith(("diorama.episodes.epi", "diorama.worlds."))]
    found += [f"variable {name}" for name in os.environ if name.startswith("DIORAMA_")]
    found += [f"descriptor {fd}" for fd in range(3, 256) if _is_open(fd) and fd not in _pipes()]
    found += [f"{len(_pipes())} sockets"] if len(_pipes()) != 1 else []
    if Path("/proc/1/cmdline").exists() and b"agent_child" in Path("/proc/1/cmdline").read_bytes():
        if ctypes.CDLL(None).umount2(b"/proc", 2) == 0:
            found.append("the /proc of the machine")
        found += [f"process {one.name}" for one in Path("/proc").glob("[0-9]*") if int(one.name) not in _own()]
    hands.call("finish", {"report": ", ".join(found) or "nothing"})


FORBIDDEN = ("Episode", "World", "Gradebook", "Store", "Engine", "AgentProcess", "Snapshot", "Scenario", "Job")


def _is_forbidden(one: object) -> bool:
    return type(one).__name__ in FORBIDDEN and type(one).__module__.startswith("diorama.")


def _own() -> set[int]:
    return {1, os.getpid()}


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


# --- floods


def _frame(message: bytes) -> bytes:
    return len(message).to_bytes(4, "big") + message


def _floods(message: bytes) -> None:
    """Send one message again and again, and never leave the pipe empty or full."""
    (pipe,) = _pipes()
    sock = socket.socket(fileno=pipe)
    threading.Thread(target=lambda: [None for _ in iter(lambda: sock.recv(1 << 20), b"")], daemon=True).start()
    many = _frame(message) * 2000
    while True:
        sock.sendall(many)


def asks_for_ever_whether_it_has_ended(hands: Any) -> None:
    _floods(b"\x91\xa5ended")


def asks_for_ever_for_an_unknown_app(hands: Any) -> None:
    _floods(b"\x98\xa4http\xa4nope\xa3GET\xa1/\xc0\x80\xa0\xa0")


def asks_again_and_again_for_an_unknown_host(hands: Any) -> None:
    while True:
        with suppress(LookupError):
            hands.http("zendesk", "GET", "https://elsewhere.example/")


def shows_invalid_tokens_for_ever(hands: Any) -> None:
    heads = {"authorization": "Bearer 0d1a" + "0" * 44}
    while True:
        hands.http("zendesk", "GET", "/" + "x" * 90_000, headers=heads)


def sends_millions_of_lists(hands: Any) -> None:
    many = 7 << 20
    lists = b"\x93\xa4call\xa4wait\x81\xa7minutes\xdd" + many.to_bytes(4, "big") + b"\x90" * many
    (pipe,) = _pipes()
    socket.socket(fileno=pipe).sendall(_frame(lists))
    _act(hands)


def passes_millions_of_lists(hands: Any) -> None:
    hands.call("wait", {"minutes": [[] for _ in range(1 << 20)]})


def sends_a_body_that_no_app_reads(hands: Any) -> None:
    reply = hands.http("zendesk", "POST", "/api/v2/tickets.json", body=b"x" * (40 << 20))
    hands.call("finish", {"report": str(reply.status)})


def says_much_about_its_end(hands: Any) -> None:
    said = b"\x94\xa4said\xa6raised\xa1E\xdb" + (4 << 20).to_bytes(4, "big") + b"x" * (4 << 20)
    (pipe,) = _pipes()
    socket.socket(fileno=pipe).sendall(_frame(said))
    time.sleep(600)


def goes_on_a_little(hands: Any) -> None:
    """Act twice after the end."""
    hands.call("finish", {"report": "nothing"})
    time.sleep(0.05)
    hands.call("wait", {"minutes": 1})
    time.sleep(0.05)
    hands.call("wait", {"minutes": 1})


class OutOfTokens(Exception):
    """An exception with the name that means a token limit."""


def claims_overtime(hands: Any) -> None:
    """Use the words of a note that a run writes."""
    hands.call("wait", {"minutes": 1})
    raise OutOfTokens("the agent took more than 600 s of wall time")


def claims_overtime_after_the_end(hands: Any) -> None:
    """Use the words of a note that a run writes, after the time of the task is over."""
    while not hands.ended:
        hands.call("wait", {"minutes": 20_000})
    raise OutOfTokens("the agent took more than 600 s of wall time")


def speaks_of_overtime(hands: Any) -> None:
    """Use the words of a note that a run writes in an error."""
    raise RuntimeError("the agent took more than 600 s of wall time")


def names_its_seat(hands: Any) -> None:
    """Send the same request in several ways."""
    hands.http("oven", "GET", "/loaves")
    hands.http("oven", "GET", "/loaves", seat="agent")
    hands.http("oven", "GET", "https://oven.bakery.example/loaves")
    hands.http("oven", "GET", "/loaves?")


def asks_oddly(hands: Any) -> None:
    """Send requests whose paths have odd question marks and ends."""
    for path in (
        "/loaves??",
        "/loaves?a?",
        "/loaves???b",
        "/loaves?&",
        "/loaves?#",
        "/loaves#?",
        "//loaves?",
        "?",
        "??",
    ):
        hands.http("oven", "GET", path)
        hands.http("oven", "GET", f"https://oven.bakery.example{path}")
