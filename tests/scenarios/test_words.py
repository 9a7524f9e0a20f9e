"""Reading replies: long and repetitive texts cost little."""

import time
from typing import Any

import pytest

from diorama.episodes.episode import start
from diorama.people.reading import READ_AT_MOST, SIGNS_AT_MOST, STRETCH, read, reads, skimmed

REPETITIVE = (
    "1.", "€ 1", "you get ", "we send ", "we have now ", "refund ", "is ", " ", "\n", "? ", "a, ", "in 1 ", "1 of ",
    "within 9 - ", "from the ", "e-mail ", "credit is ", "warranty ", "has refund please? ", "9", "now ",
    "money will be ",
)  # fmt: skip


@pytest.mark.parametrize("piece", REPETITIVE)
def test_no_text_takes_long_to_read(piece: str) -> None:
    began = time.process_time()
    read(f"we read {piece * (65_000 // len(piece))}")
    assert time.process_time() - began < 0.25


def test_a_text_is_read_once_and_up_to_a_limit() -> None:
    seen: list[str] = []

    @reads
    def length(text: str) -> int:
        seen.append(text)
        return len(text)

    line = "a" * 99 + "\n"
    said = line * (READ_AT_MOST // len(line))
    assert [length(said + end) for end in ("", "b", "c")] == [READ_AT_MOST] * 3
    assert len(seen) == 1


def test_a_sentence_without_end_is_read_in_pieces() -> None:
    lines = skimmed("a " * READ_AT_MOST).split("\n")
    assert max(map(len, lines)) <= STRETCH + 2
    assert len(skimmed("- " * READ_AT_MOST)) == SIGNS_AT_MOST
    assert (
        skimmed("Dear Ines,\n\nwe have refunded 12.90 EUR - today.")
        == "Dear Ines,\n\nwe have refunded 12.90 EUR - today."
    )


@pytest.mark.parametrize(
    ("name", "seed", "text"),
    [("wrong-macro", 3, "1." * 31_900), ("wrong-macro", 3, "you get " * 7_900), ("wrong-macro", 7, "€ 1" * 21_266)],
)
def test_a_turn_costs_the_same_after_many_long_replies(name: str, seed: int, text: str) -> None:
    episode = start(f"zendesk/{name}", seed=seed)
    truth: Any = episode.truth
    path, costs = f"/api/v2/tickets/{truth.ticket_id}", []
    for number in range(16):
        began = time.process_time()
        reply = episode.http("zendesk", "PUT", path, {"ticket": {"comment": {"body": f"{number} {text}"}}})
        costs.append(time.process_time() - began)
        assert reply.status == 200
    assert min(costs[-4:]) < min(0.25, 4 * max(costs[:4])), costs
