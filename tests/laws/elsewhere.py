"""A separate process for the laws: continues from a snapshot, or runs a few histories, and prints every digest."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

if os.environ.get("FAKE_WALL"):  # before any import: a wall clock and randomness of another day
    import random
    import secrets
    import time
    import uuid

    moment = float(os.environ["FAKE_WALL"])
    time.time = lambda: moment
    time.time_ns = lambda: int(moment * 1e9)
    time.monotonic = lambda: moment / 7
    time.perf_counter = lambda: moment / 3
    random.seed(moment)
    os.urandom = lambda count: bytes([int(moment) % 251]) * count
    secrets.token_hex = lambda nbytes=None: f"{int(moment) % 251:02x}" * (nbytes or 32)
    uuid.uuid4 = lambda: uuid.UUID(int=int(moment))

from diorama.episodes.episode import Episode
from diorama.kernel import Dice, Snapshot, World
from tests.laws.village import DEBT, debt, start, village


def acts(episode: Episode, salt: str, count: int) -> None:
    """Do things that an agent might do, some of them wrong."""
    dice = Dice(f"acts {salt}")
    truth = debt(episode)
    choices: list[Callable[[], Any]] = [
        lambda: episode.call("post_read_letters"),
        lambda: episode.call("bank_look_at_case", {"case_id": truth.case_id}),
        lambda: episode.call("bank_close_case", {"case_id": dice.integer(0, 3)}),
        lambda: episode.call("bank_reopen_case", {"case_id": truth.case_id}),
        lambda: episode.call("bank_pay", {"to": truth.creditor, "cents": dice.integer(-1, 3)}),
        lambda: episode.call("bank_pay", {"to": truth.creditor, "cents": truth.cents}),
        lambda: episode.call("post_write_letter", {"to": truth.creditor, "text": dice.hex(5)}),
        lambda: episode.call("wait", {"minutes": dice.integer(1, 200)}),
        lambda: episode.call("wait", {"until": "notice"}),
        lambda: episode.call("no_such_tool", {"x": dice.hex(3)}),
        lambda: episode.http("bank", "GET", "/accounts?owner=" + truth.creditor),
        lambda: episode.http("post", "DELETE", "/letters"),
        lambda: episode.http("bank", "POST", "/payments", b"{"),
    ]
    for _ in range(count):
        dice.pick(choices)()


def lived(seed: int) -> list[str]:
    """Run one history to its end; return its digests, its reward and its clock."""
    episode = start(seed)
    acts(episode, str(seed), 14)
    result = episode.finish(report="enough")
    return [result.state, result.trace, repr(result.reward), repr(result.virtual_seconds), result.ended]


def went_on(episode: Episode) -> list[str]:
    """Continue an episode; return the digests after every further event, and the reward."""
    first = len(episode.events)
    acts(episode, "on", 8)
    result = episode.finish()
    return [event.trace + event.state for event in episode.events[first:]] + [repr(result.reward)]


def main() -> None:
    """Run the mode named by the first argument."""
    if sys.argv[1] == "go_on":
        there = village()
        snapshot = Snapshot.load(sys.stdin.buffer.read(), there.company, there.pages.image)
        sys.stdout.write(json.dumps(went_on(Episode(DEBT, World.at(snapshot)))))
    else:
        sys.stdout.write(json.dumps([lived(seed) for seed in range(4)]))


if __name__ == "__main__":
    main()
