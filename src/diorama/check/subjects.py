"""The app under test: installed for a company, in a world with data, with people who may use it."""

from __future__ import annotations

import tomllib
from functools import cache, cached_property
from typing import Any

from diorama.check.declaring import short
from diorama.check.fuzz import Fuzz
from diorama.check.placeholders import shows_placeholder
from diorama.contract.pool import people
from diorama.contract.source import FILE
from diorama.contract.stage import find_app, folder_of
from diorama.episodes.seats import kinds_at
from diorama.kernel import Actor, Defect, Dice, Reply, Request, World
from diorama.kernel.location import described
from diorama.kernel.testing import fresh
from diorama.kit import App
from diorama.kit.discovery import AppPackage, apps
from diorama.scenarios import Scenario, load_all
from diorama.worlds import companies, open_world

BROKEN = 599
STRANGER = "nobody@example.com"
"""A person unknown to every app; checks act as this one if neither a scenario nor the product names a person."""


class AppSubject:
    """One app under check."""

    def __init__(self, package: AppPackage) -> None:
        self.package = package
        self.product = package.product
        self.name = package.product.name
        self.folder = package.folder

    @cached_property
    def scenario(self) -> Scenario[Any] | None:
        """The first scenario that uses the app, or None."""
        return next((one for one in load_all().values() if self.name in one.apps and self._same(one.world)), None)

    def _same(self, world: str) -> bool:
        return any(c.name == world and any(a.product is self.product for a in c.apps) for c in companies())

    @cached_property
    def world(self) -> World:
        """A world in which the app has data; an empty one if no company uses it."""
        if self.scenario is not None:
            return open_world(self.scenario.world, self.scenario.size, 0)
        for company in companies():
            if any(app.product is self.product for app in company.apps):
                return open_world(company.name, next(iter(company.sizes)), 0)
        return fresh([find_app(self.name)])

    @cached_property
    def app(self) -> App:
        """The app as the world's company has it."""
        found = self.world.company.app(self.name)
        if not isinstance(found, App):
            raise TypeError(f"{self.name} has no API that could be checked")
        return found

    @cached_property
    def actor(self) -> Actor:
        """The agent of a scenario with the credential of its tools; without a scenario, the first account holder."""
        if self.scenario is not None:
            return Actor("agent", self.scenario.person, self.kinds[0])
        return Actor("agent", next(iter(people(self.world, self.app)), STRANGER), self.kinds[0])

    @cached_property
    def holders(self) -> list[str]:
        """The agent of a scenario, and then everyone else who has an account, as the product names them."""
        return list(dict.fromkeys([self.actor.name, *people(self.world, self.app)]))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of credentials that the agent holds at the app; without a scenario, all of them."""
        held = kinds_at(self.scenario, self.app) if self.scenario is not None else ()
        return held or tuple(self.product.credential_kinds) or ("",)

    @cached_property
    def actors(self) -> list[Actor]:
        """The people with the most rights whom the app tells apart, with each kind of credential."""
        known = people(self.world, self.app)[:2] or [self.actor.name]
        return [Actor("agent", person, kind) for kind in self.kinds for person in known]

    @cached_property
    def fuzz(self) -> Fuzz:
        """A source of requests about what is in the world; each check draws from it with dice of its own."""
        return Fuzz(self.app, self.world, Dice(self.name))

    @cached_property
    def acting_reads(self) -> frozenset[str]:
        """The GET paths by which the vendor acts, as the app's contract.toml says."""
        file = folder_of(self.name) / FILE
        return frozenset(tomllib.loads(file.read_text()).get("acting_reads", []) if file.is_file() else [])

    def send(self, request: Request, world: World | None = None, actor: Actor | None = None) -> Reply:
        """Send one request, on a fork unless a world is given.

        A defect, or a reply that shows the placeholder of a host name, becomes a reply with status 599 that says why.
        """
        try:
            reply = (world or self.world.fork()).send(self.name, request, actor or self.actor)
        except Defect as defect:
            return Reply(BROKEN, {}, described(defect.__cause__ or defect).encode())
        if shows_placeholder((reply.headers, reply.body)):
            return Reply(BROKEN, {}, b"the reply shows the placeholder of a host: " + reply.body)
        return reply


@cache
def app_subject(name: str) -> AppSubject:
    """Return the app of this name, ready to be checked; everything about it is found out once per process."""
    return AppSubject(apps().find(name))


def told(request: Request) -> str:
    """Return a request as one line."""
    query = f"?{request.query}" if request.query else ""
    body = f" {request.body[:200]!r}" if request.body else ""
    return f"{request.method} {request.path}{query}{body}"


def answer(reply: Reply) -> str:
    """Return what came back as one line: what broke, or the status and the text."""
    return reply.text if reply.status == BROKEN else f"{reply.status} {short(reply.text)}"
