"""The post office: where mail goes, what comes back, who is away, and why nothing goes round in circles."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama import people
from diorama.kernel import Company, Product, Record, Tx, World
from diorama.kernel.testing import image_for
from diorama.kit import mail as mails
from diorama.people import Absence, Contact, MailArrived, Posted, rendered, send_mail
from diorama.people.post import HOPS_AT_MOST, RECIPIENTS_AT_MOST, answer_to

OFFICE = Product("office")
DESK, JO, MIKA = "help@tea.example", "jo@tea.example", "mika@tea.example"


@OFFICE.record("arrivals")
class Arrival(Record):
    """A mail that reached an app."""

    mail: int
    to: str


@OFFICE.on(MailArrived)
def keep(tx: Tx, event: MailArrived) -> None:
    tx.add(Arrival(mail=event.mail, to=event.to))


def fill(tx: Tx, size: str) -> None:
    """Write two colleagues, one of whom is away, and the address of a desk."""
    people.set_up(tx, shop="Tea", shop_name="Tea Ltd", time_zone="UTC")
    people.add_contact(tx, Contact(name="Jo Holm", email=JO, role="lead", time_zone="UTC", languages=("en",)))
    away = (Absence(date(2026, 3, 1), date(2026, 3, 9)),)
    people.add_contact(tx, Contact(name="Mika Holm", email=MIKA, role="agent", absences=away, languages=("en",)))
    people.add_mailbox(tx, DESK, app="office")


COMPANY = Company("post-tests", [OFFICE, people.APP], fill)


def opened(seed: int = 0) -> World:
    return World.open(COMPANY, image_for(COMPANY), seed)


def sent(world: World, *to: str, **more: Any) -> Posted:
    mail = Posted(**{"sender": DESK, "to": to, "subject": "Kettle", "text": "Where is it?", **more})
    made = world.do(lambda tx: send_mail(tx, mail), "system:test")
    assert made is not None
    return made


def mails_of(world: World, where: str = "", *args: Any) -> list[Posted]:
    return world.read(lambda tx: tx.all(Posted, where, *args))


def test_mail_reaches_an_app_by_its_address_and_every_tag_of_it() -> None:
    world = opened()
    mail = sent(world, DESK, "help+id7@tea.example", sender="bo@mail.example")
    assert world.read(lambda tx: tx.count(Arrival)) == 0, "it travels for some seconds"
    world.wait(timedelta(minutes=2))
    arrived = world.read(lambda tx: tx.all(Arrival))
    assert [(one.mail, one.to) for one in arrived] == [(mail.id, DESK), (mail.id, "help+id7@tea.example")]


@pytest.mark.parametrize(
    ("to", "status", "server"),
    [
        ("jp@tea.example", "5.1.1", "mailer-daemon@tea.example"),
        ("jo@tee.example", "5.1.2", "mailer-daemon@tea.example"),
        ("no address", "5.1.2", "mailer-daemon@tea.example"),
        ("@", "5.1.2", "mailer-daemon@tea.example"),
        ("x" * 400 + "@tea.example", "5.1.2", "mailer-daemon@tea.example"),
    ],
)
def test_mail_to_nowhere_comes_back_with_its_reason(to: str, status: str, server: str) -> None:
    world = opened()
    mail = sent(world, to)
    world.wait(timedelta(hours=2))
    [report] = mails_of(world, "failed <> ''")
    assert (report.sender, report.to, report.status) == (server, (DESK,), status)
    assert (report.in_reply_to, report.thread, report.return_path) == (mail.message_id, mail.thread, "")
    assert world.read(lambda tx: tx.all(Arrival))[0].mail == report.id
    read = mails.read(world.read(rendered, report))
    assert (read.report, read.auto_submitted, read.message_id) == ("delivery-status", "auto-replied", report.message_id)
    assert status.encode() in read.attachments[0].content


def test_an_unknown_domain_takes_longer_than_an_unknown_mailbox() -> None:
    world = opened()
    sent(world, "jp@tea.example", "jo@tee.example")
    world.wait(timedelta(hours=2))
    first, second = mails_of(world, "failed <> ''")
    assert (first.failed, second.failed) == ("jp@tea.example", "jo@tee.example")


def test_a_bounce_never_bounces() -> None:
    world = opened()
    sent(world, "jp@tea.example", sender="gone@nowhere.example")
    world.wait(timedelta(days=1))
    assert len(mails_of(world)) == 2, "the mail and its bounce, which reaches no one"


def test_mail_without_a_return_path_does_not_come_back() -> None:
    world = opened()
    sent(world, "jp@tea.example", return_path="")
    world.wait(timedelta(days=1))
    assert len(mails_of(world)) == 1


def test_someone_who_is_away_says_so_once_to_each_sender() -> None:
    world = opened()
    for _ in range(3):
        sent(world, MIKA)
    sent(world, MIKA, sender=JO)
    world.wait(timedelta(hours=1))
    notes = mails_of(world, "auto_submitted <> ''")
    assert sorted(one.to[0] for one in notes) == [DESK, JO]
    assert all("10 March 2026" in one.text and one.sender == MIKA for one in notes)
    assert all(not mails.may_answer_automatically(mails.read(world.read(rendered, one))) for one in notes)


def test_after_the_absence_no_note_is_sent() -> None:
    world = opened()
    world.wait(timedelta(days=9))
    sent(world, MIKA)
    world.wait(timedelta(hours=1))
    assert mails_of(world, "auto_submitted <> ''") == []


@pytest.mark.parametrize(
    "more",
    [
        {"auto_submitted": "auto-generated"},
        {"precedence": "bulk"},
        {"return_path": ""},
        {"sender": "no-reply@mail.example"},
        {"sender": "mailer-daemon@mail.example"},
        {"sender": MIKA},
    ],
)
def test_automatic_mail_gets_no_note_of_absence(more: dict[str, Any]) -> None:
    world = opened()
    sent(world, MIKA, **more)
    world.wait(timedelta(hours=1))
    assert len(mails_of(world)) == 1


def test_two_people_who_are_away_do_not_write_to_each_other_for_ever() -> None:
    world = opened()
    away = (Absence(date(2026, 3, 1), date(2026, 3, 9)),)
    ann = Contact(name="Ann Oak", email="ann@mail.example", absences=away)
    world.do(lambda tx: people.add_contact(tx, ann), "system:test")
    sent(world, MIKA, sender="ann@mail.example")
    world.wait(timedelta(days=1))
    assert len(mails_of(world)) == 2


def test_answers_to_answers_end() -> None:
    world = opened()
    mail: Posted | None = sent(world, JO)
    hops = 0
    while mail is not None:
        hops += 1
        answer = answer_to(mail, sender=JO if hops % 2 else DESK, sender_name="", text="And?")
        mail = world.do(lambda tx, answer=answer: send_mail(tx, answer), "system:test")
    assert hops == HOPS_AT_MOST + 1


def test_an_answer_is_in_the_thread_of_what_it_answers() -> None:
    world = opened()
    first = sent(world, JO)
    second = world.do(lambda tx: send_mail(tx, answer_to(first, sender=JO, sender_name="Jo", text="Here.")), "x:y")
    assert second is not None
    third = sent(world, JO, in_reply_to=second.message_id)
    stranger = sent(world, JO, references=("<a@b.example>",))
    assert first.thread == first.message_id == second.thread == third.thread
    assert (second.subject, second.references) == ("Re: Kettle", (first.message_id,))
    assert stranger.thread == "<a@b.example>"


def test_a_mail_has_a_limited_number_of_recipients() -> None:
    world = opened()
    mail = sent(world, *(f"a{number}@tea.example" for number in range(300)), cc=(JO,))
    assert (len(mail.to), mail.cc) == (RECIPIENTS_AT_MOST, ())
    world.wait(timedelta(hours=3))
    assert len(mails_of(world, "failed <> ''")) == RECIPIENTS_AT_MOST


def test_a_world_that_lists_no_addresses_delivers_to_all() -> None:
    company = Company("bare-post", [OFFICE, people.APP])
    world = World.open(company, image_for(company), 0)
    sent(world, "anyone@anywhere.example")
    world.wait(timedelta(days=1))
    assert len(mails_of(world)) == 1


@given(st.lists(st.text(max_size=40), max_size=6), st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=40, deadline=None)
def test_no_text_breaks_the_post(to: list[str], subject: str, text: str) -> None:
    world = opened()
    sent(world, *to, f"{text}@{subject}", subject=subject, text=text)
    world.wait(timedelta(days=1))
    for mail in mails_of(world):
        assert mails.read(world.read(rendered, mail)).message_id == mail.message_id


def test_two_worlds_of_one_seed_have_the_same_mail() -> None:
    one, other, different = opened(3), opened(3), opened(4)
    for world in (one, other, different):
        sent(world, MIKA, "jp@tea.example")
        world.wait(timedelta(hours=2))
    assert (one.state, one.trace) == (other.state, other.trace)
    assert mails_of(one)[0].message_id != mails_of(different)[0].message_id
