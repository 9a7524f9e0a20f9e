"""A server with live episodes: isolation, contained defects, clocks, leases, and shutdown."""

import time
from typing import Any

import pytest

from diorama.server.front import Front, Settings
from tests.doors.serving import TOKEN, Server, app_client
from tests.server.office import COMPANIES

DOORS = ["depot", "depot.buckets", "depot.files", "notes"]


def test_two_episodes_at_once_see_only_their_own(server: Server) -> None:
    one, two = server.start(seed=1), server.start(seed=2)
    with app_client(one) as first, app_client(two) as second:
        assert first.get("/notes/1").json()["text"] == "seed 1"
        assert second.get("/notes/1").json()["text"] == "seed 2"
        first.post("/notes", json={"text": "mine"})
        assert second.get("/notes/2").status_code == 404
    assert one["apps"]["notes"]["base_url"] == two["apps"]["notes"]["base_url"]
    assert one["brief"] == "Write a note that says: wanted 1"
    assert {tool["name"] for tool in one["tools"]} >= {"wait", "finish"}


def test_an_episode_can_be_finished_over_http(server: Server) -> None:
    opened = server.start(seed=3)
    with app_client(opened) as client:
        client.post("/notes", json={"text": "wanted 3"})
        result = server.post(opened, "finish", {"report": "done"})
        assert (result["ended"], result["success"], result["episode"]) == ("done", True, opened["id"])
        told = client.get("/notes/1")
        assert (told.status_code, told.json()["error"]) == (403, "episode_ended")
        assert "(done)" in told.json()["detail"]
        assert server.post(opened, "finish") == result
        assert server.show(opened)["result"] == result
        server.post(opened, "wait", {"seconds": 1}, status=409)
    assert server.control.delete(f"/v1/episodes/{opened['id']}").status_code == 204
    assert server.control.get(f"/v1/episodes/{opened['id']}").status_code == 404
    assert server.metric('episodes_finished_total{worker="0",ended="done"}') == 1
    assert server.metric("episodes_live") == 0


def test_snapshot_restore_and_fork_over_http(server: Server) -> None:
    opened = server.start()
    with app_client(opened) as client:
        snapshot = server.post(opened, "snapshot", status=201)["snapshot"]
        client.post("/notes", json={"text": "later"})
        twin = server.post(opened, "fork", status=201)
        with app_client(twin) as forked:
            assert forked.get("/notes/2").json()["text"] == "later"
            forked.post("/notes", json={"text": "only there"})
        assert client.get("/notes/3").status_code == 404
        server.post(opened, "restore", {"snapshot": snapshot})
        assert client.get("/notes/2").status_code == 404
        server.post(twin, "restore", {"snapshot": snapshot}, status=404)  # a snapshot belongs to its episode
    assert twin["apps"]["notes"]["credentials"] != opened["apps"]["notes"]["credentials"]


def test_events_can_be_read_incrementally(server: Server) -> None:
    opened = server.start()
    with app_client(opened) as client:
        client.get("/notes/1")
        path = f"/v1/episodes/{opened['id']}/events"
        first = server.control.get(path, params={"after": 0}).json()
        assert [event["seq"] for event in first["events"]] == list(range(1, first["last"] + 1))
        client.get("/notes/1")
        news = server.control.get(path, params={"after": first["last"]}).json()["events"]
    assert [(event["operation"], event["door"]) for event in news] == [("show_note", "http")]
    assert "authorization" not in str(news)


@pytest.mark.parametrize(
    ("scenario", "trigger", "boundary"),
    [
        ("notes/write", "handler", "app"),
        ("notes/grumbles", "persona", "persona"),
        ("notes/bad-grader", "grader", "grader"),
    ],
)
def test_a_planted_exception_voids_its_episode_and_no_other(
    server: Server, scenario: str, trigger: str, boundary: str
) -> None:
    broken, other = server.start(scenario), server.start(seed=1)
    with app_client(broken) as client, app_client(other) as bystander:
        if trigger == "handler":
            reply = client.get("/break")
            assert (reply.status_code, reply.json()["error"]) == (500, "Broken")  # in the vendor's error format
        elif trigger == "persona":
            assert server.post(broken, "wait", {"seconds": 7200})["ended"]
        else:
            assert client.post("/notes", json={"text": "trap"}).status_code == 500
        told = client.get("/notes/1")
        assert (told.status_code, told.json()["error"]) == (403, "episode_ended")
        assert "internal failure" in told.json()["detail"]
        assert server.show(broken)["status"] == "void"
        server.post(broken, "wait", {"seconds": 1}, status=409)
        assert bystander.get("/notes/1").json()["text"] == "seed 1"
    result = server.post(broken, "finish")
    assert (result["ended"], result["reward"], result["fault"]["boundary"]) == ("void", None, boundary)
    assert "planted" in result["fault"]["message"]
    assert server.metric("episodes_void_total") == 1
    assert server.post(other, "finish")["ended"] == "done"


