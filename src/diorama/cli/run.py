"""`diorama run`: run episodes of scenarios with agents, into a run folder that can be resumed."""

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from diorama.cli.errors import Misuse, out_path, printable, readable, seconds

LARGEST = 2**62
"""The largest first seed; those that follow it stay below the largest that an episode can have."""


class Split(StrEnum):
    """Which variants: `train` and `eval` share no people or records; `eval-new` has plans that neither has."""

    train = "train"
    eval = "eval"
    eval_new = "eval-new"


def run(
    scenario: Annotated[
        list[str], typer.Argument(metavar="SCENARIO", help="Scenario names, or patterns such as 'zendesk/*'.")
    ],
    agent: Annotated[
        list[str],
        typer.Option(
            help="oracle, noop, random, cheat:NAME, python:PACKAGE.MODULE:CALLABLE, openai:MODEL; repeatable."
        ),
    ],
    episodes: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many variants of each scenario.")] = 1,
    parallel: Annotated[int, typer.Option(min=1, max=256, help="How many processes to use.")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST, help="The first seed; the others follow it.")] = 0,
    split: Annotated[
        Split, typer.Option(help="Training variants, held-out people, or plans of their own.")
    ] = Split.train,
    group: Annotated[int, typer.Option(min=1, help="How often each variant is tried.")] = 1,
    agent_seconds: Annotated[
        float,
        typer.Option(
            parser=seconds(0.1), metavar="SECONDS", help="Wall time an agent may take per episode; 0.1 to 604800."
        ),
    ] = 600.0,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=out_path,
            metavar="PATH",
            help="The run folder; an unfinished run continues. Default: a new one under runs/.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Plan, run or resume, and report; exit code 3 if the harness failed too often."""
    from diorama.cli.display import err, gate, print_json, reader_failures
    from diorama.cli.display import out as console
    from diorama.runs.commands import spelled_out
    from diorama.runs.jobs import chosen, make_jobs, run_info

    found = chosen(scenario)
    jobs = make_jobs(found, agent, split=split.value, seed=seed, episodes=episodes, group=group)
    with err().status("opening the worlds (built on first use)"):
        info = run_info(spelled_out(sys.argv[1:], [one.name for one in found]), jobs)
    folder, digest, summary, results = run_jobs(info, out, parallel, agent_seconds)
    with readable(folder):  # episodes that were there before this command may have been changed
        if json:
            print_json({"run": str(folder), "digest": digest, "episodes": results, "summary": summary})
        else:
            show(console(), folder, digest, summary, results)
        warning = gate(summary)
    for line in [*reader_failures(summary), *warning]:
        err().print(line, markup=False, soft_wrap=True)
    if warning:
        raise typer.Exit(3)


def run_jobs(info: Any, out: Path | None, parallel: int, agent_seconds: float) -> tuple[Path, str, Any, Any]:
    """Run jobs and show progress; return the folder, the run's digest and summary, and all results in their order."""
    from functools import partial

    from diorama.cli import Terminated
    from diorama.cli.display import RunProgress, err
    from diorama.runs.commands import agent_seconds as asked_seconds
    from diorama.runs.digests import take_key
    from diorama.runs.engine import Engine
    from diorama.runs.perform import perform
    from diorama.runs.store import Store, check_saved

    folder = out or Path("runs") / info.id
    jobs = info.jobs
    with Store.begin(folder, info, take_key()) as store:
        before = asked_seconds(store.info.command)
        if before not in (None, agent_seconds):
            raise Misuse(
                f"{folder} holds a run with --agent-seconds {before:g}. "
                "Use the same time, or choose another folder with --out."
            )
        engine = Engine(store, partial(perform, agent_seconds=agent_seconds), parallel, 2 * agent_seconds + 120)
        left = len(engine.unfinished())
        if left < len(jobs):
            err().print(
                f"{folder}: {len(jobs) - left} of {len(jobs)} episodes are done; continuing.",
                markup=False,
                soft_wrap=True,
            )
        signals: list[int] = []
        try:
            with RunProgress(len(jobs), len(jobs) - left) as progress, stopped_by_sigterm(signals):
                summary = engine.run(progress.seen)
        except KeyboardInterrupt as stop:
            done = len(jobs) - len(engine.unfinished())
            err().print(
                f"Stopped: {done} of {len(jobs)} episodes are saved. "
                f"Run the same command with --out {folder} to continue.",
                markup=False,
                soft_wrap=True,
            )
            by_sigterm = signals or isinstance(stop, Terminated)
            raise typer.Exit(128 + (signal.SIGTERM if by_sigterm else signal.SIGINT)) from None
        for note, count in store.notes():
            err().print(printable(f"{count} x {note}"), markup=False, soft_wrap=True)
        final = {job.episode: result for job, result in store.results()}
        digest = store.digest()
    check_saved(folder, digest)
    return folder, digest, summary, [final[job] for job in jobs if job in final]


@contextmanager
def stopped_by_sigterm(came: list[int]) -> Iterator[None]:
    """Let SIGTERM stop a run as Ctrl-C does, also while asyncio handles that; the list says whether it came."""

    def stop(number: int, frame: Any) -> None:
        came.append(number)
        interrupt = signal.getsignal(signal.SIGINT)  # that of asyncio while episodes run
        if callable(interrupt):
            interrupt(number, frame)
        else:  # a shell without job control ignores SIGINT for its background jobs
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def show(screen: Any, folder: Path, digest: str, summary: dict[str, Any], results: list[dict[str, Any]]) -> None:
    """Print the scores, the failures, the run folder and the run's digest."""
    from diorama.cli.display import first_failures, path_options, program, scale_means, scores
    from diorama.runs.reasons import decided_by

    screen.print(scores(summary["by_scenario"], scale_means(results), first_failures(results)))
    endings = ", ".join(f"{name} {count}" for name, count in sorted(summary["terminations"].items()))
    screen.print(f"\n{summary['n']} episodes: {endings}", markup=False, soft_wrap=True)
    for row in summary["quarantined"]:
        place = f"{row['scenario']}:{row['split']}:{row['seed']}"
        screen.print(
            printable(f"quarantined: {place} with {row['agent']}: {row['boundary']}: {row['message']}"),
            markup=False,
            soft_wrap=True,
        )
    decided = ", ".join(f"{name} {count}" for name, count in decided_by(results).items())
    place = f"{shlex.quote(str(folder))}"
    if summary["n"] > sum(bool(result["success"]) for result in results):
        parts = f" ({decided})" if decided else ""
        why = f"{program()} show {place}{path_options()}"
        screen.print(f"Why did episodes fail{parts}: {why}", markup=False, soft_wrap=True)
    again = f"{program()} replay {place} --verify --digest {digest}{path_options()}"
    screen.print(
        f"Run saved to {folder}. Verify it: {again}",
        markup=False,
        soft_wrap=True,
    )
