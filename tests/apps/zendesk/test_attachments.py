"""Files: upload for a token, attach to a comment, download the exact bytes, redact."""

from base64 import b64encode
from typing import Any

import pytest

from diorama.apps.zendesk import rules
from diorama.apps.zendesk.schema.file_tokens import file_of_token, file_token
from diorama.kernel import Actor, Reply, Request
from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk


def uploads(desk: Desk, name: str, content: bytes, by: str = ANA, token: str = "", kind: str = "text/plain") -> Any:
    query = f"filename={name}" + (f"&token={token}" if token else "")
    request = Request("POST", "/api/v2/uploads.json", query, {"content-type": kind}, content)
    reply = desk.send(request, Actor("agent" if by in (ANA, ADA) else "persona", by))
    assert reply.status == 201, reply.text
    return reply.json()["upload"]


def fetches(desk: Desk, url: str, by: str = ANA) -> Reply:
    path, _, query = url.removeprefix("https://larkspur.zendesk.com").partition("?")
    return desk.send(Request("GET", path, query), Actor("agent" if by in (ANA, ADA) else "persona", by))


def test_uploaded_files_are_attached_by_token_to_a_comment(desk: Desk) -> None:
    first = uploads(desk, "leak.txt", b"drip")
    both = uploads(desk, "photo.png", b"\x89PNG", token=first["token"], kind="image/png")
    assert [one["file_name"] for one in both["attachments"]] == ["leak.txt", "photo.png"]
    assert (both["attachment"]["size"], both["attachment"]["content_type"]) == (4, "image/png")
    number = desk.asks()
    desk.updates(number, comment={"body": "See here", "uploads": [first["token"]]})
    said = desk.get(f"tickets/{number}/comments.json")["comments"][-1]
    assert [one["file_name"] for one in said["attachments"]] == ["leak.txt", "photo.png"]
    reply = fetches(desk, said["attachments"][0]["content_url"])
    assert (reply.status, reply.body, reply.headers["content-type"]) == (200, b"drip", "text/plain")
    shown = desk.get(f"attachments/{said['attachments'][0]['id']}.json")["attachment"]
    assert shown == said["attachments"][0]
    desk.updates(number, comment={"body": "Again", "uploads": [first["token"]]})
    assert desk.comments(number)[-1].attachments == ()


def test_an_upload_is_deleted_on_request_and_after_an_hour(desk: Desk) -> None:
    token = uploads(desk, "a.txt", b"a")["token"]
    assert desk.call("DELETE", f"uploads/{token}.json", by=MARA).status == 404
    desk.delete(f"uploads/{token}.json", ANA)
    assert desk.call("DELETE", f"uploads/{token}.json", by=ANA).status == 404
    late = uploads(desk, "b.txt", b"b")["token"]
    desk.waits(minutes=61)
    assert desk.call("DELETE", f"uploads/{late}.json", by=ANA).status == 404
    assert desk.call("POST", "uploads.json", {"x": 1}, ANA).status == 400


def test_files_in_mail_are_readable_by_its_people_only(desk: Desk) -> None:
    photo = {"file_name": "my photo.jpg", "content_type": "image/jpeg", "content": b64encode(b"\xff\xd8jpg").decode()}
    number = desk.world.do(rules.receive_mail, Actor("persona", MARA), MARA, "Leak", "Look at this.", None, "", [photo])
    [attachment] = desk.get(f"tickets/{number}/comments.json")["comments"][0]["attachments"]
    assert (attachment["file_name"], attachment["size"]) == ("my photo.jpg", 5)
    assert fetches(desk, attachment["content_url"], MARA).body == b"\xff\xd8jpg"
    assert fetches(desk, attachment["content_url"], OLEG).status == 404
    assert desk.get(f"requests/{number}/comments.json", MARA)["comments"][0]["attachments"] == [attachment]
    note = uploads(desk, "secret.txt", b"s")
    desk.replies(number, "note", public=False)
    desk.updates(number, comment={"body": "inside", "public": False, "uploads": note["token"]})
    hidden = desk.comments(number)[-1].attachments[0]
    assert fetches(desk, f"/attachments/token/{file_token(hidden.id)}/", MARA).status == 404
    assert fetches(desk, "/attachments/token/nonsense/").status == 404


def test_customers_add_files_to_their_requests(desk: Desk) -> None:
    token = uploads(desk, "bill.pdf", b"%PDF", MARA, kind="application/pdf")["token"]
    body = {"request": {"subject": "Bill", "comment": {"body": "Wrong sum", "uploads": [token]}}}
    number = desk.post("requests.json", body, MARA)["request"]["id"]
    assert desk.comments(number)[0].attachments[0].file_name == "bill.pdf"


def test_a_redacted_file_is_empty_and_audited(desk: Desk) -> None:
    token = uploads(desk, "passport.png", b"PNG")["token"]
    number = desk.asks()
    desk.updates(number, comment={"body": "Copy of passport", "uploads": [token]})
    comment = desk.comments(number)[-1]
    attachment = comment.attachments[0]
    path = f"tickets/{number}/comments/{comment.id}/attachments/{attachment.id}/redact.json"
    assert desk.call("PUT", path, by=ANA).status == 403
    redacted = desk.put(path)["attachment"]
    assert (redacted["file_name"], redacted["size"]) == ("redacted.txt", 0)
    assert fetches(desk, redacted["content_url"]).body == b""
    event = desk.get(f"tickets/{number}/audits.json")["audits"][-1]["events"][0]
    assert (event["type"], event["attachment_id"]) == ("AttachmentRedactionEvent", attachment.id)


def test_admins_can_open_a_file_flagged_by_the_scan(desk: Desk) -> None:
    number = desk.asks()
    desk.updates(number, comment={"body": "x", "uploads": [uploads(desk, "a.exe", b"MZ")["token"]]})
    attachment = desk.comments(number)[-1].attachments[0]
    body = {"attachment": {"malware_access_override": True}}
    assert desk.call("PUT", f"attachments/{attachment.id}.json", body, ANA).status == 403
    assert desk.put(f"attachments/{attachment.id}.json", body)["attachment"]["malware_access_override"]
    assert desk.get(f"attachments/{attachment.id}.json")["attachment"]["malware_access_override"]


@pytest.mark.parametrize("number", [0, 1, 2, 19442893058196, 2**63 - 1])
def test_the_token_of_a_file_has_the_form_of_real_ones(number: int) -> None:
    token = file_token(number)  # a real one: https://vtexhelp.zendesk.com/attachments/token/etn94WlrSAYOFFj0rZfVwoowE
    assert (len(token), token.isalnum()) == (25, True)
    assert file_of_token(token) == number
    assert file_of_token(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert file_of_token(token.swapcase()) is None
