"""A small desk for tests: two agents, two customers, the account's standard configuration, and a wire to it."""

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
    """The account on its first day, with people in it."""
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
    """One world with a desk in it, and short words for what tests do there."""

    def __init__(self, seed: int = 0, company: Company = COMPANY) -> None:
        self.world = World.open(company, image_for(company), seed)

    # --- the wire

    def call(
        self, method: str, path: str, body: Any = None, by: str = ADA, raw: dict[str, Any] | None = None, **query: Any
    ) -> Reply:
        """One request, by its path behind /api/v2/; `raw` holds parameters that are no Python names."""
        text = urlencode({**query, **(raw or {})})
        data = b"" if body is None else msgspec.json.encode(body)
        headers = {"content-type": "application/json"} if body is not None else {}
        kind = "persona" if by.endswith((".com", ".org")) else "agent"
        return self.send(Request(method, f"/api/v2/{path}", text, headers, data), Actor(kind, by))

    def send(self, request: Request, actor: Actor) -> Reply:
        """A request as it stands."""
        return self.world.send("zendesk", request, actor)

    def ask_at_once(
        self, path: str, query: dict[str, Any] | None = None, by: str = ADA, method: str = "", body: Any = None
    ) -> Reply:
        """A request that takes no time, as several at once would."""
        data = b"" if body is None else msgspec.json.encode(body)
        request = Request(method or ("POST" if data else "GET"), path, urlencode(query or {}), {}, data)
        return self.world.send("zendesk", request, Actor("agent", by), turn=False)

    def get(self, path: str, by: str = ADA, raw: dict[str, Any] | None = None, **query: Any) -> Any:
        """What a GET answers; it must succeed."""
        return self._good(self.call("GET", path, None, by, raw, **query))

    def put(self, path: str, body: Any = None, by: str = ADA, **query: Any) -> Any:
        """What a PUT answers; it must succeed."""
        return self._good(self.call("PUT", path, body, by, **query))

    def post(self, path: str, body: Any, by: str = ADA, **query: Any) -> Any:
        """What a POST answers; it must succeed."""
        return self._good(self.call("POST", path, body, by, **query))

    def delete(self, path: str, by: str = ADA, **query: Any) -> Reply:
        """A DELETE; it must succeed."""
        reply = self.call("DELETE", path, None, by, **query)
        assert reply.status in (200, 204), reply.text
        return reply

    @staticmethod
    def _good(reply: Reply) -> Any:
        assert reply.status in (200, 201), f"{reply.status} {reply.text}"
        return reply.json()

    # --- what people do

    def asks(self, subject: str = "It leaks", body: str = "My machine leaks.", by: str = MARA) -> int:
        """A customer writes a mail; the number of the new ticket."""
        return self.world.do(rules.receive_mail, Actor("persona", by), by, subject, body)

    def writes(self, ticket: int, body: str, by: str = MARA) -> int:
        """A customer answers by mail."""
        return self.world.do(rules.receive_mail, Actor("persona", by), by, "Re:", body, ticket)

    def updates(self, ticket: int, by: str = ANA, **fields: Any) -> Any:
        """An agent changes a ticket."""
        return self.put(f"tickets/{ticket}.json", {"ticket": fields}, by)

    def replies(self, ticket: int, body: str, by: str = ANA, public: bool = True, **fields: Any) -> Any:
        """An agent says something on a ticket."""
        return self.updates(ticket, by, comment={"body": body, "public": public}, **fields)

    def waits(self, **delay: float) -> None:
        """Time passes."""
        self.world.wait(timedelta(**delay))

    # --- what is so

    def read(self, function: Callable[..., T], *args: Any) -> T:
        """Something about the state, without touching it."""
        return self.world.read(function, *args)

    def do(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        """One step of staging."""
        return self.world.do(function, Actor("staff", "stage"), *args, **named)

    def ticket(self, number: int) -> Ticket:
        """A ticket as the desk keeps it."""
        found: Ticket = self.read(lambda tx: tx.get(Ticket, number))
        return found

    def comments(self, ticket: int) -> list[Comment]:
        """What was said on a ticket."""
        return self.read(lambda tx: tx.all(Comment, "ticket_id = ?", ticket))

    def audits(self, ticket: int) -> list[Audit]:
        """Everything that was changed on a ticket."""
        return self.read(lambda tx: tx.all(Audit, "ticket_id = ?", ticket))

    def user(self, email: str) -> User:
        """Somebody by address."""
        found: User | None = self.read(lambda tx: tx.first(User, "email = ?", email))
        assert found is not None, email
        return found

    def group(self, name: str) -> Group:
        """A group by name."""
        found: Group | None = self.read(lambda tx: tx.first(Group, "name = ?", name))
        assert found is not None, name
        return found

    def announced(self) -> list[str]:
        """The notices of the newest event."""
        return list(self.world.events[-1].notices)


def listened() -> tuple[Desk, list[RequesterNotified]]:
    """A desk whose mail somebody collects."""
    heard: list[RequesterNotified] = []
    ears = Product("ears")

    @ears.on(RequesterNotified)
    def listen(tx: Tx, notice: RequesterNotified) -> None:
        heard.append(notice)

    company = Company("zendesk-heard", [*COMPANY.apps, ears], COMPANY.build)
    desk = Desk()
    desk.world = World.open(company, image_for(company))
    return desk, heard
