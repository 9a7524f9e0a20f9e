"""Rental deposit: the return and the notes decide what goes back, the letter for which rental, in two languages."""

import re
from datetime import date
from typing import Any

import pytest

from diorama.apps.backoffice.schema import Charge, Customer, Note, Order, Return
from diorama.episodes.episode import Episode, start
from diorama.scenarios.cast import in_language
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.past_rentals import kept_cents
from tests.scenarios.planned import Adding, Planned, damaged, mail, rows, truth_of

DESK = Planned("zendesk/rental-deposit", DeskTruth)
BACK = ("back_whole", "piece_missing", "came_late", "short_and_late", "late_with_leave", "one_still_out", "both_back")


def customer(episode: Episode) -> Customer:
    (found,) = rows(episode, Customer, "id = ?", truth_of(episode).customer_id)
    assert isinstance(found, Customer)
    return found


def by_the_terms(episode: Episode, charge_id: str) -> int:
    """Return what goes back of the deposit of a charge, by the notes and the return that every agent can read."""
    (charge,) = rows(episode, Charge, "id = ?", charge_id)
    (back,) = rows(episode, Return, "order_id = ?", charge.order_id)
    notes = [one.body for one in rows(episode, Note, "order_id = ?", charge.order_id)]
    (due,) = {date.fromisoformat(day) for text in notes for day in re.findall(r"20\d\d-\d\d-\d\d", text)}
    lost = re.search(r"(\d) pieces? missing", back.note)
    allowed = any(re.search(r"no charge|not charge|no cost", text) for text in notes)
    late = 0 if allowed else max(0, (back.received_at.date() - due).days)
    return int(10_000 - min(6_000, 2_500 * int(lost[1] if lost else 0) + 2_000 * late))


@pytest.mark.parametrize("plan", [*BACK, "short_with_leave"])
def test_what_goes_back_follows_from_the_notes_and_the_return(plan: str) -> None:
    episode = DESK.begin(plan)
    for one in truth_of(episode).owed:
        assert one.cents == by_the_terms(episode, one.subjects[0])


@pytest.mark.parametrize(("pieces", "late", "cents"), [(0, 0, 0), (1, 0, 2_500), (0, 2, 4_000), (2, 1, 6_000)])
def test_never_more_than_sixty_dollars_are_kept(pieces: int, late: int, cents: int) -> None:
    assert kept_cents(pieces, late) == cents


def test_the_mail_states_no_amount_and_no_return() -> None:
    for plan in (*BACK, "on_its_way", "paid_already", "paid_in_part"):
        episode = DESK.begin(plan)
        text = mail(episode)
        assert not re.search(r"\d+[.,]\d\d|\$|RMA-|re_", text), plan


@pytest.mark.parametrize("plan", ["back_whole", "on_its_way", "booking_cancelled"])
def test_the_customer_has_another_rental_of_another_kit(plan: str) -> None:
    episode = DESK.begin(plan)
    mine = [one.id for one in rows(episode, Order, "customer_id = ?", truth_of(episode).customer_id)]
    kits = [
        line["sku"]
        for order in mine
        for line in episode.call("backoffice_get_order", {"order": order}).data["lines"]
        if line["sku"].startswith("RN-") and line["sku"] != "RN-DEPOSIT"
    ]
    assert len(kits) == len(set(kits)) >= 2


def test_the_deposit_of_another_rental_is_damage() -> None:
    episode = DESK.begin("back_whole")
    owed = {one for due in truth_of(episode).owed for one in due.subjects}
    others = rows(episode, Charge, "customer_id = ? AND refunded_cents = 0", truth_of(episode).customer_id)
    other = next(one for one in others if one.id not in owed)
    fields = {"charge_id": other.id, "reason": "returned", "amount_cents": 2_000}
    assert not episode.call("backoffice_refund_charge", fields).is_error
    result = DESK.then_the_oracle(episode)
    assert (result.success, damaged(result)) == (False, True)


def test_the_letter_decides_about_the_next_booking() -> None:
    for plan in ("on_its_way", "never_sent", "paid_already", "paid_in_part"):
        stays = DESK.begin(plan)
        (booking,) = rows(stays, Order, "customer_id = ? AND status = 'open'", truth_of(stays).customer_id)
        assert truth_of(stays).owed == ()
        assert not stays.call("backoffice_cancel_order", {"order_id": booking.id}).is_error
        assert DESK.then_the_oracle(stays).success is False
        ends = DESK.begin(f"{plan}_ends_booking")
        assert DESK.then_the_oracle(ends).success
        (gone,) = rows(ends, Order, "customer_id = ? AND cancelled_at IS NOT NULL", truth_of(ends).customer_id)
        assert gone.id == truth_of(ends).owed[0].subjects[0]


def test_a_promised_cancellation_was_never_made() -> None:
    episode = DESK.begin("never_cancelled")
    (order,) = rows(episode, Order, "number = ?", truth_of(episode).order_number)
    assert order.status == "open"
    assert [one.kind for one in truth_of(episode).owed] == ["cancellation", "refund"]
    (charge,) = rows(episode, Charge, "order_id = ?", order.id)
    assert truth_of(episode).owed[1].cents == charge.amount_cents


def test_letters_and_true_replies_are_in_the_customers_language() -> None:
    DESK.speaks_the_customers_language(24)
    assert in_language("plain", "fr") == "plain"


class InOtherWords:
    """An oracle's hands that send another text as the reply."""

    def __init__(self, hands: Any, text: str) -> None:
        self.hands, self.text = hands, text

    def __getattr__(self, name: str) -> Any:
        return getattr(self.hands, name)

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool; a reply has other words."""
        said = {"body": self.text} if tool == "zendesk_reply_to_ticket" else {}
        return self.hands.call(tool, {**(arguments or {}), **said})


def test_an_answer_in_the_wrong_language_costs_quality_only() -> None:
    seed = next(seed for seed in range(40) if customer(start(DESK.scenario, seed)).locale.startswith("fr"))
    episode = start(DESK.scenario, seed)
    truth = truth_of(episode)
    told = "; ".join([f"{one.text} CAD" if one.kind == "amount" else one.text for one in truth.tell])
    did = {"refund": "We have refunded the money.", "cancellation": "We have cancelled the order."}
    done = [did[one.kind] for one in truth.owed]
    english = " ".join(["Hello, this is what we have for you:", *done, f"Our records say: {told}"])
    DESK.scenario.oracle(InOtherWords(episode.hands, english), truth)
    result = episode.finish()
    assert result.success is True
    assert result.score is not None
    parts = {part.name: part.value for part in result.score.parts if part.scale == "episode"}
    assert parts["answered_in_their_language"] == 0.0
    assert result.reward is not None
    assert 0.9 < result.reward < 1.0


def test_the_terms_of_the_brief_may_be_told() -> None:
    episode = start(DESK.scenario, 1, split="eval-new")
    french = customer(episode).locale.startswith("fr")
    more = "C'est 25,00 CAD par pièce manquante." if french else "It is 25.00 CAD for each missing piece."
    DESK.scenario.oracle(Adding(episode.hands, more), episode.truth)
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0)


def test_an_amount_that_stands_nowhere_still_costs_success() -> None:
    episode = start(DESK.scenario, 1, split="eval-new")
    DESK.scenario.oracle(Adding(episode.hands, "It is 27.00 CAD for each missing piece."), episode.truth)
    assert episode.finish().success is False
