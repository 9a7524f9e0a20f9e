"""The process of a `python:` agent: it holds a pipe to the worker and nothing else. Started by agent_process.

Three small processes, forked from a fresh interpreter before anything is imported: a watcher that ends the others when
the worker lets go, process 1 of a namespace where the system allows one, and the process that runs the agent.
"""

import contextlib
import ctypes
import importlib
import inspect
import os
import resource
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from diorama.episodes.frames import MESSAGE_AT_MOST, length

PROCESSES_AT_MOST = 1024
"""How many processes and threads an agent may start."""

BODY_AT_MOST = 6_000_000
"""How much of a request's body is sent to the worker; every app refuses a body of this size."""

PLAIN_FUNCTION = "Write a plain `def`; call asyncio.run(...) in it, or loop over the generator."

NEW_USER, NEW_PROCESSES, NEW_MOUNTS = 0x10000000, 0x20000000, 0x00020000
PRIVATE_MOUNTS = 0x4000 | 0x40000
ADOPT_ORPHANS = 36
DROP_FROM_BOUND, NO_NEW_PRIVILEGES = 24, 38
CAPABILITIES, CAPABILITY_VERSION = 64, 0x20080522


# --- the watcher


def watch(pipe: int, leash: int, separate: bool) -> None:
    """Start the agent's process in a session of its own; end it when the worker closes the leash.

    Tells the worker the process id of its first child, or `none` if there can be no namespace, and later its exit code.
    """
    if separate and not _unshare():
        os.write(leash, b"none\n")
        return
    if not separate and sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    ready, go = os.pipe()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for fd in (leash, ready, woken, wake):
            os.close(fd)
        os.setsid()
        _be_first(pipe, go) if separate else work(pipe, go)
    os.close(pipe)
    os.close(go)
    with contextlib.suppress(OSError):  # the worker may be gone already
        os.write(leash, b"%d\n" % child if os.read(ready, 1) else b"none\n")
        watched = [leash, woken]
        while leash not in select.select(watched, (), ())[0]:
            os.read(woken, 4096)
            ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # its number stays taken
            if ended is not None:
                code = ended.si_status if ended.si_code == os.CLD_EXITED else 128 + ended.si_status
                os.write(leash, b"ended %d\n" % code)
                watched = [leash]
    _end_all(child)


def _end_all(child: int) -> None:
    """Kill the child and its group, then whatever they left behind: orphans become children of this process."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
    own = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)
        while own.exists() and (orphans := own.read_text().split()):
            for orphan in orphans:
                os.kill(int(orphan), signal.SIGKILL)
                os.waitpid(int(orphan), 0)


def _unshare() -> bool:
    """Enter new namespaces for users, processes and mounts; return False where the system does not allow it."""
    if not sys.platform.startswith("linux"):
        return False
    user, group = os.getuid(), os.getgid()
    try:
        if ctypes.CDLL(None).unshare(NEW_USER | NEW_PROCESSES | NEW_MOUNTS) != 0:
            return False
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except (OSError, AttributeError):
        return False
    return True


def _be_first(pipe: int, go: int) -> NoReturn:
    """Be process 1 of the namespace: show only its own processes, start the agent, and end all with it."""
    libc = ctypes.CDLL(None)
    private = libc.mount(b"none", b"/", None, PRIVATE_MOUNTS, None) == 0
    if not private or libc.mount(b"proc", b"/proc", b"proc", 0, None) != 0:
        os._exit(1)
    with contextlib.suppress(OSError):  # in a namespace of its own the agent would have every capability again
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
    if not _give_up_capabilities(libc):
        os._exit(1)
    child = os.fork()
    if child == 0:
        os.setsid()
        work(pipe, go)
    os.close(pipe)
    os.close(go)
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _give_up_capabilities(libc: ctypes.CDLL) -> bool:
    """Give up every capability in the namespace for good: with one, an agent could take the private /proc off again."""
    for number in range(CAPABILITIES):
        libc.prctl(DROP_FROM_BOUND, number, 0, 0, 0)
    head, none = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    return bool(libc.capset(head, none) == 0 and libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0)


# --- the agent's own process


def work(pipe: int, go: int) -> NoReturn:
    """Load the agent that the worker names, then let it act in one episode after the other."""
    with contextlib.suppress(OSError, EOFError, KeyboardInterrupt):
        os.write(go, b".")
        os.close(go)
        _limit()
        sock = socket.socket(fileno=pipe)
        sock.setblocking(True)
        _Connection(sock).run()
    os._exit(0)


def _limit() -> None:
    """Limit the number of processes, and let the system end this process first when memory runs out."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sys.platform.startswith("linux"):
        return
    most = PROCESSES_AT_MOST + _running()
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _running() -> int:
    """Return how many threads of this user the process can see: the limit counts them too."""
    count = 0
    for status in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if status.stat().st_uid == os.getuid():
                count += len(os.listdir(status / "task"))
    return count


