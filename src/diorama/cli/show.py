"""`diorama show`: why the episodes of a run ended as they did, as a list or one episode as a story."""

import shlex
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

import typer

from diorama.cli.errors import Misuse, folder_path, printable, readable

WIDE = 130
"""From this width on, the list is a table with a column for the reason."""
ORDER = {"failed": 0, "void": 1, "damaged": 2, "success": 3}
NAMED = 3
"""How many frequent reasons the summary names."""


def show(
    folder: Annotated[Path, typer.Argument(parser=folder_path, metavar="RUN", help="A run folder.")],
    episode: Annotated[
        str | None,
        typer.Argument(metavar="[EPISODE]", help="One episode: its number in the list, its id, or SCENARIO:SEED."),
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="List only episodes without success.")] = False,
    scenario: Annotated[
        str | None, typer.Option(metavar="PATTERN", help="List only these scenarios, such as 'zendesk/*'.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="With EPISODE: nothing is shortened or left out.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List the episodes of a run with their reasons, or tell one of them."""
    from diorama.runs.store import Store

    if episode is not None and (failed or scenario is not None):
        raise Misuse("--failed and --scenario are about the list: use them without EPISODE.")
    if full and episode is None:
        raise Misuse("--full is about one episode: name it.")
    with readable(folder), Store.open(folder) as store:
        if episode is not None:
            show_one(store, episode, full, json)
        else:
            show_list(store, failed, scenario, json)


def show_one(store: Any, name: str, full: bool, json: bool) -> None:
    """Print the story of one episode: its last attempt, or the attempt that was named in full."""
    from diorama.cli.display import out, print_json
    from diorama.cli.narrative import Narrator
    from diorama.runs.reasons import first_reason
    from diorama.runs.story import result_or_problem, story_of

    found = store.find(name)
    episodes = list(dict.fromkeys(job.episode for job in found))
    if len(episodes) > 1:
        choices = ", ".join(f"{store.number(job)} ({job.agent})" for job in episodes[:8])
        more = ", ..." if len(episodes) > 8 else ""
        raise Misuse(f"{len(episodes)} episodes are called {name!r}. Choose one by its number: {choices}{more}")
    *earlier, job = found
    story = story_of(store, job)
    for before in earlier:
        row = store.row(before)
        story.earlier.append(first_reason(result_or_problem(row["result"])[0], row["note"]))
    if json:
        print_json(story)
    else:
        Narrator(out(columns=True), story, full).tell()
    if story.damaged:
        raise typer.Exit(1)


def rows_of(store: Any) -> list[dict[str, Any]]:
    """Return one row for each episode with what its last attempt gave, failures first."""
    from diorama.runs.documents import UNREADABLE
    from diorama.runs.story import result_or_problem

    rows: dict[Any, dict[str, Any]] = {}
    for job, stored, note in store.outcomes():
        earlier = rows.get(job.episode)
        before = [*earlier["earlier"], earlier["reason"]] if earlier else []
        result, problem = result_or_problem(stored)
        try:
            row = row_of(store.number(job), job, result, note, before)
        except UNREADABLE as error:
            problem = f"the stored result cannot be shown ({type(error).__name__}: {error})"
            row = row_of(store.number(job), job, None, note, before)
        rows[job.episode] = {**row, "reason": problem.removesuffix(".")} if problem else row
    return sorted(rows.values(), key=lambda row: (ORDER[row["outcome"]], row["number"], row["episode"]))


def row_of(number: int, job: Any, result: dict[str, Any] | None, note: str, earlier: list[str]) -> dict[str, Any]:
    """Return the row of one attempt; None instead of a result means that it is damaged."""
    from diorama.runs.reasons import first_reason, outcome_of, reasons

    known = result or {}
    failing = result is not None and result["score"] is not None and not result["success"]
    return {
        "number": number,
        "episode": job.name,
        "scenario": job.scenario,
        "seed": job.seed,
        "split": job.split,
        "plan": known.get("plan", ""),
        "agent": job.agent,
        "attempt": job.attempt,
        "outcome": outcome_of(result),
        "ended": known.get("ended"),
        "success": known.get("success"),
        "reward": known.get("reward"),
        "turns": known.get("turns"),
        "reason": first_reason(result, note),
        "parts": [part.name for part in reasons(known)] if failing else [],
        "fault": known.get("fault"),
        "note": note,
        "earlier": earlier,
    }


def summary_of(rows: list[dict[str, Any]], planned: int, running: bool) -> dict[str, Any]:
    """Return the counts of a list, and which parts decided its failures."""
    counts = Counter(row["outcome"] for row in rows)
    rewards = [row["reward"] for row in rows if row["reward"] is not None]
    return {
        "episodes": len(rows),
        "planned": planned,
        "unfinished": running,
        **{outcome: counts[outcome] for outcome in ORDER},
        "mean_reward": sum(rewards) / len(rewards) if rewards else None,
        "decided_by": dict(Counter(row["parts"][0] for row in rows if row["parts"]).most_common()),
    }


def show_list(store: Any, failed: bool, pattern: str | None, json: bool) -> None:
    """Print the episodes, one summary line, and how to go on."""
    from diorama.cli.display import print_json

    def chosen(name: str) -> bool:
        return pattern is None or fnmatchcase(name, pattern)

    rows = [row for row in rows_of(store) if chosen(row["scenario"])]
    planned = sum(cell.episodes * cell.group for cell in store.info.plan if chosen(cell.scenario))
    if pattern is not None and not planned:
        raise Misuse(f"No scenario of this run matches {pattern!r}. It has: {', '.join(store.info.scenarios)}")
    summary = summary_of(rows, planned, store.info.finished is None)
    if failed:
        rows = [row for row in rows if row["outcome"] != "success"]
    if json:
        print_json({"run": str(store.folder), "summary": summary, "episodes": rows})
    else:
        print_list(store, rows, summary)
    if any(row["outcome"] == "damaged" for row in rows):
        raise typer.Exit(1)


def print_list(store: Any, rows: list[dict[str, Any]], summary: dict[str, Any]) -> None:
    """Print the list for people: the rows, one summary line, and how to go on."""
    from diorama.cli.display import out, path_options, program

    screen = out(columns=True)
    if rows and screen.width >= WIDE:
        screen.print(table(rows))
    else:
        for row in rows:
            print_row(screen, row)
    screen.print(f"{chr(10) if rows else ''}{summary_line(summary)}", markup=False, soft_wrap=True)
    if rows:
        example = rows[0]["number"]
        words = f"{program()} show {shlex.quote(str(store.folder))} {example}{path_options()}"
        screen.print(f"One episode as a story: {words}", markup=False, soft_wrap=True)


STYLES = {"failed": "red", "void": "yellow", "damaged": "yellow", "success": "green"}


def reason_of(row: dict[str, Any]) -> str:
    """Return the reason of an episode, and why earlier attempts do not count."""
    before = "".join(f" (an earlier attempt was void: {text})" for text in row["earlier"])
    return printable(f"{row['reason']}{before}".strip())


def table(rows: list[dict[str, Any]]) -> Any:
    """Return the list as a table, for wide screens."""
    from rich.markup import escape
    from rich.table import Table

    from diorama.cli.display import number

    heads = ("", "scenario", "seed", "plan", "agent", "outcome", "reward", "turns", "first reason")
    made = Table(*heads, box=None, pad_edge=False)
    for column in (0, 2, 6, 7):
        made.columns[column].justify = "right"
    for column in (1, 3, 4):
        made.columns[column].overflow = "fold"
    for row in rows:
        turns = "-" if row["turns"] is None else str(row["turns"])
        texts = (row["scenario"], str(row["seed"]), row["plan"], row["agent"])
        outcome = f"[{STYLES[row['outcome']]}]{row['outcome']}[/]"
        made.add_row(
            str(row["number"]), *map(escape, texts), outcome, number(row["reward"]), turns, escape(reason_of(row))
        )
    return made


def print_row(screen: Any, row: dict[str, Any]) -> None:
    """Print one episode on two lines, for narrow screens."""
    from diorama.cli.display import number
    from diorama.cli.narrative import write

    turns = "" if row["turns"] is None else f", {row['turns']} turns"
    plan = f", plan {row['plan']}" if row["plan"] else ""
    what = f"{row['scenario']}:{row['seed']}{plan}, {row['agent']}, reward {number(row['reward'])}{turns}"
    write(screen, what, f"{row['number']:>4}  {row['outcome']:<8}", style=STYLES[row["outcome"]])
    reason = reason_of(row)
    if reason:
        write(screen, reason, " " * 14)


def summary_line(summary: dict[str, Any]) -> str:
    """Return the counts of a list in one line."""
    from diorama.cli.display import number

    whole = summary["episodes"] == summary["planned"]
    first = f"{summary['episodes']} episodes" if whole else f"{summary['episodes']} of {summary['planned']} episodes"
    counts = ", ".join(f"{summary[outcome]} {outcome}" for outcome in ("success", "failed", "void"))
    damaged = f", {summary['damaged']} damaged" if summary["damaged"] else ""
    parts = [f"{first}: {counts}{damaged}; mean reward {number(summary['mean_reward'])}."]
    decided = list(summary["decided_by"].items())[:NAMED]
    if decided:
        parts.append(f"Failures decided by: {', '.join(f'{name} {count}' for name, count in decided)}.")
    if summary["unfinished"]:
        parts.append("The run is not finished.")
    return " ".join(parts)
