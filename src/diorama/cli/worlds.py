"""`diorama worlds`: list the companies and their sizes, inspect their data, and print sample tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from diorama.cli.errors import Misuse

if TYPE_CHECKING:
    from rich.table import Table

    from diorama.kernel import World

BAR = 24
SHOWN = 10
"""How many findings of a rule are printed."""


def worlds(
    world: Annotated[str | None, typer.Argument(help="One company, to look at its data.")] = None,
    profile: Annotated[bool, typer.Option("--profile", help="Print the distributions of its data.")] = False,
    threads: Annotated[int, typer.Option(min=0, help="Print N sampled tickets verbatim.")] = 0,
    policies: Annotated[
        bool, typer.Option("--policies", help="Print the pages of its Help Center: what it gives its customers.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Print contradictions between its tables, and what cannot have happened.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Which tickets are sampled.")] = 0,
    size: Annotated[str | None, typer.Option(help="Which size to look at. Default: the first that it has.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List every company with its apps and sizes, or inspect the data of one."""
    if check:
        _check(_opened(world, size), json)
    elif policies:
        _policies(_opened(world, size), json)
    elif profile or threads:
        _look(_opened(world, size), profile, threads, seed, json)
    else:
        _list(world, size, json)


def _opened(name: str | None, size: str | None) -> World:
    from diorama.worlds import company_of, open_world

    if name is None:
        raise Misuse("name a world, as in: diorama worlds larkspur --profile")
    try:
        company = company_of(name)
        if "zendesk" not in {one.name for one in company.apps}:
            raise Misuse(f"{name} has no zendesk: this option reads a help desk.")
        return open_world(company, size or next(iter(company.sizes)))
    except LookupError as error:
        raise Misuse(str(error)) from None


def _look(world: World, profile: bool, threads: int, seed: int, json: bool) -> None:
    from diorama.cli.display import out, print_json
    from diorama.worlds.profile import profile as measured
    from diorama.worlds.threads import as_text
    from diorama.worlds.threads import threads as sampled

    found = measured(world) if profile else None
    read = sampled(world, threads, seed) if threads else []
    if json:
        print_json({"profile": found, "threads": read} if found and read else found or read)
        return
    if found is not None:
        out().print(_table(found))
    if threads:
        typer.echo(as_text(read) if read else f"{world.company.name} has no tickets.\n", nl=False)


def _policies(world: World, json: bool) -> None:
    from diorama.cli.display import print_json
    from diorama.worlds.policies import as_text, policies

    found = policies(world)
    if json:
        print_json({"world": world.company.name, "policies": found})
    else:
        typer.echo(as_text(found) if found else f"{world.company.name} has no pages.")


def _check(world: World, json: bool) -> None:
    from diorama.cli.display import print_json
    from diorama.worlds.coherence import RULES, contradictions, rows_read
    from diorama.worlds.plausibility import check_history

    found, rows, checked = contradictions(world), rows_read(world), check_history(world)
    wrong = sum(len(one.findings) for one in checked)
    if json:
        told = {"rules": RULES, "rows": rows, "contradictions": found, "plausibility": checked}
        print_json({"world": world.company.name, **told})
    else:
        for line in found:
            typer.echo(line)
        read = ", ".join(f"{count:,} {name}" for name, count in rows.items())
        typer.echo(f"{len(RULES)} rules over {read}: {len(found) or 'no'} contradictions.")
        for one in checked:
            typer.echo(f"{one.checks:9,} checks {len(one.findings) or 'no':>6} findings  {one.name}: {one.says}")
            for line in one.findings[:SHOWN]:
                typer.echo(f"          {line}")
            if len(one.findings) > SHOWN:
                typer.echo(f"          and {len(one.findings) - SHOWN} more (--json prints all)")
        checks = sum(one.checks for one in checked)
        typer.echo(f"{len(checked)} rules of plausibility made {checks:,} checks: {wrong or 'no'} findings.")
    if found or wrong:
        raise typer.Exit(1)


