"""Excuses: places where an app declares the spec wrong, with a reason; an unused excuse is an error."""

import tomllib
from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from diorama.contract.drift import Mismatch
from diorama.contract.report import Excused, Invalid
from diorama.contract.source import FILE, Unreadable
from diorama.contract.stage import folder_of

Entry = TypeVar("Entry", bound=Mismatch | Invalid)


class Excuse(Struct, frozen=True, forbid_unknown_fields=True):
    """The spec is wrong about one place of one operation; `where` is a pointer (`*` for any index) or a parameter."""

    operation: str
    because: str
    where: str = ""

    def covers(self, operation: str, where: str) -> bool:
        """Check whether this place, or a place inside it, is excused."""
        if operation != self.operation:
            return False
        parts, mine = where.split("/"), self.where.split("/")
        return len(parts) >= len(mine) and all(m in {"*", p} or p == "*" for m, p in zip(mine, parts, strict=False))


def excuses_of(app: str) -> list[Excuse]:
    """Return the excuses in the app's own folder."""
    file = folder_of(app) / FILE
    if not file.is_file():
        return []
    try:
        return msgspec.convert(tomllib.loads(file.read_text())["differs"], list[Excuse])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, KeyError) as error:
        raise Unreadable(str(file), f"not a list of [[differs]] with operation, where and because: {error}") from None


def split_excused(found: Sequence[Entry], excuses: Sequence[Excuse]) -> tuple[list[Entry], list[Excused]]:
    """Return the remaining errors, and the excused ones."""
    faults: list[Entry] = []
    excused: list[Excused] = []
    for entry in found:
        where = entry.where if isinstance(entry, Mismatch) else entry.pointer
        against_us = isinstance(entry, Invalid) and entry.against != "spec"
        reason = next((e for e in excuses if not against_us and e.covers(entry.operation, where)), None)
        if reason is None:
            faults.append(entry)
        else:
            excused.append(Excused(entry.operation, reason.where, entry.message, reason.because))
    return faults, excused


def unused_excuses(excuses: Sequence[Excuse], excused: Sequence[Excused]) -> list[Mismatch]:
    """Return the excuses that no longer excuse anything."""
    used = {(each.operation, each.where) for each in excused}
    message = f"{FILE} excuses this, but there is nothing to excuse"
    return [
        Mismatch(e.operation, "unused_excuse", e.where, message) for e in excuses if (e.operation, e.where) not in used
    ]
