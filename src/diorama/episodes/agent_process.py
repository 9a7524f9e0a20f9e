"""The worker's side of a `python:` agent: its process is started, answered, limited, and replaced if it misbehaves."""

import atexit
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from typing import Any, Literal

import msgspec

from diorama.episodes.endings import AgentFailed, OutOfTokens, Overtime
from diorama.episodes.frames import MESSAGE_AT_MOST, VALUES_AT_MOST, has_more_values, length
from diorama.episodes.hands import Hands
from diorama.kernel import Defect

LOAD_SECONDS = 60.0
"""How long an agent's module may take to be imported, at least."""

OUTPUT_AT_MOST = 64 << 10
"""How much of what an agent prints in one episode is shown."""

CALLS_AFTER_END = 100
"""How often an agent may act after its episode has ended before it is stopped."""

SECRET = "DIORAMA_"
"""Environment variables with this prefix are not handed to agents: tokens and keys of the harness are among them."""

SAID_AT_MOST = 2_000
"""How much is kept of what an agent says about its own end."""

CHILD = "diorama.episodes.agent_child"
MALFORMED = "sent a message that the worker cannot read"
START_SECONDS, EXIT_SECONDS, STOP_SECONDS = 30.0, 1.0, 2.0

_encode = msgspec.msgpack.Encoder().encode


class _Said(msgspec.Struct, array_like=True, frozen=True, tag="said"):
    how: Literal["loaded", "failed", "done", "raised", "not_run", "out_of_tokens"]
    name: str
    message: str


class _Ended(msgspec.Struct, array_like=True, frozen=True, tag="ended"):
    pass


class _Call(msgspec.Struct, array_like=True, frozen=True, tag="call"):
    tool: str
    arguments: Any


class _Http(msgspec.Struct, array_like=True, frozen=True, tag="http"):
    app: str
    method: str
    path: str
    body: bytes | None
    headers: dict[str, str]
    seat: str
    credential: str


_decode = msgspec.msgpack.Decoder(_Said | _Ended | _Call | _Http).decode


