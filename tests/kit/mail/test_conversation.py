"""Threads, bounces, automatic replies, and what a sender wrote."""

import email
import email.policy
import time
from datetime import UTC, datetime

import msgspec
import pytest

from diorama.kit.mail import (
    Address,
    Mail,
    auto_reply,
    base_subject,
    delivery_status,
    is_reply_to,
    may_answer_automatically,
    message_id,
    new_text,
    read,
    references_for_reply,
    thread_key,
    written,
)

NOON = datetime(2026, 6, 8, 12, tzinfo=UTC)
QUESTION = Mail(
    message_id="<q@mail.example>",
    date=NOON,
    sender=Address("bo@mail.example", "Bo"),
    to=(Address("help@shop.example"),),
    subject="Where is my order?",
    plain="Where is it?",
)


def test_an_id_is_made_of_a_drawn_token() -> None:
    assert message_id("k3v9", "shop.example") == "<k3v9@shop.example>"
    assert message_id("a b>\r\n", "x y") == "<ab@xy>"


@pytest.mark.parametrize(
    "subject",
    [
        "Re: Order",
        "AW: WG: Order",
        "Fwd: re: order",
        "SV: Order",
        "TR : Order",
        "RV: Order",
        "Antw: Order",
        "RE[2]: Order",
        "Re: Re:  Order",
        "Rép : Order",
    ],
)
def test_subjects_are_compared_without_prefixes(subject: str) -> None:
    assert base_subject(subject) == base_subject("Order") == "order"
    assert base_subject("Reorder: x") == "reorder: x"


def test_replies_are_found_by_ids_then_by_subject() -> None:
    reply = Mail(message_id="<r@x.example>", in_reply_to=QUESTION.message_id, subject="other")
    assert is_reply_to(reply, QUESTION)
    assert thread_key(reply) == thread_key(QUESTION) == "<q@mail.example>"
    later = Mail(message_id="<s@x.example>", references=references_for_reply(reply))
    assert later.references == ("<q@mail.example>", "<r@x.example>")
    assert thread_key(later) == "<q@mail.example>"
    assert is_reply_to(Mail(subject="AW: where is my order?"), QUESTION)
    assert not is_reply_to(Mail(subject="Where is my order?"), QUESTION)
    assert not is_reply_to(Mail(subject="Re: Where is my order?", references=("<z@x.example>",)), QUESTION)


def test_a_bounce_is_a_report_of_three_parts() -> None:
    bounce = delivery_status(
        QUESTION,
        "no such user",
        recipient="help@shop.example",
        message_id="<b@x.example>",
        date=NOON,
        host="mx.shop.example",
    )
    content = written(bounce)
    found = email.message_from_bytes(content, policy=email.policy.default)
    kinds = [part.get_content_type() for part in found.walk() if not part.is_multipart() or part is found]
    assert found.get_content_type() == "multipart/report"
    assert found.get_param("report-type") == "delivery-status"
    assert kinds[1] == "text/plain"
    assert [part.get_content_type() for part in found.iter_parts()] == [
        "text/plain",
        "message/delivery-status",
        "text/rfc822-headers",
    ]
    assert b"Final-Recipient: rfc822; help@shop.example\r\nAction: failed\r\nStatus: 5.1.1\r\n" in content
    assert bounce.to == (Address("bo@mail.example"),)
    assert is_reply_to(bounce, QUESTION)
    assert read(content) == bounce
    assert not may_answer_automatically(bounce)
    assert not may_answer_automatically(read(content))


def test_an_automatic_reply_says_what_it_is() -> None:
    away = auto_reply(
        QUESTION, "I am away.", sender=Address("help@shop.example"), message_id="<a@x.example>", date=NOON
    )
    assert (away.auto_submitted, away.subject, away.to) == (
        "auto-replied",
        "Re: Where is my order?",
        (QUESTION.sender,),
    )
    assert is_reply_to(away, QUESTION)
    assert not may_answer_automatically(away)
    assert read(written(away)) == away


