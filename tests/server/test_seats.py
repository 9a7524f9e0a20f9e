"""Seats: an episode hands out the credentials that its scenario allows, and records which one was used."""

from typing import Any

import httpx
import pytest

from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start
from diorama.kernel import Defect
from diorama.kit import Call
from diorama.scenarios import SCENARIOS, AllowedSeat
from tests.doors.depot import APP as DEPOT
from tests.doors.notes import ANA
from tests.doors.serving import Server
from tests.server.browsing import bearer
from tests.server.office import Store, office


def me(opened: dict[str, Any], secret: str) -> tuple[str, str]:
    """Return who the depot says is asking, and with which kind of credential."""
    shown = httpx.get(f"{opened['apps']['depot']['base_url']}/me", headers=bearer(secret)).json()
    return shown["person"], shown["credential"]


def test_a_person_may_hold_several_credentials(server: Server) -> None:
    opened = server.start("depot/store")
    depot = opened["apps"]["depot"]
    assert {kind: secret.partition("-")[0] for kind, secret in depot["credentials"].items()} == {
        "bot_token": "xoxb", "user_token": "xoxp", "app_token": "xapp",
    }  # fmt: skip
    assert depot["seats"] == {"agent": {"person": ANA, "credentials": depot["credentials"]}}
    for kind, secret in depot["credentials"].items():
        assert me(opened, secret) == (ANA, kind)
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    assert [event["actor"] for event in events[-3:]] == [
        f"agent:{ANA}#bot_token", f"agent:{ANA}#user_token", f"agent:{ANA}#app_token",
    ]  # fmt: skip


def test_seats_that_the_scenario_allows_can_be_requested(server: Server) -> None:
    opened = server.start("depot/store", 5, seats=["agent", "customer"])
    seats = opened["apps"]["depot"]["seats"]
    assert list(seats) == ["agent", "customer"]
    assert seats["customer"]["person"] == "customer5@example.com"
    assert list(seats["customer"]["credentials"]) == ["user_token"]
    assert me(opened, seats["customer"]["credentials"]["user_token"]) == ("customer5@example.com", "user_token")
    assert list(opened["apps"]["notes"]["seats"]) == ["agent"]  # the customer has no account there
    twin = server.post(opened, "fork", status=201)
    assert list(twin["apps"]["depot"]["seats"]) == ["agent", "customer"]


def test_the_first_requested_seat_gives_the_credentials(server: Server) -> None:
    opened = server.start("depot/store", seats=["customer"])
    assert list(opened["apps"]["depot"]["credentials"]) == ["user_token"]
    assert opened["apps"]["notes"]["credentials"] == {}


@pytest.mark.parametrize("seats", [["lead"], ["agent", "lead"], [], ["customer"]])
def test_other_seats_are_refused_with_the_list_of_allowed_ones(server: Server, seats: list[str]) -> None:
    scenario = "notes/write" if seats == ["customer"] else "depot/store"
    reply = server.control.post("/v1/episodes", json={"scenario": scenario, "seats": seats})
    assert (reply.status_code, reply.json()["error"]) == (422, "unknown_seat")
    allowed = "agent" if scenario == "notes/write" else "agent, bot, customer"
    assert f"allows the seats {allowed};" in reply.json()["detail"]
    assert server.metric("episodes_started_total") == 0


@pytest.mark.parametrize("times", [2, 65, 100_000])
def test_a_seat_is_ordered_once(server: Server, times: int) -> None:
    reply = server.control.post("/v1/episodes", json={"scenario": "depot/store", "seats": ["agent"] * times})
    assert (reply.status_code, reply.json()["error"]) == (422, "invalid")
    assert len(reply.content) < 1_000
    assert server.metric("episodes_started_total") == 0


def test_scenarios_list_their_seats(server: Server) -> None:
    listed = {row["name"]: row["seats"] for row in server.control.get("/v1/scenarios").json()["scenarios"]}
    assert listed["depot/store"] == ["agent", "bot", "customer"]
    assert listed["notes/write"] == ["agent"]


@pytest.fixture
def episode() -> Any:
    with office():
        yield start("depot/store", 3)


def test_python_can_use_an_allowed_seat(episode: Episode) -> None:
    def who(**options: str) -> tuple[str, str]:
        shown = episode.http("depot", "GET", "/me", **options).json()  # type: ignore[arg-type] # keywords only
        return shown["person"], shown["credential"]

    assert who() == (ANA, "bot_token")
    assert who(credential="app_token") == (ANA, "app_token")
    assert who(seat="customer") == ("customer3@example.com", "user_token")
    for wrong in ({"seat": "lead"}, {"seat": "customer", "credential": "bot_token"}, {"credential": "password"}):
        before = len(episode.events)
        with pytest.raises(LookupError, match="seat"):
            who(**wrong)
        assert len(episode.events) == before
    with pytest.raises(LookupError, match="holds these credentials at notes: none"):
        episode.http("notes", "GET", "/account", seat="customer")


