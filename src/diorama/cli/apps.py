"""`diorama apps`: the products that worlds are made of."""

from typing import Annotated, Any

import typer


def apps(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List every app, the worlds that have it, and where it was found."""
    from rich.table import Table

    from diorama.cli.display import out, print_json
    from diorama.kit.discovery import apps as all_apps
    from diorama.kit.discovery import location
    from diorama.worlds import companies

    catalogue = all_apps()
    rows: list[dict[str, Any]] = []
    for name, found in catalogue.found.items():
        product = found.thing.product
        homes = {c.name: app for c in companies() for app in c.apps if app.product is product}
        rows.append(
            {
                "name": name,
                "title": product.title,
                "hosts": {world: app.hosts.get("", "") for world, app in homes.items()},
                "api": product.api,
                "operations": len(product.operations),
                "tools": len(product.tools),
                "tables": len(product.tables),
                "worlds": list(homes),
                "origin": found.place.origin,
                "where": location(found.place),
            }
        )
    if json:
        print_json({"apps": rows, "broken": catalogue.broken})
        return
    table = Table("app", "product", "api", "operations", "tools", "tables", "worlds", "from", box=None, pad_edge=False)
    for row in rows:
        counts = [str(row[key]) for key in ("operations", "tools", "tables")]
        worlds = ", ".join(row["worlds"]) or "none"
        table.add_row(row["name"], row["title"], row["api"], *counts, worlds, row["origin"])
    out().print(table)
