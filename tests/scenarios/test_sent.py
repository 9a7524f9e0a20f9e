"""Words that left: read from the record of events, as they were when they left, with the recipients of that moment."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import User
from diorama.episodes.episode import Episode, start
from diorama.kernel import Tx
from diorama.kit.words import Sent
from diorama.rewards import View
from diorama.scenarios.replies import replies_on
from diorama.scenarios.saying import outgoing

SCENARIO = "zendesk/late-refund"
AGENT = "ana@larkspur.coffee"


@pytest.fixture
def episode() -> Episode:
    """Return an episode in which nothing was done yet."""
    return start(SCENARIO, 0)


def view_of(episode: Episode, tx: Tx) -> View:
    """Return what a grader sees."""
    book = episode.gradebook
    return View(tx, episode.world.chain, book.staged_us, book.staged_seq)


def sent(episode: Episode) -> list[Sent]:
    """Return the words that left so far."""
    found: list[Sent] = episode.world.read(lambda tx: list(view_of(episode, tx).sent()))
    return found


def update(episode: Episode, **fields: Any) -> None:
    """Update the ticket of the case as the agent."""
    path = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
    assert episode.http("zendesk", "PUT", path, {"ticket": fields}).status == 200


def stranger(episode: Episode) -> tuple[int, str]:
    """Return a customer whom the case does not concern."""
    truth = episode.truth

    def find(tx: Tx) -> tuple[int, str]:
        found = tx.all(User, "role = 'end-user' AND email IS NOT NULL AND email != ?", truth.requester, limit=1)
        return found[0].id, str(found[0].email)

    made: tuple[int, str] = episode.world.read(find)
    return made


def newest_comment(episode: Episode) -> int:
    """Return the number of the newest comment on the ticket."""
    rows = episode.world.read(
        lambda tx: tx.rows("SELECT max(id) FROM zendesk_comments WHERE ticket_id = ?", episode.truth.ticket_id)
    )
    return int(rows[0][0])


def test_recipients_are_those_of_the_moment(episode: Episode) -> None:
    number, email = stranger(episode)
    update(episode, comment={"body": "Hello."}, requester_id=number)
    mine = episode.world.read(lambda tx: tx.first(User, "email = ?", episode.truth.requester))
    update(episode, requester_id=mine.id)
    update(episode, comment={"body": "Hello again."})
    assert [one.to for one in sent(episode)] == [(email,), (episode.truth.requester,)]


def test_a_reply_stays_said_when_it_is_hidden_or_redacted(episode: Episode) -> None:
    update(episode, comment={"body": "Your machine was replaced."})
    path = f"/api/v2/tickets/{episode.truth.ticket_id}/comments/{newest_comment(episode)}"
    assert episode.http("zendesk", "PUT", f"{path}/redact.json", {"text": "machine"}).status == 200
    assert episode.http("zendesk", "PUT", f"{path}/make_private.json").status == 200
    (one,) = sent(episode)
    assert one.body == "Your machine was replaced."
    number = episode.truth.ticket_id
    assert episode.world.read(lambda tx: len(replies_on(view_of(episode, tx), number))) == 1


def test_internal_notes_and_customers_are_not_the_agents_words(episode: Episode) -> None:
    update(episode, comment={"body": "Refund due.", "public": False})
    args = episode.truth.requester, "Re: it", "And now?", episode.truth.ticket_id
    episode.world.do(lambda tx: desk.receive_mail(tx, *args), f"persona:{episode.truth.requester}")
    assert sent(episode) == []


def test_what_comes_with_a_mail_must_be_true_but_tells_nothing(episode: Episode) -> None:
    made = episode.http(
        "zendesk", "POST", "/api/v2/uploads.json?filename=a_true_story.txt", b"Inside.", {"content-type": "image/png"}
    )
    comment = {"html_body": "<p>Shown<!-- Removed --></p>", "body": "Kept", "uploads": [made.json()["upload"]["token"]]}
    update(episode, comment=comment)
    texts = episode.world.read(lambda tx: outgoing(view_of(episode, tx)))
    assert [(one.body, one.hidden) for one in texts] == [
        ("Kept", True), ("a true story", True), ("Inside.", True), ("Shown", False),
    ]  # fmt: skip


def test_a_subject_is_read_unless_it_stood_there_before(episode: Episode) -> None:
    number = episode.truth.ticket_id
    rows = episode.world.read(lambda tx: tx.rows("SELECT subject FROM zendesk_tickets WHERE id = ?", number))
    before = str(rows[0][0])
    update(episode, subject=f"{before} (your machine was replaced)")
    update(episode, subject=before)
    (one,) = sent(episode)
    assert one.way == "field"
    assert [text.strip() for text in one.extra] == ["(your machine was replaced)"]


def test_mails_of_a_rule_that_the_agent_made_are_its_words(episode: Episode) -> None:
    promote = episode.world.read(lambda tx: tx.first(User, "email = ?", AGENT))
    episode.world.do(lambda tx: tx.change(tx.get(User, promote.id), role="admin"), "system:tester")
    rule = {
        "title": "Thanks",
        "conditions": {"all": [{"field": "update_type", "operator": "is", "value": "Change"}], "any": []},
        "actions": [
            {"field": "notification_user", "value": ["requester_id", "News", "A new machine was sent to you."]}
        ],
    }
    made = episode.http("zendesk", "POST", "/api/v2/triggers.json", {"trigger": rule})
    assert made.status == 201, made.text
    args = episode.truth.requester, "Re: it", "And now?", episode.truth.ticket_id
    episode.world.do(lambda tx: desk.receive_mail(tx, *args), f"persona:{episode.truth.requester}")
    path = f"/api/v2/triggers/{made.json()['trigger']['id']}.json"
    assert episode.http("zendesk", "DELETE", path).status == 204
    (one,) = sent(episode)
    assert one.to == (episode.truth.requester,)
    assert any("A new machine was sent to you." in text for text in one.extra)
    episode.world.wait(timedelta(minutes=1))
    result = episode.finish()
    assert result.score is not None
    assert "damage: zendesk_triggers" in {part.name for part in result.score.parts}
