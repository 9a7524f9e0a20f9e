"""Dice: keyed, so that a draw never depends on earlier draws of others."""

import math
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Dice, Request, counter, sparse, token, ulid
from diorama.kernel.dice import Part as Key
from diorama.kernel.ids import CROCKFORD
from tests.kernel.workshop import ANA, Label, Page, Part, open_shop, stocked

parts = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.floats(allow_nan=False)
purposes = st.tuples(st.text(min_size=1), st.lists(parts, max_size=3).map(tuple))


@given(st.lists(purposes, min_size=2, max_size=6, unique_by=repr))
def test_draws_do_not_depend_on_their_order(keys: list[tuple[str, tuple[None, ...]]]) -> None:
    dice = Dice("seed")
    first = {repr(key): dice.child(key[0], *key[1]).word() for key in keys}
    again = {repr(key): dice.child(key[0], *key[1]).word() for key in reversed(keys)}
    assert first == again
    assert len(set(first.values())) == len(first)


@given(st.integers(0, 9), st.lists(st.integers(0, 50), max_size=4))
def test_texts_use_the_same_words_as_other_draws(skipped: int, lengths: list[int]) -> None:
    dice, words = Dice("texts"), Dice("texts")
    assert [dice.word() for _ in range(skipped)] == [words.word() for _ in range(skipped)]
    for length in lengths:
        drawn = [words.word() for _ in range(-(-length // 4))]
        letters = [CROCKFORD[(word >> shift & 0xFFFF) >> 11] for word in drawn for shift in (48, 32, 16, 0)]
        assert dice.text(length, CROCKFORD) == "".join(letters[:length])
    assert dice.word() == words.word()


def test_keys_of_different_types_are_different() -> None:
    entities: list[Key] = [1, 1.0, "1", True, None, b"1", ""]
    assert len({Dice(0).child("x", entity).word() for entity in entities}) == len(entities)
    assert Dice(0).child("a", "b").word() != Dice(0).child("ab").word()


def test_the_same_key_gives_the_same_draws_in_every_process() -> None:
    code = "from diorama.kernel import Dice; d = Dice('k').child('p', 7); print([d.word() for _ in range(9)])"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    dice = Dice("k").child("p", 7)
    assert child.stdout.strip() == str([dice.word() for _ in range(9)])
    assert Dice("k").child("p", 7).word() == 4047753457335963650  # pinned: other dice would change every world


@given(st.integers(-100, 100), st.integers(0, 100), st.integers(0, 2**32))
def test_an_integer_is_within_its_bounds(low: int, span: int, seed: int) -> None:
    assert low <= Dice(seed).integer(low, low + span) <= low + span


def test_draws_have_the_expected_distribution() -> None:
    dice = Dice("spread")
    many = 20_000
    uniform = [dice.uniform() for _ in range(many)]
    assert 0.0 <= min(uniform) < max(uniform) < 1.0
    assert abs(math.fsum(uniform) / many - 0.5) < 0.01
    faces = [dice.integer(1, 6) for _ in range(many)]
    assert all(abs(faces.count(face) / many - 1 / 6) < 0.015 for face in range(1, 7))
    coin = [dice.weighted({"rare": 1.0, "common": 9.0}) for _ in range(many)]
    assert abs(coin.count("rare") / many - 0.1) < 0.01
    gauss = [dice.gauss(10.0, 2.0) for _ in range(many)]
    assert abs(math.fsum(gauss) / many - 10.0) < 0.1
    middle = sorted(dice.lognormal(30.0, 0.8) for _ in range(many))[many // 2]
    assert abs(middle - 30.0) < 2.0
    ranks = [dice.zipf(10) for _ in range(many)]
    assert ranks.count(0) > 1.7 * ranks.count(1) > 2.0 * ranks.count(3) > 0
    assert abs(sum(dice.chance(0.25) for _ in range(many)) / many - 0.25) < 0.015
    assert all(3.0 <= dice.between(3.0, 4.0) < 4.0 for _ in range(100))


@given(st.lists(st.integers(), max_size=20), st.integers(0, 2**32))
def test_a_shuffle_keeps_every_item(items: list[int], seed: int) -> None:
    assert sorted(Dice(seed).shuffle(items)) == sorted(items)
    assert Dice(seed).sample(items, 5) == Dice(seed).shuffle(items)[:5]


def test_draws_do_not_depend_on_earlier_actors() -> None:
    quiet, busy = stocked(5), stocked(5)
    for number in range(10):
        busy.send("workshop", Request("POST", "/build", body=str(number).encode()), ANA)
        busy.read(lambda tx: tx.dice("other", "purpose").word())
    drawn = [world.read(lambda tx: tx.dice("persona", "mara", 3).hex(16)) for world in (quiet, busy)]
    assert drawn[0] == drawn[1]


def test_different_seeds_give_different_dice() -> None:
    draws = {open_shop(seed).read(lambda tx: tx.dice("x").word()) for seed in range(20)}
    assert len(draws) == 20


# --- ids


def test_ids_have_each_vendors_format() -> None:
    dice = Dice("ids")
    draw = partial(dice.child, "n")
    now = round(datetime(2026, 3, 2, tzinfo=UTC).timestamp() * 1e6)
    assert [counter(100, 5)(n, draw, now) for n in range(3)] == [100, 105, 110]
    gaps = [sparse(10**12, 1000)(n, partial(dice.child, "n", n), now) for n in range(50)]
    assert gaps == sorted(set(gaps))
    assert all(isinstance(gap, int) and 10**12 <= gap < 10**12 + 50_000 for gap in gaps)
    made = str(token("ord_", length=10)(0, draw, now))
    assert made.startswith("ord_")
    assert len(made) == 14
    early, late = (str(ulid("w")(0, draw, moment)) for moment in (now, now + 1_000_000))
    assert len(early) == 27
    assert early[:11] < late[:11]
    assert set(early[1:]) <= set(CROCKFORD)


def test_a_ulid_contains_the_worlds_time() -> None:
    world = open_shop()
    first = world.do(lambda tx: tx.add(Page(body="one")), ANA)
    world.wait(timedelta(seconds=1))
    second = world.do(lambda tx: tx.add(Page(body="two")), ANA)
    value = 0
    for letter in first.id[:10]:
        value = value * 32 + CROCKFORD.index(letter)
    assert value == round(datetime(2026, 3, 2, 8, tzinfo=UTC).timestamp() * 1000)
    assert first.id < second.id


def test_ids_are_not_reused_and_are_equal_in_forks() -> None:
    world = stocked(3)
    fork = world.fork()
    world.do(lambda tx: tx.remove(tx.get(Part, 3)), ANA)
    assert world.do(lambda tx: tx.add(Part(name="next")), ANA).id == 4
    assert fork.do(lambda tx: tx.add(Part(name="next")), ANA).id == 4
    labels = [one.do(lambda tx: tx.add(Label(text="x")), ANA).id for one in (world, fork)]
    assert labels[0] == labels[1]
    assert labels[0].startswith("lab_")


@pytest.mark.parametrize("items", [[], ()])
def test_picking_from_an_empty_list_is_an_error(items: list[int]) -> None:
    with pytest.raises(IndexError):
        Dice(0).pick(items)
