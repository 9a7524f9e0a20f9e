"""The labelled replies and cases of `corpus`."""

import json
import lzma
from functools import lru_cache
from pathlib import Path

import msgspec

from diorama.rewards.claims import Case
from diorama.rewards.claims.score import Labelled, Report, add, cases_of, judge

FOLDER = Path(__file__).parent / "corpus"


@lru_cache(maxsize=4)
def cases(name: str) -> dict[tuple[str, int], Case]:
    """Return the cases of a file."""
    return cases_of(json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes())))


def replies(name: str) -> list[Labelled]:
    """Return the labelled replies of a file."""
    lines = (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(one, type=Labelled) for one in lines]


def scored(replies_name: str, cases_name: str) -> Report:
    """Read all replies of a file."""
    report, known = Report(), cases(cases_name)
    for one in replies(replies_name):
        add(report, one, judge(known[one.scenario, one.seed], one))
    return report
