"""Multipart forms: files byte by byte, fields as text, and every broken body refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kit import SizeLimits
from diorama.kit.bounds import Invalid, Malformed
from diorama.kit.multipart import Upload, parse_multipart
from tests.kit.parlour import ask

KIND = 'multipart/form-data; boundary="B0und"'


def part(head: str, content: bytes) -> bytes:
    """Return one part of a body."""
    return b"--B0und\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + content + b"\r\n"


def body(*parts: bytes) -> bytes:
    """Return a whole body."""
    return b"".join(parts) + b"--B0und--\r\n"


def test_files_and_fields_are_read() -> None:
    sent = body(
        part('name="file"; filename="café \\"a\\".png"\r\nContent-Type: image/png', b"\x00\x01\r\n--B0un"),
        part('name="title"', "Ein Bär".encode()),
        part('name="more[]"; filename="1.txt"', b"1"),
        part('name="more[]"; filename="2.txt"', b"2"),
    )
    assert ask("POST", "/api/files.upload", sent, KIND) == {
        "name": 'café "a".png', "type": "image/png", "size": 10, "title": "Ein Bär", "more": ["1.txt", "2.txt"],
    }  # fmt: skip


def test_an_uploaded_mail_stays_a_file() -> None:
    mail = b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhello\r\n--x--"
    sent = body(part('name="file"; filename="a.eml"\r\nContent-Type: message/rfc822', mail))
    assert parse_multipart(sent, KIND, SizeLimits()).files == {"file": [Upload("a.eml", "message/rfc822", mail)]}


@given(st.binary(max_size=200), st.text(st.characters(codec="utf-8", exclude_characters='"\\\r\n\0'), min_size=1))
def test_every_file_is_read_unchanged(content: bytes, name: str) -> None:
    sent = body(part(f'name="file"; filename="{name}"', content))
    if b"\r\n--B0und" not in b"\r\n" + content:
        [upload] = parse_multipart(sent, KIND, SizeLimits()).files["file"]
        assert upload.content == content


@pytest.mark.parametrize(
    ("sent", "kind", "error"),
    [
        (body(part('name="title"', b"x")), KIND, "invalid"),
        (body(part('name="file"; filename="a"', b"x"))[:-6], KIND, "malformed"),
        (body(part('name="file"; filename="a"', b"x")), "multipart/form-data", "malformed"),
        (body(part('filename="a"', b"x")), KIND, "malformed"),
        (body(part('name="title"', b"\xff")), KIND, "malformed"),
        (body(part('name="title"', b"x" * 2_001)), KIND, "invalid"),
        (body(*[part('name="file"; filename="a"', b"x")] * 5), KIND, "invalid"),
        (b"junk", KIND, "malformed"),
        (b"file=x", "application/x-www-form-urlencoded", "malformed"),
        (b"", "", "invalid"),
    ],
)
def test_a_broken_form_gets_the_vendors_error(sent: bytes, kind: str, error: str) -> None:
    assert ask("POST", "/api/files.upload", sent, kind)["error"] == error


@given(st.binary(max_size=300))
def test_any_bytes_are_parsed_or_refused(sent: bytes) -> None:
    with contextlib.suppress(Malformed, Invalid):
        parse_multipart(b"--B0und\r\n" + sent, KIND, SizeLimits())
