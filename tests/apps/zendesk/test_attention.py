"""Whom the desk wakes: the people who are responsible for a ticket and may read it."""

from datetime import timedelta

import pytest

from diorama.apps.zendesk import rules
from diorama.apps.zendesk.schema import User
from diorama.kernel import Actor, Company, Product, Tx, Wake, World
from diorama.kernel.testing import image_for
from tests.apps.zendesk.desk import ADA, ANA, APP, BEN, MARA, OLEG, Desk, furnish

SECRET = "The customer is a fraud suspect."
COLLEAGUES = Product("colleagues", control=True)
"""People at the desk who are not the agent."""


@COLLEAGUES.command
def comment(tx: Tx, ticket: int, by: str, text: str, public: bool) -> None:
    """Add a comment as an agent."""
    author = tx.first(User, "email = ?", by)
    rules.comment(tx, ticket, text, public=public, by=author)


OFFICE = Company("zendesk-attention", [APP, COLLEAGUES], furnish)


@pytest.fixture
def desk() -> Desk:
    """A desk with a colleague whose acts can be planned."""
    desk = Desk()
    desk.world = World.open(OFFICE, image_for(OFFICE), 0)
    return desk


def note(desk: Desk, ticket: int, by: str = BEN, public: bool = False) -> None:
    """A colleague writes on a ticket in five minutes."""
    desk.world.plan(timedelta(minutes=5), comment, ticket=ticket, by=by, text=SECRET, public=public)


def mail(desk: Desk, ticket: int | None = None, by: str = MARA) -> None:
    """A customer writes in five minutes."""
    desk.world.plan(
        timedelta(minutes=5), rules.receive_mail, sender_email=by, subject="Leak", text=SECRET, ticket_id=ticket
    )


def waits(desk: Desk, who: str) -> list[Wake]:
    """What wakes a person within an hour."""
    kind = "persona" if who.endswith((".com", ".org")) else "agent"
    return desk.world.fork().wait(timedelta(hours=1), "notice", Actor(kind, who))


def woken(desk: Desk) -> set[str]:
    """Return everyone who is woken."""
    return {who for who in (ADA, ANA, BEN, MARA, OLEG) if waits(desk, who)}


def held(desk: Desk, by: str, who: str = MARA) -> int:
    """A customer's ticket that an agent holds."""
    ticket = desk.asks(by=who)
    desk.updates(ticket, ADA, assignee_id=desk.user(by).id)
    return ticket


def test_a_customers_answer_wakes_only_the_assignee(desk: Desk) -> None:
    ticket = held(desk, ANA)
    mail(desk, ticket)
    assert woken(desk) == {ANA}
    (wake,) = waits(desk, ANA)
    assert wake == Wake(
        ANA, "CommentAdded", f"New comment by {MARA} on ticket #{ticket}: It leaks", {"ticket_id": ticket}
    )  # fmt: skip


def test_a_wake_does_not_repeat_what_was_written(desk: Desk) -> None:
    note(desk, held(desk, ANA))
    (wake,) = waits(desk, ANA)
    assert SECRET not in repr(wake)
    assert wake.text.startswith("New internal note by")


def test_an_internal_note_wakes_no_customer(desk: Desk) -> None:
    ticket = held(desk, ANA, OLEG)
    desk.updates(ticket, ADA, email_ccs=[{"user_email": MARA, "action": "put"}])
    note(desk, ticket)
    assert woken(desk) == {ANA}


def test_the_author_is_not_woken_by_their_own_note(desk: Desk) -> None:
    ticket = held(desk, BEN)
    note(desk, ticket, BEN)
    assert waits(desk, BEN) == []


@pytest.mark.parametrize("restriction", ["assigned", "requested", "organization", "groups"])
def test_a_note_is_not_shown_to_an_agent_who_may_not_read_the_ticket(desk: Desk, restriction: str) -> None:
    ticket = held(desk, BEN)
    desk.replies(ticket, "I had a look.", ANA, public=False)  # Ana wrote here, so she would be woken
    note(desk, ticket, ADA)
    assert ANA in woken(desk)
    if restriction == "groups":  # Billing is the only group that Ana is not in
        body = {"user_id": desk.user(BEN).id, "group_id": desk.group("Billing").id}
        desk.call("POST", "group_memberships.json", {"group_membership": body})
        desk.updates(ticket, ADA, group_id=desk.group("Billing").id, assignee_id=desk.user(BEN).id)
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"ticket_restriction": restriction}})
    assert desk.call("GET", f"tickets/{ticket}.json", None, ANA).status == 403
    assert woken(desk) == {BEN}


def test_a_role_that_hides_the_ticket_hides_the_wake(desk: Desk) -> None:
    ticket = held(desk, BEN)
    desk.replies(ticket, "I had a look.", ANA, public=False)
    role = {"name": "R", "configuration": {"ticket_access": "assigned-only"}}
    number = desk.post("custom_roles.json", {"custom_role": role})["custom_role"]["id"]
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"custom_role_id": number}})
    note(desk, ticket, ADA)
    assert woken(desk) == {BEN}


def test_an_agent_who_became_a_customer_is_not_woken(desk: Desk) -> None:
    ticket = held(desk, BEN)
    desk.replies(ticket, "I had a look.", ANA)
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"role": "end-user"}})
    note(desk, ticket, ADA)
    assert woken(desk) == {BEN}


def test_a_follower_is_woken_and_a_suspended_reader_is_not(desk: Desk) -> None:
    ticket = held(desk, BEN)
    desk.updates(ticket, ADA, followers=[{"user_email": ANA, "action": "put"}])
    note(desk, ticket, ADA)
    assert woken(desk) == {ANA, BEN}
    desk.delete(f"users/{desk.user(ANA).id}.json")
    assert woken(desk) == {BEN}


def test_a_new_ticket_wakes_its_group_or_every_agent(desk: Desk) -> None:
    mail(desk)
    everybody = woken(desk)
    assert {ANA, BEN} <= everybody
    assert MARA not in everybody
    wake = next(wake for wake in waits(desk, ANA) if wake.notice == "TicketCreated")
    assert wake.text.endswith(f"from {MARA}: Leak")


def test_waiting_for_time_returns_own_wakes_only(desk: Desk) -> None:
    mine, his = held(desk, ANA), held(desk, BEN, OLEG)
    for ticket, by in ((mine, MARA), (his, OLEG), (mine, MARA)):
        mail(desk, ticket, by)
    fork = desk.world.fork()
    seen = fork.wait(timedelta(hours=1), actor=Actor("agent", ANA))
    assert [wake.data for wake in seen] == [{"ticket_id": mine}] * 2
    assert fork.now - desk.world.now == timedelta(hours=1)
