"""Words of an episode are read up to a limit, in the order sent; the rest costs success, and grading stays cheap."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from diorama.episodes.agents import act
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.kit.words import Sent
from diorama.rewards.attention import (
    READ_TWICE,
    RECORD_CHARACTERS,
    RECORD_TEXT,
    RECORD_TEXTS,
    SENDINGS,
    STEPS,
    TEXT_STEPS,
    TEXTS,
    Attention,
    RecordAttention,
    Rereading,
    steps_of,
)

SECONDS = 3.0
"""Far above what grading takes, and far below what it took: a minute."""
MANY = ",".join(map(str, range(241, 341)))


def sent(body: str, seq: int = 1, to: Sequence[str] = ("a@b.example",)) -> Sent:
    return Sent(body=body, seq=seq, to=tuple(to))


@pytest.mark.parametrize(
    "words",
    [
        [sent(f"{number} " + "x" * 1000, number) for number in range(1, STEPS // 1000 + 2)],
        [sent(f"{number}", number) for number in range(1, TEXTS + 3)],
        [sent("the same", number) for number in range(1, SENDINGS + 3)],
        [sent("x" * 1000, 1, [f"{number}@b.example" for number in range(STEPS // 1000 + 1)])],
    ],
)
def test_what_is_too_much_is_unread_from_there_on(words: list[Sent]) -> None:
    attention = Attention()
    read = [attention.takes(one) for one in words]
    assert read == sorted(read, reverse=True)
    assert not read[-1]
    assert attention.ended_at == words[read.index(False)].seq
    assert list(attention.findings()) == ["words_unread"]


def test_equal_words_to_the_same_people_count_as_often_as_they_are_read() -> None:
    attention = Attention()
    assert all(attention.takes(sent("x" * 1000, number)) for number in range(1, 100))
    assert attention.steps == READ_TWICE * steps_of("x" * 1000)
    assert attention.findings() == {}


def test_steps_follow_what_a_text_costs_to_read() -> None:
    polite = "Thank you very much for your patience with all of us. " * 10
    assert steps_of(polite) < steps_of(polite.replace("patience", "refund")) < steps_of(". ".join(polite.split()))
    assert steps_of("re\u200bfunded") - len("re\u200bfunded") == steps_of("refunded") - len("refunded")


@pytest.mark.parametrize("unit", ["EUR/", "='", "x/", "EUR/@kg\u00e9#\u2039", "~mailto:_", "a-"])
def test_signs_between_words_cost_more_than_letters(unit: str) -> None:
    assert steps_of(unit * 500) - TEXT_STEPS >= 2 * len(unit) * 500


def test_records_and_further_readings_share_the_budget_of_the_words() -> None:
    note = "x" * 1_000
    assert RecordAttention(0).takes(note, 1, compared=True)
    full = RecordAttention(STEPS - 1_000)
    assert not full.takes(note, 7, compared=True)
    assert f"{STEPS} steps" in full.findings()["records_unread"].expected
    again = Rereading(STEPS - 1_500)
    assert again.takes([note])
    assert again.finding()
    assert not again.takes([note])
    assert not again.finding()


@pytest.mark.parametrize(
    "texts",
    [
        [f"{number} " + "x" * 9_000 for number in range(RECORD_CHARACTERS // 9_000 + 1)],
        ["short", "x" * (RECORD_TEXT + 1)],
        ["the same"] * (RECORD_TEXTS + 1),
    ],
)
def test_texts_in_records_are_read_up_to_a_limit(texts: list[str]) -> None:
    attention = RecordAttention()
    read = [attention.takes(text, number) for number, text in enumerate(texts, 1)]
    assert read == [True] * (len(texts) - 1) + [False]
    assert not attention.takes("more", 9_999)
    assert attention.ended_at == len(texts)
    assert list(attention.findings()) == ["records_unread"]


def test_equal_texts_in_records_count_once() -> None:
    attention = RecordAttention()
    assert all(attention.takes("x" * 1_000, number) for number in range(1, 300))
    assert attention.findings() == {}


NUMBERS = " ,".join(str(10_000_000 + number) for number in range(6_300))
ADDRESSES = " ".join(f"q{number}@z.example" for number in range(1_100))


@pytest.mark.parametrize("text", [NUMBERS, NUMBERS[:RECORD_TEXT], ADDRESSES, "İ-" * 9_900, ("@" + "a" * 63) * 300])
def test_notes_full_of_numbers_and_signs_are_graded_soon(text: str) -> None:
    episode = start("zendesk/late-refund", 1)
    path = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
    for number in range(10):
        note = {"body": f"{number} {text}"[: len(text)], "public": False}
        assert episode.http("zendesk", "PUT", path, {"ticket": {"comment": note}}).status == 200
    result, took = graded(episode)
    assert (result.ended, result.success) == ("done", False)
    assert result.score is not None
    assert [one.name for one in result.score.parts if one.name == "records_unread"]
    assert took < SECONDS


def test_a_note_that_no_one_reads_costs_success_with_a_reason() -> None:
    results = []
    for length in (2_000, RECORD_TEXT + 1):
        episode = start("zendesk/late-refund", 1)
        change = {"ticket": {"comment": {"body": ("Checked. " * length)[:length], "public": False}}}
        assert episode.http("zendesk", "PUT", f"/api/v2/tickets/{episode.truth.ticket_id}.json", change).status == 200
        act("oracle", episode, AgentHands(episode.hands, episode.world), 600)
        results.append(episode.finish())
    assert [one.success for one in results] == [True, False]
    assert results[1].score is not None
    (part,) = [one for one in results[1].score.parts if one.name == "records_unread"]
    assert "more text in records than anyone reads" in part.found


def body(number: int, piece: str = "a: ", length: int = 12_000) -> str:
    return f"x{number} " + (piece * length)[:length]


def update_many(number: int) -> tuple[str, str, Any]:
    change = {"ticket": {"comment": {"body": body(number)}}}
    return "PUT", f"/api/v2/tickets/update_many.json?ids={MANY}", change


def create_many(number: int) -> tuple[str, str, Any]:
    made = [
        {"subject": "s", "requester": {"name": "q", "email": f"q{number}x{place}@x.example"},
         "comment": {"body": body(place, "no: done - ", 2_000)}}
        for place in range(100)
    ]  # fmt: skip
    return "POST", "/api/v2/tickets/create_many.json", {"tickets": made}


def update_one(number: int) -> tuple[str, str, Any]:
    return "PUT", "/api/v2/tickets/340.json", {"ticket": {"comment": {"body": body(number, length=780)}}}


def graded(episode: Episode) -> tuple[Result, float]:
    began = time.thread_time()
    result = episode.finish()
    return result, time.thread_time() - began


@pytest.mark.parametrize("name", ["zendesk/late-refund", "zendesk/outage-flood"])
@pytest.mark.parametrize(("make", "times"), [(update_many, 6), (create_many, 3), (update_one, 38)])
def test_a_flood_of_words_is_graded_soon_and_never_void(name: str, make: Any, times: int) -> None:
    episode = start(name, 1)
    for number in range(times):
        assert episode.http("zendesk", *make(number)).status == 200
    result, took = graded(episode)
    assert (result.ended, result.success) == ("done", False)
    assert took < SECONDS


def solved(extra: Sequence[str]) -> Episode:
    """Return an episode that the oracle solved after it had sent further words to the customer."""
    episode = start("zendesk/late-refund", 1)
    for text in extra:
        change = {"ticket": {"comment": {"body": text}}}
        assert episode.http("zendesk", "PUT", f"/api/v2/tickets/{episode.truth.ticket_id}.json", change).status == 200
    act("oracle", episode, AgentHands(episode.hands, episode.world), 600)
    return episode


def test_words_that_no_one_reads_cost_success_with_a_reason() -> None:
    filler = [f"Thank you for your patience, part {number}. " + "We are sorry. " * 100 for number in range(24)]
    few, many = solved(filler[:2]).finish(), solved(filler).finish()
    assert few.success
    assert not many.success
    assert many.score is not None
    (part,) = [one for one in many.score.parts if one.name == "words_unread"]
    assert "more words than anyone reads" in part.found


def test_it_does_not_matter_how_often_the_words_are_looked_at() -> None:
    filler = [f"Part {number}. " + "We are sorry. " * 100 for number in range(24)]
    once, often = solved(filler), start("zendesk/late-refund", 1)
    for text in filler:
        change = {"ticket": {"comment": {"body": text}}}
        often.http("zendesk", "PUT", f"/api/v2/tickets/{often.truth.ticket_id}.json", change)
        assert often.score.episode < 1.0
    act("oracle", often, AgentHands(often.hands, often.world), 600)
    one, other = once.finish(), often.finish()
    assert one.score is not None
    assert other.score is not None
    assert (one.reward, one.score.parts) == (other.reward, other.score.parts)


LETTER_STEPS = 15_000
"""What a long and dense letter takes at most."""
LETTER = (
    "Thank you very much for your patience, and for writing to us about this. Our checkout was out of order from 09:12 "
    "to 11:40 UTC, and it is fixed now. During that time some payments were taken twice, although only one order was "
    "placed. We have refunded the second payment of 42.80 EUR to your card, and it will arrive within five working "
    "days. You do not have to do anything: your basket is still there, and your order is on its way as planned.\n\n"
)


def test_long_letters_to_every_customer_are_read() -> None:
    attention = Attention()
    letters = [f"Hello number {place},\n\n{LETTER * 9}"[:3_000] for place in range(6)]
    assert all(attention.takes(sent(one, place, [f"{place}@b.example"])) for place, one in enumerate(letters, 1))
    assert max(map(steps_of, letters)) < LETTER_STEPS
