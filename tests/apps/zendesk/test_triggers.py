"""Triggers: run in order, each at most once, and from the top again after one changed the ticket."""

import time
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules import condition_sets, triggers
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.schema import Trigger
from tests.apps.zendesk.desk import ANA, BEN, MARA, Desk

CREATED = ("update_type", "is", "Create")


def trigger(desk: Desk, title: str, every: list[Any], then: list[Any], **more: Any) -> Trigger:
    return desk.do(seed.add_trigger, title, every, then, **more)


def fired(desk: Desk, ticket: int) -> list[str]:
    """Return the titles of the triggers that acted in the newest update, in order."""
    audit = desk.get(f"tickets/{ticket}/audits.json")["audits"][-1]
    rules = [event["via"]["source"]["from"]["title"] for event in audit["events"] if "via" in event]
    return list(dict.fromkeys(rules))


def test_a_trigger_acts_when_all_its_conditions_hold(desk: Desk) -> None:
    trigger(desk, "Leaks", [CREATED, ("subject_includes_word", "includes", "leak drip")], [("priority", "urgent")])
    assert desk.ticket(desk.asks("It LEAKS")).priority == "urgent"
    assert desk.ticket(desk.asks("It is loud")).priority is None


def test_one_of_the_any_conditions_must_hold(desk: Desk) -> None:
    some = [("subject_includes_word", "includes", "refund"), ("subject_includes_word", "includes", "money")]
    trigger(desk, "Money", [CREATED], [("current_tags", "billing")], some=some)
    assert desk.ticket(desk.asks("My money")).tags == ("billing",)
    assert desk.ticket(desk.asks("My beans")).tags == ()


def test_a_later_trigger_sees_what_an_earlier_one_did(desk: Desk) -> None:
    trigger(desk, "A", [CREATED], [("current_tags", "first")])
    trigger(desk, "B", [CREATED, ("current_tags", "includes", "first")], [("current_tags", "second")])
    assert desk.ticket(desk.asks()).tags == ("first", "second")


def test_an_earlier_trigger_runs_after_a_later_ones_change(desk: Desk) -> None:
    trigger(desk, "B", [("current_tags", "includes", "first")], [("current_tags", "second")])
    trigger(desk, "A", [CREATED], [("current_tags", "first")])
    number = desk.asks()
    assert desk.ticket(number).tags == ("first", "second")
    assert [title for title in fired(desk, number) if title in "AB"] == ["A", "B"]


def test_a_trigger_fires_at_most_once_per_update(desk: Desk) -> None:
    trigger(desk, "Up", [("priority", "is_not", "high")], [("priority", "high")])
    trigger(desk, "Down", [("priority", "is", "high")], [("priority", "low")])
    number = desk.asks()
    assert desk.ticket(number).priority == "low"
    assert [title for title in fired(desk, number) if title in ("Up", "Down")] == ["Up", "Down"]


def test_triggers_run_in_order_of_position(desk: Desk) -> None:
    late = trigger(desk, "Late", [CREATED], [("set_tags", "late")])
    early = trigger(desk, "Early", [CREATED], [("set_tags", "early")])
    assert desk.ticket(desk.asks()).tags == ("early",)
    others = [one["id"] for one in desk.get("triggers.json")["triggers"] if one["id"] not in (late.id, early.id)]
    desk.put("triggers/reorder.json", {"trigger_ids": [*others, early.id, late.id]})
    assert desk.ticket(desk.asks()).tags == ("late",)


@pytest.mark.parametrize(
    ("test", "then", "holds"),
    [
        (("priority", "changed", None), {"priority": "low"}, True),
        (("priority", "changed", None), {"type": "task"}, False),
        (("priority", "value", "low"), {"priority": "low"}, True),
        (("priority", "value", "high"), {"priority": "low"}, False),
        (("status", "value_previous", "new"), {"status": "open"}, True),
        (("status", "not_changed", None), {"status": "open"}, False),
        (("status", "less_than", "solved"), {"status": "pending"}, True),
        (("status", "greater_than", "pending"), {"status": "pending"}, False),
        (("priority", "greater_than", "normal"), {"priority": "urgent"}, True),
        (("comment_is_public", "is", "true"), {"comment": {"body": "x", "public": True}}, True),
        (("comment_is_public", "is", "true"), {"comment": {"body": "x", "public": False}}, False),
        (("comment_is_public", "is", "not_relevant"), {"comment": {"body": "x", "public": False}}, True),
        (("comment_includes_word", "includes", "refund"), {"comment": {"body": "A refund!"}}, True),
        (("role", "is", "agent"), {"priority": "low"}, True),
        (("role", "is", "end_user"), {"priority": "low"}, False),
        (("requester_role", "is", "end_user"), {"priority": "low"}, True),
        (("assignee_id", "is", "current_user"), {"assignee_email": ANA}, True),
        (("assignee_id", "is_not", "current_user"), {"assignee_email": BEN}, True),
        (("current_tags", "not_includes", "vip"), {"tags": ["vip"]}, False),
        (("via_id", "is", 4), {"priority": "low"}, True),
        (("nonsense", "is", "1"), {"priority": "low"}, False),
    ],
)
def test_conditions_can_test_the_update(desk: Desk, test: Any, then: dict[str, Any], holds: bool) -> None:
    number = desk.asks()
    trigger(desk, "Probe", [("update_type", "is", "Change"), test], [("current_tags", "probed")])
    desk.updates(number, **then)
    assert ("probed" in desk.ticket(number).tags) == holds


