"""After any history, views count the tickets they list, and audits explain every change of a ticket."""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules.ticket_edits import AUDITED, audit_value
from diorama.apps.zendesk.schema import Ticket
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk

DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("status"), st.sampled_from(["open", "pending", "hold", "solved"])),
        st.tuples(st.just("priority"), st.sampled_from(["low", "normal", "high", "urgent"])),
        st.tuples(st.just("type"), st.sampled_from(["question", "incident", "problem", "task"])),
        st.tuples(st.just("tags"), st.lists(st.sampled_from(["a", "b", "vip"]), max_size=2)),
        st.tuples(st.just("assignee_email"), st.sampled_from([ANA, BEN])),
        st.tuples(st.just("subject"), st.sampled_from(["Leak", "Noise"])),
        st.tuples(st.just("customer"), st.sampled_from(["Hello?", "Thanks"])),
        st.tuples(st.just("wait"), st.sampled_from([1, 5, 30])),
    ),
    max_size=8,
)
TESTS = st.lists(
    st.one_of(
        st.tuples(
            st.just("status"),
            st.sampled_from(["is", "is_not", "less_than", "greater_than"]),
            st.sampled_from(["new", "open", "pending", "solved"]),
        ),
        st.tuples(st.just("priority"), st.sampled_from(["is", "is_not"]), st.sampled_from(["", "low", "high"])),
        st.tuples(
            st.just("current_tags"), st.sampled_from(["includes", "not_includes"]), st.sampled_from(["a", "vip"])
        ),
        st.tuples(st.just("assignee_id"), st.sampled_from(["is", "is_not"]), st.sampled_from(["", "current_user"])),
        st.tuples(st.just("NEW"), st.sampled_from(["less_than", "greater_than"]), st.sampled_from(["1", "5"])),
        st.tuples(st.just("ticket_is_public"), st.just("is"), st.sampled_from(["public", "private"])),
    ),
    max_size=3,
)


def play(desk: Desk, number: int, deeds: list[Any]) -> None:
    """Do things to a ticket until it is closed."""
    for what, value in deeds:
        if desk.ticket(number).status == "closed":
            return
        if what == "customer":
            desk.writes(number, value)
        elif what == "wait":
            desk.waits(hours=value)
        else:
            desk.updates(number, **{what: value})


@settings(max_examples=40, deadline=None)
@given(st.lists(DEEDS, min_size=1, max_size=4), TESTS)
@example([[("assignee_email", ANA)], []], [("assignee_id", "is", "current_user")])
@example([[("assignee_email", ANA)], [("tags", ["vip"])]], [("assignee_id", "is_not", "current_user")])
def test_the_count_of_a_view_matches_its_tickets(stories: list[list[Any]], tests: list[Any]) -> None:
    desk = Desk()
    for place, deeds in enumerate(stories):
        play(desk, desk.asks(by=(MARA, OLEG)[place % 2]), deeds)
    every = [("status", "less_than", "closed"), *tests]
    view = desk.do(seed.add_view, "Probe", every)
    for by in (ADA, ANA):
        held = desk.get(f"views/{view.id}/tickets.json", by=by)
        counted = desk.get(f"views/{view.id}/count.json", by=by)["view_count"]["value"]
        rows = desk.get(f"views/{view.id}/execute.json", by=by)["rows"]
        many = desk.get("views/count_many.json", by=by, ids=str(view.id))["view_counts"][0]["value"]
        wanted = {"view": {"all": [dict(zip(("field", "operator", "value"), test, strict=True)) for test in every]}}
        preview = desk.post("views/preview/count.json", wanted, by=by)["view_count"]["value"]
        assert counted == len(held["tickets"]) == held["count"] == len(rows) == many == preview


def replayed(desk: Desk, number: int) -> dict[str, Any]:
    """Return the ticket's fields as rebuilt from all its audits."""
    fields: dict[str, Any] = {}
    for audit in desk.audits(number):
        for event in audit.events:
            if event.type == "Create":
                fields[str(event.field_name)] = event.value
            elif event.type == "Change":
                before = fields.get(str(event.field_name))
                empty: tuple[Any, ...] = (None, "unoffered", (), [])
                same = before == event.previous_value or (before in empty and event.previous_value in empty)
                assert same or event.field_name in ("is_public", "custom_status_id"), event
                fields[str(event.field_name)] = event.value
    return fields


@settings(max_examples=30, deadline=None)
@given(DEEDS)
def test_audits_explain_every_change_of_a_ticket(deeds: list[Any]) -> None:
    desk = Desk()
    number = desk.asks()
    play(desk, number, deeds)
    ticket, fields = desk.ticket(number), replayed(desk, number)
    for column, name in AUDITED.items():
        value = audit_value(getattr(ticket, column))
        if name in fields:
            listed = list(value) if isinstance(value, tuple) else value
            assert fields[name] in (value, listed), name
        else:
            assert value == audit_value(getattr(_blank(ticket), column)), name
    moments = [audit.created_at for audit in desk.audits(number)]
    assert moments == sorted(moments)
    assert moments[-1] == ticket.updated_at


def _blank(ticket: Ticket) -> Ticket:
    """Return a ticket with all fields unset."""
    return Ticket(
        id=ticket.id,
        requester_id=ticket.requester_id,
        submitter_id=ticket.submitter_id,
        created_at=ticket.created_at,
        updated_at=ticket.created_at,
        status_updated_at=ticket.created_at,
        requester_updated_at=ticket.created_at,
        subject="",
        description="",
    )
