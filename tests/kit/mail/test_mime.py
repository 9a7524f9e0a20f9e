"""Mails as bytes and back: real MIME, the same bytes every time, and no error for any bytes."""

import email
import email.policy
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kit.mail import Address, Attachment, Mail, read, written
from diorama.kit.mail.headers import read_addresses, read_date, read_parameters, words_of

NOON = datetime(2026, 6, 8, 12, tzinfo=UTC)
PICTURE = Attachment("logo.png", "image/png", b"\x89PNG\0\xff", "inline", "logo@shop.example")
INVOICE = Attachment("Rechnung für Özil.pdf", "application/pdf", bytes(range(256)) * 9)
FULL = Mail(
    message_id="<a1@shop.example>",
    date=NOON,
    sender=Address("ann@shop.example", "Ann Ó Brien, Shop"),
    to=(Address("bo@mail.example"), Address("cy@mail.example", 'Cy "C" Lee')),
    cc=(Address("di@mail.example", "Di"),),
    reply_to=(Address("help@shop.example"),),
    subject="Grüße, and a rather long subject that has to be folded because it does not fit on one line of a header",
    in_reply_to="<b2@mail.example>",
    references=("<c3@mail.example>", "<b2@mail.example>"),
    return_path="bounces@shop.example",
    headers=(("X-Mailer", "Larkspur 1"), ("List-Unsubscribe", "<https://shop.example/u>")),
    plain="Hello Bo,\n\nété — 5 €\n" + "a long line " * 20 + "end",
    html='<p>Hello <img src="cid:logo@shop.example"></p>',
    attachments=(PICTURE, INVOICE),
)

words = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=12)
phrases = st.lists(words.filter(bool), max_size=5).map(" ".join)
people = st.builds(Address, st.from_regex(r"[a-z]{1,8}@[a-z]{1,8}\.example", fullmatch=True), phrases).map(
    lambda one: one if one.name != one.email else Address(one.email)
)
bodies = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=200).map(
    lambda text: text.rstrip("\n").lstrip("\ufeff")
)
ids = st.from_regex(r"<[a-z0-9.]{1,20}@[a-z]{1,9}\.example>", fullmatch=True)
names = phrases.filter(lambda name: not set(name) & set("/\\"))
files = st.builds(
    Attachment,
    names,
    st.sampled_from(["image/png", "text/plain", "text/csv"]),
    st.binary(max_size=90),
    st.just("attachment"),
)
mails = st.builds(
    Mail,
    message_id=ids,
    date=st.integers(0, 4_000_000_000).map(
        lambda second: datetime.fromtimestamp(second, timezone(timedelta(hours=second % 24 - 11)))
    ),
    sender=people,
    to=st.lists(people, max_size=3).map(tuple),
    bcc=st.lists(people, max_size=2).map(tuple),
    subject=phrases,
    references=st.lists(ids, max_size=4, unique=True).map(tuple),
    return_path=st.sampled_from([None, "", "a@b.example"]),
    headers=st.lists(st.tuples(st.sampled_from(["X-A", "X-B"]), phrases.filter(bool)), max_size=3).map(tuple),
    plain=bodies,
    html=bodies,
    attachments=st.lists(files, max_size=3).map(tuple),
)


def parsed(content: bytes) -> EmailMessage:
    """Return a mail as the standard library reads it."""
    found = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


@settings(max_examples=200, deadline=None)
@given(mails)
def test_a_written_mail_is_read_as_the_same(mail: Mail) -> None:
    assert read(written(mail, bcc=True)) == mail


def test_other_programs_read_what_is_written() -> None:
    found = parsed(written(FULL))
    assert not found.defects
    assert found["Subject"] == FULL.subject
    assert found["From"].addresses[0].display_name == FULL.sender.name
    assert found["To"].addresses[1].display_name == 'Cy "C" Lee'
    assert found["Date"].datetime == NOON
    kinds = [part.get_content_type() for part in found.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/pdf",
    ]
    body = found.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n").rstrip("\n") == FULL.plain
    assert [part.get_filename() for part in found.iter_attachments()] == [INVOICE.name]
    assert next(found.iter_attachments()).get_content() == INVOICE.content


