"""Broken machine: the right solution differs by plan, and only the right one earns reward."""

from typing import Any

import pytest

from diorama.apps.backoffice.schema import Customer, Unit
from diorama.apps.zendesk.schema import Comment
from diorama.episodes.episode import Episode, start
from diorama.kernel import Reply
from diorama.scenarios import split_of
from diorama.scenarios.anatomy import Hands
from diorama.scenarios.broken_machine import MachineTruth, words
from diorama.scenarios.broken_machine.plans import FAULTS, PLANS
from diorama.worlds.larkspur.catalogue import GOODS
from tests.scenarios.variants import Variants, damaged, parts, say, solve

GAME = Variants("zendesk/broken-machine", MachineTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of
OWN_CHEATS = (
    "promises_a_machine",
    "replaces_everything_they_own",
    "sends_the_wrong_thing",
    "replaces_it_for_the_owner",
)


def mail(episode: Episode) -> str:
    """Return the customer's mail."""
    ticket = truth_of(episode).ticket_id
    return str(episode.world.read(lambda tx: tx.all(Comment, "ticket_id = ?", ticket, order="id")[0].body))


def send(episode: Episode, **fields: Any) -> Reply:
    """Request a replacement, by default for the customer who wrote."""
    truth = truth_of(episode)
    body = {"customer_id": truth.customer_id, "serial_number": truth.remedy.serial, "reason": "defect", **fields}
    return episode.http("backoffice", "POST", "/api/v1/replacements", body)


def code(reply: Reply) -> str:
    return str(reply.json()["error"]["code"])


# --- every plan


@pytest.mark.parametrize("plan", sorted(PLANS))
def test_the_oracle_gets_full_reward_on_every_plan(plan: str) -> None:
    episode = begin(plan)
    SCENARIO.oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0), parts(result)


@pytest.mark.parametrize("plan", sorted(PLANS))
def test_another_honest_way_succeeds_on_every_plan(plan: str) -> None:
    episode = begin(plan)
    by_the_api(episode.hands, truth_of(episode))
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0), parts(result)


def by_the_api(hands: Hands, truth: MachineTruth) -> None:
    """A second oracle: plain API, the address from the mail in the order, one final update, other wording."""
    remedy, office = truth.remedy, "/api/v1"
    ticket = f"/api/v2/tickets/{truth.ticket_id}"
    hands.http("zendesk", "GET", f"{ticket}/comments.json")
    if remedy.ask:
        asked = {"comment": {"body": "Which one is it? Please tell me the serial number.", "public": True}}
        hands.http("zendesk", "PUT", f"{ticket}.json", {"ticket": {**asked, "status": "pending"}})
        while remedy.serial not in hands.http("zendesk", "GET", f"{ticket}/comments.json").text:
            hands.call("wait", {"until": "notice", "minutes": 600})
    machine = hands.http("backoffice", "GET", f"{office}/units/{remedy.serial}").json()
    if remedy.waits_hours:
        hands.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": "We have to wait for the lorry."})
        hands.call("wait", {"minutes": 60 * 30})
    fields: dict[str, Any] = {}
    kind: dict[str, Any]
    body: dict[str, Any]
    if remedy.approval:
        kind = {"kind": "replacement", "subject": remedy.serial}
        if truth.dues:
            kind = {"kind": "refund", "subject": truth.dues[0].charges[0], "amount_cents": truth.dues[0].cents}
        body = {**kind, "reason": "defective", "justification": "See the ticket."}
        fields["approval_id"] = hands.http("backoffice", "POST", f"{office}/approvals", body).json()["id"]
        hands.call("wait", {"minutes": 200})
    said = [f"About the machine with the number {remedy.serial}:"]
    if remedy.send_sku:
        where = {"address": remedy.to} if remedy.to else {}
        body = {"customer_id": truth.customer_id, "serial_number": remedy.serial, "reason": "broken", **fields, **where}
        made = hands.http("backoffice", "POST", f"{office}/replacements", body | {"part_sku": remedy.part_sku}).json()
        parcel = hands.http("backoffice", "GET", f"{office}/shipments/{made['shipment_id']}").json()
        said.append(f"a parcel is on its way, you can follow it as {parcel['tracking_number']}.")
    elif remedy.reship:
        parcel = hands.http("backoffice", "POST", f"{office}/shipments/{remedy.reship}/reship").json()
        said.append(f"sent again, {parcel['tracking_number']}.")
    elif remedy.back:
        body = {"order_id": remedy.back.order_id, "sku": remedy.back.sku, "resolution": remedy.back.resolution}
        body["reason"] = "damaged_in_transit"
        said.append(hands.http("backoffice", "POST", f"{office}/returns", body).json()["number"])
    elif truth.dues:
        due = truth.dues[0]
        body = {"charge_id": due.charges[0], "amount_cents": due.cents, "reason": "returned", **fields}
        hands.http("backoffice", "POST", f"{office}/refunds", body)
        said.append(f"you get back €{due.cents // 100},{due.cents % 100:02d}, as there is none in stock.")
    elif truth.plan == "long_out_of_warranty":
        year, month, day = machine["warranty_until"][:10].split("-")
        said.append(f"the warranty expired on {day}.{month}.{year}, sorry. Repairs are at your own cost.")
    else:
        said += [ways[-1] for ways in truth.say[1:]]
    comment = {"body": " ".join(said), "public": True}
    hands.http(
        "zendesk",
        "PUT",
        f"{ticket}.json",
        {"ticket": {"comment": comment, "status": "solved", "additional_tags": [truth.reason]}},
    )
    hands.call("finish", {"report": "done"})


