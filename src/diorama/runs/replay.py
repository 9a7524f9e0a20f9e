"""Replay: repeat the recorded inputs from staging on, and compare everything that followed."""

from collections.abc import Mapping
from typing import Any

import msgspec

from diorama.episodes.episode import INPUT_DOORS, Episode, start
from diorama.episodes.usage import Misuse
from diorama.kernel import Defect
from diorama.runs.perform import event_json, event_of, result_json, versions_of
from diorama.runs.store import Finished, unpack

NOT_COMPARED = {"wall"}
"""Fields that replay ignores: wall time is stored with an event, but it is not part of the history."""

SHOWN = 160


class OtherVersion(Misuse):
    """The episode was made with another image, package or reward; it cannot be verified here."""


class Divergence(msgspec.Struct, frozen=True):
    """Where the replay differs from the record: at which event, in which field, and both values."""

    episode: str
    seq: int | None
    what: str
    recorded: Any
    redone: Any

    def __str__(self) -> str:
        place = f"at step {self.seq}" if self.seq is not None else "in its result"
        return f"{self.episode} diverges {place}: {self.what} was {self.recorded!r}, now {self.redone!r}"


def verify(finished: Finished) -> Divergence | None:
    """Replay an episode; return None if every event, reply, digest and the result are the same."""
    job, result = finished.job, finished.result
    stored: list[dict[str, Any]] = unpack(finished.events)
    if not stored:
        return None  # lost outside of any world: nothing to replay
    here = versions_of(job.scenario)
    if result["versions"] != here:
        old = ", ".join(f"{name} {value}" for name, value in result["versions"].items() if value != here.get(name))
        new = ", ".join(f"{name} {value}" for name, value in here.items() if value != result["versions"].get(name))
        raise OtherVersion(f"{job.name} was recorded with {old or 'unknown versions'}; this installation has {new}.")
    episode = start(job.scenario, job.seed, split=job.split, restage=True)
    return Replay(job.name, episode, stored, result, finished.bodies).compare()


class Replay:
    """A replay in progress, next to the recorded history."""

    def __init__(
        self,
        name: str,
        episode: Episode,
        stored: list[dict[str, Any]],
        result: Mapping[str, Any],
        bodies: Mapping[str, bytes],
    ) -> None:
        self.name = name
        self.bodies = bodies
        self.episode = episode
        self.stored = stored
        self.result = result

    def compare(self) -> Divergence | None:
        """Compare both histories until they differ or both end."""
        chain = self.episode.world.events
        chain.stopped = frozenset(event["seq"] for event in self.stored if event["reply"].get("stopped"))
        again: dict[str, Any] | None = None
        for index, recorded in enumerate(self.stored):
            seq = recorded["seq"]
            if index == len(chain):
                try:
                    again = self._go_on(recorded, again)
                except Defect as defect:
                    return Divergence(self.name, seq, "the event", recorded["operation"], f"a defect: {defect.message}")
            if index == len(chain):
                return Divergence(self.name, seq, "the event", recorded["operation"], "nothing")
            found = difference(recorded, event_json(chain.entry(index).open(whole=False), {}), NOT_COMPARED)
            if found:
                return Divergence(self.name, seq, *found)
        if self.result["ended"] == "void":
            return None  # the input that broke it left no event: the history ends there
        again = again or self._finish()
        if len(chain) > len(self.stored):
            more = chain[len(self.stored)]
            return Divergence(self.name, more.seq, "the event", "nothing", more.operation)
        found = difference(self.result, again, {"wall_seconds"})
        return Divergence(self.name, None, *found) if found else None

    def _go_on(self, recorded: dict[str, Any], again: dict[str, Any] | None) -> dict[str, Any] | None:
        """Produce the next event: feed in the recorded input, or end the episode if no input caused it."""
        if recorded["door"] in INPUT_DOORS and recorded["root"] == recorded["seq"]:
            self.episode.redo(event_of(recorded, self.bodies))
            return again
        return again or self._finish()

    def _finish(self) -> dict[str, Any]:
        ended = self.result["ended"]
        if ended == "void":
            return {}
        return result_json(self.episode.finish(ended=ended, agent=self.result["agent"]))


def difference(old: Any, new: Any, ignored: set[str], path: str = "") -> tuple[str, Any, Any] | None:
    """Return the first place where two documents differ, with both values; causes before the digests."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys(), key=lambda key: (key in ("trace", "state"), key)):
            if key not in ignored:
                found = difference(old.get(key), new.get(key), set(), f"{path}.{key}" if path else key)
                if found:
                    return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            found = difference(one, other, set(), f"{path}[{index}]")
            if found:
                return found
        return None
    return None if old == new else (path, *_cut(old, new))


def _cut(old: Any, new: Any) -> tuple[Any, Any]:
    """Return both values; long texts are cut to where they begin to differ."""
    one, other = (value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in (old, new))
    if len(one) <= SHOWN and len(other) <= SHOWN:
        return old, new
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    first = max(0, at - SHOWN // 4)
    return one[first : first + SHOWN], other[first : first + SHOWN]
