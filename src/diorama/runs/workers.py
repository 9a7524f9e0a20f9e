"""Worker processes: started, called over a pipe, monitored, and described when they are lost."""

import asyncio
import contextlib
import ctypes
import gc
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from errno import EMFILE, ENFILE
from typing import Any

import msgspec

from diorama.doors.turns import COLLECT_AFTER
from diorama.episodes.agents import clock
from diorama.episodes.usage import Misuse
from diorama.runs.pipes import Lost, Pipe, serve_blocking
from diorama.runs.store import Finished, Job, lost

Perform = Callable[[Job], Finished]
STOP_SECONDS = 0.5
PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>: the signal that a process gets when its parent has ended."""
DESCRIPTORS = 12
"""Files that are open at once while a worker process is started."""
START_SECONDS = 120.0
"""How long a new worker may take to be ready; a busy machine needs a while."""


class CannotStart(Misuse):
    """The system does not let this process start workers."""

    def __init__(self, error: OSError) -> None:
        advice = "Raise the limit with `ulimit -n`" if error.errno in (EMFILE, ENFILE) else "Free resources"
        super().__init__(f"Cannot start worker processes: {error.strerror or error}. {advice}, or use less --parallel.")


def check_descriptors() -> None:
    """Raise CannotStart unless this process may open as many files as an event loop and a worker need."""
    opened: list[int] = []
    try:
        opened += (os.open(os.devnull, os.O_RDONLY) for _ in range(DESCRIPTORS))
    except OSError as error:
        raise CannotStart(error) from None
    finally:
        for fd in opened:
            os.close(fd)


class WorkerProcess:
    """One child process that runs `module:function` and is connected by a pipe."""

    def __init__(
        self,
        entry: str,
        receive: Callable[[Any], None] | None = None,
        fds: Sequence[int] = (),
        apart: bool = False,
    ) -> None:
        """`receive` gets the worker's messages; `fds` are file descriptors that it inherits.

        `apart` keeps Ctrl-C of the terminal from the process: only its parent is told, and ends it.
        """
        self.pipe = Pipe(receive=receive)
        self.process: asyncio.subprocess.Process | None = None
        self._entry = entry
        self._fds = fds
        self._apart = apart
        self._talk: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, or None before the start."""
        return self.process.pid if self.process is not None else None

    async def start(self) -> None:
        """Start the process."""
        ours, theirs = socket.socketpair()
        module, _, function = self._entry.partition(":")
        code = f"from {module} import {function}; {function}({theirs.fileno()})"
        try:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", code),
                pass_fds=[theirs.fileno(), *self._fds],
                stdin=asyncio.subprocess.DEVNULL,
                start_new_session=self._apart,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)
        await self.pipe.open(ours)
        self._talk = asyncio.create_task(self.pipe.run())

    async def call(self, verb: str, *args: Any) -> Any:
        """Call the worker and return its answer; raise Lost if it has ended."""
        return await self.pipe.call(verb, *args)

    async def ended(self) -> None:
        """Wait until the connection is closed, by either end."""
        if self._talk is not None:
            await asyncio.wait([self._talk])

    def kill(self) -> None:
        """End the process at once."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()

    async def stop(self, seconds: float = STOP_SECONDS) -> int | None:
        """Close the pipe, give the process some time to end, then kill it; return its own exit code, if it had one."""
        self.pipe.close()
        code = None
        if self.process is not None:
            waiting = asyncio.ensure_future(self.process.wait())
            try:
                code = await asyncio.wait_for(asyncio.shield(waiting), seconds)
            except (TimeoutError, asyncio.CancelledError):
                self.kill()
            while not waiting.done():  # a process that is not waited for makes asyncio complain once its loop is closed
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.shield(waiting)
        if self._talk is not None:
            self._talk.cancel()
            await asyncio.gather(self._talk, return_exceptions=True)
        return code


def describe_loss(code: int | None) -> str:
    """Say how a worker process ended."""
    if code is None:
        return "it did not answer and was killed"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:  # a real-time signal has no name of its own
        return f"signal {-code}"


# --- workers that perform jobs


class JobWorker:
    """A worker process that performs jobs and reports each episode as it finishes."""

    def __init__(self, perform: Perform) -> None:
        self._perform = perform
        self._process = WorkerProcess("diorama.runs.workers:work", self._receive, apart=True)
        self._chunk: deque[Job] = deque()
        self._finished: Callable[[Finished], None] = lambda finished: None
        self._touched = 0.0
        self._error: Exception | None = None

    @property
    def busy_seconds(self) -> float:
        """How long the present job has been running."""
        return time.monotonic() - self._touched

    async def run(self, chunk: deque[Job], finished: Callable[[Finished], None], patience_seconds: float) -> str:
        """Perform a chunk of jobs; return "" when done, or how the worker was lost.

        `died` and `hung` are about an episode, `died early` and `not ready` about the start of the process.

        Every finished job leaves the chunk, so that its first job is the one that the worker was lost with. An error in
        `finished` is raised here.
        """
        self._chunk, self._finished, self._touched = chunk, finished, time.monotonic()
        try:
            if self._process.process is None:
                await asyncio.wait_for(self._open(), START_SECONDS)
        except Lost:
            return "died early"
        except TimeoutError:
            return "not ready"
        except OSError as error:
            raise CannotStart(error) from None
        self._touched = time.monotonic()
        call = asyncio.ensure_future(self._process.call("perform", list(chunk)))
        try:
            while not call.done():
                left = self._touched + patience_seconds - time.monotonic()
                if left <= 0:
                    return "hung"
                await asyncio.wait([call], timeout=left)
            call.result()
        except Lost:
            if self._error is not None:
                raise self._error from None
            return "died"
        finally:
            call.cancel()
        return ""

    async def stop(self) -> int | None:
        """End the process; return its exit code if it ended on its own."""
        return await self._process.stop(0.05 if self._chunk else STOP_SECONDS)

    async def _open(self) -> None:
        """Start the process and hand over the function that performs jobs."""
        await self._process.start()
        paths = [os.fsencode(path) for path in sys.path]  # as bytes: a name need not be text
        await self._process.call("open", pickle.dumps(self._perform), paths, clock.ahead())

    def _receive(self, message: Any) -> None:
        self._touched = time.monotonic()
        self._chunk.popleft()
        try:
            self._finished(msgspec.convert(message, Finished))
        except Exception as error:
            self._error = error  # the connection ends here: `run` raises it
            raise


def work(fd: int) -> None:
    """Run a job worker: perform chunks of jobs until the parent process has ended."""
    sock = socket.socket(fileno=fd)
    end_with_parent()
    os.dup2(2, 1)  # the agent's prints must not reach the run's own output
    sys.stdout = sys.stderr
    perform: Perform | None = None
    settled = False

    def answer(verb: str, args: list[Any], tell: Callable[[Any], None]) -> None:
        nonlocal perform, settled
        if verb == "open":
            sys.path[:] = map(os.fsdecode, args[1])
            clock.follow(args[2])
            perform = pickle.loads(args[0])  # from our own parent process
            return
        assert perform is not None
        for job in msgspec.convert(args[0], list[Job]):
            try:
                finished = perform(job)
            except Exception as error:  # noqa: BLE001 - whatever breaks here is named as an engine fault
                finished = lost(job, "engine", type(error).__name__, str(error))
            tell(finished)
            if not settled:
                gc.collect()
                gc.freeze()  # what one episode has loaded stays loaded: the collector need not scan it again
                gc.set_threshold(*COLLECT_AFTER)
                settled = True

    try:
        serve_blocking(sock, answer)
    except KeyboardInterrupt:
        return


def end_with_parent() -> None:
    """End this process when its parent has ended, even in the middle of an episode: at once where Linux can do so."""
    parent = os.getppid()
    with contextlib.suppress(OSError, AttributeError):  # another system: the thread notices it
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)
