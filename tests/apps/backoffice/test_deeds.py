"""Deeds of the back office: one act, one deed; what failed, was voided or was done by others does not count."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.deeds import standing
from diorama.apps.backoffice.schema import Charge, Shipment
from diorama.kernel import Tx, World
from diorama.kit.deeds import Deed, Owed
from diorama.rewards.damage import damage_of, total
from diorama.rewards.deeds import covered, deeds_of, findings_of, match
from diorama.rewards.history import History, kinds_of, recognisers_of
from tests.apps.backoffice.shop import ANA, FATE, HOME, LEA, MARA, WORK, buy, delivered, mara, paid, parcel


class Watch:
    """What happened since it was made."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.start = len(world.chain)

    def history(self) -> History:
        """Return what the agent's acts did to rows."""
        company = self.world.company
        made = History(kinds_of(company), self.start, recognisers_of(company))
        made.read(self.world.chain)
        return made

    def deeds(self, agent: bool = True) -> list[Deed]:
        """Return the deeds of the agent, or of everyone."""
        history, find = self.history(), recognisers_of(self.world.company)
        return self.world.read(lambda tx: deeds_of(tx, history, find, agent=agent))

    def only(self) -> Deed:
        """Return the one deed that there is."""
        (deed,) = self.deeds()
        return deed

    def damage(self, *owed: Owed) -> float:
        """Return the damage if these deeds are owed."""
        done = [deed for _, deed in match(owed, self.deeds()).done]
        history = self.history()
        return total(self.world.read(lambda tx: damage_of(tx, history, lambda cell: covered(cell, done))))


def test_a_refund_is_one_deed_with_amount_and_destination(world: World) -> None:
    order = buy(world, ("AC-SCALE", 1))
    charge = paid(world, order)
    watch = Watch(world)
    world.do(rules.refund, ANA, charge.id, 5_000, reason="goodwill")
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.cents, deed.destination, deed.currency) == (
        "refund", charge.id, 5_000, "original_payment", "EUR",
    )  # fmt: skip
    assert order.number in deed.names
    assert (deed.stands, deed.final, deed.by) == (True, True, "agent:ana@larkspur.example")
    world.wait(timedelta(hours=1))
    assert watch.only().stands


def test_a_refund_that_failed_does_not_stand_and_costs_nothing(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    world.do(lambda tx: tx.change(tx.get(Charge, charge.id), refund_fails="account_closed"), FATE)
    watch = Watch(world)
    world.do(rules.refund, ANA, charge.id, reason="goodwill")
    assert watch.only().stands
    assert watch.damage() == 0.5
    world.wait(timedelta(hours=1))
    assert not watch.only().stands
    assert watch.damage() == 0.0
    (finding,) = findings_of([Owed("refund", (charge.id,))], watch.deeds())
    assert not finding
    assert "(taken back or failed)" in finding.found


def test_a_refund_to_store_credit_is_not_also_a_credit(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    watch = Watch(world)
    world.do(rules.refund, ANA, charge.id, reason="goodwill", destination="store_credit")
    assert [(deed.kind, deed.destination) for deed in watch.deeds()] == [("refund", "store_credit")]
    assert watch.damage() == 0.5
    assert watch.damage(Owed("refund", (charge.id,), 7_900, "store_credit")) == 0.0


def test_a_request_for_approval_belongs_to_its_deed(world: World) -> None:
    charge = paid(world, buy(world))
    watch = Watch(world)
    asked: dict[str, Any] = {
        "amount_cents": charge.amount_cents,
        "reason": "defective",
        "justification": "dead on arrival",
    }
    approval = world.do(rules.request_approval, ANA, "refund", charge.id, **asked)
    assert watch.damage() == 0.1
    world.do(rules.decide_approval, LEA, approval.id, True)
    world.do(rules.refund, ANA, charge.id, reason="defective", approval_id=approval.id)
    assert watch.damage() == 0.6
    assert watch.damage(Owed("refund", (charge.id,))) == 0.0


def test_a_voided_credit_does_not_stand_and_costs_nothing(world: World) -> None:
    watch = Watch(world)
    credit = world.do(rules.grant_credit, ANA, mara(world).id, 300)
    assert watch.damage() == 0.5
    world.do(rules.void_credit, ANA, credit.id)
    assert not watch.only().stands
    assert watch.damage() == 0.0


def test_a_cancelled_return_voids_its_label(world: World) -> None:
    order = delivered(world, ("AC-SCALE", 1))
    watch = Watch(world)
    rma = world.do(rules.open_return, ANA, order.id, "AC-SCALE", reason="changed_mind")
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.stands) == ("label", order.id, True)
    assert {rma.number, order.number} <= set(deed.names)
    world.do(rules.cancel_return, ANA, rma.id)
    assert not watch.only().stands
    assert watch.damage() == 0.0


def test_a_machine_and_a_part_are_different_deeds(world: World) -> None:
    serial = world.read(rules.lines_of, delivered(world).id)[0].serial_numbers[0]
    who = mara(world).id
    watch = Watch(world)
    world.do(rules.replace, ANA, who, serial, reason="drips", fault_code="AR-01", part_sku="PT-GASKET58")
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.to["sku"], deed.to["line1"]) == ("part", serial, "PT-GASKET58", HOME.line1)
    assert watch.damage() == 0.5
    assert watch.damage(Owed("part", (serial,), to={"sku": "PT-GASKET58"})) == 0.0
    world.wait(timedelta(days=7))
    world.do(rules.replace, ANA, who, serial, reason="dead")
    assert [deed.kind for deed in watch.deeds()] == ["part", "replacement_machine"]


