"""`diorama replay`: print the events of an episode, or verify that they replay as recorded."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import to_builtins

from diorama.cli.errors import Misuse

SHOWN = 20
PROOFS = {"digest": "was expected", "key": "was sealed with the key"}


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder.")],
    episode: Annotated[
        str | None,
        typer.Argument(metavar="[EPISODE]", help="One episode: its number (from 1), its id, or its full name."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Run it again and compare everything; exit 1 if anything was changed.")
    ] = False,
    digest: Annotated[
        str | None, typer.Option(metavar="HEX", help="With --verify: the digest that `run` printed at its end.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Verify episodes; without --verify, print the events of an episode (the first one by default)."""
    from diorama.runs.store import Store

    if digest is not None and (not verify or episode is not None):
        raise Misuse("--digest is about the whole run: use it with --verify and without EPISODE.")
    if digest is not None and not re.fullmatch("[0-9a-fA-F]{64}", digest):
        raise Misuse(f"--digest {digest}: a digest has 64 hexadecimal digits.")
    with Store.open(folder) as store:
        jobs = store.find(episode)
        if verify:
            verify_all(store, jobs if episode else None, len(jobs), digest or "", json)
        elif not jobs:
            typer.echo(f"{folder} has no finished episode yet.")
        else:
            print_events(store, jobs if episode else jobs[:1], json)


def verify_all(store: Any, only: list[Any] | None, total: int, digest: str, json: bool) -> None:
    """Check and replay a run, print what was found, and exit with 1 unless every graded episode is verified.

    Exit code 2: nothing is wrong, but other code or images made the run.
    """
    from rich.progress import Progress

    from diorama.cli.display import err, print_json
    from diorama.runs.digests import take_key
    from diorama.runs.evidence import verify_run
    from diorama.scenarios import find

    try:
        for name in {job.scenario: None for job in only or store.info.jobs}:
            find(name)
    except LookupError as error:
        raise Misuse(f"{error} A scenario of another package is found with --path or DIORAMA_PATH.") from None
    key = take_key() if only is None else ""
    with Progress(console=err(), transient=True, disable=not err().is_terminal) as progress:
        task = progress.add_task("replaying", total=total)
        verdict = verify_run(store, only, digest, key, lambda: progress.advance(task))
    if json:
        print_json({"run": str(store.folder), **to_builtins(verdict)})
    else:
        print_verdict(verdict, only is None)
    if verdict.findings:
        raise typer.Exit(1)
    if verdict.not_verified:
        raise Misuse(f"{len(verdict.not_verified)} not verified: {next(iter(verdict.not_verified.values()))}")
    if not verdict.verified:
        raise typer.Exit(1)


def print_verdict(verdict: Any, whole: bool) -> None:
    """Print the findings, the counts, and what the digest was compared with."""
    for finding in verdict.findings[:SHOWN]:
        typer.echo(str(finding))
    if len(verdict.findings) > SHOWN:
        typer.echo(f"... and {len(verdict.findings) - SHOWN} more; --json lists them all.")
    equal = f"{verdict.verified} of {verdict.episodes} episodes replayed with equal digests at every event"
    counts = f"{verdict.refused} refused, {len(verdict.not_verified)} not verified, {verdict.void} void"
    again = f" ({verdict.void_confirmed} of them broke again)" if verdict.void else ""
    typer.echo(f"{equal}; {counts}{again}.")
    if not verdict.verified:
        typer.echo("No episode was verified: this run is not valid as evidence.")
    if not whole:
        typer.echo("The run as a whole was not checked; leave out EPISODE to do so.")
    elif verdict.proof:
        typer.echo(f"The digest {verdict.digest} is the one that {PROOFS[verdict.proof]}.")
    elif not verdict.findings:
        typer.echo(f"The run has digest {verdict.digest}. Compare it with what `run` printed: --digest HEX.")


def print_events(store: Any, jobs: list[Any], json: bool) -> None:
    """Print what happened, event by event."""
    from diorama.cli.display import out, print_json
    from diorama.cli.play import print_result
    from diorama.runs.store import unpack

    screen = out()
    stories = [(job, store.load(job)) for job in jobs]
    if json:
        print_json([{"episode": job.name, "result": one.result, "events": unpack(one.events)} for job, one in stories])
        return
    for job, one in stories:
        screen.print(f"[bold]{job.name}[/]" + (f" ({one.note})" if one.note else ""))
        screen.print(event_table(unpack(one.events)))
        print_result(screen, one.result)


def event_table(events: list[dict[str, Any]]) -> Any:
    """Return a table of events; leave out grader bookkeeping, and show staging as one line."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("seq", "turn", "time", "actor", "operation", "status", "changes", "signals", box=None, pad_edge=False)
    for column in (0, 1, 5, 6):
        table.columns[column].justify = "right"
    acted = next((n for n, event in enumerate(events) if event["door"] not in ("control", "agenda")), len(events) - 1)
    staged = events[:acted]
    table.add_row("", "", moment(events[0]["at"]) if events else "", "", f"staging: {len(staged)} events", "", "", "")
    for event in events[acted:]:
        signals = ", ".join(f"{s['name']} {s['value']:+.3f} ({s['because']})" for s in event["signals"])
        table.add_row(
            str(event["seq"]),
            str(event["turn"]),
            moment(event["at"]),
            escape(event["actor"]),
            escape(f"{event['app']} {event['operation']}"),
            str(event["reply"].get("status", "")),
            str(len(event["changes"]) or ""),
            escape(signals),
        )
    return table


def moment(at_us: int) -> str:
    """Format virtual time for display."""
    return f"{datetime.fromtimestamp(at_us / 1e6, UTC):%a %d %b %H:%M:%S}"
