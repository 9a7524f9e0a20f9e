"""Law 6. Planes do not touch: an agent can neither see nor change the data of the control plane."""

import ast
import inspect
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from diorama.episodes.episode import Episode
from diorama.episodes.hands import Hands
from diorama.kernel import Tx
from tests.laws.village import VILLAGERS, Mood, complain, deliver, put_letter, start

SOURCE = Path(__file__).parents[2] / "src" / "diorama"
CANARY = "canary-7f3a91"
PROBES = (
    "x", "", "*", "%", "_truth", CANARY[:6], "' OR 1=1 --", "' UNION SELECT value FROM _truth --",
    '" OR text MATCH "*', "x) UNION SELECT value FROM _truth --", "../../_truth", "1; SELECT * FROM _world",
)  # fmt: skip

MISFITS: tuple[Any, ...] = (*PROBES, 1, -1, 10**9, None, [], {})


def with_canaries(episode: Episode) -> Episode:
    """Return the same episode with a canary at every place that the agent must not see."""
    world = episode.world
    gradebook = dict(world.truth["gradebook"])
    world.truth["oracle"] = {"actions": [CANARY]}
    world.truth["gradebook"] = {**gradebook, "report": CANARY}

    def hide(tx: Tx) -> None:
        tx.add(Mood(person=CANARY, anger=0))
        tx.later(timedelta(hours=20), complain, person=CANARY)
        tx.fault("bank", "down", timedelta(hours=30), timedelta(hours=1), "nothing", detail=CANARY)
        tx.control("INSERT INTO _meters VALUES (?, 0, 0)", CANARY)
        tx.control("INSERT INTO _replies VALUES (?, 0, ?, 200, ?, ?, ?)", CANARY, CANARY, "{}", CANARY.encode(), "")

    world.do(hide, f"system:{CANARY}")
    other = start(99)
    other.world.do(lambda tx: put_letter(tx, "x", CANARY).id, "system:test")
    assert world.read(lambda tx: tx.count(Mood, "person = ?", CANARY)) == 1
    return Episode(episode.scenario, world)


def seen_by_an_agent(episode: Episode) -> Iterator[str]:
    """Yield every reply of every tool and every path, with every probe in every field."""
    hands = episode.hands
    yield hands.brief
    yield repr(hands.tools)
    for tool in hands.tools:
        fields = tool["parameters"]["properties"]
        for probe in MISFITS:
            if tool["name"] not in ("finish", "wait"):
                twin = episode.fork()
                yield repr(msgspec.to_builtins(twin.call(tool["name"], dict.fromkeys(fields, probe))))
    for app in ("bank", "post"):
        target: Any = episode.world.company.app(app)
        for operation in target.product.operations:
            for probe in PROBES:
                path = operation.path.replace("{case_id}", probe or "1")
                body = dict.fromkeys(("to", "text", "cents", "status", "memo"), probe)
                for query in ("", f"?owner={probe}&search={probe}"):
                    reply = episode.fork().http(app, operation.method, path + query, body)
                    yield repr((reply.headers, reply.body))
    yield hands.call("wait", {"minutes": 30}).text
    yield hands.call("finish", {"report": "?"}).text


def test_law_06_no_reply_error_or_observation_shows_the_control_plane() -> None:
    episode = with_canaries(start(4))
    seen = list(seen_by_an_agent(episode))
    assert len(seen) > 200
    shown = [text for text in seen if CANARY in text]
    assert not shown, shown[:3]


def test_law_06_the_crawl_would_find_a_leak() -> None:
    episode = with_canaries(start(4))
    episode.world.do(lambda tx: put_letter(tx, episode.scenario.person, f"psst: {CANARY}").id, "system:leak")
    assert any(CANARY in text for text in seen_by_an_agent(episode))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT value FROM _truth",
        "WITH t AS (SELECT value FROM _truth) SELECT * FROM t",
        "SELECT * FROM (SELECT dice, state FROM _world)",
        "SELECT args FROM _agenda",
        "SELECT * FROM _villagers_moods",
        "UPDATE _truth SET value = '{}'",
        "DELETE FROM _agenda",
        "UPDATE _world SET turn = 0, now = 0",
        "INSERT INTO _replies VALUES ('a', 0, '', 200, '{}', '', '')",
        "SELECT sql FROM sqlite_schema",
    ],
)
def test_law_06_sql_of_app_code_cannot_reach_the_control_tables(sql: str) -> None:
    episode = with_canaries(start(4))

    def tries(tx: Tx) -> None:
        with pytest.raises((apsw.AuthError, apsw.SQLError), match=r"not authorized|prohibited"):
            tx.rows(sql)

    episode.world.do(tries, "staff:app@village.example")


def test_law_06_an_agent_holds_hands_and_nothing_else() -> None:
    episode = start(4)
    hands = episode.hands
    held = {name for name in dir(hands) if not name.startswith("_")}
    assert held == {"brief", "call", "ended", "http", "seats", "tools"}
    assert not hasattr(hands, "__dict__")
    assert set(inspect.signature(Hands.call).parameters) == {"self", "tool", "arguments"}


def test_law_06_no_tool_or_path_takes_the_agent_to_the_control_plane() -> None:
    episode = start(4)
    for name in ("snapshot", "restore", "fork", "score", "seed", "truth", "oracle", "__class__", "_keep", "gradebook"):
        assert episode.fork().call(name).is_error
    for path in ("/v1/health", "/v1/episodes", "/v1/metrics", "/_truth", "/truth", "/score"):
        assert episode.fork().http("bank", "GET", path).status == 404
    with pytest.raises(LookupError):
        episode.http(VILLAGERS.name, "GET", "/")


def test_law_06_what_an_agent_does_cannot_change_the_truth_or_the_rules() -> None:
    episode = start(4)
    truth, facts = msgspec.to_builtins(episode.truth), [f.name for f in episode.grader.facts]
    for _ in seen_by_an_agent(episode):
        pass
    again = Episode(episode.scenario, episode.world)
    assert msgspec.to_builtins(again.truth) == truth
    assert [f.name for f in again.grader.facts] == facts


def reaches(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where app code accesses what belongs to the control plane."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("control", "truth", "_store", "chain", "snapshot", "fork"):
            yield node.lineno, node.attr


def test_law_06_no_app_uses_the_control_plane() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: .{name}"
        for path in sorted((SOURCE / "apps").rglob("*.py"))
        for line, name in reaches(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(found)
    assert list(reaches(ast.parse("tx.control('SELECT value FROM _truth')")))


def test_law_06_a_letter_to_another_person_wakes_no_agent() -> None:
    episode = start(4)
    before = episode.world.now
    for minutes, to in ((10, "v1@village.example"), (20, episode.scenario.person), (30, "v2@village.example")):
        episode.world.plan(timedelta(minutes=minutes), deliver, to=to, text=CANARY)
    seen = episode.call("wait", {"until": "notice", "minutes": 59})
    assert episode.world.now - before == timedelta(minutes=20)
    assert seen.data is not None
    assert seen.data["notices"] == [{"notice": "LetterCame"}]
    assert CANARY not in seen.text
    assert episode.call("wait", {"minutes": 15}).data["notices"] == []