class _Connection:
    """The pipe to the worker: one question at a time, whichever thread asks."""

    def __init__(self, sock: socket.socket) -> None:
        import msgspec

        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder().decode
        self._sock = sock
        self._lock = threading.Lock()
        self._process = os.getpid()

    def run(self) -> None:
        """Load the agent, then act in each episode that the worker offers, until the pipe closes."""
        place, sys.path[:], sys.argv[:] = self._receive()
        try:
            agent = load(place)
        except LookupError as error:
            self._send(["said", "failed", *_described(error)])
            return
        self._send(["said", "loaded", "", ""])
        while True:
            hands = _Hands(self, *self._receive())
            said = ["said", "done", "", ""]
            try:
                mistake = _not_run(agent(hands))
                if mistake:
                    said = ["said", "not_run", "", mistake]
            except BaseException as error:  # noqa: BLE001 - SystemExit and the like are the agent's too
                name, message = _described(error)
                where = _line_of(error, agent)
                said = ["said", "raised", name, message + (f" ({where})" if where else "")]
                if name == "OutOfTokens":
                    said = ["said", "out_of_tokens", name, message]
            hands.close()
            if os.getpid() != self._process:  # a copy that the agent forked came back from it
                os._exit(0)
            with contextlib.suppress(Exception):  # the agent may have closed or replaced it
                sys.stdout.flush()
            self._send(said)

    def ask(self, *question: Any) -> Any:
        """Send a question and return the answer; raise what the worker says the question deserves."""
        if os.getpid() != self._process:
            raise RuntimeError("this process was forked from the agent's: only the first one can act")
        with self._lock:
            self._send(question)
            kind, value = self._receive()
        if kind == "raised":
            import builtins

            name, message = value
            found = getattr(builtins, name, None)
            known = isinstance(found, type) and issubclass(found, Exception) and not issubclass(found, UnicodeError)
            raise (found if known and found is not None else RuntimeError)(message)
        return value

    def _send(self, message: Any) -> None:
        frame = self._encode(message)
        if len(frame) > MESSAGE_AT_MOST:
            raise ValueError(f"a message of {len(frame)} bytes is too large: at most {MESSAGE_AT_MOST}")
        self._sock.sendall(length.pack(len(frame)) + frame)

    def _receive(self) -> Any:
        return self._decode(self._exactly(length.unpack(self._exactly(4))[0]))

    def _exactly(self, size: int) -> bytes:
        data = self._sock.recv(size, socket.MSG_WAITALL)
        while len(data) < size:
            more = self._sock.recv(size - len(data), socket.MSG_WAITALL)
            if not more:
                raise EOFError
            data += more
        return data


