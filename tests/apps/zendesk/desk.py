"""A small desk for tests: two agents, two customers, the standard configuration, and an API client."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec

from diorama.apps import zendesk
from diorama.apps.zendesk import rules, seed
from diorama.apps.zendesk.schema import Audit, Comment, Group, RequesterNotified, Ticket, User
from diorama.kernel import Actor, Company, Product, Reply, Request, Tx, World
from diorama.kernel.testing import image_for

ANA, BEN, MARA, OLEG = "ana@larkspur.example", "ben@larkspur.example", "mara@example.com", "oleg@example.org"
ADA = "ada@larkspur.example"

APP = zendesk.app("larkspur")
T = TypeVar("T")


def furnish(tx: Tx, size: str) -> None:
    """Set up a new account with users."""
    seed.set_up(
        tx,
        "Larkspur",
        plan="suite_enterprise",
        time_zone="Berlin",
        currency="EUR",
        locale="en-US",
        languages=("de", "fr", "es", "it", "nl"),
        help_center_languages=("de", "es", "fr", "nl"),
    )
    rules.add_group(tx, name="Billing")
    rules.add_user(tx, name="Ada King", email=ADA, role="admin")
    rules.add_user(tx, name="Ana Ruiz", email=ANA, role="agent")
    rules.add_user(tx, name="Ben Ito", email=BEN, role="agent")
    roasters = rules.add_organization(tx, name="Roasters United", domain_names=("example.org",), tags=("wholesale",))
    rules.add_user(tx, name="Mara Voss", email=MARA)
    rules.add_user(tx, name="Oleg Petrov", email=OLEG, organization_id=roasters.id, tags=("vip",))


COMPANY = Company("zendesk-tests", [APP], furnish)


class Desk:
    """One world with a desk, and short methods for common test actions."""

    def __init__(self, seed: int = 0, company: Company = COMPANY) -> None:
        self.world = World.open(company, image_for(company), seed)

    # --- requests over the API

    def call(
        self, method: str, path: str, body: Any = None, by: str = ADA, raw: dict[str, Any] | None = None, **query: Any
    ) -> Reply:
        """Send one request to a path below /api/v2/; `raw` holds parameters that are not Python identifiers."""
        text = urlencode({**query, **(raw or {})})
        data = b"" if body is None else msgspec.json.encode(body)
        headers = {"content-type": "application/json"} if body is not None else {}
        kind = "persona" if by.endswith((".com", ".org")) else "agent"
        return self.send(Request(method, f"/api/v2/{path}", text, headers, data), Actor(kind, by))

    def send(self, request: Request, actor: Actor) -> Reply:
        """Send a request unchanged."""
        return self.world.send("zendesk", request, actor)

    def ask_at_once(
        self, path: str, query: dict[str, Any] | None = None, by: str = ADA, method: str = "", body: Any = None
    ) -> Reply:
        """Send a request that takes no time, like a concurrent one."""
        data = b"" if body is None else msgspec.json.encode(body)
        request = Request(method or ("POST" if data else "GET"), path, urlencode(query or {}), {}, data)
        return self.world.send("zendesk", request, Actor("agent", by), turn=False)

    def get(self, path: str, by: str = ADA, raw: dict[str, Any] | None = None, **query: Any) -> Any:
        """Send a GET that must succeed, and return its body."""
        return self._good(self.call("GET", path, None, by, raw, **query))

    def put(self, path: str, body: Any = None, by: str = ADA, **query: Any) -> Any:
        """Send a PUT that must succeed, and return its body."""
        return self._good(self.call("PUT", path, body, by, **query))

    def post(self, path: str, body: Any, by: str = ADA, **query: Any) -> Any:
        """Send a POST that must succeed, and return its body."""
        return self._good(self.call("POST", path, body, by, **query))

    def delete(self, path: str, by: str = ADA, **query: Any) -> Reply:
        """Send a DELETE that must succeed."""
        reply = self.call("DELETE", path, None, by, **query)
        assert reply.status in (200, 204), reply.text
        return reply

    @staticmethod
    def _good(reply: Reply) -> Any:
        assert reply.status in (200, 201), f"{reply.status} {reply.text}"
        return reply.json()

    # --- actions

    def asks(self, subject: str = "It leaks", body: str = "My machine leaks.", by: str = MARA) -> int:
        """Send a customer's mail, and return the number of the new ticket."""
        return self.world.do(rules.receive_mail, Actor("persona", by), by, subject, body)

    def writes(self, ticket: int, body: str, by: str = MARA) -> int:
        """Send a customer's reply by mail."""
        return self.world.do(rules.receive_mail, Actor("persona", by), by, "Re:", body, ticket)

    def updates(self, ticket: int, by: str = ANA, **fields: Any) -> Any:
        """Update a ticket as an agent."""
        return self.put(f"tickets/{ticket}.json", {"ticket": fields}, by)

    def replies(self, ticket: int, body: str, by: str = ANA, public: bool = True, **fields: Any) -> Any:
        """Comment on a ticket as an agent."""
        return self.updates(ticket, by, comment={"body": body, "public": public}, **fields)

    def waits(self, **delay: float) -> None:
        """Let time pass."""
        self.world.wait(timedelta(**delay))

    # --- state

    def read(self, function: Callable[..., T], *args: Any) -> T:
        """Read from the state without changing it."""
        return self.world.read(function, *args)

    def do(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        """Run one staging step."""
        return self.world.do(function, Actor("staff", "stage"), *args, **named)

    def ticket(self, number: int) -> Ticket:
        """Return the stored ticket."""
        found: Ticket = self.read(lambda tx: tx.get(Ticket, number))
        return found

    def comments(self, ticket: int) -> list[Comment]:
        """Return a ticket's comments."""
        return self.read(lambda tx: tx.all(Comment, "ticket_id = ?", ticket))

    def audits(self, ticket: int) -> list[Audit]:
        """Return a ticket's audits."""
        return self.read(lambda tx: tx.all(Audit, "ticket_id = ?", ticket))

    def user(self, email: str) -> User:
        """Return the user with this address."""
        found: User | None = self.read(lambda tx: tx.first(User, "email = ?", email))
        assert found is not None, email
        return found

    def group(self, name: str) -> Group:
        """Return the group with this name."""
        found: Group | None = self.read(lambda tx: tx.first(Group, "name = ?", name))
        assert found is not None, name
        return found

    def announced(self) -> list[str]:
        """Return the notices of the newest event."""
        return list(self.world.events[-1].notices)


def listened() -> tuple[Desk, list[RequesterNotified]]:
    """Return a desk, and the list that collects its outgoing mail."""
    heard: list[RequesterNotified] = []
    ears = Product("ears")

    @ears.on(RequesterNotified)
    def listen(tx: Tx, notice: RequesterNotified) -> None:
        heard.append(notice)

    company = Company("zendesk-heard", [*COMPANY.apps, ears], COMPANY.build)
    desk = Desk()
    desk.world = World.open(company, image_for(company))
    return desk, heard
