"""The tools an agent gets do the same as the API, and say what they do."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.apps.backoffice import rules
from diorama.kernel import Reply, World
from diorama.kit import WrongArguments
from tests.apps.backoffice.shop import ANA, APP, MARA, WORK, buy, delivered, mara, paid, parcel

TOOLS = {tool.name.removeprefix("backoffice_"): tool for tool in APP.product.tools}


def use(world: World, name: str, **arguments: Any) -> Reply:
    return world.send("backoffice", APP.request_of(TOOLS[name].call(arguments)), ANA)


def test_there_are_8_to_15_tools_with_descriptions() -> None:
    assert 8 <= len(TOOLS) <= 15
    for tool in TOOLS.values():
        assert len(tool.description) > 30
        assert tool.schema["type"] == "object"


def test_every_tool_works(world: World) -> None:
    order, fresh = delivered(world), buy(world, ("AC-CUPS", 1))
    who, charge = order.customer_id, paid(world, order)
    serial = parcel(world, order).parcels[0].serial_numbers[0]
    subscription = world.do(rules.subscribe, MARA, who, "night-2w").id
    postal = {name: getattr(WORK, name) for name in ("name", "line1", "city", "postal_code", "country")}
    work: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "mara kok"}),
        ("get_customer", {"customer_id": who}),
        ("get_order", {"order": order.number}),
        ("list_records", {"kind": "charges", "customer_id": who, "status": "captured"}),
        ("get_record", {"kind": "units", "id": serial}),
        ("change_address", {"what": "order", "id": fresh.id, "address": postal}),
        ("cancel_order", {"order_id": fresh.id, "reason": "changed her mind"}),
        ("refund_charge", {"charge_id": charge.id, "reason": "goodwill", "amount_cents": 500, "idempotency_key": "a"}),
        ("grant_credit", {"customer_id": who, "amount_cents": 500}),
        (
            "request_approval",
            {
                "kind": "refund",
                "subject": charge.id,
                "reason": "defective",
                "justification": "x",
                "amount_cents": 40_000,
            },
        ),
        ("handle_shipment", {"shipment_id": parcel(world, order).id, "action": "trace"}),
        ("open_return", {"order_id": order.id, "sku": "LK-ARIA", "reason": "changed_mind"}),
        ("replace_unit", {"customer_id": who, "serial_number": serial, "reason": "leaks", "fault_code": "AR-01"}),
        ("change_subscription", {"subscription_id": subscription, "action": "change_plan", "plan": "decaf-4w"}),
        ("change_subscription", {"subscription_id": subscription, "action": "pause", "resumes_at": ""}),
        ("change_subscription", {"subscription_id": subscription, "action": "cancel", "reason": "taste"}),
        ("add_note", {"customer_id": who, "body": "Done."}),
    ]
    for name, arguments in work:
        reply = use(world, name, **arguments)
        assert reply.status in (200, 201), (name, reply.text)
    assert {name for name, _ in work} == set(TOOLS)


def test_subscription_tools_accept_an_option_and_a_resume_date(world: World) -> None:
    subscription = world.do(rules.subscribe, MARA, mara(world).id, "night-2w").id
    changed = use(
        world,
        "change_subscription",
        subscription_id=subscription,
        action="change_plan",
        plan="decaf-4w",
        option="moka",
    ).json()
    assert (changed["plan"], changed["option"]) == ("decaf-4w", "moka")
    use(world, "change_subscription", subscription_id=subscription, action="pause")
    day = f"{world.now + timedelta(days=30):%Y-%m-%dT08:00:00Z}"
    back = use(world, "change_subscription", subscription_id=subscription, action="resume", resumes_at=day).json()
    assert (back["status"], back["next_renewal_at"]) == ("active", day)


@pytest.mark.parametrize("kind", ["orders", "charges", "products", "plans", "units", "approvals"])
def test_every_kind_of_record_can_be_listed(world: World, kind: str) -> None:
    buy(world)
    reply = use(world, "list_records", kind=kind, customer_id=mara(world).id)
    assert reply.status == 200
    assert reply.json()["object"] == "list"


def test_wrong_arguments_are_reported_before_a_request_is_sent() -> None:
    for arguments in ({}, {"charge_id": "ch_x"}, {"charge_id": "ch_x", "reason": "bored"}):
        with pytest.raises(WrongArguments, match="backoffice_refund_charge"):
            TOOLS["refund_charge"].call(arguments)


def test_an_argument_cannot_escape_its_path_segment(world: World) -> None:
    order = buy(world)
    reply = use(world, "cancel_order", order_id=f"{order.id}/address?x=")
    assert reply.status == 404
    assert use(world, "get_order", order="../customers").status == 404