def test_a_cancelled_replacement_does_not_stand(world: World) -> None:
    serial = world.read(rules.lines_of, delivered(world).id)[0].serial_numbers[0]
    watch = Watch(world)
    made = world.do(rules.replace, ANA, mara(world).id, serial, reason="dead")
    world.do(rules.cancel_replacement, ANA, made.id)
    assert not watch.only().stands
    assert watch.damage() == 0.0


def test_a_cancelled_order_is_one_deed_with_its_parcels(world: World) -> None:
    order = buy(world)
    world.do(lambda tx: rules.ship(tx, order.id).id, FATE)
    watch = Watch(world)
    world.do(rules.cancel_order, ANA, order.id)
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.names) == ("cancellation", order.id, (order.number,))
    assert watch.damage() == 0.5
    assert watch.damage(Owed("cancellation", (order.number,))) == 0.0


def test_an_order_sent_elsewhere_is_one_deed_with_its_parcels(world: World) -> None:
    order = buy(world)
    world.do(lambda tx: rules.ship(tx, order.id).id, FATE)
    watch = Watch(world)
    world.do(rules.change_order_address, ANA, order.id, WORK)
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.to["postal_code"]) == ("address_change", order.id, "3011 AD")
    assert watch.damage() == 1.0  # the order and its parcel
    assert watch.damage(Owed("address_change", (order.id,), to={"line1": "coolsingel 40"})) == 0.0
    assert watch.damage(Owed("address_change", (order.id,), to={"line1": "Coolsingel 41"})) == 1.0
    world.do(rules.change_order_address, ANA, order.id, HOME)
    assert watch.deeds() == []
    assert watch.damage() == 0.0


def test_a_parcel_sent_again_is_a_reshipment(world: World) -> None:
    order = buy(world, ("AC-SCALE", 1), pack=False)
    lost = world.do(lambda tx: rules.ship(tx, order.id, fate="lost").id, FATE)
    world.wait(timedelta(days=2))
    world.do(lambda tx: rules.trace(tx, lost).id, FATE)
    world.wait(timedelta(days=1))
    watch = Watch(world)
    world.do(lambda tx: rules.reship(tx, lost).id, ANA)
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.stands) == ("reshipment", lost, True)
    assert watch.damage() == 0.5
    assert watch.damage(Owed("reshipment", (order.number,))) == 0.0
    world.wait(timedelta(days=9))
    assert watch.damage(Owed("reshipment", (order.number,))) == 0.0


def test_changes_of_a_subscription_are_recognised_by_their_result(world: World) -> None:
    made = world.do(rules.subscribe, MARA, mara(world).id, "harbour-2w")

    def done(command: object, *args: object, **named: object) -> tuple[str, str, dict[str, str]]:
        fork = world.fork()
        watch = Watch(fork)
        fork.do(command, ANA, made.id, *args, **named)  # type: ignore[arg-type] # the commands differ in their arguments
        deed = watch.only()
        assert watch.damage() >= 0.5
        assert watch.damage(Owed(deed.kind, (made.id,))) == 0.0
        return deed.kind, deed.day, dict(deed.to)

    until = world.now + timedelta(days=30)
    assert done(rules.pause_subscription, until) == ("pause", f"{until:%Y-%m-%d}", {"until": f"{until:%Y-%m-%d}"})
    assert done(rules.cancel_subscription)[::2] == ("cancellation", {"at": "now", "reason": "other"})
    later = ("cancellation", {"at": "renewal", "reason": "other"})
    assert done(rules.cancel_subscription, at_renewal=True)[::2] == later
    assert done(rules.skip_renewal)[0] == "skip"
    assert done(rules.change_subscription_address, WORK)[0] == "address_change"


