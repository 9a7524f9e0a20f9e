"""Law 2. One gateway: every request of every actor through every door is one transaction and one event."""

import ast
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

from diorama.check.http_door import send_http
from diorama.kernel import Actor, Request, Tx, World
from diorama.kernel.testing import fresh
from diorama.kit import Product
from tests.laws.village import BANK, BANK_APP, POST_APP, Case, debt, start, village

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
    product = Product("page", title="Page", refusals=BANK.refusals, envelope=BANK.envelope)

    @product.get("/badge", background=True)
    def show_badge(tx: Tx) -> dict[str, int]:
        """Show the number on the tab."""
        return {"unread": 1}

    @product.get("/inbox")
    def show_inbox(tx: Tx) -> dict[str, int]:
        """Show the inbox."""
        return {"unread": 1}

    world = fresh([product.install("page.example")])
    for path, turns in (("/badge", 0), ("/inbox", 1), ("/badge", 1), ("/nowhere", 2)):
        world.send("page", Request("GET", path, headers={"x-background": "true"}), Actor("agent", "x@x.example"))
        assert world.turn == turns, path


def test_law_02_threads_of_one_agent_wait_for_each_other() -> None:
    episode = start(2)

    def act() -> None:
        for _ in range(6):
            episode.call("bank_pay", {"to": "nobody", "cents": 1})
            episode.http("bank", "GET", "/accounts")

    threads = [Thread(target=act) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert episode.ended != "void"
    numbers = [event.seq for event in episode.events]
    assert numbers == list(range(1, len(numbers) + 1))


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