@pytest.mark.parametrize(
    "changes",
    [
        {"auto_submitted": "auto-generated"},
        {"auto_submitted": "auto-replied; x"},
        {"precedence": "Bulk"},
        {"precedence": "list"},
        {"list_id": "<news.x>"},
        {"return_path": ""},
        {"sender": Address("")},
        {"headers": (("List-Unsubscribe", "<https://x>"),)},
        {"headers": (("X-Auto-Response-Suppress", "OOF, AutoReply"),)},
        {"sender": Address("no-reply@x.example")},
        {"sender": Address("MAILER-DAEMON@x.example")},
        {"return_path": "news-bounces+bo=x@x.example"},
        {"report": "delivery-status"},
    ],
)
def test_programs_lists_and_bounces_get_no_automatic_reply(changes: dict[str, object]) -> None:
    assert not may_answer_automatically(msgspec.structs.replace(QUESTION, **changes))


def test_people_get_an_automatic_reply() -> None:
    assert may_answer_automatically(QUESTION)
    assert may_answer_automatically(msgspec.structs.replace(QUESTION, auto_submitted="no", precedence="normal"))
    assert may_answer_automatically(QUESTION, ["Help@shop.example"])
    assert not may_answer_automatically(QUESTION, ["ann@shop.example"])
    assert not may_answer_automatically(QUESTION, ["bo@mail.example"])


@pytest.mark.parametrize(
    "announced",
    [
        "On Mon, Jun 8, 2026 at 12:00 PM Ann <ann@shop.example> wrote:",
        "On Mon, Jun 8, 2026 at 12:00 PM Ann Longname\n<ann@shop.example> wrote:",
        "Am 08.06.2026 um 12:00 schrieb Ann <ann@shop.example>:",
        "Am Mo., 8. Juni 2026 um 12:00 Uhr schrieb Ann\n<a@b.c>:",
        "Le lun. 8 juin 2026 à 12:00, Ann <ann@shop.example> a écrit :",
        "El lun, 8 jun 2026 a las 12:00, Ann escribió:",
        "Op ma 8 jun. 2026 om 12:00 schreef Ann <ann@shop.example>:",
        "-----Original Message-----\nFrom: Ann",
        "-----Ursprüngliche Nachricht-----",
        "________________________________\nVon: Ann\nGesendet: Montag\nAn: Bo",
        "From: Ann\nSent: Monday\nTo: Bo\nSubject: x",
        "De : Ann\nEnvoyé : lundi\nÀ : Bo\nObjet : x",
    ],
)
def test_the_quoted_mail_is_cut_off(announced: str) -> None:
    assert new_text(f"Thanks!\n\nBo\n\n{announced}\n\nHello Bo,\nyour order left.\n") == "Thanks!\n\nBo"
    assert new_text(f"Thanks!\n\n{announced}\n> Hello Bo,\n> your order left.\n") == "Thanks!"


def test_answers_between_quotes_stay() -> None:
    text = "Hi,\n\nOn Monday, 8 June, Ann wrote:\n> When?\nTomorrow.\n> Where?\nHere.\n\n-- \nBo\nShop"
    assert new_text(text) == "Hi,\n\nTomorrow.\nHere."


@pytest.mark.parametrize(
    "text",
    [
        "On Monday I wrote to you: nothing came.",
        "Le chat a écrit",
        "From: the start, it was late.",
        "--\nBo",
        "a -- b",
        "",
    ],
)
def test_ordinary_sentences_stay(text: str) -> None:
    assert new_text(text) == text


@pytest.mark.parametrize(
    "unit", ["On ", "On a\n", "> ", ">", "-- \n", "a@b wrote ", "From: a\n", "wrote:\n", "\n", "_", "On x:\n", "<a> "]
)
def test_long_texts_are_trimmed_in_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        new_text(unit * (size // len(unit)))
        base_subject(unit * (size // len(unit)))
        return time.process_time() - started

    assert seconds(400_000) < 24 * seconds(50_000) + 0.3
