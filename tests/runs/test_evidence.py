"""A run folder is evidence: every change of it is refused, with a message that names it."""

import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest
from typer.testing import CliRunner

from diorama.cli import Verbs, app
from diorama.episodes.usage import Misuse
from diorama.runs import commands
from diorama.runs.digests import take_key
from diorama.runs.engine import Engine
from diorama.runs.evidence import Verdict, refused, verify_run
from diorama.runs.file import FILE, Damaged, RunFile, WrongRun
from diorama.runs.jobs import run_info
from diorama.runs.perform import perform, versions_of
from diorama.runs.schema import SCHEMA
from diorama.runs.store import Job, Store, lost
from diorama.runs.taxonomy import Tally
from tests.runs import forged
from tests.runs.bakery import bakery, perform_in_bakery
from tests.runs.forged import LOSER, Forger, forging, reseal

pytestmark = pytest.mark.usefixtures("in_the_bakery")

KEY = "a key that is not in the folder"
KILLED = "the worker process ended in the middle of an episode: signal 9 (SIGKILL)"
GUESTS = "python:tests.runs.guests:"
PLAN = [
    *(Job("oracle", "oven/bake", seed) for seed in range(3)),
    *(Job(LOSER, "oven/bake", seed, index) for seed in range(3) for index in range(2)),
    Job(f"{GUESTS}burns", "oven/bake", 0),
    Job(f"{GUESTS}speaks_http", "oven/bake", 0),
    Job(f"{GUESTS}writes_much", "oven/bake", 0),
]


def made(folder: Path) -> Path:
    with bakery(), Store.begin(folder, run_info(["tests"], PLAN), KEY) as store:
        Engine(store, perform_in_bakery, 2).run()
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("evidence") / "run")


def verdict(folder: Path, digest: str = "", key: str = "") -> Verdict:
    try:
        with Store.open(folder) as store:
            return verify_run(store, digest=digest, key=key)
    except Damaged as damaged:
        return refused(damaged)


def named(found: Verdict) -> set[str]:
    return {finding.forgery for finding in found.findings}


def digest_of(folder: Path) -> str:
    with Store.open(folder) as store:
        return store.digest()


def test_an_honest_run_is_verified_and_voids_are_counted_apart(run: Path) -> None:
    found = verdict(run, digest=digest_of(run), key=KEY)
    assert found.findings == []
    assert (found.episodes, found.planned, found.verified, found.void) == (13, 12, 11, 2)
    assert (found.refused, found.not_verified, found.proof) == (0, {}, "digest")
    assert verdict(run, key=KEY).proof == "key"
    assert verdict(run).proof == ""


