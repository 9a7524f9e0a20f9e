"""Every kind of agent makes turns of its own shape; a record with other turns is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diorama.episodes.agents.recorded import IDLE_AT_MOST, AgentHands
from diorama.episodes.episode import Episode, start
from diorama.kernel import Request
from diorama.runs.engine import Engine
from diorama.runs.evidence import verify_run
from diorama.runs.file import Damaged
from diorama.runs.jobs import run_info
from diorama.runs.perform import perform, stored_episode
from diorama.runs.replay import LOSSES, check, is_loss, verify
from diorama.runs.shapes import SHAPES, misfit
from diorama.runs.store import Finished, Job, Store, lost, pack, unpack
from diorama.runs.taxonomy import Tally
from diorama.runs.workers import describe_loss
from tests.runs.bakery import perform_in_bakery
from tests.runs.forged import forging, reseal
from tests.runs.test_invented import OURS, invented, saved

REFUND = "zendesk/late-refund"
baked = pytest.mark.usefixtures("in_the_bakery")
MODEL = "openai:m-1"
SAID = {"said": "I look first.", "usage": {}}


def played(agent: str, act: Callable[[AgentHands], Any], scenario: str = "oven/bake") -> Finished:
    """Return an episode that was played through the interface of an agent."""
    episode = start(scenario, 0)
    hands = AgentHands(episode.hands, episode.world)
    act(hands)
    return stored_episode(Job(agent, scenario, 0), episode, hands, episode.finish(agent=agent))


def renamed(finished: Finished, agent: str) -> Finished:
    """Return an episode under the name of another agent."""
    return replace(finished, job=replace(finished.job, agent=agent), result=finished.result | {"agent": agent})


def changed(finished: Finished, change: Callable[[list[dict[str, Any]]], Any]) -> Finished:
    """Return an episode with another transcript."""
    turns = unpack(finished.transcript)
    change(turns)
    return replace(finished, transcript=pack(turns))


def converse(hands: AgentHands) -> None:
    """Act as a model does: a message, two calls, a message, the end."""
    hands.remember(SAID)
    hands.call("oven_look", {})
    hands.call("oven_look", {})
    hands.remember(SAID)
    hands.call("finish", {"report": "I looked."})


@baked
def test_the_turns_of_a_model_are_verified() -> None:
    assert verify(played(MODEL, converse)) is None


@baked
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda turns: turns.pop(0), "turn 1 has no message of its model"),
        (lambda turns: turns.insert(0, turns[0]), "turn 2 is a second message"),
        (lambda turns: turns.append(turns[0]), "its last message is not followed by a call"),
        (lambda turns: turns[0].update(more=1), "turn 1 is not one that a run writes"),
        (lambda turns: turns[1].update(more=None), "turn 2 is not one that a run writes"),
        (lambda turns: turns[1].update(wall=7), "not a time that a clock gave"),
        (lambda turns: turns[1].pop("text"), "turn 2 is not one that a run writes"),
        (lambda turns: turns.append({"event": 7}), "it is neither a call nor a message"),
    ],
)
def test_other_turns_of_a_model_are_refused(change: Callable[[list[Any]], Any], told: str) -> None:
    assert told in str(verify(changed(played(MODEL, converse), change)))


@baked
@pytest.mark.parametrize(
    ("agent", "new", "told"),
    [
        ("oracle", MODEL, "no message of its model"),
        ("python:tests.runs.guests:speaks_http", MODEL, "a request to an API, which openai agents cannot make"),
        ("python:tests.runs.guests:speaks_http", "random", "a request to an API, which random agents cannot make"),
        ("python:tests.runs.guests:speaks_http", "person", "a request to an API, which person agents cannot make"),
        ("oracle", "noop", "a tool call, which noop agents cannot make"),
        ("noop", MODEL, "it stopped before the episode had ended"),
        ("noop", "person", "it stopped before the episode had ended"),
    ],
)
def test_turns_of_another_agent_are_relabelled(agent: str, new: str, told: str, tmp_path: Path) -> None:
    found = saved(tmp_path / "run", renamed(perform(Job(agent, "oven/bake", 0)), new))
    assert found.findings[0].forgery == "relabelled"
    assert told in str(found.findings[0])


@baked
def test_only_a_program_goes_on_after_the_end() -> None:
    def goes_on(hands: AgentHands) -> None:
        hands.call("finish", {})
        hands.call("oven_look", {})

    assert verify(played(OURS, goes_on)) is None
    assert "person" in SHAPES
    assert verify(played("person", goes_on)) is not None

    def goes_on_for_long(hands: AgentHands) -> None:
        for _ in range(110):
            goes_on(hands)

    assert verify(played(OURS, goes_on_for_long)) is not None


@baked
def test_a_person_calls_only_tools_that_there_are() -> None:
    assert verify(played("person", lambda hands: hands.call("finish", {}))) is None

    def mistypes(hands: AgentHands) -> None:
        hands.call("no_such_tool", {})
        hands.call("finish", {})

    assert verify(played("person", mistypes)) is not None
    assert verify(played(OURS, mistypes)) is None


def test_agents_of_ours_have_a_shape_too() -> None:
    assert misfit("noop", [], "done") is None
    assert misfit("noop", [{"tool": "a", "arguments": {}, "text": "", "is_error": False, "wall": 1.0}], "done")


# --- requests


def ask_and_end(hands: AgentHands) -> None:
    """Send requests until the turns are used up: the last one ends the episode."""
    while not hands.ended:
        hands.http("oven", "GET", "/loaves", headers={"x-mine": "1"})


@baked
@pytest.mark.parametrize(
    "change",
    [
        lambda turn: turn.update(request={"headers": {"x": "forged"}, "body": ""}),
        lambda turn: turn.update(request={"headers": {}, "body": "", "invented": 1}),
        lambda turn: turn.update(seat="nobody"),
        lambda turn: turn.update(seat=""),
        lambda turn: turn.update(token="invalid"),
        lambda turn: turn.update(http="GET https://evil.example/loaves"),
    ],
)
def test_a_request_with_an_event_has_nothing_else_to_tell(change: Callable[[dict[str, Any]], Any]) -> None:
    finished = played(OURS, ask_and_end)
    assert "request" not in unpack(finished.transcript)[-1]
    assert verify(finished) is None
    assert verify(changed(finished, lambda turns: change(turns[0]))) is not None
    assert verify(changed(finished, lambda turns: change(turns[-1]))) is not None


@baked
@pytest.mark.parametrize(
    "change",
    [
        lambda turn: turn.pop("request"),
        lambda turn: turn["request"].update(invented=1),
        lambda turn: turn["request"].update(body=""),
    ],
)
def test_a_request_that_broke_the_episode_is_compared(change: Callable[[dict[str, Any]], Any]) -> None:
    finished = perform(Job("python:tests.runs.guests:burns_by_http", "oven/bake", 0))
    assert check(finished) == (None, "")
    assert verify(changed(finished, lambda turns: change(turns[1]))) is not None


@pytest.mark.parametrize("line", ["GET /api/v2/users/me.json", "GET https://evil.example/api/v2/users/me.json"])
def test_a_request_to_a_host_of_no_app_is_refused(line: str) -> None:
    def act(hands: AgentHands) -> None:
        episode: Episode = kept[0]
        reply = episode.request("zendesk", Request("GET", "/api/v2/users/me.json", host="evil.example"), "python")
        hands.remember({"http": line, "app": "zendesk", "text": reply.text, "is_error": False})

    episode = start(REFUND, 0)
    kept = [episode]
    hands = AgentHands(episode.hands, episode.world)
    act(hands)
    finished = stored_episode(Job(OURS, REFUND, 0), episode, hands, episode.finish(agent=OURS))
    assert "evil.example" in str(verify(finished))


@pytest.mark.parametrize(
    ("change", "times"),
    [
        ({"seat": "nobody"}, 1),
        ({"is_error": False}, 1),
        ({"said": "I paid."}, 1),
        ({"http": "SOLVED"}, 1),
        ({"http": "GET https://evil.example/x"}, 1),
        ({"app": "backoffice"}, 1),
        ({"token": "valid"}, 1),
        ({}, IDLE_AT_MOST + 5),
    ],
)
def test_invented_turns_with_an_invalid_token_are_refused(change: dict[str, Any], times: int) -> None:
    finished = perform(Job("python:tests.runs.guests:shows_an_invalid_token", REFUND, 0))
    assert unpack(finished.transcript)[1]["token"] == "invalid"
    assert verify(finished) is None
    assert verify(changed(finished, lambda turns: turns.insert(1, turns[1]))) is None, "an agent may have tried again"
    assert verify(changed(finished, lambda turns: turns.__setitem__(slice(1, 1), [turns[1] | change] * times)))


# --- times, faults, seals


@baked
@pytest.mark.parametrize("seconds", [-5.0, 7, 700.0])
def test_wall_times_that_no_clock_gave_are_refused(seconds: float, tmp_path: Path) -> None:
    made = perform(Job("oracle", "oven/bake", 0))
    found = saved(tmp_path / "run", replace(made, result=made.result | {"wall_seconds": seconds}))
    assert [one.forgery for one in found.findings] == ["times changed" if seconds == 700.0 else "result changed"]
    assert "of wall time" in str(found.findings[0])


@baked
def test_an_agent_that_was_cut_short_took_longer_than_its_limit(tmp_path: Path) -> None:
    made = invented(None, "time_limit", "oracle", "the agent took more than 600 s of wall time")
    found = saved(tmp_path / "run", made)
    assert "its note says that the agent took more than 600 s" in str(found.findings[0])


@baked
def test_the_note_on_an_agent_of_ours_is_compared(tmp_path: Path) -> None:
    found = saved(tmp_path / "run", replace(perform(Job("oracle", "oven/bake", 0)), note="I love it"))
    assert "the note was 'I love it', now ''" in str(found.findings[0])


@baked
@pytest.mark.parametrize("agent", ["noop", "python:tests.runs.guests:crashes"])
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("ValueError", "I invented this"),
        ("worker_death", "I invented this"),
        ("hang", "an episode did not end within 1320 s of wall time"),
    ],
)
def test_a_fault_of_the_engine_that_no_run_writes_is_refused(
    agent: str, kind: str, message: str, tmp_path: Path
) -> None:
    job = Job(agent, "oven/bake", 0)
    with Store.begin(tmp_path, run_info(["mine"], [job])) as store:
        store.add([lost(job, "engine", kind, message)])
        store.add([perform(replace(job, attempt=1))])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    with Store.open(tmp_path) as store:
        found = verify_run(store)
    assert [one.forgery for one in found.findings] == ["failure turned into void"]
    assert found.outside == []


@baked
def test_a_lost_worker_is_told_as_the_engine_tells_it(tmp_path: Path) -> None:
    with Store.begin(tmp_path, run_info(["mine"], [Job("noop", "oven/bake", 0)])) as store:
        engine = Engine(store, perform_in_bakery)
        for code in (-9, -11, 7, None):
            kind, message = engine._loss("died", code)
            assert describe_loss(code) in message
            assert is_loss({"kind": kind, "message": message}, 0.0)
        kind, message = engine._loss("hung", None)
        assert is_loss({"kind": kind, "message": message}, 660.5)
        assert not is_loss({"kind": kind, "message": message}, 1.5)
    assert set(LOSSES) == {"worker_death", "no_start", "hang"}


@baked
def test_attempts_that_share_their_staging_are_not_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    jobs = [Job(MODEL, "oven/bake", 0), Job("oracle", "oven/bake", 0)]
    with Store.begin(tmp_path, run_info(["mine"], jobs)) as store:
        store.add([perform(jobs[0]), perform(replace(jobs[0], attempt=1)), perform(jobs[1])])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    with Store.open(tmp_path) as store:
        found = verify_run(store)
    assert found.findings == []
    assert len(found.outside) == 2


@baked
@pytest.mark.parametrize("what", ["row", "result", "description", "saved without a key", "another key"])
def test_a_changed_run_is_not_continued_with_a_key(what: str, tmp_path: Path) -> None:
    jobs = [Job(OURS, "oven/bake", seed) for seed in range(3)]
    info = run_info(["mine"], jobs)
    with Store.begin(tmp_path / "run", info, "" if what == "saved without a key" else "k1") as store:
        store.add([perform(jobs[0])])
        store.add([perform(jobs[1])])
    with Store.begin(tmp_path / "run", info, "" if what == "saved without a key" else "k1") as store:
        assert store.count() == 2, "an unchanged run is continued"
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        if what == "row":
            forger.db.execute("DELETE FROM episodes WHERE number = 1")
        elif what == "result":
            forger.put_result(forger.row("number = 2"), reward=0.5)
        elif what == "description":
            forger.put_run(command=msgspec.json.encode(["others"]).decode())
    reseal(tmp_path / "forged")
    with pytest.raises(Damaged, match=r"cannot be continued with this key: .* was changed"):
        Store.begin(tmp_path / "forged", info, "k2" if what == "another key" else "k1")
    Store.begin(tmp_path / "forged", info).close()
