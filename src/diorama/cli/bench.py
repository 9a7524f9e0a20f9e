"""`diorama bench`: measure the cost of worlds on this machine."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(help="Measure only these families; a long one runs only if it is named.")
    ] = None,
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
    Console().print(_table(figures, measures))


def _table(figures: dict[str, Any], measures: ModuleType) -> Table:
    factor = figures["machine_factor"]
    table = Table(
        title="diorama bench (medians; lower is better, but for figures per second)",
        caption=f"This machine took {factor:.2f} times as long for a fixed Python loop as that of the targets. "
        "Targets of times are multiplied by it, if it is above 1.",
    )
    for heading in ("figure", "small", "large", "large / small", "target", "met"):
        table.add_column(heading, justify="left" if heading == "figure" else "right", no_wrap=heading == "figure")
    for name, value in figures.items():
        wanted = _target(name, isinstance(value, dict), factor, measures)
        if isinstance(value, dict):
            row = (name, f"{value['small']:.4g}", f"{value['large']:.4g}", f"{value['ratio']:.2f}", wanted)
        else:
            row = (name, f"{value:.4g}", "", "", wanted)
        met = measures.judge(name, value, factor)
        table.add_row(*row, {None: "", True: "yes", False: "no"}[met], style="red" if met is False else "")
    return table


def _target(name: str, sized: bool, factor: float, measures: ModuleType) -> str:
    """Return a figure's target as text, a time with the machine's factor."""
    slower = f" x{factor:.2f}" if factor > 1 and measures.is_absolute(name) else ""
    wanted = [f"<= {measures.TARGETS[name]:g}{slower}"] if name in measures.TARGETS else []
    if name in measures.LEAST:
        wanted.append(f">= {measures.LEAST[name]:g}{slower.replace('x', '/')}")
    if sized:
        wanted.append(f"ratio <= {measures.RATIO_TARGET:g}")
    return ", ".join(wanted)