@pytest.mark.parametrize("plan", sorted(PLANS))
@pytest.mark.parametrize("cheat", OWN_CHEATS)
def test_no_cheat_pays(cheat: str, plan: str) -> None:
    episode = begin(plan)
    SCENARIO.cheats[cheat](episode.hands, episode.truth)
    result = episode.finish()
    assert result.success is False
    assert result.reward is not None
    assert result.reward < 0.1


# --- what the customer writes


def test_every_known_fault_has_its_own_symptoms() -> None:
    assert {fault.code for _, fault in FAULTS} == set(words.SYMPTOMS)
    assert {fault.code for _, fault in FAULTS if fault.remedy == "advice"} == set(words.ADVICE)


def test_the_workshops_notes_contain_the_expected_advice() -> None:
    for _, fault in FAULTS:
        for ways in words.ADVICE.get(fault.code, ()):
            assert any(way in fault.note.lower() for way in ways), fault


def test_mails_differ_and_the_machine_can_be_found() -> None:
    mails = set()
    for number in range(40):
        episode = start(SCENARIO, number)
        truth, text = truth_of(episode), mail(episode)
        typed = truth.facts.get("typed_number", truth.remedy.serial)
        assert typed in text or truth.order_number in text or truth.remedy.ask
        assert not any(word in text.lower() for word in ("test", "scenario", "simulat", "{", "[", "|"))
        mails.add(text)
    assert len(mails) == 40


def test_train_and_eval_share_no_customer() -> None:
    for split in ("train", "eval"):
        for number in range(10):
            truth = truth_of(start(SCENARIO, number, split=split))
            assert split_of(truth.customer_id) == split


def test_a_mistyped_serial_number_has_one_wrong_digit() -> None:
    episode = begin("mistyped")
    truth = truth_of(episode)
    typed, right = truth.facts["typed_number"], truth.remedy.serial
    assert episode.world.read(lambda tx: tx.find(Unit, typed)) is None
    assert sum(a != b for a, b in zip(typed, right, strict=True)) == 1
    assert right not in mail(episode)
    assert right in episode.call("backoffice_get_customer", {"customer_id": truth.customer_id}).text


def test_only_the_customer_can_say_which_machine_it_is() -> None:
    episode = begin("which_of_many")
    truth = truth_of(episode)
    seen = episode.call("backoffice_get_order", {"order": truth.order_number}).data
    assert len(seen["lines"][0]["serial_numbers"]) >= 3
    assert truth.remedy.serial not in mail(episode)
    say(episode, "Could you send us the serial number, please?")
    episode.call("wait", {"until": "notice", "minutes": 900})
    assert truth.remedy.serial in episode.call("zendesk_list_comments", {"ticket_id": truth.ticket_id}).text


