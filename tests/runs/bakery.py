"""A very small company for the rollout tests: orders to bake, and a handler and a grader that can fail."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import cache
from typing import Any
from unittest import mock

import msgspec

from diorama.kernel import Change, Company, Record, Refusal, Request, Tx, World, counter
from diorama.kernel import Product as KernelProduct
from diorama.kernel.testing import image_for
from diorama.kit import Call, Product
from diorama.kit.discovery import Found, Place
from diorama.kit.wire import json_encode
from diorama.rewards import View, fact
from diorama.runs import perform
from diorama.runs.store import Finished, Job
from diorama.scenarios import SCENARIOS, Hands, Scenario, Stage, catalogue, cheat

BAKER = "mira@bakery.example"
NO = Refusal(400, "no", "No.")
KINDS = (
    *("unknown_path", "wrong_method", "malformed", "invalid", "unauthorized", "forbidden", "missing", "too_large"),
    *("rate_limited", "down", "failing", "timeout", "conflict"),
)

OVEN = Product(
    "oven",
    title="Oven",
    refusals=dict.fromkeys(KINDS, NO),
    envelope=lambda refusal: ("application/json", json_encode({"error": refusal.code})),
)
TILL = Product(
    "till",
    title="Till",
    refusals=dict.fromkeys(KINDS, NO),
    envelope=lambda refusal: ("application/json", json_encode({"error": refusal.code})),
)
GUESTS = KernelProduct("guests", control=True)
GUESTS.boundary = "persona"


@OVEN.record("loaves", ids=counter(1))
class Loaf(Record):
    """Something baked."""

    kind: str


@OVEN.record("receipts", ids=counter(1))
class Receipt(Record):
    """What the till answered."""

    status: int
    text: str


@TILL.record("sales", ids=counter(1))
class Sale(Record):
    """What the till has rung up."""

    kind: str


class Baking(msgspec.Struct):
    """What to bake."""

    kind: str


@OVEN.get("/loaves")
def list_loaves(tx: Tx) -> dict[str, list[dict[str, object]]]:
    """List all loaves."""
    return {"loaves": [{"id": loaf.id, "kind": loaf.kind} for loaf in tx.all(Loaf, order="id")]}


@OVEN.post("/loaves", status=201)
def bake_loaf(tx: Tx, body: Baking) -> dict[str, object]:
    """Bake a loaf; the kind `burnt` raises a planted error."""
    if body.kind == "burnt":
        raise ZeroDivisionError("planted")
    loaf = tx.add(Loaf(kind=body.kind))
    if body.kind.endswith("for sale"):
        tx.call("till", Request("POST", "/sales", body=json_encode({"kind": body.kind})), keep_receipt, loaf=loaf.id)
    return {"id": loaf.id, "kind": loaf.kind}


@OVEN.command
def keep_receipt(tx: Tx, loaf: int, status: int, headers: dict[str, str], body: str) -> None:
    """Keep what the till answered."""
    tx.add(Receipt(status=status, text=f"{loaf}: {body}"))


@TILL.post("/sales", status=201, public=True)
def ring_up(tx: Tx, body: Baking) -> dict[str, object]:
    """Ring a sale up; stolen bread is not sold."""
    if body.kind.startswith("stolen"):
        raise Refusal(422, "stolen", "No.")
    return {"sale": tx.add(Sale(kind=body.kind)).id}


@OVEN.tool
def look() -> Call:
    """See what was baked."""
    return Call("GET", "/loaves")


@OVEN.tool
def bake(kind: str) -> Call:
    """Bake a loaf."""
    return Call("POST", "/loaves", {"kind": kind})


@GUESTS.command
def faint(tx: Tx) -> None:
    """Raise a planted error in a persona."""
    raise KeyError("planted")


ALWAYS = ExitStack()
APP = OVEN.install("oven.bakery.example")
BAKERY = Company("bakery", [APP, TILL.install("till.bakery.example"), GUESTS])


class Order(msgspec.Struct):
    """What was ordered."""

    kind: str
    plan: str = "plain"


class BakeIt(Scenario[Order]):
    """Bake what was ordered."""

    name = "oven/bake"
    world = "bakery"
    apps = ("oven",)
    person = BAKER
    turns = 12
    truth = Order

    def stage(self, stage: Stage) -> Order:
        """Add one loaf before the start."""
        stage.do(lambda tx: tx.add(Loaf(kind="old")), "staff:boss@bakery.example")
        return Order(f"rye {stage.dice.hex(6)}")

    def brief(self, truth: Order) -> str:
        """The task text for the agent."""
        return f"Bake this: {truth.kind}"

    def allowed(self, tx: Tx, truth: Order, change: Change) -> bool:
        """Allow every change."""
        return True

    @fact("opened")
    def something_is_baked(self, view: View, truth: Order) -> bool:
        """A loaf was baked."""
        if view.tx.count(Loaf, "kind = 'cursed'"):
            raise IndexError("planted")
        return view.tx.count(Loaf) > 1

    @fact("resolved")
    def it_is_baked(self, view: View, truth: Order) -> bool:
        """The ordered loaf exists."""
        return view.tx.count(Loaf, "kind = ?", truth.kind) == 1

    def oracle(self, hands: Hands, truth: Order) -> None:
        """Look, wait a little, bake it, say so."""
        hands.call("oven_look", {})
        hands.call("wait", {"minutes": 5})
        hands.call("oven_bake", {"kind": truth.kind})
        hands.call("finish", {"report": "baked"})

    @cheat
    def another_loaf(self, hands: Hands, truth: Order) -> None:
        """Bake anything."""
        hands.call("oven_bake", {"kind": "white"})
        hands.call("finish", {"report": "baked, promised"})


class Faints(BakeIt):
    """A guest breaks after an hour."""

    name = "oven/faint"

    def stage(self, stage: Stage) -> Order:
        """Schedule a failure."""
        stage.plan(timedelta(hours=1), faint)
        return super().stage(stage)


class Unstageable(BakeIt):
    """Staging breaks."""

    name = "oven/unstageable"

    def stage(self, stage: Stage) -> Order:
        """Raise a planted error."""
        raise RuntimeError("planted")


@contextmanager
def bakery() -> Iterator[None]:
    """Make the bakery the only world inside the block."""

    def opened(name: str, size: str, seed: Any) -> World:
        return World.open(BAKERY, image_for(BAKERY), seed)

    scenarios = {cls.name: cls() for cls in (BakeIt, Faints, Unstageable)}
    place = Place("scenario", "oven", __name__, "tests")
    found = {name: Found(scenario, place) for name, scenario in scenarios.items()}
    perform.versions_of.cache_clear()
    with (
        mock.patch.dict(catalogue().found, found, clear=True),
        mock.patch.dict(SCENARIOS, scenarios, clear=True),
        mock.patch("diorama.scenarios.anatomy.load_all", return_value=scenarios),
        mock.patch("diorama.runs.jobs.load_all", return_value=scenarios),
        mock.patch("diorama.episodes.episode.open_world", opened),
        mock.patch("diorama.runs.perform.open_world", opened),
    ):
        yield
    perform.versions_of.cache_clear()


def perform_in_bakery(job: Job) -> Finished:
    """Perform a job in a worker process, which has no world but the bakery from its first job on."""
    _enter_bakery()
    return perform.perform(job)


@cache
def _enter_bakery() -> None:
    ALWAYS.enter_context(bakery())