FORGERIES: list[tuple[Callable[[Forger], None], str, str]] = [
    (forged.empty_events, "events emptied", "events emptied"),
    (forged.empty_everything, "result changed", "failure turned into void"),
    (forged.cut_events, "events cut", "events cut"),
    (forged.cut_events_and_result, "history changed", "history changed"),
    (forged.win, "result changed", "result changed"),
    (forged.win_and_grade, "result changed", "history changed"),
    (forged.delete_failures, "episode deleted", "episode deleted"),
    (forged.delete_a_rerun, "episode deleted", "episode deleted"),
    (forged.void_a_failure, "failure turned into void", "failure turned into void"),
    (forged.void_a_failure_twice, "result changed", "failure turned into void"),
    (forged.void_a_request, "result changed", "transcript replaced"),
    (forged.void_a_true_reply, "result changed", "failure turned into void"),
    (forged.void_before_a_rerun, "result changed", "failure turned into void"),
    (forged.blame_the_provider, "result changed", "failure turned into void"),
    (forged.blame_the_sandbox, "result changed", "history changed"),
    (forged.stop_the_noop, "result changed", "result changed"),
    (forged.relabel_agent_column, "relabelled", "relabelled"),
    (forged.relabel_the_oracle, "relabelled", "relabelled"),
    (forged.relabel_the_oracle_as_a_program, "relabelled", ""),
    (forged.relabel_a_loser, "relabelled", "history changed"),
    (forged.relabel_seed, "relabelled", "history swapped"),
    (forged.relabel_scenario, "relabelled", "unplanned episode"),
    (forged.swap_histories, "history swapped", "events cut"),
    (forged.swap_everything, "history swapped", "history swapped"),
    (forged.replace_transcript, "transcript replaced", "transcript replaced"),
    (forged.empty_transcript, "transcript replaced", "transcript replaced"),
    (forged.swap_transcripts, "transcript swapped", "transcript replaced"),
    (forged.double, "episode doubled", "episode doubled"),
    (forged.double_in_place, "episode doubled", "episode doubled"),
    (forged.double_without_the_rule, "schema changed", "schema changed"),
    (forged.rewrite_summary, "summary rewritten", ""),
    (forged.shrink_plan, "plan changed", ""),
    (forged.reorder, "order changed", "order changed"),
    (forged.swap_image, "image or code swapped", "image or code swapped"),
    (forged.swap_source, "image or code swapped", "image or code swapped"),
    (forged.clear_quarantine, "quarantine changed", "quarantine changed"),
    (forged.add_quarantine, "quarantine changed", "quarantine changed"),
    (forged.change_body, "body changed", "body changed"),
    (forged.add_body, "body changed", "body changed"),
    (forged.add_a_named_body, "body changed", "body changed"),
    (forged.add_to_a_body, "body changed", "body changed"),
    (forged.plan_a_success_again, "plan changed", "plan changed"),
    (forged.plan_overlapping_seeds, "plan changed", "plan changed"),
    (forged.change_command, "column changed", "column changed"),
    (forged.say_it_was_played, "column changed", "column changed"),
    (forged.add_a_version, "column changed", "column changed"),
    (forged.let_a_program_speak, "transcript replaced", "transcript replaced"),
    (forged.add_column, "schema changed", "schema changed"),
    (forged.add_table, "schema changed", "schema changed"),
    (forged.add_trigger, "schema changed", "schema changed"),
    (forged.add_index, "schema changed", "schema changed"),
    (forged.show_a_view, "schema changed", "schema changed"),
    (forged.swap_index, "damaged file", "damaged file"),
    (forged.act_as_the_system, "result changed", "history changed"),
    (forged.let_wall_time_pass, "result changed", "history changed"),
    (forged.double_later, "history changed", "episode doubled"),
    (forged.reopen_run, "episode deleted", "episode deleted"),
]
"""Each change, its name, and its name after all digests were made to fit ("": only the run's digest shows it)."""


@pytest.mark.parametrize(("forge", "name", "resealed"), FORGERIES, ids=lambda one: getattr(one, "__name__", ""))
def test_a_forgery_is_refused_by_name(
    forge: Callable[[Forger], None], name: str, resealed: str, run: Path, tmp_path: Path
) -> None:
    digest = digest_of(run)
    with forging(run, tmp_path / "forged") as forger:
        forge(forger)
    assert name in named(verdict(tmp_path / "forged"))
    reseal(tmp_path / "forged")
    found = named(verdict(tmp_path / "forged", digest=digest, key=KEY))
    without = found - {"another digest", "wrong seal"}
    assert resealed in (without or {""})
    if forge is not forged.rewrite_summary:  # which resealing undoes
        assert without or found == {"another digest", "wrong seal"}