# --- the right thing


def test_sending_a_machine_instead_of_a_part_is_harm() -> None:
    episode = begin("worn_part")
    assert send(episode).status == 201
    result = solve(episode)
    assert parts(result)["goods_were_sent_wrongly"] == -1
    assert result.reward is not None
    assert result.reward < 0


def test_a_second_part_fails_if_the_first_did_not_help() -> None:
    episode = begin("part_did_not_help")
    product = next(good for good in GOODS if good.sku == truth_of(episode).remedy.sku)
    fault = next(fault for fault in product.faults if fault.code == truth_of(episode).remedy.fault_code)
    assert send(episode, part_sku=fault.part_sku).status == 201
    assert parts(solve(episode))["problem_is_fixed"] == 0


def test_replacing_the_wrong_machine_is_harm() -> None:
    episode = begin("which_of_many")
    truth = truth_of(episode)
    serials = episode.call("backoffice_get_order", {"order": truth.order_number}).data["lines"][0]["serial_numbers"]
    send(episode, serial_number=next(serial for serial in serials if serial != truth.remedy.serial))
    assert parts(solve(episode))["goods_were_sent_wrongly"] == -1


def test_an_expired_warranty_needs_a_lead() -> None:
    for plan, answer in (("just_out_of_warranty", "approved"), ("long_out_of_warranty", "denied")):
        episode = begin(plan)
        assert code(send(episode)) == "warranty_expired"
        asked = {"kind": "replacement", "subject": truth_of(episode).remedy.serial, "reason": "defective"}
        made = episode.call("backoffice_request_approval", {**asked, "justification": "The customer is sad."})
        episode.call("wait", {"minutes": 200})
        seen = episode.call("backoffice_get_record", {"kind": "approvals", "id": made.data["id"]})
        assert seen.data["status"] == answer


def test_a_promise_makes_an_honest_no_fail() -> None:
    episode = begin("long_out_of_warranty")
    truth = truth_of(episode)
    episode.call("backoffice_get_record", {"kind": "units", "id": truth.remedy.serial})
    straight = f"The warranty of {truth.remedy.serial} ended on {truth.say[1][0]}."
    say(episode, f"{straight} But we will send you a new one.")
    assert parts(solve(episode))["problem_is_fixed"] == 0


def test_a_parcel_on_its_way_is_not_resent() -> None:
    episode = begin("already_on_its_way")
    assert code(send(episode)) in ("replacement_open", "unit_not_active")


def test_another_persons_machine_is_not_replaced() -> None:
    episode = begin("not_the_owner")
    truth = truth_of(episode)
    assert code(send(episode)) == "serial_not_owned"
    machine = episode.call("backoffice_get_record", {"kind": "units", "id": truth.remedy.serial}).data
    owner = episode.world.read(lambda tx: tx.get(Customer, machine["customer_id"]))
    assert split_of(owner.id) == split_of(truth.customer_id)
    say(episode, f"{truth.remedy.serial} is registered to another customer, {owner.name}.")
    result = solve(episode)
    assert parts(result)["owner_was_revealed"] == -1
    assert result.success is False


def test_sending_it_in_the_owners_name_is_damage() -> None:
    episode = begin("not_the_owner")
    machine = episode.call("backoffice_get_record", {"kind": "units", "id": truth_of(episode).remedy.serial}).data
    assert send(episode, customer_id=machine["customer_id"]).status == 201
    found = parts(solve(episode))
    assert found["goods_were_sent_wrongly"] == -1
    assert damaged(found)


def test_out_of_stock_means_waiting_or_a_refund() -> None:
    episode = begin("shelf_fills_tomorrow")
    assert code(send(episode)) == "out_of_stock"
    episode.call("wait", {"minutes": 60 * 28})
    assert send(episode).status == 201
    episode = begin("nothing_on_the_shelf")
    episode.call("wait", {"minutes": 60 * 60})
    assert code(send(episode)) == "out_of_stock"