def _list(name: str | None, size: str | None, json: bool) -> None:
    from rich.table import Table

    from diorama.cli.display import out, print_json
    from diorama.kit.discovery import location
    from diorama.worlds import catalogue, company_of

    try:
        shown = {name: catalogue().found[company_of(name).name]} if name else catalogue().found
    except LookupError as error:
        raise Misuse(str(error)) from None
    if size is not None:
        known = dict.fromkeys(one for found in shown.values() for one in found.thing.sizes)
        if size not in known:
            raise Misuse(f"{name or 'worlds'} come{'s' if name else ''} in {', '.join(known)}, not in {size!r}")
        shown = {world: found for world, found in shown.items() if size in found.thing.sizes}
    if json:
        rows = [
            {
                "name": world,
                "title": found.thing.title,
                "apps": [app.name for app in found.thing.apps if not app.product.control],
                "sizes": found.thing.sizes,
                "starts": found.thing.start.isoformat(),
                "origin": found.place.origin,
                "where": location(found.place),
            }
            for world, found in shown.items()
        ]
        print_json({"worlds": rows, "broken": catalogue().broken})
        return
    table = Table("world", "company", "apps", "size", "", "from", box=None, pad_edge=False)
    for world, found in shown.items():
        names = ", ".join(app.name for app in found.thing.apps if not app.product.control)
        wanted = {one: text for one, text in found.thing.sizes.items() if size in (None, one)}
        for number, (one, text) in enumerate(wanted.items()):
            first = (world, found.thing.title, names) if number == 0 else ("", "", "")
            table.add_row(*first, one, str(text), found.place.origin if number == 0 else "")
    out().print(table)


def _table(found: Any) -> Table:
    from rich.table import Table

    table = Table("figure", "value", "", box=None, pad_edge=False)
    table.columns[1].justify = "right"

    def rows(title: str, values: dict[str, float], shares: bool) -> None:
        table.add_row(title, style="bold")
        most = max(values.values(), default=0.0) or 1.0
        for name, value in values.items():
            shown = f"{100 * value:.1f} %" if shares else f"{value:,.4g}"
            table.add_row(f"  {name}", shown, "█" * round(BAR * value / most) or "▏")

    table.add_row("tickets", f"{found.tickets:,}")
    table.add_row("comments", f"{found.comments:,}")
    table.add_row("users", f"{found.users:,}")
    rows("status", {name: count / max(1, found.tickets) for name, count in found.statuses.items()}, True)
    rows("language of tickets", found.languages, True)
    rows("missing", found.missing, True)
    rows("first reply, hours", found.first_reply_hours, False)
    rows("between two messages, hours", found.reply_gap_hours, False)
    rows("weekday", dict(zip(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), found.weekdays, strict=True)), True)
    rows(
        "of tickets",
        {
            "sent twice": found.duplicate_rate,
            "merged into another": found.merged_rate,
            "linked to a problem": found.incident_rate,
            "reopened": found.reopened_rate,
            "reopened twice": found.reopened_twice_rate,
            "first message not ASCII": found.unicode_share,
            "first message unlike any other": found.distinct_first_messages,
        },
        True,
    )
    rows(
        "of comments",
        {"quote what came before": found.quoted_share, "files": found.attachment_share, "HTML": found.html_share},
        True,
    )
    rows("signs of life", found.features, True)
    table.add_row("people with several addresses", f"{100 * found.several_addresses:.1f} %")
    table.add_row("rated good", f"{100 * found.rated_good:.1f} %")
    table.add_row("targets missed (tickets)", f"{100 * found.breached_rate:.1f} %")
    table.add_row("words mistyped", f"{100 * found.typo_rate:.2f} %")
    table.add_row("entropy of words", f"{found.entropy_bits:.2f} bits")
    table.add_row("sentences that 1 % of tickets share", f"{100 * found.repeated_sentences:.1f} %")
    table.add_row("different first messages of 200", str(found.distinct_of_200))
    table.add_row("mails held back", str(found.suspended))
    table.add_row("different words in 10,000", f"{100 * found.type_token_ratio:.1f} %")
    table.add_row("topics fall off with slope", f"{found.topic_slope:.2f}")
    table.add_row("busiest day over the median day", f"{found.burstiness:.1f} x")
    return table
