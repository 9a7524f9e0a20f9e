"""Incremental exports: whatever happens between the pages, who follows them ends with the same tickets; by index."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk import APP
from diorama.apps.zendesk.schema import Ticket
from diorama.kernel.lane import LANES, Lane
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk

DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from([MARA, OLEG])),
        st.tuples(st.just("update"), st.fixed_dictionaries({"priority": st.sampled_from(["low", "high"])})),
        st.tuples(st.just("update"), st.fixed_dictionaries({"tags": st.lists(st.sampled_from("ab"), max_size=2)})),
        st.tuples(st.just("update"), st.fixed_dictionaries({"status": st.sampled_from(["pending", "solved"])})),
        st.tuples(st.just("update"), st.fixed_dictionaries({"assignee_email": st.sampled_from([ANA, BEN])})),
        st.tuples(st.just("delete"), st.none()),
        st.tuples(st.just("restore"), st.none()),
        st.tuples(st.just("scrub"), st.none()),
        st.tuples(st.just("leave"), st.sampled_from([ANA, BEN])),
        st.tuples(st.just("wait"), st.sampled_from([0.4, 1, 30, 61, 4000])),
        st.tuples(st.just("cursor"), st.sampled_from([1, 2, 3])),
        st.tuples(st.just("time"), st.sampled_from([1, 2, 3])),
    ),
    min_size=4,
    max_size=30,
)


class Follower:
    """Somebody who keeps a copy of the desk's tickets by one of the two exports, starting from nothing."""

    def __init__(self, desk: Desk, kind: str) -> None:
        self.desk = desk
        self.kind = kind
        self.tickets: dict[int, dict[str, Any]] = {}
        self.place: dict[str, Any] = {"start_time": 1}

    def page(self, size: int) -> bool:
        """Take one page; True where there are more."""
        path = "incremental/tickets/cursor.json" if self.kind == "cursor" else "incremental/tickets.json"
        reply = self.desk.call("GET", path, by=ADA, per_page=size, **self.place)
        if reply.status == 400 and self.kind == "time":
            return False  # the end of the last page is not a minute old
        answer = reply.json()
        for ticket in answer["tickets"]:
            self.tickets[ticket["id"]] = ticket
        if self.kind == "cursor":
            self.place = {"cursor": answer["after_cursor"]}
        elif answer["end_time"] is not None:
            self.place = {"start_time": answer["end_time"]}
        return not answer["end_of_stream"]

    def drained(self, size: int) -> dict[int, dict[str, Any]]:
        """Everything up to the end."""
        for _ in range(200):
            if not self.page(size):
                return self.tickets
        raise AssertionError("an export that never ends")


def do(desk: Desk, deed: str, value: Any, turn: int) -> None:
    """One thing happens to one of the tickets."""
    live = desk.read(lambda tx: [one.id for one in tx.all(Ticket, "deleted_at IS NULL AND status <> 'closed'")])
    gone = [one["id"] for one in desk.get("deleted_tickets.json")["deleted_tickets"]]
    if deed == "ask":
        desk.asks(by=value)
    elif deed == "wait":
        desk.waits(seconds=value)
    elif deed == "leave":
        desk.call("DELETE", f"group_memberships/{_membership(desk, value)}.json")
    elif deed == "update" and live:
        desk.call("PUT", f"tickets/{live[turn % len(live)]}.json", {"ticket": value}, by=ANA)
    elif deed == "delete" and live:
        desk.delete(f"tickets/{live[turn % len(live)]}.json")
    elif deed == "restore" and gone:
        desk.put(f"deleted_tickets/{gone[turn % len(gone)]}/restore.json")
    elif deed == "scrub" and gone:
        desk.delete(f"deleted_tickets/{gone[turn % len(gone)]}.json")


def _membership(desk: Desk, who: str) -> int:
    rows = desk.read(
        lambda tx: tx.rows("SELECT id FROM zendesk_group_memberships WHERE user_id = ? LIMIT 1", desk.user(who).id)
    )
    return int(rows[0][0]) if rows else 0


@settings(max_examples=40, deadline=None)
@given(DEEDS)
def test_following_either_export_ends_with_the_same_tickets(deeds: list[Any]) -> None:
    desk = Desk()
    desk.asks()
    followers = {kind: Follower(desk, kind) for kind in ("cursor", "time")}
    for turn, (deed, value) in enumerate(deeds):
        if deed in followers:
            followers[deed].page(value)
        else:
            do(desk, deed, value, turn)
    desk.waits(minutes=2)
    every = set(desk.read(lambda tx: [one.id for one in tx.all(Ticket)]))
    live = {one["id"]: one for one in desk.get("tickets.json")["tickets"]}
    for follower in followers.values():
        copy = follower.drained(2)
        assert set(copy) == every, follower.kind
        assert {number for number, one in copy.items() if one["status"] == "deleted"} == every - set(live)
        assert {number: one for number, one in copy.items() if number in live} == live, follower.kind
        assert copy == Follower(desk, follower.kind).drained(1000)


def test_the_last_minute_is_held_back_and_comes_with_the_next_page(desk: Desk) -> None:
    number = desk.asks()
    follower = Follower(desk, "cursor")
    assert not follower.page(10)
    assert follower.tickets == {}
    desk.waits(seconds=61)
    follower.page(10)
    assert set(follower.tickets) == {number}


BIG = ("tickets", "users", "organizations", "audits", "comments", "ticket_metric_events", "ticket_metrics")
EXPORTS = sorted(
    operation.path.removeprefix("/api/v2/")
    for operation in APP.operations
    if "/incremental/" in operation.path and "{" not in operation.path
)


@pytest.mark.parametrize("path", [*EXPORTS, "incremental/tickets/sample", "incremental/ticket_events/sample"])
def test_exports_read_by_index(desk: Desk, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        desk.replies(desk.asks(), "Hello.")
    desk.waits(minutes=2)
    asked: list[tuple[str, Any]] = []
    query = Lane.query

    def heard(lane: Lane, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        asked.append((sql, bindings))
        return query(lane, sql, bindings)

    monkeypatch.setattr(Lane, "query", heard)
    first = desk.get(path, start_time=1, per_page=2)
    if first.get("after_cursor"):
        desk.get(path, cursor=first["after_cursor"], per_page=2)
    monkeypatch.undo()
    plans = [(sql, plan) for sql, bindings in asked for plan in explained(desk, sql, bindings)]
    assert plans
    for sql, plan in plans:
        scanned = [f"SCAN zendesk_{table}" for table in BIG if plan == f"SCAN zendesk_{table}"]
        assert not scanned, f"{sql}: {plan}"
        if any(f"zendesk_{table} " in sql for table in BIG):
            assert "TEMP B-TREE" not in plan, f"{sql}: {plan}"


def explained(desk: Desk, sql: str, bindings: tuple[Any, ...]) -> list[str]:
    """How SQLite goes about a question."""
    if not sql.startswith("SELECT"):
        return []
    lane = LANES.borrow(desk.world.pages.image, desk.world.company.tracked)
    lane.bind(desk.world.pages)
    lane.trusted = True
    try:
        return [row[3] for row in lane.connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings).fetchall()]
    finally:
        lane.trusted = False
