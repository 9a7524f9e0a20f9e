"""Output of commands: progress on stderr, tables on stdout, only JSON with --json."""

import math
import os
import re
import shlex
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from diorama.cli.errors import printable
from diorama.runs.reasons import first_reason
from diorama.runs.store import Finished, Job
from diorama.runs.taxonomy import GATE, termination

PLAIN_SECONDS = 5.0
REASON_SHOWN = 70
"""Characters of a reason in the table of scores."""
_UNESCAPED = re.compile("[\x7f-\x9f]")
"""Control characters that JSON does not require to be escaped."""


class Screen(Console):
    """A console that shows control characters in texts instead of sending them to the terminal."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Turn a text into what is printed."""
        return super().render_str(printable(text, keep="\n\t"), **options)


def out(columns: bool = False) -> Console:
    """Return the console for results; a pipe gets a fixed width, or the one in COLUMNS if `columns` is set."""
    known = sys.stdout.isatty() or (columns and os.environ.get("COLUMNS", "").isdecimal())
    return Screen(highlight=False, emoji=False, width=None if known else 160)


def err() -> Console:
    """Return the console for progress and messages."""
    return Screen(stderr=True, highlight=False, emoji=False)


def print_json(document: Any) -> None:
    """Print exactly one JSON document to stdout."""
    text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    sys.stdout.buffer.write(_UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n")
    sys.stdout.flush()


class RunProgress:
    """Progress of a run: a bar on a terminal, else a line from time to time."""

    def __init__(self, total: int, done: int = 0) -> None:
        self.total = total
        self.done = self._before = done
        self._settled: set[Job] = set()
        self.endings: Counter[str] = Counter()
        self.began = time.monotonic()
        self.console = err()
        self._said = self.began
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("{task.fields[endings]}"),
            console=self.console, disable=not self.console.is_terminal, transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("episodes", total=total, completed=done, endings="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def seen(self, finished: Finished) -> None:
        """Count one attempt; advance the bar only if the episode will not be retried."""
        self.endings[termination(finished.result)] += 1
        if finished.result["ended"] != "void" or finished.job.attempt:
            self._settled.add(finished.job.episode)
            self.done = self._before + len(self._settled)
        endings = "  ".join(f"{name} {count}" for name, count in sorted(self.endings.items()))
        self._bar.update(self._task, completed=self.done, endings=endings)
        now = time.monotonic()
        if not self.console.is_terminal and (now - self._said > PLAIN_SECONDS or self.done == self.total):
            self._said = now
            self.console.print(f"{self.done}/{self.total} episodes in {now - self.began:.0f} s: {endings}")


def percent(rate: float | None) -> str:
    """Format a rate for display."""
    return "-" if rate is None else f"{100 * rate:.0f} %"


def number(value: float | None) -> str:
    """Format a score for display; stored scores are never rounded."""
    return "-" if value is None else f"{value:.3f}"


Cell = tuple[str, str]


def first_failures(results: Sequence[dict[str, Any]]) -> dict[Cell, str]:
    """Return why the first episode that was not solved failed, per agent and scenario."""
    found: dict[Cell, str] = {}
    for result in results:
        if not result["success"]:
            found.setdefault((result["agent"], result["scenario"]), first_reason(result, ""))
    return found


def scale_means(results: Sequence[dict[str, Any]]) -> dict[Cell, dict[str, float]]:
    """Return the mean of each scale per agent and scenario, over graded episodes."""
    found: dict[Cell, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        if result["score"] is not None:
            found[result["agent"], result["scenario"]].append(result["score"])
    return {
        cell: {
            scale: math.fsum(score[scale] for score in graded) / len(graded) for scale in ("step", "phase", "episode")
        }
        for cell, graded in found.items()
    }


def scores(rows: Sequence[dict[str, Any]], means: dict[Cell, dict[str, float]], failures: Mapping[Cell, str]) -> Table:
    """Return a table with one row per scenario and agent, best first: success, three scales, harness faults.

    `success` is over graded episodes, `of planned` over all planned ones: there a void episode counts as not solved.
    The last column says why the first episode that was not solved failed.
    """
    heads = ("scenario, agent", "planned", "graded", "success", "of planned", "step", "phase", "episode", "faults")
    table = Table(*heads, box=None, pad_edge=False)
    table.columns[0].overflow = "fold"
    for column in table.columns[1:]:
        column.justify = "right"
    table.add_column("first reason", no_wrap=True, overflow="ellipsis", max_width=REASON_SHOWN)
    last = None
    for row in sorted(rows, key=lambda row: (row["scenario"], -(row["mean_reward"] or 0.0))):
        if row["scenario"] != last:
            last = row["scenario"]
            table.add_row(last, style="bold")
        scales = means.get((row["agent"], row["scenario"]), {})
        table.add_row(
            f"  {row['agent']}",
            str(row["planned"]),
            str(row["graded"]),
            percent(row["success_rate"]),
            percent(row["planned_success_rate"]),
            *(number(scales.get(scale)) for scale in ("step", "phase", "episode")),
            percent(row["fault_rate"]),
            escape(printable(failures.get((row["agent"], row["scenario"]), ""))),
        )
    return table


def gate(summary: dict[str, Any]) -> list[str]:
    """Return a warning if too many episodes failed because of the harness, else an empty list."""
    if summary["fault_rate"] <= GATE:
        return []
    rate, n = summary["fault_rate"], summary["n"]
    said = f"{round(rate * n)} of {n} episodes ({100 * rate:.1f} %) failed because of the harness"
    return [
        f"{said}; above {100 * GATE:.0f} % the result is not valid. The worst causes:",
        *(printable(f"  {_cause(cause)}") for cause in summary["worst_causes"]),
    ]


def _cause(cause: dict[str, Any]) -> str:
    return f"{cause['count']} x {cause['boundary']} {cause['kind']}: {cause['message']} (as in {cause['example']})"


def reader_failures(summary: dict[str, Any]) -> list[str]:
    """Return a warning if our own readers failed at what agents wrote, else an empty list."""
    if not summary.get("unreadable"):
        return []
    errors = printable(", ".join(f"{count} x {error}" for error, count in summary["unreadable_errors"].items()))
    said = f"{summary['unreadable']} of {summary['n']} episodes have a text that a reader of the grader failed at"
    return [f"{said} ({errors}). They count as not solved; each is a bug to report."]


def path_options() -> str:
    """Return the --path options of this command, as text to add to a suggested one."""
    from diorama.cli import GIVEN_PATHS

    return "".join(f" --path {shlex.quote(str(path))}" for path in GIVEN_PATHS)


def program() -> str:
    """Return how to call this program again: by name if it is on the PATH, else as it was called."""
    if shutil.which("diorama"):
        return "diorama"
    if sys.argv[0].endswith("__main__.py"):
        return "python -m diorama"
    return os.path.relpath(sys.argv[0])
