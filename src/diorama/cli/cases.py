"""`diorama cases`: write cases for `diorama judge-score` from staged variants."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.errors import Misuse, writable
from diorama.cli.run import Split


def cases(
    names: Annotated[list[str] | None, typer.Argument(help="Names or patterns of scenarios. Default: all.")] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write the JSON list.")] = Path(
        "cases.json"
    ),
    plans: Annotated[int, typer.Option("--plans", min=1, max=100, help="How many plans of each scenario.")] = 4,
    split: Annotated[
        Split, typer.Option("--split", help="Training variants, held-out people, or plans of their own.")
    ] = Split.train,
) -> None:
    """Stage a variant of several plans of each scenario, let the oracle work, and write what replies are read against.

    Scenarios whose words are not read (they are not written as plans) are left out.
    """
    import msgspec

    from diorama.cli.display import out as console
    from diorama.cli.scenarios import chosen
    from diorama.runs.cases import is_readable, make_cases

    found = [one for one in chosen(names or []) if is_readable(one)]
    if not found:
        raise Misuse("None of these scenarios reads words against a case.")
    without = [one.name for one in found if split.value not in one.splits]
    if without:
        raise Misuse(f"{without[0]} has no variants in the split {split.value}. Choose another --split.")
    writable(out)
    made = list(make_cases(found, plans, split.value))
    try:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1))
    except OSError as error:
        raise Misuse(f"--out {out}: {error.strerror}.") from None
    console().print(f"{len(made)} cases of {len(found)} scenarios: {out}")
