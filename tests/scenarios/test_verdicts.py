"""Verdicts explain themselves: which words, which ticket, which tag, how many replies, and from when time counts."""

from typing import Any

import pytest

from diorama.apps.zendesk.schema.help_center import Translation
from diorama.episodes.episode import Episode, start
from diorama.rewards.account import ScorePart
from diorama.scenarios import find
from diorama.scenarios.desk_facts import DeskTruth
from diorama.worlds.closing import ARTICLE
from tests.scenarios.planned import Planned

THREADS = Planned("zendesk/duplicate-tickets", DeskTruth)


def parts(episode: Episode) -> dict[str, ScorePart]:
    """Return the parts of the finished episode that decide it."""
    score = episode.finish().score
    assert score is not None
    return {one.name: one for one in score.parts if one.scale == "episode"}


def replied(name: str, seed: int, *bodies: str) -> dict[str, ScorePart]:
    """Answer a ticket with these texts and end the episode."""
    episode = start(name, seed)
    truth: Any = episode.truth
    for body in bodies:
        episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": body})
    return parts(episode)


def played(name: str, seed: int, split: str = "train") -> dict[str, ScorePart]:
    """Let the oracle work and end the episode."""
    episode = start(name, seed, split=split)
    find(name).oracle(episode.hands, episode.truth)
    return parts(episode)


def test_a_promise_that_no_record_shows_is_named() -> None:
    found = replied("zendesk/late-refund", 0, "Hello, a technician will visit you. Kind regards").get(
        "nothing_false_was_said"
    )
    assert found is not None
    assert "a promise or a gift that no record shows: 'technician ... will'" in found.found


def test_a_sentence_with_two_contradictions_is_quoted_once() -> None:
    lie = "We refunded 812.44 EUR to your card, and a courier collects the parcel from you tomorrow"
    found = replied("zendesk/late-refund", 0, f"Hello. {lie}.")["nothing_false_was_said"].found
    assert found.count(lie) == 1
    assert ", and " in found.partition(lie)[2]


def test_no_part_says_the_same_as_its_reason() -> None:
    episode = start("zendesk/late-refund", 0)
    truth: Any = episode.truth
    for value in ("done_refused", "done_explained", "done_answered", "done_nothing"):
        fields = {"Resolution": value, "Contact reason": "reason_other", "Record": "LK-1"}
        episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, "fields": fields, "status": "solved"})
    found = parts(episode)
    assert any(name.startswith("committed_") for name in found)
    assert [one.name for one in found.values() if one.because == one.found] == []


@pytest.mark.parametrize("plan", ["two_matters", "same_twice"])
def test_the_number_of_replies_counts_all_tickets_of_the_customer(plan: str) -> None:
    split, seed = THREADS.seed(plan)
    sent = {"two_matters": "2 public replies", "same_twice": "one public reply"}
    assert played("zendesk/duplicate-tickets", seed, split)["customer_was_told"].found == f"told, in {sent[plan]}"


def test_every_ticket_that_lacks_something_is_named() -> None:
    episode = start("zendesk/outage-flood", 0)
    truth: Any = episode.truth
    found = parts(episode)["everyone_was_told"].found
    for one in truth.hits:
        assert f"#{one.ticket_id}" in found
    assert "more)" not in found


def test_the_queue_says_which_tags_the_ticket_has() -> None:
    assert "with vip" in played("zendesk/vip-near-breach", 0)["queue_is_right"].found
    assert "without the tag vip" in _untagged()


def _untagged() -> str:
    for seed in range(40):
        episode = start("zendesk/vip-near-breach", seed)
        found = parts(episode)["queue_is_right"].found
        if "without" in found:
            return found
    return ""


@pytest.mark.parametrize("name", ["zendesk/late-refund", "zendesk/outage-flood"])
def test_the_time_of_the_first_reply_says_from_when_it_counts(name: str) -> None:
    episode = start(name, 0)
    began = episode.world.now
    find(name).oracle(episode.hands, episode.truth)
    assert f"from the start of the episode ({began:%Y-%m-%d %H:%M} UTC)" in parts(episode)["answered_in_time"].expected


def test_the_brief_of_the_flood_asks_for_no_form_that_is_not_judged() -> None:
    episode = start("zendesk/outage-flood", 0)
    assert "an incident that is not about charges has the same or stays empty" in episode.brief


@pytest.mark.parametrize("name", ["zendesk/vip-near-breach", "zendesk/before-the-trip"])
def test_both_companies_say_where_money_with_credit_on_top_was_paid_to(name: str) -> None:
    episode = start(name, 0)
    pages = episode.world.read(lambda tx: [one.body for one in tx.all(Translation, "title = ?", ARTICLE)])
    assert any("store credit was granted on top, where the refund of the charge went" in one for one in pages)


def test_the_promise_says_which_priority_sets_the_deadline() -> None:
    episode = start("zendesk/vip-near-breach", 0)
    pages = episode.world.read(lambda tx: [one.body for one in tx.all(Translation)])
    assert any("the priority that the ticket should have" in one for one in pages)
