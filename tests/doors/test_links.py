"""Links: only whole values are rewritten, out and back, and nothing else changes."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.doors.links import Address, Links

DESK, ADMIN = "https://larkspur.zendesk.com", "https://admin.larkspur.example"
PORT, ADMIN_PORT = "http://127.0.0.1:8701", "http://127.0.0.1:8702"
BUCKET = "http://{bucket}.0d1a.store.localhost:8703"
LINKS = Links(
    [
        Address("larkspur.zendesk.com", PORT, ("http://localhost:8701", "http://0d1a.zendesk.localhost:8701")),
        Address("admin.larkspur.example", ADMIN_PORT),
        Address("{bucket}.store.example", BUCKET),
    ]
)
JSON, FORM = "application/json; charset=utf-8", "application/x-www-form-urlencoded"
XML, HTML = "application/xml", "text/html"


def out(text: str, content_type: str = JSON) -> str:
    return LINKS.body_out(text.encode(), content_type).decode()


def back(text: str, content_type: str = JSON) -> str:
    return LINKS.body_in(text.encode(), content_type).decode()


def test_a_whole_json_value_is_rewritten_both_ways() -> None:
    inside = f'{{"a":"{DESK}/api/v2/x.json?page=2#top","b": "{ADMIN}" , "c":["{DESK}"]}}'
    outside = f'{{"a":"{PORT}/api/v2/x.json?page=2#top","b": "{ADMIN_PORT}" , "c":["{PORT}"]}}'
    assert out(inside) == outside
    assert back(outside) == inside


@pytest.mark.parametrize(
    "text",
    [
        f'{{"a":"See {DESK}/x"}}',
        f'{{"a":"{DESK}/x please"}}',
        f'{{"a":"{DESK}/x\\nthanks"}}',
        f'{{"a":"<a href=\\"{DESK}/x\\">x</a>"}}',
        f'{{"payload":"{{\\"url\\":\\"{DESK}/x\\"}}"}}',
        f'{{"{DESK}/x": 1}}',
        f'{{"{DESK}/x" : 1}}',
        f'{{"a":"{DESK}.evil.example/"}}',
        f'{{"a":"{DESK}munity"}}',
        f'{{"a":"{DESK}@evil.example"}}',
        f'{{"a":"{DESK}:8443/"}}',
        f'{{"a":"http{DESK[5:]}/"}}',
        f'{{"a":"{DESK}/x',
        '{"a":"aHR0cHM6Ly9sYXJrc3B1ci56ZW5kZXNrLmNvbS94"}',
    ],
)
def test_what_is_not_a_whole_value_stays_as_written(text: str) -> None:
    assert out(text) == text
    mixed = f'[{text},"{DESK}/y"]'
    assert out(mixed) == f'[{text},"{PORT}/y"]'


def test_escaped_slashes_stay_escaped() -> None:
    inside = r'{"a":"https:\/\/larkspur.zendesk.com\/x\u00e9\/y"}'
    outside = r'{"a":"http:\/\/127.0.0.1:8701\/x\u00e9\/y"}'
    assert out(inside) == outside
    assert back(outside) == inside


def test_every_spelling_of_our_address_is_rewritten() -> None:
    for url in (PORT, "http://localhost:8701", "http://0d1a.zendesk.localhost:8701"):
        assert back(f'{{"a":"{url}/x"}}') == f'{{"a":"{DESK}/x"}}'
    for url in ("http://127.0.0.1:87012/x", "http://127.0.0.1:8709/x", "http://ffff.zendesk.localhost:8701/x"):
        assert back(f'{{"a":"{url}"}}') == f'{{"a":"{url}"}}'


def test_a_form_value_is_rewritten_in_any_encoding() -> None:
    assert back("u=http%3A%2F%2F127.0.0.1%3A8702%2Fx&v=1", FORM) == "u=https%3A%2F%2Fadmin.larkspur.example%2Fx&v=1"
    assert back("v=1&u=http%3a%2f%2flocalhost%3a8701", FORM) == "v=1&u=https%3a%2f%2flarkspur.zendesk.com"
    assert LINKS.query_in(f"u={PORT}/x&v=1".encode()) == f"u={DESK}/x&v=1".encode()
    assert (
        out("u=https%3A%2F%2Flarkspur.zendesk.com%2Fx%3Fa%3Db", FORM) == "u=http%3A%2F%2F127.0.0.1%3A8701%2Fx%3Fa%3Db"
    )
    for kept in (f"u=see+{PORT}/x", f"u={PORT}/x+y", f"u=a={PORT}/x", f"{PORT}/x", f"u={PORT}2/x", f"u={PORT}/x%20y"):
        assert back(kept, FORM) == kept


def test_a_url_in_the_query_of_a_whole_url_is_rewritten_too() -> None:
    inner, inner_out = "https%3A%2F%2Flarkspur.zendesk.com%2Fhome", "http%3A%2F%2F127.0.0.1%3A8701%2Fhome"
    inside = f'{{"a":"https://sso.example/?r={inner}&x=1","b":"{DESK}/?r={inner}","c":"go to {DESK}/?r={inner}"}}'
    outside = (
        f'{{"a":"https://sso.example/?r={inner_out}&x=1","b":"{PORT}/?r={inner_out}","c":"go to {DESK}/?r={inner}"}}'
    )
    assert out(inside) == outside
    assert back(outside) == inside
    assert LINKS.header_out(b"location", f"https://sso.example/?r={inner}".encode()).decode().endswith(inner_out)


def test_xml_elements_and_attributes_are_rewritten_if_whole() -> None:
    inside = f'<r at="{DESK}/a" b=\'{DESK}/b\'><u>{DESK}/c</u><t>see {DESK}/d</t><t>{DESK}/e now</t>"{DESK}/f"</r>'
    outside = f'<r at="{PORT}/a" b=\'{PORT}/b\'><u>{PORT}/c</u><t>see {DESK}/d</t><t>{DESK}/e now</t>"{DESK}/f"</r>'
    assert out(inside, XML) == outside
    assert back(outside, XML) == inside


def test_html_attributes_are_rewritten_and_html_text_is_not() -> None:
    assert out(f'<a href="{DESK}/a">{DESK}/a</a>', HTML) == f'<a href="{PORT}/a">{DESK}/a</a>'


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/octet-stream", "application/gzip", "image/png"]
)
def test_other_content_is_untouched(content_type: str) -> None:
    assert out(f'"{DESK}/x"', content_type) == f'"{DESK}/x"'


def test_a_body_without_a_type_is_read_as_json_if_it_looks_like_it() -> None:
    assert back(f'{{"a":"{PORT}/x"}}', "") == f'{{"a":"{DESK}/x"}}'
    assert back(f"u={PORT}/x", "") == f"u={PORT}/x"


def test_headers_with_links_are_rewritten() -> None:
    link = f'<{DESK}/x?page=2>; rel="next", <https://other.example/>; rel="up"'
    assert LINKS.header_out(b"link", link.encode()).decode() == link.replace(DESK, PORT)
    assert LINKS.header_out(b"location", f"{DESK}/x".encode()).decode() == f"{PORT}/x"
    assert LINKS.header_out(b"location", f"{DESK}.evil/x".encode()).decode() == f"{DESK}.evil/x"
    assert LINKS.header_out(b"x-note", DESK.encode()).decode() == DESK
    assert LINKS.header_in(f"{PORT}/x") == f"{DESK}/x"


def test_a_host_pattern_keeps_its_label() -> None:
    inside = (
        '{"a":"https://b1.store.example/k?s=1","b":"https://x.y.store.example","c":"at https://b1.store.example/k"}'
    )
    outside = (
        '{"a":"http://b1.0d1a.store.localhost:8703/k?s=1","b":"http://x.y.0d1a.store.localhost:8703",'
        '"c":"at https://b1.store.example/k"}'
    )
    assert out(inside) == outside
    assert back(outside) == inside
    assert back("u=http%3A%2F%2Fb1.0d1a.store.localhost%3A8703%2Fk", FORM) == "u=https%3A%2F%2Fb1.store.example%2Fk"


values = st.recursive(
    st.none() | st.integers() | st.text(max_size=30) | st.sampled_from([DESK, f"{DESK}/x?y=z", f"see {DESK}", ADMIN]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def rewritten(value: object) -> object:
    """Return a document with its whole URLs rewritten, by walking it."""
    if isinstance(value, dict):
        return {key: rewritten(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rewritten(item) for item in value]
    hosts = {DESK: PORT, ADMIN: ADMIN_PORT}
    for old, new in hosts.items():
        if isinstance(value, str) and (value == old or value.startswith(f"{old}/")) and " " not in value:
            return value.replace(old, new, 1)
    return value


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_rewriting_text_equals_rewriting_the_document(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    changed = out(text)
    assert json.loads(changed) == rewritten(value)
    assert back(changed) == text


def test_rewriting_takes_linear_time() -> None:
    hard = ['"https://larkspur.zendesk.com' * 2000, '"https://b1.' * 4000 + "store.example", "=" * 3000 + DESK]
    hard += [f'"{"a." * 4000}store.example"', f'"{DESK}/?r=' * 1500, "&u=" * 3000 + PORT]

    def seconds(text: str) -> float:
        began = time.process_time()
        for content_type in (JSON, FORM, XML, HTML):
            out(text, content_type)
            back(text, content_type)
        return time.process_time() - began

    for text in hard:
        small = min(seconds(text) for _ in range(5))
        large = min(seconds(text * 8) for _ in range(3))
        assert large < 8 * 4 * max(small, 0.0005), text[:40]
