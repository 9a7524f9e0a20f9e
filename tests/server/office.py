"""Two companies with the same small products, and scenarios that fail at a chosen place."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar
from unittest import mock

import msgspec

from diorama.kernel import Change, Company, Product, Record, Tx, World, counter
from diorama.kernel.testing import image_for
from diorama.rewards.parts import View, fact
from diorama.scenarios import SCENARIOS, AllowedSeat, Scenario, Stage, load_all
from tests.doors import depot
from tests.doors.notes import ANA, APP, HOST, Account, Note

SHOP_HOST = "brick.notes.example"
BEA = "bea@brick.example"
PEOPLE = Product("crowd", control=True)
PEOPLE.boundary = "persona"


@PEOPLE.record("moods", ids=counter(1))
class Mood(Record):
    """A persona's mood."""

    word: str


@PEOPLE.command
def grumble(tx: Tx) -> None:
    """Fail, as a persona with a bug does."""
    raise KeyError("planted")


def _found(name: str, time_zone: str) -> Callable[[Tx, str], None]:
    def build(tx: Tx, size: str) -> None:
        tx.add(Account(name=name, time_zone=time_zone))

    return build


OFFICE = Company("office", [APP.install(HOST), depot.app(), PEOPLE], _found("Acme", "Europe/Berlin"))
SHOP = Company("shop", [APP.install(SHOP_HOST), depot.app(), PEOPLE], _found("Brick", "Asia/Tokyo"))
COMPANIES = (OFFICE, SHOP)


class Truth(msgspec.Struct):
    """The text of the required note."""

    text: str
    plan: str = "plain"
    customer: str = ""


class WriteIt(Scenario[Truth]):
    """Write the required note."""

    name = "notes/write"
    world = "office"
    apps: ClassVar[tuple[str, ...]] = ("notes",)
    person = ANA
    turns = 200
    truth = Truth

    def stage(self, stage: Stage) -> Truth:
        """Add a first note that contains the seed."""
        stage.do(lambda tx: tx.add(Note(text=f"seed {stage.seed}")), "staff:boss@acme.example")
        return Truth(f"wanted {stage.seed}")

    def brief(self, truth: Truth) -> str:
        """The task text for the agent."""
        return f"Write a note that says: {truth.text}"

    def allowed(self, tx: Tx, truth: Truth, change: Change) -> bool:
        """Allow changes to notes."""
        return True

    @fact("resolved")
    def it_is_written(self, view: View, truth: Truth) -> bool:
        """The required note exists."""
        return view.tx.count(Note, "text = ?", truth.text) > 0


class WriteAtTheShop(WriteIt):
    """The same at another company."""

    name = "notes/shop"
    world = "shop"
    person = BEA


class Store(WriteIt):
    """Work with the depot, which has several hosts and seats."""

    name = "depot/store"
    apps = ("depot", "notes")
    seats: ClassVar[Mapping[str, AllowedSeat]] = {
        "agent": AllowedSeat(),
        "bot": AllowedSeat(kinds=("bot_token",), apps=("depot",)),
        "customer": AllowedSeat(kinds=("user_token",), apps=("depot",)),
    }

    def stage(self, stage: Stage) -> Truth:
        """Choose a customer by the seed."""
        truth = super().stage(stage)
        return msgspec.structs.replace(truth, customer=f"customer{stage.seed}@example.com")

    def seat_person(self, name: str, truth: Truth) -> str:
        """Return the customer for the customer's seat."""
        return truth.customer if name == "customer" else super().seat_person(name, truth)


class StoreAtTheShop(Store):
    """The same at another company."""

    name = "depot/shop"
    world = "shop"
    person = BEA


class Grumbles(WriteIt):
    """A persona breaks after an hour."""

    name = "notes/grumbles"

    def stage(self, stage: Stage) -> Truth:
        """Schedule a failure."""
        stage.plan(timedelta(hours=1), grumble)
        return super().stage(stage)


class BadGrader(WriteIt):
    """The grader breaks when it meets a certain note."""

    name = "notes/bad-grader"

    @fact("resolved")
    def it_is_written(self, view: View, truth: Truth) -> bool:
        """Raise a planted error."""
        if view.tx.count(Note, "text = 'trap'"):
            raise IndexError("planted")
        return super().it_is_written(view, truth)


class Limited(WriteIt):
    """The vendor is busy for the first few seconds."""

    name = "notes/limited"

    def stage(self, stage: Stage) -> Truth:
        """Reply with 429 for three seconds, with a Retry-After of two."""
        stage.schedule_fault("notes", "rate_limited", after=timedelta(0), lasts=timedelta(seconds=3), retry_after=2)
        return super().stage(stage)


class Unstageable(WriteIt):
    """Staging breaks."""

    name = "notes/unstageable"

    def stage(self, stage: Stage) -> Truth:
        """Raise a planted error."""
        raise RuntimeError("planted")


@contextmanager
def office() -> Iterator[None]:
    """Let the two companies be the only worlds for a while."""
    load_all()  # so that what is restored afterwards is complete
    known = {company.name: company for company in COMPANIES}

    def opened(name: str, size: str, seed: Any) -> World:
        return World.open(known[name], image_for(known[name]), seed)

    made = (WriteIt, WriteAtTheShop, Store, StoreAtTheShop, Grumbles, BadGrader, Limited, Unstageable)
    with (
        mock.patch.dict(SCENARIOS, {cls.name: cls() for cls in made}),
        mock.patch("diorama.episodes.episode.open_world", opened),
        mock.patch("diorama.server.host.company_of", known.__getitem__),
        mock.patch("diorama.episodes.episode.company_of", known.__getitem__),
        mock.patch("diorama.server.host.image_of", return_value=None),
    ):
        yield
