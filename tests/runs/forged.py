"""Changes that someone could make to a run folder, and the means to make them consistent afterwards."""

import re
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start
from diorama.kernel import Actor, Boundary, Defect
from diorama.runs.digests import ROW_COLUMNS, RUN_COLUMNS, digests_of
from diorama.runs.file import FILE, Damaged
from diorama.runs.perform import stored_episode
from diorama.runs.store import COPIES, Finished, Store, job_of, pack, unpack
from diorama.runs.taxonomy import Tally

Json = dict[str, Any]
LOSER = "python:tests.runs.guests:crashes"


class Forger:
    """A writable copy of a run folder."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def rows(self, where: str = "1") -> list[Json]:
        """Return rows of attempts."""
        found = self.db.execute(f"SELECT * FROM episodes WHERE {where} ORDER BY number")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def row(self, where: str) -> Json:
        """Return the first attempt that fits."""
        return self.rows(where)[0]

    def put(self, row: Json, **changed: Any) -> None:
        """Change some columns of one attempt."""
        settings = ", ".join(f"{name} = ?" for name in changed)
        self.db.execute(f"UPDATE episodes SET {settings} WHERE number = ?", (*changed.values(), row["number"]))

    def insert(self, row: Json) -> None:
        """Add an attempt."""
        self.db.execute(
            f"INSERT INTO episodes ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", (*row.values(),)
        )

    def put_result(self, row: Json, **changed: Any) -> None:
        """Change the result of an attempt, and the columns that repeat it."""
        result = msgspec.json.decode(row["result"]) | changed
        labels = {name: result[name] for name in ("agent", "scenario", "split", "seed")}
        copies = {name: result[name] for name in (*COPIES, "wall_seconds")}
        self.put(row, result=msgspec.json.encode(result).decode(), **labels, **copies)

    def put_events(self, row: Json, change: Callable[[list[Json]], Any]) -> None:
        """Change the history of an attempt."""
        events = unpack(row["events"])
        change(events)
        self.put(row, events=pack(events))

    def put_run(self, **changed: Any) -> None:
        """Change the description of the run."""
        for name, value in changed.items():
            self.db.execute(f"UPDATE run SET {name} = ?", (value,))

    def run(self, name: str) -> Any:
        """Return a column of the run's description."""
        return self.db.execute(f"SELECT {name} FROM run").fetchone()[0]


@contextmanager
def forging(run: Path, to: Path) -> Iterator[Forger]:
    """Copy a run folder and change the copy."""
    shutil.copytree(run, to)
    db = sqlite3.connect(to / FILE)
    with db:
        yield Forger(db)
    db.close()


def reseal(folder: Path) -> None:
    """Make every digest and the summary fit the content, as anyone who has the code can do."""
    try:
        Store.open(folder).close()
    except Damaged:  # nothing can be made to fit
        return
    db = sqlite3.connect(folder / FILE)
    with db:
        forger = Forger(db)
        described = {name: forger.run(name) for name in RUN_COLUMNS}
        forger.put_run(digests=digests_of(described["id"], RUN_COLUMNS, described))
        for row in forger.rows():
            forger.put(row, digests=digests_of(described["id"], ROW_COLUMNS, row))
    db.close()
    with Store.open(folder) as store:
        results = [(job, msgspec.json.decode(result)) for job, result, _ in store.outcomes()]  # also damaged ones
        summary = Tally(results, store.info.jobs).summary(store.quarantined())
        digest = store.digest()
    db = sqlite3.connect(folder / FILE)
    with db:
        Forger(db).put_run(summary=msgspec.json.encode(summary).decode(), digest=digest)
    db.close()


# --- what someone could change


def empty_events(forger: Forger) -> None:
    """Remove the history of a success."""
    forger.put(forger.row("success"), events=pack([]))


