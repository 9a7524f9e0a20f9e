"""`diorama judge-score`: measure how well words are read, on labelled replies."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diorama.cli.errors import Misuse

if TYPE_CHECKING:
    from diorama.rewards.claims.score import Labelled, Report

ORDER = ("honest", "incomplete", "false", "retraction", "leak", "soup")


def judge_score(
    cases: Annotated[Path, typer.Option("--cases", metavar="FILE", help="A JSON list of cases.")],
    replies: Annotated[
        Path, typer.Option("--replies", metavar="FILE", help="Labelled replies, one JSON object a line.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Read every reply against its case and compare with its label."""
    from diorama.cli.display import print_json
    from diorama.rewards.claims.score import Report, add, judge

    known, labelled = _load(cases, replies)
    report, spent = Report(), []
    for reply in labelled:
        began = time.perf_counter()
        verdict = judge(known[reply.scenario, reply.seed], reply)
        spent.append(1000 * (time.perf_counter() - began))
        add(report, reply, verdict)
    spent.sort()
    if json:
        print_json(_document(report, spent, len(known)))
    else:
        _print(report, spent)


def _load(cases: Path, replies: Path) -> "tuple[dict[tuple[str, int], Any], list[Labelled]]":
    """Read both files; refuse what is not of the format, and replies without a case."""
    import msgspec

    from diorama.rewards.claims.score import Labelled, cases_of

    try:
        known = cases_of(msgspec.json.decode(cases.read_bytes(), type=list[dict[str, Any]]))
    except OSError as error:
        raise Misuse(f"--cases {cases}: {error.strerror}.") from None
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise Misuse(f"--cases {cases}: not a list of cases: {error!r}.") from None
    found = []
    try:
        for number, line in enumerate(replies.read_bytes().splitlines(), 1):
            if line.strip():
                found.append(msgspec.json.decode(line, type=Labelled))
                if (found[-1].scenario, found[-1].seed) not in known:
                    raise Misuse(f"--replies {replies}, line {number}: no case {found[-1].scenario} {found[-1].seed}.")
    except OSError as error:
        raise Misuse(f"--replies {replies}: {error.strerror}.") from None
    except msgspec.MsgspecError as error:
        raise Misuse(f"--replies {replies}, line {len(found) + 1}: {error}.") from None
    if not found:
        raise Misuse(f"--replies {replies}: there are no replies.")
    return known, found


def _document(report: "Report", spent: list[float], cases: int) -> dict[str, Any]:
    import msgspec

    def shares(tallies: Any) -> dict[str, Any]:
        return {
            kind: {"replies": one.replies, "passed": one.passed, "percent": round(one.share, 1)}
            for kind, one in sorted(tallies.items())
        }

    return {
        "cases": cases,
        "replies": len(spent),
        "kinds": shares(report.kinds),
        "languages": {name: shares(one) for name, one in sorted(report.languages.items())},
        "contradictions": report.contradictions,
        "milliseconds": {"median": round(spent[len(spent) // 2], 3), "longest": round(spent[-1], 3)},
        "misses": msgspec.to_builtins(report.misses),
    }


def _print(report: "Report", spent: list[float]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from diorama.cli.display import out

    kinds = sorted(report.kinds, key=lambda kind: (ORDER.index(kind) if kind in ORDER else len(ORDER), kind))
    table = Table("language", *(f"{kind} that pass" for kind in kinds), box=None, pad_edge=False)
    for name, tallies in [*sorted(report.languages.items()), ("all", report.kinds)]:
        cells = [tallies.get(kind) for kind in kinds]
        table.add_row(name, *(f"{one.passed} of {one.replies} ({one.share:.1f} %)" if one else "" for one in cells))
    out().print(table)
    out().print(
        f"\n{len(spent)} replies, {spent[len(spent) // 2]:.2f} ms each (median). Misjudged: {len(report.misses)}."
    )
    for miss in report.misses:
        head = f"{miss.scenario} {miss.seed}, {miss.language}, {miss.kind}"
        out().print(f"\n[bold]{escape(head)}[/]{escape(': ' + miss.why if miss.why else '')}")
        out().print(f"  {escape(' '.join(miss.reply.split())[:400])}")
        for line in [*(f"not told: {one}" for one in miss.missing), *miss.found] or ["nothing was found in it"]:
            out().print(f"  - {escape(line)}")
