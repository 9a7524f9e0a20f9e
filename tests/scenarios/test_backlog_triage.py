"""Backlog triage: each ticket counts separately, by this week's rules, and only if the agent routed it."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from diorama.episodes.episode import Episode, start
from diorama.kernel import Dice
from diorama.scenarios import find
from diorama.scenarios.backlog_triage import Place, TriageTruth, labels
from diorama.scenarios.backlog_triage.routing import PLANS, TicketTraits, TriageRules, route_of, rules_text, usual
from diorama.worlds.larkspur.company import FIRST_LINE, WORKSHOP

NAME = "zendesk/backlog-triage"
SCENARIO: Any = find(NAME)


def opened(seed: int = 3) -> tuple[Episode, TriageTruth]:
    episode = start(NAME, seed)
    return episode, msgspec.convert(episode.truth, TriageTruth, from_attributes=True)


def rules_of(plan: str) -> TriageRules:
    table = usual(Dice("a season"))
    rules = TriageRules(table=dict(table), usual=table)
    PLANS[plan](rules, Dice("a week"))
    return rules


def route(episode: Episode, place: Place, **other: Any) -> None:
    SCENARIO._route(episode.hands, place, **other)


def test_every_ticket_counts_separately() -> None:
    episode, truth = opened()
    steps = [episode.potential]
    for place in truth.places:
        route(episode, place)
        steps.append(episode.potential)
    assert all(later > earlier for earlier, later in pairwise(steps))
    assert steps[-1] < 1.0


@pytest.mark.parametrize(
    "slip",
    [{"priority": "low"}, {"type": "problem"}, {"add_tags": ["reason_other"]}],
)
def test_one_wrong_field_makes_the_ticket_wrong(slip: dict[str, Any]) -> None:
    episode, truth = opened()
    danger = next(place for place in truth.places if place.topic == "danger")
    route(episode, danger, **slip)
    assert episode.potential == 0.0
    route(episode, danger)
    assert episode.potential > 0.0


def test_answering_or_solving_a_ticket_cannot_be_undone() -> None:
    episode, truth = opened()
    for place in truth.places:
        route(episode, place)
    clean = episode.potential
    one = truth.places[0].ticket_id
    reason = next(tag for tag in truth.places[0].tags if tag.startswith("reason_"))
    form = {"Contact reason": reason, "Resolution": "done_answered"}
    assert not episode.call("zendesk_update_ticket", {"ticket_id": one, "status": "solved", "fields": form}).is_error
    episode.call("zendesk_update_ticket", {"ticket_id": one, "status": "open"})
    assert episode.potential == pytest.approx(clean / 2)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": one, "body": "We are on it."})
    assert episode.potential == pytest.approx(clean / 4)


def test_this_weeks_rules_override_the_list() -> None:
    strike = rules_of("carrier_strike")
    route, tags = route_of(strike, TicketTraits(topic="lost_parcel"))
    assert (route.group, route.priority, tags) == (FIRST_LINE, "low", ("carrier_strike",))
    assert "carrier_strike" in rules_text(strike)
    recalled = rules_of("recall")
    urgent, _ = route_of(recalled, TicketTraits(topic="defect", machine=recalled.recalled))
    other, _ = route_of(recalled, TicketTraits(topic="defect", machine="Finch"))
    question, marks = route_of(recalled, TicketTraits(topic="how_to", machine=recalled.recalled))
    assert urgent.priority == "urgent" != other.priority
    assert (question, marks) == (recalled.usual["how_to"], ())


def test_a_danger_report_goes_to_the_workshop_for_vips_too() -> None:
    route, _ = route_of(rules_of("regulars_at_home"), TicketTraits(topic="danger", vip=True))
    assert (route.group, route.priority) == (WORKSHOP, "urgent")


def test_a_second_mail_repeats_the_first_request() -> None:
    for seed in range(6):
        _, truth = opened(seed)
        by_number = {place.ticket_id: place for place in truth.places}
        again = [place for place in truth.places if place.first]
        assert again
        for place in again:
            first = by_number[place.first]
            assert place.first < place.ticket_id
            assert (place.group, place.priority, place.type) == (first.group, first.priority, first.type)
            assert set(place.tags) == {*first.tags, "duplicate"}


def test_only_known_tags_are_judged() -> None:
    assert labels(("vip", "reason_refund", "lang_de", "phone")) == {"reason_refund", "lang_de"}
