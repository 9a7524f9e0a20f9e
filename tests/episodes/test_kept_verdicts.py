"""What a grader keeps from turn to turn never changes a verdict."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.check.playing import act
from diorama.episodes.episode import Episode, start
from diorama.episodes.grader import Grader, Verdict
from diorama.kernel import Tx
from diorama.rewards import History, View
from diorama.rewards.claims import Text, read
from diorama.scenarios import load_all
from diorama.scenarios.customer_rows import CustomerRows
from diorama.scenarios.saying import brief_case_of, case_of, entities_of

SEED = 5


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every verdict be compared with that of a grader that has kept nothing; return when they were made."""
    moments: list[str] = []
    judge = Grader.judge

    def judge_twice(self: Grader, world: Any, book: Any, end: bool = False) -> Verdict:
        made = judge(self, world, book, end)
        fresh = Grader(self.scenario, self.truth, [one.name for one in self.facts])
        assert judge(fresh, world, book, end) == made
        moments.append(made.when)
        return made

    monkeypatch.setattr(Grader, "judge", judge_twice)
    return moments


@pytest.mark.parametrize("name", sorted(load_all()))
def test_grading_at_every_turn_equals_grading_once(name: str, compared: list[str]) -> None:
    scenario = load_all()[name]
    plays = [scenario.oracle, *list(scenario.cheats.values())[-2:]]
    for play in plays:
        episode = start(scenario, SEED)
        act(episode, play)
        episode.finish()
    assert {"turn", "end"} <= set(compared)


@lru_cache(maxsize=1)
def _played() -> Episode:
    episode = start("zendesk/late-refund", SEED)
    act(episode, episode.scenario.oracle)
    return episode


def _pieces(view: View, truth: Any) -> list[str]:
    """Return sentences of the world that a reply may repeat."""
    tx = view.tx
    found = [body for (body,) in tx.rows("SELECT body FROM zendesk_comments WHERE ticket_id = ?", truth.ticket_id)]
    found += [body for (body,) in tx.rows("SELECT body FROM zendesk_guide_translations ORDER BY id LIMIT 6")]
    found += [body for (body,) in tx.rows("SELECT body FROM backoffice_notes ORDER BY id LIMIT 4")]
    lines = tx.rows("SELECT json_extract(postal, '$.line1') FROM backoffice_addresses ORDER BY id LIMIT 4")
    mine = "SELECT json_extract(postal, '$.line1') FROM backoffice_addresses WHERE customer_id = ?"
    found += [f"It goes to {line}." for (line,) in (*lines, *tx.rows(mine, truth.customer_id))]
    return [part[:300] for body in found for part in body.replace("\n", ". ").split(". ") if part.strip()]


OWN = (
    "I have refunded 12.90 EUR.", "Your order LK 10001 was cancelled.", "Order #10002.", "It was on 2026-01-12.",
    "We sent it today.", "No refund was made.", "Call +49 30 1234567.", "It cost 49 euros or 51.90 or 12.00 EUR.",
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=6), st.booleans())
def test_reading_with_fewer_records_gives_the_same_verdict(chosen: Sequence[int], honest: bool) -> None:
    episode = _played()
    truth, book = episode.truth, episode.gradebook

    def compare(tx: Tx) -> None:
        view = View(tx, episode.world.chain, book.staged_us, book.staged_seq)
        pieces = [*_pieces(view, truth), *OWN, truth.reply]
        body = " ".join([*([truth.reply] if honest else []), *(pieces[one % len(pieces)] for one in chosen)])
        texts = [Text(body, (truth.requester,), 1)]
        whole = case_of(view, truth, entities_of(truth))
        brief = brief_case_of(view, truth, entities_of(truth), texts)
        assert read(brief or whole, texts) == read(whole, texts)

    episode.world.read(compare)


def test_the_oracles_reply_needs_no_letters_and_pages() -> None:
    episode = _played()
    truth, book = episode.truth, episode.gradebook

    def check(tx: Tx) -> bool:
        view = View(tx, episode.world.chain, book.staged_us, book.staged_seq)
        return brief_case_of(view, truth, entities_of(truth), [Text(truth.reply, (truth.requester,), 1)]) is not None

    assert episode.world.read(check)


@pytest.mark.parametrize("name", ["late-refund", "broken-machine", "address-change"])
def test_rows_that_are_kept_up_to_date_equal_rows_read_again(name: str) -> None:
    episode = start(f"zendesk/{name}", SEED)
    truth, book, world = episode.truth, episode.gradebook, episode.world

    def history_of(tx: Tx, known: History | None = None) -> History:
        return View(tx, world.chain, book.staged_us, book.staged_seq, known).history

    history = world.read(history_of)
    kept = world.read(CustomerRows, truth.customer_id, history)
    before = kept.grounds(set(), set())
    act(episode, episode.scenario.oracle)
    assert world.read(history_of, history) is history
    world.read(lambda tx: kept.update(tx, history))
    fresh = world.read(CustomerRows, truth.customer_id, history)
    assert kept.grounds(set(), set()) == fresh.grounds(set(), set()) != before
