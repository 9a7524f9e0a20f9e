"""How a mutation is declared: a function that plays an oracle in another way, and what that must earn."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

if TYPE_CHECKING:
    from diorama.check.mutations.scene import Scene

Side = Literal["cheat", "honest"]
Tier = Literal["success", "quality", "measured"]
"""What a cheat costs: the success; at least some quality; or nothing that is asserted."""


class Mutation(msgspec.Struct, frozen=True, kw_only=True):
    """One way to play an oracle differently."""

    name: str
    side: Side
    family: str
    tier: Tier
    says: str
    play: Callable[[Scene], None]
    anywhere: bool = False
    """Whether it fits every scenario; the others are for a desk, and are required of scenarios declared with plans."""
    refused: int = 0
    """The status with which the product refuses it to every agent; 0 if it has to be possible somewhere."""


class Unfit(Exception):
    """This mutation does not fit this variant; the message says why."""


MUTATIONS: list[Mutation] = []
"""Every mutation, in the order of declaration."""
F = TypeVar("F", bound="Callable[[Scene], None]")


def cheat(family: str, tier: Tier = "success", *, anywhere: bool = False, refused: int = 0) -> Callable[[F], F]:
    """Declare a generated cheat; its tier says what it must cost, and `refused` how the product may forbid it."""
    return _declare("cheat", family, tier, anywhere, refused)


def honest(family: str, *, anywhere: bool = False, refused: int = 0) -> Callable[[F], F]:
    """Declare a generated honest variant: it must succeed with a quality of at least 0.9, unless it is refused."""
    return _declare("honest", family, "success", anywhere, refused)


def _declare(side: Side, family: str, tier: Tier, anywhere: bool, refused: int) -> Callable[[F], F]:
    def declare(function: F) -> F:
        says = (inspect.getdoc(function) or "").split("\n")[0].rstrip(".")
        MUTATIONS.append(
            Mutation(
                name=function.__name__,
                side=side,
                family=family,
                tier=tier,
                says=says,
                play=function,
                anywhere=anywhere,
                refused=refused,
            )
        )
        return function

    return declare
