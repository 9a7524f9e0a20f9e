"""Broken machine: the right goods, once, for the right machine, to the right address; and nothing to a stranger."""

from typing import Any

import pytest

from diorama.apps.backoffice.schema import Replacement, Return, Shipment, Unit
from diorama.episodes.episode import Episode, start
from diorama.scenarios.cast import Phrase, slots
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.past_faults import FAULTS, SYMPTOMS
from tests.scenarios.planned import Planned, mail, truth_of

DESK = Planned("zendesk/broken-machine", DeskTruth)
SCENARIO, begin, then_the_oracle = DESK.scenario, DESK.begin, DESK.then_the_oracle


def units(episode: Episode) -> list[Unit]:
    """Return the machines of the customer."""
    customer = truth_of(episode).customer_id
    found: list[Unit] = episode.world.read(lambda tx: tx.all(Unit, "customer_id = ?", customer))
    return found


def send(episode: Episode, serial: str, **fields: Any) -> tuple[bool, str]:
    """Send a machine or a part; return whether it was accepted, and the reply."""
    asked = {"customer_id": truth_of(episode).customer_id, "serial_number": serial, "reason": "broken", **fields}
    seen = episode.call("backoffice_replace_unit", asked)
    return not seen.is_error, seen.text


def test_every_known_fault_has_its_own_symptoms() -> None:
    assert {fault.code for _, fault in FAULTS} == set(SYMPTOMS)


def test_a_phrase_in_the_cast_becomes_part_of_the_letter() -> None:
    texts, facts = slots(["{symptom}"], {"symptom": Phrase("[my|the] {product} drips."), "product": "Aria"})
    assert texts == ("[my|the] {product} drips.",)
    assert facts == {"product": "Aria"}


@pytest.mark.parametrize("plan", ["covered", "long_over", "on_its_way", "needs_advice", "damaged_long_ago"])
def test_the_mail_does_not_state_the_record_that_decides(plan: str) -> None:
    episode = begin(plan)
    text = mail(episode)
    assert not any(value in text for value in truth_of(episode).closing["record"])


def test_a_customer_has_another_machine_of_another_kind() -> None:
    for plan in ("covered", "long_over", "part_did_not_help"):
        episode = begin(plan)
        kinds = [one.sku for one in units(episode) if not one.replaces]
        assert len(kinds) == len(set(kinds)) >= 2


def test_a_new_machine_besides_the_return_is_damage() -> None:
    episode = begin("arrived_damaged")
    dented = next(one for one in units(episode) if one.order_id == truth_of(episode).owed[0].subjects[0])
    assert send(episode, dented.id)[0]
    result = then_the_oracle(episode)
    assert result.success is False
    assert result.score is not None
    assert any(part.name == "damage: backoffice_replacements" for part in result.score.parts)


def test_a_whole_machine_instead_of_a_part_fails() -> None:
    seed = next(
        seed for seed in range(400) if (one := truth_of(start(SCENARIO, seed))).plan == "covered" and _part(one)
    )
    episode = start(SCENARIO, seed)
    assert send(episode, truth_of(episode).owed[0].subjects[0])[0]
    result = then_the_oracle(episode)
    assert (result.success, (result.reward or 0.0) < 0.2) == (False, True)


def _part(truth: DeskTruth) -> bool:
    return truth.owed[0].kind == "part"


def test_the_same_part_again_is_refused_by_the_judge() -> None:
    episode = begin("part_did_not_help")
    serial = truth_of(episode).owed[0].subjects[0]
    (before,) = episode.world.read(lambda tx: tx.all(Replacement, "serial_number = ?", serial))
    assert send(episode, serial, part_sku=before.sku)[0]
    assert then_the_oracle(episode).success is False


def test_an_expired_warranty_needs_a_lead() -> None:
    for plan, answer in (("just_over", "approved"), ("long_over", "denied")):
        episode = begin(plan)
        serial = truth_of(episode).records[0]
        accepted, text = send(episode, serial)
        assert not accepted
        assert "warranty_expired" in text
        asked = {"kind": "replacement", "subject": serial, "reason": "defective", "justification": "They are sad."}
        made = episode.call("backoffice_request_approval", asked).data["id"]
        episode.call("wait", {"minutes": 1000})
        assert episode.call("backoffice_get_record", {"kind": "approvals", "id": made}).data["status"] == answer


