"""A key seals only what was saved with it: every row is checked before anything is added or sealed."""

from pathlib import Path

import msgspec
import pytest

from diorama.runs.digests import ROW_COLUMNS, digests_of, has_seal, same_digest
from diorama.runs.engine import Engine
from diorama.runs.evidence import verify_run
from diorama.runs.file import FILE, Damaged
from diorama.runs.jobs import run_info
from diorama.runs.perform import perform
from diorama.runs.store import Job, RunInfo, Store
from diorama.runs.taxonomy import Tally
from tests.runs.bakery import perform_in_bakery
from tests.runs.forged import Forger, forging, reseal

pytestmark = pytest.mark.usefixtures("in_the_bakery")

KEY = "a key that is not in the folder"
JOBS = [Job("python:tests.runs.guests:crashes", "oven/bake", seed) for seed in range(3)]


def sealed(folder: Path, key: str = KEY) -> RunInfo:
    info = run_info(["mine"], JOBS)
    with Store.begin(folder, info, key) as store:
        store.add([perform(job) for job in JOBS])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    return info


def change_a_note(forger: Forger) -> None:
    """Change a row, make its digests fit, and write something where its seal is."""
    row = forger.row("number = 1") | {"note": "changed"}
    digests = digests_of(forger.run("id"), ROW_COLUMNS, row) + bytes(32)
    forger.put(row, note="changed", digests=digests)


def test_a_changed_run_gets_no_seal_by_deleting_its_last_row(tmp_path: Path) -> None:
    info = sealed(tmp_path / "run")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        change_a_note(forger)
        forger.db.execute("DELETE FROM episodes WHERE number = 3")
    before = (tmp_path / "forged" / FILE).read_bytes()
    with pytest.raises(Damaged, match=r"cannot be continued with this key: oven/bake:train:0@.* was changed"):
        Store.begin(tmp_path / "forged", info, KEY)
    with Store.open(tmp_path / "forged") as store:
        assert store.count() == 2
    assert len((tmp_path / "forged" / FILE).read_bytes()) == len(before)


@pytest.mark.parametrize("key", [KEY, ""])
def test_a_complete_run_with_missing_rows_is_not_continued(key: str, tmp_path: Path) -> None:
    info = sealed(tmp_path / "run")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        forger.db.execute("DELETE FROM episodes WHERE number = 3")
    with pytest.raises(Damaged, match="since it was sealed" if key else "but 1 of its episodes are missing"):  # noqa: SIM117 - one raises in either
        with Store.begin(tmp_path / "forged", info, key) as store:
            Engine(store, perform_in_bakery).run()


def test_a_complete_run_is_opened_again_with_its_key(tmp_path: Path) -> None:
    info = sealed(tmp_path / "run")
    with Store.begin(tmp_path / "run", info, KEY) as store:
        assert Engine(store, perform_in_bakery).run()["n"] == 3
    with Store.open(tmp_path / "run") as store:
        assert (verify_run(store, key=KEY).findings, verify_run(store, key=KEY).proof) == ([], "key")


def test_a_row_that_is_changed_during_the_run_gets_no_seal(tmp_path: Path) -> None:
    with Store.begin(tmp_path / "run", run_info(["mine"], JOBS), KEY) as store:
        store.add([perform(job) for job in JOBS])
        with store._file.writing():
            store._file.write("UPDATE episodes SET note = 'changed' WHERE number = 2")
        with pytest.raises(Damaged, match=r"oven/bake:train:1@.* was changed"):
            store.finish({})
        assert (store.described()[0]["seal"], store.described()[0]["finished"]) == (None, None)


def test_a_reopened_run_is_not_sealed_again(tmp_path: Path) -> None:
    info = sealed(tmp_path / "run")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        forger.db.execute("DELETE FROM episodes WHERE number = 3")
        forger.put_run(finished=None)
    with pytest.raises(Damaged, match="rows were added, deleted or replaced since it was sealed"):
        Store.begin(tmp_path / "forged", info, KEY)


