"""`diorama bench`: measure the cost of worlds on this machine."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="Measure only these families.")] = None,
) -> None:
    """Measure the cost of worlds on this machine: medians, and ratios within one run."""
    from diorama import bench as measures

    unknown = [name for name in only or [] if name not in measures.FAMILIES]
    if unknown:
        raise typer.BadParameter(f"no family named {', '.join(unknown)}; there are: {', '.join(measures.FAMILIES)}")
    console = Console(stderr=True)
    with console.status("measuring") as status:
        figures = measures.measure(lambda family: status.update(f"measuring {family}"), tuple(only or ()))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
        return
    Console().print(_table(figures, measures.TARGETS, measures.LEAST, measures.RATIO_TARGET))


def _table(figures: dict[str, Any], targets: dict[str, float], least: dict[str, float], ratio_target: float) -> Table:
    table = Table(title="diorama bench (medians; lower is better, but for figures per second)")
    for heading in ("figure", "small", "large", "large / small", "target"):
        table.add_column(heading, justify="left" if heading == "figure" else "right")
    for name, value in figures.items():
        target = targets.get(name)
        wanted = "" if target is None else f"<= {target:g}"
        if isinstance(value, dict):
            wanted = f"{wanted}, ratio <= {ratio_target:g}" if wanted else f"ratio <= {ratio_target:g}"
            row = (name, f"{value['small']:.4g}", f"{value['large']:.4g}", f"{value['ratio']:.2f}", wanted)
        else:
            row = (name, f"{value:.4g}", "", "", wanted)
        met = target is None or (max(value["small"], value["large"]) if isinstance(value, dict) else value) <= target
        if name in least:
            row, met = (*row[:-1], f">= {least[name]:g}"), value >= least[name]
        table.add_row(*row, style="" if met else "red")
    return table
