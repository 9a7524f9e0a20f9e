"""One app of a world calls another: after the commit, as an event of its own, and the answer is handed back."""

from datetime import timedelta

import pytest

from diorama.kernel import (
    ANONYMOUS,
    Actor,
    App,
    Company,
    Defect,
    Missing,
    Notice,
    Product,
    Record,
    Refusal,
    Reply,
    Request,
    Snapshot,
    Tx,
    World,
    counter,
)
from diorama.kernel.testing import image_for

ANA = Actor("agent", "ana@flow.example")


class Flow(App):
    """A product that sends requests: the path names the command, the body its argument."""

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Run a command now."""
        tx.operation, tx.seconds = request.path.strip("/"), 1.0
        self.product.commands[tx.operation](tx, request.body.decode())
        return Reply(202, {})


class Ledger(App):
    """A product that is called: it finds people by a key in its own rows."""

    def recorded_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Only the content type is recorded, never a key."""
        return {name: value for name, value in headers.items() if name == "content-type"}

    def authenticate(self, tx: Tx, request: Request) -> tuple[Actor, Request] | None:
        """The person whose key the request carries."""
        key = tx.first(Key, "secret = ?", request.headers.get("x-key", ""))
        return (Actor("app", key.person), request) if key else None

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Write a line, or refuse."""
        tx.operation, tx.seconds = "write", 9.0
        text = request.body.decode()
        tx.add(Line(text=text, by=str(tx.actor)))
        if text == "refuse":
            raise Refusal(422, "Unwanted", "no such line")
        if text == "miss":
            tx.get(Line, 99)
        tx.emit(LineWritten(text=text))
        return Reply(201, {"x-line": "1"}, f"wrote {text}".encode())

    def refuse(self, refusal: Refusal | Missing, tx: Tx) -> Reply:
        """Return an error as plain text."""
        status = refusal.status if isinstance(refusal, Refusal) else 404
        return Reply(status, {}, str(refusal).encode(), "refused")


class FlowProduct(Product):
    """What is installed is a Flow."""

    def install(self) -> App:
        """Return the app."""
        return Flow(self)


class LedgerProduct(Product):
    """What is installed is a Ledger."""

    def install(self) -> App:
        """Return the app."""
        return Ledger(self)


FLOW = FlowProduct("flow")
LEDGER = LedgerProduct("ledger")


@FLOW.record("runs", ids=counter(1))
class Run(Record):
    """One call and its answer."""

    name: str
    status: int
    headers: dict[str, str]
    body: str


@LEDGER.record("lines", ids=counter(1))
class Line(Record):
    """What was written, and by whom."""

    text: str
    by: str


@LEDGER.record("keys", ids=counter(1))
class Key(Record):
    """A key that the ledger gave out."""

    person: str
    secret: str


class LineWritten(Notice):
    """The ledger has a new line."""

    text: str


@FLOW.command
def start(tx: Tx, text: str) -> None:
    """Call the ledger."""
    tx.call("ledger", Request("POST", "/lines", headers={"x-key": "k1"}, body=text.encode()), finish, name=text)


@FLOW.command
def start_and_fail(tx: Tx, text: str) -> None:
    """Call the ledger, and be refused."""
    start(tx, text)
    raise Refusal(409, "Busy")


@FLOW.command
def start_nowhere(tx: Tx, text: str) -> None:
    """Call an app that this company does not have."""
    tx.call("bank", Request("GET", "/"), finish, name=text)


@FLOW.command
def finish(tx: Tx, name: str, status: int, headers: dict[str, str], body: str) -> None:
    """Write down the answer."""
    tx.add(Run(name=name, status=status, headers=headers, body=body))


@LEDGER.on(LineWritten)
def total(tx: Tx, notice: LineWritten) -> None:
    """The ledger's own trigger."""
    tx.add(Line(text=f"total after {notice.text}", by="trigger"))


COMPANY = Company("flow and ledger", [FLOW, LEDGER])


@pytest.fixture
def world() -> World:
    """A flow and a ledger, at rest."""
    return World.open(COMPANY, image_for(COMPANY), 0)


def act(world: World, text: str, command: str = "start") -> None:
    """Start the flow, and let it run."""
    world.send("flow", Request("POST", f"/{command}", body=text.encode()), ANA)
    world.wait(timedelta(seconds=1))


def runs(world: World) -> list[Run]:
    """What the flow got back."""
    return world.read(lambda tx: tx.all(Run))


def test_the_answer_is_passed_to_the_named_command(world: World) -> None:
    act(world, "tea")
    assert runs(world) == [Run(id=1, name="tea", status=201, headers={"x-line": "1"}, body="wrote tea")]


