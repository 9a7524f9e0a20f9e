"""Whatever a reply must name is asked for by the brief."""

import pytest

from diorama.episodes.episode import start
from diorama.scenarios import find, load_all
from diorama.scenarios.cast import Value, amount, day, number
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.telling import ORDER_RULE, telling_rule, words_for

load_all()
DESKS = [name for name in sorted(load_all()) if isinstance(find(name), DeskScenario)]


@pytest.mark.parametrize("name", DESKS)
def test_the_brief_asks_for_every_value_that_must_be_told(name: str) -> None:
    scenario = find(name)
    assert isinstance(scenario, DeskScenario)
    brief = start(scenario, 0).brief
    for plan in scenario.plans:
        for one in (plan, getattr(plan, "also", None)):
            for value in one.tell if one is not None else ():
                words = ORDER_RULE if value == number("order") else words_for(value)
                assert words in brief, (plan.name, value)


def test_a_value_without_words_is_named_after_its_row() -> None:
    assert words_for(Value("spare_key", "number")) == "the number of the spare key"


def test_the_rule_names_each_value_once() -> None:
    rule = telling_rule([number("order"), day("refund"), amount("refund"), day("refund")])
    assert rule.startswith(ORDER_RULE)
    assert rule.count("the day of a refund") == 1
    assert telling_rule([]) == ""


def test_the_day_of_a_failed_refund_need_not_be_told() -> None:
    desk = find("zendesk/late-refund")
    assert isinstance(desk, DeskScenario)
    assert not next(plan for plan in desk.plans if plan.name == "bank_refused").tell
