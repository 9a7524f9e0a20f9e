"""What a provider answers: its faults are its own, and it cannot have the key written into a record."""

import json
import socket
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest

from diorama.episodes.agents.model import Endpoint, ProviderFailed, _seconds, converse
from diorama.runs.perform import perform
from diorama.runs.replay import check
from diorama.runs.store import Job, unpack
from tests.episodes.test_random_agent import Desk

KEY = "sk-VERYSECRET/0123456789"
SLASHED = "abc/def+ghi=jkl"
LATE = "zendesk/late-refund"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Serve one raw answer to every request."""
    answers: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            with peer:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += peer.recv(65536)
                length = next(
                    int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
                )
                body = head.partition(b"\r\n\r\n")[2]
                while len(body) < length:
                    body += peer.recv(65536)
                peer.sendall(answers[-1])

    threading.Thread(target=serve, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    yield answers.append
    listener.close()


def answer(document: Any, status: str = "200 OK") -> bytes:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (status.encode(), len(body), body)


def completion(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", **message}}], "usage": {KEY: f"of {KEY}"}}


ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
CALL = {"id": KEY, "function": {"name": f"no {KEY}", "arguments": f'{{"{KEY}": "{ESCAPED}"}}'}}
END = {"id": "2", "function": {"name": "finish", "arguments": json.dumps({"report": KEY})}}
ANSWERS = {
    "an error with status 200": answer({"error": {"message": f"Incorrect API key provided: Bearer {KEY}"}}),
    "no JSON, cut in the key": answer(b"x" * 195 + f"Bearer {KEY}".encode()),
    "an error": answer({"error": f"Bearer {KEY}"}, "401 Unauthorized"),
    "a refusal": answer({"error": f"Bearer {KEY}"}, "400 Bad Request"),
    "a status line": f"HTTP/1.1 {KEY}\r\n\r\n".encode(),
    "a completion": answer(completion(content=f"I am {KEY}", tool_calls=[CALL, END])),
    "a report": answer(completion(content=f"I am {KEY}")),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_key_is_never_recorded(name: str, provider: Callable[[bytes], None]) -> None:
    provider(ANSWERS[name])
    finished = perform(Job("openai:m-1", LATE, 0))
    kept = [finished.result, finished.note, unpack(finished.events), unpack(finished.transcript)]
    text = json.dumps([*kept, *(str(body) for body in finished.bodies.values())])
    assert "VERYSECRET" not in text
    assert "***" in text


def test_a_password_and_a_query_of_the_address_are_hidden() -> None:
    endpoint = Endpoint("http://ann:a%20long%20word@127.0.0.1/v1?api-key=SESAME-OPEN", "")
    told = endpoint.hidden(f"{endpoint.url}: ann:a long word, YW5uOmEgbG9uZyB3b3Jk, a%20long%20word")
    for secret in ("long", "YW5u", "SESAME"):
        assert secret not in told


@pytest.mark.parametrize("key", ["sk-long\r\nX: y", "sk-long-\N{EURO SIGN}", "sk-long\x00x"])
def test_a_key_that_no_header_can_hold_is_named_without_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {"OPENAI_API_KEY": key})
    with pytest.raises(ProviderFailed, match="OPENAI_API_KEY has characters") as failed:
        converse(Desk(), "m-1")
    assert failed.value.kind == "configuration"
    assert "sk-long" not in str(failed.value)


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"HTTP/1.1 429 X\r\nRetry-After: -5\r\nContent-Length: 0\r\n\r\n", "http_429"),
        (b"HTTP/1.1 429 X\r\nRetry-After: nan\r\nContent-Length: 0\r\n\r\n", "http_429"),
        (b"HTTP/1.1 503 X\r\nRetry-After: inf\r\nContent-Length: 0\r\n\r\n", "http_503"),
        (b"HTTP/1.1 400 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "IncompleteRead"),
        (b"HTTP/1.1 500 X\r\nContent-Length: 1000\r\n\r\n{", "IncompleteRead"),
        (b"HTTP/1.1 666 X\r\nContent-Length: 1\r\n\r\nx", "http_666"),
        (b"HTTP/1.1 999 X\r\nContent-Length: 1\r\n\r\nx", "http_999"),
        (answer({"choices": ["x"]}), "malformed"),
        (answer([1]), "malformed"),
    ],
)
def test_a_fault_of_the_provider_is_void_and_not_a_forgery(
    raw: bytes, kind: str, provider: Callable[[bytes], None]
) -> None:
    provider(raw)
    finished = perform(Job("openai:m-1", LATE, 0))
    assert (finished.result["ended"], finished.note) == ("void", "")
    assert (finished.result["fault"]["boundary"], finished.result["fault"]["kind"]) == ("provider", kind)
    divergence, reason = check(finished)
    assert divergence is None
    assert "a replay does not meet again" in reason


@pytest.mark.parametrize(
    ("header", "seconds"), [(None, 7.0), ("", 7.0), ("3", 3.0), ("-5", 7.0), ("nan", 7.0), ("inf", 7.0), ("x", 7.0)]
)
def test_retry_after_is_a_number_of_seconds(header: str | None, seconds: float) -> None:
    assert _seconds(header, 7.0) == seconds


def test_no_redirection_is_followed(provider: Callable[[bytes], None], monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = socket.create_server(("127.0.0.1", 0))
    elsewhere.settimeout(0.2)
    host = f"http://localhost:{elsewhere.getsockname()[1]}/"
    provider(b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % host.encode())
    with pytest.raises(ProviderFailed, match="answered 302"):
        converse(Desk(), "m")
    with pytest.raises(TimeoutError):
        elsewhere.accept()
    elsewhere.close()


def test_secrets_are_hidden_in_base64_too() -> None:
    endpoint = Endpoint("https://someuser:pass%2Fword77@host.example/v1?querysecret77", KEY)
    for secret in (KEY, f"Bearer {KEY}", "pass/word77", "someuser", "someuser:pass/word77", "querysecret77"):
        for told in (secret, b64encode(secret.encode()).decode()):
            assert "***" in endpoint.hidden(f"it says {told}!"), told
    assert endpoint.url == "https://host.example/v1"


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/v1?key=QSECRET77#FSECRET77", "http://u:p@ss/SECRET77@host/v1", "http://u:p@ss#SECRET77@host/v1",
        "http://host/v1#FSECRET77", "http://host:0/v1?QSECRET77", "http://host:QSECRET77/v1", "//SECRET77@host",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_not_printed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(ProviderFailed, match="not an http or https URL") as raised:
        Endpoint.from_environment()
    assert "SECRET77" not in str(raised.value)


@pytest.mark.parametrize(
    "spelled", [quote(SLASHED, safe=""), quote(SLASHED), "abc%2fdef%2bghi%3djkl", "abc/def%2bghi%3djkl"]
)
def test_secrets_are_hidden_in_every_percent_encoding(spelled: str) -> None:
    assert Endpoint("https://host.example/v1", SLASHED).hidden(f"it says {spelled}!") == "it says ***!"


def test_a_key_that_is_repeated_often_is_not_shown_in_part() -> None:
    endpoint = Endpoint("https://host.example/v1", KEY)
    with pytest.raises(ProviderFailed) as told:
        endpoint._read((KEY * 200).encode())
    assert KEY[:6] not in str(told.value)


MIXED = "".join(f"\\u{ord(letter):04X}" if at % 2 else letter for at, letter in enumerate(KEY))


@pytest.mark.parametrize("written", [ESCAPED, MIXED, ESCAPED.replace("\\", "\\\\"), KEY.replace("/", "\\/")])
def test_a_key_in_escapes_is_hidden_in_malformed_json(written: str, provider: Callable[[bytes], None]) -> None:
    provider(answer(b'{"error": "no ' + written.encode() + b' here"'))
    with pytest.raises(ProviderFailed) as failed:
        converse(Desk(), "m")
    assert "no *** here" in str(failed.value)


def test_a_password_in_escapes_is_hidden() -> None:
    password = 'p\u00e4"\\s/w\U0001f600rd'
    endpoint = Endpoint(f"http://me:{quote(password, safe='')}@127.0.0.1/v1", "")
    every = "".join(f"\\u{code:04x}" for code in memoryview(password.encode("utf-16-le")).cast("H"))
    for written in (json.dumps(password)[1:-1], every, every.upper().replace("U", "u"), password):
        assert endpoint.hidden(f"<{written}>") == "<***>"
    assert endpoint.hidden("\\u0070 is a letter") == "\\u0070 is a letter"


def test_control_characters_in_a_cause_are_escaped(provider: Callable[[bytes], None]) -> None:
    provider(answer(b"bad\r\ngateway \x1b[31m", "502 Bad"))
    with pytest.raises(ProviderFailed) as failed:
        converse(Desk(), "m")
    assert str(failed.value).endswith("answered 502: bad\\r\\ngateway \\x1b[31m")


@pytest.mark.parametrize("lead", ["", "a", "ab", "abc", "user:", "Bearer "])
@pytest.mark.parametrize("tail", ["", "!", "yz"])
def test_base64_with_the_key_anywhere_in_it_is_hidden(lead: str, tail: str) -> None:
    endpoint = Endpoint("https://host.example/v1", KEY)
    coded = b64encode(f"{lead}{KEY}{tail}".encode()).decode()
    for written in (coded, coded.rstrip("="), coded.translate(str.maketrans("+/", "-_")), f"xy{coded}"):
        assert KEY not in endpoint.hidden(written)
        assert "***" in endpoint.hidden(f"it says {written} here")


def test_every_percent_encoding_of_the_key_is_hidden() -> None:
    endpoint = Endpoint("https://host.example/v1", KEY)
    every = "".join(f"%{ord(one):02x}" for one in KEY)
    some = KEY.replace("-", "%2D").replace("S", "%53")
    for written in (every, every.upper().replace("%5B", "%5b"), some, quote(some, safe="")):
        assert "***" in endpoint.hidden(f"<{written}>"), written
    assert endpoint.hidden("100%25 of c2VjcmV0IHdvcmRz") == "100%25 of c2VjcmV0IHdvcmRz"
