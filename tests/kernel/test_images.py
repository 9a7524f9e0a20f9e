"""Base images: built once, named by a hash of their input, never visible half-built."""

import fcntl
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from diorama.kernel import Company, Product, Record, Tx, World, image, image_of
from diorama.kernel.cache import held
from diorama.kernel.image import Manifest, build, content_key, manifest_of
from diorama.kernel.pages import Image
from tests.kernel.building import COMPANY, SOURCES, Stone, Yard
from tests.kernel.workshop import APP as WORKSHOP
from tests.kernel.workshop import COMPANY as SHOP
from tests.kernel.workshop import Entry, Label, Part, names, ring, weighed


def test_concurrent_processes_build_an_image_once(yard: Yard) -> None:
    children = [yard.start(LINGER="0.5") for _ in range(3)]
    said = [child.communicate() for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], said
    assert len({out for out, _ in said}) == 1
    assert yard.told() == ["begin", "end"]
    assert said[0][0].endswith(" 500")


def test_a_killed_build_leaves_no_image(yard: Yard) -> None:
    killed = yard.start(DIE="1")
    killed.communicate()
    assert killed.returncode == -9
    assert yard.told() == ["begin"]
    assert not yard.files() & {".db", ".json"}
    after = yard.start()
    assert after.communicate()[0].endswith(" 500")
    assert yard.told() == ["begin", "begin", "end"]
    assert yard.files() == {".db", ".json"}


def test_the_next_build_deletes_what_killed_builds_left_behind(yard: Yard) -> None:
    killed = yard.start(DIE="1")
    killed.communicate()
    (yard.cache / "quarry-small-notes.draft").touch()
    half_made = yard.cache / f"quarry-large-{'0' * 24}.db"
    half_made.touch()
    assert yard.files() == {".draft", ".lock", ".db"}
    made = image_of(COMPANY, seed=1)
    assert {path.name for path in yard.cache.iterdir()} - {SOURCES} == {
        made.path.name,
        made.path.with_suffix(".json").name,
        "quarry-small-notes.draft",  # not ours
    }


def test_an_image_that_another_process_builds_is_left_alone(yard: Yard) -> None:
    slow = yard.start(LINGER="3")
    while yard.told() != ["begin"]:
        assert slow.poll() is None
    image_of(COMPANY, seed=1)
    assert slow.poll() is None, "the other build is over already, so this shows nothing"
    assert yard.files() == {".db", ".json", ".draft", ".lock"}
    assert slow.communicate()[0].endswith(" 500")
    assert yard.told() == ["begin", "begin", "end", "end"]
    assert len(list(yard.cache.glob("*.db"))) == 2
    assert yard.files() == {".db", ".json"}


def test_a_deleted_lock_file_locks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    got: list[bool] = []

    def want() -> None:
        with held(path) as alone:
            got.append(alone)

    first = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(first, fcntl.LOCK_EX)
    waiting = Thread(target=want)
    waiting.start()
    waiting.join(0.2)
    path.unlink()
    with open(path, "w") as second:
        fcntl.flock(second, fcntl.LOCK_EX)
        os.close(first)
        waiting.join(0.2)
        assert got == []
        with held(path, wait=False) as alone:
            assert not alone
    waiting.join()
    assert got == [True]
    assert not path.exists()


