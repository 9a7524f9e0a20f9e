"""The desk and the post office: side conversations, bounces, threads, and colleagues who know, or do not."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama import people
from diorama.apps import zendesk
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules.users import add_user
from diorama.apps.zendesk.schema import Comment, Identity, Ticket
from diorama.apps.zendesk.schema.side_conversations import SideConversationEvent
from diorama.apps.zendesk.schema.suspended_tickets import CAUSES, SuspendedTicket
from diorama.kernel import Actor, Company, Reply, Request, Tx, World
from diorama.kernel.testing import image_for
from diorama.people import Absence, Contact, Knows, Need, Persona, Posted
from diorama.worlds import desk_post
from diorama.worlds.desk_checks import ANSWERED
from diorama.worlds.desk_links import DESK_LINKS

MIKA, JO, KIM, PAT = (f"{name}@tea.example" for name in ("mika", "jo", "kim", "pat"))
BO, SUPPORT = "bo@mail.example", "help@tea.example"
NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
SINCE, MOVED = datetime(2024, 1, 8, tzinfo=UTC), datetime(2026, 1, 5, tzinfo=UTC)
OLD, NEW = "The kettle room is on the second floor.", "The kettle room is in the annex."


def fill(tx: Tx, size: str) -> None:
    """Write a desk with colleagues who know where the kettle room is, or was, and a customer."""
    people.set_up(tx, shop="Tea", shop_name="Tea Ltd", time_zone="UTC")
    seed.set_up(
        tx, "Tea", plan="suite_professional", time_zone="UTC", currency="EUR", locale="en-US", support_address=SUPPORT
    )  # fmt: skip
    add_user(tx, name="Mika Holm", email=MIKA, role="agent", verified=True)
    add_user(tx, name="Bo Berg", email=BO, role="end-user", verified=True)
    people.add_mailbox(tx, SUPPORT, app="zendesk")
    people.add_contact(tx, Contact(name="Bo Berg", email=BO))
    people.add_contact(tx, Contact(name="Mika Holm", email=MIKA, role="agent", habit="warm", time_zone="UTC"))
    about = ("kettle", "room|where")
    known = {
        JO: Knows(contact_id="", topic="room", about=about, answer=OLD, since=SINCE, until=MOVED),
        KIM: Knows(contact_id="", topic="room", about=about, answer=NEW, since=MOVED),
        PAT: None,
    }
    for email, knows in known.items():
        given = email.partition("@")[0].capitalize()
        away = (Absence(date(2026, 3, 4), date(2026, 3, 6)),) if email == PAT else ()
        colleague = people.add_contact(
            tx,
            Contact(
                name=f"{given} Holm", email=email, role="agent", team="Kitchen", habit="careful", shift=(9, 17),
                days=(0, 1, 2, 3, 4), absences=away, languages=("en",), time_zone="UTC",
            ),
        )  # fmt: skip
        rows = (Knows(**{**_fields(knows), "contact_id": colleague.id}),) if knows is not None else ()
        people.add_colleague_persona(tx, colleague, rows)


def _fields(row: Knows) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


COMPANY = Company("desk-post-tests", [zendesk.app("tea"), DESK_LINKS], fill)


class Desk:
    """A desk with one ticket of a customer who waits for an answer."""

    def __init__(self, seed: int = 0) -> None:
        self.world = World.open(COMPANY, image_for(COMPANY), seed)
        self.ticket = self.world.do(_arrive, f"persona:{BO}")

    def call(self, method: str, path: str, body: Any = None) -> Reply:
        """Send a request as Mika."""
        content = json.dumps(body).encode() if body is not None else b""
        request = Request(method, f"/api/v2/{path}", "", {"content-type": "application/json"}, content)
        return self.world.send("zendesk", request, Actor("agent", MIKA))

    def ask(self, *to: str, body: str = "Where is the kettle room?", subject: str = "Kettle") -> str:
        """Start a side conversation; return its id."""
        message = {"subject": subject, "body": body, "to": [{"email": one} for one in to]}
        reply = self.call("POST", f"tickets/{self.ticket}/side_conversations", {"message": message})
        assert reply.status == 201, reply.text
        return str(json.loads(reply.text)["side_conversation"]["id"])

    def heard(self, talk: str) -> list[SideConversationEvent]:
        """Return what came by mail in a side conversation."""
        where = "conversation_id = ? AND via = 'email'"
        return self.world.read(lambda tx: tx.all(SideConversationEvent, where, talk, order="number"))

    def words(self, talk: str) -> str:
        """Return all that came by mail in a side conversation, as one text."""
        return "\n".join(one.message.body for one in self.heard(talk) if one.message is not None)

    def waits(self, **length: float) -> None:
        """Let time pass."""
        self.world.wait(timedelta(**length))


def _arrive(tx: Tx) -> int:
    need = Need(name="answer", check=ANSWERED, args={"ticket": 1, "says": "Sunday"}, wish="When are you open?")
    persona = people.add_persona(tx, Persona(email=BO, name="Bo Berg", needs=(need,), facts={"order_number": "T-1"}))
    number = desk.receive_mail(tx, BO, "Hours", "When are you open?", sender_name="Bo Berg")
    people.expect_reply(tx, persona, "email", str(number), "Hours", (), "When are you open?")
    return number


# --- colleagues


def test_a_colleague_answers_what_they_know() -> None:
    here = Desk()
    talk = here.ask(KIM)
    assert here.heard(talk) == []
    here.waits(days=1)
    [answer] = here.heard(talk)
    assert answer.actor.email == KIM
    assert NEW in here.words(talk)


def test_a_colleague_answers_within_their_shift() -> None:
    for seed_ in range(6):
        here = Desk(seed_)
        here.waits(hours=9.5)  # half past five
        talk = here.ask(KIM)
        here.waits(days=2)
        [answer] = here.heard(talk)
        moment = answer.created_at - timedelta(minutes=2)  # mail travels after it was written
        assert (moment.date(), 9 <= moment.hour < 17) == (date(2026, 3, 3), True), moment


def test_a_colleague_who_is_out_of_date_says_so_of_the_old_truth() -> None:
    here = Desk()
    talk = here.ask(JO)
    here.waits(days=1)
    assert OLD in here.words(talk)
    assert NEW not in here.words(talk)


def test_a_colleague_who_does_not_know_sometimes_names_who_might() -> None:
    named = []
    for seed_ in range(8):
        here = Desk(seed_)
        talk = here.ask(PAT)
        here.waits(days=1)
        words = here.words(talk)
        assert len(here.heard(talk)) == 1
        assert OLD not in words
        assert NEW not in words
        named.append(KIM in words)
    assert any(named)


def test_no_one_is_named_for_what_no_one_knows() -> None:
    here = Desk()
    talk = here.ask(KIM, body="Who feeds the parrot?")
    here.waits(days=1)
    assert len(here.heard(talk)) == 1
    assert "@" not in here.words(talk)


def test_a_colleague_who_is_away_sends_a_note_and_answers_when_back() -> None:
    here = Desk()
    here.waits(days=2, hours=2)
    talk = here.ask(PAT)
    here.waits(hours=1)
    [note] = here.heard(talk)
    assert "7 March 2026" in here.words(talk)
    assert note.actor.email == PAT
    here.waits(days=6)
    [_, answer] = here.heard(talk)
    assert answer.created_at.date() == date(2026, 3, 9), "the Monday after"


def test_colleagues_tell_nothing_with_outsiders_in_copy() -> None:
    here = Desk()
    talk = here.ask(KIM, BO)
    here.waits(days=1)
    assert len(here.heard(talk)) == 1
    assert "annex" not in here.words(talk)
    later = {"message": {"body": "And now, where is the kettle room?", "to": [{"email": KIM}]}}
    assert here.call("POST", f"tickets/{here.ticket}/side_conversations/{talk}/reply", later).status == 201
    here.waits(days=1)
    assert "annex" not in here.words(talk), "the outsider is still in the conversation"


def test_colleagues_tell_nothing_to_strangers() -> None:
    here = Desk()
    mail = Posted(sender="eve@mail.example", to=(KIM,), subject="Kettle", text="Where is the kettle room?")
    here.world.do(lambda tx: people.send_mail(tx, mail), "system:test")
    here.waits(days=1)
    answers = here.world.read(lambda tx: tx.all(Posted, "sender = ?", KIM))
    assert len(answers) == 1
    assert "annex" not in answers[0].text


def test_a_thread_is_answered_a_limited_number_of_times() -> None:
    here = Desk()
    talk = here.ask(KIM)
    again = {"message": {"body": "Where is the kettle room?", "to": [{"email": KIM}]}}
    for _ in range(12):
        here.waits(days=1)
        assert here.call("POST", f"tickets/{here.ticket}/side_conversations/{talk}/reply", again).status == 201
    here.waits(days=4)
    assert len(here.heard(talk)) == 8
    threads = here.world.read(lambda tx: {one.thread for one in tx.all(Posted, "sender IN (?, ?)", KIM, SUPPORT)})
    assert len(threads) == 1, "a side conversation is one thread of mails"


def test_answers_wake_the_agent_who_waits() -> None:
    here = Desk()
    here.ask(KIM)
    [wake] = here.world.wait(timedelta(days=1), "notice", Actor("agent", MIKA))
    said = f"{KIM} answered in a side conversation of ticket #{here.ticket}: Kettle"
    assert (wake.notice, wake.text, wake.data) == ("SideMessageReceived", said, {"ticket_id": here.ticket})


# --- mail that comes back


def undeliverable(here: Desk) -> list[str]:
    return here.world.read(lambda tx: [one.value for one in tx.all(Identity, "deliverable = 0")])


def reply_to_new_user(here: Desk, email: str) -> int:
    """Create a ticket for a new user and write to them; return the ticket's id."""
    ticket = {
        "subject": "Call",
        "via": {"channel": "email"},
        "comment": {"body": "You called us."},
        "requester": {"name": "Al", "email": email},
    }
    made = here.call("POST", "tickets", {"ticket": ticket})
    assert made.status == 201
    return int(json.loads(made.text)["ticket"]["id"])


