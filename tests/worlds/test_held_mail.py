"""Larkspur's desk starts with suspended mail that no one has reviewed."""

from diorama.apps.zendesk.schema.suspended_tickets import SuspendedTicket
from diorama.worlds import open_world
from diorama.worlds.larkspur.held_mail import HELD


def test_suspended_mail_has_different_causes() -> None:
    world = open_world("larkspur", size="small", seed=0)
    held = world.read(lambda tx: tx.all(SuspendedTicket, order="created_at"))
    assert [one.author_email for one in held] == [mail["sender"] for mail in HELD]
    assert len({one.cause_id for one in held}) >= 5
    assert all(one.created_at < world.now for one in held)