def test_a_mail_of_another_program_is_read() -> None:
    made = EmailMessage()
    made["Subject"] = "Prüfung " * 12
    made["From"] = "Ümit <u@mail.example>"
    made["To"] = "a@mail.example, Team: b@mail.example, c@mail.example;"
    made["Date"] = "Mon, 08 Jun 2026 14:00:00 +0200"
    made.set_content("Grüße\n", charset="iso-8859-1")
    made.add_alternative("<p>Grüße</p>", subtype="html")
    made.add_attachment(b"\0\1", maintype="image", subtype="png", filename="schön " * 20 + ".png")
    mail = read(made.as_bytes())
    assert (mail.subject, mail.sender) == (("Prüfung " * 12).strip(), Address("u@mail.example", "Ümit"))
    assert [one.email for one in mail.to] == ["a@mail.example", "b@mail.example", "c@mail.example"]
    assert (mail.plain, mail.html, mail.date) == ("Grüße", "<p>Grüße</p>", NOON)
    assert mail.attachments == (Attachment("schön " * 20 + ".png", "image/png", b"\0\1"),)


def test_the_same_mail_gives_the_same_bytes_with_crlf() -> None:
    content = written(FULL)
    assert content == written(msgspec.structs.replace(FULL))
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 100


def test_hidden_recipients_are_left_out() -> None:
    mail = msgspec.structs.replace(FULL, bcc=(Address("secret@mail.example"),))
    assert b"secret" not in written(mail)
    assert read(written(mail, bcc=True)).bcc == mail.bcc


def test_no_header_can_be_smuggled_into_another() -> None:
    evil = "x\r\nBcc: evil@mail.example\r\n\r\nbody"
    mail = Mail(
        message_id=evil,
        subject=evil,
        sender=Address(evil, evil),
        headers=(("X-A", evil), ("X\r\nBcc", "x")),
        attachments=(Attachment(evil, evil, b"", "inline", evil),),
    )
    found = parsed(written(mail))
    assert "Bcc" not in found
    assert not any(line.startswith(b"Bcc") for line in written(mail).split(b"\r\n"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Mon, 08 Jun 2026 12:00:00 +0000", NOON),
        ("8 Jun 2026 14:00 +0200", NOON),
        ("8 jun 26 12:00:00 GMT", NOON),
        ("Mon, 8 Jun 2026 08:00:00 EDT", NOON),
        ("31 Feb 2026 12:00:00 +0000", None),
        ("yesterday", None),
        ("1 Jan 0000 00:00:00 +0000", None),
        ("31 Dec 9999 23:59:59 -9999", None),
        ("1 Jan 0001 00:00 +1400", None),
    ],
)
def test_dates_are_read(text: str, wanted: datetime | None) -> None:
    assert read_date(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("=?utf-8?q?caf=C3=A9?= =?utf-8?b?IMOp?= x", "café é x"),
        ("=?utf-8?b?w?= =?utf-8?q?=A9?=", "\ufffd"),
        ("=?nope?q?=E9?=", "é"),
        ("=?iso-8859-1?q?=E9_?=a", "é a"),
        ("=?utf-8?b?!!!?=", ""),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ("=?utf-8?q?split=C3?= =?utf-8?q?=A9?=", "splité"),
        ("=?zip?q?a?=", "a"),
        ("=?utf-8*de?q?a?=", "a"),
    ],
)
def test_encoded_words_are_read(text: str, wanted: str) -> None:
    assert words_of(text).replace("©", "\ufffd") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('"Lee, Cy" <c@x.example>, d@x.example', [("c@x.example", "Lee, Cy"), ("d@x.example", "")]),
        ("a@x.example (Ann (the boss))", [("a@x.example", "Ann (the boss)")]),
        ("undisclosed-recipients:;", []),
        ("Ann <a@x.example", [("a@x.example", "Ann")]),
        ("Ann", [("", "Ann")]),
        (" , ,;", []),
        ('"a b"@x.example', [("b@x.example", "")]),
        ("<@x,@y:a@z.example>", [("@x@ya@z.example", "")]),
    ],
)
def test_addresses_are_read(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(one.email, one.name) for one in read_addresses(text)] == wanted


def test_parameters_are_read() -> None:
    text = 'Attachment; FileName*1*=%20b.txt; filename*0*=utf-8\'de\'%C3%A4; x="a;b\\"c"; ; broken; y = z'
    assert read_parameters(text) == ("attachment", {"x": 'a;b"c', "y": "z", "filename": "ä b.txt"})


