"""Law 2. One gateway: every request of every actor through every door is one transaction and one event."""

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from threading import Thread

from diorama.check.http_door import send_http
from diorama.episodes.episode import ACTING_DOORS, INPUT_DOORS, Episode
from diorama.kernel import Actor, Request, Tx, World
from diorama.kernel.testing import fresh
from diorama.kit import Product
from diorama.rewards import View, fact
from tests.laws.village import BANK, BANK_APP, POST_APP, Case, Debt, PayItBack, debt, start, village

SOURCE = Path(__file__).parents[2] / "src" / "diorama"


def test_law_02_each_request_through_each_door_is_one_event() -> None:
    episode = start(2)
    pay = b'{"to": "nobody", "cents": 1}'
    for door, act in (
        ("tools", lambda: episode.call("bank_look_at_case", {"case_id": 1})),
        ("tools", lambda: episode.call("bank_pay", {"to": "nobody", "cents": 1})),
        ("tools", lambda: episode.call("no_such_tool")),
        ("tools", lambda: episode.call("wait", {"minutes": 1})),
        ("python", lambda: episode.http("bank", "GET", "/nowhere")),
        ("python", lambda: episode.http("post", "GET", "/letters")),
        ("http", lambda: send_http(episode, BANK_APP, Request("POST", "/payments", body=pay))),
        ("http", lambda: send_http(episode, POST_APP, Request("GET", "/letters"))),
    ):
        before, turns = len(episode.events), episode.turns
        act()
        fresh = episode.events[before:]
        assert [(event.door, event.turn) for event in fresh] == [(door, turns + 1)]
        assert fresh[0].actor == "agent:clerk@village.example"


def test_law_02_delayed_work_is_its_own_event() -> None:
    episode = start(2)
    episode.call("bank_pay", {"to": debt(episode).creditor, "cents": 5})
    root = episode.events[-1].seq
    episode.call("wait", {"minutes": 180})
    receipt = episode.events[-1]
    assert (receipt.operation, receipt.door, receipt.root) == ("confirm", "agenda", root)
    assert receipt.actor == "system:links"


def test_law_02_an_unknown_token_never_reaches_the_gateway() -> None:
    episode = start(2)
    before = episode.trace
    assert send_http(episode, POST_APP, Request("GET", "/letters"), secret="another").status == 401
    assert episode.trace == before


def two_clients(order: list[int]) -> World:
    """Send the requests of two clients in a given order."""
    world = village()
    for who in order:
        body = f'{{"to": "v1@village.example", "cents": {who}}}'.encode()
        world.send("bank", Request("POST", "/payments", body=body), Actor("agent", f"client{who}@x.example"))
    return world


def test_law_02_arrival_order_is_an_input_and_is_recorded() -> None:
    one, other = two_clients([1, 2, 1, 2]), two_clients([1, 1, 2, 2])
    arrived = [event.actor for event in one.events if event.app == "bank" and event.operation == "make_payment"]
    assert arrived == ["agent:client1@x.example", "agent:client2@x.example"] * 2
    assert one.trace != other.trace
    assert two_clients([1, 2, 1, 2]).trace == one.trace


def test_law_02_a_background_request_is_recorded_and_costs_nothing() -> None:
    world = village()
    before, seen = (world.now, world.turn), len(world.events)
    world.send("bank", Request("GET", "/accounts"), Actor("agent", "x@x.example"), "browser", turn=False)
    assert (world.now, world.turn, len(world.events)) == (*before, seen + 1)


def test_law_02_only_a_declared_background_operation_is_free() -> None:
    page = Product("page", title="Page", refusals=BANK.refusals, envelope=BANK.envelope)

    @page.get("/badge", background=True)
    def show_badge(tx: Tx) -> dict[str, int]:
        """Show the number on the tab."""
        return {"unread": 1}

    @page.get("/inbox")
    def show_inbox(tx: Tx) -> dict[str, int]:
        """Show the inbox."""
        return {"unread": 1}

    world = fresh([page.install("page.example")])
    for path, turns in (("/badge", 0), ("/inbox", 1), ("/badge", 1), ("/nowhere", 2)):
        world.send("page", Request("GET", path, headers={"x-background": "true"}), Actor("agent", "x@x.example"))
        assert world.turn == turns, path


def test_law_02_threads_of_one_agent_wait_for_each_other() -> None:
    episode = start(2)

    def act() -> None:
        for _ in range(6):
            episode.call("bank_pay", {"to": "nobody", "cents": 1})
            episode.http("bank", "GET", "/accounts")

    together([act] * 4)
    assert episode.ended != "void"
    numbers = [event.seq for event in episode.events]
    assert numbers == list(range(1, len(numbers) + 1))


class LongDebt(PayItBack):
    """Time for many turns."""

    name = "bank/long-debt"
    turns = 10_000
    hours = 10_000.0


