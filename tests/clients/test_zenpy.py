"""The unmodified zenpy client works in our worlds: each in its own, through a 429, and never at the vendor."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
import requests

from diorama.scenarios import SCENARIOS, Stage, find
from diorama.server.front import Front, Ready, Settings
from tests.doors.serving import TOKEN, Server, in_thread

zenpy = pytest.importorskip("zenpy", reason="zenpy comes with diorama[clients]")

SCENARIO = "zendesk/late-refund"


def busy() -> Any:
    """Return the scenario with a vendor that is rate limited at first."""
    known: Any = type(find(SCENARIO))

    class Busy(known):  # type: ignore[misc] # its class is looked up by name
        """The scenario with 429 replies in its first seconds."""

        name = "zendesk/busy"

        def stage(self, stage: Stage) -> Any:
            truth = super().stage(stage)
            stage.schedule_fault(
                "zendesk", "rate_limited", after=timedelta(0), lasts=timedelta(seconds=90), retry_after=1
            )
            return truth

    return Busy()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)

    with mock.patch.dict(SCENARIOS, {"zendesk/busy": busy()}), in_thread(main) as ready:
        server = Server(ready)
        netloc = urlsplit(ready.origins[0]["zendesk"]).netloc
        with mock.patch.dict("os.environ", {"ZENPY_FORCE_SCHEME": "http", "ZENPY_FORCE_NETLOC": netloc}):
            yield server
        server.control.close()


Desk = Callable[..., Any]


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Yield a function that creates zenpy clients with an episode's credentials and without a cache."""
    with ExitStack() as sessions:

        def made(opened: dict[str, Any], **changed: str) -> Any:
            session = sessions.enter_context(requests.Session())
            shown = {**opened["apps"]["zendesk"]["credentials"], **changed}
            return zenpy.Zenpy(subdomain="larkspur", session=session, disable_cache=True, **shown)

        yield made


def open_ticket(client: Any) -> Any:
    """Return a ticket that can still be changed."""
    return next(ticket for ticket in client.tickets() if ticket.status not in ("closed", "solved"))


def test_two_clients_work_at_once_in_separate_episodes(server: Server, desk: Desk) -> None:
    from zenpy.lib.api_objects import Comment

    one, two = (desk(server.start(SCENARIO, seed)) for seed in (1, 2))
    assert len(list(one.tickets()[:5])) == 5
    ticket = open_ticket(one)
    untouched = two.tickets(id=ticket.id)
    ticket.comment = Comment(body="Zaubertrank is on its way", public=True)
    ticket.priority = "urgent"
    audit = one.tickets.update(ticket)
    assert audit.ticket.priority == "urgent"

    assert one.tickets(id=ticket.id).priority == "urgent"
    assert "Zaubertrank is on its way" in [comment.body for comment in one.tickets.comments(ticket=ticket.id)]
    assert [found.id for found in one.search("Zaubertrank", type="ticket")] == [ticket.id]

    assert two.tickets(id=ticket.id).updated_at == untouched.updated_at
    assert "Zaubertrank is on its way" not in [comment.body for comment in two.tickets.comments(ticket=ticket.id)]
    assert list(two.search("Zaubertrank", type="ticket")) == []


def test_the_client_follows_links_through_the_pages(server: Server, desk: Desk) -> None:
    client = desk(server.start(SCENARIO, 3))
    listed = [ticket.id for ticket in client.tickets(page_size=100)[:250]]
    assert len(listed) == len(set(listed)) > 100


def test_the_client_retries_a_429_under_the_paced_clock(server: Server, desk: Desk) -> None:
    opened = server.start("zendesk/busy", clock="paced", rate=60.0)
    client = desk(opened)
    assert open_ticket(client)
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    statuses = [event["reply"]["status"] for event in events if event["door"] == "http"]
    assert 429 in statuses
    assert statuses[-1] == 200
    assert any(event["door"] == "paced" for event in events)


def test_the_client_raises_the_end_of_an_episode_with_its_reason(server: Server, desk: Desk) -> None:
    opened = server.start(SCENARIO, turns=1)
    client = desk(opened)
    client.users.me()
    before = server.show(opened)["trace"]
    for act in (client.users.me, lambda: client.tickets.create(zenpy.lib.api_objects.Ticket(description="more"))):
        with pytest.raises(zenpy.lib.exception.APIException) as raised:
            act()
        assert raised.value.response.status_code == 403
        assert "The episode has ended (step_limit)" in str(raised.value)
    assert server.show(opened)["trace"] == before
    assert server.metric('requests_total{worker="0",app="zendesk",status="403"') == 2


def test_a_wrong_token_gets_the_vendors_401(server: Server, desk: Desk) -> None:
    from zenpy.lib.exception import APIException

    opened = server.start(SCENARIO, 4)
    for wrong in ({"token": "nonsense"}, {"email": "somebody@else.example"}):
        with pytest.raises(APIException) as raised:
            list(desk(opened, **wrong).tickets()[:1])
        assert raised.value.response.status_code == 401
        assert raised.value.response.json()["error"] == "Couldn't authenticate you"


def test_the_client_works_unchanged_through_the_proxy(
    server: Server, desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography", reason="the proxy needs diorama[proxy]")
    opened = server.start(SCENARIO, 6)
    ca = tmp_path / "ca.pem"
    ca.write_text(opened["proxy"]["ca_pem"])
    monkeypatch.delenv("ZENPY_FORCE_NETLOC")
    monkeypatch.delenv("ZENPY_FORCE_SCHEME")
    monkeypatch.setenv("HTTPS_PROXY", opened["proxy"]["url"])
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(ca))
    client = desk(opened)
    listed = list(client.tickets()[:150])  # beyond one page: the next page's URL is the vendor's own
    assert len({ticket.id for ticket in listed}) == 150
    assert listed[0].url.startswith("https://larkspur.zendesk.com/api/v2/tickets/")


def test_a_client_without_our_address_reaches_no_server(
    server: Server, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 9: without our address zenpy would call the real vendor; egress fails closed."""
    opened = server.start(SCENARIO, 5)
    monkeypatch.delenv("ZENPY_FORCE_NETLOC")
    with pytest.raises(Exception, match="loopback only"):
        list(desk(opened).tickets()[:1])