def test_a_strangers_machine_is_found_by_its_order_but_not_replaced() -> None:
    episode = begin("somebody_elses")
    truth = truth_of(episode)
    assert truth.order_number in mail(episode)
    (serial,) = truth.closing["record"]
    assert "serial_not_owned" in send(episode, serial)[1]
    owner = episode.world.read(lambda tx: tx.get(Unit, serial)).customer_id
    assert send(episode, serial, customer_id=owner)[0]
    assert then_the_oracle(episode).success is False


def test_only_the_customer_can_say_which_machine_it_is() -> None:
    episode = begin("one_of_many")
    truth = truth_of(episode)
    (serial,) = truth.owed[0].subjects
    lines = episode.call("backoffice_get_order", {"order": truth.order_number}).data["lines"]
    assert len(lines[0]["serial_numbers"]) == 3
    assert serial not in mail(episode)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": truth.asks})
    for _ in range(4):  # other customers write, too
        episode.call("wait", {"until": "notice", "minutes": 900})
    assert serial in episode.call("zendesk_list_comments", {"ticket_id": truth.ticket_id}).text


def test_an_empty_shelf_means_waiting_or_a_refund() -> None:
    episode = begin("shelf_fills_tomorrow")
    serial = truth_of(episode).owed[0].subjects[0]
    assert "out_of_stock" in send(episode, serial)[1]
    episode.call("wait", {"minutes": 60 * 28})
    assert send(episode, serial)[0]
    episode = begin("nothing_on_the_shelf")
    assert truth_of(episode).owed[0].kind == "refund"
    episode.call("wait", {"minutes": 60 * 60})
    assert "out_of_stock" in send(episode, truth_of(episode).closing["record"][0])[1]


def test_a_lost_parcel_is_sent_again_and_not_replaced() -> None:
    episode = begin("replacement_lost")
    (lost,) = truth_of(episode).owed[0].subjects
    parcel = episode.world.read(lambda tx: tx.get(Shipment, lost))
    assert (parcel.status, parcel.trace, bool(parcel.replacement_id)) == ("lost", "answered", True)
    serial = episode.world.read(lambda tx: tx.get(Replacement, parcel.replacement_id)).serial_number
    assert not send(episode, serial)[0]


def test_goods_sent_to_the_old_address_fail() -> None:
    episode = begin("moved")
    owed = truth_of(episode).owed[0]
    part = {"part_sku": (owed.to or {})["sku"]} if owed.kind == "part" else {}
    assert send(episode, owed.subjects[0], **part)[0]
    result = episode.finish()
    assert result.success is False
    assert result.score is not None
    assert not any(part.name.startswith("damage") for part in result.score.parts)


@pytest.mark.parametrize("plan", ["arrived_damaged", "damaged_swap", "damaged_credit"])
def test_a_return_has_the_resolution_that_the_customer_asks_for(plan: str) -> None:
    episode = begin(plan)
    (owed,) = truth_of(episode).owed
    wanted = owed.to or {}
    other = "store_credit" if wanted["resolution"] != "store_credit" else "refund"
    asked = {"order_id": owed.subjects[0], **wanted, "quantity": int(wanted["quantity"]), "resolution": other}
    assert not episode.call("backoffice_open_return", asked).is_error
    assert then_the_oracle(episode).success is False
    episode = begin(plan)
    assert then_the_oracle(episode).success
    opened = episode.world.read(lambda tx: tx.all(Return, "order_id = ?", owed.subjects[0]))
    assert [one.resolution for one in opened] == [wanted["resolution"]]


def test_the_expected_delivery_may_be_stated_and_no_other_day() -> None:
    for right in (True, False):
        episode = begin("shelf_fills_tomorrow")
        truth = truth_of(episode)
        sku = (truth.owed[0].to or {})["sku"]
        due = episode.call("backoffice_get_record", {"kind": "stock", "id": sku}).data["incoming_at"][:10]
        text = f"Hello, the shelf is empty, more are due on {due if right else '2031-01-07'}."
        episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": text})
        assert then_the_oracle(episode).success is right
