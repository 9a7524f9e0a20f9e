"""What customers write after a reply tells nothing about what is owed: only what they know, asked for and see."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import pytest

from diorama.apps.zendesk.schema import Comment, SatisfactionRating, Ticket
from diorama.episodes.episode import Episode, start
from diorama.kernel import Actor, Tx, from_us
from diorama.people import Conversation, Need, Persona, Utterance
from diorama.scenarios import load_all
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.desk_facts import DeskTruth
from diorama.worlds.closing import TITLES
from tests.scenarios.planned import Planned, truth_of

FOUND = {name: one for name, one in load_all().items() if isinstance(one, DeskScenario) and one.has_shop}
DESKS = sorted(name for name, one in FOUND.items() if not all(plan.retort for plan in one.plans))
"""Desks with customers who do not answer the first reply with something new."""
NEUTRAL = "Hello, thank you for your mail. We are looking into it."
DONE = "Hello, this is done now."
EXPLAINED = "Hello, I have looked at everything. It stays as it is, and nothing has to be done."
VARIANTS, IN_SOAK = 6, 40
HOURS = 48


def solve(episode: Episode) -> None:
    """Fill in the form and solve the ticket; customers do not see the form."""
    truth = truth_of(episode)
    form = {TITLES[key]: (values or ("2026-03-02",))[0] for key, values in truth.closing.items()}
    form.setdefault(TITLES["record"], truth.order_number or truth.customer_id)
    call = {"ticket_id": truth.ticket_id, "fields": form, "status": "solved"}
    assert not episode.call("zendesk_update_ticket", call).is_error


def after(episode: Episode, reply: str, solved: bool = False) -> list[str]:
    """Return what the customer says of their own accord within two days of a reply; "" sends none."""
    truth = truth_of(episode)
    if reply:
        assert not episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": reply}).is_error
    if solved:
        solve(episode)
    for _ in range(HOURS // 8):
        episode.call("wait", {"minutes": 480})

    def said(tx: Tx) -> list[str]:
        thread = tx.first(Conversation, "thread = ?", str(truth.ticket_id))
        assert thread is not None
        told = tx.all(Utterance, "conversation_id = ?", thread.id, order="id")
        return [one.speech for one in told if one.speech not in ("heard", "notice", "opening")]

    return episode.world.read(said)


def words(episode: Episode) -> frozenset[str]:
    """Return the words that the customer wrote after the episode began, without names and their subject."""
    truth = truth_of(episode)

    def read(tx: Tx) -> str:
        ticket, persona = tx.get(Ticket, truth.ticket_id), tx.first(Persona, "email = ?", truth.requester)
        assert persona is not None
        since = from_us(episode.gradebook.staged_us)
        where = "ticket_id = ? AND author_id = ? AND created_at >= ?"
        text = " ".join(one.body for one in tx.all(Comment, where, ticket.id, ticket.requester_id, since)).casefold()
        for known in (ticket.subject, persona.name, persona.given, persona.family):
            text = text.replace(known.casefold(), " ")
        return text

    return frozenset(re.findall(r"[^\W\d_]+", episode.world.read(read)))


def variants(name: str, count: int) -> Iterator[Episode]:
    """Start variants whose customers do not answer the first reply with something new."""
    plain = (one for seed in range(10 * count) if not truth_of(one := start(FOUND[name], seed)).objects)
    yield from islice(plain, count)


def different(name: str, count: int = VARIANTS) -> Iterator[Episode]:
    """Start variants of different plans: those that owe least, and those that owe most."""
    known: dict[str, Episode] = {}
    for episode in variants(name, 5 * count):
        known.setdefault(truth_of(episode).plan, episode)
    by_owed = sorted(known.values(), key=lambda one: (len(kinds(one)), truth_of(one).plan))
    yield from (*by_owed[: count // 2], *by_owed[-count // 2 :])


def kinds(episode: Episode) -> tuple[str, ...]:
    return tuple(sorted(one.kind for one in truth_of(episode).owed))


@pytest.mark.parametrize("reply", ["", NEUTRAL, DONE, EXPLAINED])
@pytest.mark.parametrize("name", DESKS)
def test_customers_react_alike_whatever_is_owed(name: str, reply: str) -> None:
    solved = reply in (DONE, EXPLAINED)
    seen = defaultdict(set)
    for episode in different(name):
        said = after(episode, reply, solved)
        seen[said[0] if said else "silence"].add(kinds(episode))
    assert len(seen) == 1, dict(seen)
    (first,) = seen
    patient = FOUND[name].patience_hours * 1.25 > HOURS
    expected = {DONE: "complaint", EXPLAINED: "silence"}.get(reply, "silence" if patient else "follow_up")
    assert first == expected
    assert len(seen[first]) > 1, "the variants owe different things"


@pytest.mark.parametrize("name", DESKS)
def test_what_is_at_stake_changes_no_word_and_no_rating(name: str) -> None:
    def told(episode: Episode, stakes: bool) -> Any:
        def set_stakes(tx: Tx) -> None:
            persona = tx.first(Persona, "email = ?", truth_of(episode).requester)
            assert persona is not None
            never = Need(name="refund", check="never", wish="Give me my money back.", about="refund")
            tx.change(persona, stakes=(never,) if stakes else ())

        episode.world.do(set_stakes, Actor("system", "people"))
        after(episode, DONE, solved=True)
        return episode.world.read(
            lambda tx: (
                [(one.at, one.text) for one in tx.all(Utterance, order="id")],
                [(one.created_at, one.score) for one in tx.all(SatisfactionRating, order="id")],
            )
        )

    scenario = FOUND[name]
    for seed in range(2):
        assert told(start(scenario, seed), True) == told(start(scenario, seed), False)


@pytest.mark.soak
@pytest.mark.parametrize(("reply", "solved"), [(NEUTRAL, False), (DONE, True)])
def test_the_words_of_follow_ups_do_not_predict_what_is_owed(reply: str, solved: bool) -> None:
    """Naive Bayes over the words of the follow-up, fitted on half, is not better than always the most frequent."""
    right = plain = total = 0
    for name in DESKS:
        rows = []
        for episode in variants(name, IN_SOAK):
            after(episode, reply, solved)
            rows.append((words(episode), kinds(episode)))
        learned, asked = rows[::2], rows[1::2]
        labels = Counter(label for _, label in learned)
        counts = {one: Counter(word for said, label in learned if label == one for word in said) for one in labels}

        def score(said: frozenset[str], label: tuple[str, ...], labels: Any = labels, counts: Any = counts) -> float:
            number = labels[label]
            return math.log(number) + sum(math.log((counts[label][word] + 0.5) / (number + 1)) for word in said)

        right += sum(max(labels, key=partial(score, said)) == label for said, label in asked)
        plain += sum(max(labels, key=lambda one: labels[one]) == label for _, label in asked)
        total += len(asked)
    assert right <= plain + 2 * math.sqrt(total) / 2, (right, plain, total)


def test_a_customer_is_content_with_a_deed_owed_or_not() -> None:
    thanked, met = 0, set()
    for episode in different("zendesk/wrong-charge", 12):
        truth = truth_of(episode)
        granted = {"customer_id": truth.customer_id, "amount_cents": 100, "reason": "goodwill"}
        assert not episode.call("backoffice_grant_credit", granted).is_error
        said = after(episode, NEUTRAL)
        assert set(said) <= {"thanks"}
        thanked += bool(said)
        met.add(bool(truth.owed))
    assert thanked
    assert met == {True, False}


def test_a_renewal_is_not_a_deed_that_a_customer_sees() -> None:
    episode = Planned("zendesk/wrong-charge", DeskTruth).begin("own_renewal")
    assert after(episode, DONE)[0] == "complaint"
