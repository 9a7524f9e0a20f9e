"""Why an episode failed: which part is named first, and in which words."""

from typing import Any

import pytest

from diorama.episodes.episode import start
from diorama.episodes.result import Result
from diorama.runs.reasons import decided_by, first_reason, headline, judged, reasons


def part(name: str, value: float, **rest: Any) -> dict[str, Any]:
    return {"name": name, "scale": "episode", "value": value, "because": "Why.", "evidence": [], **rest}


def result(*parts: dict[str, Any], reward: float | None = 0.0, **rest: Any) -> dict[str, Any]:
    return {
        "scenario": "zendesk/hidden-need",
        "ended": "done",
        "success": False,
        "reward": reward,
        "fault": None,
        "score": {"parts": list(parts)},
        **rest,
    }


REFUND = part(
    "problem_is_fixed",
    0.0,
    expected="51.90 EUR refunded for order LK-11410, once",
    found="no refund",
    evidence=[4],
    weight=4.0,
)
READ = part("ticket_was_read", 0.0, expected="The agent read the ticket.", found="this does not hold", weight=1.0)
PAID = part("money_was_paid_wrongly", -2.0, expected="this never happens: Why.", found="2 times")
TAGGED = part("damage: zendesk_tickets.tags", -0.02, expected="t 1: [], as it was", found="t 1: [x] (event 7)")


def test_the_first_line_says_what_was_expected_and_found() -> None:
    line = "Failed: expected 51.90 EUR refunded for order LK-11410, once, found no refund."
    assert headline(result(REFUND), "") == line


def test_the_fact_that_weighs_most_is_named_before_the_others() -> None:
    assert [one.name for one in reasons(result(READ, REFUND))] == ["problem_is_fixed", "ticket_was_read"]
    heavy = part("weighs_more_in_this_run", 0.0, weight=9.0)  # whatever is installed now says
    assert reasons(result(READ, REFUND, heavy))[0].name == "weighs_more_in_this_run"
    old = [part("first", 0.0), part("second", 0.0)]  # a run that recorded no weights
    assert [one.name for one in reasons(result(*old))] == ["first", "second"]


def test_every_part_that_decides_records_its_weight() -> None:
    episode = start("zendesk/late-refund", 0)
    episode.scenario.cheats["gives_everything"](episode.hands, episode.truth)
    for result in (episode.finish(), solved("zendesk/late-refund", 0)):
        assert result.score is not None
        decides = [one for one in result.score.parts if one.scale in ("episode", "look")]
        assert decides
        assert all(one.weight is not None and one.weight > 0 for one in decides), decides


def solved(name: str, seed: int) -> Result:
    episode = start(name, seed)
    episode.scenario.oracle(episode.hands, episode.truth)
    return episode.finish()


def test_heavy_damage_is_named_first_if_the_reward_is_negative() -> None:
    assert reasons(result(REFUND, PAID, reward=-0.3))[0].name == "money_was_paid_wrongly"
    assert reasons(result(REFUND, PAID, reward=0.1))[0].name == "problem_is_fixed"
    assert reasons(result(REFUND, TAGGED, reward=-0.01))[0].name == "problem_is_fixed"
    assert first_reason(result(PAID, reward=-0.3), "") == "Why (2 times)"
    assert first_reason(result(TAGGED), "") == "Why: t 1: [x] (event 7)"


def test_an_exception_of_the_agent_stands_before_the_reason() -> None:
    told = first_reason(result(READ, ended="gave_up"), "the agent raised KeyError: 'x'")
    assert told == "the agent raised KeyError: 'x'; not met: The agent read the ticket"
    assert first_reason(result(READ, ended="step_limit"), "").endswith("; the agent used up its turns")


def test_a_void_episode_names_the_boundary_and_the_message() -> None:
    fault = {"boundary": "provider", "kind": "URLError", "message": "no answer.", "at": None}
    void = result(ended="void", success=None, reward=None, fault=fault, score=None)
    assert headline(void, "") == "Void: the harness broke at the boundary provider: no answer. There is no score."


def test_a_success_names_what_cost_quality() -> None:
    assert headline(result(part("a", 1.0), success=True), "").startswith("Success: everything")
    slow = part("in_time", 0.5, expected="a reply within 2 hours", found="the first reply after 3 hours")
    told = headline(result(slow, success=True), "")
    assert (
        told
        == "Success, but not with full quality: expected a reply within 2 hours, found the first reply after 3 hours."
    )


def test_a_result_that_cannot_be_read_is_called_damaged() -> None:
    assert headline(None, "") == "Damaged: the stored result cannot be read."


@pytest.mark.parametrize(
    ("value", "expected", "found"),
    [
        (0.0, "Why.", "this is not so"),
        (0.5, "Why.", "this holds in part (0.50)"),
        (-1.0, "nothing of this kind", "Why."),
    ],
)
def test_parts_of_older_runs_are_never_empty(value: float, expected: str, found: str) -> None:
    old = judged(part("x", value))
    assert (old.expected, old.found) == (expected, found)


def test_failures_are_counted_by_the_part_that_decided() -> None:
    counted = decided_by([result(REFUND), result(READ, REFUND), result(PAID, reward=-1.0), None])
    assert counted == {"problem_is_fixed": 2, "money_was_paid_wrongly": 1}