def together(acts: Sequence[Callable[[], object]]) -> None:
    """Run functions at the same time, one thread each."""
    threads = [Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "a thread waits forever"


def replayed(episode: Episode) -> Episode:
    """Feed the recorded inputs of an episode into a fresh one."""
    again = start(2, LongDebt())
    for event in episode.events[again.gradebook.staged_seq :]:
        if event.door in INPUT_DOORS and event.root == event.seq:
            again.redo(event)
    return again


def test_law_02_every_parallel_turn_is_recorded_once_and_replays() -> None:
    episode = start(2, LongDebt())
    lines = list(range(16))

    def act(line: int) -> None:
        for number in range(6):
            memo = f"{line}.{number}"
            episode.call("bank_pay", {"to": debt(episode).creditor, "cents": 1, "memo": memo})
            episode.http("bank", "GET", f"/accounts?memo={memo}")
            episode.call("wait", {"minutes": 1})
            episode.call(f"no_such_tool {memo}")
            assert episode.score.parts

    together([partial(act, line) for line in lines])
    asked = [str(event.request) for event in episode.events if event.door in ACTING_DOORS]
    assert episode.turns == len(asked) == 16 * 6 * 4
    for line, number in product(lines, range(6)):
        assert sum(f"no_such_tool {line}.{number}'" in one for one in asked) == 1
        assert sum(f"'memo={line}.{number}'" in one for one in asked) == 1
    again = replayed(episode)
    assert (again.trace, again.state, again.turns) == (episode.trace, episode.state, episode.turns)


def test_law_02_forks_and_restores_between_parallel_turns_are_whole() -> None:
    episode = start(2, LongDebt())
    twins: list[Episode] = []

    def act() -> None:
        for _ in range(6):
            episode.call("bank_pay", {"to": debt(episode).creditor, "cents": 1})
            episode.call("wait", {"minutes": 1})

    def fork() -> None:
        for _ in range(6):
            twins.append(episode.fork())
            twins[-1].call("bank_pay", {"to": "nobody", "cents": 1})

    def restore() -> None:
        for _ in range(3):
            snapshot = episode.snapshot()
            episode.call("wait", {"minutes": 7})
            episode.restore(snapshot)

    def look() -> None:
        for _ in range(30):
            assert episode.turns >= 0
            assert episode.state
            assert episode.trace
            assert episode.events[-1].seq

    together([*[act] * 11, fork, fork, restore, restore, look])
    for one in (episode, *twins):
        assert one.ended is None
        again = replayed(one)
        assert (again.trace, again.state, again.turns) == (one.trace, one.state, one.turns)
    assert episode.finish().ended == "done"


def test_law_02_a_call_from_inside_a_turn_does_not_deadlock() -> None:
    judged: list[Episode] = []
    inside: list[object] = []

    class Asks(LongDebt):
        """A judge that uses the episode which it judges."""

        @fact("resolved")
        def asked(self, view: View, truth: Debt) -> bool:
            """Ask for the number of turns, and take one."""
            if judged:
                episode = judged.pop()
                inside.extend([episode.turns, episode.call("no_such_tool")])
            return False

    episode = start(2, Asks())
    judged.append(episode)
    together([lambda: episode.call("bank_pay", {"to": debt(episode).creditor, "cents": 1})])
    assert len(inside) == 2
    assert episode.call("wait", {"minutes": 1}).ended == (episode.ended == "void")


def ways_around(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where code outside the kernel accesses connections, lanes or pages."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("_transact", "_lane", "_store", "_fire"):
            yield node.lineno, node.attr
        if isinstance(node, ast.ImportFrom) and node.module in ("diorama.kernel.lane", "diorama.kernel.pages"):
            yield node.lineno, node.module
        if isinstance(node, ast.Import | ast.ImportFrom) and "apsw" in ast.unparse(node):
            yield node.lineno, "apsw"


def test_law_02_only_the_kernel_opens_a_transaction() -> None:
    allowed = {
        "runs/store.py",  # the run store is a database of its own
    }
    found = []
    for layer in (
        "kit",
        "apps",
        "people",
        "worlds",
        "scenarios",
        "rewards",
        "doors",
        "episodes",
        "runs",
        "server",
        "contract",
    ):
        for path in sorted((SOURCE / layer).rglob("*.py")):
            inner = path.relative_to(SOURCE).as_posix()
            if not inner.startswith(tuple(allowed)):
                found += [f"{inner}:{line}: {what}" for line, what in ways_around(ast.parse(path.read_text()))]
    assert not found, "\n".join(found)


def test_law_02_the_check_can_fail() -> None:
    for code in ("world._transact()", "import apsw", "from diorama.kernel.lane import LANES", "tx._store.query('x')"):
        assert list(ways_around(ast.parse(code)))


def test_law_02_a_request_is_one_transaction() -> None:
    world = village()
    case = world.do(lambda tx: tx.add(Case(about="x")), "system:test")
    bad = Request("PUT", f"/cases/{case.id}", body=b'{"status": "lost"}')
    before = world.state
    assert world.send("bank", bad, Actor("agent", "x@x.example")).status == 422
    assert world.state == before


def test_law_02_every_change_says_who_wrote_it() -> None:
    episode = start(2)
    truth = debt(episode)
    episode.call("wait", {"minutes": 70})  # the villager complains
    episode.call("bank_pay", {"to": truth.creditor, "cents": truth.cents})
    episode.call("wait", {"minutes": 180})  # the receipt comes
    staged = episode.gradebook.staged_seq
    by = {
        (change.table, change.by)
        for event in episode.events[staged:]
        for change in event.changes
        if change.table != "_agenda"
    }
    assert by == {
        ("_villagers_moods", "villagers.complain"),
        ("post_letters", "villagers.complain"),
        ("bank_accounts", "bank"),
        ("bank_entries", "bank"),
        ("_villagers_moods", "links.calm"),
        ("post_letters", "links.confirm"),
    }


def test_law_02_a_wait_and_a_finish_belong_to_the_world_itself() -> None:
    episode = start(2)
    for call, name in (("wait", "wait"), ("no_such_tool", "wrong_call"), ("finish", "finish")):
        episode.call(call, {"minutes": 1} if call == "wait" else {})
        event = next(event for event in reversed(episode.events) if event.door == "tools")
        assert (event.app, event.operation, event.actor) == ("world", name, "agent:clerk@village.example")
