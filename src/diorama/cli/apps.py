"""`diorama apps`: what worlds are made of."""

from typing import Annotated, Any

import typer


def apps(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List every app of every world."""
    from rich.table import Table

    from diorama.cli.display import out, print_json
    from diorama.kit import App
    from diorama.worlds import companies

    found = {app.name: app for company in companies() for app in company.apps if isinstance(app, App)}
    where = {name: [c.name for c in companies() if any(app.name == name for app in c.apps)] for name in found}
    rows: list[dict[str, Any]] = [
        {
            "name": app.name,
            "title": app.title,
            "host": app.host,
            "api": app.product.api,
            "operations": len(app.product.operations),
            "tools": len(app.product.tools),
            "tables": len(app.product.tables),
            "worlds": where[app.name],
        }
        for app in sorted(found.values(), key=lambda app: app.name)
    ]
    if json:
        print_json(rows)
        return
    table = Table("app", "product", "api", "operations", "tools", "tables", "worlds", box=None, pad_edge=False)
    for row in rows:
        counts = [str(row[key]) for key in ("operations", "tools", "tables")]
        table.add_row(row["name"], row["title"], row["api"], *counts, ", ".join(row["worlds"]))
    out().print(table)
