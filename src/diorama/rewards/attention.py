"""How many words of one episode are read: more than honest work writes, and never more than a grader has time for."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.kit.words import Sent
from diorama.rewards.finding import Finding

CHARACTERS = 30_000
"""How many characters are read in all, counted for each person that they went to."""
TEXTS = 120
"""How many different texts are read, those that come with others among them."""
SENDINGS = 400
"""How many messages, comments and fields are looked at."""


RECORD_CHARACTERS = 100_000
"""How many characters of the different texts that the agent left in records are read in all."""
RECORD_TEXT = 20_000
"""How many characters of one such text are read."""
RECORD_TEXTS = 2_000
"""How many such texts are looked at."""


class Attention:
    """What is left to read of one episode; what comes after its end counts as unread."""

    def __init__(self) -> None:
        self.ended_at = 0
        """The event from which on nothing was read; 0 if everything was."""
        self._characters = 0
        self._sendings = 0
        self._texts: set[str] = set()
        self._known: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = set()

    def takes(self, sent: Sent) -> bool:
        """Count words that left; return whether they are still read."""
        extra = sent.extra + sent.struck
        if not sent.body and not extra:
            return True
        self._sendings += 1
        place = sent.body, extra, sent.to
        if place not in self._known:
            self._known.add(place)
            self._characters += sum(map(len, (sent.body, *extra))) * max(1, len(sent.to))
            self._texts.update((sent.body, *extra))
        too_many = self._characters > CHARACTERS or len(self._texts) > TEXTS or self._sendings > SENDINGS
        if too_many and not self.ended_at:
            self.ended_at = sent.seq
        return not self.ended_at

    def findings(self) -> dict[str, Finding]:
        """Return why success is lost, if not everything was read."""
        if not self.ended_at:
            return {}
        expected = f"at most {TEXTS} different texts and {CHARACTERS} characters, counted for each recipient"
        found = "more words than anyone reads: those from this event on were not read"
        return {"words_unread": Finding(False, expected, found, (self.ended_at,))}


class RecordAttention:
    """What is left to read of the texts that an agent left in records; what comes after its end counts as unread."""

    def __init__(self) -> None:
        self.ended_at = 0
        """The event of the first text that was not read as a whole; 0 if everything was."""
        self._characters = 0
        self._texts = 0
        self._known: set[str] = set()

    def takes(self, text: str, seq: int) -> bool:
        """Count a text; return whether it is still read. Equal texts count once."""
        if self.ended_at:
            return False
        self._texts += 1
        if text not in self._known:
            self._known.add(text)
            self._characters += len(text)
        if len(text) > RECORD_TEXT or self._characters > RECORD_CHARACTERS or self._texts > RECORD_TEXTS:
            self.ended_at = seq
        return not self.ended_at

    def findings(self) -> dict[str, Finding]:
        """Return why success is lost, if not everything was read."""
        if not self.ended_at:
            return {}
        expected = (
            f"at most {RECORD_TEXTS} texts in records and {RECORD_CHARACTERS} characters, {RECORD_TEXT} in one text"
        )
        found = "more text in records than anyone reads: what this event wrote, and what came after it, was not read"
        return {"records_unread": Finding(False, expected, found, (self.ended_at,))}


def shortened(texts: Sequence[str], left: Attention | None = None) -> list[str]:
    """Return as many texts, in order, as are still read; `left` counts them with others."""
    left = left or Attention()
    return [one for one in texts if left.takes(Sent(body=one, seq=1))]