def test_a_trigger_that_assigns_a_ticket_opens_it(desk: Desk) -> None:
    trigger(desk, "To Ben", [CREATED], [("assignee_id", str(desk.user(BEN).id))])
    ticket = desk.ticket(desk.asks())
    assert (ticket.assignee_id, ticket.group_id, ticket.status) == (
        desk.user(BEN).id,
        desk.group("Support").id,
        "open",
    )


def test_a_trigger_that_assigns_to_a_customer_does_nothing(desk: Desk) -> None:
    trigger(desk, "Wrong", [CREATED], [("assignee_id", str(desk.user(MARA).id)), ("priority", "low")])
    ticket = desk.ticket(desk.asks())
    assert (ticket.assignee_id, ticket.priority) == (None, "low")


def test_an_inactive_trigger_does_not_run(desk: Desk) -> None:
    made = trigger(desk, "Tag", [CREATED], [("current_tags", "x")])
    desk.put(f"triggers/{made.id}.json", {"trigger": {"active": False}})
    assert desk.ticket(desk.asks()).tags == ()


def test_the_requester_is_mailed_about_receipt_and_answers(desk: Desk) -> None:
    number = desk.asks("Leak", "It leaks.")
    assert desk.announced() == ["TicketCreated", "CommentAdded", "RequesterNotified"]
    desk.replies(number, "We send a new pump.")
    assert desk.announced() == ["TicketUpdated", "CommentAdded", "RequesterNotified"]


