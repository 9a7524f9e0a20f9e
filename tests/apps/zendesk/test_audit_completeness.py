"""Every change of a ticket's row, by any author, has an audit of the same time whose events explain it."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.rules.ticket_edits import AUDITED, audit_value
from diorama.apps.zendesk.schema import Audit, GroupMembership, Ticket
from diorama.kernel import Tx, from_us, table_of
from tests.apps.zendesk.desk import ANA, BEN, MARA, OLEG, Desk

BOOKKEEPING = frozenset(
    {
        "updated_at", "status_updated_at", "solved_at", "assigned_at", "requester_updated_at", "assignee_updated_at",
        "reopens", "satisfaction_id", "followup_ids", "followup_source_id",
    }
)  # fmt: skip
"""Columns that an update changes implicitly; the audit's date or another event covers them."""
DEEDS = st.lists(
    st.sampled_from(
        ["ask", "answer", "reply", "note", "status", "priority", "assign", "tags", "untag", "field", "checkbox",
         "macro", "copy", "merge", "delete", "restore", "leave", "fire", "rate", "private", "solve", "reopen", "bulk",
         "problem", "due", "request", "requester", "company", "day"]
    ),
    min_size=3,
    max_size=14,
)  # fmt: skip


def furnished() -> tuple[Desk, dict[str, int]]:
    """Return a desk with custom fields, and with rules that write to every field they can."""
    desk, names = Desk(), {}
    for title, more in (
        ("tagger", {"custom_field_options": [{"name": "A", "value": "opt_a"}, {"name": "B", "value": "opt_b"}]}),
        ("checkbox", {"tag": "ticked"}),
    ):
        made = desk.post("ticket_fields.json", {"ticket_field": {"type": title, "title": title, **more}})
        names[title] = made["ticket_field"]["id"]
    week = desk.post("business_hours/schedules.json", {"schedule": {"name": "S", "time_zone": "UTC"}})["schedule"]["id"]
    rules: list[tuple[str, str, Any, list[tuple[str, Any]]]] = [
        ("priority", "is", "high", [("current_tags", "opt_a hot"), ("set_schedule", str(week))]),
        ("status", "is", "pending", [(f"custom_fields_{names['checkbox']}", "true"), ("follower", "current_user")]),
        ("current_tags", "includes", "hot", [("type", "incident"), ("group_id", str(desk.group("Billing").id))]),
        ("comment_includes_word", "includes", "please", [(f"custom_fields_{names['tagger']}", "opt_b")]),
    ]
    for place, (field, operator, value, then) in enumerate(rules):
        every = {"all": [{"field": field, "operator": operator, "value": value}]}
        actions = [{"field": name, "value": what} for name, what in then]
        desk.post("triggers.json", {"trigger": {"title": f"t{place}", "conditions": every, "actions": actions}})
    actions = [{"field": "status", "value": "solved"}, {"field": "set_tags", "value": "done"}]
    names["macro"] = desk.post("macros.json", {"macro": {"title": "M", "actions": actions}})["macro"]["id"]
    return desk, names


def do(desk: Desk, names: dict[str, int], deed: str, turn: int) -> None:
    """Do one action if it is possible; refused actions change nothing."""
    live = desk.read(lambda tx: tx.all(Ticket, "deleted_at IS NULL AND status <> 'closed'"))
    if deed == "ask" or not live:
        desk.asks(by=(MARA, OLEG)[turn % 2])
        return
    ticket = live[turn % len(live)]
    updates: dict[str, dict[str, Any]] = {
        "reply": {"comment": {"body": "yes"}}, "note": {"comment": {"body": "no", "public": False}},
        "status": {"status": ("open", "pending", "hold")[turn % 3]}, "solve": {"status": "solved"},
        "reopen": {"status": "open"}, "priority": {"priority": ("low", "high")[turn % 2]},
        "assign": {"assignee_email": (ANA, BEN)[turn % 2]}, "tags": {"additional_tags": [("opt_a", "x")[turn % 2]]},
        "untag": {"remove_tags": ["opt_a", "ticked", "hot"]}, "requester": {"requester": {"email": OLEG}},
        "field": {"custom_fields": [{"id": names["tagger"], "value": ("opt_a", "opt_b", None)[turn % 3]}]},
        "checkbox": {"custom_fields": [{"id": names["checkbox"], "value": turn % 2 == 0}]},
        "copy": {"email_ccs": [{"user_email": OLEG, "action": "put"}]}, "problem": {"type": "problem"},
        "due": {"type": "task", "due_at": "2026-05-01T00:00:00Z", "external_id": f"x{turn}", "subject": f"S{turn}"},
        "company": {"organization_id": desk.user(OLEG).organization_id},
    }  # fmt: skip
    if deed in updates:
        desk.call("PUT", f"tickets/{ticket.id}.json", {"ticket": updates[deed]}, by=(ANA, BEN)[turn % 2])
    elif deed == "answer":
        desk.writes(ticket.id, "please hurry", by=desk.read(lambda tx: requester(tx, ticket)))
    elif deed == "day":
        desk.waits(hours=30)
    else:
        _elsewhere(desk, names, deed, turn, ticket, live)


def requester(tx: Tx, ticket: Ticket) -> str:
    """Return the address of the requester."""
    return str(tx.rows("SELECT email FROM zendesk_users WHERE id = ?", ticket.requester_id)[0][0])


