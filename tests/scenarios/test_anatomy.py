"""A scenario that leaves out a part of its declaration is refused when it is declared."""

from typing import Any

import msgspec
import pytest

from diorama.kit.discovery import WrongDeclaration
from diorama.scenarios import SCENARIOS, Scenario, scenario
from diorama.scenarios.desk import DeskScenario

SAID: dict[str, Any] = {"world": "larkspur", "apps": ("zendesk",), "person": "x@y.example", "truth": msgspec.Struct}


@pytest.mark.parametrize("missing", sorted(SAID))
def test_a_scenario_must_say_where_and_for_whom(missing: str) -> None:
    said = {name: value for name, value in SAID.items() if name != missing}
    with pytest.raises(WrongDeclaration, match=f"the scenario zendesk/half does not say its {missing}$"):
        scenario("zendesk/half")(type("Half", (Scenario,), said))
    assert "zendesk/half" not in SCENARIOS


def test_a_desk_scenario_must_say_whose_desk_it_is() -> None:
    class Half(DeskScenario):
        pass

    with pytest.raises(WrongDeclaration, match="does not say its world, person, plans, form, agent, shop, currency"):
        scenario("zendesk/half")(Half)
