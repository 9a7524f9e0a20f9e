"""Counters of a process, in the text format of Prometheus."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import msgspec

BUCKETS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class DoorFigures(msgspec.Struct):
    """Metrics of one app's door: replies by status, and latency."""

    replies: dict[int, int] = {}
    latency: list[int] = []
    seconds: float = 0.0


class Figures(msgspec.Struct):
    """Metrics of one worker."""

    live: int = 0
    started: int = 0
    finished: dict[str, int] = {}
    expired: int = 0
    snapshots: int = 0
    resident_bytes: int = 0
    doors: dict[str, DoorFigures] = {}


def prometheus(workers: Mapping[str, Figures], lost_workers: int, lost_episodes: int, up: Mapping[str, bool]) -> str:
    """Return all workers' figures in the text format of Prometheus; `up` says which of them answer."""
    out: list[str] = []

    def family(name: str, kind: str, meaning: str, rows: Sequence[tuple[str, float]]) -> None:
        out.append(f"# HELP diorama_{name} {meaning}\n# TYPE diorama_{name} {kind}")
        out.extend(f"diorama_{name}{labels} {value!r}" for labels, value in rows)

    def each(value: str) -> list[tuple[str, float]]:
        return [(f'{{worker="{w}"}}', getattr(figures, value)) for w, figures in workers.items()]

    family("episodes_live", "gauge", "Episodes that can still be acted in.", each("live"))
    family("episodes_started_total", "counter", "Episodes started or forked.", each("started"))
    family(
        "episodes_finished_total",
        "counter",
        "Episodes that have a result, by how they ended.",
        [
            (f'{{worker="{w}",ended="{ended}"}}', count)
            for w, figures in workers.items()
            for ended, count in sorted(figures.finished.items())
        ],
    )
    void = [(f'{{worker="{w}"}}', figures.finished.get("void", 0)) for w, figures in workers.items()]
    family("episodes_void_total", "counter", "Episodes voided by a defect.", void)
    family("episodes_expired_total", "counter", "Episodes removed because their lease ran out.", each("expired"))
    family("episodes_lost_total", "counter", "Episodes voided because their worker was lost.", [("", lost_episodes)])
    family("workers_lost_total", "counter", "Worker processes that died and were replaced.", [("", lost_workers)])
    answering = [(f'{{worker="{w}"}}', int(answers)) for w, answers in up.items()]
    family("worker_up", "gauge", "Whether the worker process is up and answers.", answering)
    family("snapshots", "gauge", "Snapshots held.", each("snapshots"))
    family("resident_bytes", "gauge", "Memory of the process.", each("resident_bytes"))
    doors = [(w, app, door) for w, figures in workers.items() for app, door in sorted(figures.doors.items())]
    family(
        "requests_total",
        "counter",
        "Replies at the app doors.",
        [
            (f'{{worker="{w}",app="{app}",status="{status}"}}', count)
            for w, app, door in doors
            for status, count in sorted(door.replies.items())
        ],
    )
    rows: list[tuple[str, float]] = []
    for w, app, door in doors:
        labels = f'worker="{w}",app="{app}"'
        counts = list(accumulate(door.latency)) or [0] * (len(BUCKETS) + 1)
        rows += [(f'_bucket{{{labels},le="{edge:g}"}}', n) for edge, n in zip(BUCKETS, counts, strict=False)]
        rows.append((f'_bucket{{{labels},le="+Inf"}}', counts[-1]))
        rows += [(f"_sum{{{labels}}}", door.seconds), (f"_count{{{labels}}}", counts[-1])]
    family("request_seconds", "histogram", "Time from the request's first byte in the door to the reply.", rows)
    return "\n".join(out) + "\n"
