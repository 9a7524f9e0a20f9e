"""The rules themselves refuse what the product refuses, so mail, personas and staging cannot get around the API."""

from collections.abc import Callable
from typing import Any

import pytest

from diorama.apps.zendesk import rules
from diorama.apps.zendesk.rules.comment_redactions import redact_attachment
from diorama.apps.zendesk.rules.ticket_checks import LONGEST_COMMENT
from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.kernel import Refusal, Tx
from tests.apps.zendesk.desk import ANA, MARA, Desk
from tests.apps.zendesk.test_ticket_fields import OPTIONS, make
from tests.apps.zendesk.test_ticket_forms import form


def act(desk: Desk, ticket: int, by: str = ANA, said: rules.NewComment | None = None, **fields: Any) -> rules.Update:
    """Update a ticket by the rules, as people and scenarios do."""

    def change(tx: Tx) -> rules.Update:
        who = rules.by_email(tx, by)
        assert who is not None
        return rules.update(tx, tx.get(Ticket, ticket), by=who, said=said, fields=fields)

    return desk.do(change)


def refused(desk: Desk, ticket: int, by: str = ANA, said: rules.NewComment | None = None, **fields: Any) -> str:
    """Return why an update was refused; the ticket must stay as it was."""
    before = desk.ticket(ticket)
    with pytest.raises(Refusal) as found:
        act(desk, ticket, by, said, **fields)
    assert desk.ticket(ticket) == before
    return str(found.value)


def closed(desk: Desk) -> int:
    number = desk.asks()
    desk.updates(number, status="closed")
    return number


CHANGES: list[Callable[[Tx, Ticket, User], Any]] = [
    lambda tx, ticket, me: rules.update(tx, ticket, by=me, fields={"priority": "high"}),
    lambda tx, ticket, me: rules.comment(tx, ticket.id, "Hello again", by=me),
    lambda tx, ticket, me: rules.solve(tx, ticket.id, "Done", by=me),
    lambda tx, ticket, me: rules.merge(tx, ticket.id, [ticket.id], me),
    lambda tx, ticket, me: redact_attachment(tx, ticket, tx.all(Comment)[0], 1, me),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_closed_ticket_refuses_every_change(desk: Desk, change: Callable[[Tx, Ticket, User], Any]) -> None:
    number = closed(desk)
    with pytest.raises(Refusal, match="closed"):
        desk.do(lambda tx: change(tx, tx.get(Ticket, number), tx.get(User, desk.user(ANA).id)))
    assert len(desk.comments(number)) == 1


def test_a_required_field_must_be_filled_in_before_solving(desk: Desk) -> None:
    number, field = desk.asks(), make(desk, "text", "Cause", required=True)["id"]
    assert "Cause: is required when solving a ticket" in refused(desk, number, status="solved")
    with pytest.raises(Refusal, match="Cause: is required"):
        desk.do(lambda tx: rules.solve(tx, number, "Done", by=tx.get(User, desk.user(ANA).id)))
    act(desk, number, status="solved", custom_fields={field: "A worn seal"})
    assert desk.ticket(number).status == "solved"


def test_a_condition_of_the_form_counts_without_the_api(desk: Desk) -> None:
    size = make(desk, "tagger", "Size", custom_field_options=OPTIONS)["id"]
    reason = make(desk, "text", "Reason")["id"]
    child = {"id": reason, "is_required": True, "required_on_statuses": {"type": "ALL_STATUSES"}}
    condition = {"parent_field_id": size, "value": OPTIONS[0]["value"], "child_fields": [child]}
    made = form(desk, ticket_field_ids=[size, reason], agent_conditions=[condition])["id"]
    number = desk.asks()
    wanted = {"ticket_form_id": made, "custom_fields": {size: OPTIONS[0]["value"]}}
    assert "Reason: cannot be blank" in refused(desk, number, **wanted)
    act(desk, number, ticket_form_id=made, custom_fields={size: OPTIONS[0]["value"], reason: "Too small"})
    assert OPTIONS[0]["value"] in desk.ticket(number).tags


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"status": "asleep"}, "Status: asleep is not included in the list"),
        ({"priority": "soon"}, "Priority: soon is not included in the list"),
        ({"type": "wish"}, "Type: wish is not included in the list"),
        ({"assignee_id": 5}, "Assignee: 5 does not exist"),
        ({"group_id": 5}, "Group: 5 does not exist"),
        ({"requester_id": 5}, "Requester: 5 does not exist"),
        ({"organization_id": 5}, "Organization: 5 does not exist"),
        ({"ticket_form_id": 5}, "Ticket form: 5 does not exist"),
        ({"brand_id": 5}, "Brand: 5 does not exist"),
        ({"custom_status_id": 5}, "Custom status: is invalid"),
        ({"problem_id": 5}, "Problem: 5 does not exist"),
    ],
)
def test_a_field_refuses_an_invalid_value(desk: Desk, fields: dict[str, Any], why: str) -> None:
    assert why in refused(desk, desk.asks(), **fields)


