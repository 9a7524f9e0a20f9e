"""`diorama scenarios`: list the scenarios and their measurements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diorama.cli.errors import Misuse, out_path, writable

if TYPE_CHECKING:
    from diorama.check.mutations.probes import Probe
    from diorama.runs.trials import Trial
    from diorama.scenarios import Scenario


def scenarios(
    names: Annotated[list[str] | None, typer.Argument(help="Names or patterns. Default: all.")] = None,
    card: Annotated[bool, typer.Option("--card", help="Print a card for each, measured now.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Print one table of what was measured now.")] = False,
    plans: Annotated[
        bool,
        typer.Option("--plans", help="Print one staged variant of each plan with its hidden truth, for authors."),
    ] = False,
    seeds: Annotated[
        int, typer.Option(help="On how many variants to measure; a card adds one of each other plan.", min=1)
    ] = 20,
    probes: Annotated[bool, typer.Option("--probes", help="Also fit and measure the probing policies.")] = False,
    fit: Annotated[int, typer.Option(help="On how many variants probing policies are fitted.", min=2)] = 300,
    test: Annotated[int, typer.Option(help="On how many other variants they are measured.", min=1)] = 60,
    parallel: Annotated[
        int, typer.Option(min=0, max=256, help="How many processes to use; 0: one per core, at most four.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(parser=out_path, metavar="PATH", help="Write the Markdown into this file.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List every scenario with its limits and cheats, or measure some."""
    if out is not None and (json or not (card or table)):
        raise Misuse("--out is for the Markdown of --card or --table: give one of them, and leave out --json.")
    found = chosen(names or [])
    if plans:
        _plans(found, bool(names), json)
        return
    if not (card or table):
        _list(found, json)
        return
    from diorama.check.mutations import page
    from diorama.cli.display import print_json
    from diorama.runs import cards
    from diorama.runs.trials import summarise

    if out is not None:
        writable(out)
    tried = _tried(found, seeds, parallel, every_plan=card)
    summaries = [summarise(tried[one.name]) for one in found]
    policies = _probed(found, fit, test, parallel) if probes else {}
    if json:
        print_json({"scenarios": summaries, "probes": policies} if probes else summaries)
    else:
        asked = f" --probes --fit {fit} --test {test}" if probes else ""
        text = cards.page(summaries, f"diorama scenarios --table --seeds {seeds}{asked}") if table else ""
        text += page.policy_section(policies, fit, test) if table and probes else ""
        made = [
            cards.card(one, tried[one.name]) + (page.policy_card(policies[one.name]) if probes else "") for one in found
        ]
        text += "\n".join(made) if card else ""
        if out is not None:
            out.write_text(text, encoding="utf-8")
        else:
            typer.echo(text, nl=False)
    wrong = [
        one.scenario
        for one in summaries
        if not (one.oracle_success == 1.0 and one.cheats_below and one.rising and one.noop <= 0.0)
    ]
    if wrong:
        typer.echo(f"failed: {', '.join(wrong)}", err=True)
        raise typer.Exit(1)


def chosen(names: list[str]) -> list[Scenario[Any]]:
    """Return the scenarios of these names or patterns; all if none is given."""
    from fnmatch import fnmatchcase

    from diorama.scenarios import catalogue, load_all

    known = load_all()
    for name in names:
        if not any(fnmatchcase(one, name) for one in known):
            raise Misuse(catalogue().explain(name))
    return [one for name, one in known.items() if not names or any(fnmatchcase(name, asked) for asked in names)]


def _tried(found: list[Scenario[Any]], seeds: int, parallel: int, every_plan: bool) -> dict[str, list[Trial]]:
    from diorama.cli.display import err
    from diorama.runs.trials import trials, variants_of

    total, done = sum(len(variants_of(one.name, seeds, every_plan)) for one in found), 0
    with err().status("measuring") as status:

        def seen(one: Trial) -> None:
            nonlocal done
            done += 1
            status.update(f"measuring {one.scenario}: {done} of {total}")

        return trials([one.name for one in found], seeds, parallel, seen, every_plan)


def _probed(found: list[Scenario[Any]], fit: int, test: int, parallel: int) -> dict[str, list[Probe]]:
    from diorama.check.mutations.probes import measured
    from diorama.cli.display import err

    with err().status(f"probing policies, fitted on {fit} variants of each") as status:

        def seen(name: str) -> None:
            status.update(f"probing policies, fitted on {fit} variants of each: {name}")

        return measured([one.name for one in found], fit, test, parallel, seen)


def _plans(found: list[Scenario[Any]], named: bool, json: bool) -> None:
    from diorama.cli.display import print_json
    from diorama.runs.plan_sheets import as_text, sheets
    from diorama.scenarios.desk import DeskScenario

    if not named:
        raise Misuse("name a scenario, as in: diorama scenarios zendesk/late-refund --plans")
    if bare := [one.name for one in found if not isinstance(one, DeskScenario)]:
        raise Misuse(f"{bare[0]} is not a desk scenario: --plans prints the plans of those.")
    if json:
        print_json({one.name: list(sheets(one)) for one in found})
        return
    for one in found:
        typer.echo(f"# {one.name}\n")
        for each in sheets(one):
            typer.echo(as_text(each))


def _list(found: list[Scenario[Any]], json: bool) -> None:
    from rich.table import Table

    from diorama.cli.display import out, print_json
    from diorama.kit.discovery import location
    from diorama.scenarios import catalogue

    places = {name: one.place for name, one in catalogue().found.items()}
    if json:
        rows = [
            {
                "name": one.name,
                "story": one.story,
                "world": one.world,
                "apps": one.apps,
                "turns": one.turns,
                "hours": one.hours,
                "phases": one.phases,
                "tags": one.tags,
                "cheats": list(one.cheats),
                "version": one.version,
                "origin": places[one.name].origin,
                "where": location(places[one.name]),
            }
            for one in found
        ]
        print_json({"scenarios": rows, "broken": catalogue().broken})
        return
    table = Table(
        "scenario",
        "world",
        "turns",
        "story, and its cheats (run one with --agent cheat:NAME)",
        "from",
        box=None,
        pad_edge=False,
    )
    for one in found:
        cheats = ", ".join(one.cheats) or "none"
        story = f"{one.story.splitlines()[0]}\n[dim]{cheats}[/]"
        table.add_row(one.name, one.world, str(one.turns), story, places[one.name].origin)
    out().print(table)
