"""Equal facts give equal contact reasons: every plan states its facts, and the company's one table decides."""

from diorama.apps.zendesk.schema.help_center import Translation
from diorama.episodes.episode import start
from diorama.kernel import Dice
from diorama.scenarios import SCENARIOS, load_all
from diorama.scenarios.backlog_triage.routing import usual
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.owed_units import Returning
from diorama.worlds.larkspur.closing import FORM as LARKSPUR

TRIAGE = {
    "danger": "defect", "defect": "defect", "lost_parcel": "parcel", "missing_item": "box", "address": "address",
    "return": "goods_back", "double_charge": "twice", "dispute": "dispute", "subscription": "plan", "invoice": "",
    "how_to": "", "newsletter": "", "wholesale": "",
}  # fmt: skip
"""The topics of the backlog that a table of facts can decide; `refund_wait` says nothing about the cause."""


def test_triage_follows_the_table() -> None:
    table = usual(Dice("any week"))
    assert set(TRIAGE) == set(table) - {"refund_wait"}
    assert {topic: table[topic].reason for topic in TRIAGE} == {
        topic: LARKSPUR.reason_of(facts.split()) for topic, facts in TRIAGE.items()
    }


def test_every_plan_takes_its_reason_from_the_table() -> None:
    load_all()
    others = {"zendesk/backlog-triage", "zendesk/outage-flood"}  # routes by topic; uses the engineers' codes
    planned = {name: one for name, one in SCENARIOS.items() if isinstance(one, DeskScenario)}
    assert {name for name in SCENARIOS if name.startswith("zendesk/")} == planned.keys() | others
    for scenario in planned.values():
        for plan in scenario.plans:
            assert scenario.form.reason_of(plan.facts) in scenario.form.tags


def test_a_code_that_decides_stands_in_the_brief_or_on_a_page() -> None:
    load_all()
    for scenario in SCENARIOS.values():
        plans = scenario.plans if isinstance(scenario, DeskScenario) else ()
        owed = [one for plan in plans for one in plan.owed if isinstance(one, Returning) and not one.any_reason]
        if not owed:
            continue
        episode = start(scenario, 0)
        pages = episode.world.read(lambda tx: [one.body for one in tx.all(Translation)])
        told = " ".join([episode.brief, *pages])
        assert {one.reason for one in owed} <= set(told.replace(",", " ").replace(".", " ").split())
