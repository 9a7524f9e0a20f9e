"""Addresses: the vendor's inside the world, this machine's on the wire."""

from hypothesis import given
from hypothesis import strategies as st

from diorama.doors.links import Links

LINKS = Links(
    {"larkspur.zendesk.com": "http://127.0.0.1:8701", "admin.larkspur.example": "http://127.0.0.1:8702"},
    {"larkspur.zendesk.com": ["http://localhost:8701"]},
)


def test_links_of_every_app_point_here_on_the_way_out() -> None:
    out = LINKS.outward(b'{"a":"https://larkspur.zendesk.com/api/v2/x.json","b":"https://admin.larkspur.example"}')
    assert out == b'{"a":"http://127.0.0.1:8701/api/v2/x.json","b":"http://127.0.0.1:8702"}'


def test_another_host_that_begins_alike_is_left_alone() -> None:
    for other in (
        b"https://larkspur.zendesk.com.evil.example/",
        b"https://larkspur.zendesk.community",
        b"https://larkspur.zendesk.com@x.example",
    ):
        mixed = other + b" https://larkspur.zendesk.com/"
        assert LINKS.outward(mixed) == other + b" http://127.0.0.1:8701/"
    assert LINKS.inward(b"http://127.0.0.1:87012/") == b"http://127.0.0.1:87012/"


def test_a_sentence_may_end_behind_a_link() -> None:
    assert LINKS.outward(b"See https://larkspur.zendesk.com.") == b"See http://127.0.0.1:8701."


def test_escaped_and_percent_encoded_links_come_back() -> None:
    assert LINKS.inward(rb"http:\/\/127.0.0.1:8701\/x") == rb"https:\/\/larkspur.zendesk.com\/x"
    assert LINKS.inward(b"u=http%3A%2F%2F127.0.0.1%3A8702%2Fx") == b"u=https%3A%2F%2Fadmin.larkspur.example%2Fx"
    assert LINKS.inward(b"u=http%3a%2f%2flocalhost%3a8701") == b"u=https%3A%2F%2Flarkspur.zendesk.com"


@given(st.text(alphabet='htps:/larkspu.zendcom0178@ \\"', max_size=200).map(str.encode), st.integers(0, 3))
def test_a_canonical_text_survives_the_way_out_and_back(text: bytes, where: int) -> None:
    canonical = text[:where] + b" https://larkspur.zendesk.com/a " + text[where:]
    if b"127.0.0.1" not in canonical and b"localhost" not in canonical:
        assert LINKS.inward(LINKS.outward(canonical)) == canonical
