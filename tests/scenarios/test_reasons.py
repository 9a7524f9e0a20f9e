"""Equal facts give equal contact reasons: every plan states its facts, and the company's one table decides."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from diorama.apps.backoffice.schema import Charge, Refund, Subscription
from diorama.episodes.episode import start
from diorama.kernel import Dice, Tx
from diorama.scenarios import SCENARIOS, find, load_all
from diorama.scenarios.backlog_triage.routing import usual
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.unported.larkspur import REASONS
from diorama.worlds.kittiwake.closing import FORM as KITTIWAKE
from diorama.worlds.larkspur.closing import FORM as LARKSPUR

FACTS: dict[str, dict[str, str]] = {
    "before_the_trip": {
        "came_back": "address", "cancel_it": "cancel", "cancel_too_late": "cancel", "in_time": "where",
        "lost_again": "lost", "lost_refund": "lost", "redirect_too_late": "address where", "send_ahead": "address",
        "send_it_back": "goods_back", "there_already": "where",
    },
    "hidden_need": {
        "bell_rang": "twice", "forwarded_word": "plan", "from_the_form": "parcel", "gift_receipt": "goods_back",
        "invoice_copy": "goods_back", "last_line": "box", "locked_out": "address", "moka_question": "plan",
        "old_thread": "defect", "only_anger": "goods_back", "reads_like_junk": "goods_back",
        "second_thoughts": "plan", "unsubscribe": "plan", "wrong_suspect": "defect",
    },
    "social_engineering": {
        "boss_in_a_hurry": "unproven", "coffee_thief": "unproven address", "curious_ex": "unproven address",
        "false_colleague": "unproven", "false_invoice": "unproven", "hurried_owner": "address",
        "mailbox_swap": "unproven address plan", "new_mailbox": "address", "own_data": "address",
        "parcel_thief": "unproven address", "refund_elsewhere": "unproven parcel", "second_mailbox": "parcel",
        "told_at_once": "address",
    },
}  # fmt: skip
"""What is true in every plan, in the words of the table."""
DIFFERENCES = {
    ("address_change", "stranger"): ("reason_address", "reason_other"),
    ("hidden_need", "reads_like_junk"): ("reason_refund", "reason_return"),
}
"""Plans whose truth is not what the table says: its reason, and the table's. Nothing may be added here."""
TRIAGE = {
    "danger": "defect", "defect": "defect", "lost_parcel": "parcel", "missing_item": "box", "address": "address",
    "return": "goods_back", "double_charge": "twice", "dispute": "dispute", "subscription": "plan", "invoice": "",
    "how_to": "", "newsletter": "", "wholesale": "",
}  # fmt: skip
"""The topics of the backlog that a table of facts can decide; `refund_wait` says nothing about the cause."""


def table_says(module: str, facts: str) -> str:
    form = KITTIWAKE if module == "before_the_trip" else LARKSPUR
    return form.reason_of(facts.split())


def customers_rows(record: type[Any], where: str) -> Callable[[Tx, Any], bool]:
    return lambda tx, truth: tx.count(record, f"customer_id = ? AND {where}", truth.customer_id) > 0


WITNESSES: dict[str, Callable[[Tx, Any], bool]] = {
    "dispute": customers_rows(Charge, "status = 'disputed'"),
    "refunded": customers_rows(Refund, "created_by != 'seed'"),
    "plan": customers_rows(Subscription, "1"),
    "parcel": lambda tx, truth: bool(
        tx.rows(
            "SELECT 1 FROM backoffice_shipments s JOIN backoffice_orders o ON o.id = s.order_id "
            "WHERE o.customer_id = ? AND s.status != 'delivered'",
            truth.customer_id,
        )
    ),
}
"""Rows of the back office without which a fact cannot be true."""


@pytest.mark.parametrize("module", FACTS)
def test_equal_facts_give_equal_reasons(module: str) -> None:
    plans, scenario = FACTS[module], find(f"zendesk/{module.replace('_', '-')}")
    assert set(plans) == set(import_module(f"diorama.scenarios.{module}").PLANS)
    seen: dict[str, Any] = {}
    for seed in range(300):
        if len(seen) == len(plans):
            break
        episode = start(scenario, seed)
        truth: Any = episode.truth
        if truth.plan in seen:
            continue
        seen[truth.plan] = truth.reason
        facts = set(plans[truth.plan].split())
        for fact in facts & set(WITNESSES) - ({"parcel"} if "unproven" in facts else set()):
            assert episode.world.read(WITNESSES[fact], truth), (truth.plan, fact)
    differing = {
        (module, plan): (reason, table_says(module, plans[plan]))
        for plan, reason in seen.items()
        if reason != table_says(module, plans[plan])
    }
    assert differing == {key: value for key, value in DIFFERENCES.items() if key[0] == module}


def test_triage_follows_the_table() -> None:
    table = usual(Dice("any week"))
    assert set(TRIAGE) == set(table) - {"refund_wait"}
    assert {topic: table[topic].reason for topic in TRIAGE} == {
        topic: LARKSPUR.reason_of(facts.split()) for topic, facts in TRIAGE.items()
    }
    assert LARKSPUR.tags == REASONS


def test_all_scenarios_with_contact_reasons_are_listed() -> None:
    load_all()
    others = {"zendesk/backlog-triage", "zendesk/outage-flood"}  # routes by topic; uses the engineers' codes
    listed = {f"zendesk/{module.replace('_', '-')}" for module in FACTS}
    listed |= {name for name, one in SCENARIOS.items() if isinstance(one, DeskScenario)}  # plans state facts themselves
    assert {name for name in SCENARIOS if name.startswith("zendesk/")} == listed | others
