"""The result of a check: the numbers, the four lists, and their display on a terminal."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from diorama.contract.drift import Mismatch
from diorama.contract.field_coverage import FieldCoverage

BAR = 20
Against = Literal["spec", "declared", "gateway"]


class Sample(Struct, frozen=True, omit_defaults=True):
    """One request that was sent, so that it can be repeated."""

    method: str
    path: str
    query: str = ""
    body: Any = None

    def __str__(self) -> str:
        query = f"?{self.query}" if self.query else ""
        body = f" {msgspec.json.encode(self.body).decode()}" if self.body is not None else ""
        return f"{self.method} {self.path}{query}{body}"


class Invalid(Struct, frozen=True):
    """One way in which real replies of an operation violate a schema."""

    operation: str
    status: int
    pointer: str
    message: str
    against: Against
    times: int
    sample: Sample


class Unsampled(Struct, frozen=True):
    """An operation without any successful reply, and why."""

    operation: str
    why: str


class Excused(Struct, frozen=True):
    """A difference that the app declares right, with its reason."""

    operation: str
    where: str
    message: str
    because: str


class Area(Struct, frozen=True):
    """How much of one resource area is served."""

    name: str
    served: int
    total: int


class Report(Struct, frozen=True, kw_only=True):
    """Everything that `diorama contract` found about one app."""

    app: str
    spec: str
    served: int
    total: int
    missing: list[str]
    extra: list[str]
    mismatched: list[Mismatch]
    invalid: list[Invalid]
    areas: list[Area]
    sampled: int
    replies: int
    unsampled: list[Unsampled]
    excused: list[Excused] = []
    unresolved_references: int = 0
    recordings: FieldCoverage | None = None

    @property
    def kept(self) -> bool:
        """Whether the served operations keep the contract; missing operations do not break it."""
        return not self.mismatched and not self.invalid and (self.recordings is None or self.recordings.enough)

    def json(self) -> bytes:
        """Return the report as one JSON document."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2)

    def show(self, console: Console, limit: int | None = 10) -> None:
        """Print the report; each list up to `limit` entries, or complete."""
        console.print(self._head())
        console.print(self._coverage(limit))
        console.print(_section("missing", self.missing, "dim", limit))
        console.print(_section("extra", self.extra, "cyan", limit))
        console.print(_section("mismatched", [_mismatch(each) for each in self.mismatched], "yellow", limit))
        console.print(_section("invalid", [_invalid(each) for each in self.invalid], "red", limit))
        if self.excused:
            told = [f"{e.operation} {e.where}: {e.message}; {e.because}" for e in self.excused]
            console.print(_section("excused", told, "dim", limit))
        if self.recordings is not None:
            _show_field_coverage(console, self.recordings, limit)
        console.print(_section("not sampled", [f"{u.operation}: {u.why}" for u in self.unsampled], "dim", limit))

    def _head(self) -> RenderableType:
        share = self.served / self.total if self.total else 0.0
        line = Text.assemble(
            (self.app, "bold"), f" serves {self.served} of {self.total} operations ({share:.1%}) of {self.spec}"
        )
        replies = f"{self.replies} real replies of {self.sampled} operations judged"
        verdict = ("contract kept", "bold green") if self.kept else ("contract broken", "bold red")
        if self.kept and not self.served:
            verdict = ("nothing of this spec is served", "bold yellow")
        lines = [
            line,
            Text.assemble(verdict, f": {len(self.mismatched)} mismatched, {len(self.invalid)} invalid; {replies}"),
        ]
        if self.unresolved_references:
            lines.append(
                Text(
                    f"{self.unresolved_references} references of the spec lead nowhere; anything is accepted there",
                    "dim",
                )
            )
        return Group(*lines)

    def _coverage(self, limit: int | None) -> RenderableType:
        table = Table("area", "served", "", box=None, pad_edge=False, header_style="dim")
        some = [area for area in self.areas if area.served]
        shown = self.areas if limit is None else some
        for area in shown:
            full = round(BAR * area.served / area.total)
            bar = Text.assemble(("█" * full, "green"), ("░" * (BAR - full), "bright_black"))
            table.add_row(area.name, f"{area.served}/{area.total}", bar)
        rest = len(self.areas) - len(shown)
        return Group(Text(), table, Text(f"and {rest} areas of which nothing is served", "dim") if rest else Text())


def _show_field_coverage(console: Console, coverage: FieldCoverage, limit: int | None) -> None:
    """Print the comparison with the vendor's recordings; the misses are always complete."""
    share = f"{coverage.present} of {coverage.paths} recorded key paths ({coverage.share:.1%}) have the same JSON type"
    where = f"{coverage.compared} of {coverage.exchanges} recorded exchanges are about served operations"
    console.print(Text.assemble(("recordings", "bold"), f" {share}; {where}"))
    lines = [f"{m.operation} {m.path}: recorded {m.recorded}, ours {m.ours} ({m.source})" for m in coverage.misses]
    console.print(_section("misses", lines, "yellow", None))
    if coverage.unserved:
        console.print(_section("recorded, not served", coverage.unserved, "dim", limit))


def _mismatch(each: Mismatch) -> str:
    where = f" {each.where}" if each.where else ""
    return f"{each.operation}: {each.kind}{where}: {each.message}"


def _invalid(each: Invalid) -> str:
    times = f" ({each.times} times)" if each.times > 1 else ""
    place = f"{each.operation} {each.status} {each.pointer or '/'}"
    return f"{place}: {each.message} [{each.against}]{times}\n      {each.sample}"


def _section(title: str, lines: Sequence[str], style: str, limit: int | None) -> RenderableType:
    shown = lines if limit is None else lines[:limit]
    rows = [Text(f"  {line}", style) for line in shown]
    if len(shown) < len(lines):
        rows.append(Text(f"  and {len(lines) - len(shown)} more (--all shows them)", "dim"))
    return Group(Text.assemble((title, "bold"), f" {len(lines)}"), *rows)
