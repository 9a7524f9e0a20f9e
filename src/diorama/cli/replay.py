"""`diorama replay`: print the events of an episode, or verify that they replay as recorded."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from diorama.cli.errors import Misuse


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder.")],
    episode: Annotated[
        str | None,
        typer.Argument(metavar="[EPISODE]", help="One episode: its number (from 1), its id, or its full name."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Run it again from its log and compare every event; exit 1 if any differs.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Verify episodes; without --verify, print the events of an episode (the first one by default)."""
    from diorama.runs.store import Store

    with Store.open(folder) as store:
        jobs = store.find(episode)
        if verify:
            verify_all(store, jobs, json)
        elif not jobs:
            typer.echo(f"{folder} has no finished episode yet.")
        else:
            print_events(store, jobs if episode else jobs[:1], json)


def verify_all(store: Any, jobs: list[Any], json: bool) -> None:
    """Replay every episode; print the first divergence of each, and exit 1 if there is any."""
    from rich.progress import Progress

    from diorama.cli.display import err, print_json
    from diorama.runs.replay import verify
    from diorama.scenarios import find

    try:
        for name in {job.scenario: None for job in jobs}:
            find(name)
    except LookupError as error:
        raise Misuse(f"{error} A scenario of another package is found with --path or DIORAMA_PATH.") from None
    found = []
    with Progress(console=err(), transient=True, disable=not err().is_terminal) as progress:
        for job in progress.track(jobs, description="replaying"):
            divergence = verify(store.load(job))
            if divergence is not None:
                found.append(divergence)
    if json:
        print_json(
            {"run": str(store.folder), "episodes": len(jobs), "equal": len(jobs) - len(found), "divergences": found}
        )
    else:
        for divergence in found:
            typer.echo(str(divergence))
        equal = len(jobs) - len(found)
        typer.echo(f"{equal} of {len(jobs)} episodes replayed with equal digests at every event.")
    if found:
        raise typer.Exit(1)


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
