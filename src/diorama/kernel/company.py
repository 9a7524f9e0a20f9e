"""Company: which apps a world has, how they are linked, and how its image is filled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from diorama.kernel import schema
from diorama.kernel.app import SYSTEM, App, Product, Subscription, Waker, Watcher
from diorama.kernel.records import Notice
from diorama.kernel.tx import Tx

MONDAY = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


class Company:
    """The declaration of a world: immutable, without state."""

    def __init__(
        self,
        name: str,
        apps: Sequence[App | Product],
        build: Callable[[Tx, str], None] | None = None,
        *,
        title: str = "",
        sizes: Mapping[str, str] | None = None,
        start: datetime = MONDAY,
    ) -> None:
        self.name = name
        self.title = title or name
        self.apps = _with_needed([app.install() if isinstance(app, Product) else app for app in apps])
        self.build = build
        self.sizes = dict(sizes or {"small": "as it is"})
        self.start = start
        self.system = SYSTEM.install()
        self.module: str = sys._getframe(1).f_globals.get("__name__", "")  # its code decides what an image contains
        self._apps = {app.name: app for app in (*self.apps, self.system)}
        self._listeners: dict[type[Notice], tuple[Subscription, ...]] = {}
        self._commands: dict[Callable[..., Any], tuple[str, str]] = {}
        if len(self._apps) != len(self.apps) + 1:
            raise ValueError(f"{name}: two apps of the same name")

    def extended(self, *apps: App | Product) -> Company:
        """Return the same company with further apps."""
        made = Company(
            self.name, [*self.apps, *apps], self.build, title=self.title, sizes=self.sizes, start=self.start
        )  # fmt: skip
        made.module = self.module
        return made

    def app(self, name: str) -> App:
        """Return the app of this name; raise LookupError if there is none."""
        try:
            return self._apps[name]
        except KeyError:
            known = ", ".join(app.name for app in self.apps)
            raise LookupError(f"{self.name} has no app {name!r}; it has {known}") from None

    def app_at(self, host: str) -> App | None:
        """Return the app that answers at a host name, or None."""
        return next((app for app in self.apps if app.answers_at(host)), None)

    def listeners(self, notice: type[Notice]) -> tuple[Subscription, ...]:
        """Return the subscriptions to a notice, in the order of the apps."""
        found = self._listeners.get(notice)
        if found is None:
            found = tuple(s for app in self.apps for s in app.product.subscriptions if s.notice is notice)
            self._listeners[notice] = found
        return found

    @cached_property
    def wakers(self) -> dict[type[Notice], tuple[Waker, ...]]:
        """The functions that say whom each notice wakes, in the order of the apps."""
        found: dict[type[Notice], tuple[Waker, ...]] = {}
        for app in self.apps:
            for notice, waker in app.product.wakers.items():
                found[notice] = (*found.get(notice, ()), waker)
        return found

    @cached_property
    def watchers(self) -> tuple[Watcher, ...]:
        """The handlers of changed rows, in the order of the apps."""
        return tuple(watcher for app in self.apps for watcher in app.product.watchers)

    @cached_property
    def watched(self) -> frozenset[str]:
        """The tables that have a watcher."""
        return frozenset(table for watcher in self.watchers for table in watcher.tables)

    def command_of(self, function: Callable[..., Any]) -> tuple[str, str]:
        """Return the app and the name under which a command was declared."""
        found = self._commands.get(function)
        if found is not None:
            return found
        for app in self.apps:
            name = app.product.command_name(function)
            if name is not None:
                found = self._commands[function] = app.name, name
                return found
        raise TypeError(f"{function!r} is not a command of {self.name}: declare it with @APP.command")

    @cached_property
    def ddl(self) -> list[str]:
        """The statements that create the schema."""
        return schema.ddl(self.apps)

    @cached_property
    def tracked(self) -> dict[str, tuple[str, ...]]:
        """The tables whose changes are recorded."""
        return schema.tracked(self.apps)


def _with_needed(apps: list[App]) -> list[App]:
    """Return the apps and, behind them, the products that they need and the company does not name."""
    out = list(apps)
    for app in out:  # grows while it is read: what is added may need others
        there = {one.name for one in out}
        out.extend(needed.install() for needed in app.product.needed if needed.name not in there)
    return out
