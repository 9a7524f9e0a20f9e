"""The chronicle of a company: what happened, who knew it, and the rows of each app that tell it.

Happenings come first. Each app has tellers that write its rows from them, and every row that tells a happening has a
reference back. Both tables are on the control plane: no app and no agent can read them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from diorama.kernel import Product, Record, Tx, World, counter, table_of

CHRONICLE = Product("chronicle", title="Chronicle", control=True)


class Known(msgspec.Struct, frozen=True, array_like=True):
    """Who learned of a happening, when, and how: by doing it, by a parcel, a mail, a ticket or a record."""

    who: str
    when: datetime
    how: str


@CHRONICLE.record("happenings", ids=counter(1))
class Happening(Record):
    """Something that happened in a company."""

    at: datetime
    kind: str
    """A verb in the past tense: ordered, delivered, refunded, promised, wrote."""
    people: tuple[str, ...]
    """The addresses of those who took part, the one who acted first."""
    subject: str
    """What it is about: the number of an order, the id of a subscription, the name of an outage."""
    cause: int = 0
    """The happening that it follows from; 0 if there is none."""
    facts: dict[str, str] = {}
    learned: tuple[Known, ...] = ()
    """Who learned of it from others."""

    @property
    def known(self) -> tuple[Known, ...]:
        """Everyone who knows of it: the one who acted first, at once."""
        return (*(Known(one, self.at, "did") for one in self.people[:1]), *self.learned)


@CHRONICLE.record("tellings")
class Telling(Record):
    """A row of an app that tells what happened; its id names the table and the row."""

    id: str = ""
    happening_ids: tuple[int, ...]


def telling_id(table: str, row: int | str) -> str:
    """Return the id of the telling of a row."""
    return f"{table} {row}"


class Chronicle:
    """The chronicle while a company's history is being written; `save` stores it once."""

    def __init__(self) -> None:
        self.happenings: dict[int, Happening] = {}
        self.tellings: dict[str, list[int]] = {}
        self._about: dict[str, list[int]] = {}

    def add(
        self,
        kind: str,
        at: datetime,
        people: Iterable[str],
        subject: str,
        *,
        cause: Happening | None = None,
        learned: Iterable[Known] = (),
        **facts: str,
    ) -> Happening:
        """Add what happened; empty facts are left out."""
        took_part = tuple(dict.fromkeys(one for one in people if one))
        made = Happening(
            id=len(self.happenings) + 1,
            at=at,
            kind=kind,
            people=took_part,
            subject=subject,
            cause=cause.id if cause is not None else 0,
            facts={name: value for name, value in facts.items() if value},
            learned=tuple(learned),
        )
        self.happenings[made.id] = made
        self._about.setdefault(subject, []).append(made.id)
        return made

    def learn(self, happening: Happening, who: str, when: datetime, how: str) -> None:
        """Note that a person learned of a happening; what they knew already stays as it is."""
        now = self.happenings[happening.id]
        if who and all(one.who != who for one in now.known):
            self.happenings[now.id] = msgspec.structs.replace(now, learned=(*now.learned, Known(who, when, how)))

    def told(self, happening: Happening, *rows: Record | None) -> None:
        """Note that rows tell a happening."""
        for row in rows:
            if row is not None:
                self.told_in(happening, table_of(type(row)).name, row.id)

    def told_in(self, happening: Happening, table: str, row: int | str) -> None:
        """Note that a row of a table tells a happening."""
        self.tellings.setdefault(telling_id(table, row), []).append(happening.id)

    def latest(self, subject: str, before: datetime) -> Happening | None:
        """Return the last happening about a subject before a moment, or None."""
        found = [self.happenings[one] for one in self._about.get(subject, ())]
        return max((one for one in found if one.at <= before), key=lambda one: (one.at, one.id), default=None)

    def save(self, tx: Tx) -> None:
        """Store the chronicle."""
        for happening in self.happenings.values():
            tx.add(happening)
        for name in sorted(self.tellings):
            tx.add(Telling(id=name, happening_ids=tuple(self.tellings[name])))


# --- read it, on the control plane


def happenings(world: World, kind: str = "") -> list[Happening]:
    """Return what happened, in order; with a kind only what is of that kind."""
    where = ("kind = ?", kind) if kind else ()
    return world.read(lambda tx: tx.all(Happening, *where, order="at, id"))


def told_by(world: World, table: str, row: int | str) -> list[Happening]:
    """Return the happenings that a row of an app tells."""

    def read(tx: Tx) -> list[Happening]:
        telling = tx.find(Telling, telling_id(table, row))
        return [tx.get(Happening, one) for one in telling.happening_ids] if telling is not None else []

    return world.read(read)