def test_a_void_episode_can_return_to_an_earlier_snapshot(server: Server) -> None:
    opened = server.start()
    snapshot = server.post(opened, "snapshot", status=201)["snapshot"]
    with app_client(opened) as client:
        assert client.get("/break").status_code == 500
        server.post(opened, "restore", {"snapshot": snapshot})
        assert client.get("/notes/1").status_code == 200
    assert server.post(opened, "finish")["ended"] == "done"


def test_a_failed_staging_is_reported_and_counted(server: Server) -> None:
    reply = server.control.post("/v1/episodes", json={"scenario": "notes/unstageable"})
    assert (reply.status_code, reply.json()["error"]) == (500, "reset")
    assert "planted" in reply.json()["detail"]
    assert server.metric("episodes_void_total") == 1
    assert server.start()["id"]


@pytest.mark.parametrize(
    "order",
    [
        {"scenario": "no/such"},
        {"scenario": "notes/write", "rate": 0},
        {"scenario": "notes/write", "world_size": "vast"},
    ],
)
def test_an_impossible_request_is_422(server: Server, order: dict[str, Any]) -> None:
    reply = server.control.post("/v1/episodes", json=order)
    assert reply.status_code == 422
    assert set(reply.json()) == {"error", "detail"}


def test_in_virtual_time_no_wall_time_passes(server: Server) -> None:
    opened = server.start()
    before = server.show(opened)["now"]
    time.sleep(0.3)
    assert server.show(opened)["now"] == before


def test_under_the_paced_clock_wall_time_is_a_recorded_wait(server: Server) -> None:
    opened = server.start("notes/limited", clock="paced", rate=10.0)
    with app_client(opened) as client:
        busy = client.get("/notes/1")
        assert (busy.status_code, busy.headers["retry-after"]) == (429, "2")
        time.sleep(0.35)
        assert client.get("/notes/1").status_code == 200
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    waits = [event for event in events if event["door"] == "paced"]
    assert waits
    assert 3.0 < sum(event["request"]["seconds"] for event in waits) < 60.0
    assert server.show(opened)["turns"] == 2  # such a wait is not a turn


def test_an_idle_episode_expires_and_frees_its_place(server: Server) -> None:
    opened, kept = server.start(lease_seconds=0.2), server.start()
    with app_client(opened) as client:
        assert client.get("/notes/1").status_code == 200
        deadline = time.monotonic() + 10
        while server.metric("episodes_expired_total") < 1:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        told = client.get("/notes/1")
        assert (told.status_code, told.json()["error"]) == (403, "episode_ended")
    assert server.control.get(f"/v1/episodes/{opened['id']}").status_code == 404
    assert [row["id"] for row in server.control.get("/v1/episodes").json()["episodes"]] == [kept["id"]]


def test_an_agent_without_http_calls_tools_through_the_control_plane(server: Server) -> None:
    opened = server.start()
    seen = server.post(opened, "call", {"tool": "no_such_tool"})
    assert seen["is_error"]
    assert server.post(opened, "call", {"tool": "finish", "arguments": {"report": "x"}})["ended"]
    assert server.show(opened)["status"] == "ended"
    assert server.post(opened, "finish")["ended"] == "done"


ODD_CALLS = [
    b'{"tool": "wait", "arguments": {"minutes": ' + b"[" * 20_000 + b"]" * 20_000 + b"}}",
    b'{"tool": "wait", "arguments": {"minutes": ' + b"[" * 900 + b"]" * 900 + b"}}",
    b'{"tool": "\\ud83d", "arguments": {}}',
    b'{"tool": "wait", "arguments": {"minutes": "\\ud83d \\u0000"}}',
    b'{"tool": "wait", "arguments": {"minutes": "\\u0000"}}',
    b'{"tool": "wait", "arguments": {"minutes": NaN}}',
    b'{"tool": "wait", "arguments": {"minutes": ' + b"9" * 5000 + b"}}",
    b'{"tool": "wait", "arguments": {"minutes": 99999999999999999999999}}',
    b'{"tool": "wait", "arguments": {"minutes": 1e999}}',
    b'{"tool": 5}',
    b'{"tool": "\xff"}',
    b'{"tool": "wait", "arguments": [1]}',
    b'{"tool": "wait", "arguments": "5"}',
    b'{"tool": "wait", "arguments": {"minutes": "' + b"5" * (1 << 20) + b'"}}',
]
ODD_REPORTS = [
    b'{"report": "done \\ud83d"}',
    b'{"report": "done \xff"}',
    b'{"report": null}',
    b'{"report": 1e999}',
    b'{"report": ' + b"9" * 5000 + b"}",
    b'{"report": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    b'{"report": "' + b"x" * (1 << 20) + b'"}',
]