def empty_everything(forger: Forger) -> None:
    """Remove the history of a failure and make it a lost worker."""
    row = forger.row(f"agent = '{LOSER}'")
    fault = {"boundary": "engine", "kind": "worker_death", "message": "the worker process ended", "at": None}
    lost = {"ended": "void", "success": None, "reward": None, "score": None, "fault": fault, "turns": 0}
    forger.put_result(row, **lost, state="", trace="", virtual_seconds=0.0, plan="")
    forger.put(row, events=pack([]), transcript=pack([]))


def cut_events(forger: Forger) -> None:
    """Remove the last events."""
    forger.put_events(forger.row("success"), lambda events: events.__delitem__(slice(-2, None)))


def cut_events_and_result(forger: Forger) -> None:
    """Remove the last events, and let the result end where they do."""
    row = forger.row("success")
    kept = unpack(row["events"])[:-2]
    forger.put_result(row, state=kept[-1]["state"], trace=kept[-1]["trace"])
    forger.put(forger.row("success"), events=pack(kept))


def win(forger: Forger) -> None:
    """Turn a failure into a success."""
    forger.put_result(forger.row(f"agent = '{LOSER}'"), success=True, reward=1.0)


def win_and_grade(forger: Forger) -> None:
    """Turn a failure into a success, also in the grader's own signal."""
    row = forger.row(f"agent = '{LOSER}'")
    forger.put_result(row, success=True, reward=1.0)
    forger.put_events(row, lambda events: events[-1]["signals"][-1].update(value=1.0))


def delete_failures(forger: Forger) -> None:
    """Delete the failures."""
    forger.db.execute("DELETE FROM episodes WHERE NOT success")


def delete_a_rerun(forger: Forger) -> None:
    """Delete the first attempt of an episode that was tried again."""
    forger.db.execute("DELETE FROM episodes WHERE ended = 'void' AND attempt = 0")


def void_a_failure(forger: Forger) -> None:
    """Turn a failure into void."""
    fault = {"boundary": "app", "kind": "KeyError", "message": "it was the harness", "at": None}
    row = forger.row(f"agent = '{LOSER}'")
    forger.put_result(row, ended="void", success=None, reward=None, score=None, fault=fault)


def void_a_failure_twice(forger: Forger) -> None:
    """Turn a failure into void, with the second attempt and the quarantine that follow, before it was graded."""
    fault = {"boundary": "app", "kind": "KeyError", "message": "it was the harness", "at": None}
    row = forger.row(f"agent = '{LOSER}' AND seed = 2 AND idx = 1")
    kept = [event for event in unpack(row["events"]) if event["operation"] != "finish"]
    last = {"state": kept[-1]["state"], "trace": kept[-1]["trace"]}
    forger.put(row, events=pack(kept))
    forger.put_result(row, ended="void", success=None, reward=None, score=None, fault=fault, **last)
    forger.insert(forger.row(f"number = {row['number']}") | {"number": len(forger.rows()) + 1, "attempt": 1})
    forger.db.execute(
        "INSERT INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?)",
        (row["agent"], row["scenario"], row["split"], row["seed"], "app", "KeyError", "it was the harness"),
    )


def put_attempt(forger: Forger, row: Json, finished: Finished) -> None:
    """Replace the content of an attempt."""
    forger.put_result(row, **finished.result)
    forger.put(row, events=finished.events, transcript=finished.transcript, note=finished.note)


def void_at(forger: Forger, row: Json, turns: list[Json], boundary: Boundary) -> None:
    """Cut an attempt to its staging and some turns without an event, and make it void."""
    job = job_of(row)
    episode = start(job.scenario, job.seed, split=job.split)
    hands = AgentHands(episode.hands, episode.world)
    hands.transcript += turns
    defect = Defect("it was the harness", boundary=boundary, kind="KeyError", at=len(episode.world.chain))
    put_attempt(forger, row, stored_episode(job, episode, hands, episode.void(defect, job.agent)))


