"""Groups: a deleted one leaves its tickets."""

import pytest

from diorama.apps.zendesk.rules import ticket_edits
from tests.apps.zendesk.desk import Desk


def test_a_group_with_many_tickets_is_cleared_in_several_transactions(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticket_edits, "AT_ONCE", 2)
    group = desk.post("groups.json", {"group": {"name": "Odd"}})["group"]["id"]
    numbers = [desk.asks() for _ in range(5)]
    for number in numbers:
        desk.updates(number, group_id=group)
    assert desk.delete(f"groups/{group}.json").status == 204
    desk.waits(minutes=1)
    assert [desk.ticket(number).group_id for number in numbers] == [None] * 5
    assert sum(event.operation == "clear_from_tickets" for event in desk.world.events) == 2
