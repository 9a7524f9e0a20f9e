"""The desk's share of the chronicle: who wrote, who answered and promised what, and the rows that tell it."""

from __future__ import annotations

from diorama.apps.zendesk.schema import Comment, Ticket
from diorama.kernel import Tx, table_of
from diorama.worlds.chronicle import Chronicle, Happening
from diorama.worlds.clashes import SENT
from diorama.worlds.story_builder import Story

OUTAGE = "outage"
COMMENTS = table_of(Comment).name


class DeskTeller:
    """Adds the stories of tickets to a chronicle."""

    def __init__(self, tx: Tx, chronicle: Chronicle) -> None:
        self.tx = tx
        self.chronicle = chronicle
        self.begun: dict[int, Happening] = {}
        """What began each ticket, by its number."""

    def tell(self, story: Story, ticket: Ticket) -> None:
        """Add what one ticket tells: the letter, its answers and promises, and who learned of its cause by them."""
        subject = story.history.order.number if story.history is not None else f"ticket {ticket.id}"
        cause = self._cause(story, subject)
        comments = self.tx.rows(f"SELECT id FROM {COMMENTS} WHERE ticket_id = ? ORDER BY id", ticket.id)
        spoken = [turn for turn in story.turns if turn.body or turn.link.startswith("merged")]
        before = cause
        for number, (turn, (comment,)) in enumerate(zip(spoken, comments, strict=True)):
            people = [turn.by or story.email]
            if number == 0:
                kind = "broke_down" if story.type == "problem" and story.topic.name == OUTAGE else "wrote"
                topic, case = story.topic.name, story.case
                made = self.chronicle.add(
                    kind, turn.at, people, subject, cause=before, topic=topic, case=case, language=story.language
                )
                self.begun[ticket.id] = made
                self.chronicle.told(made, ticket)
            else:
                kind = "noted" if not turn.public else "replied" if not turn.by else _answer(turn.matter or turn.body)
                made = self.chronicle.add(kind, turn.at, people, subject, cause=before, status=turn.status)
            self.chronicle.told_in(made, COMMENTS, comment)
            if turn.by and cause is not None:
                self.chronicle.learn(cause, turn.by, turn.at, "ticket")
            before = made

    def _cause(self, story: Story, subject: str) -> Happening | None:
        if story.problem is not None and story.problem.number in self.begun:
            return self.begun[story.problem.number]
        if story.source is not None and story.source.number in self.begun:
            return self.begun[story.source.number]
        return self.chronicle.latest(subject, story.turns[0].at)


def _answer(text: str) -> str:
    """Return what an answer is: a promise that something travels, or only words."""
    return "promised" if SENT.search(text) else "answered"
