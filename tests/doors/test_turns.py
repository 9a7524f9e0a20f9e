"""Turns: one queue per episode, the least expensive episode first, and expensive work beside the others."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from unittest import mock

from diorama.doors.turns import WAITING_AT_MOST, Task, Turns


def burn(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def in_turns(main: Callable[[Turns], Awaitable[None]]) -> list[tuple[str, str, bool]]:
    """Run main(turns) in an event loop; return what the watchdog interrupted."""
    told: list[tuple[str, str, bool]] = []

    async def run() -> None:
        turns = Turns(lambda *what: told.append(what))
        turns.open()
        try:
            await main(turns)
        finally:
            turns.close()

    asyncio.run(run())
    return told


def queue(turns: Turns, served: list[str], name: str, seconds: float = 0.0, label: str = "") -> bool:
    """Queue work that burns CPU time and notes when it was served."""
    return turns.put(name, Task(lambda: burn(seconds), lambda result, error: served.append(label or name)))


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


def test_requests_of_one_episode_keep_their_order() -> None:
    served: list[str] = []

    async def main(turns: Turns) -> None:
        for n in range(50):
            queue(turns, served, "a", 0.006 if n % 7 == 0 else 0.0, f"a{n}")
        await turns.do("b", lambda: None)
        await until(lambda: len(served) >= 50)

    in_turns(main)
    assert served == [f"a{n}" for n in range(50)]


def test_an_expensive_episode_waits_for_itself() -> None:
    served: list[str] = []

    async def main(turns: Turns) -> None:
        for _ in range(20):
            queue(turns, served, "greedy", 0.003)
        for n in range(5):
            queue(turns, served, f"modest{n}")
        await until(lambda: len(served) >= 25)

    in_turns(main)
    assert set(served[1:6]) == {f"modest{n}" for n in range(5)}  # all of them after one of the greedy one


def test_episodes_share_by_cpu_time_and_not_by_requests() -> None:
    served: list[str] = []

    async def main(turns: Turns) -> None:
        for _ in range(30):
            queue(turns, served, "short", 0.0005)
            queue(turns, served, "long", 0.003)
        await until(lambda: len(served) >= 40)

    in_turns(main)
    assert served[:35].count("short") > 3 * served[:35].count("long")


def test_too_many_waiting_requests_are_not_taken() -> None:
    served: list[str] = []

    async def main(turns: Turns) -> None:
        taken = [queue(turns, served, "a") for _ in range(WAITING_AT_MOST + 10)]
        assert taken == [True] * WAITING_AT_MOST + [False] * 10
        assert queue(turns, served, "b")
        assert await turns.do("a", lambda: served.count("a")) <= 1  # the control plane has room, and goes first
        await until(lambda: len(served) > WAITING_AT_MOST)

    in_turns(main)


def test_expensive_work_does_not_hold_up_the_others() -> None:
    async def main(turns: Turns) -> None:
        await turns.do("greedy", lambda: burn(0.01))  # from now on it counts as expensive
        long = asyncio.create_task(turns.do("greedy", lambda: burn(1.0)))
        await asyncio.sleep(0.05)
        first = await turns.do("modest", threading.get_ident)
        assert first == threading.get_ident()
        assert not long.done()
        assert await turns.do("greedy", threading.get_ident) != first
        assert long.done()

    in_turns(main)


def test_an_error_of_work_reaches_who_asked_for_it() -> None:
    async def main(turns: Turns) -> None:
        def fail() -> None:
            raise KeyError("planted")

        for heavy in (False, True):
            try:
                await turns.do("a", fail, heavy=heavy)
            except KeyError:
                continue
            raise AssertionError("no error")
        assert await turns.do("a", lambda: 3) == 3

    in_turns(main)


def test_work_that_never_ends_is_interrupted_in_both_threads() -> None:
    def spin() -> None:
        while True:
            pass

    async def main(turns: Turns) -> None:
        for heavy in (False, True):
            try:
                await turns.do("a", spin, heavy=heavy, limit=0.2)
            except Exception as error:  # noqa: BLE001 # named below
                assert type(error).__name__ == "Overdue"  # noqa: PT017 # the class is private to the watchdog
        assert await turns.do("a", lambda: 3) == 3

    assert in_turns(main) == [("a", "it ran for more than 0.2 seconds", False)] * 2


def test_work_is_not_interrupted_for_waiting_until_much_later() -> None:
    def nap() -> int:
        for _ in range(50):
            time.sleep(0.01)
        return 3

    async def main(turns: Turns) -> None:
        for heavy in (False, True):
            assert await turns.do("a", nap, heavy=heavy, limit=0.2) == 3
        with (
            mock.patch("diorama.doors.watchdog.WALL_SECONDS", 0.0),
            mock.patch("diorama.doors.watchdog.PYTHON_SECONDS", 0.0),
            suppress(Exception),
        ):
            await turns.do("a", nap, limit=0.2)

    assert in_turns(main) == [("a", "it ran for more than 0.2 seconds", False)]


def test_work_that_ends_before_python_is_interrupted_is_called_completed() -> None:
    async def main(turns: Turns) -> None:
        with mock.patch("diorama.doors.watchdog.PYTHON_SECONDS", 60.0):
            for heavy in (False, True):
                await turns.do("a", lambda: burn(0.6), heavy=heavy, limit=0.2)

    assert in_turns(main) == [("a", "it ran for more than 0.2 seconds", True)] * 2


def test_nothing_is_left_of_an_episode_that_is_dropped() -> None:
    served: list[str] = []

    async def main(turns: Turns) -> None:
        turns.names.update(a="ep-a", b="ep-b")
        queue(turns, served, "a")
        await until(lambda: served == ["a"])
        turns.drop("a")
        queue(turns, served, "b", label="first")
        queue(turns, served, "b", label="last")
        turns.drop("b")  # it still has work, which is done
        await until(lambda: served == ["a", "first", "last"])
        turns.drop("c")  # never seen
        assert turns.names == {}
        assert turns._episodes == {}

    in_turns(main)


def test_whether_work_is_costly_is_asked_when_its_turn_comes() -> None:
    threads: dict[str, str] = {}
    written: list[int] = []

    async def main(turns: Turns) -> None:
        for name in ("small", "long", "read"):

            def run(name: str = name) -> None:
                threads[name] = threading.current_thread().name
                written.extend([1] * (name == "long"))

            task = Task(run, lambda result, error: None)
            task.costly = lambda: bool(written)
            turns.put("a", task)
        await until(lambda: len(threads) == 3)

    in_turns(main)
    assert threads["small"] == threads["long"]
    assert threads["read"] == "expensive work"
