"""Reading replies: long and repetitive texts cost little, and a text that is too long tells nothing."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from diorama.episodes.episode import start
from diorama.people.reading import READ_AT_MOST, read, reads
from diorama.scenarios.address_change.places import claims_a_change
from diorama.scenarios.before_the_trip import _SENT
from diorama.scenarios.hidden_need.words import claimed
from diorama.scenarios.unported.desk import are_complete, is_complete_reply
from diorama.scenarios.unported.outfitters import claims as claims_of_outfitters
from diorama.scenarios.unported.outfitters import language_of
from diorama.scenarios.unported.policy import promised
from diorama.scenarios.unported.shop import ShopTruth
from diorama.scenarios.unported.words import amounts_in, says_no

TRUTH = ShopTruth(
    plan="any", ticket_id=1, requester="a@b.example", customer_id="c", reason="reason_other", say_cents=(500,),
    say=(("LK-1",),),
)  # fmt: skip
READERS: dict[str, Callable[[str], object]] = {
    "read": read, "amounts_in": amounts_in, "says_no": says_no, "promised": promised,
    "claimed": claimed, "claims_a_change": claims_a_change,
    "language_of": language_of, "claims_of_outfitters": lambda text: claims_of_outfitters(text, _SENT),
}  # fmt: skip
REPETITIVE = (
    "1.", "€ 1", "you get ", "we send ", "we have now ", "refund ", "is ", " ", "\n", "? ", "a, ", "in 1 ", "1 of ",
    "within 9 - ", "from the ", "e-mail ", "credit is ", "warranty ", "has refund please? ", "9", "now ",
    "money will be ",
)  # fmt: skip


@pytest.mark.parametrize("reader", sorted(READERS))
def test_no_text_takes_long_to_read(reader: str) -> None:
    for piece in REPETITIVE:
        text = f"we {reader} {piece * (65_000 // len(piece))}"
        began = time.process_time()
        READERS[reader](text)
        assert time.process_time() - began < 0.25, piece


def test_a_text_is_read_once_and_up_to_a_limit() -> None:
    seen: list[str] = []

    @reads
    def length(text: str) -> int:
        seen.append(text)
        return len(text)

    assert [length("a" * READ_AT_MOST + end) for end in ("", "b", "c")] == [READ_AT_MOST] * 3
    assert len(seen) == 1


def test_a_reply_that_is_too_long_is_not_complete() -> None:
    good = "You get 5.00 EUR for LK-1."
    assert is_complete_reply(good, TRUTH)
    assert not is_complete_reply(good + " " * READ_AT_MOST, TRUTH)
    assert not are_complete([good, " " * READ_AT_MOST + " We also refunded 900.00 EUR."], TRUTH)


def test_replies_count_together_but_a_false_amount_spoils_them() -> None:
    assert are_complete(["You get 5.00 EUR.", "It is for lk-1."], TRUTH)
    assert not are_complete(["You get 5.00 EUR."], TRUTH)
    assert not are_complete(["You get 5.00 EUR.", "It is for LK-1: 6.00 EUR."], TRUTH)


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
