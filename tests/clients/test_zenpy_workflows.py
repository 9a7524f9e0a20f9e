"""The unmodified zenpy client runs a desk's everyday workflows."""

from datetime import UTC, datetime
from typing import Any

import pytest

from diorama.scenarios import SCENARIOS
from tests.clients.test_node import led
from tests.clients.test_zenpy import SCENARIO, Desk, desk, open_ticket, server
from tests.doors.serving import Server

pytest.importorskip("zenpy", reason="zenpy comes with diorama[clients]")
__all__ = ["desk", "server"]


@pytest.fixture
def lead(server: Server, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the client of a lead, who may export and see every rule."""
    monkeypatch.setitem(SCENARIOS, "zendesk/led", led())
    return desk(server.start("zendesk/led", 1, turns=100_000))


def ended(client: Any, job: Any) -> Any:
    """Poll a job until it has ended; the world's time passes with every poll."""
    for _ in range(20):
        job = client.job_status(id=job.id)
        if job.status in ("completed", "failed"):
            break
    return job


def test_a_stale_update_is_refused(server: Server, desk: Desk) -> None:
    from zenpy.lib.exception import APIException

    client = desk(server.start(SCENARIO, 1))
    ticket = open_ticket(client)
    ticket.subject, ticket.safe_update, ticket.updated_stamp = "Too late", True, "2020-01-01T00:00:00Z"
    with pytest.raises(APIException) as refused:
        client.tickets.update(ticket)
    assert refused.value.response.status_code == 409
    fresh = client.tickets(id=ticket.id)
    fresh.subject, fresh.safe_update, fresh.updated_stamp = "In time", True, fresh.updated_at
    client.tickets.update(fresh)
    assert client.tickets(id=ticket.id).subject == "In time"


def test_many_tickets_are_created_and_changed_by_jobs(server: Server, desk: Desk) -> None:
    from zenpy.lib.api_objects import Ticket

    client = desk(server.start(SCENARIO, 2, turns=100_000))
    made = client.tickets.create([Ticket(subject=f"Bulk {n}", description=f"{n} of three") for n in range(3)])
    ids = [result.id for result in ended(client, made).results]
    tickets = [client.tickets(id=number) for number in ids]
    for ticket in tickets:
        ticket.priority = "low"
    assert ended(client, client.tickets.update(tickets)).status == "completed"
    assert {client.tickets(id=number).priority for number in ids} == {"low"}


def test_zenpy_reads_views_and_macros(server: Server, desk: Desk) -> None:
    client = desk(server.start(SCENARIO, 3))
    view = next(iter(client.views.active()))
    assert client.views.count(view=view).value == len(list(client.views.tickets(view)))
    macro = next(iter(client.macros()))
    ticket = open_ticket(client)
    assert client.tickets.show_macro_effect(ticket, macro).ticket.id == ticket.id


def test_zenpy_manages_users_and_organizations(lead: Any) -> None:
    from zenpy.lib.api_objects import Organization, User

    organization = lead.organizations.create(Organization(name="Zen & Söhne"))
    user = lead.users.create(User(name="Zita Zen", email="zita@zen.example", organization_id=organization.id))
    user.phone = "+49 30 1234567"
    lead.users.update(user)
    assert [found.phone for found in lead.users.search(query="zita@zen.example")] == ["+49 30 1234567"]
    assert [member.name for member in lead.organizations.users(organization)] == ["Zita Zen"]
    assert organization.id in [one.id for one in lead.users.organizations(user)]


def test_zenpy_reads_exports_ratings_metrics_and_slas(lead: Any) -> None:
    start = datetime(2020, 1, 1, tzinfo=UTC)
    exported = {ticket.id for ticket in lead.tickets.incremental(start_time=start)}
    assert len(exported) > 100
    ratings = list(lead.satisfaction_ratings())
    assert {rating.score for rating in ratings} & {"good", "bad"}
    assert len(list(lead.ticket_metrics()[:150])) == 150
    assert [policy.title for policy in lead.sla_policies()]
    assert {ticket.id for ticket in lead.search(type="ticket", status="open")} <= exported