def _elsewhere(desk: Desk, names: dict[str, int], deed: str, turn: int, ticket: Ticket, live: list[Ticket]) -> None:
    who = desk.user(BEN)
    if deed == "macro":
        desk.call("PUT", f"tickets/{ticket.id}.json", {"ticket": {"macro_ids": [names["macro"]], "tags": ["done"]}})
    elif deed == "merge" and len(live) > 1:
        desk.call("POST", f"tickets/{ticket.id}/merge.json", {"ids": [live[(turn + 1) % len(live)].id]})
        desk.waits(minutes=1)
    elif deed == "delete":
        desk.call("DELETE", f"tickets/{ticket.id}.json")
    elif deed == "restore":
        for one in desk.get("deleted_tickets.json")["deleted_tickets"][:1]:
            desk.put(f"deleted_tickets/{one['id']}/restore.json")
    elif deed == "leave":
        for one in desk.read(lambda tx: tx.all(GroupMembership, "user_id = ?", who.id))[:1]:
            desk.delete(f"group_memberships/{one.id}.json")
    elif deed == "fire":
        desk.call("DELETE", f"organizations/{desk.user(OLEG).organization_id}.json")
    elif deed == "rate":
        body = {"satisfaction_rating": {"score": ("good", "bad")[turn % 2], "comment": "so"}}
        by = desk.read(lambda tx: requester(tx, ticket))
        desk.call("POST", f"tickets/{ticket.id}/satisfaction_rating.json", body, by=by)
    elif deed == "private":
        words = desk.comments(ticket.id)[0]
        desk.call("PUT", f"tickets/{ticket.id}/comments/{words.id}/make_private.json", by=ANA)
    elif deed == "bulk":
        desk.call("PUT", "tickets/update_many.json", {"ticket": {"priority": "urgent"}}, ids=str(ticket.id))
        desk.waits(minutes=1)
    elif deed == "request":
        asked = {"request": {"comment": {"body": "please"}, "solved": turn % 2 == 0}}
        desk.call("PUT", f"requests/{ticket.id}.json", asked, by=desk.read(lambda tx: requester(tx, ticket)))


def explained(event: Any) -> None:
    """Check that every ticket changed in a transaction has an audit that explains exactly the changed columns."""
    tickets, audits = table_of(Ticket), table_of(Audit)
    told_of: dict[int, list[dict[str, Any]]] = {}
    for change in event.changes:
        if change.table == audits.name and change.op == "insert":
            told_of.setdefault(change.after["ticket_id"], []).extend(msgspec.json.decode(change.after["events"]))
    for change in event.changes:
        if change.table == tickets.name and change.op == "update":
            moved = {name for name in change.after if name not in BOOKKEEPING}
            if not moved and set(change.after) <= {"followup_ids", "followup_source_id"}:
                continue
            assert change.key in told_of, f"{event.operation} changed {change.after} of #{change.key} without an audit"
            _told(event.operation, change, told_of[change.key], moved)


def _told(operation: str, change: Any, events: list[dict[str, Any]], moved: set[str]) -> None:
    first: dict[str, Any] = {}
    last: dict[str, Any] = {}
    for one in events:
        if one["type"] == "Change":
            first.setdefault(one["field_name"], one.get("previous_value"))
            last[one["field_name"]] = one.get("value")
    for column in moved:
        where = f"{operation}: {column} of #{change.key}, {change.before} -> {change.after}, told {last}"
        if column == "deleted_at":
            assert "deleted" in (first.get("status"), last.get("status")), where
        elif column == "schedule_id":
            assert change.after[column] in [one.get("new_schedule_id") for one in events], where
        elif column == "custom_fields":
            _own_fields(change, first, last, where)
        elif column == "custom_status_id":
            assert AUDITED[column] in last, where
        else:
            assert column in AUDITED, where
            name = AUDITED[column]
            assert name in last, where
            assert _plain(last[name]) == _plain(_stored(column, change.after[column])), where
            assert _plain(first[name]) == _plain(_stored(column, change.before[column])), where


def _own_fields(change: Any, first: dict[str, Any], last: dict[str, Any], where: str) -> None:
    before, after = (msgspec.json.decode(cells["custom_fields"]) for cells in (change.before, change.after))
    for key in {*before, *after}:
        if before.get(key) != after.get(key):
            assert _plain(last.get(key)) == _plain(after.get(key)), where
            assert _plain(first.get(key)) == _plain(before.get(key)), where


def _stored(column: str, cell: Any) -> Any:
    if column.endswith("_at") and cell is not None:
        return from_us(cell)
    return msgspec.json.decode(cell) if isinstance(cell, str) and cell.startswith("[") else cell


def _plain(value: Any) -> Any:
    """Convert a stored value to the form used in audits."""
    return [_plain(one) for one in value] if isinstance(value, list) else audit_value(value) if value != "" else None


@settings(max_examples=60, deadline=None)
@given(DEEDS)
def test_every_change_of_a_ticket_row_has_an_audit(deeds: list[str]) -> None:
    desk, names = furnished()
    start = len(desk.world.events)
    for turn, deed in enumerate(deeds):
        do(desk, names, deed, turn)
    desk.waits(hours=2)
    for event in list(desk.world.events)[start:]:
        explained(event)


def test_audits_explain_two_weeks_of_changes() -> None:
    desk, names = furnished()
    every = ["ask", "answer", "priority", "assign", "tags", "field", "checkbox", "untag", "status", "merge", "ask",
             "reply", "note", "private", "copy", "request", "problem", "macro", "rate", "bulk", "company", "requester",
             "delete", "restore", "leave", "fire", "solve", "rate", "day", "ask", "reopen", "due",
             "delete", "day"]  # fmt: skip
    for turn, deed in enumerate(every * 3):
        do(desk, names, deed, turn)
    desk.waits(days=14)
    for event in desk.world.events:
        explained(event)