@cache
def bomb(part: bytes, megabytes: int = 1500) -> bytes:
    """Return a few megabytes that take much memory when they are decompressed or decoded."""
    pack = zlib.compressobj(9)
    piece = part * ((1 << 20) // len(part))
    return b"".join([pack.compress(b"["), *(pack.compress(piece) for _ in range(megabytes)), pack.flush()])


DEEP = "[" * 100_000 + "]" * 100_000
RECORDS: dict[str, Callable[[Forger], None]] = {
    "deep result": lambda forger: forger.put(forger.row("success"), result=DEEP),
    "deep events": lambda forger: forger.put(forger.row("success"), events=zlib.compress(DEEP.encode())),
    "deep transcript": lambda forger: forger.put(forger.row("success"), transcript=zlib.compress(DEEP.encode())),
    "deep bodies": lambda forger: forger.put(forger.row("success"), bodies=DEEP),
    "deep plan": lambda forger: forger.put_run(plan=DEEP),
    "deep versions": lambda forger: forger.put_run(versions=DEEP),
    "deep summary": lambda forger: forger.put_run(summary=DEEP),
    "large events": lambda forger: forger.put(forger.row("success"), events=bomb(b" ")),
    "many values": lambda forger: forger.put(forger.row("success"), transcript=bomb(b"[],", 100)),
    "many values in a result": lambda forger: forger.put(forger.row("success"), result="[],[]," * 5_000_000),
    "large body": lambda forger: run_sql(forger, "UPDATE bodies SET body = ?", bomb(b" ")),
    "data behind its end": lambda forger: forger.put(
        forger.row("success"), events=forger.row("success")["events"] + b"x"
    ),
    "no JSON": lambda forger: forger.put_run(summary="{"),
    "no object": lambda forger: forger.put(forger.row("success"), result="null"),
    "no list": lambda forger: forger.put(forger.row("success"), events=zlib.compress(b'{"a": 1}')),
    "no turns": lambda forger: forger.put(forger.row("success"), transcript=zlib.compress(b"[null]")),
    "no text": lambda forger: run_sql(forger, "UPDATE episodes SET note = CAST(x'ff80' AS TEXT)"),
    "no name": lambda forger: run_sql(forger, "UPDATE episodes SET agent = agent || CAST(x'ff' AS TEXT)"),
    "no command": lambda forger: run_sql(forger, "UPDATE run SET command = CAST(x'ff80' AS TEXT)"),
    "many planned": lambda forger: replan(forger, episodes=10**12),
    "many repeats": lambda forger: replan(forger, group=10**9),
    "none planned": lambda forger: replan(forger, episodes=-1),
}
"""Records that no one can read, and plans that no machine can hold in memory."""


def run_sql(forger: Forger, sql: str, *values: Any) -> None:
    forger.db.execute(sql, values)


def replan(forger: Forger, **changed: int) -> None:
    first, *others = msgspec.json.decode(forger.run("plan"))
    forger.put_run(plan=msgspec.json.encode([first | changed, *others]).decode())


@pytest.mark.parametrize("what", RECORDS)
def test_a_record_that_cannot_be_read_is_a_finding(what: str, run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "forged"
    with forging(run, folder) as forger:
        RECORDS[what](forger)
    found = verdict(folder)
    assert found.findings
    for asked in ([str(folder)], [str(folder), "1"]):  # to show it is one line at most, too
        result = CliRunner().invoke(app, ["replay", *asked])
        assert result.exception is None or isinstance(result.exception, SystemExit | Misuse)


@pytest.mark.parametrize("what", ["large events", "many values", "large body"])
def test_a_small_file_cannot_take_much_memory(what: str, run: Path, tmp_path: Path) -> None:
    with forging(run, tmp_path / "forged") as forger:
        RECORDS[what](forger)
    reseal(tmp_path / "forged")
    code = f"""if True:
        import resource, sys
        from pathlib import Path
        from tests.runs.bakery import bakery
        from tests.runs.test_evidence import verdict
        with bakery():
            found = verdict(Path({str(tmp_path / "forged")!r}))
        print("".join(map(str, found.findings)), file=sys.stderr)
        print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "oven/bake:train:" in done.stderr, "the message names the row"
    assert int(done.stdout) < 900_000, "kilobytes"


def test_a_plan_has_every_job_once(tmp_path: Path) -> None:
    info = run_info(["tests"], [Job("noop", "oven/bake", 0)])
    with pytest.raises(WrongRun, match=r"oven/bake:train:0@noop more than once"):
        Store.begin(tmp_path, msgspec.structs.replace(info, plan=[*info.plan, *info.plan]))
    results = [(Job("noop", "oven/bake", 0), {"ended": "done", "success": True, "reward": 1.0})]
    planned = [Job("noop", "oven/bake", seed) for seed in range(2)]
    summary = Tally(results, [*planned, *planned[:1] * 30]).summary()
    assert (summary["planned"], summary["n"], summary["planned_success_rate"]) == (2, 1, 0.5)


def test_the_stored_command_is_read_as_the_command_line_reads_it() -> None:
    known = {word for option in Verbs().get_command(None, "run").params for word in option.opts}
    assert {word for word in known if word.startswith("--")} == {*commands.PLANNING, *commands.OTHER, *commands.FLAGS}
    agents = ("oracle", "openai:b")
    jobs = [Job(agent, "oven/bake", seed, index) for agent in agents for seed in (4, 5) for index in range(2)]
    info = run_info([], jobs)
    words = ["oven/bake", "--agent=oracle", "--agent", "openai:b", "--seed", "4", "--episodes", "2", "--group=2"]
    words += ["--out", "--json"]
    for command in (["run", *words], ["--path", "run", "run", "--json", *words], ["demo"], ["pytest", "-q"], []):
        assert commands.contradiction(msgspec.structs.replace(info, command=command)) == ""
    assert commands.spelled_out(["run", "oven/*", "--out", "o*"], ["oven/bake", "oven/cake"]) == [
        "run", "oven/bake", "oven/cake", "--out", "o*",
    ]  # fmt: skip
    both = ["oven/bake", "oven/cake"]
    for given in (["*ake", "--out", "*"], ["--out", "*", "oven?*ake"], ["--out", "*", "--json", "--", "*"]):
        found = [one for one in commands.spelled_out(["--path", "*", "run", *given], both) if one in both]
        assert found == both
    assert commands.contradiction(msgspec.structs.replace(info, command=["run", "oven/*", *words[1:]])) != ""
    for command in (["run", *words, "--seed", "5"], ["run", *words, "x/y"], ["run", *words, "--agent"], ["run", "-x"]):
        assert commands.contradiction(msgspec.structs.replace(info, command=command)) != ""


@pytest.mark.parametrize(
    "more",
    [
        "", "--seed=+5", "--seed=5.0", "--seed=1.5", "--seed=-1", "--seed=x", "--episodes=0", "--episodes=1000001",
        "--group=0", "--parallel=257", "--parallel=x", "--split=nope", "--split=eval", "--agent-seconds=0",
        "--agent-seconds=inf", "--agent-seconds=1e308", "--agent-seconds=nan", "--agent-seconds=1e3", "--out=",
        "--json=1", "--epi=2", "-x", "--agent", "--", "--seed=x --seed=5",
    ],
)  # fmt: skip
def test_a_command_is_refused_where_the_command_line_refuses_it(more: str) -> None:
    words = ["oven/bake", "--agent", "oracle", *more.split()]
    try:
        Verbs().get_command(None, "run").make_context("run", list(words))
        taken = True
    except Exception:  # noqa: BLE001 - whatever the command line says of it
        taken = False
    try:
        commands._given(words)
    except ValueError:
        assert not taken
    else:
        assert taken


@pytest.mark.parametrize("words", [["run"], ["run", "oven/bake"], ["run", "oven/bake", "--agent", "person"], ["play"]])
def test_a_command_that_no_run_has_is_refused(words: list[str]) -> None:
    info = run_info(words, [Job("person" if "person" in words else "oracle", "oven/bake", 0)])
    assert commands.contradiction(info) != ""


def test_a_person_plays_one_episode_of_play() -> None:
    info = run_info(["play", "oven/bake"], [Job("person", "oven/bake", 3)])
    assert commands.contradiction(info) == ""
    assert commands.contradiction(msgspec.structs.replace(info, command=["mine"])) != ""
    two = run_info(["play", "oven/bake"], [Job("person", "oven/bake", seed) for seed in (0, 1)])
    assert commands.contradiction(two) != ""


def test_all_reading_is_of_the_tables_themselves(run: Path) -> None:
    asked: list[str] = []
    with Store.open(run) as store, closing(sqlite3.connect(run / FILE)) as db:
        with mock.patch.multiple(RunFile, query=noted(RunFile.query, asked), rows=noted(RunFile.rows, asked)):
            verify_run(store)
            for job in store.find():
                store.load(job)
            assert [list(store.results()), store.notes(), store.count(), store.digest()]
        for query in dict.fromkeys(asked):
            plan = " ".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {query}", (1,) * query.count("?")))
            assert "USING INDEX" not in plan
            assert "COVERING INDEX" not in plan
    assert len(set(asked)) > 8


def noted(method: Callable[..., Any], asked: list[str]) -> Callable[..., Any]:
    def query(file: RunFile, sql: str, *values: Any) -> Any:
        asked.append(sql)
        return method(file, sql, *values)

    return query


def test_repeats_of_an_agent_that_acts_the_same_are_verified(run: Path) -> None:
    with Store.open(run) as store:
        traces = [store.load(Job(LOSER, "oven/bake", 0, index)).result["trace"] for index in range(2)]
    assert traces[0] == traces[1]
    assert verdict(run).findings == []


def test_a_lost_worker_is_not_verified(tmp_path: Path) -> None:
    noop = Job("noop", "oven/bake", 0)
    with Store.begin(tmp_path, run_info(["tests"], [noop])) as store:
        store.add([lost(noop, "engine", "worker_death", KILLED, versions_of("oven/bake"))])
        store.add([perform(msgspec.structs.replace(noop, attempt=1))])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    found = verdict(tmp_path)
    assert (found.findings, found.verified, found.void, found.outside) == ([], 1, 0, [noop.name])
    assert "a replay does not meet again: engine: the worker process ended" in found.not_verified[noop.name]


def columns(table: str) -> list[str]:
    schema = sqlite3.connect(":memory:")
    schema.executescript(SCHEMA)
    return [row[1] for row in schema.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("column", columns("episodes"))
def test_a_change_of_any_column_of_an_episode_is_refused(column: str, run: Path, tmp_path: Path) -> None:
    with forging(run, tmp_path / "forged") as forger:
        row = forger.row("success AND seed = 1")
        forger.put(row, **{column: other_than(row[column])})
    found = verdict(tmp_path / "forged")
    assert found.refused == 1
    assert column.removesuffix("s") in " ".join(map(str, found.findings))


@pytest.mark.parametrize("column", [name for name in columns("run") if name not in ("format", "seal")])
def test_a_change_of_any_column_of_the_run_is_refused(column: str, run: Path, tmp_path: Path) -> None:
    with forging(run, tmp_path / "forged") as forger:
        value = forger.run(column)
        if column in ("plan", "versions", "command", "summary"):
            value = value.replace("oven", "fire") if column != "command" else '["other"]'
            forger.put_run(**{column: value.replace("agent_gave_up", "success")})
        else:
            forger.put_run(**{column: other_than(value)})
    assert verdict(tmp_path / "forged").findings


def other_than(value: Any) -> Any:
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    if isinstance(value, str):
        return f"{value} " if value.startswith(("{", "[")) else f"{value}x"
    return 77 if value is None else value + 40


def test_episodes_of_another_run_are_refused(run: Path, tmp_path: Path) -> None:
    other = made(tmp_path / "other")
    with forging(run, tmp_path / "forged") as forger:
        forger.db.execute("ATTACH ? AS other", (str(other / FILE),))
        mine = forger.row("success")
        place = f"agent = 'oracle' AND seed = {mine['seed']}"
        forger.db.execute(f"DELETE FROM episodes WHERE {place}")
        forger.db.execute(f"UPDATE other.episodes SET number = -1 WHERE NOT ({place}) AND number = {mine['number']}")
        forger.db.execute(f"UPDATE other.episodes SET number = {mine['number']} WHERE {place}")
        forger.db.execute(f"INSERT INTO episodes SELECT * FROM other.episodes WHERE {place}")
    found = verdict(tmp_path / "forged")
    assert "mixed runs" in named(found)
    assert found.refused == 1


def test_an_empty_run_proves_nothing(run: Path, tmp_path: Path) -> None:
    with forging(run, tmp_path / "forged") as forger:
        forger.db.execute("DELETE FROM episodes")
    found = verdict(tmp_path / "forged")
    assert found.verified == 0
    assert "episode deleted" in named(found)


def test_an_unfinished_run_is_not_evidence_yet(tmp_path: Path) -> None:
    with Store.begin(tmp_path, run_info(["tests"], PLAN)) as store:
        store.add([perform(PLAN[0])])
    assert {"unfinished run", "episode deleted"} <= named(verdict(tmp_path))


def test_another_version_is_not_verified_and_not_a_forgery(run: Path, tmp_path: Path) -> None:
    with forging(run, tmp_path / "old") as forger:
        forger.put_run(versions=forger.run("versions").replace(found_source(forger), "of last week"), seal=None)
        for row in forger.rows():
            forger.put(row, source="of last week")
    reseal(tmp_path / "old")
    found = verdict(tmp_path / "old")
    assert found.findings == []
    assert (found.verified, found.void, len(found.not_verified)) == (0, 0, 13)
    assert "was recorded with source of last week" in next(iter(found.not_verified.values()))


def found_source(forger: Forger) -> str:
    source: str = msgspec.json.decode(forger.run("versions"))["oven/bake"]["source"]
    return source


def test_a_seal_needs_the_key(run: Path, tmp_path: Path) -> None:
    assert named(verdict(run, key="another key")) == {"wrong seal"}
    shutil.copytree(run, tmp_path / "bare")
    with sqlite3.connect(tmp_path / "bare" / FILE) as db:
        db.execute("UPDATE run SET seal = NULL")
    assert named(verdict(tmp_path / "bare", key=KEY)) == {"no seal", "wrong seal"}
    assert KEY.encode() not in (run / FILE).read_bytes()


def test_a_seal_that_no_key_gives_is_refused_without_the_key(run: Path, tmp_path: Path) -> None:
    assert verdict(run).sealed
    with forging(run, tmp_path / "forged") as forger:
        forged.break_seal(forger)
    assert named(verdict(tmp_path / "forged")) == {"wrong seal"}


def test_the_key_is_not_inherited_by_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_RUN_KEY", KEY)
    assert take_key() == KEY
    assert take_key() == ""


def test_the_digest_of_a_complete_run_does_not_change(run: Path) -> None:
    before = digest_of(run), (run / FILE).read_bytes()
    with Store.begin(run, run_info(["tests"], PLAN)) as store:
        Engine(store, perform_in_bakery, 2).run()
    assert (digest_of(run), (run / FILE).read_bytes()) == before


def test_voiding_never_pays(run: Path) -> None:
    with Store.open(run) as store:
        summary = msgspec.json.decode(store.described()[0]["summary"])
    by_agent = summary["by_agent"]
    assert (by_agent["oracle"]["success_rate"], by_agent["oracle"]["planned_success_rate"]) == (1.0, 1.0)
    burnt = by_agent[f"{GUESTS}burns"]
    assert (burnt["graded"], burnt["success_rate"], burnt["planned"], burnt["planned_success_rate"]) == (
        0,
        None,
        1,
        0.0,
    )
    assert (summary["planned"], summary["planned_success_rate"]) == (12, 0.25)
    assert summary["success_rate"] == pytest.approx(3 / 11)