@pytest.mark.parametrize("email", ["mikka@tea.example", "al@nowhere.example"])
def test_a_bounced_notification_marks_the_address_and_nothing_else(email: str) -> None:
    here = Desk()
    number = reply_to_new_user(here, email)
    here.waits(hours=2)
    assert undeliverable(here) == [email]
    user = here.world.read(lambda tx: tx.get(Ticket, number).requester_id)
    shown = json.loads(here.call("GET", f"users/{user}/identities").text)["identities"][0]
    assert (shown["deliverable_state"], shown["undeliverable_count"]) == ("undeliverable", 0)
    assert here.world.read(lambda tx: tx.count(SuspendedTicket)) == 0
    assert here.world.read(lambda tx: tx.count(Comment, "ticket_id = ?", number)) == 1
    before = here.world.read(lambda tx: tx.count(Posted))
    here.call("PUT", f"tickets/{number}", {"ticket": {"comment": {"body": "Hello?"}}})
    here.waits(hours=2)
    assert here.world.read(lambda tx: tx.count(Posted)) == before, "the desk does not try again"


def test_people_who_exist_get_their_mail() -> None:
    here = Desk()
    here.world.do(desk.receive_mail, "persona:new", "new@new.example", "Hi", "Do you sell kettles?")
    for email in (BO, "new@new.example"):
        number = reply_to_new_user(here, email)
        here.call("PUT", f"tickets/{number}", {"ticket": {"comment": {"body": "Hello"}}})
    here.waits(days=1)
    assert undeliverable(here) == []


