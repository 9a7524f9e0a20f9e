"""Pages: layers over an image behave like one file, and branching never copies what it did not change."""

from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel.pages import DEEPEST, PAGE, PART, VFS, ZERO, Image, PageFile, PageMap, pack, unpack

SIZE = 6


def page(mark: int) -> bytes:
    """Return a page filled with one byte."""
    return bytes([mark]) * PAGE


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    path = tmp_path_factory.mktemp("pages") / "six.db"
    path.write_bytes(b"".join(page(200 + number) for number in range(SIZE)))
    return Image(path, "six")


def opened(bound: PageMap) -> PageFile:
    """Return the file that SQLite would see."""
    file = PageFile()
    file.map = bound
    return file


def content(bound: PageMap) -> list[bytes]:
    """Return every page, read as SQLite reads it."""
    file = opened(bound)
    return [file.xRead(PAGE, number * PAGE) for number in range(file.xFileSize() // PAGE)]


which = st.integers(0, 2)
moves = st.one_of(
    st.tuples(st.just("write"), which, st.tuples(st.integers(0, 12), st.integers(0, 199))),
    st.tuples(st.just("write and freeze"), which, st.tuples(st.integers(0, 12), st.integers(0, 199))),
    st.tuples(st.just("change"), which, st.tuples(st.integers(0, 5), st.integers(0, PAGE - 1), st.integers(0, 199))),
    st.tuples(st.sampled_from(["fork", "freeze", "pack"]), which, st.none()),
    st.tuples(st.just("truncate"), which, st.integers(1, 12)),
)


@settings(max_examples=200)
@given(st.lists(moves, min_size=30, max_size=80))
def test_layers_read_like_one_file(image: Image, history: list[tuple[str, int, Any]]) -> None:
    maps, models = [PageMap(image)], [[page(200 + number) for number in range(SIZE)]]
    for kind, at, what in history:
        bound, model = maps[at % len(maps)], models[at % len(maps)]
        if kind.startswith("write"):
            number, mark = what
            model.extend([ZERO] * (number + 1 - len(model)))
            model[number] = page(mark)
            opened(bound).xWrite(page(mark), number * PAGE)
            if kind.endswith("freeze"):
                bound.freeze()
        elif kind == "change" and what[0] < len(model):
            number, at, mark = what
            model[number] = model[number][:at] + bytes([mark]) + model[number][at + 1 :]
            opened(bound).xWrite(model[number], number * PAGE)
        elif kind == "pack":
            bound.pack()
            assert all(len(one) < PAGE or one == model[number] for number, one in bound.top.items())
        elif kind == "truncate" and what <= len(model):
            del model[what:]
            opened(bound).xTruncate(what * PAGE)
        elif kind == "fork" and len(maps) < 3:
            maps.append(bound.fork())
            models.append(list(model))
        elif kind == "freeze":
            bound.freeze()
    for bound, model in zip(maps, models, strict=True):
        assert content(bound) == model
        assert len(bound.frozen) <= DEEPEST
        again = PageMap(image, (bound.written(),), bound.pages)
        assert content(again) == model


def test_a_packed_page_takes_what_it_changes(image: Image) -> None:
    bound, file = PageMap(image), opened(PageMap(image))
    file.map = bound
    for number, places in enumerate(((), (0,), (127, 128), range(0, PAGE, PART))):
        one = bytearray(page(200 + number))
        for place in places:
            one[place] = 0
        file.xWrite(bytes(one), number * PAGE)
    file.xWrite(page(7), 8 * PAGE)
    whole = content(bound)
    bound.pack()
    kept = {number: len(packed) for number, packed in bound.top.items()}
    assert kept == {0: 2, 1: 2 + PART, 2: 2 + 2 * PART, 3: PAGE, 6: 2, 7: 2, 8: PAGE}
    assert content(bound) == content(bound.fork()) == whole
    assert file.xRead(300, 2 * PAGE + 100) == whole[2][100:400]
    assert bound.written() == {number: whole[number] for number in kept}


@given(st.binary(min_size=PAGE, max_size=PAGE), st.binary(max_size=PAGE))
def test_unpacking_undoes_packing(base: bytes, start: bytes) -> None:
    one = start + base[len(start) :]
    packed = pack(one, base)
    assert (packed if len(packed) == PAGE else unpack(packed, base)) == one


def test_a_read_may_begin_and_end_inside_pages(image: Image) -> None:
    file = opened(PageMap(image))
    assert file.xRead(16, 24) == page(200)[:16]
    assert file.xRead(PAGE, PAGE // 2) == page(200)[: PAGE // 2] + page(201)[: PAGE // 2]
    assert file.xRead(PAGE, SIZE * PAGE) == b""


def test_a_world_is_written_in_whole_pages_only(image: Image) -> None:
    with pytest.raises(apsw.IOError, match="whole pages"):
        opened(PageMap(image)).xWrite(b"half", 0)


def test_an_image_is_never_written(image: Image) -> None:
    before = image.path.read_bytes()
    bound = PageMap(image)
    for number in range(SIZE + 2):
        bound.write(number, page(1))
    assert image.path.read_bytes() == before
    assert content(PageMap(image)) == [page(200 + number) for number in range(SIZE)]


def test_a_file_of_broken_pages_is_not_an_image(tmp_path: Path) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(bytes(PAGE + 1))
    with pytest.raises(ValueError, match="whole number"):
        Image(path, "")


@pytest.mark.parametrize("kind", [apsw.SQLITE_OPEN_MAIN_JOURNAL, apsw.SQLITE_OPEN_TEMP_DB, apsw.SQLITE_OPEN_WAL])
def test_a_world_keeps_no_file_beside_its_pages(kind: int) -> None:
    with pytest.raises(apsw.CantOpenError):
        VFS.xOpen("world-journal", [kind, 0])
