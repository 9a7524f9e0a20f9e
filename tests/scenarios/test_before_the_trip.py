"""Before the trip: where the parcel is decides what can be done, the letter what is wanted."""

from typing import Any

import pytest

from diorama.apps.backoffice.schema import Charge, Customer, Order, Return, Shipment
from diorama.apps.zendesk.schema import Comment
from diorama.episodes.episode import Episode, start
from diorama.scenarios.desk_facts import DeskTruth
from tests.scenarios.planned import OtherHands, Planned, damaged, mail, rows, truth_of

DESK = Planned("zendesk/before-the-trip", DeskTruth)
ON_ITS_WAY = ("not_lost", "cancel_too_late", "redirect_too_late")


@pytest.mark.parametrize("plan", ON_ITS_WAY)
def test_what_the_carrier_has_cannot_be_stopped(plan: str) -> None:
    episode = DESK.begin(plan)
    (order,) = rows(episode, Order, "number = ?", truth_of(episode).order_number)
    seen = episode.call("backoffice_cancel_order", {"order_id": order.id})
    assert seen.is_error
    assert "order_shipped" in seen.text


@pytest.mark.parametrize("plan", ON_ITS_WAY)
def test_expected_days_are_told_and_are_working_days(plan: str) -> None:
    episode = DESK.begin(plan)
    truth = truth_of(episode)
    (order,) = rows(episode, Order, "number = ?", truth.order_number)
    (parcel,) = rows(episode, Shipment, "order_id = ?", order.id)
    assert parcel.estimated_at.weekday() < 5
    assert {one.text for one in truth.tell} == {parcel.tracking_number, f"{parcel.estimated_at:%Y-%m-%d}"}
    assert parcel.tracking_number not in mail(episode)


@pytest.mark.parametrize("plan", ["cancel_too_late", "redirect_too_late", "there_already"])
def test_a_claimed_cancellation_costs_success(plan: str) -> None:
    episode = DESK.begin(plan)
    fields = {"ticket_id": truth_of(episode).ticket_id, "body": "We have cancelled the order for you."}
    episode.call("zendesk_reply_to_ticket", fields)
    assert DESK.then_the_oracle(episode).success is False


def test_an_order_that_waits_stays_in_the_warehouse_for_two_days() -> None:
    for plan in ("cancel_it", "send_ahead"):
        episode = DESK.begin(plan)
        episode.call("wait", {"minutes": 60 * 48})
        (order,) = rows(episode, Order, "number = ?", truth_of(episode).order_number)
        assert order.status == "open"


def test_a_cancelled_order_is_refunded_whole() -> None:
    for plan, place in (("cancel_it", "original_payment"), ("cancel_it_as_credit", "store_credit")):
        episode = DESK.begin(plan)
        ended, paid = truth_of(episode).owed
        (charge,) = rows(episode, Charge, "order_id = ?", ended.subjects[0])
        assert (paid.cents, paid.subjects, paid.destination) == (charge.amount_cents, (charge.id,), place)


def test_a_returned_parcel_is_sent_to_the_new_address_in_the_same_province() -> None:
    episode = DESK.begin("came_back")
    (owed,) = truth_of(episode).owed
    (old,) = rows(episode, Shipment, "id = ?", owed.subjects[0])
    assert DESK.then_the_oracle(episode).success
    (sent,) = rows(episode, Shipment, "reship_of = ?", owed.subjects[0])
    assert {"line1": sent.address.line1, "city": sent.address.city}.items() <= (owed.to or {}).items()
    assert sent.address.line1 != old.address.line1
    assert sent.address.region == old.address.region != ""


class Writes(OtherHands):
    """Hands that write some parts of an address in another way."""

    def __init__(self, episode: Episode, **parts: str) -> None:
        super().__init__(episode.hands)
        self.parts = parts

    def call(self, name: str, args: dict[str, Any]) -> Any:
        """Change the address of the call."""
        if name == "backoffice_change_address":
            args = {**args, "address": {**args["address"], **self.parts}}
        return self.hands.call(name, args)


FIRM = 472
"""A variant of the eval split in which the old address has the name of a firm."""