def test_deeds_of_people_and_of_leads_are_not_the_agents(world: World) -> None:
    order = buy(world)
    watch = Watch(world)
    world.do(rules.cancel_order, MARA, order.id)
    world.do(rules.refund, LEA, paid(world, order).id, reason="cancelled_order")
    assert watch.deeds() == []
    assert watch.damage() == 0.0
    assert [(deed.kind, deed.by.partition(":")[0]) for deed in watch.deeds(agent=False)] == [
        ("cancellation", "persona"), ("refund", "staff"),
    ]  # fmt: skip


def test_what_stands_from_before_is_found_by_customer(world: World) -> None:
    order = buy(world, ("AC-SCALE", 1))
    world.do(rules.refund, LEA, paid(world, order).id, 100, reason="goodwill")
    credit = world.do(rules.grant_credit, LEA, mara(world).id, 300)
    world.do(rules.cancel_order, LEA, order.id)
    mine = mara(world).id

    def now(tx: Tx) -> list[Deed]:
        return standing(tx, lambda record: tx.all(record, "customer_id = ?", mine))

    found = world.read(now)
    assert {(deed.kind, deed.cents, deed.seq) for deed in found} == {
        ("refund", 100, 0), ("credit", 300, 0), ("cancellation", None, 0),
    }  # fmt: skip
    world.do(rules.void_credit, LEA, credit.id)
    assert "credit" not in {deed.kind for deed in world.read(now)}


# --- matching


REFUND = Deed("refund", "ch_1", "cus_1", 5190, "original_payment", seq=7, names=("LK-11410",), currency="EUR")
OWED = Owed("refund", ("ch_1", "ch_2"), 5190, "original_payment", currency="EUR")


def test_each_owed_takes_one_deed_and_the_rest_is_excess() -> None:
    twice = [REFUND, Deed("refund", "ch_1", "cus_1", 5190, "original_payment", seq=9, currency="EUR")]
    done, missing, excess = match([OWED], twice)
    assert ([deed.seq for _, deed in done], missing, [deed.seq for deed in excess]) == ([7], (), [9])
    (finding,) = findings_of([OWED], twice)
    assert not finding
    assert finding.found.startswith("2 times refund: refund of 51.90 EUR on ch_1 to original payment (event 7); ")
    assert finding.evidence == (7, 9)


def test_the_strictest_owed_is_matched_first() -> None:
    strict = Owed("refund", ("ch_1",), 5190)
    other = Deed("refund", "ch_2", "cus_1", 5190, "original_payment", seq=8)
    for deeds in ([REFUND, other], [other, REFUND]):
        assert match([OWED, strict], deeds).missing == ()


@pytest.mark.parametrize(
    "owed",
    [
        Owed("refund", ("ch_3",)), Owed("refund", ("ch_1",), 5191), Owed("refund", ("ch_1",), 5190, "store_credit"),
        Owed("credit", ("ch_1",)), Owed("refund", ("ch_1",), customer="cus_2"),
        Owed("refund", ("ch_1",), day="2026-01-01"),
        Owed("refund", ("ch_1",), to={"sku": "X"}),
    ],
)  # fmt: skip
def test_another_value_is_another_deed(owed: Owed) -> None:
    assert match([owed], [REFUND]).excess == (REFUND,)
    (finding,) = findings_of([owed], [REFUND])
    assert not finding
    assert finding.expected.endswith(", once")
    assert finding.found


def test_nothing_done_is_said_plainly() -> None:
    (finding,) = findings_of([OWED], [])
    assert finding.expected == "refund of 51.90 EUR on ch_1 or ch_2 to original payment, once"
    assert finding.found == "no refund"


def test_a_parcel_moved_alone_differs_from_its_order(world: World) -> None:
    order = buy(world)
    world.do(lambda tx: rules.ship(tx, order.id).id, FATE)
    label = parcel(world, order)
    watch = Watch(world)
    world.do(lambda tx: rules.change_address(tx, label.id, WORK).id, ANA)
    deed = watch.only()
    assert (deed.kind, deed.subject, deed.table) == ("address_change", label.id, "backoffice_shipments")
    assert world.read(lambda tx: tx.get(Shipment, label.id)).address == WORK


def test_a_customer_renamed_or_given_an_address_is_damage(world: World) -> None:
    watch = Watch(world)
    who = mara(world).id
    world.do(lambda tx: rules.add_email(tx, who, "thief@elsewhere.example").id, ANA)
    assert watch.damage() == pytest.approx(0.8)  # the address, and the customer's list of addresses
    assert watch.damage(Owed("contact_change", (who,), to={"email": "thief@elsewhere.example"})) == 0.0
    world.do(lambda tx: rules.remove_email(tx, who, "thief@elsewhere.example").id, ANA)
    assert watch.damage() == 0.0


def test_only_a_note_weighs_little(world: World) -> None:
    watch = Watch(world)
    world.do(lambda tx: rules.add_note(tx, mara(world).id, "Called.").id, ANA)
    assert watch.damage() == 0.05
