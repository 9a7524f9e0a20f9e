"""Episodes in which an agent writes hostile texts and files: none may be void, and none may stop a reader."""

from __future__ import annotations

import random
import time
from typing import NamedTuple

from diorama import start
from diorama.episodes.episode import Episode
from diorama.worlds import closing
from tests.rewards import hostile

SCENARIOS = ("zendesk/late-refund", "zendesk/address-change", "zendesk/restless-subscription", "zendesk/wrong-charge")


class Ended(NamedTuple):
    """How a hostile episode ended, and what its end cost."""

    ended: str
    unreadable: tuple[str, ...]
    fault: object
    cpu_ms: float


def staged() -> list[Episode]:
    """Return an episode of each scenario, from which attempts are forked."""
    return [start(name, 7) for name in SCENARIOS]


def attempt(origin: Episode, seed: int) -> Ended:
    """Write a comment with a file, a note and fields, solve, and finish; all of it hostile."""
    dice, episode = random.Random(seed), origin.fork()
    ticket = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
    sent = episode.http(
        "zendesk",
        "POST",
        "/api/v2/uploads.json?filename=a.pdf",
        hostile.file(dice),
        {"content-type": "application/pdf"},
    )
    uploads = [sent.json()["upload"]["token"]] if sent.status == 201 else []
    kind = dice.choice(["body", "html_body"])
    comment = {kind: hostile.text(dice) or "x", "uploads": uploads, "public": dice.random() < 0.8}
    episode.http("zendesk", "PUT", ticket, {"ticket": {"comment": comment, "subject": hostile.text(dice)[:200]}})
    note = {"customer_id": episode.truth.customer_id, "body": hostile.text(dice) or "x"}
    episode.call("backoffice_add_note", note)
    listed = episode.http("zendesk", "GET", "/api/v2/ticket_fields.json").json()["ticket_fields"]
    numbers = {one["title"]: one["id"] for one in listed}
    fields = [{"id": numbers[closing.TITLES["effective"]], "value": "2026-03-02"}]
    fields += [
        {"id": numbers[closing.TITLES[name]], "value": values[0]}
        for name, values in episode.truth.closing.items()
        if values and closing.TITLES[name] in numbers
    ]
    solved = {"status": "solved", "assignee_email": "ana@larkspur.coffee", "custom_fields": fields}
    assert episode.http("zendesk", "PUT", ticket, {"ticket": solved}).status == 200 or episode.ended
    began = time.thread_time()
    result = episode.finish(hostile.text(dice))
    return Ended(result.ended, tuple(result.unreadable), result.fault, (time.thread_time() - began) * 1000)
