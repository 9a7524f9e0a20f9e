"""Automations: run hourly on tickets that have waited long enough, at most once per state of a ticket."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules import automations, conditions
from diorama.apps.zendesk.rules.current_user import SYSTEM
from diorama.apps.zendesk.rules.schedules import schedules
from diorama.apps.zendesk.schema import Automation, Condition, Ticket
from diorama.kernel import Tx, World
from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk


def automation(desk: Desk, title: str, every: list[Any], then: list[Any], **more: Any) -> Automation:
    return desk.do(seed.add_automation, title, every, then, **more)


OLD = [("status", "is", "new"), ("NEW", "greater_than", "5")]


def runs(desk: Desk) -> list[Any]:
    return [event for event in desk.world.events if event.operation == "run_automations"]


def history(desk: Desk, world: World) -> list[tuple[Any, ...]]:
    """Create tickets at odd minutes, solve one, and return their states after two days."""
    desk.world = world
    for minutes in (0, 17, 60, 95, 240):
        desk.waits(minutes=minutes)
        number = desk.asks()
    desk.updates(number, status="solved")
    desk.waits(hours=48)
    return [(t.id, t.status, t.priority, t.tags, t.updated_at) for t in world.read(lambda tx: tx.all(Ticket))]


def test_an_automation_acts_at_the_full_hour_once_its_hours_have_passed(desk: Desk) -> None:
    automation(desk, "Old", OLD, [("priority", "high"), ("status", "open")])
    number = desk.asks()
    desk.waits(hours=5, minutes=30)
    assert desk.ticket(number).priority is None
    desk.waits(minutes=45)
    ticket = desk.ticket(number)
    assert (ticket.priority, ticket.status) == ("high", "open")
    audit = desk.get(f"tickets/{number}/audits.json")["audits"][-1]
    assert audit["via"]["source"]["from"]["title"] == "Old"
    assert audit["via"]["source"]["rel"] == "automation"
    assert audit["author_id"] == -1


def test_all_automations_share_one_row_of_the_agenda(desk: Desk) -> None:
    for place in range(5):
        automation(desk, f"A{place}", OLD, [("priority", "high"), ("status", "open")])
    desk.waits(hours=10)
    rows = desk.world.read(lambda tx: tx.control("SELECT count(*) FROM _agenda WHERE command = 'run_automations'"))
    assert rows[0][0] <= 1


def test_hours_without_due_automations_are_skipped(desk: Desk) -> None:
    automation(desk, "Old", OLD, [("priority", "high"), ("status", "open")])
    desk.waits(hours=2)
    number, before = desk.asks(), len(runs(desk))
    desk.waits(hours=24)
    assert desk.ticket(number).priority == "high"
    assert len(runs(desk)) - before <= 6


def test_skipping_hours_does_not_change_results(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    automation(desk, "Old", OLD, [("priority", "high"), ("status", "open")])
    automation(desk, "Six", [("status", "is", "open"), ("updated_at", "is", "6")], [("current_tags", "six")])
    automation(desk, "Gone", [("status", "is", "solved"), ("SOLVED", "greater_than", "9")], [("status", "closed")])
    twin = desk.world.fork()
    left = [history(desk, desk.world)]
    monkeypatch.setattr(automations, "_worth_asking", lambda tx, listed: automations.next_hour(tx.now))
    left.append(history(desk, twin))
    assert left[0] == left[1]


def test_an_automation_acts_once_per_matching_state(desk: Desk) -> None:
    automation(desk, "Nag", OLD, [("notification_user", ["assignee_id", "Old", "It is old."]), ("current_tags", "old")])
    number = desk.asks()
    desk.waits(hours=7)
    told = len(desk.audits(number))
    desk.waits(hours=10)
    assert len(desk.audits(number)) == told
    desk.updates(number, type="question")
    desk.waits(hours=2)
    assert len(desk.audits(number)) == told + 1  # tag already set, no one to notify: nothing to add


def test_an_exact_hours_condition_holds_for_one_hour(desk: Desk) -> None:
    automation(desk, "At six", [("status", "is", "new"), ("NEW", "is", "6")], [("current_tags", "six")])
    number = desk.asks()
    desk.waits(hours=5, minutes=59)
    assert "six" not in desk.ticket(number).tags
    desk.waits(minutes=2)
    assert "six" in desk.ticket(number).tags
    late = desk.do(lambda tx: tx.change(tx.get(type(desk.ticket(number)), number), tags=()))
    desk.waits(hours=3)
    assert desk.ticket(late.id).tags == ()


def test_changes_by_an_automation_run_the_triggers(desk: Desk) -> None:
    desk.do(seed.add_trigger, "See", [("current_tags", "includes", "old")], [("priority", "urgent")])
    automation(desk, "Old", OLD, [("current_tags", "old"), ("status", "open")])
    number = desk.asks()
    desk.waits(hours=7)
    assert desk.ticket(number).priority == "urgent"


def test_an_inactive_automation_does_not_run(desk: Desk) -> None:
    made = automation(desk, "Old", OLD, [("status", "open")])
    desk.put(f"automations/{made.id}.json", {"automation": {"active": False}})
    number = desk.asks()
    desk.waits(hours=8)
    assert desk.ticket(number).status == "new"


def test_without_the_standard_automation_solved_tickets_stay_solved(desk: Desk) -> None:
    for one in desk.get("automations.json")["automations"]:
        desk.delete(f"automations/{one['id']}.json")
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    desk.waits(days=10)
    assert desk.ticket(number).status == "solved"


def test_many_solved_tickets_close_in_the_same_hour(desk: Desk) -> None:
    numbers = [desk.asks() for _ in range(12)]
    for number in numbers:
        desk.replies(number, "Done.", status="solved")
    before = len(desk.world.events)
    desk.waits(days=4, hours=2)
    assert {desk.ticket(number).status for number in numbers} == {"closed"}
    assert len(desk.world.events) - before <= 4 * 24 + 2 + 1


def test_the_satisfaction_survey_is_sent_a_day_after_solving(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    assert desk.get(f"tickets/{number}.json")["ticket"]["satisfaction_rating"]["score"] == "unoffered"
    desk.waits(hours=25, minutes=30)
    assert desk.get(f"tickets/{number}.json")["ticket"]["satisfaction_rating"]["score"] == "offered"
    sent = [event for event in desk.world.events if "RequesterNotified" in event.notices]
    assert sent[-1].operation == "run_automations"
    desk.waits(days=1)
    assert len([event for event in desk.world.events if "RequesterNotified" in event.notices]) == len(sent)
    rating = {"satisfaction_rating": {"score": "good", "comment": "Quick!"}}
    desk.post(f"tickets/{number}/satisfaction_rating.json", rating, by=MARA)
    assert desk.ticket(number).satisfaction == "good"


def test_solving_late_still_closes_four_days_later(desk: Desk) -> None:
    """The survey changes the ticket, but the four days do not start again."""
    number = desk.asks()
    desk.replies(number, "Done.", status="solved")
    solved = desk.ticket(number).solved_at
    assert solved is not None
    desk.waits(days=4, hours=2)
    ticket = desk.ticket(number)
    assert ticket.status == "closed"
    assert timedelta(days=4) < ticket.status_updated_at - solved <= timedelta(days=4, hours=1)


# --- requests over the API

BODY: dict[str, Any] = {
    "title": "Escalate",
    "conditions": {
        "all": [
            {"field": "status", "operator": "is", "value": "open"},
            {"field": "OPEN", "operator": "greater_than", "value": "24"},
        ],
        "any": [],
    },
    "actions": [{"field": "status", "value": "pending"}],
}


def test_an_automation_is_created_read_found_changed_and_deleted(desk: Desk) -> None:
    made = desk.post("automations.json", {"automation": BODY})["automation"]
    assert desk.get(f"automations/{made['id']}.json")["automation"] == made
    assert made["conditions"] == BODY["conditions"]
    assert [one["id"] for one in desk.get("automations/search.json", query="escal")["automations"]] == [made["id"]]
    changed = desk.put(f"automations/{made['id']}.json", {"automation": {"title": "Hurry", "active": False}})
    assert (changed["automation"]["title"], changed["automation"]["actions"]) == ("Hurry", made["actions"])
    assert made["id"] not in [one["id"] for one in desk.get("automations/active.json")["automations"]]
    many = {"automations": [{"id": made["id"], "active": True, "position": 0}]}
    assert desk.put("automations/update_many.json", many)["automations"][0]["active"] is True
    assert made["id"] in [one["id"] for one in desk.get("automations.json", active="true")["automations"]]
    desk.delete("automations/destroy_many.json", ids=str(made["id"]))
    assert desk.call("GET", f"automations/{made['id']}.json").status == 404


@pytest.mark.parametrize(
    "flaw",
    [
        {"title": ""},
        {"conditions": {"all": []}},
        {"actions": []},
        {"conditions": {"all": [{"field": "status", "operator": "is", "value": "open"}]}},
        {"actions": [{"field": "priority", "value": "high"}]},
        {"actions": [{"field": "moon", "value": "full"}]},
    ],
)
def test_an_automation_that_never_ends_or_acts_is_refused(desk: Desk, flaw: dict[str, Any]) -> None:
    reply = desk.call("POST", "automations.json", {"automation": {**BODY, **flaw}})
    assert (reply.status, reply.json()["error"]) == (422, "RecordInvalid")


def test_agents_may_read_automations_but_not_write_them(desk: Desk) -> None:
    assert desk.call("GET", "automations.json", by=ANA).status == 200
    assert desk.call("POST", "automations.json", {"automation": BODY}, by=ANA).status == 403
    assert desk.call("GET", "automations.json", by=MARA).status == 403
    assert desk.call("POST", "automations.json", {"automation": BODY}, by=ADA).status == 201


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 6000), st.sampled_from(["is", "less_than", "greater_than"]), st.integers(0, 30))
def test_business_hour_conditions_agree_in_sql_and_python(minutes: int, operator: str, value: int) -> None:
    desk = Desk()
    desk.do(seed.add_schedule, "Office", "Berlin", seed.weekly(9, 17), {"Off": ("2026-03-04", "2026-03-04")})
    number = desk.asks()
    desk.waits(minutes=minutes)
    test = Condition("created_at", f"{operator}_business_hours", str(value))

    def look(tx: Tx) -> tuple[bool, bool]:
        ticket = tx.get(Ticket, number)
        found = conditions.sql_of(test, None, tx.now_us, schedules(tx))
        facts = conditions.Facts(tx, ticket, ticket, None, SYSTEM)
        return tx.count(Ticket, found.text, *found.args) == 1, conditions.question_of(test)(facts)

    by_row, by_fact = desk.read(look)
    assert by_row == by_fact


@pytest.mark.parametrize("hours", ["99999999999", "9" * 18, "-" + "9" * 18])
def test_an_automation_with_absurd_hours_is_never_due(desk: Desk, hours: str) -> None:
    desk.asks()
    rule = automation(desk, "Never", [("status", "is", "new"), ("NEW", "is", hours)], [("status", "open")])
    assert desk.read(lambda tx: automations._crossing(tx, rule)) is None


def test_a_run_with_much_to_do_is_split(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    automation(desk, "Hurry", OLD, [("priority", "high"), ("current_tags", "old")])
    automation(desk, "Again", [("priority", "is", "high"), ("NEW", "greater_than", "5")], [("current_tags", "late")])
    start = desk.world
    whole = history(desk, start.fork())
    count = len(runs(desk))
    monkeypatch.setattr(automations, "ENOUGH_ROWS", 0)
    assert history(desk, start.fork()) == whole
    assert len(runs(desk)) > count
