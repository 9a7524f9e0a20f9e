"""`diorama demo`: a quick demonstration on every scenario, in a minute or two."""

import os
from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.errors import out_path

CHEATS = 2


def demo(
    episodes: Annotated[int, typer.Option(min=1, help="Variants per scenario and agent.")] = 4,
    parallel: Annotated[int, typer.Option(min=0, help="How many processes to use; 0: one per core, at most four.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(parser=out_path, metavar="PATH", help="The run folder. Default: a new one under runs/."),
    ] = None,
) -> None:
    """Run the oracle, two cheats, a random agent and a no-op agent, and show the reward of each."""
    from diorama.cli.display import err, gate, program, reader_failures
    from diorama.cli.display import out as console
    from diorama.cli.run import run_jobs, show
    from diorama.runs.jobs import make_jobs, run_info
    from diorama.scenarios import load_all

    scenarios = list(load_all().values())
    jobs = []
    for scenario in scenarios:
        cheats = [f"cheat:{name}" for name in list(scenario.cheats)[:CHEATS]]
        jobs += make_jobs([scenario], ["oracle", *cheats, "random", "noop"], episodes=episodes)
    err().print(
        f"{len(jobs)} episodes: every agent on the same {episodes} variants of {len(scenarios)} scenarios.",
        markup=False,
    )
    with err().status("opening the worlds (built on first use)"):
        info = run_info(["demo"], jobs)
    folder, digest, summary, results = run_jobs(info, out, parallel or min(4, os.cpu_count() or 1), 600.0)
    screen = console()
    show(screen, folder, digest, summary, results)
    screen.print(
        "\nstep: what the turns changed in the facts; phase: how far the work got; episode: the reward "
        "(success 0.5 to 1, failure below 0.4).\n"
        f"The story of one episode: {program()} show {folder} 1\n"
        f"Your own agent: {program()} run {scenarios[0].name} --agent python:PACKAGE.MODULE:CALLABLE",
        markup=False,
        soft_wrap=True,
    )
    warning = gate(summary)
    for line in [*reader_failures(summary), *warning]:
        err().print(line, markup=False)
    if warning:
        raise typer.Exit(3)