def test_a_call_is_three_events_in_order(world: World) -> None:
    act(world, "tea")
    asked, served, answered = (event for event in world.events if event.app in ("flow", "ledger"))
    assert [(event.app, event.operation, event.door) for event in (asked, served, answered)] == [
        ("flow", "start", "python"), ("ledger", "write", "world"), ("flow", "finish", "agenda"),
    ]  # fmt: skip
    assert served.request == {"method": "POST", "path": "/lines", "query": "", "headers": {}, "body": "tea"}
    assert answered.request["args"] == {"name": "tea", "status": 201, "headers": {"x-line": "1"}, "body": "wrote tea"}
    assert asked.root == served.root == answered.root == asked.seq


def test_a_call_is_not_a_turn_and_takes_no_time(world: World) -> None:
    before = world.now
    world.send("flow", Request("POST", "/start", body=b"tea"), ANA)
    assert (world.turn, world.now - before) == (1, timedelta(seconds=1))
    assert len(runs(world)) == 1
    assert [event.turn for event in world.events if event.app == "ledger"] == [1]


def test_a_refusal_is_an_answer_and_changes_nothing_at_the_target(world: World) -> None:
    act(world, "refuse")
    assert [(run.status, run.body) for run in runs(world)] == [(422, "422 Unwanted: no such line")]
    assert world.read(lambda tx: tx.count(Line)) == 0
    (event,) = (event for event in world.events if event.app == "ledger")
    assert (event.reply["status"], event.reply["refused"], event.changes[0].table) == (422, "refused", "_agenda")


def test_a_missing_record_at_the_target_is_its_404(world: World) -> None:
    act(world, "miss")
    assert [run.status for run in runs(world)] == [404]


def test_the_target_finds_the_caller_in_its_own_rows(world: World) -> None:
    world.do(lambda tx: tx.add(Key(person="robot@flow.example", secret="k1")), "system:tester")
    act(world, "tea")
    assert world.read(lambda tx: tx.get(Line, 1)).by == "app:robot@flow.example"
    (event,) = (event for event in world.events if event.app == "ledger")
    assert event.actor == "app:robot@flow.example"
    assert "k1" not in str(event.request)


def test_a_caller_that_the_target_does_not_know_is_anonymous(world: World) -> None:
    act(world, "tea")
    assert world.read(lambda tx: tx.get(Line, 1)).by == str(ANONYMOUS)
    act(world, "refuse")
    assert {event.actor for event in world.events if event.app == "ledger"} == {str(ANONYMOUS)}


def test_a_refused_caller_keeps_its_name(world: World) -> None:
    world.do(lambda tx: tx.add(Key(person="robot@flow.example", secret="k1")), "system:tester")
    act(world, "refuse")
    assert [event.actor for event in world.events if event.app == "ledger"] == ["app:robot@flow.example"]


def test_changes_of_a_call_are_not_the_called_apps_own(world: World) -> None:
    act(world, "tea")
    served, answered = (event for event in world.events if event.door in ("world", "agenda"))
    by = {(change.after or {}).get("text", ""): change.by for change in served.changes if change.op == "insert"}
    assert by == {"tea": "flow.call", "total after tea": "ledger.total"}
    assert [change.by for change in answered.changes] == ["flow.finish"]


def test_a_request_that_is_refused_sends_nothing(world: World) -> None:
    with pytest.raises(Refusal):
        world.apply("flow", "start_and_fail", text="tea")
    world.wait(timedelta(seconds=1))
    assert runs(world) == []
    assert world.read(lambda tx: tx.count(Line)) == 0


def test_a_call_to_an_app_that_does_not_exist_is_a_defect(world: World) -> None:
    with pytest.raises(Defect, match="flow and ledger has no app 'bank'"):
        world.send("flow", Request("POST", "/start_nowhere", body=b"tea"), ANA)
    assert world.defect is not None


def test_only_a_command_can_take_an_answer(world: World) -> None:
    with pytest.raises(Defect, match="is not a command of flow and ledger"):
        world.do(lambda tx: tx.call("ledger", Request("GET", "/"), lambda tx: None), "system:tester")


def test_a_pending_call_is_part_of_a_snapshot(world: World) -> None:
    world.send("flow", Request("POST", "/start", body=b"tea"), ANA, turn=False)
    assert runs(world) == []
    snapshot = world.snapshot()
    there = World.at(Snapshot.load(snapshot.dump(), COMPANY, snapshot.image))
    for one in (world, there):
        one.wait(timedelta(seconds=1))
        assert [run.body for run in runs(one)] == ["wrote tea"]
    assert (there.trace, there.state) == (world.trace, world.state)


def test_settling_waits_for_a_call_and_its_answer(world: World) -> None:
    world.send("flow", Request("POST", "/start", body=b"tea"), ANA, turn=False)
    world.wait(timedelta(hours=1), "rest")
    assert [run.name for run in runs(world)] == ["tea"]