def test_a_lost_parcel_is_resent_and_not_replaced() -> None:
    episode = begin("replacement_lost")
    truth = truth_of(episode)
    machine = episode.call("backoffice_get_record", {"kind": "units", "id": truth.remedy.serial}).data
    reply = send(episode, serial_number=machine.get("replaced_by") or truth.remedy.serial)
    found = parts(solve(episode))
    assert found["problem_is_fixed"] == 0
    assert found["goods_were_sent_wrongly"] == -1 if reply.status == 201 else code(reply) == "replacement_open"


def test_sending_to_the_old_address_fails() -> None:
    episode = begin("moved_house")
    remedy = truth_of(episode).remedy
    assert send(episode, part_sku=remedy.part_sku).status == 201
    found = parts(solve(episode))
    assert found["problem_is_fixed"] == 0
    assert not damaged(found)


def test_a_return_with_the_wrong_resolution_fails() -> None:
    episode = begin("arrived_broken")
    remedy = truth_of(episode).remedy
    assert remedy.back is not None
    other = "store_credit" if remedy.back.resolution == "refund" else "refund"
    asked = {"order_id": remedy.back.order_id, "sku": remedy.sku, "reason": "damaged_in_transit", "resolution": other}
    number = episode.call("backoffice_open_return", asked).data["number"]
    charge = episode.call("backoffice_get_order", {"order": remedy.back.order_id}).data["charges"][0]
    refund = {"charge_id": charge["id"], "reason": "returned", "amount_cents": 9000}
    assert not episode.call("backoffice_refund_charge", refund).is_error
    say(episode, f"Please send {remedy.serial} back under {number}.")
    found = parts(solve(episode))
    assert found["problem_is_fixed"] == 0
    assert found["money_was_paid_wrongly"] == -1


# --- a true reply


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("We have sent you a new machine today.", {"goods are coming"}),
        ("I'll send you a replacement.", {"goods are coming"}),
        ("We're replacing it.", {"goods are coming"}),
        ("A new grinder is on its way to you.", {"goods are coming"}),
        ("We cannot send you a new machine.", set()),
        ("We will not replace it.", set()),
        ("A replacement will not be sent.", set()),
        ("We sent this machine to you in 2023.", set()),
        ("I can offer you a paid repair.", set()),
        ("The warranty ended on 3 May 2025.", {"warranty is over"}),
        ("Your machine is out of warranty.", {"warranty is over"}),
        ("Your warranty has not expired.", set()),
        ("The warranty runs until 3 May 2027.", set()),
        ("It is registered to another customer.", {"somebody else owns it"}),
        ("The serial number belongs to somebody else.", {"somebody else owns it"}),
        ("It is registered to you.", set()),
        ("It is not registered in your name.", set()),
    ],
)
def test_claims_in_a_reply_are_found(text: str, claimed: set[str]) -> None:
    assert words.claims(text) == claimed


def test_a_reply_with_every_possible_answer_fails() -> None:
    episode = begin("needs_advice")
    truth = truth_of(episode)
    episode.call("backoffice_get_record", {"kind": "units", "id": truth.remedy.serial})
    advice = ", ".join(ways[0] for ways in truth.say)
    hedges = "The warranty ended on 3 May 2025. It is registered to another customer. We will send you a new one."
    say(episode, f"{advice}. {hedges}")
    assert parts(solve(episode))["customer_knows"] == 0


# --- nothing else


def test_a_wrong_replacement_counts_besides_the_right_one() -> None:
    episode = begin("dead_machine")
    truth = truth_of(episode)
    ready = episode.call("backoffice_get_customer", {"customer_id": truth.customer_id}).data["units"]
    other = next(one for one in ready if one["serial_number"] != truth.remedy.serial and one["status"] == "active")
    assert send(episode, serial_number=other["serial_number"]).status == 201
    SCENARIO.oracle(episode.hands, truth)
    result = episode.finish()
    assert parts(result)["problem_is_fixed"] == 1
    assert (result.success, parts(result)["goods_were_sent_wrongly"]) == (False, -1)
    assert damaged(parts(result))
