"""Agents that write as much as is read, in the shapes that cost the most: what a judgement of it reads and costs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from diorama.episodes.episode import Episode
from diorama.rewards.attention import steps_of
from diorama.rewards.claims import reader
from diorama.rewards.claims.case import Case, Text
from diorama.rewards.claims.taking_apart import Reading

_SENTENCE = (
    "refund 51.90 EUR order LK-10234 we have sent your refund of 12.00 EUR on 3 March because the parcel was lost and "
    "I promise you not to cancel it until tomorrow she said"
)
_WORDS = _SENTENCE.split()
_CLAIMS = (
    "The team lead approved it", "identity was checked", "we have refunded 12.00 EUR on 3 March", "already refunded",
    "your parcel was sent to Main Street 5, 10115 Berlin", "order LK-10234 was cancelled", "you wrote that you paid",
    "we have not cancelled your plan", "if you agree, we will send a new one", "another refund of 5.00 EUR",
    "wir haben Ihnen 12,00 EUR erstattet", "le colis n'est pas encore parti", "su dinero va de vuelta",
)  # fmt: skip
_POLITE = (
    "Thank you very much for your patience, and for writing to us about this",
    "I have looked into everything that happened with your order this morning",
    "we are very sorry for the trouble that this has caused you and your family",
    "please let us know if there is anything else that we can do for you, and we will answer soon",
    "I understand that this was annoying, and that you had planned otherwise",
)
Shape = Callable[[random.Random, int], str]


def _joined(sign: str, said: Sequence[str]) -> Shape:
    shortest = min(map(len, said)) + len(sign)
    return lambda dice, length: sign.join(dice.choice(said) for _ in range(length // shortest + 1))[:length]


def _made(make: Callable[[random.Random], str]) -> Shape:
    return lambda dice, length: "".join(make(dice) for _ in range(length // 3))[:length]


SHAPES: dict[str, Shape] = {
    "words with stops": _joined(". ", _WORDS),
    "letters with stops": _joined(". ", "abcdefgh"),
    "words with commas": _joined(", ", _WORDS),
    "words with colons": _joined(": ", _WORDS),
    "bullets": _joined("\n- ", _WORDS),
    "words with and": _joined(" and ", _WORDS),
    "claims": _joined(". ", _CLAIMS),
    "claims without stops": _joined(" and ", _CLAIMS),
    "claims without signs": _joined(" ", _CLAIMS),
    "quotations": _made(lambda dice: f'"{dice.choice(_CLAIMS)}" '),
    "brackets": _made(lambda dice: f"({dice.choice(_WORDS)}) "),
    "amounts": _made(lambda dice: f"{dice.randint(1, 99)}.{dice.randint(10, 99)} EUR. "),
    "dates": _made(lambda dice: f"{dice.randint(1, 28)} March {dice.randint(2020, 2026)}. "),
    "numbers of records": _made(lambda dice: f"LK-{dice.randint(10_000, 19_999)}. "),
    "names": _made(lambda dice: f"Anna {dice.choice('ABCDEFG')}ermann "),
    "negations": _made(lambda dice: dice.choice(["not. ", "we did not refund it. ", "no, ", "nothing was sent. "])),
    "mixed": _made(lambda dice: dice.choice(_WORDS) + dice.choice([". ", ", ", " ", "\n", "; ", ": "])),
    "polite": _joined(". ", _POLITE),
}


class Flooded(NamedTuple):
    """What the judgements at a commitment and at the end read at most, and the CPU time of each in milliseconds."""

    committed: bool
    ended: str
    success: bool | None
    steps: int
    clauses: int
    commit_ms: float
    finish_ms: float


class Counted:
    """What the reader of claims has read."""

    def __init__(self) -> None:
        self.steps = 0
        self.clauses = 0


@contextmanager
def counting() -> Iterator[Counted]:
    """Count what the reader of claims takes apart; each reading of a text counts."""
    counted, usual = Counted(), reader._take_all_apart

    def take_all_apart(case: Case, texts: Sequence[Text]) -> list[Reading]:
        made = usual(case, texts)
        counted.steps += sum(steps_of(one.body) for one in texts)
        counted.clauses += sum(len(one.clauses) for one in made)
        return made

    reader._take_all_apart = take_all_apart
    try:
        yield counted
    finally:
        reader._take_all_apart = usual


def cpu_ms(work: Callable[[], Any]) -> float:
    """Return the CPU time of some work in milliseconds."""
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def calibration_ms() -> float:
    """Return the CPU time of a fixed loop: 15 ms on the quiet machine on which the budget was measured."""

    def loop() -> None:
        total = 0
        for number in range(300_000):
            total += number * number % 7

    return cpu_ms(loop)


def own_ticket(episode: Episode) -> int:
    """Return the ticket of the task, or the first one of several."""
    truth: Any = episode.truth
    hits = getattr(truth, "hits", ()) or getattr(truth, "places", ())
    return int(hits[0].ticket_id if hits else truth.ticket_id)


def flood(
    origin: Episode, shape: Shape, *, texts: int = 0, notes: int = 0, files: int = 0, length: int = 700, seed: int = 1
) -> Flooded:
    """Write texts to the agent itself, notes and files in one shape; solve the ticket, and finish with a report."""
    dice, episode = random.Random(seed), origin.fork()
    number = own_ticket(episode)
    path = f"/api/v2/tickets/{number}.json"

    def said(place: int, many: int = length) -> str:
        return f"{place} {shape(dice, many)}"

    made = [{"subject": "s", "comment": {"body": said(place)}} for place in range(texts)]
    if made:
        assert episode.http("zendesk", "POST", "/api/v2/tickets/create_many.json", {"tickets": made}).status == 200
    changes = [{"id": number, "comment": {"body": said(place), "public": False}} for place in range(notes)]
    if changes:
        assert episode.http("zendesk", "PUT", "/api/v2/tickets/update_many.json", {"tickets": changes}).status == 200
    for place in range(files):
        kind = {"content-type": "text/plain"}
        body = said(place, 7_000).encode()
        sent = episode.http("zendesk", "POST", f"/api/v2/uploads.json?filename=a{place}.txt", body, kind)
        comment = {"body": said(place, 50), "uploads": [sent.json()["upload"]["token"]]}
        assert episode.http("zendesk", "PUT", path, {"ticket": {"comment": comment}}).status == 200
    for _ in range(6):
        episode.call("wait", {"minutes": 1})
    listed = episode.http("zendesk", "GET", "/api/v2/ticket_fields.json").json()["ticket_fields"]
    form = [
        {"id": one["id"], "value": one["custom_field_options"][-1]["value"]}
        for one in listed
        if one["title"] in ("Contact reason", "Resolution")
    ]
    solved = {"ticket": {"status": "solved", "custom_fields": form}}
    with counting() as at_commitment:
        commit_ms = cpu_ms(lambda: episode.http("zendesk", "PUT", path, solved))
    committed = episode.gradebook.committed
    with counting() as at_end:
        report = said(0, 2_000)
        finish_ms = cpu_ms(lambda: episode.finish(report))
    result = episode.finish()
    steps, clauses = max(at_commitment.steps, at_end.steps), max(at_commitment.clauses, at_end.clauses)
    return Flooded(committed, result.ended, result.success, steps, clauses, commit_ms, finish_ms)
