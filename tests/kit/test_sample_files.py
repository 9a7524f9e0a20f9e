"""Sample files are valid, exactly as large as asked, and the same for the same subject."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO

import pytest

from diorama.kit.sample_files import MAKERS, PNG_HEAD, sample_file

SIZES = (9_001, 40_000, 65_536, 300_003, 1_000_000)


@pytest.mark.parametrize("kind", sorted(MAKERS))
@pytest.mark.parametrize("size", SIZES)
def test_a_file_has_exactly_its_size(kind: str, size: int) -> None:
    made = sample_file(kind, size, "7")
    assert len(made) == size
    assert made == sample_file(kind, size, "7")
    assert made != sample_file(kind, size, "8")


@pytest.mark.parametrize("size", [0, 1, 20])
def test_a_size_too_small_for_a_valid_file_gives_some_bytes(size: int) -> None:
    assert all(len(sample_file(kind, size, "7")) == size for kind in (*MAKERS, "text/plain"))


def test_the_chunks_of_a_png_are_intact() -> None:
    made, place, kinds = sample_file("image/png", 50_000, "7"), len(PNG_HEAD), []
    while place < len(made):
        length = int.from_bytes(made[place : place + 4], "big")
        body = made[place + 4 : place + 8 + length]
        assert zlib.crc32(body) == int.from_bytes(made[place + 8 + length : place + 12 + length], "big")
        kinds.append(body[:4])
        place += 12 + length
    assert kinds == [b"IHDR", b"IDAT", b"prVw", b"IEND"]


def test_the_segments_of_a_jpeg_are_intact() -> None:
    made, place, kinds = sample_file("image/jpeg", 150_001, "7"), 2, []
    while made[place + 1] != 0xDA:
        if made[place : place + 2] == b"\xff\xff":
            place += 1
            continue
        kinds.append(made[place + 1])
        place += 2 + int.from_bytes(made[place + 2 : place + 4], "big")
    assert kinds[0] == 0xE0
    assert made.endswith(b"\xff\xd9")


def test_a_pdf_refers_to_its_objects() -> None:
    made = sample_file("application/pdf", 60_000, "7")
    start = int(made.rstrip().split(b"\n")[-2])
    assert made[start : start + 4] == b"xref"
    for number, line in enumerate(made[start:].split(b"\n")[3:9], 1):
        place = int(line[:10])
        assert made[place:].startswith(b"%d 0 obj" % number)


def test_an_archive_can_be_opened() -> None:
    with zipfile.ZipFile(BytesIO(sample_file("application/zip", 30_000, "7"))) as archive:
        assert archive.testzip() is None
