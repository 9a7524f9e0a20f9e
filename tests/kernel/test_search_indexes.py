"""Full-text indexes of an image: merged when it is built."""

from pathlib import Path

import apsw

from diorama.kernel import Company, Tx
from diorama.kernel.image import build
from tests.kernel.workshop import APP, Part


def fill(tx: Tx, size: str) -> None:
    """Add parts in several steps, so that the index gets several segments."""
    for step in range(30):
        with tx.attempt():  # a savepoint writes what the index has collected
            for number in range(20):
                tx.add(Part(name=f"part {step} {number}", remark="of brass"))


def test_a_built_image_has_one_segment_per_index(tmp_path: Path) -> None:
    build(Company("segments", [APP], fill), "small", 0, tmp_path / "image.db")
    database = apsw.Connection(str(tmp_path / "image.db"))
    segments = "SELECT count(DISTINCT segid) FROM workshop_parts_search_idx"
    assert database.execute(segments).fetchall() == [(1,)]
    found = "SELECT count(*) FROM workshop_parts_search WHERE workshop_parts_search MATCH 'brass'"
    assert database.execute(found).fetchall() == [(600,)]
