"""`diorama scenarios`: what an agent can be asked to do."""

from typing import Annotated

import typer


def scenarios(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List every scenario with its limits and the cheats it knows."""
    from rich.table import Table

    from diorama.cli.display import out, print_json
    from diorama.scenarios import load_all

    found = list(load_all().values())
    if json:
        print_json(
            [
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
                }
                for one in found
            ]
        )
        return
    table = Table(
        "scenario",
        "world",
        "turns",
        "story, and its cheats (run one with --agent cheat:NAME)",
        box=None,
        pad_edge=False,
    )
    for one in found:
        cheats = ", ".join(one.cheats) or "none"
        table.add_row(one.name, one.world, str(one.turns), f"{one.story.splitlines()[0]}\n[dim]{cheats}[/]")
    out().print(table)
