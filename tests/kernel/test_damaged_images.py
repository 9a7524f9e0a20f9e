"""Damaged images: found when opened, built again with one line of warning, never used."""

import logging
import os
import re
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from diorama.kernel import Defect, World, image, image_of
from diorama.kernel.image import Damaged, manifest_of
from diorama.kernel.pages import PAGE, Image
from diorama.kernel.sources import source_digest
from tests.kernel.building import COMPANY, SOURCES, Stone, Yard

Spoil = Callable[[Path], None]


def flip(path: Path) -> None:
    """Change one bit in the middle of the file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def flip_and_restore_times(path: Path) -> None:
    """Change one bit and put the file's times back, as far as a program can."""
    before = path.stat()
    while path.stat().st_ctime_ns == before.st_ctime_ns:  # until the clock of the file system has moved
        flip(path)
        flip(path)
    flip(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def cut(size: int) -> Spoil:
    """Truncate the file."""
    return lambda path: os.truncate(path, size)


def write_manifest(text: str) -> Spoil:
    """Put something else in the place of the manifest."""

    def write(path: Path) -> None:
        path.with_suffix(".json").write_text(text)

    return write


def edit_manifest(**fields: object) -> Spoil:
    """Change some fields of the manifest."""

    def edit(path: Path) -> None:
        manifest = msgspec.structs.replace(manifest_of(path), **fields)
        path.with_suffix(".json").write_bytes(msgspec.json.encode(manifest))

    return edit


def swap_with_another(path: Path) -> None:
    """Put a good image and manifest of another seed in place of the expected ones."""
    other = image_of(COMPANY, seed=1).path
    for suffix in (".db", ".json"):
        shutil.copy(other.with_suffix(suffix), path.with_suffix(suffix))


def swap_only_the_image(path: Path) -> None:
    """Put the database of another seed in place of the expected ones."""
    shutil.copy(image_of(COMPANY, seed=1).path, path)


DAMAGES: dict[str, tuple[Spoil, str]] = {
    "empty": (cut(0), "it cannot be read (0 bytes is not a whole number of 2048-byte pages)"),
    "half a page": (cut(PAGE + 100), "it cannot be read (2148 bytes is not a whole number of 2048-byte pages)"),
    "truncated": (cut(3 * PAGE), "it has 6144 bytes instead of "),
    "flipped bit": (flip, "its content was changed"),
    "flipped bit, times restored": (flip_and_restore_times, "its content was changed"),
    "another image": (swap_only_the_image, "its content was changed"),
    "another image with its manifest": (swap_with_another, "its manifest (.json) was changed"),
    "manifest missing": (lambda path: path.with_suffix(".json").unlink(), "its manifest (.json) is missing"),
    "manifest empty": (write_manifest(""), "its manifest (.json) is not valid (Input data was truncated)"),
    "manifest cut": (
        write_manifest('{"name": "quarry'),
        "its manifest (.json) is not valid (Input data was truncated)",
    ),
    "manifest not JSON": (write_manifest("\0\n\nx"), "its manifest (.json) is not valid (JSON is malformed"),
    "manifest of an older version": (
        write_manifest('{"digest": "x", "rows": 1}'),
        "its manifest (.json) is not valid (Object miss",
    ),
    "manifest with another digest": (edit_manifest(digest="0" * 32), "its manifest (.json) was changed"),
    "manifest with another hash": (edit_manifest(sha256="0" * 64), "its manifest (.json) was changed"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_image_is_rebuilt_with_one_warning(damage: str, yard: Yard, caplog: pytest.LogCaptureFixture) -> None:
    spoil, problem = DAMAGES[damage]
    made = image_of(COMPANY)
    spoil(made.path)
    builds = yard.told().count("end")
    image._OPEN.clear()
    again = image_of(COMPANY)
    (record,) = caplog.records
    assert (record.levelno, record.name) == (logging.WARNING, "diorama.image")
    said = record.getMessage()
    assert said.startswith(f"damaged image {made.path}: {problem}")
    assert said.endswith("; building it again")
    assert "\n" not in said
    assert yard.told().count("end") == builds + 1
    assert again.digest == made.digest
    assert World.open(COMPANY, again).read(lambda tx: tx.count(Stone)) == 500
    image._OPEN.clear()
    assert image_of(COMPANY).digest == made.digest
    assert (len(caplog.records), yard.told().count("end")) == (1, builds + 1)


def test_processes_that_find_damage_at_once_repair_it_once(yard: Yard) -> None:
    path = image_of(COMPANY).path
    flip(path)
    children = [yard.start(LINGER="1") for _ in range(3)]
    said = [child.communicate() for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], said
    assert len({out for out, _ in said}) == 1
    assert said[0][0].endswith(" 500")
    assert yard.told() == ["begin", "end"] * 2
    assert "".join(err for _, err in said) == (
        f"damaged image {path}: its content was changed; building it again\n"
    )  # fmt: skip
    assert yard.files() == {".db", ".json"}


def test_damage_found_while_another_process_repairs_it_is_not_damage(
    yard: Yard, caplog: pytest.LogCaptureFixture
) -> None:
    path = image_of(COMPANY).path
    flip(path)
    slow = yard.start(LINGER="2")
    while yard.told() != ["begin", "end", "begin"]:
        assert slow.poll() is None
    image._OPEN.clear()
    assert World.open(COMPANY, image_of(COMPANY)).read(lambda tx: tx.count(Stone)) == 500
    assert slow.communicate()[1].count("\n") == 1
    assert yard.told() == ["begin", "end"] * 2
    assert caplog.records == []


def test_an_untouched_image_is_opened_without_reading_it(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    made = image_of(COMPANY)
    read = count_reads(monkeypatch)
    image._OPEN.clear()
    assert image_of(COMPANY).digest == made.digest
    assert read == []


def test_an_image_with_other_times_is_read_once_and_kept(
    yard: Yard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = image_of(COMPANY)
    manifest = manifest_of(made.path)
    os.utime(made.path, ns=(1, 1))
    read = count_reads(monkeypatch)
    for _ in range(3):
        image._OPEN.clear()
        assert image_of(COMPANY).digest == made.digest
    assert read == [made.path]
    now = manifest_of(made.path)
    assert (now.mtime_ns, now.ctime_ns) == (1, made.path.stat().st_ctime_ns)
    assert (now.digest, now.sha256, now.rows) == (manifest.digest, manifest.sha256, manifest.rows)
    assert yard.told() == ["begin", "end"]
    assert yard.files() == {".db", ".json"}
    assert caplog.records == []


def test_a_copied_cache_folder_works(yard: Yard, tmp_path: Path) -> None:
    image_of(COMPANY)
    shutil.copytree(yard.cache, tmp_path / "copy")
    yard.cache = tmp_path / "copy"
    out, err = yard.start().communicate()
    assert (out.split()[-1], err) == ("500", "")
    assert yard.told() == ["begin", "end"]


def test_a_manifest_that_cannot_be_written_does_not_matter(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    made = image_of(COMPANY)
    os.utime(made.path, ns=(1, 1))

    def refuse(path: Path, data: bytes) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(image, "replace_private", refuse)
    image._OPEN.clear()
    assert image_of(COMPANY).digest == made.digest
    assert yard.told() == ["begin", "end"]


def test_a_manifest_that_cannot_be_read_is_damage(yard: Yard) -> None:
    made = image_of(COMPANY)
    made.path.with_suffix(".json").unlink()
    made.path.with_suffix(".json").mkdir()
    with pytest.raises(Damaged, match=re.escape("its manifest (.json) cannot be read (Is a directory)")):
        manifest_of(made.path)


def test_only_this_user_may_read_the_cache(yard: Yard) -> None:
    source_digest.cache_clear()
    old = os.umask(0)
    try:
        image_of(COMPANY)
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (yard.cache, *yard.cache.iterdir())}
    assert modes.pop("cache") == 0o700
    assert SOURCES in modes
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Note which images are read as a whole from here on."""
    read: list[Path] = []
    whole = Image.content_hash

    def content_hash(self: Image) -> str:
        read.append(self.path)
        return whole(self)

    monkeypatch.setattr(Image, "content_hash", content_hash)
    return read


@pytest.mark.parametrize("suffix", [".db", ".json", ".lock", ".draft", ".note"])
def test_a_folder_in_place_of_a_file_is_moved_away(suffix: str, yard: Yard) -> None:
    made = image_of(COMPANY)
    place = made.path.with_suffix(suffix)
    place.unlink(missing_ok=True)
    made.path.unlink(missing_ok=True)
    place.mkdir()
    (place / "mine").write_text("kept")
    image._OPEN.clear()
    assert image_of(COMPANY).digest == made.digest
    assert [file.read_text() for file in yard.cache.glob(f"{place.name}.moved-*/mine")] == ["kept"]
    image._OPEN.clear()
    builds = yard.told().count("end")
    assert image_of(COMPANY).digest == made.digest
    assert yard.told().count("end") == builds


@pytest.mark.parametrize("suffix", [".db", ".json", ".lock", ".note", ".draft", ".draft-journal"])
def test_a_pipe_in_the_cache_keeps_no_one_waiting(suffix: str, yard: Yard) -> None:
    made = image_of(COMPANY)
    made.path.with_suffix(".db").unlink()
    place = made.path.with_suffix(suffix)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    image._OPEN.clear()
    with suppress(Defect):  # one line that names the file, if it is in the way
        assert image_of(COMPANY).digest == made.digest