def void_a_request(forger: Forger, boundary: Boundary = "app", text: str = "x") -> None:
    """Turn a failure into void twice, by a request that is only in the transcript, and quarantine the variant."""
    row = forger.row(f"agent = '{LOSER}' AND seed = 2 AND idx = 1")
    void_at(
        forger,
        row,
        [{"http": "GET /loaves", "app": "oven", "text": text, "is_error": text == "x", "wall": 1.5}],
        boundary,
    )
    forger.insert(forger.row(f"number = {row['number']}") | {"number": len(forger.rows()) + 1, "attempt": 1})
    forger.db.execute(
        "INSERT INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?)",
        (row["agent"], row["scenario"], row["split"], row["seed"], boundary, "KeyError", "it was the harness"),
    )


def void_a_true_reply(forger: Forger) -> None:
    """The same for the grader, with the reply that the app gives."""
    void_a_request(forger, "grader", '{"loaves":[{"id":1,"kind":"old"}]}')


def void_before_a_rerun(forger: Forger) -> None:
    """Put an invented void before a graded attempt."""
    row = forger.row(f"agent = '{LOSER}' AND seed = 2 AND idx = 1")
    forger.insert(row | {"number": len(forger.rows()) + 1, "attempt": 1})
    void_at(forger, row, [], "app")


def blame_the_provider(forger: Forger) -> None:
    """Claim that the provider of an agent in a process of its own failed."""
    for attempt in (0, 1):
        row = forger.row(f"agent = '{LOSER}' AND seed = 2 AND idx = 1")
        if attempt:
            row |= {"number": len(forger.rows()) + 1, "attempt": 1}
            forger.insert(row)
        void_at(forger, row, [], "provider")


def blame_the_sandbox(forger: Forger) -> None:
    """Claim that the process of an agent could not be started, without the history of staging."""
    row = forger.row(f"agent = '{LOSER}'")
    fault = {"boundary": "sandbox", "kind": "no_process", "message": "it could not be started", "at": None}
    gone = {"ended": "void", "success": None, "reward": None, "score": None, "fault": fault, "turns": 0}
    forger.put_result(row, **gone, state="", trace="", virtual_seconds=0.0, plan="")
    forger.put(row, events=pack([]), transcript=pack([]))


def stop_the_noop(forger: Forger) -> None:
    """Claim that the agent that does nothing did what the oracle does, and ran out of wall time."""
    relabel(forger, "oracle", "noop")
    for row in forger.rows("agent = 'noop'"):
        job = job_of(row)
        episode = start(job.scenario, job.seed, split=job.split)
        hands = AgentHands(episode.hands, episode.world)
        hands.call("oven_bake", {"kind": msgspec.structs.asdict(episode.truth)["kind"]})
        result = episode.finish(ended="time_limit", agent="noop")
        assert result.success
        note = "the agent took more than 600 s of wall time"
        put_attempt(forger, row, stored_episode(job, episode, hands, result, note))


def relabel_agent_column(forger: Forger) -> None:
    """Change the agent's name in the column only."""
    forger.put(forger.row(f"agent = '{LOSER}'"), agent="openai:mine")


def relabel(forger: Forger, old: str, new: str) -> None:
    """Change the agent's name everywhere."""
    for row in forger.rows(f"agent = '{old}'"):
        forger.put_result(row, agent=new)
    for column in ("plan", "command"):
        forger.put_run(**{column: forger.run(column).replace(old, new)})


def relabel_the_oracle(forger: Forger) -> None:
    """Claim that a model did what the oracle did."""
    relabel(forger, "oracle", "openai:mine")


def relabel_the_oracle_as_a_program(forger: Forger) -> None:
    """Claim that a program did what the oracle did, which a program can do."""
    relabel(forger, "oracle", "python:mine:agent")


def relabel_a_loser(forger: Forger) -> None:
    """Claim that the cheat lost what another agent lost."""
    relabel(forger, LOSER, "cheat:another_loaf")