def test_an_image_deleted_while_it_is_opened_is_built_again(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    made = image_of(COMPANY)
    image._OPEN.clear()

    deleted: list[Path] = []

    def too_late(path: Path) -> Manifest:
        found = manifest_of(path)
        if not deleted:
            deleted.append(path)
            path.unlink()
        return found

    monkeypatch.setattr(image, "manifest_of", too_late)
    assert image_of(COMPANY).digest == made.digest
    assert yard.told() == ["begin", "end"] * 2


def test_an_image_is_taken_from_this_process_then_from_the_cache(yard: Yard) -> None:
    said: list[str] = []
    first = image_of(COMPANY, progress=said.append)
    assert image_of(COMPANY, progress=said.append) is first
    image._OPEN.clear()
    cached = image_of(COMPANY, progress=said.append)
    assert cached is not first
    assert cached.digest == first.digest
    assert said == ["building quarry (small)"]
    assert manifest_of(first.path).rows == 500
    assert manifest_of(first.path).bytes == first.path.stat().st_size


def test_the_cache_keeps_four_images_and_deleted_ones_stay_readable(yard: Yard) -> None:
    first = image_of(COMPANY, seed=0)
    other = image_of(COMPANY, "large")
    unrelated = [yard.cache / name for name in ("notes.txt", "quarry-small.db", f"quarry-small-{'0' * 24}.csv")]
    for path in unrelated:
        path.touch()
    for seed in range(1, 7):
        image_of(COMPANY, seed=seed)
    assert len(list(yard.cache.glob("quarry-small-*.db"))) == 4
    assert not first.path.exists()
    assert other.path.exists()
    assert all(path.exists() for path in unrelated)
    assert World.open(COMPANY, first).read(lambda tx: tx.count(Stone)) == 500


def test_the_name_of_an_image_depends_on_all_its_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    def variant(**fields: object) -> str:
        app = Product("gravel")

        @app.record("stones", **fields)  # type: ignore[arg-type] # options of the declaration, one at a time
        class Pebble(Record):
            """Something small."""

            name: str

        return content_key(Company("quarry", [app]), "small", 0)

    names = [
        variant(),
        variant(index=[("name",)]),
        variant(unique=[("name",)]),
        variant(search=("name",)),
        variant(append_only=True),
        content_key(COMPANY, "small", 0),
        content_key(COMPANY, "large", 0),
        content_key(COMPANY, "small", 1),
        content_key(Company("quarry", COMPANY.apps, start=datetime(2027, 1, 1, tzinfo=UTC)), "small", 0),
        content_key(Company("pit", COMPANY.apps), "small", 0),
    ]
    monkeypatch.setattr(image, "source_digest", lambda company: "edited code")
    names.append(content_key(COMPANY, "small", 0))
    assert len(set(names)) == len(names)


def test_the_same_recipe_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILD_LOG", str(tmp_path / "log"))
    built = [build(COMPANY, "small", 0, tmp_path / name) for name in ("one", "two")]
    assert built[0] == built[1]
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    other = build(COMPANY, "small", 1, tmp_path / "three")
    assert other.digest != built[0].digest


def test_a_built_world_counts_what_was_built(tmp_path: Path) -> None:
    def stock(tx: Tx, size: str) -> None:
        part = tx.add(Part(name="boiler", remark="leaks", price=2.0))
        tx.add(Label(text=size))
        tx.add(Entry(cents=100))
        tx.change(part, stock=4)
        tx.remove(tx.add(Part(name="short-lived")))
        try:
            with tx.attempt():
                tx.add(Part(name="undone"))
                raise LookupError
        except LookupError:
            tx.add(Part(name="done"))
        tx.later(timedelta(minutes=5), ring, bell="first")
        tx.fault("workshop", "down", timedelta(0), timedelta(hours=1))

    company = Company("workshop", [WORKSHOP], build=stock)
    built = build(company, "tiny", 0, tmp_path / "x.db")
    world = World.open(company, Image(tmp_path / "x.db", built.digest))
    assert names(world) == ["boiler", "done"]
    assert built.rows == 6
    assert world.state == weighed(world)
    assert world.read(lambda tx: [part.id for part in tx.match(Part, "boiler")]) == [1]
    world.wait(timedelta(minutes=5))
    assert names(world)[-1] == "first"
    assert world.read(lambda tx: tx.active_faults("workshop", "build")) == [(1, "down", {})]


def test_full_text_search_finds_every_row_of_an_image(yard: Yard) -> None:
    world = World.open(COMPANY, image_of(COMPANY))
    assert len(world.read(lambda tx: tx.match(Stone, "stone", limit=1000))) == 500


def test_app_names_are_unique_in_a_company() -> None:
    with pytest.raises(ValueError, match="two apps of the same name"):
        Company("twice", [*SHOP.apps, *SHOP.apps])
    with pytest.raises(LookupError, match="workshop has no app 'desk'; it has workshop"):
        SHOP.app("desk")
