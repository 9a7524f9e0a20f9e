"""The chain: a history that branches without copying, and in which tampering is detected."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Chain, Signal
from diorama.kernel.events import GENESIS, Core, Entry, chained
from tests.kernel.workshop import TESTER, Part, open_shop


def entry(chain: Chain, number: int) -> Entry:
    """Return an event that contains a number."""
    core = Core(len(chain) + 1, 0, 1, 0, "system:x", "workshop", str(number), {}, {}, [], [])
    payload, trace = chained(chain.head, core)
    return Entry(payload, "control", bytes(16), trace, 0.0)


moves = st.tuples(st.sampled_from(["append", "append", "branch", "return"]), st.integers(0, 5), st.integers(0, 99))


@given(st.lists(moves, max_size=60))
def test_branches_grow_independently(history: list[tuple[str, int, int]]) -> None:
    chains, models = [Chain()], [[0][:0]]
    for kind, at, number in history:
        chain, model = chains[at % len(chains)], models[at % len(chains)]
        if kind == "append":
            chain.append(entry(chain, number))
            model.append(number)
        elif kind == "branch" and len(chains) < 6:
            chains.append(chain.branch())
            models.append(list(model))
        elif kind == "return":
            other = number % len(chains)
            chains[at % len(chains)], models[at % len(chains)] = chains[other].branch(), list(models[other])
    for chain, model in zip(chains, models, strict=True):
        assert [int(event.operation) for event in chain] == model
        assert [event.seq for event in chain] == list(range(1, len(model) + 1))
        assert [event.operation for event in chain[1:]] == [str(number) for number in model[1:]]
        head = GENESIS
        for one in chain.entries():
            head = sha256(head + one.core).digest()
            assert one.trace == head
        assert chain.head == head


def test_a_branch_copies_nothing() -> None:
    chain = Chain()
    for number in range(1000):
        chain.append(entry(chain, number))
    branch = chain.branch()
    assert branch._own == []
    assert branch.entry(500) is chain.entry(500)
    assert branch.branch()._parent is chain  # a branch of an unchanged branch is not deeper


def test_an_event_is_stored_and_read_back_completely() -> None:
    world = open_shop()
    world.do(lambda tx: tx.add(Part(name="x", price=1.5, remark=None)), TESTER)
    world.add_signals(len(world.chain) - 1, (Signal("potential", "step", 0.25, "+done"),))
    stored = world.chain.entry(len(world.chain) - 1)
    assert Entry.from_row(stored.row()).open() == world.events[-1]
    assert world.events[-1].signals == [Signal("potential", "step", 0.25, "+done")]


@pytest.mark.parametrize("index", [99, -99])
def test_an_event_index_out_of_range_is_an_error(index: int) -> None:
    with pytest.raises(IndexError):
        open_shop().events[index]


def test_signals_and_doors_are_outside_what_is_hashed() -> None:
    one, two = open_shop(), open_shop()
    one.add_signals(0, (Signal("potential", "step", 1.0),))
    for world, door in ((one, "python"), (two, "http")):
        world.record_turn(TESTER, door, "hello", {})
    assert one.trace == two.trace
    assert [world.events[-1].door for world in (one, two)] == ["python", "http"]