class _Hands:
    """The agent interface of one episode, over the pipe."""

    def __init__(self, connection: _Connection, brief: str, tools: list[dict[str, Any]], seats: list[str]) -> None:
        self.brief = brief
        self.tools = tools
        self.seats = tuple(seats)
        self._connection: _Connection | None = connection

    def close(self) -> None:
        """Refuse further use: the agent has returned."""
        self._connection = None

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        return self._connection is None or bool(self._connection.ask("ended"))

    def call(self, tool: str, arguments: Any = None) -> Any:
        """Call a tool."""
        from diorama.doors.tools import Observation, recordable, sendable

        given = recordable({} if arguments is None else arguments)
        return Observation(*self._ask("call", sendable(tool), given))

    def http(
        self,
        app: str,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        seat: str = "",
        credential: str = "",
    ) -> Any:
        """Send a request to the vendor's API; see Episode.http for `seat` and `credential`."""
        from diorama.doors.tools import json_body, sendable
        from diorama.kernel import Reply

        data = body if body is None or isinstance(body, bytes) else json_body(body)
        data = data and data[:BODY_AT_MOST]  # no app reads more, and records more than the beginning
        heads = {sendable(name): sendable(value) for name, value in (headers or {}).items()}
        place = (sendable(app), sendable(method), sendable(path))
        return Reply(*self._ask("http", *place, data, heads, sendable(seat), sendable(credential)))

    def _ask(self, *question: Any) -> Any:
        if self._connection is None:
            raise RuntimeError("the agent has returned: its episode is over")
        return self._connection.ask(*question)


def load(place: str) -> Any:
    """Import the callable at `package.module:name`; the current folder is importable."""
    module, found, attribute = place.partition(":")
    if not (module and found and attribute):
        raise LookupError(f"python:{place} names no callable. Write python:PACKAGE.MODULE:CALLABLE.")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        target: Any = importlib.import_module(module)
        for part in attribute.split("."):
            target = getattr(target, part)
    except (ImportError, AttributeError) as error:
        raise LookupError(f"python:{place} cannot be loaded: {error}.") from error
    except BaseException as error:  # whatever the module does when it is imported
        raise LookupError(f"python:{place} cannot be loaded: {': '.join(_described(error))}.") from error
    if not callable(target):
        raise LookupError(f"python:{place} is not callable, it is a {type(target).__name__}.")
    kind = _suspended(target) or ("" if isinstance(target, type) else _suspended(target.__call__))
    if kind:
        raise LookupError(f"python:{place} is {kind}: a call would not run it. {PLAIN_FUNCTION}")
    return target


def _suspended(target: Any) -> str:
    """Return which kind of function a target is if calling it does not run it, else ""."""
    if inspect.iscoroutinefunction(target):
        return "an async function"
    if inspect.isgeneratorfunction(target) or inspect.isasyncgenfunction(target):
        return "a generator function"
    return ""


def _not_run(returned: Any) -> str:
    """Say what is wrong if an agent returned its work instead of doing it, else return ""."""
    if not (inspect.isawaitable(returned) or inspect.isgenerator(returned) or inspect.isasyncgen(returned)):
        return ""
    if inspect.iscoroutine(returned):
        returned.close()  # or Python warns that it was never awaited
    kind = type(returned).__name__.replace("_", " ")
    return f"the agent returned an object of type {kind}, which was not run. {PLAIN_FUNCTION}"


def _line_of(error: BaseException, agent: Any) -> str:
    """Return file and line of the innermost frame in the agent's own folder, or "" if there is none."""
    try:
        code = inspect.unwrap(agent)
        module = sys.modules.get(getattr(code, "__module__", None) or type(code).__module__)
        home = os.path.dirname(os.path.abspath(getattr(module, "__file__", None) or ""))
        found = ""
        for frame, line in traceback.walk_tb(error.__traceback__):
            file = os.path.abspath(frame.f_code.co_filename)
            if os.path.dirname(file) == home:
                found = f"{os.path.basename(file)}:{line}"
    except Exception:  # noqa: BLE001 - the agent's objects may misbehave
        return ""
    return found.encode(errors="replace").decode()[:200]


def _described(error: BaseException) -> list[str]:
    """Return the type and the message of an exception as short texts, even if the exception misbehaves."""
    try:
        message = str(error)
    except BaseException:  # noqa: BLE001 - an exception whose text raises
        message = ""
    return [type(error).__name__[:100], message[:1000].encode(errors="replace").decode()]
