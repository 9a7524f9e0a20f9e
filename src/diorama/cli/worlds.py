"""`diorama worlds`: the companies, and how large they come."""

from typing import Annotated

import typer


def worlds(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """List every company with its apps and sizes."""
    from rich.table import Table

    from diorama.cli.display import out, print_json
    from diorama.worlds import companies

    rows = [
        {
            "name": company.name,
            "title": company.title,
            "apps": [app.name for app in company.apps if not app.control],
            "sizes": company.sizes,
            "starts": company.start.isoformat(),
        }
        for company in companies()
    ]
    if json:
        print_json(rows)
        return
    table = Table("world", "company", "apps", "size", "", box=None, pad_edge=False)
    for company in companies():
        names = ", ".join(app.name for app in company.apps if not app.control)
        for number, (size, text) in enumerate(company.sizes.items()):
            shown = (company.name, company.title, names) if number == 0 else ("", "", "")
            table.add_row(*shown, size, str(text))
    out().print(table)