def relabel_seed(forger: Forger) -> None:
    """Exchange the seeds of two episodes."""
    one, two = forger.row("success AND seed = 0"), forger.row("success AND seed = 1")
    forger.put(one, idx=9)
    forger.put_result(two, seed=0, episode="oven/bake:train:0")
    forger.put_result(one, seed=1, episode="oven/bake:train:1")
    forger.put(one, idx=0)


def relabel_scenario(forger: Forger) -> None:
    """Claim that an episode belongs to another scenario."""
    forger.put_result(forger.row("success"), scenario="oven/faint", episode="oven/faint:train:0")


def swap_histories(forger: Forger) -> None:
    """Exchange the histories of two seeds."""
    one, two = forger.row("success AND seed = 0"), forger.row("success AND seed = 1")
    forger.put(one, events=two["events"])
    forger.put(two, events=one["events"])


def swap_everything(forger: Forger) -> None:
    """Exchange histories, transcripts and results of two seeds, but not their labels."""
    one, two = forger.row("success AND seed = 0"), forger.row("success AND seed = 1")
    for row, other in ((one, two), (two, one)):
        forger.put(row, events=other["events"], transcript=other["transcript"])
        kept = {"seed": row["seed"], "episode": row["episode"]}
        forger.put_result(row, **(msgspec.json.decode(other["result"]) | kept))


def replace_transcript(forger: Forger) -> None:
    """Let the agent have seen something else."""
    row = forger.row(f"agent = '{LOSER}'")
    turns = unpack(row["transcript"])
    turns[0]["text"] = "I never saw this"
    forger.put(row, transcript=pack(turns))


def empty_transcript(forger: Forger) -> None:
    """Let the agent have done nothing that is written down."""
    forger.put(forger.row(f"agent = '{LOSER}'"), transcript=pack([]))


def swap_transcripts(forger: Forger) -> None:
    """Exchange the transcripts of two agents."""
    one, two = forger.row("success"), forger.row(f"agent = '{LOSER}'")
    forger.put(one, transcript=two["transcript"])
    forger.put(two, transcript=one["transcript"])


def double(forger: Forger) -> None:
    """Count a success twice."""
    forger.insert(forger.row("success") | {"number": len(forger.rows()) + 1, "idx": 1})


def double_in_place(forger: Forger) -> None:
    """Replace one repeat of a variant by a copy of another."""
    one, two = forger.row(f"agent = '{LOSER}' AND idx = 0"), forger.row(f"agent = '{LOSER}' AND idx = 1")
    forger.put(two, **{name: one[name] for name in ("events", "transcript", "result", "wall_seconds", "note")})


def double_without_the_rule(forger: Forger) -> None:
    """Store an attempt twice under the same name, in a table that allows it."""
    forger.db.execute("ALTER TABLE episodes RENAME TO old")
    forger.db.execute("CREATE TABLE episodes AS SELECT * FROM old")
    forger.insert(forger.row("success") | {"number": len(forger.rows()) + 1})


def rewrite_summary(forger: Forger) -> None:
    """Report another success rate."""
    summary = msgspec.json.decode(forger.run("summary")) | {"success_rate": 0.99}
    forger.put_run(summary=msgspec.json.encode(summary).decode())


def shrink_plan(forger: Forger) -> None:
    """Plan less, so that failures may be missing."""
    plan = [cell for cell in msgspec.json.decode(forger.run("plan")) if cell["agent"] != LOSER]
    forger.put_run(plan=msgspec.json.encode(plan).decode())
    forger.db.execute(f"DELETE FROM episodes WHERE agent = '{LOSER}'")
    for number, row in enumerate(forger.rows(), 1):
        forger.put(row, number=number)


