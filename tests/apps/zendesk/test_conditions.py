"""Conditions have the same result in memory and in SQL for every ticket."""

from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.rules.conditions import Facts, question_of, sql_of, where
from diorama.apps.zendesk.rules.current_user import SYSTEM
from diorama.apps.zendesk.schema import PRIORITIES, STATUSES, Condition, Conditions, Ticket
from diorama.kernel import Tx
from tests.apps.zendesk.desk import Desk

TAGS = ("vip", "late_refund", "refund", "vi")
RANKED = st.sampled_from(["is", "is_not", "less_than", "greater_than"])
EQUAL = st.sampled_from(["is", "is_not"])
WORDS = st.sampled_from(["includes", "not_includes", "is", "is_not"])
HOURS = st.sampled_from(["less_than", "greater_than"])


def about(field: str, operators: Any, *values: Any) -> Any:
    return st.builds(Condition, st.just(field), operators, st.sampled_from(values))


condition = st.one_of(
    about("status", RANKED, *STATUSES),
    about("priority", RANKED, *PRIORITIES, "", None),
    about("type", EQUAL, "question", "task", ""),
    about("assignee_id", EQUAL, "", "7", "8", "current_user"),
    about("group_id", EQUAL, "", "3", 4),
    about("current_tags", st.sampled_from(["includes", "not_includes"]), *TAGS, "vip refund"),
    about("subject_includes_word", WORDS, "leak", "steam wand", "Leak"),
    *(about(field, HOURS, "1", "24", "48") for field in ("updated_at", "NEW", "SOLVED", "assigned_at")),
    about("custom_fields_5", st.sampled_from(["is", "is_not", "present"]), "a", "b"),
    about("via_id", EQUAL, 4, 0, 5),
)
conditions = st.builds(
    Conditions, st.lists(condition, max_size=3).map(tuple), st.lists(condition, max_size=2).map(tuple)
)


def tickets(tx: Tx) -> list[Ticket]:
    """Add random tickets of every kind."""
    dice, now, out = tx.dice("tickets"), tx.now.replace(microsecond=0), []
    for _ in range(40):
        moment = now - timedelta(hours=dice.integer(1, 90), minutes=7)
        status = dice.pick(STATUSES)
        ticket = Ticket(
            status=status,
            priority=dice.pick([*PRIORITIES, None]),
            type=dice.pick(["question", "task", None]),
            requester_id=1,
            submitter_id=1,
            assignee_id=dice.pick([None, 7, 8, -1]),
            group_id=dice.pick([None, 3, 4]),
            created_at=moment,
            updated_at=moment,
            status_updated_at=moment,
            requester_updated_at=moment,
            assigned_at=dice.pick([None, moment]),
            solved_at=moment if status == "solved" else None,
            tags=tuple(sorted(dice.sample(TAGS, dice.integer(0, 3)))),
            channel=dice.pick(["email", "web", "api"]),
            custom_fields=dice.pick([{}, {"5": "a"}, {"5": "b"}]),
            subject=dice.pick(["Leak", "the steam wand leaks", "Beans"]),
            description="x",
        )
        out.append(tx.add(ticket))
    return out


DESK = Desk()
ALL = DESK.do(tickets)


def by_hand(tx: Tx, wanted: Conditions) -> set[int]:
    def holds(one: Condition, facts: Facts) -> bool:
        return question_of(one)(facts)

    def fits(ticket: Ticket) -> bool:
        facts = Facts(tx, ticket, ticket, None, SYSTEM)
        every = all(holds(one, facts) for one in wanted.all)
        return every and (not wanted.any or any(holds(one, facts) for one in wanted.any))

    return {ticket.id for ticket in ALL if fits(ticket)}


def by_sql(tx: Tx, wanted: Conditions) -> set[int]:
    found = where(wanted, SYSTEM, tx.now_us)
    return {ticket.id for ticket in tx.all(Ticket, found.text, *found.args)}


@settings(max_examples=300)
@given(conditions)
def test_conditions_agree_in_sql_and_python(wanted: Conditions) -> None:
    assert DESK.read(by_sql, wanted) == DESK.read(by_hand, wanted)


@settings(max_examples=100)
@given(condition)
def test_a_condition_and_its_negation_partition_all_tickets(one: Condition) -> None:
    opposites: dict[str, Any] = {"is": "is_not", "includes": "not_includes"}
    if one.operator not in opposites or one.field in ("updated_at", "NEW", "SOLVED", "assigned_at"):
        return
    other = Condition(one.field, opposites[one.operator], one.value)
    first, second = (DESK.read(by_sql, Conditions((each,))) for each in (one, other))
    assert first.isdisjoint(second)
    assert first | second == {ticket.id for ticket in ALL}


def test_update_only_conditions_match_no_ticket_in_sql() -> None:
    assert sql_of(Condition("update_type", "is", "Create"), SYSTEM, 0).text == "0"