def test_a_description_without_rows_is_checked(tmp_path: Path) -> None:
    info = run_info(["mine"], JOBS)
    Store.begin(tmp_path / "run", info, KEY).close()
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        forger.put_run(command=msgspec.json.encode(["others"]).decode())
    with pytest.raises(Damaged, match="its description was changed"):
        Store.begin(tmp_path / "forged", info, KEY)


def test_a_made_up_seal_is_refused_without_the_key(tmp_path: Path) -> None:
    sealed(tmp_path / "run", "")
    with Store.open(tmp_path / "run") as store:
        digest = store.digest()
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        forger.put_run(seal="ab" * 32)
    with Store.open(tmp_path / "forged") as store:
        found = verify_run(store, digest=digest)
    assert {finding.forgery for finding in found.findings} == {"wrong seal"}


def test_a_resealed_run_needs_the_key(tmp_path: Path) -> None:
    sealed(tmp_path / "run")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        change_a_note(forger)
    reseal(tmp_path / "forged")
    with Store.open(tmp_path / "forged") as store:
        assert "wrong seal" in {finding.forgery for finding in verify_run(store, key=KEY).findings}


@pytest.mark.parametrize("seal", ["\u00e4" * 64, "", "\U0001f600"])
def test_a_seal_of_any_characters_is_refused_in_one_line(seal: str, tmp_path: Path) -> None:
    info = sealed(tmp_path / "run")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        forger.put_run(seal=seal)
    with pytest.raises(Damaged, match="since it was sealed"):
        Store.begin(tmp_path / "forged", info, KEY)
    with Store.open(tmp_path / "forged") as store:
        assert "wrong seal" in {finding.forgery for finding in verify_run(store, key=KEY).findings}
        assert verify_run(store, digest="\u00e4").findings


def test_digests_are_compared_with_any_stored_value() -> None:
    assert same_digest("ab", "ab")
    assert same_digest(b"ab", b"ab")
    assert not any(same_digest(stored, "ab") for stored in (None, 5, "\u00e4", "\udc80", b"\xff", "abc"))


def with_its_digest(folder: Path) -> Path:
    """Return a copy of the forged run in a folder that states the digest which it has now."""
    with Store.open(folder / "forged") as store:
        digest = store.digest()
    with forging(folder / "forged", folder / "fitting") as forger:
        forger.put_run(digest=digest)
    return folder / "fitting"


def test_bytes_behind_the_digests_of_a_run_are_refused(tmp_path: Path) -> None:
    info = sealed(tmp_path / "run", "")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        forger.put_run(digests=forger.run("digests") + bytes(32))
    with Store.open(with_its_digest(tmp_path)) as store:
        assert [finding.forgery for finding in verify_run(store).findings] == ["column changed"]
    with pytest.raises(Damaged, match="its description was changed"):
        Store.begin(tmp_path / "fitting", info, KEY)


def test_seals_of_rows_in_a_run_without_a_seal_are_refused(tmp_path: Path) -> None:
    sealed(tmp_path / "run", "")
    with forging(tmp_path / "run", tmp_path / "forged") as forger:
        for row in forger.rows():
            forger.put(row, digests=row["digests"] + bytes(32))
    with Store.open(with_its_digest(tmp_path)) as store:
        assert [finding.forgery for finding in verify_run(store).findings] == ["wrong seal"]


def test_a_run_that_is_completed_without_its_key_has_no_seals(tmp_path: Path) -> None:
    info = run_info(["mine"], JOBS)
    with Store.begin(tmp_path, info, KEY) as store:
        store.add([perform(job) for job in JOBS[:2]])
        assert all(has_seal(row["digests"]) for row in store.rows())
    with Store.begin(tmp_path, info) as store:
        store.add([perform(JOBS[2])])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    with Store.open(tmp_path) as store:
        assert not any(has_seal(row["digests"]) for row in store.rows())
        assert verify_run(store).findings == []
