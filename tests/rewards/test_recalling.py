"""What a grader remembers of an episode: answers hold until their rows change, and no longer."""

from typing import Any

from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.episodes.episode import Episode, start
from diorama.kernel import Tx
from diorama.rewards import View
from diorama.rewards.history import History, stored_row
from diorama.rewards.recalling import RecallingTx, read_stored, tables_in
from tests.episodes.test_kept_verdicts import SEED

NAME = "zendesk/late-refund"


def _asked(tx: Tx, episode: Episode) -> list[Any]:
    number = episode.truth.ticket_id
    return [
        tx.get(Ticket, number),
        tx.all(Comment, "ticket_id = ? AND author_id IN (SELECT id FROM zendesk_users)", number),
        tx.rows("SELECT count(*) FROM zendesk_comments WHERE ticket_id = ?", number),
        stored_row(tx, "zendesk_tickets", number),
    ]


def test_what_is_remembered_equals_what_is_read_again() -> None:
    episode = start(NAME, SEED)
    book, world = episode.gradebook, episode.world
    history: History | None = None
    path = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
    seen = []
    for body in ("Thank you for writing.", "We look into it.", "It takes a moment."):
        episode.http("zendesk", "PUT", path, {"ticket": {"comment": {"body": body}}})

        def compare(tx: Tx, known: History | None = history) -> tuple[History, list[Any]]:
            view = View(tx, world.chain, book.staged_us, book.staged_seq, known)
            view.recall()
            assert isinstance(view.tx, RecallingTx)
            found = _asked(view.tx, episode)
            assert found == _asked(tx, episode) == _asked(view.tx, episode)
            return view.history, found

        history, found = world.read(compare)
        seen.append(found[2])
    assert [rows[0][0] - seen[0][0][0] for rows in seen] == [0, 1, 2]


def test_a_second_question_needs_no_statement() -> None:
    episode = start(NAME, SEED)
    book, world = episode.gradebook, episode.world

    def count(tx: Tx) -> tuple[int, int]:
        view = View(tx, world.chain, book.staged_us, book.staged_seq)
        view.recall()
        _asked(view.tx, episode)
        store: Any = tx._store
        before = store.left
        _asked(view.tx, episode)
        return before, store.left

    before, after = world.read(count)
    assert before == after


def test_answers_that_depend_on_more_than_rows_are_not_kept() -> None:
    company = start(NAME, SEED).world.company
    assert tables_in("SELECT id FROM zendesk_tickets", company) == ("zendesk_tickets",)
    assert not tables_in("SELECT id FROM zendesk_tickets_search", company)
    assert not tables_in("SELECT value FROM _truth", company)
    assert not tables_in("SELECT id, datetime('now') FROM zendesk_tickets", company)


def test_a_row_that_does_not_exist_is_none() -> None:
    episode = start(NAME, SEED)
    assert episode.world.read(lambda tx: read_stored(tx, "zendesk_tickets", -1)) is None
    assert episode.world.read(lambda tx: tx.find(User, -1)) is None


def test_rows_that_follow_from_changes_equal_stored_rows() -> None:
    episode = start(NAME, SEED)
    book, world = episode.gradebook, episode.world
    history: History | None = None

    def compare(tx: Tx) -> History:
        view = View(tx, world.chain, book.staged_us, book.staged_seq, history)
        for (table, key), row in view.history.stored.items():
            assert row == read_stored(tx, table, key)
        stored_row(RecallingTx.of(tx, view.history.memory), "zendesk_tickets", episode.truth.ticket_id)
        return view.history

    history = world.read(compare)
    episode.scenario.oracle(episode.hands, episode.truth)
    assert len(world.read(compare).stored) > 5
    episode.finish()
    assert world.read(compare) is history