class AgentProcess:
    """One agent, loaded in a process of its own, which reaches its pipe and not the episode."""

    may_separate = True
    """Whether to try namespaces: until the first failure."""

    def __init__(self, place: str, seconds: float = LOAD_SECONDS) -> None:
        """Start a process and load the agent in it; raise AgentFailed if the agent cannot be loaded."""
        self.place = place
        self._heard = bytearray()
        self._printed = 0
        self._first_child = 0
        self._start()
        deadline = time.monotonic() + seconds
        try:
            self._send([place, sys.path, sys.argv[:1]], deadline)
            said = self._receive(deadline)
        except Overtime:
            raise AgentFailed(f"python:{place} was not loaded within {seconds:g} s.") from None
        if not (isinstance(said, _Said) and said.how == "loaded"):
            self.kill()
            raise AgentFailed(
                said.message[:SAID_AT_MOST] if isinstance(said, _Said) else f"python:{place} {MALFORMED}."
            )

    def act(self, hands: Hands, seconds: float) -> None:
        """Let the agent act in one episode until it returns; raise Overtime, OutOfTokens or AgentFailed otherwise."""
        deadline = time.monotonic() + seconds
        self._printed = 0
        after_end = 0
        self._send([hands.brief, hands.tools, hands.seats], deadline)
        while True:
            asked = self._receive(deadline)
            if isinstance(asked, _Said):
                self._drain()
                self._conclude(asked)
                return
            try:
                answer, ended = _answered(hands, asked)
            except BaseException:  # the agent waits for an answer that does not come: it cannot be used again
                self.kill()
                raise
            after_end += ended
            if after_end > CALLS_AFTER_END:
                self.kill()
                raise AgentFailed(f"the agent went on for {CALLS_AFTER_END} calls after the episode had ended")
            self._send(answer, deadline)

    @property
    def alive(self) -> bool:
        """Whether the process can be used for another episode."""
        return self._pipe.fileno() >= 0 and not self._ended()

    def kill(self) -> None:
        """End the process, its whole group, and its namespace."""
        if self._pipe.fileno() < 0:
            return
        if self._first_child:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    kill(self._first_child, signal.SIGKILL)
        self._drain()
        self._pipe.close()
        self._leash.close()
        self._output.close()
        try:
            self._watcher.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._watcher.kill()
            self._watcher.wait()

    # --- starting

    def _start(self) -> None:
        """Start the process; without namespaces if the system allows none."""
        for separate in (True, False) if AgentProcess.may_separate else (False,):
            self._spawn(separate)
            first = self._leash_line(START_SECONDS)
            if first.isdigit():
                self._first_child = int(first)
                return
            self.kill()
            AgentProcess.may_separate = False
        raise Defect("the process of the agent could not be started", boundary="sandbox", kind="no_process")

    def _spawn(self, separate: bool) -> None:
        self._pipe, theirs = socket.socketpair()
        self._leash, hold = socket.socketpair()
        reading, writing = os.pipe()
        self._output = open(reading, "rb", buffering=0)  # noqa: SIM115 - closed by kill
        fds = (theirs.fileno(), hold.fileno())
        try:
            self._watcher = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {CHILD} import watch; watch({fds[0]}, {fds[1]}, {separate})"],
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                env=_environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise Defect.around(error, "sandbox", "starting the process of the agent") from error
        finally:
            theirs.close()
            hold.close()
            os.close(writing)
        self._pipe.setblocking(False)
        os.set_blocking(reading, False)  # the agent can open its own output and read it before we do
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._poll.register(self._leash, select.POLLIN)
        self._poll.register(self._output, select.POLLIN)

    def _leash_line(self, seconds: float) -> bytes:
        """Return what the watcher says next, or nothing if it has ended."""
        self._leash.settimeout(seconds)
        try:
            return self._leash.recv(100).strip()
        except OSError:
            return b""

    # --- messages

    def _send(self, message: Any, deadline: float) -> None:
        """Send a message, however slowly the agent reads; raise Overtime at the deadline."""
        frame = _encode(message)
        rest = memoryview(length.pack(len(frame)) + frame)
        while rest:
            self._check_time(deadline)
            try:
                rest = rest[self._pipe.send(rest) :]
            except BlockingIOError:
                self._wait(deadline, select.POLLIN | select.POLLOUT)
            except OSError:
                raise self._lost() from None

    def _receive(self, deadline: float) -> Any:
        """Return the agent's next message; raise Overtime at the deadline, AgentFailed if there is none."""
        heard = self._heard
        while True:
            self._check_time(deadline)
            if len(heard) >= 4:
                size = length.unpack_from(heard)[0]
                if size > MESSAGE_AT_MOST:
                    self.kill()
                    raise AgentFailed(f"the agent sent a message of {size} bytes; {MESSAGE_AT_MOST} are allowed")
                if len(heard) >= 4 + size:
                    frame = bytes(heard[4 : 4 + size])
                    del heard[: 4 + size]
                    return self._decoded(frame)
            try:
                more = self._pipe.recv(1 << 20)
            except BlockingIOError:
                self._wait(deadline, select.POLLIN)
                continue
            except OSError:
                more = b""
            if not more:
                raise self._lost()
            heard += more

    def _wait(self, deadline: float, events: int) -> None:
        """Wait until the pipe is ready; meanwhile pass on what the agent prints, and notice if it has ended."""
        self._poll.modify(self._pipe, events)
        while True:
            self._check_time(deadline)
            ready = dict(self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000))
            if self._output.fileno() in ready:
                self._show()
            if self._pipe.fileno() in ready:
                return
            if self._leash.fileno() in ready:
                raise self._lost()

    def _check_time(self, deadline: float) -> None:
        """Raise Overtime at the deadline, also while the pipe never is empty or full."""
        if time.monotonic() >= deadline:
            self.kill()
            raise Overtime

    def _decoded(self, frame: bytes) -> Any:
        if has_more_values(frame):
            self.kill()
            raise AgentFailed(f"the agent sent a message of more than {VALUES_AT_MOST} values")
        try:
            return _decode(frame)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self.kill()
            raise AgentFailed(f"the agent's process {MALFORMED}") from None

    def _conclude(self, said: _Said) -> None:
        """Raise how the agent ended, unless it returned."""
        if said.how == "raised":
            raise AgentFailed(f"the agent raised {said.name}: {said.message}"[:SAID_AT_MOST])
        if said.how == "not_run":
            raise AgentFailed(said.message[:SAID_AT_MOST])
        if said.how == "out_of_tokens":
            raise OutOfTokens(said.message[:SAID_AT_MOST])
        if said.how != "done":
            self.kill()
            raise AgentFailed(f"the agent's process {MALFORMED}")

    def _ended(self) -> bool:
        """Return whether the process has ended, or has sent something without being asked."""
        return bool(self._heard) or any(fd != self._output.fileno() for fd, _ in self._poll.poll(0))

    def _lost(self) -> AgentFailed:
        """End what is left of the process; say how it ended."""
        code = self._leash_line(EXIT_SECONDS).decode(errors="replace").removeprefix("ended ")
        self.kill()
        if not code.isdecimal():
            return AgentFailed("the agent's process closed its pipe")
        number = int(code) - 128
        how = f"signal {number}" if number > 0 else f"exit code {code}"
        return AgentFailed(f"the agent ended its process: {how}")

    def _drain(self) -> None:
        """Pass on what the agent has printed so far."""
        for _ in range(4):  # more than the pipe holds: an agent may go on printing
            if self._output.fileno() not in dict(self._poll.poll(0)):
                return
            self._show()

    def _show(self) -> None:
        """Pass on what the agent prints, up to a limit per episode."""
        text = self._output.read(1 << 16)
        if text is None:
            return
        if not text:
            self._poll.unregister(self._output)
            return
        left = OUTPUT_AT_MOST - self._printed
        self._printed += len(text)
        if left > 0:
            cut = b"" if len(text) <= left else b"\n[the agent prints more than is shown]\n"
            with contextlib.suppress(OSError):
                os.write(2, text[:left] + cut)