def test_a_bounced_side_message_is_shown_in_its_conversation() -> None:
    here = Desk()
    talk = here.ask("gone@tea.example")
    here.waits(hours=2)
    [report] = here.heard(talk)
    assert report.actor.email == "mailer-daemon@tea.example"
    assert "5.1.1" in here.words(talk)


def test_a_bounce_of_foreign_mail_is_suspended() -> None:
    here = Desk()
    mail = Posted(sender=SUPPORT, to=("x@gone.example",), subject="Offer", text="Not from the desk.")
    here.world.do(lambda tx: people.send_mail(tx, mail), "system:test")
    here.waits(hours=2)
    [held] = here.world.read(lambda tx: tx.all(SuspendedTicket))
    assert CAUSES[held.cause_id][0] == "auto_delivery_failure"


@pytest.mark.parametrize("tag", ["", "+id1", "+id999"])
def test_a_side_message_to_the_desk_itself_is_a_mail_loop(tag: str) -> None:
    here = Desk()
    here.ask(f"help{tag}@tea.example")
    here.waits(days=1)
    [held] = here.world.read(lambda tx: tx.all(SuspendedTicket))
    assert CAUSES[held.cause_id][0] == "loop"
    assert here.world.read(lambda tx: tx.count(Posted, "sender <> ?", BO)) == 1