def test_a_custom_field_refuses_a_value_of_another_type(desk: Desk) -> None:
    size = make(desk, "tagger", "Size", custom_field_options=OPTIONS)["id"]
    count = make(desk, "integer", "Count")["id"]
    number = desk.asks()
    assert "is not a valid option" in refused(desk, number, custom_fields={size: "huge"})
    assert "must be an integer" in refused(desk, number, custom_fields={count: "many"})


def test_only_agents_of_the_group_can_be_assigned(desk: Desk) -> None:
    number = desk.asks()
    assert "is not an agent" in refused(desk, number, assignee_id=desk.user(MARA).id)
    both = {"assignee_id": desk.user(ANA).id, "group_id": desk.group("Billing").id}
    assert "is not a member of the selected group" in refused(desk, number, **both)


def test_incidents_belong_to_problems_only(desk: Desk) -> None:
    number, other = desk.asks(), desk.asks()
    assert f"{other} is not a problem" in refused(desk, number, problem_id=other)


def test_customers_cannot_do_the_work_of_agents(desk: Desk) -> None:
    number = desk.asks()
    for fields in ({"assignee_id": desk.user(ANA).id}, {"group_id": None}, {"status": "pending"}, {"subject": "x"}):
        assert "403" in refused(desk, number, MARA, **fields)
    assert "Assignee: is required when solving" in refused(desk, number, MARA, status="solved")


def test_customers_write_publicly_and_as_themselves(desk: Desk) -> None:
    number = desk.asks()
    act(desk, number, MARA, rules.NewComment("psst", public=False, author_id=desk.user(ANA).id))
    newest = desk.comments(number)[-1]
    assert (newest.public, newest.author_id) == (True, desk.user(MARA).id)


def test_an_agent_with_private_comments_only_stays_private(desk: Desk) -> None:
    desk.do(lambda tx: rules.change_user(tx, tx.get(User, desk.user(ANA).id), {"only_private_comments": True}))
    number = desk.asks()
    act(desk, number, said=rules.NewComment("Dear customer"))
    assert not desk.comments(number)[-1].public


def test_a_long_comment_is_refused_and_a_long_mail_truncated(desk: Desk) -> None:
    number = desk.asks()
    assert "is too long" in refused(desk, number, said=rules.NewComment("x" * (LONGEST_COMMENT + 1)))
    desk.writes(number, "y" * (LONGEST_COMMENT + 1))
    assert len(desk.comments(number)[-1].body) == LONGEST_COMMENT


def opened(desk: Desk, by: str, **fields: Any) -> rules.Update:
    """Open a ticket by the rules, as people and scenarios do."""

    def make_one(tx: Tx) -> rules.Update:
        me = rules.by_email(tx, by)
        assert me is not None
        return rules.open_ticket(tx, requester=me, subject="Hello", said=rules.NewComment("Hello"), fields=fields)

    return desk.do(make_one)


def test_the_portal_requires_its_required_fields(desk: Desk) -> None:
    field = make(desk, "text", "Order", required_in_portal=True, visible_in_portal=True, editable_in_portal=True)["id"]
    with pytest.raises(Refusal, match="Order: cannot be blank"):
        opened(desk, MARA)
    assert opened(desk, MARA, custom_fields={field: "L-1"}).ticket.custom_fields == {str(field): "L-1"}
    assert desk.asks("By mail there is no form") > 0


def test_a_new_ticket_is_checked_like_an_update(desk: Desk) -> None:
    for fields in ({"priority": "soon"}, {"group_id": 5}, {"followup_source_id": desk.asks()}):
        with pytest.raises(Refusal):
            opened(desk, ANA, **fields)
    assert opened(desk, ANA, followup_source_id=closed(desk)).ticket.followup_source_id