def test_broken_mails_are_read_as_far_as_possible() -> None:
    assert read(b"").plain == ""
    assert read(b"no header at all\n\nbody").plain == "body"
    assert read(b"Subject: a\rSubject: b\r\rbody").subject == "a"
    assert read(b"Subject: a\0b\n\nx\0y").plain == "x\ufffdy"
    lost = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nfirst\n--x\nContent-Type: image/png\n\npicture"
    assert (read(lost).plain, len(read(lost).attachments)) == ("first", 1)
    assert read(b"Content-Type: multipart/mixed\n\nno boundary").plain == "no boundary"
    assert read(b"Content-Type: text/plain; charset=utf-8\n\n\xe9t\xe9").plain == "été"
    path = b'Content-Type: image/png\nContent-Disposition: attachment; filename="../../a\\\\b.png"\n\nx'
    assert read(path).attachments[0].name == "b.png"


PIECES = [
    b"Content-Type: ",
    b"multipart/mixed",
    b"; boundary=",
    b"x",
    b'"x"',
    b"--x",
    b"--x--",
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"text/html",
    b"text/plain; charset=utf-16",
    b"message/rfc822",
    b"Content-Transfer-Encoding: base64",
    b"quoted-printable",
    b"Subject: ",
    b"=?utf-8?q?",
    b"?=",
    b"=",
    b"=\n",
    b"From: ",
    b"<",
    b">",
    b"(",
    b'"',
    b"\\",
    b",",
    b"a@b",
    b"To: ",
    b"\0",
    b"\xff",
    b"Date: ",
    b"1 Jan 2026 10:00 +9999",
    b"References: ",
    b" ",
    b"\t",
    b"name*0*=",
    b"Content-Disposition: inline",
    b"; filename=",
    b"Content-ID: <c>",
    b"multipart/report; report-type=delivery-status",
    b"multipart/related",
]


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join), st.binary(max_size=200)))
def test_no_bytes_raise_an_error(content: bytes) -> None:
    mail = read(content)
    again = read(written(mail, bcc=True))
    assert (again.plain, again.subject, again.sender) == (mail.plain, mail.subject, mail.sender)
    assert again == mail


def nested(depth: int) -> bytes:
    """Return parts in parts, none of them closed."""
    return (
        b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(depth)) + b"\ntext"
    )


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "parameters": lambda n: b"Content-Type: text/plain" + b"; a*0=b" * (n // 7) + b"\n\nx",
    "quotes": lambda n: b"Content-Type: text/plain; " + b'"' * n + b"\n\nx",
    "blanks": lambda n: b"Content-Type: text/plain;" + b" " * n + b"\n\nx",
    "nested": lambda n: nested(n // 60),
    "same boundary": lambda n: b'Content-Type: multipart/mixed; boundary="x"\n\n' + b"--x\n" * (n // 4),
    "boundary in lines": lambda n: b'Content-Type: multipart/mixed; boundary="x"\n\n--x\n' + b"a--x" * (n // 4),
    "own boundary": lambda n: (b'Content-Type: multipart/mixed; boundary="x"\n\n--x\n') * (n // 50),
    "words": lambda n: b"Subject: " + b"=?utf-8?q?" * (n // 10) + b"\n\nx",
    "good words": lambda n: b"Subject: " + b"=?utf-8?q?a?= " * (n // 14) + b"\n\nx",
    "headers": lambda n: b"X: y\n" * (n // 5) + b"\nx",
    "folds": lambda n: b"Subject: x" + b"\n y" * (n // 3) + b"\n\nx",
    "header": lambda n: b"Subject: " + b"x" * n + b"\n\nx",
    "addresses": lambda n: b"To: " + b"a@b.c, " * (n // 7) + b"\n\nx",
    "comments": lambda n: b"To: " + b"(" * (n // 2) + b"()" * (n // 4) + b"\n\nx",
    "brackets": lambda n: b"To: " + b"<" * n + b"\n\nx",
    "escapes": lambda n: b'To: "' + b"\\" * n + b"\n\nx",
    "ids": lambda n: b"References: " + b"<a@b> " * (n // 6) + b"\n\nx",
    "bare ids": lambda n: b"References: " + b"a" * n + b"\n\nx",
    "base64": lambda n: b"Content-Transfer-Encoding: base64\n\n" + b"A=!" * (n // 3),
    "quoted": lambda n: b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=\n=" * (n // 3),
    "carriage returns": lambda n: b"\r" * n,
    "zeros": lambda n: b"\0" * n,
    "no colon": lambda n: b"x" * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mails_take_linear_time(name: str) -> None:
    small, large = (seconds(HOSTILE[name](size)) for size in (40_000, 320_000))
    assert large < 24 * small + 0.3  # 64 times as long if it were quadratic


def seconds(content: bytes) -> float:
    """Return the processor time that reading and writing take."""
    started = time.process_time()
    written(read(content))
    return time.process_time() - started