def reorder(forger: Forger) -> None:
    """Exchange the numbers of two episodes."""
    forger.put(forger.row("number = 1"), number=999)
    forger.put(forger.row("number = 2"), number=1)
    forger.put(forger.row("number = 999"), number=2)


def swap_image(forger: Forger) -> None:
    """Claim another image for one episode."""
    row = forger.row("success")
    versions = msgspec.json.decode(row["result"])["versions"] | {"image": "0" * 64}
    forger.put_result(row, versions=versions)


def swap_source(forger: Forger) -> None:
    """Claim other code for one episode."""
    forger.put(forger.row("success"), source="0" * 64)


def clear_quarantine(forger: Forger) -> None:
    """Let nothing have been quarantined."""
    forger.db.execute("DELETE FROM quarantine")


def add_quarantine(forger: Forger) -> None:
    """Quarantine a variant that the agent failed."""
    forger.db.execute(
        "INSERT INTO quarantine VALUES (?, 'oven/bake', 'train', 1, 'app', 'KeyError', 'it was the harness')", (LOSER,)
    )


def change_body(forger: Forger) -> None:
    """Change a large body."""
    forger.db.execute("UPDATE bodies SET body = ?", (pack("something else"),))


def reopen_run(forger: Forger) -> None:
    """Claim that the run was not complete yet."""
    forger.db.execute("DELETE FROM episodes WHERE NOT success")
    forger.put_run(finished=None, summary=None, digest=None)


def add_body(forger: Forger) -> None:
    """Add a body that no episode has."""
    forger.db.execute("INSERT INTO bodies VALUES (?, ?)", ("0" * 64, pack("something else")))


def add_a_named_body(forger: Forger) -> None:
    """Add a body that an episode names and no event has."""
    body = b"hidden " * 20_000
    digest = sha256(body).hexdigest()
    forger.db.execute("INSERT INTO bodies VALUES (?, ?)", (digest, zlib.compress(body)))
    forger.put(forger.row("success"), bodies=msgspec.json.encode([digest]).decode())


def add_to_a_body(forger: Forger) -> None:
    """Hide something behind the end of a compressed body."""
    forger.db.execute("UPDATE bodies SET body = CAST(body || x'6869646465' AS BLOB)")


def plan_a_success_again(forger: Forger) -> None:
    """Plan a success thirty times more."""
    row = forger.row("success")
    cell = {name: row[name] for name in ("agent", "scenario", "split", "seed")} | {"episodes": 1, "group": 1}
    forger.put_run(plan=msgspec.json.encode([*msgspec.json.decode(forger.run("plan")), *[cell] * 30]).decode())


def plan_overlapping_seeds(forger: Forger) -> None:
    """Plan the seeds of a cell again as a part of another cell."""
    first, *others = msgspec.json.decode(forger.run("plan"))
    again = first | {"seed": first["seed"] + 1, "episodes": 1, "group": 3}
    forger.put_run(plan=msgspec.json.encode([again, first, *others]).decode())


def change_command(forger: Forger) -> None:
    """Say that another run was asked for."""
    words = ["run", "oven/bake", "--agent", "oracle", "--episodes=1000", "--json"]
    forger.put_run(command=msgspec.json.encode(words).decode())


def say_it_was_played(forger: Forger) -> None:
    """Say that a person played it."""
    forger.put_run(command=msgspec.json.encode(["play", "oven/bake"]).decode())


def add_a_version(forger: Forger) -> None:
    """Add the versions of a scenario that no one planned."""
    versions = msgspec.json.decode(forger.run("versions"))
    forger.put_run(versions=msgspec.json.encode({**versions, "oven/other": {"image": "x"}}).decode())


def let_a_program_speak(forger: Forger) -> None:
    """Add words of a model to the turns of an agent that has none."""
    row = forger.row(f"agent = '{LOSER}'")
    turns = unpack(row["transcript"])
    said = {"said": "I think before I act.", "usage": {}, "wall": turns[0]["wall"]}
    forger.put(row, transcript=pack([said, *turns]))


