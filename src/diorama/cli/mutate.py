"""`diorama mutate`: what generated cheats, honest variants and probing policies earn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diorama.check.mutations import Trial
    from diorama.scenarios import Scenario


def mutate(
    names: Annotated[list[str] | None, typer.Argument(help="Names or patterns of scenarios. Default: all.")] = None,
    seeds: Annotated[int, typer.Option(help="On how many variants to play every mutation.", min=1)] = 8,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this mutation; may be given several times.", metavar="MUTATION")
    ] = None,
    grounded: Annotated[bool, typer.Option("--grounded", help="Also check that the oracle is grounded.")] = False,
    probes: Annotated[bool, typer.Option("--probes", help="Also fit and measure the probing policies.")] = False,
    fit: Annotated[int, typer.Option(help="On how many variants probing policies are fitted.", min=2)] = 300,
    test: Annotated[int, typer.Option(help="On how many other variants they are measured.", min=1)] = 60,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Play the oracles of scenarios in other ways; exit 1 if a scenario with plans judges one of them wrongly."""
    from diorama.check.mutations import MUTATIONS, is_planned, shut, table, trials
    from diorama.check.mutations.grounded import grounded as grounding
    from diorama.check.mutations.probes import probes as measured
    from diorama.cli.display import err, print_json
    from diorama.cli.errors import Misuse
    from diorama.cli.scenarios import chosen
    from diorama.runs.trials import variants_of

    known = {one.name for one in MUTATIONS}
    if unknown := [one for one in only or [] if one not in known]:
        raise Misuse(f"There is no mutation {unknown[0]!r}. There are: {', '.join(sorted(known))}.")
    found = chosen(names or [])
    played: list[Trial] = []
    groundings, policies = [], []
    with err().status("playing") as status:
        for one in found:

            def seen(trial: Trial, one: Scenario[Any] = one) -> None:
                status.update(f"{one.name} {trial.seed}: {trial.mutation}")

            played += trials(one, range(seeds), only or (), seen=seen)
            if grounded:
                for split, seed in variants_of(one.name, seeds, every_plan=True):
                    status.update(f"{one.name} {split} {seed}: grounded")
                    groundings.append(grounding(one, seed, split))
            if probes:
                status.update(f"{one.name}: probing policies, fitted on {fit} variants")
                policies += measured(one, fit, test)
    played = shut(played)
    planned = {one.name for one in found if is_planned(one)}
    wrong = [trial for trial in played if trial.wrong]
    policies_wrong: list[Any] = [one for one in policies if one.wrong and one.scenario in planned]
    ungrounded: list[Any] = [one for one in groundings if one.ungrounded and one.scenario in planned]
    failed = [
        *(trial.scenario for trial in wrong if trial.scenario in planned),
        *(one.scenario for one in (*ungrounded, *policies_wrong)),
    ]
    if json:
        document = {
            "seeds": seeds,
            "planned": sorted(planned),
            "passed": not failed,
            "mutations": table(played),
            "wrong": [{**_plain(one), "wrong": one.wrong} for one in (*wrong, *ungrounded, *policies_wrong)],
            "grounded": groundings,
            "probes": policies,
        }
        print_json(document)
    else:
        summary = _summary(wrong, ungrounded, policies_wrong, len(played))
        typer.echo("\n".join((*_lines(table(played), groundings, policies), *summary)))
    if failed:
        typer.echo(f"failed: {', '.join(dict.fromkeys(failed))}", err=True)
        raise typer.Exit(1)


def _plain(trial: Any) -> dict[str, Any]:
    import msgspec

    return dict(msgspec.to_builtins(trial))


def _lines(rows: list[Any], groundings: list[Any], policies: list[Any]) -> Iterator[str]:
    """Yield Markdown: one table of mutations, one of grounded oracles, one of policies."""
    scenarios = sorted({name for row in rows for name in row.cells})
    if rows:
        yield f"| mutation | must | {' | '.join(name.partition('/')[2] for name in scenarios)} |"
        yield f"| --- | --- | {' | '.join('---' for _ in scenarios)} |"
    for row in rows:
        must = "win" if row.side == "honest" else {"success": "fail", "quality": "cost"}.get(row.tier, "measured")
        yield f"| {row.mutation} | {must} | {' | '.join(_cell(row.cells.get(name)) for name in scenarios)} |"
    if groundings:
        yield from ("", "| scenario | grounded | first value that was never shown |", "| --- | --- | --- |")
        for name in dict.fromkeys(one.scenario for one in groundings):
            mine = [one for one in groundings if one.scenario == name]
            first = next((one.first for one in mine if one.first), None)
            told = f"{first.operation}: {first.value.argument} {first.value.text}" if first else ""
            yield f"| {name} | {sum(not one.ungrounded for one in mine)}/{len(mine)} | {told} |"
    if policies:
        yield from ("", "| scenario | policy | solved | at most | |", "| --- | --- | --- | --- | --- |")
        for one in policies:
            most = "" if one.limit is None else f"{one.limit:.0%}"
            mark = "**too many**" if one.wrong else ""
            yield f"| {one.scenario} | {one.policy} | {one.solved}/{one.n} | {most} | {mark} |"


LEGEND = (
    "A cell is how many of the played variants succeeded; - means that the mutation fits none, or the apps refuse it. "
    "must: fail = a cheat must not succeed; cost = it must earn less than the oracle; win = honest work must succeed; "
    "measured = nothing is required."
)


def _summary(wrong: list[Any], ungrounded: list[Any], policies: list[Any], played: int) -> Iterator[str]:
    """Yield what the table means, and what is wrong."""
    yield from ("", LEGEND, "")
    for trial in wrong:
        yield f"wrong: {trial.mutation} on {trial.scenario} {trial.seed} ({trial.plan}): {trial.wrong}"
    for one in ungrounded:
        yield f"wrong: the oracle of {one.scenario} on {one.split} {one.seed} ({one.plan}): {one.wrong}"
    for one in policies:
        yield f"wrong: on {one.scenario}, {one.wrong}"
    count = len(wrong) + len(ungrounded) + len(policies)
    yield f"{played} trials: {f'{count} wrong' if count else 'nothing wrong'}."


def _cell(cell: Any) -> str:
    """Return how many of the played ones succeeded; "-" if none was played."""
    return f"{cell.succeeded}/{cell.played}" if cell is not None and cell.played else "-"
