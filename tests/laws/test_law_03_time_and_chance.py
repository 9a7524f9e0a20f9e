"""Law 3. Time and chance belong to the world: same image, same seed, same inputs, same bytes, on every day."""

import ast
import json
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from diorama.episodes.episode import INPUT_DOORS, Episode
from diorama.kernel import Actor, Request, World
from tests.laws.elsewhere import acts, lived
from tests.laws.village import DEBT, put_letter, start, village

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "diorama"
PLACES = {
    "another hash order": {"PYTHONHASHSEED": "1"},
    "yet another hash order": {"PYTHONHASHSEED": "4242"},
    "another time zone": {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "7"},
    "another language": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "no language at all": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    "another day": {"FAKE_WALL": "4102444800.5"},
    "the first second there was": {"FAKE_WALL": "0.25", "TZ": "America/St_Johns"},
}


def histories(**settings: str) -> Any:
    """Run the same four histories in a separate process."""
    env = {key: value for key, value in os.environ.items() if key not in ("TZ", "LC_ALL", "LANG", "PYTHONHASHSEED")}
    child = subprocess.run(
        [sys.executable, "-m", "tests.laws.elsewhere", "live"],
        env={**env, **settings}, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


@pytest.fixture(scope="module")
def here() -> list[list[str]]:
    return [lived(seed) for seed in range(4)]


@pytest.mark.parametrize("place", PLACES)
def test_law_03_the_same_history_in_every_process_on_every_day(place: str, here: list[list[str]]) -> None:
    assert histories(**PLACES[place]) == here


def test_law_03_other_seeds_give_other_histories(here: list[list[str]]) -> None:
    assert len({one[1] for one in here}) == 4
    assert lived(0) == here[0]


def test_law_03_recorded_inputs_in_arrival_order_give_the_same_bytes() -> None:
    for seed in range(3):
        episode = start(seed)
        begun = episode.snapshot()
        acts(episode, f"replay {seed}", 14)
        again = Episode(DEBT, World.at(begun))
        for event in episode.events[len(again.events) :]:
            if event.door in INPUT_DOORS:
                again.redo(event)
        assert [event.trace for event in again.events] == [event.trace for event in episode.events]
        assert [event.state for event in again.events] == [event.state for event in episode.events]
        assert again.finish().reward == episode.finish().reward


def test_law_03_outside_answers_are_recorded_inputs() -> None:
    episode = start(1)
    episode.elapse(12.5)
    paced = episode.events[-1]
    assert (paced.door, paced.operation, paced.request["seconds"]) == ("paced", "wait", 12.5)
    assert episode.turns == 0
    world = village()
    world.apply("villagers", "complain", Actor("system", "outside"), person="v1@village.example")
    assert world.events[-1].door == "input"


def test_law_03_a_paced_clock_replaces_the_declared_thinking_time() -> None:
    begun = start(1).snapshot()
    virtual, paced = (Episode(DEBT, World.at(begun)) for _ in range(2))
    paced.elapse(1.0)
    for episode in (virtual, paced):
        episode.call("post_read_letters")
    assert (virtual.world.now - paced.world.now).total_seconds() == DEBT.think_seconds - 1.0
    again = Episode(DEBT, World.at(begun))
    for event in paced.events[len(again.events) :]:
        if event.door in INPUT_DOORS:
            again.redo(event)
    assert (again.trace, again.world.now) == (paced.trace, paced.world.now)


def test_law_03_wall_time_is_beside_an_event_and_not_in_it() -> None:
    one, other = village(), village()
    for world in (one, other):
        world.do(lambda tx: put_letter(tx, "x", "y").id, "system:test")
    for event in one.events:
        assert event.wall > 0
    one.chain.entry(0).wall = 0.0
    assert one.trace == other.trace
    assert one.chain.entry(0).core == other.chain.entry(0).core


def test_law_03_virtual_time_moves_by_declared_costs_only() -> None:
    moments = set()
    for pause in (0, 200_000):
        episode = start(1)
        sum(range(pause))  # the machine may be slow
        episode.call("post_read_letters")
        episode.call("wait", {"minutes": 3})
        moments.add(episode.world.now - timedelta(0))
    assert len(moments) == 1


def drawn_by_sequence(code: str) -> list[int]:
    """The lines that key dice by a sequence number: one more request before would change what is drawn."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(code))
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in ("dice", "dice_for", "child")
        for node in ast.walk(ast.Module([ast.Expr(one) for one in (*call.args, *(k.value for k in call.keywords))], []))
        if isinstance(node, ast.Attribute) and node.attr == "seq"
    ]


def test_law_03_no_draw_depends_on_how_many_requests_came_before() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in drawn_by_sequence(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_law_03_the_check_of_dice_keys_can_fail() -> None:
    for code in (
        "tx.dice('request', tx.seq)",
        "tx.dice(f'request {tx.seq}').hex(8)",
        "dice_for(key, 'x', event.seq)",
        "self.tx.dice('x').child('y', *(1, self.tx.seq))",
    ):
        assert drawn_by_sequence(code)
    assert not drawn_by_sequence("tx.dice('request', tx.now_us)\nprint(tx.seq)")


def test_law_03_an_idle_request_before_changes_no_later_draw() -> None:
    def entry(idle: int) -> str:
        world = village()
        for _ in range(idle):
            world.send("bank", Request("GET", "/accounts"), Actor("agent", "x@x.example"), turn=False)
        body = b'{"to": "v1@village.example", "cents": 5}'
        reply = world.send("bank", Request("POST", "/payments", body=body), Actor("agent", "x@x.example"))
        letters = world.send("post", Request("GET", "/letters"), Actor("agent", "x@x.example"))
        return f"{reply.text} {letters.headers['x-stamp']}"

    assert entry(0) == entry(1) == entry(5)


def test_law_03_no_sql_of_ours_asks_for_local_time() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value.lower()
                if re.search(r"['\"]localtime['\"]|\bor (?:fail|rollback)\b.*\binto\b", text):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.value[:80]}")
    assert not found, "\n".join(found)
