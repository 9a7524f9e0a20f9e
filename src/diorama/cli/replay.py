"""`diorama replay`: print the events of an episode, or verify that they replay as recorded."""

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import to_builtins

from diorama.cli.errors import Misuse, folder_path, printable, readable

INDENT = " " * 12
SHOWN = 60
"""How many characters of an argument are shown."""
ERROR_SHOWN = 200
"""How many characters of the error of a wrong call are shown."""
FINDINGS = 20
"""How many findings are printed."""
PROOFS = {"digest": "was expected", "key": "was sealed with the key"}


def replay(
    folder: Annotated[Path, typer.Argument(parser=folder_path, metavar="DIR", help="A run folder.")],
    episode: Annotated[
        str | None,
        typer.Argument(metavar="[EPISODE]", help="One episode: its number in the list, its id, or its full name."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Run it again and compare everything; exit 1 if anything was changed.")
    ] = False,
    digest: Annotated[
        str | None, typer.Option(metavar="HEX", help="With --verify: the digest that `run` printed at its end.")
    ] = None,
    allow_unverified: Annotated[
        bool,
        typer.Option(
            "--allow-unverified", help="With --verify: accept void attempts by a lost worker, provider or sandbox."
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List the episodes, print what happened in one, or verify one or all."""
    from diorama.runs.file import Damaged
    from diorama.runs.store import Store

    if digest is not None and (not verify or episode is not None):
        raise Misuse("--digest is about the whole run: use it with --verify and without EPISODE.")
    if allow_unverified and not verify:
        raise Misuse("--allow-unverified needs --verify.")
    if digest is not None and not re.fullmatch("[0-9a-fA-F]{64}", digest):
        raise Misuse(f"--digest {digest}: a digest has 64 hexadecimal digits.")
    try:
        with Store.open(folder) as store:
            jobs = store.find(episode)
            if verify:
                verify_all(store, jobs if episode else None, len(jobs), digest or "", json, allow_unverified)
            elif json or jobs:
                show(store, jobs, episode is not None, json)
            else:
                typer.echo(f"{folder} has no finished episode yet.")
    except Damaged as damaged:
        if not verify:
            raise
        refuse(folder, damaged, json)


def show(store: Any, jobs: list[Any], whole: bool, json: bool) -> None:
    """Print a list of the episodes, or what happened in them."""
    with readable(store.folder):
        (print_events if whole else print_list)(store, jobs, json)


def refuse(folder: Path, damaged: Any, json: bool) -> None:
    """Print why a folder cannot even be opened as a run, and exit with 1."""
    from diorama.cli.display import print_json
    from diorama.runs.evidence import refused

    verdict = refused(damaged)
    if json:
        print_json({"run": str(folder), **to_builtins(verdict)})
    else:
        print_verdict(verdict, True)
    raise typer.Exit(1)


def verify_all(store: Any, only: list[Any] | None, total: int, digest: str, json: bool, allow: bool) -> None:
    """Check and replay a run, print what was found, and exit with 1 unless every attempt is verified.

    Exit code 2: nothing is wrong, but other code or images made the run. `allow` accepts faults from outside.
    """
    from rich.progress import Progress

    from diorama.cli.display import err, print_json
    from diorama.kernel.sources import distrusting
    from diorama.runs.digests import take_key
    from diorama.runs.evidence import verify_run
    from diorama.scenarios import find

    try:
        for name in {job.scenario: None for job in only or store.info.jobs}:
            find(name)
    except LookupError as error:
        raise Misuse(f"{error} A scenario of another package is found with --path or DIORAMA_PATH.") from None
    key = take_key() if only is None else ""
    bar = Progress(console=err(), transient=True, disable=not err().is_terminal)
    with bar as progress, distrusting():  # which code this is must not depend on a file that others may have written
        task = progress.add_task("replaying", total=total)
        verdict = verify_run(store, only, digest, key, lambda: progress.advance(task))
    if json:
        print_json({"run": str(store.folder), **to_builtins(verdict)})
    else:
        print_verdict(verdict, only is None)
        if verdict.sealed and not key:
            typer.echo("sealed; not checked, no key")
    if verdict.findings or (verdict.outside and not allow):
        raise typer.Exit(1)
    others = [reason for name, reason in verdict.not_verified.items() if name not in verdict.outside]
    if others:
        raise Misuse(f"{len(others)} not verified: {others[0]}")
    if not verdict.verified:
        raise typer.Exit(1)


def print_verdict(verdict: Any, whole: bool) -> None:
    """Print the findings, the counts, and what the digest was compared with."""
    for finding in verdict.findings[:FINDINGS]:
        typer.echo(printable(str(finding)))
    if len(verdict.findings) > FINDINGS:
        typer.echo(f"... and {len(verdict.findings) - FINDINGS} more; --json lists them all.")
    for name in verdict.outside[:FINDINGS]:
        typer.echo(printable(f"not verified: {verdict.not_verified[name]}"))
    equal = f"{verdict.verified} of {verdict.episodes} episodes replayed with equal digests at every event"
    counts = f"{verdict.refused} refused, {len(verdict.not_verified)} not verified, {verdict.void} void"
    again = " (broke again)" if verdict.void else ""
    typer.echo(f"{equal}; {counts}{again}.")
    if verdict.outside:
        typer.echo("Accept void attempts that a replay cannot repeat: --allow-unverified.")
    if not verdict.verified:
        typer.echo("No episode was verified: this run is not valid as evidence.")
    if not whole:
        typer.echo("The run as a whole was not checked; leave out EPISODE to do so.")
    elif verdict.proof:
        typer.echo(f"The digest {verdict.digest} is the one that {PROOFS[verdict.proof]}.")
    elif not verdict.findings:
        typer.echo(f"The run has digest {verdict.digest}. Compare it with what `run` printed: --digest HEX.")


def print_list(store: Any, jobs: list[Any], json: bool) -> None:
    """Print one line for each episode, in the order of the plan: seed, outcome, reward and first reason."""
    from rich.markup import escape
    from rich.table import Table

    from diorama.cli.display import number, out, print_json, program
    from diorama.runs.reasons import first_reason

    rows = [(store.number(job), job, store.load(job)) for job in jobs]
    if json:
        episodes = [
            {"number": place, "episode": job.name, "note": one.note, "result": one.result} for place, job, one in rows
        ]
        print_json({"run": str(store.folder), "episodes": episodes})
        return
    table = Table("", "scenario", "agent", "seed", "outcome", "reward", "first reason", box=None, pad_edge=False)
    for column in (0, 3, 5):
        table.columns[column].justify = "right"
    for place, job, one in rows:
        result = one.result
        words = {True: "success", False: "not solved", None: "void"}[result["success"]]
        outcome = words if result["ended"] in ("done", "void") else f"{words} ({result['ended']})"
        again = f" (attempt {job.attempt + 1})" if job.attempt else ""
        shown = (f"{job.scenario}{again}", job.agent, str(job.seed), outcome, number(result["reward"]))
        cells = (*shown, first_reason(result, one.note))
        table.add_row(str(place), *(escape(printable(cell)) for cell in cells))
    out().print(table)
    folder = shlex.quote(str(store.folder))
    typer.echo(f"Why one of them failed: {program()} show {folder} NUMBER")
    typer.echo(f"Its requests and replies, event by event: {program()} replay {folder} NUMBER")


def print_events(store: Any, jobs: list[Any], json: bool) -> None:
    """Print what happened, event by event."""
    from rich.markup import escape

    from diorama.cli.display import out, print_json
    from diorama.cli.play import print_result
    from diorama.runs.store import read_events, read_turns

    def events_of(job: Any, one: Any) -> list[dict[str, Any]]:
        return read_events(one.events, f"the events of {job.name}")

    screen = out()
    stories = [(job, store.load(job)) for job in jobs]
    if json:
        print_json([{"episode": job.name, "result": one.result, "events": events_of(job, one)} for job, one in stories])
        return
    for job, one in stories:
        note = f" ({one.note})" if one.note else ""
        screen.print(f"[bold]{escape(printable(job.name))}[/]{escape(printable(note))}")
        for line in story(events_of(job, one), read_turns(one.transcript, f"the transcript of {job.name}")):
            screen.print(printable(line), markup=False, soft_wrap=True)
        print_result(screen, one.result)


def story(events: list[dict[str, Any]], transcript: list[dict[str, Any]]) -> list[str]:
    """Return what happened as lines of text: who did what with which tool, the request, the reply; staging is one."""
    from diorama.runs.story import staged

    acts = [entry for entry in transcript if "tool" in entry or "http" in entry]
    acted = staged(events)
    lines = [f"{'seq':>4} {'turn':>4}  {moment(events[0]['at']) if events else ''}  staging: {acted} events"]
    for event in events[acted:]:
        head = f"{event['seq']:>4} {event['turn']:>4}  {moment(event['at'])}  {event['actor']}"
        request, operation = event["request"], f"{event['app']} {event['operation']}".strip()
        changed = f", {len(event['changes'])} rows changed" if event["changes"] else ""
        outcome = f"{answered(event['reply'])}{changed}"
        if event["operation"] == "wrong_call":
            lines.append(f"{head}  {tool_call(event, acts) or request['tool']} -> wrong call")
            lines.append(f"{INDENT}{_cut(request['error'], ERROR_SHOWN)}")
        elif "method" in request:
            query = f"?{request['query']}" if request["query"] else ""
            lines.append(f"{head}  {tool_call(event, acts)}".rstrip())
            lines.append(f"{INDENT}{request['method']} {request['path']}{query} ({operation}) -> {outcome}")
        else:
            lines.append(f"{head}  {tool_call(event, acts) or operation} -> {outcome}")
        lines += [line for signal in event["signals"] for line in signal_lines(signal)]
    return lines


def signal_lines(signal: dict[str, Any]) -> list[str]:
    """Return what a grader logged at an event, and what it expected and found."""
    lines = [f"{INDENT}{signal['name']} {signal['value']:+.3f} ({signal['because']})"]
    if signal["scale"] == "step" and signal.get("found"):
        lines += [f"{INDENT}  {side}: {_cut(signal[side], ERROR_SHOWN)}" for side in ("expected", "found")]
    return lines


def tool_call(event: dict[str, Any], acts: list[dict[str, Any]]) -> str:
    """Return the tool and the arguments by which an agent made an event, or "" if it used no tool."""
    if event["door"] != "tools" or event["root"] != event["seq"] or not 0 < event["turn"] <= len(acts):
        return ""
    act = acts[event["turn"] - 1]
    if "tool" not in act:
        return ""
    return f"{act['tool']}({', '.join(f'{name}={_short(value)}' for name, value in arguments(act))})"


def arguments(act: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the arguments of a recorded tool call; an agent may have given something else than an object."""
    given = act["arguments"]
    return list(given.items()) if isinstance(given, dict) else [("?", given)]


def answered(reply: dict[str, Any]) -> str:
    """Return the status of a reply, and why it was refused."""
    return " ".join(str(part) for part in (reply.get("status", ""), reply.get("refused", "")) if part)


def _short(value: Any) -> str:
    return _cut(repr(value), SHOWN)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def moment(at_us: int) -> str:
    """Format virtual time for display."""
    return f"{datetime.fromtimestamp(at_us / 1e6, UTC):%a %d %b %H:%M:%S}"