# --- threads


def found(here: Desk, to: str, *references: str) -> tuple[int, str]:
    mail = Posted(sender=BO, to=(to,), references=references, text="x")
    return here.world.read(desk_post.thread_of, mail, to)


def test_references_decide_before_the_tag_of_the_address() -> None:
    here = Desk()
    other = here.world.do(desk.receive_mail, f"persona:{BO}", BO, "Cup", "It leaks.")
    here.ask(KIM)
    posted = here.world.read(lambda tx: tx.all(Posted))[0]
    talk = posted.source.partition(" ")[2]
    first = here.world.read(desk_post.notification_id, here.ticket, 5)
    assert found(here, f"help+id{other}@tea.example", first) == (here.ticket, "")
    assert found(here, f"help+id{other}@tea.example", first, posted.message_id) == (0, talk), "the newest one decides"
    assert found(here, f"help+id{other}@tea.example", "<x@y.example>") == (other, "")
    assert found(here, posted.reply_to) == (0, talk)
    assert found(here, SUPPORT) == (0, "")


def test_made_up_references_and_tags_lead_nowhere() -> None:
    here = Desk()
    real = here.world.read(desk_post.notification_id, here.ticket, 5)
    forged = real.replace(real[1:11], "0123456789")
    for reference in (forged, "<>", "", "<_1_1_sprut@tea.zendesk.com>", "x" * 2000):
        assert found(here, SUPPORT, reference) == (0, "")
    for tag in ("id", "id0", "id99999999999999999999", "side-x", f"side-{'0' * 36}", "id1+id2"):
        assert found(here, f"help+{tag}@tea.example")[1] == ""


def test_what_a_customer_answers_refers_to_the_mail_of_the_desk() -> None:
    here = Desk()
    body = {"ticket": {"comment": {"body": "Which order number is it, please?"}}}
    here.call("PUT", f"tickets/{here.ticket}", body)
    here.waits(days=2)
    comments = here.world.read(lambda tx: tx.all(Comment, "ticket_id = ?", here.ticket))
    assert len(comments) >= 3
    mail = here.world.read(lambda tx: tx.all(Posted, "sender = ?", BO))[0]
    assert mail.in_reply_to == here.world.read(desk_post.notification_id, here.ticket, comments[1].id)
    assert mail.to == (f"help+id{here.ticket}@tea.example",)


# --- what no input can break


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5), st.text(min_size=1, max_size=300))
@settings(max_examples=30, deadline=None)
def test_side_messages_to_any_text_are_safe(to: list[str], body: str) -> None:
    here = Desk()
    people_ = [{"email": one} for one in (*to, f"{to[0]}@tea.example", f"help+{to[-1]}@tea.example")]
    message = {"subject": body, "body": body, "to": people_}
    here.call("POST", f"tickets/{here.ticket}/side_conversations", {"message": message})
    here.waits(days=3)
    assert here.world.read(lambda tx: tx.count(Posted)) < 40


def test_customers_do_not_notice_side_conversations() -> None:
    def week(asks: bool) -> list[tuple[str, str]]:
        here = Desk(5)
        if asks:
            here.ask(BO, KIM)
        here.call("PUT", f"tickets/{here.ticket}", {"ticket": {"comment": {"body": "We will look."}}})
        here.waits(days=7)
        said = here.world.read(lambda tx: tx.all(Comment, "ticket_id = ?", here.ticket))
        return [(one.created_at.isoformat()[:13], one.body) for one in said]

    assert week(True) == week(False)


def test_the_same_mails_are_written_in_every_replay() -> None:
    def played() -> tuple[Any, Any]:
        here = Desk(9)
        here.ask(KIM, PAT, "gone@tea.example", "x@nowhere.example")
        here.waits(days=4)
        return here.world.state, here.world.trace

    assert played() == played()
