"""What a company says in public: the values of its pages and catalogue, its web hosts, mail domains and goods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from diorama.apps.backoffice.schema import Plan, Policy, Product, Settings, Staff
from diorama.kernel import Record, Tx
from diorama.kernel.records import table_of
from diorama.rewards import View
from diorama.rewards.claims import Grounds, grounds_of
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.pieces import hosts_in
from diorama.scenarios.shop_part import has_shop

R = TypeVar("R")


REMEMBERED_CHARACTERS = 8_192
"""The length of rows whose values are kept: those of companies are shorter, but for a few pages."""


def _row_grounds(encoded: bytes) -> Grounds:
    return _kept_grounds(encoded) if len(encoded) <= REMEMBERED_CHARACTERS else grounds_of(msgspec.json.decode(encoded))


@lru_cache(maxsize=4096)
def _kept_grounds(encoded: bytes) -> Grounds:
    return grounds_of(msgspec.json.decode(encoded))


def _values_of(*records: Sequence[Record]) -> Grounds:
    """Return the values of records; those of each are kept, since companies differ in a few of them."""
    return _joined(_row_grounds(msgspec.json.encode(one)) for listed in records for one in listed)


@lru_cache(maxsize=1024)
def _page_grounds(number: int, title: str, body: str) -> Grounds:
    """Return the values of a page; its own number stands in the link to it."""
    return grounds_of({"text": body, "title": title}) | Grounds(records=frozenset({str(number)}))


@lru_cache(maxsize=64)
def cited_grounds(cited: tuple[str, ...]) -> Grounds:
    return grounds_of(cited)


def _joined(grounds: Iterable[Grounds]) -> Grounds:
    listed = list(grounds)
    names = Grounds.__struct_fields__
    return Grounds(*(frozenset[Any]().union(*(getattr(one, name) for one in listed)) for name in names))


class CompanyWords(msgspec.Struct, frozen=True):
    """What a company says in public: values of its pages and catalogue, its mail domains and goods."""

    grounds: Grounds
    domains: frozenset[str]
    machines: tuple[str, ...]
    parts: tuple[str, ...]
    products: tuple[str, ...]


class _Shelf(dict[Any, Any]):
    """What was computed for a key, for the latest few keys."""

    def of(self, key: Any, find: Callable[[], R]) -> R:
        """Return what belongs to a key; compute it if it is new."""
        if key not in self:
            while len(self) >= SHELF:
                del self[next(iter(self))]
            self[key] = find()
        found: R = self[key]
        return found


SHELF = 32
_OLDPAGES, _GOODS, _HOSTS = _Shelf(), _Shelf(), _Shelf()
NEWPAGES = 4
"""How many of the newest pages are read by themselves: staging may add some."""
PAGES = "zendesk_guide_translations"
_SMALL = tuple(table_of(record).name for record in (Plan, Policy, Settings, Staff))


def company_words(view: View) -> CompanyWords:
    """Return what the company says in public; read once for all episodes in which it is the same."""
    goods = goods_words(view)
    pages = view.kept("pages", (PAGES,), lambda: _pages(view))
    return view.once("company", lambda: msgspec.structs.replace(goods, grounds=goods.grounds | pages))


def goods_words(view: View) -> CompanyWords:
    """Return what the company says in public besides its pages."""
    return view.kept("goods", ("backoffice_products", *_SMALL, "zendesk_users"), lambda: _goods(view))


def _goods(view: View) -> CompanyWords:
    tx = view.tx
    if not has_shop(tx.company):
        return _GOODS.of((tx.company.name, *tx.rows(_COLLEAGUES)), lambda: _goods_words(tx))
    if "backoffice_products" in view.history.changed:
        return _goods_words(tx)  # the sums do not tell apart what was written in the same moment of two episodes
    sold = tx.rows("SELECT count(*), max(created_at), sum(price_cents) FROM backoffice_products")[0]
    key = (tx.company.name, *sold, *(tuple(tx.rows(f"SELECT * FROM {table}")) for table in _SMALL))
    return _GOODS.of(key, lambda: _goods_words(tx))


def hosts_of(view: View) -> frozenset[str]:
    """Return the web hosts of the company and of its pages; kept for other episodes while no page changes."""

    def find() -> frozenset[str]:
        named = {host for (body,) in view.tx.rows(f"SELECT body FROM {PAGES}") for host in hosts_in(body)}
        return frozenset(
            named | {host for app in view.tx.company.apps for host in app.hosts.values() if "{" not in host}
        )

    if PAGES in view.history.changed:
        return find()
    sums = view.tx.rows(f"SELECT count(*), max(id), sum(updated_at), sum(length(body)) FROM {PAGES}")[0]
    return _HOSTS.of((view.tx.company.name, *sums), find)


def _pages(view: View) -> Grounds:
    """Return the values of all pages; those of the older ones are kept for other episodes."""
    tx = view.tx
    newest = tx.rows(f"SELECT id, source_id, title, body FROM {PAGES} ORDER BY id DESC LIMIT {NEWPAGES}")
    last = newest[-1][0] if newest else 0
    if PAGES in view.history.changed:
        older = _old_pages(tx, last)
    else:
        sums = tx.rows(f"SELECT count(*), sum(updated_at) FROM {PAGES} WHERE id < ?", last)[0]
        older = _OLDPAGES.of((tx.company.name, last, *sums), lambda: _old_pages(tx, last))
    return _joined([older, *(_page_grounds(*page) for _, *page in newest)])


_COLLEAGUES = "SELECT email FROM zendesk_users WHERE role != 'end-user' ORDER BY id"


def _old_pages(tx: Tx, before: int) -> Grounds:
    pages = tx.rows(f"SELECT source_id, title, body FROM {PAGES} WHERE id < ?", before)
    return _joined(_page_grounds(*page) for page in pages)


def _goods_words(tx: Tx) -> CompanyWords:
    """Return what the company says besides its pages."""
    if not has_shop(tx.company):
        colleagues = [email or "" for (email,) in tx.rows(_COLLEAGUES)]
        domains = frozenset(fold(one).rpartition("@")[2] for one in colleagues if one)
        return CompanyWords(grounds_of(colleagues), domains, (), (), ())
    goods = tx.all(Product)
    staff = tx.all(Staff)
    kinds: dict[str, list[str]] = {}
    for one in goods:
        kinds.setdefault(one.kind, []).append(one.name)
    rest = [name for kind, names in kinds.items() if kind not in ("machine", "grinder", "part") for name in names]
    return CompanyWords(
        grounds=_values_of(goods, tx.all(Plan), tx.all(Policy), tx.all(Settings), staff),
        domains=frozenset(fold(one.email).rpartition("@")[2] for one in staff),
        machines=tuple(kinds.get("machine", []) + kinds.get("grinder", [])),
        parts=tuple(kinds.get("part", [])),
        products=tuple(rest),
    )  # fmt: skip
