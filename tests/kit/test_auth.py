"""Credentials in requests: every scheme reads what it writes, and nothing else."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Request
from diorama.kit import AuthScheme, Basic, Bearer, Credential, CredentialKind, Either

logins = st.emails()
secrets = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1)
schemes = st.sampled_from([Basic(), Basic("/token"), Either(Basic("/token"), Bearer()), Either(Basic(), Bearer())])


@given(schemes, logins, secrets)
def test_a_scheme_with_a_login_reads_what_it_writes(scheme: AuthScheme, login: str, secret: str) -> None:
    found = scheme.read(scheme.write(Request(), Credential(login, secret)))
    assert found is not None
    assert (found.login, found.secret) == (login, secret)


@given(st.sampled_from([Bearer(), Bearer("token", "bearer"), Either(Bearer(), Basic())]), secrets)
def test_a_bearer_reads_what_it_writes(scheme: AuthScheme, secret: str) -> None:
    found = scheme.read(scheme.write(Request(), Credential("", secret)))
    assert found is not None
    assert (found.login, found.secret) == ("", secret)


@given(st.text(), st.sampled_from([Basic(), Basic("/token"), Bearer(), Either(Basic(), Bearer("token"))]))
def test_any_header_gives_a_credential_or_none(text: str, scheme: AuthScheme) -> None:
    found = scheme.read(Request(headers={"authorization": text}))
    assert found is None or found.secret
    if scheme.read(Request()) is not None:
        raise AssertionError("a credential out of nothing")


def basic(pair: str) -> dict[str, str]:
    """Return a Basic header for a text that may not be a valid pair."""
    return {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Basic not-base64"},
        {"authorization": "Basic"},
        {"authorization": "Basic //8="},
        {"authorization": "Bearer "},
        {"authorization": "Digest x"},
        basic("no colon"),
        basic("ana@x.example:secret"),
        basic("ana@x.example/token:"),
        {},
    ],
)
def test_an_invalid_header_gives_no_credential(headers: dict[str, str]) -> None:
    assert Either(Basic("/token"), Bearer()).read(Request(headers=headers)) is None


def test_the_first_scheme_that_finds_a_credential_wins() -> None:
    either = Either(Basic("/token"), Bearer())
    assert either.read(Request(headers={"authorization": "bearer abc"})) == Credential("", "abc", scheme="bearer")
    assert either.write(Request(), Credential("", "s", scheme="bearer")).headers == {"authorization": "Bearer s"}
    assert either.write(Request(), Credential("ana@x.example", "s")).headers == basic("ana@x.example/token:s")


def test_the_token_prefix_is_accepted() -> None:
    scheme = Bearer("token", "bearer")
    assert scheme.read(Request(headers={"authorization": "Token abc"})) == Credential("", "abc")
    assert scheme.write(Request(), Credential("", "abc")).headers == {"authorization": "Token abc"}


def first_letter(length: int, alphabet: str) -> str:
    return alphabet[0] * length


def test_a_credential_is_issued_in_the_vendors_format() -> None:
    issued = CredentialKind("bot_token", "xoxb-{digits:12}-{alnum:24}").issue("ana@x.example", first_letter)
    assert (issued.kind, issued.shown, issued.secret) == ("bot_token", f"xoxb-{'0' * 12}-{'0' * 24}", "")
    assert issued.credentials == {"bot_token": issued.shown}


def test_a_client_that_signs_gets_the_id_of_its_key_too() -> None:
    kind = CredentialKind(
        form="{alnum:40}", key="AKIA{upper:16}", credentials=lambda person, secret, key: {"id": key, "secret": secret}
    )
    issued = kind.issue("ana@x.example", first_letter)
    assert (issued.shown, issued.secret) == ("AKIA" + "A" * 16, "0" * 40)
    assert issued.credentials == {"id": issued.shown, "secret": issued.secret}
    with pytest.raises(ValueError, match="could be guessed"):
        CredentialKind(key="AKIA{upper:2}")
