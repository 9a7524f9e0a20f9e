"""The boundary around readers: what breaks one costs success and is counted; other failures stay void."""

from __future__ import annotations

from typing import Any

import pytest

from diorama import start
from diorama.apps.zendesk import words
from diorama.episodes.episode import Episode
from diorama.kit import documents, encodings
from diorama.rewards import damage
from diorama.rewards.attention import CHARACTERS
from diorama.runs.store import Job
from diorama.runs.taxonomy import Tally
from diorama.scenarios import saying


def fails(*args: Any, **options: Any) -> Any:
    raise KeyError("ı")


def with_reply(body: str = "Hello, we are looking into it.") -> Episode:
    episode = start("zendesk/late-refund", 7)
    ticket = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
    assert episode.http("zendesk", "PUT", ticket, {"ticket": {"comment": {"body": body}}}).status == 200
    return episode


def test_a_reply_that_breaks_a_decoder_costs_success_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "_spelled", fails)
    result = with_reply("A text that no one has read before.").finish()
    assert (result.ended, result.success, result.unreadable) == ("done", False, ["KeyError in kit/encodings.py"])
    assert result.score is not None
    part = next(one for one in result.score.parts if one.name == "unreadable")
    assert part.found == "this text could not be read: KeyError in kit/encodings.py"
    assert part.expected
    assert part.evidence


def test_a_fact_whose_words_break_the_reader_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saying, "read", fails)
    result = with_reply().finish()
    assert (result.ended, result.success, result.unreadable) == ("done", False, ["KeyError in scenarios/saying.py"])


def test_the_same_history_breaks_the_same_readers_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saying, "read", fails)
    episode = with_reply()
    twin = episode.fork()
    first, second = episode.finish(), twin.finish()
    assert (first.reward, first.unreadable, first.trace) == (second.reward, second.unreadable, second.trace)


def test_a_failure_outside_of_the_readers_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "taken_back", fails)
    monkeypatch.setattr(damage, "_updated", fails)
    result = with_reply().finish()
    assert (result.ended, result.reward) == ("void", None)


def test_a_lack_of_memory_is_not_the_fault_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(encodings, "_spelled", full)
    assert with_reply("Another text that no one has read before.").finish().ended == "void"


def test_a_file_that_breaks_its_reader_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_rtf", fails)
    assert documents.document(b"{\\rtf1 never read before}") == documents.UNREADABLE


def test_a_summary_counts_the_texts_that_broke_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "_spelled", fails)
    result = with_reply("A third text that no one has read before.").finish()
    jobs = [Job("oracle", "zendesk/late-refund", seed) for seed in (7, 8)]
    shown = {"ended": "done", "success": False, "reward": 0.0, "unreadable": result.unreadable}
    summary = Tally([(jobs[0], shown), (jobs[1], {**shown, "unreadable": ()})], jobs).summary()
    assert (summary["unreadable"], summary["unreadable_errors"]) == (1, {"KeyError in kit/encodings.py": 1})


def test_everything_that_is_read_is_decoded() -> None:
    assert encodings.IN_ALL >= CHARACTERS
    assert words.written("x" * 20, ["y" * encodings.IN_ALL]).extra == ("y" * encodings.IN_ALL,)
