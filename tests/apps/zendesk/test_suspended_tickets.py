"""Suspended mail: what is held back, why, and how it is recovered."""

from base64 import b64encode
from typing import Any

import pytest

from diorama.apps.zendesk import rules
from diorama.kernel import Actor
from tests.apps.zendesk.desk import ANA, MARA, Desk
from tests.apps.zendesk.test_attachments import fetches


def mails(desk: Desk, sender: str, subject: str, text: str, ticket: int | None = None, **more: Any) -> int:
    return desk.world.do(rules.receive_mail, Actor("persona", sender), sender, subject, text, ticket, **more)


def held(desk: Desk) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = desk.get("suspended_tickets.json", ANA)["suspended_tickets"]
    return out


@pytest.mark.parametrize(
    ("sender", "subject", "text", "headers", "cause"),
    [
        ("x@spam.example", "SEO offer", "Rank #1 with backlinks and bitcoin profit", {}, 0),
        ("x@spam.example", "Hello", "Dear friend", {"X-Spam-Flag": "YES"}, 0),
        (MARA, "Automatic reply: It leaks", "I am away.", {}, 8),
        (MARA, "Newsletter", "Our news", {"Auto-Submitted": "auto-generated"}, 3),
        ("mailer-daemon@example.com", "Undelivered Mail Returned to Sender", "550", {}, 7),
        ("no-reply@shop.example", "Your receipt", "Thank you", {}, 9),
        ("support@larkspur.zendesk.com", "Re: It leaks", "x", {}, 4),
        (MARA, "Nothing", "  ", {}, 11),
    ],
)
def test_suspended_mail_has_a_cause(
    desk: Desk, sender: str, subject: str, text: str, headers: dict[str, str], cause: int
) -> None:
    assert mails(desk, sender, subject, text, headers=headers) == 0
    [one] = held(desk)
    assert (one["cause_id"], one["subject"], one["author"]["email"]) == (cause, subject, sender)
    assert desk.get("tickets/count.json")["count"]["value"] == 0
    assert desk.get(f"suspended_tickets/{one['id']}.json", ANA)["suspended_ticket"] == one


def test_a_stranger_cannot_write_into_a_ticket(desk: Desk) -> None:
    number = desk.asks()
    assert mails(desk, "kim@new.example", "Re: It leaks", "Me too", number) == 0
    [one] = held(desk)
    assert (one["cause"], one["ticket_id"]) == ("Unknown user tried to update existing ticket", number)
    assert len(desk.comments(number)) == 1
    [ticket] = desk.put("suspended_tickets/recover_many.json", by=ANA, ids=str(one["id"]))["tickets"]
    assert (ticket["id"], held(desk)) == (number, [])
    assert desk.comments(number)[-1].body == "Me too"
    assert desk.comments(number)[-1].author_id == desk.user("kim@new.example").id


def test_recovery_is_all_or_nothing(desk: Desk) -> None:
    mails(desk, MARA, "Out of office: yes", "Back soon")
    mails(desk, "mailer-daemon", "Undeliverable", "No such mailbox")
    numbers = ",".join(str(one["id"]) for one in held(desk))
    reply = desk.call("PUT", "suspended_tickets/recover_many.json", by=ANA, ids=numbers)
    [failed] = reply.json()["suspended_tickets"]
    assert (reply.status, reply.refused, failed["subject"]) == (422, "RecordInvalid", "Undeliverable")
    assert "mailer-daemon is not properly formatted" in failed["error_messages"][0]
    assert len(held(desk)) == 2


def test_a_single_mail_is_recovered_as_the_agent(desk: Desk) -> None:
    mails(desk, "kim@new.example", "Out of office: yes", "Is the shop open?")
    [ticket] = desk.put(f"suspended_tickets/{held(desk)[0]['id']}/recover.json", by=ANA)["ticket"]
    assert (ticket["subject"], ticket["requester_id"]) == ("Out of office: yes", desk.user(ANA).id)
    event = desk.get(f"tickets/{ticket['id']}/audits.json")["audits"][-1]["events"][0]
    assert (event["type"], event["cause_id"], event["cause_name"]) == ("SuspendedTicketRecovery", 8, "auto_vacation")


def test_suspended_mail_is_deleted_on_request_and_after_14_days(desk: Desk) -> None:
    for subject in ("Automatic reply: a", "Automatic reply: b", "Automatic reply: c", "Automatic reply: d"):
        mails(desk, MARA, subject, "away")
    first, second, third, _ = (one["id"] for one in held(desk))
    desk.delete(f"suspended_tickets/{first}.json", ANA)
    desk.delete("suspended_tickets/destroy_many.json", ANA, ids=f"{second},{third}")
    assert [one["subject"] for one in held(desk)] == ["Automatic reply: d"]
    assert desk.call("GET", f"suspended_tickets/{first}.json", by=ANA).status == 404
    desk.waits(days=15)
    assert held(desk) == []


def test_lists_are_sorted_and_paged_and_not_for_customers(desk: Desk) -> None:
    for subject in ("Automatic reply: b", "Automatic reply: a"):
        mails(desk, MARA, subject, "away")
    found = desk.get("suspended_tickets.json", ANA, sort_by="subject", sort_order="asc")["suspended_tickets"]
    assert [one["subject"][-1] for one in found] == ["a", "b"]
    page = desk.get("suspended_tickets.json", ANA, raw={"page[size]": 1})
    assert (len(page["suspended_tickets"]), page["meta"]["has_more"]) == (1, True)
    assert desk.call("GET", "suspended_tickets.json", by=MARA).status == 403


def test_the_files_of_a_suspended_mail_get_an_upload_token(desk: Desk) -> None:
    photo = {"file_name": "a.png", "content_type": "image/png", "content": b64encode(b"PNG").decode()}
    mails(desk, MARA, "Automatic reply", "away", attachments=[photo])
    [one] = held(desk)
    assert one["attachments"][0]["file_name"] == "a.png"
    upload = desk.post(f"suspended_tickets/{one['id']}/attachments.json", {}, ANA)["upload"]
    again = desk.post("suspended_tickets/attachments.json", {}, ANA, id=one["id"])["upload"]
    assert (upload["attachments"][0]["size"], upload["token"] == again["token"]) == (3, False)
    number = desk.asks()
    desk.updates(number, comment={"body": "From the held mail", "uploads": [upload["token"]]})
    assert desk.comments(number)[-1].attachments[0].file_name == "a.png"
    [ticket] = desk.put("suspended_tickets/recover_many.json", by=ANA, ids=str(one["id"]))["tickets"]
    assert desk.comments(ticket["id"])[0].attachments[0].file_name == "a.png"


def test_the_list_is_exported_as_csv_by_a_job(desk: Desk) -> None:
    mails(desk, MARA, "Automatic reply: yes, really", "away")
    assert desk.post("suspended_tickets/export.json", {}, ANA)["export"] == {"view_id": "suspended", "status": "queued"}
    again = desk.call("POST", "suspended_tickets/export.json", {}, ANA)
    assert (again.status, int(again.headers["Retry-After"]) <= 61) == (429, True)
    desk.waits(minutes=2)
    assert any("ExportReady" in event.notices for event in desk.world.events)
    [job] = desk.get("job_statuses.json", ANA)["job_statuses"]
    written = fetches(desk, job["results"][0]["url"]).text.splitlines()
    assert written[0].startswith("Id,Sender,Subject")
    assert f'{MARA},"Automatic reply: yes, really","Automated response mail, out of office"' in written[1]
    desk.post("suspended_tickets/export.json", {}, ANA)
