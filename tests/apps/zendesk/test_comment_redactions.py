"""Redaction leaves blocks where words were, and an event in the audit."""

from tests.apps.zendesk.desk import ANA, MARA, Desk
from tests.apps.zendesk.test_attachments import uploads


def test_a_string_is_redacted_permanently(desk: Desk) -> None:
    number = desk.asks("Card", "My card is 4111 1111, thanks")
    comment = desk.comments(number)[0]
    path = f"tickets/{number}/comments/{comment.id}/redact.json"
    shown = desk.put(path, {"text": "4111 1111"}, ANA)["comment"]
    assert shown["plain_body"] == "My card is ▇▇▇▇ ▇▇▇▇, thanks"
    assert desk.get(f"tickets/{number}.json")["ticket"]["description"] == shown["plain_body"]
    assert desk.get(f"requests/{number}/comments.json", MARA)["comments"][0]["body"] == shown["plain_body"]
    event = desk.get(f"tickets/{number}/audits.json")["audits"][-1]["events"][0]
    assert (event["type"], event["comment_id"]) == ("CommentRedactionEvent", comment.id)
    assert desk.get("search.json", query="type:ticket 4111")["results"] == []
    assert desk.call("PUT", path, {"text": "not there"}, ANA).status == 422
    assert desk.call("PUT", path, {"text": "thanks"}, MARA).status == 403
    assert desk.call("PUT", path, {}, ANA).status == 400
    desk.updates(number, status="closed")
    assert desk.call("PUT", path, {"text": "thanks"}, ANA).status == 422


def test_marked_text_is_redacted_on_closed_tickets_too(desk: Desk) -> None:
    number = desk.asks("Card", "Call 555-1234 or 555-9876")
    desk.updates(number, status="closed")
    comment = desk.comments(number)[0]
    html = '<div class="zd-comment"><p>Call <redact>555-1234</redact> or 555-9876</p></div>'
    path = f"comment_redactions/{comment.id}.json"
    shown = desk.put(path, {"ticket_id": number, "html_body": html}, ANA)["comment"]
    assert shown["body"] == "Call ▇▇▇▇▇▇▇▇ or 555-9876"
    assert desk.call("PUT", path, {"ticket_id": number, "html_body": "<p>none</p>"}, ANA).status == 422
    assert desk.call("PUT", path, {"html_body": html}, ANA).status == 400
    whole = desk.put(path, {"ticket_id": number, "redact_full_comment": True}, ANA)["comment"]
    assert not set(whole["body"]) - {"▇", " "}


def test_html_and_attachments_are_redacted_too(desk: Desk) -> None:
    number = desk.asks()
    token = uploads(desk, "id.png", b"PNG")["token"]
    link = '<a href="http://example.com/x">my <b>file</b></a>'
    desk.updates(number, comment={"html_body": f"<p>See {link} now</p>", "uploads": [token]})
    comment = desk.comments(number)[-1]
    marked = '<p>See <a href="http://example.com/x" redact>my <b>file</b></a> <redact>now</redact></p>'
    body = {"ticket_id": number, "html_body": marked, "attachment_ids": [comment.attachments[0].id]}
    shown = desk.put(f"comment_redactions/{comment.id}.json", body, ANA)["comment"]
    assert "example.com" not in shown["html_body"]
    assert "now" not in shown["html_body"]
    assert shown["attachments"][0]["file_name"] == "redacted.txt"
    types = [event.type for audit in desk.audits(number)[-2:] for event in audit.events]
    assert types == ["CommentRedactionEvent", "AttachmentRedactionEvent"]


def test_entities_and_tags_do_not_hide_text_from_redaction(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, comment={"html_body": "<p>caf&eacute; <b>12 &amp; 34</b></p>"})
    comment = desk.comments(number)[-1]
    path = f"comment_redactions/{comment.id}.json"
    marked = "<p><redact>caf&eacute;</redact> <redact><b>12 &amp; 34</b></redact></p>"
    shown = desk.put(path, {"ticket_id": number, "html_body": marked}, ANA)["comment"]
    assert shown["body"] == "▇▇▇▇ ▇▇ ▇ ▇▇"
    assert shown["html_body"] == '<div class="zd-comment" dir="auto"><p>▇▇▇▇ <b>▇▇ ▇ ▇▇</b></p></div>'


def test_a_whole_comment_is_redacted_with_its_html(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, comment={"html_body": "<p>my <b>secret</b></p>"})
    path = f"comment_redactions/{desk.comments(number)[-1].id}.json"
    shown = desk.put(path, {"ticket_id": number, "redact_full_comment": True}, ANA)["comment"]
    assert shown["html_body"] == '<div class="zd-comment" dir="auto"><p dir="auto">▇▇ ▇▇▇▇▇▇</p></div>'


def test_marked_elements_may_be_nested_or_unclosed(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, comment={"html_body": '<p><img src="x.png"> <a href="y">to redact</a> stays</p>'})
    path = f"comment_redactions/{desk.comments(number)[-1].id}.json"
    marked = '<p><img src="x.png" redact> <a href="y" redact="">to redact</a> <redact>stays<i redact></redact></p>'
    shown = desk.put(path, {"ticket_id": number, "html_body": marked}, ANA)["comment"]
    assert shown["html_body"] == '<div class="zd-comment" dir="auto"><p>▇ ▇▇ ▇▇▇▇▇▇ ▇▇▇▇▇</p></div>'