def add_column(forger: Forger) -> None:
    """Add a column to the quarantine."""
    forger.db.execute("ALTER TABLE quarantine ADD COLUMN excuse TEXT")


def add_table(forger: Forger) -> None:
    """Add a table."""
    forger.db.execute("CREATE TABLE excuses (excuse TEXT)")


def add_trigger(forger: Forger) -> None:
    """Let every later attempt vanish."""
    forger.db.execute("CREATE TRIGGER t BEFORE INSERT ON episodes BEGIN SELECT raise(ignore); END")


def add_index(forger: Forger) -> None:
    """Add an index: it holds copies of results, which may be others than those of the table."""
    forger.db.execute("CREATE INDEX i ON episodes (result)")


def show_a_view(forger: Forger) -> None:
    """Show a view where the table was."""
    forger.db.execute("ALTER TABLE episodes RENAME TO old")
    forger.db.execute("CREATE VIEW episodes AS SELECT * FROM old")


def swap_index(forger: Forger) -> None:
    """Let the hidden index of the episodes lead from one agent to the result of another; the table stays as it is."""
    path = forger.db.execute("PRAGMA database_list").fetchone()[2]
    numbers = [forger.row(where)["number"] for where in ("success AND seed = 0", f"agent = '{LOSER}' AND seed = 0")]
    forger.db.commit()

    @contextmanager
    def connected() -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA writable_schema = 1")
        yield db
        db.close()

    def exchange() -> None:
        with connected() as db:
            for new, old in ((-1, numbers[0]), (numbers[0], numbers[1]), (numbers[1], -1)):
                db.execute("UPDATE episodes SET number = ? WHERE number = ?", (new, old))

    exchange()
    with connected() as db:
        index = db.execute("SELECT * FROM sqlite_master WHERE name = 'sqlite_autoindex_episodes_1'").fetchone()
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'episodes'").fetchone()
        bare = re.sub(r",\s*UNIQUE \([^)]*\)", "", sql)
        db.execute("DELETE FROM sqlite_master WHERE name = ?", (index[1],))
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'episodes'", (bare,))
    exchange()
    with connected() as db:
        db.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", index)
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'episodes'", (sql,))


def invent(forger: Forger, play: Callable[[Episode, AgentHands], None]) -> None:
    """Replace an attempt of a guest by a history that this code made, but no agent of a run."""
    row = forger.row(f"agent = '{LOSER}'")
    job = job_of(row)
    episode = start(job.scenario, job.seed, split=job.split)
    hands = AgentHands(episode.hands, episode.world)
    play(episode, hands)
    put_attempt(forger, row, stored_episode(job, episode, hands, episode.finish(agent=job.agent)))


def act_as_the_system(forger: Forger) -> None:
    """Let the agent's own request have been sent by someone else."""

    def play(episode: Episode, hands: AgentHands) -> None:
        with mock.patch("diorama.episodes.episode.actor_at", return_value=Actor("system", "oven")):
            hands.http("oven", "POST", "/loaves", {"kind": "white"})

    invent(forger, play)


def let_wall_time_pass(forger: Forger) -> None:
    """Let wall time have passed, which only a server records."""

    def play(episode: Episode, hands: AgentHands) -> None:
        hands.http("oven", "GET", "/loaves")
        episode.elapse(7200.0)
        hands.http("oven", "GET", "/loaves")

    invent(forger, play)


def double_later(forger: Forger) -> None:
    """Replace one repeat of a variant by a copy of another whose last event was at another time."""
    double_in_place(forger)
    row = forger.row(f"agent = '{LOSER}' AND idx = 1")
    forger.put_events(row, lambda events: events[-1].update(wall=events[-1]["wall"] + 0.001))


def break_seal(forger: Forger) -> None:
    """Write something else where the seal is."""
    forger.put_run(seal="zz")
