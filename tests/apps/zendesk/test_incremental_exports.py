"""Incremental exports: following the pages gives the same tickets despite concurrent changes; queries use indexes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk import APP
from diorama.apps.zendesk.schema import GroupMembership, Ticket
from diorama.kernel import Actor, Reply, Request
from diorama.kernel.lane import LANES, Lane
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk

DEEDS = st.sampled_from(["ask", "low", "high", "solve", "restore", "restore", "scrub", "leave", "leave"])
PULLS = st.sampled_from([(), (("cursor", 1), ("time", 1)), (("cursor", 100), ("time", 100)), (("cursor", 100),)])
ROUNDS = st.lists(st.tuples(DEEDS, st.sampled_from([0, 0.4, 70, 70, 70]), PULLS), min_size=3, max_size=12)


class Busy(Desk):
    """A busy desk: requests take no time, so that other changes happen in the same second."""

    def send(self, request: Request, actor: Actor) -> Reply:
        """Send a request unchanged."""
        return self.world.send("zendesk", request, actor, turn=False)


class Follower:
    """A client that copies the desk's tickets through one of the two exports, starting empty."""

    def __init__(self, desk: Desk, kind: str) -> None:
        self.desk = desk
        self.kind = kind
        self.tickets: dict[int, dict[str, Any]] = {}
        self.place: dict[str, Any] = {"start_time": 1}

    def page(self, size: int) -> bool:
        """Fetch one page; return True if there are more."""
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
        """Fetch all pages to the end, and return the tickets."""
        for _ in range(200):
            if not self.page(size):
                return self.tickets
        raise AssertionError("an export that never ends")


def do(desk: Desk, deed: str, turn: int) -> None:
    """Do one action on one of the tickets; if it needs an earlier action, do that first."""
    live = desk.read(lambda tx: tx.all(Ticket, "deleted_at IS NULL AND status <> 'closed'"))
    gone = [one["id"] for one in desk.get("deleted_tickets.json")["deleted_tickets"]]
    held = [one for one in live if one.assignee_id == desk.user(ANA).id]
    if deed == "ask" or not (live or gone):
        desk.asks(by=(MARA, OLEG)[turn % 2])
    elif deed in ("restore", "scrub") and gone:
        number = gone[turn % len(gone)]
        if deed == "restore":
            desk.put(f"deleted_tickets/{number}/restore.json")
        else:
            desk.delete(f"deleted_tickets/{number}.json")
    elif live:
        number = live[turn % len(live)].id
        if deed in ("restore", "scrub"):
            desk.delete(f"tickets/{number}.json")
        elif deed == "leave" and held:
            group = held[0].group_id
            rows = desk.read(
                lambda tx: tx.all(GroupMembership, "user_id = ? AND group_id = ?", held[0].assignee_id, group)
            )
            desk.delete(f"group_memberships/{rows[0].id}.json")
        elif deed == "leave":
            body = {"user_id": desk.user(ANA).id, "group_id": desk.group("Support").id}
            desk.call("POST", "group_memberships.json", {"group_membership": body})
            desk.updates(number, by=ADA, assignee_id=desk.user(ANA).id, group_id=desk.group("Support").id)
        else:
            change = {"status": "solved"} if deed == "solve" else {"priority": deed}
            desk.updates(number, by=BEN, **change)


@settings(max_examples=100, deadline=None)
@given(ROUNDS)
def test_following_either_export_ends_with_the_same_tickets(rounds: list[Any]) -> None:
    desk = Busy()
    desk.asks()
    followers = {kind: Follower(desk, kind) for kind in ("cursor", "time")}
    for turn, (deed, seconds, pulls) in enumerate(rounds):
        do(desk, deed, turn)
        desk.waits(seconds=seconds)
        for kind, size in pulls:
            followers[kind].page(size)
    desk.waits(minutes=2)
    every = set(desk.read(lambda tx: [one.id for one in tx.all(Ticket)]))
    live = {one["id"]: one for one in desk.get("tickets.json")["tickets"]}
    for follower in followers.values():
        copy = follower.drained(2)
        assert set(copy) == every, follower.kind
        assert {number for number, one in copy.items() if one["status"] == "deleted"} == every - set(live)
        assert {number: one for number, one in copy.items() if number in live} == live, follower.kind
        assert copy == Follower(desk, follower.kind).drained(1000)


def test_the_last_minute_is_left_for_the_next_page(desk: Desk) -> None:
    number = desk.asks()
    follower = Follower(desk, "cursor")
    assert not follower.page(10)
    assert follower.tickets == {}
    desk.waits(seconds=61)
    follower.page(10)
    assert set(follower.tickets) == {number}


def test_events_of_a_busy_second_do_not_block_the_export() -> None:
    desk = Busy()
    for _ in range(5):
        desk.asks()
    desk.waits(seconds=5)
    desk.updates(1, priority="high")
    desk.waits(minutes=2)
    seen: set[int] = set()
    start, ended = 1, False
    for _ in range(6):
        page = desk.get("incremental/ticket_events.json", start_time=start, per_page=2)
        seen |= {one["id"] for one in page["ticket_events"]}
        start, ended = page["end_time"], page["end_of_stream"]
    assert ended
    assert seen == {audit.id for number in range(1, 6) for audit in desk.audits(number)}


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
    """Return SQLite's query plan for a statement."""
    if not sql.startswith("SELECT"):
        return []
    lane = LANES.borrow(desk.world.pages.image, desk.world.company.tracked)
    lane.bind(desk.world.pages)
    lane.trusted = True
    try:
        return [str(row[3]) for row in lane.connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings).fetchall()]
    finally:
        lane.trusted = False
