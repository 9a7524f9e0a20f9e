"""A company with one small product, and scenarios that break where they are told to."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest import mock

import msgspec

from diorama.kernel import Change, Company, Product, Record, Tx, World, counter
from diorama.kernel.testing import image_for
from diorama.rewards.parts import View, fact
from diorama.scenarios import SCENARIOS, Scenario, Stage
from tests.doors.notes import APP, Note

ANA = "ana@acme.example"
PEOPLE = Product("crowd", control=True)
PEOPLE.boundary = "persona"


@PEOPLE.record("moods", ids=counter(1))
class Mood(Record):
    """How somebody feels."""

    word: str


@PEOPLE.command
def grumble(tx: Tx) -> None:
    """A persona of ours that is wrong."""
    raise KeyError("planted")


OFFICE = Company("office", [APP, PEOPLE])


class Truth(msgspec.Struct):
    """The text that is wanted."""

    text: str
    plan: str = "plain"


class WriteIt(Scenario[Truth]):
    """Write the note that is asked for."""

    name = "notes/write"
    world = "office"
    apps = ("notes",)
    person = ANA
    turns = 200
    truth = Truth

    def stage(self, stage: Stage) -> Truth:
        """The first note is there; it names the seed."""
        stage.do(lambda tx: tx.add(Note(text=f"seed {stage.seed}")), "staff:boss@acme.example")
        return Truth(f"wanted {stage.seed}")

    def brief(self, truth: Truth) -> str:
        """What the agent is told."""
        return f"Write a note that says: {truth.text}"

    def allowed(self, tx: Tx, truth: Truth, change: Change) -> bool:
        """Notes may change."""
        return True

    @fact("resolved")
    def it_is_written(self, view: View, truth: Truth) -> bool:
        """The note is there."""
        return view.tx.count(Note, "text = ?", truth.text) > 0


class Grumbles(WriteIt):
    """A persona breaks after an hour."""

    name = "notes/grumbles"

    def stage(self, stage: Stage) -> Truth:
        """Somebody will break."""
        stage.plan(timedelta(hours=1), grumble)
        return super().stage(stage)


class BadGrader(WriteIt):
    """The grader breaks when it meets a certain note."""

    name = "notes/bad-grader"

    @fact("resolved")
    def it_is_written(self, view: View, truth: Truth) -> bool:
        """Breaks."""
        if view.tx.count(Note, "text = 'trap'"):
            raise IndexError("planted")
        return super().it_is_written(view, truth)


class Limited(WriteIt):
    """The vendor is busy for the first few seconds."""

    name = "notes/limited"

    def stage(self, stage: Stage) -> Truth:
        """429 for three seconds, told to come back after two."""
        stage.trouble("notes", "rate_limited", after=timedelta(0), lasts=timedelta(seconds=3), retry_after=2)
        return super().stage(stage)


class Unstageable(WriteIt):
    """Staging breaks."""

    name = "notes/unstageable"

    def stage(self, stage: Stage) -> Truth:
        """Breaks."""
        raise RuntimeError("planted")


@contextmanager
def office() -> Iterator[None]:
    """While it lasts, the office is the only world there is."""

    def opened(name: str, size: str, seed: Any) -> World:
        return World.open(OFFICE, image_for(OFFICE), seed)

    scenarios = {cls.name: cls() for cls in (WriteIt, Grumbles, BadGrader, Limited, Unstageable)}
    with (
        mock.patch.dict(SCENARIOS, scenarios),
        mock.patch("diorama.episodes.episode.open_world", opened),
        mock.patch("diorama.server.host.company_of", return_value=OFFICE),
        mock.patch("diorama.server.host.image_of", return_value=None),
    ):
        yield