def _answered(hands: Hands, asked: _Call | _Http | _Ended) -> tuple[list[Any], bool]:
    """Return the answer to a question of the agent, and whether it was an attempt to act after the end."""
    if isinstance(asked, _Call):
        seen = hands.call(asked.tool, asked.arguments)
        return ["answer", [seen.text, seen.data, seen.is_error, seen.ended]], seen.ended
    ended = hands.ended
    if isinstance(asked, _Ended):
        return ["answer", ended], False
    return _http(hands, asked), ended


def _http(hands: Hands, asked: _Http) -> list[Any]:
    """Answer a request to an app, or say which mistake it contains."""
    try:
        reply = hands.http(
            asked.app,
            asked.method,
            asked.path,
            asked.body,
            asked.headers,
            seat=asked.seat,
            credential=asked.credential,
        )
    except (LookupError, ValueError, TypeError) as error:
        return ["raised", [type(error).__name__, str(error.args[0] if error.args else "")]]
    return ["answer", [reply.status, reply.headers, reply.body, reply.refused]]


def _environment() -> dict[str, str]:
    """Return the environment for an agent: without the tokens, keys and folders of the harness."""
    return {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}


# --- one process per worker


_CURRENT: list[AgentProcess] = []


def act_outside(place: str, hands: Hands, seconds: float) -> None:
    """Let the agent at `place` act from this worker's agent process; start or replace the process if needed."""
    for process in _CURRENT[:]:
        if process.place != place or not process.alive:
            process.kill()
            _CURRENT.remove(process)
    if not _CURRENT:
        _CURRENT.append(AgentProcess(place, max(seconds, LOAD_SECONDS)))
    _CURRENT[0].act(hands, seconds)


@atexit.register
def stop() -> None:
    """End this worker's agent process."""
    while _CURRENT:
        _CURRENT.pop().kill()
