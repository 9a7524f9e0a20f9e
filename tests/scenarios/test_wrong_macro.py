"""Wrong macro: the current policy decides, and a promise that is not due spoils an otherwise right answer."""

import pytest

from diorama.apps.zendesk.schema import Macro
from diorama.scenarios.unported.policy import promised
from diorama.scenarios.wrong_macro import MacroTruth
from diorama.scenarios.wrong_macro.plans import PLANS
from tests.scenarios.variants import Variants

GAME = Variants("zendesk/wrong-macro", MacroTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of


@pytest.mark.parametrize("plan", sorted(PLANS))
def test_sending_the_macro_fails(plan: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    assert episode.world.read(lambda tx: tx.count(Macro, "title = ? AND active = 1", truth.macro)) == 1
    SCENARIO.cheats["sends_the_macro"](episode.hands, truth)
    result = episode.finish()
    assert result.success is False
    assert (result.reward or 0.0) < 0.2


@pytest.mark.parametrize("plan", ["late_return", "opened_coffee", "closed_quarter", "three_years"])
def test_an_honest_refusal_gets_full_reward(plan: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    assert not truth.dues
    assert not SCENARIO.has_deed(truth)
    SCENARIO.oracle(episode.hands, truth)
    assert episode.finish().reward == 1.0


def test_giving_more_than_the_policy_is_harm() -> None:
    episode = begin("opened_coffee")
    truth = truth_of(episode)
    before = episode.potential
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    reached = episode.potential
    assert reached > before
    order = episode.call("backoffice_get_order", {"order": truth.order_number}).data
    line = order["lines"][0]
    opened = episode.call(
        "backoffice_open_return", {"order_id": order["id"], "sku": line["sku"], "reason": "changed_mind"}
    )
    assert not opened.is_error
    assert episode.potential == pytest.approx(reached / 2)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Your refund is on its way.", {"refund"}),
        ("We have just refunded 20.00 EUR.", {"refund"}),
        ("I cannot refund this. The label is attached.", {"label"}),
        ("I see that you have asked for a refund; the 30 days are over.", set()),
        ("There is no notice period of four weeks.", set()),
        ("Of course you keep your old price.", {"price"}),
    ],
)
def test_a_refusal_is_not_a_promise(text: str, kinds: set[str]) -> None:
    assert promised(text) == kinds
