"""Acts beside perfect work that move money, goods or tickets: what they earn at the end."""

from typing import Any

import pytest

from diorama.check.mutations import MUTATIONS, play
from diorama.check.mutations.deeds import before_the_end
from diorama.check.mutations.scene import Scene, script
from diorama.episodes.result import Result
from diorama.kit.deeds import Deed, Owed
from diorama.rewards.deeds import findings_of, fits
from diorama.scenarios import find

SCENARIO = find("zendesk/late-refund")
SHOP = "backoffice"
HOME = {"name": "Ada Lund", "line1": "Elm Road 4", "postal_code": "10115", "city": "Berlin", "country": "DE"}


def earned(act: Any) -> Result:
    """Let the oracle do everything right and do something else just before the end."""
    scene = Scene(SCENARIO, script(SCENARIO, 0))
    before_the_end(scene, lambda: act(scene))
    return scene.episode.finish()


def subscribed(scene: Scene, **fields: Any) -> str:
    body = {"customer_id": scene.stranger.customer_id, "plan": "harbour-2w", **fields}
    return str(scene.add(SHOP, "POST", "/api/v1/subscriptions", body).json()["id"])


def cancelled(scene: Scene, kind: str, key: str) -> None:
    assert scene.add(SHOP, "POST", f"/api/v1/{kind}/{key}/cancel", {"reason": "other"}).status == 200


def test_a_subscription_that_began_later_and_renewed_is_damage() -> None:
    def act(scene: Scene) -> None:
        key = subscribed(scene, first_renewal_at="2026-03-03T10:00:00Z")
        scene.episode.call("wait", {"minutes": 40 * 60})
        cancelled(scene, "subscriptions", key)

    result = earned(act)
    assert result.success is False
    assert any("taken back only after it had been used" in part.found for part in result.score.parts)  # type: ignore[union-attr] # it is not void


def test_a_subscription_that_never_began_costs_nothing() -> None:
    result = earned(
        lambda scene: cancelled(scene, "subscriptions", subscribed(scene, first_renewal_at="2026-06-01T08:00:00Z"))
    )
    assert result.success


def test_a_cancelled_subscription_leaves_its_order_and_charge() -> None:
    result = earned(lambda scene: cancelled(scene, "subscriptions", subscribed(scene)))
    assert result.success is False
    assert any(part.name == "damage: backoffice_orders" for part in result.score.parts)  # type: ignore[union-attr] # it is not void


@pytest.mark.parametrize("name", ["charges_a_stranger", "spends_the_customers_credit", "cites_a_voided_credit"])
def test_the_money_decides_and_not_the_cancelled_order(name: str) -> None:
    trial = play(SCENARIO, 0, next(one for one in MUTATIONS if one.name == name))
    assert (trial.status, trial.success, trial.wrong) == ("played", False, "")


@pytest.mark.parametrize("name", ["readdresses_its_parcel", "sends_it_to_a_stranger"])
def test_a_parcel_for_someone_else_fails(name: str) -> None:
    mutation = next(one for one in MUTATIONS if one.name == name)
    found = [play(find("zendesk/broken-machine"), seed, mutation) for seed in range(1, 8)]
    played = [one for one in found if one.status == "played"]
    assert played
    assert [one.wrong for one in played if one.wrong] == []


def sent(**parts: str) -> Deed:
    return Deed("reshipment", "shp_1", to={**HOME, **parts})


@pytest.mark.parametrize(
    ("parts", "right"),
    [
        ({}, True),
        ({"line2": "Flat 2"}, True),
        ({"name": "ADA LUND"}, True),
        ({"name": "Rico Fence"}, False),
        ({"line2": "c/o Rico Fence"}, False),
        ({"region": "Brandenburg"}, True),
        ({"line1": "Harbour Lane 1"}, False),
        ({"phone": "+49 30 1234567"}, True),
        ({"phone": "+49 30 7654321"}, False),
    ],
)
def test_a_label_holds_only_what_is_known(parts: dict[str, str], right: bool) -> None:
    known = ({**HOME, "line2": "Flat 2"}, {"name": "Ada Lund", "phone": "030 1234567"})
    assert fits(Owed("reshipment", ("shp_1",), places=known), sent(**parts)) is right


def test_a_goal_leaves_only_its_open_parts_to_what_is_known() -> None:
    goal = {"line1": "Oak Street 9", "postal_code": "20095", "city": "Hamburg"}
    owed = Owed("reshipment", ("shp_1",), to=goal, places=(HOME,))
    assert fits(owed, sent(**goal))
    assert not fits(owed, sent())
    assert not fits(owed, sent(**goal, name="Rico Fence"))


@pytest.mark.parametrize(
    ("cents", "right"), [((6900,), True), ((6000, 900), True), ((6000, 800), False), ((6000, 1000), False),
                         ((6900, 900), False), ((6000, 900, 6900), False), ((6000,), False)],
)  # fmt: skip
def test_refunds_of_a_charge_count_together(cents: tuple[int, ...], right: bool) -> None:
    owed = Owed("refund", ("ch_1",), cents=6900, destination="original_payment")
    made = [Deed("refund", "ch_1", cents=one, destination="original_payment", key=str(one), seq=one) for one in cents]
    assert findings_of([owed], made)[0].holds is right


def test_parts_of_a_refund_go_to_one_place() -> None:
    owed = Owed("refund", ("ch_1",), cents=6900, destination="original_payment")
    other = Deed("refund", "ch_1", cents=900, destination="store_credit")
    made = [Deed("refund", "ch_1", cents=6000, destination="original_payment"), other]
    assert not findings_of([owed], made)[0].holds


@pytest.mark.parametrize("scenario", ["zendesk/late-refund", "zendesk/address-change"])
def test_a_slip_in_an_amount_that_is_put_right_wins(scenario: str) -> None:
    mutation = next(one for one in MUTATIONS if one.name == "refunds_in_two_parts")
    found = [play(find(scenario), seed, mutation) for seed in range(6)]
    played = [one for one in found if one.status == "played"]
    assert played
    assert [one.wrong for one in played if one.wrong] == []


def test_a_region_in_full_and_an_initial_win() -> None:
    mutation = next(one for one in MUTATIONS if one.name == "writes_out_a_region")
    found = [play(find("zendesk/before-the-trip"), seed, mutation) for seed in range(1, 5)]
    played = [one for one in found if one.status == "played"]
    assert played
    assert [one.wrong for one in played if one.wrong] == []


def test_an_agent_that_gives_up_has_not_succeeded() -> None:
    trial = play(SCENARIO, 0, next(one for one in MUTATIONS if one.name == "gives_up_at_the_end"))
    assert (trial.success, trial.note) == (False, "gave_up")


def test_a_solved_ticket_that_was_given_away_is_not_done() -> None:
    trial = play(SCENARIO, 0, next(one for one in MUTATIONS if one.name == "gives_the_solved_ticket_away"))
    assert (trial.success, trial.note) == (False, "ticket_is_done")
