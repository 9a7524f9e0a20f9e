"""Pier's help desk: its passengers, and what they wrote this morning."""

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.users import add_user
from diorama.apps.zendesk.schema import User
from diorama.kernel import Tx
from diorama.people.names import draw_person

from harbour.worlds.pier.team import AGENT, STAFF

PASSENGERS, TICKETS = 120, 30
CLERKS = (AGENT, "wanda@pier.example", "yusuf@pier.example")
QUESTIONS = (
    ("Dogs", "Can our dog stay with us in the cabin? Booking {booking}."),
    ("Invoice", "Please send me the invoice of booking {booking} once more."),
    ("Bicycles", "Do bicycles cost extra? We have two of them on booking {booking}."),
    ("Wheelchair", "My mother uses a wheelchair. Is there a lift on board? Booking {booking}."),
)


def set_up_desk(tx: Tx, name: str) -> None:
    """Add the account, the clerks, the passengers and some open tickets."""
    seed.set_up(tx, name, plan="suite_professional", time_zone="Europe/Lisbon", currency="EUR", locale="en-US")
    for email in CLERKS:
        add_user(tx, name=STAFF[email][0], email=email, role="admin" if "wanda" in email else "agent", verified=True)
    for number in range(PASSENGERS):
        person = draw_person(tx.dice("pier passenger", number), "GB")
        email = f"{person.given}.{person.family}.{number}@mail.example".lower().replace(" ", "-")
        booking = f"PN-{4000 + 37 * number}"
        add_user(tx, name=person.name, email=email.encode("ascii", "ignore").decode(), details=booking, verified=True)
    for number, passenger in enumerate(passengers(tx)[:TICKETS]):
        subject, text = tx.dice("pier question", number).pick(QUESTIONS)
        receive_mail(tx, passenger.email or "", subject, text.format(booking=passenger.details))


def passengers(tx: Tx) -> list[User]:
    """Return all passengers; their details hold the booking."""
    return tx.all(User, "role = 'end-user' AND details LIKE 'PN-%'")


def idle_passengers(tx: Tx) -> list[User]:
    """Return the passengers who have not written yet."""
    return tx.all(
        User,
        "role = 'end-user' AND details LIKE 'PN-%' AND id NOT IN (SELECT requester_id FROM zendesk_tickets)",
    )
