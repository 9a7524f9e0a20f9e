"""Wrong arguments of a user are usage errors with one clear line, never a Defect."""

from typing import Any

import pytest

import diorama
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.hands import only_hands
from diorama.kernel import World

REFUND = "zendesk/late-refund"


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"seed": "x"}, TypeError, "seed is a whole number, not str 'x'"),
        ({"seed": True}, TypeError, "seed is a whole number, not bool True"),
        ({"seed": 2**63}, ValueError, "seed is from 0 to"),
        ({"seed": -1}, ValueError, "seed is from 0 to"),
        ({"size": "x"}, ValueError, "size is one of 'small', 'medium', 'large', not 'x'"),
        ({"split": "x"}, ValueError, "split is 'train' or 'eval'"),
    ],
)
def test_start_refuses_wrong_arguments(arguments: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        diorama.start(REFUND, **arguments)


def test_start_refuses_what_is_not_a_scenario() -> None:
    with pytest.raises(TypeError, match="scenario is a name such as 'zendesk/late-refund', not int 5"):
        diorama.start(5)  # type: ignore[arg-type] # on purpose


def test_restore_refuses_what_is_not_a_snapshot() -> None:
    episode = diorama.start(REFUND)
    before = episode.trace
    with pytest.raises(TypeError, match="restore takes what snapshot"):
        episode.restore("x")  # type: ignore[arg-type] # on purpose
    with pytest.raises(ValueError, match="of the world kittiwake, not larkspur"):
        episode.restore(diorama.start("zendesk/rental-deposit").snapshot())
    assert episode.trace == before


def reachable(thing: Any) -> set[str]:
    """Return the types of everything that attributes lead to, private ones included, without functions' insides."""
    found: set[str] = set()
    for name in dir(thing):
        if not name.startswith("__"):
            value = getattr(thing, name)
            found |= {type(value).__name__, type(getattr(value, "__self__", None)).__name__}
    return found


def test_an_agent_in_process_gets_the_agent_interface_only() -> None:
    episode = diorama.start(REFUND)
    for hands in (only_hands(AgentHands(episode.hands), episode.hands.seats), episode.hands):
        names = [name for name in dir(hands) if not name.startswith("__")]
        assert names == ["brief", "call", "ended", "http", "seats", "tools"]
        assert not hasattr(hands, "__dict__")
        assert not reachable(hands) & {"Episode", "World", "AgentHands", type(episode.truth).__name__}
    assert isinstance(episode.world, World)


def test_what_an_agent_does_in_process_is_in_the_transcript() -> None:
    recorded = AgentHands(diorama.start(REFUND).hands)
    only_hands(recorded, recorded.seats).call("wait", {})
    assert [turn["tool"] for turn in recorded.transcript] == ["wait"]