def test_a_parcel_may_have_any_name_that_the_customer_had() -> None:
    for place in (0, 1):
        episode = start(DESK.scenario, FIRM, split="eval")
        (owner,) = rows(episode, Customer, "id = ?", truth_of(episode).customer_id)
        assert owner.company
        name = (owner.name, owner.company.upper())[place]
        DESK.scenario.oracle(Writes(episode, name=name), episode.truth)
        result = episode.finish()
        assert (result.success, damaged(result)) == (True, False), name


def test_a_parcel_with_the_name_of_a_stranger_is_damage() -> None:
    episode = start(DESK.scenario, FIRM, split="eval")
    DESK.scenario.oracle(Writes(episode, name="Walter Stranger"), episode.truth)
    result = episode.finish()
    assert (result.success, damaged(result)) == (False, True)


def test_an_address_may_be_spelled_in_any_ordinary_way() -> None:
    episode = start(DESK.scenario, FIRM, split="eval")
    to = truth_of(episode).owed[0].to or {}
    line = to["line1"].replace(" ", ", ", 1).replace("Street", "St.")
    assert line.endswith("St.")
    code = to["postal_code"].lower().replace(" ", "")
    DESK.scenario.oracle(Writes(episode, line1=line, postal_code=code), episode.truth)
    result = episode.finish()
    assert result.success
    assert result.reward == 1.0


def test_a_lost_parcel_is_sent_again_or_refunded_but_not_both() -> None:
    episode = DESK.begin("lost_again")
    (owed,) = truth_of(episode).owed
    (parcel,) = rows(episode, Shipment, "id = ?", owed.subjects[0])
    (charge,) = rows(episode, Charge, "order_id = ?", parcel.order_id)
    assert not episode.call("backoffice_refund_charge", {"charge_id": charge.id, "reason": "not_received"}).is_error
    result = DESK.then_the_oracle(episode)
    assert (result.success, damaged(result)) == (False, True)


@pytest.mark.parametrize(
    ("plan", "resolution"), [("send_it_back", "refund"), ("send_it_back_as_credit", "store_credit")]
)
def test_a_return_has_the_resolution_that_the_letter_asks_for(plan: str, resolution: str) -> None:
    episode = DESK.begin(plan)
    assert DESK.then_the_oracle(episode).success
    opened = rows(episode, Return, "order_id = ?", truth_of(episode).owed[0].subjects[0])
    assert [(one.reason, one.resolution) for one in opened] == [("changed_mind", resolution)]


def test_another_order_is_left_alone() -> None:
    episode = DESK.begin("cancel_it")
    mine = truth_of(episode).owed[0].subjects[0]
    others = rows(episode, Charge, "customer_id = ? AND order_id != ?", truth_of(episode).customer_id, mine)
    fields = {"charge_id": others[-1].id, "reason": "goodwill", "amount_cents": 500}
    assert not episode.call("backoffice_refund_charge", fields).is_error
    result = DESK.then_the_oracle(episode)
    assert (result.success, damaged(result)) == (False, True)


def test_letters_and_true_replies_are_in_the_customers_language() -> None:
    DESK.speaks_the_customers_language(24)


ENDS_OTHER = [one.name for one in DESK.scenario.plans if one.name.endswith("_ends_other")]


@pytest.mark.parametrize("plan", ENDS_OTHER)
def test_only_one_other_order_has_not_left(plan: str) -> None:
    episode = DESK.begin(plan)
    truth = truth_of(episode)
    ended = next(one for one in truth.owed if one.kind == "cancellation")
    waiting = rows(episode, Order, "customer_id = ? AND status = 'open'", truth.customer_id)
    assert [one.id for one in waiting if one.number != truth.order_number] == list(ended.subjects)


@pytest.mark.parametrize(
    "question",
    [
        "Which of the two should I cancel?",
        "Which order do you mean by the other one?",
        "Two other orders have not left us yet. Which of your orders shall I cancel?",
        "Laquelle des deux commandes dois-je annuler ?",
    ],
)
def test_the_customer_names_the_other_order_when_asked(question: str) -> None:
    episode = DESK.begin("send_ahead_ends_other")
    truth = truth_of(episode)
    ended = next(one for one in truth.owed if one.kind == "cancellation")
    (other,) = rows(episode, Order, "id = ?", ended.subjects[0])
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": f"Hello, a question. {question}"})
    episode.call("wait", {"minutes": 60 * 12})
    said = rows(episode, Comment, "ticket_id = ?", truth.ticket_id)
    assert other.number in said[-1].body
    assert truth.order_number not in said[-1].body