def test_an_agent_chooses_its_seat_and_credential(episode: Episode) -> None:
    hands = AgentHands(episode.hands)
    assert hands.http("depot", "GET", "/me").json()["credential"] == "bot_token"
    assert hands.http("depot", "GET", "/me", credential="user_token").json()["credential"] == "user_token"
    shown = hands.http("depot", "GET", "/me", seat="customer").json()
    assert (shown["person"], shown["credential"]) == ("customer3@example.com", "user_token")
    used = [(turn.get("seat"), turn.get("credential")) for turn in hands.transcript]
    assert used == [(None, None), (None, "user_token"), ("customer", None)]
    with pytest.raises(LookupError, match="seat"):
        hands.http("depot", "GET", "/me", seat="lead")


def test_an_agent_gets_every_seat_of_its_scenario_and_no_other(episode: Episode) -> None:
    hands = AgentHands(episode.hands)
    assert hands.seats == tuple(episode.scenario.seats) == ("agent", "bot", "customer")
    for seat in hands.seats:
        person = episode.scenario.seat_person(seat, episode.truth)
        assert hands.http("depot", "GET", "/me", seat=seat).json()["person"] == person
    hands.http("depot", "GET", "/me", seat="customer")
    seen = hands.call("depot_who_am_i").data
    assert (seen["person"], seen["credential"]) == (ANA, "bot_token"), "a tool call uses the agent's own seat"


def test_a_tool_uses_the_credential_that_it_names(episode: Episode) -> None:
    staged = len(episode.events)
    assert episode.call("depot_who_am_i").data["credential"] == "bot_token"
    assert episode.call("depot_who_am_i_as_user").data["credential"] == "user_token"
    assert [event.actor for event in episode.events[staged:]] == [f"agent:{ANA}#bot_token", f"agent:{ANA}#user_token"]
    again = start("depot/store", 3, restage=True)
    for event in episode.events[staged:]:
        again.redo(event)
    assert (again.trace, again.state) == (episode.trace, episode.state)


def test_a_tool_with_a_credential_the_agent_lacks_is_a_wrong_call() -> None:
    class Narrow(Store):
        name = "depot/narrow"
        seats = {"agent": AllowedSeat(kinds=("bot_token",))}

    with office():
        SCENARIOS["depot/narrow"] = Narrow()
        narrow = start("depot/narrow")
    seen = narrow.call("depot_who_am_i_as_user")
    assert seen.is_error
    assert "holds these credentials at depot: bot_token; not 'user_token'" in seen.text
    assert narrow.events[-1].operation == "wrong_call"


def test_a_credential_the_product_lacks_is_refused_at_declaration() -> None:
    before = len(DEPOT.tools)

    def enter() -> Call:
        return Call("GET", "/me")

    said = "the tool depot_enter asks for the credential 'passport'; depot has 'bot_token', 'user_token', 'app_token'"
    with pytest.raises(ValueError, match=said):
        DEPOT.tool(credential="passport")(enter)
    assert len(DEPOT.tools) == before


def test_python_follows_a_link_to_another_host(episode: Episode) -> None:
    for url, host in (
        ("https://files.depot.example/me?x=1", "files.depot.example"),
        ("https://b1.store.depot.example/me", "b1.store.depot.example"),
        ("/me", ""),
    ):
        assert episode.http("depot", "GET", url).status == 200
        assert episode.events[-1].request.get("host", "") == host
    assert episode.http("notes", "GET", "https://acme.notes.example/account").status == 200
    assert "host" not in episode.events[-1].request
    with pytest.raises(LookupError, match=r"depot has no host 'evil\.example'"):
        episode.http("depot", "GET", "https://evil.example/me")


def test_a_replay_uses_the_same_seat_and_host(episode: Episode) -> None:
    staged = len(episode.events)
    episode.http("depot", "GET", "https://b1.store.depot.example/me", seat="customer")
    episode.http("depot", "POST", "/login", {"email": "kim@example.com"}, credential="user_token")
    episode.http("notes", "POST", "/notes", {"text": "x"})
    again = start("depot/store", 3, restage=True)
    for event in episode.events[staged:]:
        again.redo(event)
    assert [event.actor for event in again.events[staged:]] == [
        "agent:customer3@example.com#user_token", f"agent:{ANA}#user_token", f"agent:{ANA}",
    ]  # fmt: skip
    assert (again.trace, again.state) == (episode.trace, episode.state)


def test_a_minted_token_acts_from_its_own_seat(episode: Episode) -> None:
    made = episode.http("depot", "POST", "/login", {"email": "kim@example.com", "credential": "user_token"})
    token = made.headers["set-cookie"].partition(";")[0].removeprefix("session=")
    assert episode.http("depot", "GET", "/me", headers=bearer(token)).json()["credential"] == "user_token"
    assert episode.events[-1].actor == "agent:kim@example.com#user_token"


def test_an_anonymous_request_is_replayed_as_anonymous(episode: Episode) -> None:
    from diorama.kernel import ANONYMOUS, Request

    staged = len(episode.events)
    assert episode.request("depot", Request(path="/login"), "http", ANONYMOUS).status == 200
    again = start("depot/store", 3, restage=True)
    again.redo(episode.events[staged])
    assert again.trace == episode.trace


def test_a_kind_that_no_app_has_is_a_defect_at_the_start() -> None:
    class Wrong(Store):
        name = "depot/wrong"
        seats = {"agent": AllowedSeat(kinds=("passport",))}

    with office():
        SCENARIOS["depot/wrong"] = Wrong()
        with pytest.raises(Defect, match="no app has a credential of the kind passport"):
            start("depot/wrong")
