"""Backlog triage: each ticket counts separately, by this week's rules, and nothing is answered or solved."""

from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk.schema import Comment
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Dice
from diorama.rewards.account import ScorePart
from diorama.scenarios import find
from diorama.scenarios.backlog_triage import Place, TriageTruth, labels
from diorama.scenarios.backlog_triage.letters import ENGLISH, asides, suits
from diorama.scenarios.backlog_triage.routing import PLANS, TicketTraits, TriageRules, route_of, rules_text, usual
from diorama.worlds.larkspur.company import FIRST_LINE, WORKSHOP
from tests.scenarios.planned import OtherHands

NAME = "zendesk/backlog-triage"
SCENARIO: Any = find(NAME)


class Unfinished(OtherHands):
    """An oracle's hands that do not end the episode."""

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool, but do not finish."""
        return self.hands.call("wait", {"minutes": 1}) if tool == "finish" else self.hands.call(tool, arguments)


def opened(seed: int = 3) -> tuple[Episode, TriageTruth]:
    episode = start(NAME, seed)
    return episode, msgspec.convert(episode.truth, TriageTruth, from_attributes=True)


def rules_of(plan: str) -> TriageRules:
    table = usual(Dice("a season"))
    rules = TriageRules(table=dict(table), usual=table)
    next(week for week in PLANS if week.name == plan).change(rules, Dice("a week"))
    return rules


def parts(result: Result) -> dict[str, ScorePart]:
    assert result.score is not None
    return {part.name: part for part in result.score.parts if part.scale == "episode"}


def route(episode: Episode, place: Place, **other: Any) -> None:
    SCENARIO._route(episode.hands, place, **other)


@pytest.mark.parametrize("plan", [week.name for week in PLANS])
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    split = next(week.split for week in PLANS if week.name == plan) or "train"
    episode = next(one for seed in range(200) if (one := start(NAME, seed, split=split)).truth.plan == plan)
    staged = episode.snapshot()
    SCENARIO.oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0)
    assert all(part.expected and part.found for part in parts(result).values())
    for name, cheat in SCENARIO.cheats.items():
        episode.restore(staged)
        cheat(episode.hands, episode.truth)
        result = episode.finish()
        assert (result.success, (result.reward or 0.0) <= 0.4) == (False, True), name


def test_no_step_tells_whether_a_ticket_is_right() -> None:
    episode, truth = opened()
    episode.call("zendesk_search_tickets", {"query": "status<solved", "sort_by": "created_at"})
    before = episode.potential
    for place in truth.places[:-1]:
        route(episode, place)
        assert episode.potential == before
    route(episode, truth.places[-1])
    booked = episode.potential
    assert booked > before
    route(episode, truth.places[0], priority="low" if truth.places[0].priority != "low" else "high")
    assert episode.potential == booked


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ({"priority": "low"}, "priority low"),
        ({"type": "problem"}, "type problem"),
        ({"add_tags": ["reason_other"]}, "tags reason_other"),
    ],
)
def test_one_wrong_field_makes_the_ticket_wrong(slip: dict[str, Any], said: str) -> None:
    episode, truth = opened()
    at = next(number for number, place in enumerate(truth.places, 1) if place.topic == "danger")
    for place in truth.places:
        route(episode, place, **slip if place.topic == "danger" else {})
    found = parts(episode.finish())[f"ticket_{at:02d}_is_in_place"]
    assert (found.value, said in found.found) == (0.0, True)


def test_an_answer_or_a_solved_ticket_costs_success() -> None:
    for act in ("answer", "solve"):
        episode, truth = opened()
        one = truth.places[0].ticket_id
        if act == "answer":
            episode.call("zendesk_reply_to_ticket", {"ticket_id": one, "body": "We are on it."})
        SCENARIO.oracle(Unfinished(episode.hands), truth)
        if act == "solve":
            reason = next(tag for tag in truth.places[0].tags if tag.startswith("reason_"))
            form = {"Contact reason": reason, "Resolution": "done_answered"}
            asked = {"ticket_id": one, "status": "solved", "fields": form}
            assert not episode.call("zendesk_update_ticket", asked).is_error
        result = episode.finish()
        assert result.success is False
        assert any(name.startswith("damage: ") for name in parts(result))


def test_a_note_that_names_every_ticket_names_none() -> None:
    episode, truth = opened()
    again = next(place for place in truth.places if place.first)
    every = " ".join(f"#{place.ticket_id}" for place in truth.places)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": again.ticket_id, "body": every, "public": False})
    SCENARIO.oracle(Unfinished(episode.hands), truth)
    result = episode.finish()
    assert result.success is False
    assert parts(result)["second_mails_point_to_the_first"].value == 0.0


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


def test_no_side_remark_contradicts_the_matter() -> None:
    assert not any("invoice" in text for text in asides("invoice"))
    assert not any("charged" in text for text in asides("double_charge"))
    assert all(len(asides(topic)) > 3 for topic in ENGLISH)


def test_no_two_mails_of_a_weekend_have_the_same_side_remark() -> None:
    remark = "descale with vinegar"
    for seed in range(500, 512):
        episode, _ = opened(seed)
        bodies = episode.world.read(lambda tx: [one.body.lower() for one in tx.all(Comment, order="id DESC", limit=20)])
        assert sum(remark in body for body in bodies) <= 1


def test_only_machines_with_electricity_have_electric_faults() -> None:
    assert not suits("the display of the {machine} stays black", "Tern Lever")
    assert not suits("the display of the {machine} stays black", "Aria")
    assert suits("the display of the {machine} stays black", "Aria Plus")
    assert not suits("die Pumpe der {machine} rattert", "Tern Lever")
    for topic, texts in ENGLISH.items():
        assert any(suits(" ".join(one), "Tern Lever") for one in texts), topic
