"""`diorama contract`: operations served, coverage of the vendor's spec, and differences from it."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli import display
from diorama.cli.errors import Misuse
from diorama.contract.check import check
from diorama.contract.excuse import excuses_of
from diorama.contract.source import Unreadable
from diorama.contract.stage import NoSuchApp, find_app, specs_for, world_of
from diorama.contract.story import stories_of

SHOWN = 10


def contract(
    app: Annotated[str, typer.Argument(help="The app to check.")],
    spec: Annotated[
        list[Path] | None,
        typer.Option(help="The vendor's OpenAPI 2 or 3 file (JSON, YAML, .gz, .xz, or a bundle); may be repeated."),
    ] = None,
    recordings: Annotated[
        list[Path] | None,
        typer.Option(help="An archive of recorded exchanges with the vendor (.tar.xz), to compare replies with."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    all_: Annotated[bool, typer.Option("--all", help="Print every entry of every list.")] = False,
) -> None:
    """Check one app; exit 1 if it breaks the contract."""
    try:
        target = find_app(app)
        report = check(
            target,
            world_of(target),
            spec or specs_for(target),
            excuses_of(app),
            recordings=recordings or (),
            stories=stories_of(app),
        )
    except (NoSuchApp, Unreadable) as error:
        raise Misuse(str(error)) from error
    if json:
        display.print_json(report)
    else:
        report.show(display.out(), None if all_ else SHOWN)
    if not report.kept:
        raise typer.Exit(1)
