"""Comments and audits: every update has an audit that explains it in the vendor's event types."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.schema import Audit, Comment
from tests.apps.zendesk.desk import ANA, BEN, MARA, Desk


def events(audit: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in audit["events"] if event["type"] == kind]


def test_the_first_audit_lists_the_initial_values(desk: Desk) -> None:
    number = desk.asks("Leak", "It leaks.")
    [audit] = desk.get(f"tickets/{number}/audits.json")["audits"]
    created = {event["field_name"]: event["value"] for event in events(audit, "Create")}
    assert created["subject"] == "Leak"
    assert created["status"] == "new"
    assert created["requester_id"] == str(desk.user(MARA).id)
    assert [event["body"] for event in events(audit, "Comment")] == ["It leaks."]
    assert audit["via"]["channel"] == "email"
    assert audit["via"]["source"]["from"]["address"] == MARA


def test_an_update_answers_with_its_audit(desk: Desk) -> None:
    number = desk.asks()
    audit = desk.replies(number, "On it.", priority="high", status="open", assignee_email=ANA)["audit"]
    changed = {event["field_name"]: (event["previous_value"], event["value"]) for event in events(audit, "Change")}
    assert changed["priority"] == (None, "high")
    assert changed["status"] == ("new", "open")
    assert changed["assignee_id"] == (None, str(desk.user(ANA).id))
    [words] = events(audit, "Comment")
    assert words["html_body"] == '<div class="zd-comment" dir="auto"><p dir="auto">On it.</p></div>'
    assert words["id"] == desk.comments(number)[-1].id


def test_an_html_comment_is_also_shown_as_plain_text(desk: Desk) -> None:
    number = desk.asks()
    html = "<style>p {}</style><p>Caf&eacute;:</p><ul><li>one</li><li>two</li></ul><script>alert(1)</script>"
    [said] = events(desk.updates(number, comment={"html_body": html})["audit"], "Comment")
    assert said["plain_body"] == said["body"] == "Café:\n\n* one\n* two"
    assert said["html_body"] == '<div class="zd-comment" dir="auto"><p>Café:</p><ul><li>one</li><li>two</li></ul></div>'
    assert desk.call("PUT", f"tickets/{number}.json", {"ticket": {"comment": {"html_body": "<"}}}).status == 200


def test_a_notification_event_names_its_trigger(desk: Desk) -> None:
    number = desk.asks()
    audit = desk.replies(number, "On it.")["audit"]
    [told] = events(audit, "Notification")
    assert told["recipients"] == [desk.user(MARA).id]
    assert told["via"]["source"]["rel"] == "trigger"
    assert told["via"]["source"]["from"]["title"] == "Notify requester and CCs of comment update"
    assert "{{ticket.id}}" in told["body"]


def test_comments_come_oldest_first_with_private_ones(desk: Desk) -> None:
    number = desk.asks()
    desk.waits(minutes=1)
    desk.replies(number, "A note.", public=False)
    desk.waits(minutes=1)
    desk.replies(number, "An answer.", BEN)
    shown = desk.get(f"tickets/{number}/comments.json", include="users")
    assert [(one["body"], one["public"]) for one in shown["comments"]] == [
        ("My machine leaks.", True),
        ("A note.", False),
        ("An answer.", True),
    ]
    assert {user["email"] for user in shown["users"]} == {MARA, ANA, BEN}
    assert desk.get(f"tickets/{number}/comments/count.json")["count"]["value"] == 3
    newest = desk.get(f"tickets/{number}/comments.json", sort_by="created_at", sort_order="desc")["comments"]
    assert newest[0]["body"] == "An answer."


def test_a_comment_made_private_says_so_and_is_private(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Password is 1234")
    comment = desk.comments(number)[-1]
    assert desk.call("PUT", f"tickets/{number}/comments/{comment.id}/make_private.json", by=ANA).status == 200
    assert not desk.read(lambda tx: tx.get(Comment, comment.id)).public
    newest = desk.get(f"tickets/{number}/audits.json")["audits"][-1]
    assert newest["events"][0]["type"] == "CommentPrivacyChange"
    assert newest["events"][0]["comment_id"] == comment.id


def test_one_audit_can_be_shown_and_belongs_to_its_ticket(desk: Desk) -> None:
    number, other = desk.asks(), desk.asks("Other")
    [audit] = desk.audits(number)
    assert desk.get(f"tickets/{number}/audits/{audit.id}.json")["audit"]["id"] == audit.id
    assert desk.call("GET", f"tickets/{other}/audits/{audit.id}.json").status == 404
    assert desk.get(f"tickets/{number}/audits/count.json")["count"]["value"] == 1


def test_all_audits_are_listed_newest_first_by_cursor(desk: Desk) -> None:
    for subject in ("a", "b", "c"):
        desk.asks(subject)
    first = desk.get("ticket_audits.json", limit=2)
    second = desk.get("ticket_audits.json", limit=2, cursor=first["after_cursor"])
    seen = [audit["id"] for audit in [*first["audits"], *second["audits"]]]
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 3
    assert second["after_cursor"] is None


def test_audit_event_ids_are_unique(desk: Desk) -> None:
    number = desk.asks()
    for priority in ("low", "normal", "high"):
        desk.replies(number, f"now {priority}", priority=priority)
    ids = [event.id for audit in desk.audits(number) for event in audit.events]
    assert len(ids) == len(set(ids))


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "priority": st.sampled_from(["low", "normal", "high", "urgent", None]),
        "status": st.sampled_from(["open", "pending", "hold", "solved"]),
        "type": st.sampled_from(["question", "incident", "task", None]),
        "tags": st.lists(st.sampled_from(["vip", "late", "refund"]), max_size=3),
        "subject": st.sampled_from(["Leak", "Steam", "Refund"]),
        "comment": st.fixed_dictionaries({"body": st.sampled_from(["yes", "no"]), "public": st.booleans()}),
    },
)
_COLUMNS = {"tags": "tags", "status": "status", "priority": "priority", "type": "type", "subject": "subject"}


@settings(max_examples=30)
@given(st.lists(CHANGES, max_size=6))
def test_the_audits_of_a_ticket_explain_every_row_change(changes: list[dict[str, Any]]) -> None:
    desk = Desk()
    number = desk.asks()
    for change in changes:
        desk.updates(number, **change)
    state: dict[str, Any] = {"tags": []}
    for audit in desk.audits(number):
        for event in audit.events:
            if event.type in ("Create", "Change"):
                if event.type == "Change":
                    assert state.get(str(event.field_name)) == event.previous_value
                state[str(event.field_name)] = event.value
    ticket = desk.ticket(number)
    for name, column in _COLUMNS.items():
        value = getattr(ticket, column)
        assert state.get(name) == (list(value) if name == "tags" else value)


def test_every_audit_is_indexed_by_ticket(desk: Desk) -> None:
    desk.asks()
    desk.asks("Other")
    assert desk.read(lambda tx: tx.count(Audit)) == 2
