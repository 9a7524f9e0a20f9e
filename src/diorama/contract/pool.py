"""A pool of real values of a world by what they name, for meaningful requests."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from diorama.kernel import Dice, Tx, World
from diorama.kernel.records import Table
from diorama.kit import App

ENDS = 25
EACH = 6
ROWS_KEPT = 60
WORD = re.compile(r"[A-Za-z]{4,}")
ID = re.compile(r"(?:_ids?|Ids?|_keys?|_id_or_key|IdOrKey)$")
PLURALS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("uses", "us"),
    ("xes", "x"),
    ("ches", "ch"),
    ("ss", "ss"),
    ("us", "us"),
    ("s", ""),
)


@lru_cache(maxsize=10_000)
def noun(name: str) -> str:
    """Return the noun of a name: `ticket_ids`, `tickets` and `ticketId` all give `ticket`."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", ID.sub("", name)).lower().replace("-", "_").replace(".", "_")
    for ending, singular in PLURALS:
        if plain.endswith(ending):
            return plain.removesuffix(ending) + singular
    return plain


class Pool:
    """Known values by noun (ids) and by field name (everything else), in the order they were found."""

    def __init__(self) -> None:
        self.ids: dict[str, dict[Any, None]] = {}
        self.fields: dict[str, dict[Any, None]] = {}
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.words: list[str] = []

    def learn(self, about: str, row: Mapping[str, Any]) -> None:
        """Index one row or reply object."""
        for field, value in row.items():
            if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
                if field == "id":
                    _keep(self.ids, noun(about), value)
                elif ID.search(field) and value != 0:
                    _keep(self.ids, noun(field), value)
                else:
                    _keep(self.fields, field.lower(), value)

    def harvest(self, reply: Any, about: str = "") -> None:
        """Index all objects in a reply under the key or path word that contains them."""
        if isinstance(reply, list):
            for item in reply[:ROWS_KEPT]:
                self.harvest(item, about)
        elif isinstance(reply, Mapping):
            self.learn(about, reply)
            for name, value in reply.items():
                if isinstance(value, list | Mapping):
                    self.harvest(value, about if name in {"data", "items", "values", "results"} else name)

    def remember(self, reply: Any, about: str) -> None:
        """Keep a reply about one object as a row, with the values nested in it."""
        if isinstance(reply, Mapping) and len(reply) == 1:
            about, reply = next(iter(reply.items()))
        if isinstance(reply, Mapping):
            lists = [value for value in reply.values() if isinstance(value, list)]
            for item in [reply] if "id" in reply or not lists else lists[0][:ENDS]:
                if isinstance(item, Mapping):
                    own = {f"{noun(about)}_id": item["id"]} if "id" in item else {}
                    self._row(f"reply {noun(about)}", own, _flat(item))

    def record(self, about: str, row: Mapping[str, Any]) -> None:
        """Keep and index a table row."""
        self.harvest(row, about)
        self._row(about, {f"{noun(about)}_id": row["id"]}, _flat(row, nested=False))

    def named(self, name: str, about: str = "") -> list[Any]:
        """Return values that fit a parameter or property of this name; `about` is the resource around it."""
        if name in {"id", "ids", "key"} and about:
            return list(self.ids.get(noun(about), ()))
        ids, plain = list(self.ids.get(noun(name), ())), list(self.fields.get(name.lower(), ()))
        return ids or plain if ID.search(name) else plain or ids

    def with_all(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return the rows that have all of these names."""
        wanted = set(names)
        return [row for rows in self.rows.values() for row in rows if wanted <= row.keys()]

    def coherent(self, names: Iterable[str], needed: Iterable[str], dice: Dice) -> dict[str, Any]:
        """Return values for several properties from one row, so that they are consistent."""
        wanted, must = set(names), set(needed)
        weights: dict[str, float] = {}
        for about, rows in self.rows.items():
            known = wanted & rows[0].keys()
            if any(ID.search(name) for name in known):
                weights[about] = 4.0 ** len(known & must) * len(known)
        if not weights:
            return {}
        row = dice.pick(self.rows[dice.weighted(weights)])
        return {name: value for name, value in row.items() if name in wanted}

    def _row(self, about: str, own: dict[str, Any], flat: dict[str, Any]) -> None:
        rows = self.rows.setdefault(about, [])
        if len(rows) < ROWS_KEPT:
            rows.append(flat | own)

    def last_part(self, name: str) -> list[Any]:
        """Return ids for a name by its ending: `original_ticket_id` gives ticket ids."""
        parts = noun(name).split("_")
        for start in range(1, len(parts)):
            if found := self.ids.get("_".join(parts[start:])):
                return list(found)
        return []


def fill(world: World, app: App, dice: Dice) -> Pool:
    """Build the pool of an app: some rows of each of its tables, and words that its search will find."""
    pool = Pool()
    for table in app.product.tables:
        rows = world.read(_some, table)
        for row in dice.child("rows", table.name).sample(rows, ROWS_KEPT):
            plain = msgspec.to_builtins(row)
            pool.record(table.name.removeprefix(f"{app.name}_"), plain)
            for field in table.search:
                pool.words += WORD.findall(str(plain.get(field) or ""))[:1]
    return pool


def people(world: World, app: App) -> list[str]:
    """Return the people that the app names, most permissions first.

    An app that names none: one address per role in its tables, rarest role first, which usually has most permissions.
    """
    if app.product.account_holders is not None:
        return world.read(app.product.account_holders)
    roles: dict[tuple[str, str], list[str]] = {}
    for table in app.product.tables:
        if "email" not in table.names or "role" not in table.names:
            continue
        for row in world.read(_all, table.record):
            if row.email and getattr(row, "active", True) and not getattr(row, "suspended", False):
                roles.setdefault((table.name, str(row.role)), []).append(row.email)
    return [emails[0] for emails in sorted(roles.values(), key=len)]


def _some(tx: Tx, table: Table) -> list[Any]:
    """Return rows from both ends of a table, and some of every status."""
    found = tx.all(table.record, order="id", limit=ENDS) + tx.all(table.record, order="id DESC", limit=ENDS)
    for column in [name for name in ("status", "state", "type", "kind") if name in table.names]:
        for (value,) in tx.rows(f'SELECT DISTINCT "{column}" FROM {table.name} ORDER BY 1 LIMIT 12'):
            found += tx.all(table.record, f'"{column}" = ?', value, order="id DESC", limit=EACH)
    return list({row.id: row for row in found}.values())


def _all(tx: Tx, record: Any) -> list[Any]:
    return tx.all(record, order="id")


def _flat(row: Mapping[str, Any], nested: bool = True) -> dict[str, Any]:
    """Return the scalar values of a row by name; of nested objects, the first one of each name."""
    out = {name: value for name, value in row.items() if isinstance(value, str | int | float) and value != ""}
    for value in row.values() if nested else ():
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, Mapping):
            out = {name: inner for name, inner in _flat(first).items() if name != "id"} | out
    return out


def _keep(shelf: dict[str, dict[Any, None]], name: str, value: Any) -> None:
    kept = shelf.setdefault(name, {})
    if len(kept) < ROWS_KEPT:
        kept.setdefault(value)


def unique(values: Iterable[Any]) -> list[Any]:
    """Return the values without duplicates, in order."""
    return list({repr(value): value for value in values}.values())
