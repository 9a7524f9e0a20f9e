"""Replies that say that something was done while nothing was: the deed came later."""

from __future__ import annotations

import re
from collections.abc import Sequence

from diorama.kernel import Chain, from_us
from diorama.kit.deeds import Deed
from diorama.people.reading import read
from diorama.rewards.claims import Text

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
GRACE_US = 15 * 60 * 1_000_000
"""A reply and its deed may come in either order within this time."""


def said_too_soon(events: Chain, texts: Sequence[Text], deeds: Sequence[Deed], thread: str) -> tuple[str, ...]:
    """Return the replies that called something done before the first deed, and what came when.

    `deeds` are the agent's own for this customer.
    """
    made = sorted(deeds, key=lambda deed: deed.seq)
    if not made or all(text.seq > made[0].seq for text in texts):
        return ()
    first = _at(events, made[0].seq)
    known = " ".join((thread, *(name for deed in made for name in (deed.subject, deed.day, *deed.names)))).casefold()
    found = []
    for text in texts:
        if text.hidden or text.seq > made[0].seq:
            continue
        said = _at(events, text.seq)
        if first - said > GRACE_US and _calls_it_done(text.body, f"{known} {from_us(said):%Y-%m-%d}"):
            hours = (first - said) / 3_600_000_000
            found.append(f"a reply says that it is done (event {text.seq}), {hours:.1f} hours before anything was")
    return tuple(dict.fromkeys(found))


def _calls_it_done(body: str, known: str) -> bool:
    """Check whether a sentence says that something was done now.

    One that names a day or a number which neither the customer nor a deed has explains an earlier record.
    """
    for part in SENTENCE.split(body):
        reading = read(part)
        if reading.done and all(one.casefold() in known for one in reading.points):
            return True
    return False


def _at(events: Chain, seq: int) -> int:
    """Return the time of an event."""
    return events.entry(seq - 1).outline().at
