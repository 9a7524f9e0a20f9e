"""In Larkspur, too, every row says who wrote it: the agent's call, or the links and people that answered it."""

from collections.abc import Iterator

import pytest

from diorama.check.playing import oracle
from diorama.episodes.episode import Episode
from diorama.kernel import Change, Event
from diorama.rewards.damage import damage_of
from diorama.rewards.history import History, kinds_of
from diorama.scenarios import find


@pytest.fixture(scope="module")
def episode() -> Episode:
    """The oracle's attempt at a story in which the customer answers back."""
    return oracle(find("zendesk/firm-policy"), 0).done


def changes(episode: Episode) -> Iterator[tuple[Event, Change]]:
    """What was changed since staging, agenda rows left out."""
    for event in episode.events[episode.gradebook.staged_seq :]:
        for change in event.changes:
            if change.table != "_agenda":
                yield event, change


def test_changes_of_an_agents_request_have_the_right_writer(episode: Episode) -> None:
    by = {(event.app, change.by) for event, change in changes(episode) if event.operation == "update_ticket"}
    assert by >= {("zendesk", "zendesk"), ("zendesk", "links.mail_reaches_customer")}
    assert {name for _, name in by if not name.startswith("links.")} == {"zendesk"}


def test_a_persons_reaction_has_its_own_writer(episode: Episode) -> None:
    asked = {event.seq for event, _ in changes(episode) if event.actor.startswith("agent:")}
    answers = [(event, change) for event, change in changes(episode) if event.operation == "react"]
    assert answers
    assert {event.root for event, _ in answers} <= asked
    for _, change in answers:
        people = change.table.startswith("_people_") and change.table != "_people_mails"  # the link posts the mail
        assert change.by == ("people.react" if people else "links.customer_writes"), change
    assert {change.table for _, change in answers} >= {"zendesk_comments", "_people_conversations"}


def test_a_customers_answer_is_not_the_agents_damage(episode: Episode) -> None:
    answered = {change.key for _, change in changes(episode) if change.by == "links.customer_writes"}
    assert answered
    history = History(kinds_of(episode.world.company), episode.gradebook.staged_seq)
    history.read(episode.world.chain)
    found = episode.world.read(lambda tx: damage_of(tx, history, lambda cell: False))
    assert found
    assert not {one.cell.key for one in found if one.cell.table == "zendesk_comments"} & answered
