"""`diorama check`: the conformance suite for one app, world or scenario."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diorama.cli.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.status import Status

MARKS = {"passed": "[green]passed[/]", "failed": "[red]failed[/]", "skipped": "[dim]skipped[/]"}


def check(
    name: Annotated[str, typer.Argument(help="An app, a world, or a scenario such as `zendesk/late-refund`.")],
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only this check, by its name in --json; may be given several times.", metavar="CHECK"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Make every check; exit 1 when one fails. A name that an app and a world share means both."""
    from rich.markup import escape
    from rich.table import Table

    from diorama.check import Outcome, find_subject, run
    from diorama.cli.display import err, out, print_json

    try:
        subjects = find_subject(name)
    except LookupError as error:
        raise Misuse(str(error)) from None
    known = {one.name for subject in subjects for one in subject.checks()}
    if unknown := [one for one in only or [] if one not in known]:
        raise Misuse(f"There is no check {unknown[0]!r} of {name}. There are: {', '.join(sorted(known))}.")
    rows: list[tuple[Any, Outcome]] = []
    with err().status(f"checking {name}") as status:
        for subject in subjects:
            count = len([one for one in subject.checks() if not only or one.name in only])
            show = partial(_show, status, f"{subject.kind} {subject.name}", iter(range(1, count + 1)), count)
            rows.extend((subject, one) for one in run(subject, show, only or ()))
    failed = sum(outcome.result == "failed" for _, outcome in rows)
    if json:
        made = [{"kind": subject.kind, "name": subject.name, **_plain(outcome)} for subject, outcome in rows]
        print_json({"name": name, "passed": not failed, "checks": made})
    else:
        table = Table("of", "check", "result", box=None, pad_edge=False)
        stopped = [outcome for _, outcome in rows if outcome.stopped_by]
        for subject, outcome in rows:
            if outcome.stopped_by:
                continue
            lines = [escape(outcome.says), *(f"  {escape(line)}" for line in outcome.problems)]
            lines += [f"  and {outcome.more} more"] if outcome.more else []
            table.add_row(f"{subject.kind} {subject.name}", "\n".join(lines), MARKS[outcome.result])
        out().print(table)
        skipped = sum(outcome.result == "skipped" and not outcome.stopped_by for _, outcome in rows)
        parts = [f"{failed} failed"] if failed else [] if skipped else ["all passed"]
        parts += [f"{len(stopped)} not made because of the same error"] if stopped else []
        parts += [f"{len(rows) - failed - len(stopped) - skipped} passed, {skipped} skipped"] if skipped else []
        out().print(f"\n{len(rows)} checks of {name}: {', '.join(parts)}.", markup=False)
    if failed:
        raise typer.Exit(1)


def _plain(outcome: Any) -> dict[str, Any]:
    import msgspec

    return dict(msgspec.to_builtins(outcome))


def _show(status: "Status", about: str, places: "Iterator[int]", made: int, step: str) -> None:
    """Show which check is running; without a terminal, one line each, so that long work is seen to go on."""
    told = f"{about}: {next(places)} of {made}: {step}"
    status.update(told)
    if not status.console.is_terminal:
        status.console.print(told, markup=False, highlight=False)
