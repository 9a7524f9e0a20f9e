"""The unmodified zenpy client transfers files, merges tickets and reads suspended mail."""

from pathlib import Path
from typing import Any

import pytest

from tests.clients.test_zenpy import SCENARIO, Desk, desk, open_ticket, server
from tests.doors.serving import Server

pytest.importorskip("zenpy", reason="zenpy comes with diorama[clients]")
__all__ = ["desk", "server"]


def test_files_are_uploaded_and_downloaded(server: Server, desk: Desk, tmp_path: Path) -> None:
    from zenpy.lib.api_objects import Comment

    client = desk(server.start(SCENARIO, 1))
    sent = tmp_path / "reading.txt"
    sent.write_bytes(b"9 bar, 93 degrees")
    upload = client.attachments.upload(str(sent), target_name="reading.txt")
    ticket = open_ticket(client)
    ticket.comment = Comment(body="As measured", public=False, uploads=[upload.token])
    client.tickets.update(ticket)
    [attachment] = list(client.tickets.comments(ticket=ticket.id))[-1].attachments
    assert (attachment.file_name, attachment.size) == ("reading.txt", 17)
    back = client.attachments.download(attachment.id, str(tmp_path / "back.txt"))
    assert Path(back or tmp_path / "back.txt").read_bytes() == sent.read_bytes()


def test_tickets_are_merged(server: Server, desk: Desk) -> None:
    client = desk(server.start(SCENARIO, 2))
    waiting: list[Any] = [one for one in client.tickets() if one.status in ("new", "open", "pending")][:2]
    job = client.tickets.merge(target=waiting[0], source=waiting[1])
    assert job.status == "queued"
    for _ in range(6):  # every look at the job lets time pass
        job = client.job_status(id=job.id)
    assert job.status == "completed"
    assert client.tickets(id=waiting[1].id).status == "closed"


def test_suspended_mail_is_listed_and_deleted(server: Server, desk: Desk) -> None:
    client = desk(server.start(SCENARIO, 3))
    held = list(client.suspended_tickets())
    assert len({one.cause for one in held}) > 3
    client.suspended_tickets.delete(held[0])
    assert held[0].id not in [one.id for one in client.suspended_tickets()]