def test_requesters_get_no_mail_for_notes_or_own_comments(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Careful with this one.", public=False)
    assert "RequesterNotified" not in desk.announced()
    desk.writes(number, "Hello?")
    assert "RequesterNotified" not in desk.announced()


def test_without_triggers_no_mail_is_sent(desk: Desk) -> None:
    for one in desk.get("triggers.json")["triggers"]:
        desk.delete(f"triggers/{one['id']}.json")
    number = desk.asks()
    desk.replies(number, "Nobody reads this.")
    assert desk.announced() == ["TicketUpdated", "CommentAdded"]


def test_a_trigger_is_created_read_changed_and_deleted(desk: Desk) -> None:
    body = {
        "title": "VIPs first",
        "conditions": {"all": [{"field": "current_tags", "operator": "includes", "value": "vip"}], "any": []},
        "actions": [{"field": "priority", "value": "high"}],
    }
    made = desk.post("triggers.json", {"trigger": body})["trigger"]
    assert desk.get(f"triggers/{made['id']}.json")["trigger"] == made
    assert made["conditions"] == body["conditions"]
    changed = desk.put(f"triggers/{made['id']}.json", {"trigger": {"title": "VIPs"}})["trigger"]
    assert (changed["title"], changed["raw_title"], changed["actions"]) == ("VIPs", "VIPs", made["actions"])
    assert [one["title"] for one in desk.get("triggers/search.json", query="vip")["triggers"]] == ["VIPs"]
    desk.delete(f"triggers/{made['id']}.json")
    assert desk.call("GET", f"triggers/{made['id']}.json").status == 404


GOOD: dict[str, Any] = {
    "title": "x",
    "conditions": {"all": [{"field": "status", "operator": "is", "value": "new"}]},
    "actions": [{"field": "priority", "value": "low"}],
}


@pytest.mark.parametrize(
    "flaw",
    [
        {"title": ""},
        {"conditions": {"all": []}},
        {"actions": []},
        {"conditions": {"all": [{"field": "moon", "operator": "is", "value": "full"}]}},
        {"actions": [{"field": "moon", "value": "full"}]},
    ],
)
def test_a_trigger_without_effect_is_refused(desk: Desk, flaw: dict[str, Any]) -> None:
    reply = desk.call("POST", "triggers.json", {"trigger": {**GOOD, **flaw}})
    assert (reply.status, reply.json()["error"]) == (422, "RecordInvalid")


def test_conditions_must_be_a_hash(desk: Desk) -> None:
    reply = desk.call("POST", "triggers.json", {"trigger": {"title": "x", "conditions": "{}", "actions": []}})
    assert reply.status == 400
    assert reply.json()["error"]["title"] == "Invalid attribute"
    assert "must be a hash" in reply.json()["error"]["message"]


def test_agents_may_read_triggers_but_not_write_them(desk: Desk) -> None:
    assert desk.call("GET", "triggers.json", by=ANA).status == 200
    assert desk.call("DELETE", f"triggers/{desk.get('triggers.json')['triggers'][0]['id']}.json", by=ANA).status == 403


DEEDS = st.sampled_from(
    [
        ("status", "open"),
        ("status", "pending"),
        ("priority", "low"),
        ("priority", "urgent"),
        ("current_tags", "x"),
        ("remove_tags", "x"),
        ("set_tags", "y"),
    ]
)
TESTS = st.sampled_from(
    [
        ("status", "is", "open"),
        ("status", "is_not", "open"),
        ("priority", "is", "low"),
        ("priority", "is_not", "low"),
        ("current_tags", "includes", "x"),
        ("current_tags", "not_includes", "x"),
        ("status", "changed", None),
    ]
)


@settings(max_examples=25)
@given(st.lists(st.tuples(TESTS, DEEDS), max_size=8))
def test_triggers_always_terminate(rules: list[tuple[Any, Any]]) -> None:
    desk = Desk()
    seen: list[tuple[int, int]] = []
    for place, (test, deed) in enumerate(rules):
        trigger(desk, f"t{place}", [test], [deed])
    fire = triggers._fire

    def counted(edit: Any, number: int, *rest: Any) -> bool:
        seen.append((len(desk.world.events), number))
        assert len(seen) == len(set(seen)), "a trigger fired twice for one update"
        return fire(edit, number, *rest)

    with patch.object(triggers, "_fire", counted):
        number = desk.asks()
        desk.updates(number, priority="normal")
    assert len(desk.audits(number)) == 2


def run_as_documented(edit: Edit, listed: Any = None) -> None:
    """Fire triggers as the vendor describes it: after each change, test all that are left from the first again."""
    waiting, place = edit.tx.rows(triggers.ACTIVE), 0
    while place < len(waiting):
        if not condition_sets.compiled(waiting[place][3]).holds(edit.facts):
            place += 1
        elif triggers._fire(edit, *waiting.pop(place)):
            place = 0


MORE_TESTS = st.sampled_from(
    [
        CREATED,
        ("subject_includes_word", "includes", "drip"),
        ("subject_includes_word", "is_not", "drip"),
        ("description_includes_word", "includes", "leaks"),
        ("current_tags", "includes", "x y"),
        ("current_tags", "includes", "vip"),
        ("assignee_id", "is", "current_user"),
        ("assignee_id", "is", ""),
        ("group_id", "is_not", ""),
        ("priority", "greater_than", "low"),
        ("priority", "changed", None),
        ("status", "value_previous", "new"),
        ("requester_role", "is", "end_user"),
        ("role", "is", "agent"),
        ("custom_status_id", "changed", None),
        ("NEW", "less_than", "2"),
        ("satisfaction_score", "is", "offered"),
        ("via_id", "is", "4"),
    ]
)
MORE_DEEDS = st.sampled_from(
    [("subject", "A drip"), ("assignee_id", "current_user"), ("assignee_id", ""), ("satisfaction_score", "offered"),
     ("current_tags", "vip y"), ("priority", "high"), ("status", "solved"), ("follower", "current_user")]
)  # fmt: skip
RULE = st.tuples(st.lists(TESTS | MORE_TESTS, min_size=1, max_size=2), DEEDS | MORE_DEEDS)


@settings(max_examples=60)
@given(st.lists(RULE, max_size=9))
def test_triggers_do_the_same_as_if_all_were_tested_again(rules: list[tuple[list[Any], Any]]) -> None:
    seen = []
    for run in (triggers.run, run_as_documented):
        desk = Desk()
        for place, (tests, deed) in enumerate(rules):
            trigger(desk, f"t{place}", tests, [deed])
        with patch.object(triggers, "run", run):
            number = desk.asks()
            desk.updates(number, priority="normal", tags=["z"])
        seen.append(desk.world.trace)
    assert seen[0] == seen[1]


def test_texts_that_do_too_much_refuse_the_update(desk: Desk) -> None:
    loop = "{% for a in (1..200) %}{% for b in (1..200) %}{{a | plus: b}}{% endfor %}{% endfor %}"
    number = desk.asks()
    for place in range(4):
        mail = ("notification_user", ["requester_id", "Hi", f"{place}{loop}"])
        trigger(desk, f"t{place}", [("update_type", "is", "Change")], [mail])
    started = time.process_time()
    reply = desk.call("PUT", f"tickets/{number}.json", {"ticket": {"priority": "high"}}, ANA)
    assert (reply.status, reply.json()["message"]) == (422, "The request is too complex to process")
    assert time.process_time() - started < 0.3