def assert_odd_calls_are_mistakes(server: Server, scenario: str) -> None:
    """Send every odd call to an episode of its own; none may break it or the server."""
    for body in ODD_CALLS:
        opened = server.start(scenario)
        reply = server.control.post(f"/v1/episodes/{opened['id']}/call", content=body)
        assert reply.status_code == 200, (body[:80], reply.text)
        assert reply.json()["is_error"], (body[:80], reply.text)
        assert server.show(opened)["turns"] == 1, body[:80]
        assert server.post(opened, "finish")["ended"] == "done"


def test_an_odd_tool_call_over_http_is_the_agents_mistake(server: Server) -> None:
    assert_odd_calls_are_mistakes(server, "notes/write")


def test_a_call_without_arguments_is_the_same_as_in_process(server: Server) -> None:
    opened = server.start()
    for body in ({"tool": "wait"}, {"tool": "wait", "arguments": None}, {"tool": "wait", "arguments": {}}):
        assert not server.post(opened, "call", body)["is_error"]


def test_every_report_finishes_an_episode(server: Server) -> None:
    for body in ODD_REPORTS:
        opened = server.start("notes/write")
        reply = server.control.post(f"/v1/episodes/{opened['id']}/finish", content=body)
        assert (reply.status_code, reply.json()["ended"]) == (200, "done"), (body[:80], reply.text)


def test_a_request_that_no_agent_wrote_wrong_stays_422(server: Server) -> None:
    opened = server.start()
    for verb, body in (("call", b"{"), ("call", b"{}"), ("call", b'{"tool": "wait", "x": 1}'), ("finish", b'{"x": 1}')):
        assert server.control.post(f"/v1/episodes/{opened['id']}/{verb}", content=body).status_code == 422
    assert server.show(opened)["turns"] == 0


def test_a_turn_limit_is_told_and_later_requests_leave_no_event(server: Server) -> None:
    opened = server.start(turns=2)
    with app_client(opened) as client:
        assert [client.get("/notes/1").status_code for _ in range(2)] == [200, 200]
        before = server.show(opened)
        for _ in range(3):
            told = client.post("/notes", json={"text": "one more"})
            assert (told.status_code, told.json()["error"]) == (403, "episode_ended")
            assert told.json()["detail"].startswith("The episode has ended (step_limit): all of its turns are used")
            assert "retry-after" not in told.headers
        after = server.show(opened)
        assert (after["trace"], after["turns"], after["ended"]) == (before["trace"], 2, "step_limit")
    assert server.post(opened, "finish")["ended"] == "step_limit"


def test_requests_are_counted_by_app_and_status(server: Server) -> None:
    opened = server.start()
    with app_client(opened) as client:
        client.get("/notes/1")
        client.get("/nowhere")
    assert server.metric('requests_total{worker="0",app="notes",status="200"}') == 1
    assert server.metric('requests_total{worker="0",app="notes",status="404"}') == 1
    assert server.metric("request_seconds_count") == 2


def test_urls_use_the_advertised_name_or_loopback() -> None:
    for advertise, shown in (("", "127.0.0.1"), ("worlds.example", "worlds.example"), ("::1", "[::1]")):
        front = Front(Settings(token=TOKEN, port=0, workers=2, advertise=advertise), COMPANIES)
        try:
            urls = [
                front.ready.control_url,
                *front.ready.proxy_urls,
                *(url for share in front.ready.origins for url in share.values()),
            ]
            assert [list(share) for share in front.ready.origins] == [DOORS, DOORS]
            assert len(set(urls)) == len(urls) == 1 + 2 * len(DOORS) + len(front.ready.proxy_urls)
            assert all(url.startswith(f"http://{shown}:") for url in urls)
            assert all(sock.getsockname()[0] == "127.0.0.1" for sock in front.sockets)
        finally:
            front.close()
