"""Credentials on the wire: every scheme reads what it writes, and nothing else."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kit import AuthScheme, Basic, Bearer, Credential, Either

logins = st.emails()
secrets = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1)
schemes = st.sampled_from([Basic(), Basic("/token"), Either(Basic("/token"), Bearer()), Either(Basic(), Bearer())])


@given(schemes, logins, secrets)
def test_a_scheme_with_a_login_reads_what_it_writes(scheme: AuthScheme, login: str, secret: str) -> None:
    assert scheme.read(scheme.write(Credential(login, secret))) == Credential(login, secret)


@given(st.sampled_from([Bearer(), Bearer("token", "bearer"), Either(Bearer(), Basic())]), secrets)
def test_a_bearer_reads_what_it_writes(scheme: AuthScheme, secret: str) -> None:
    assert scheme.read(scheme.write(Credential("", secret))) == Credential("", secret)


@given(st.text(), st.sampled_from([Basic(), Basic("/token"), Bearer(), Either(Basic(), Bearer("token"))]))
def test_whatever_stands_in_the_header_it_is_a_credential_or_none(text: str, scheme: AuthScheme) -> None:
    found = scheme.read({"authorization": text})
    assert found is None or found.secret
    if scheme.read({}) is not None:
        raise AssertionError("a credential out of nothing")


def basic(pair: str) -> dict[str, str]:
    """A Basic header for a pair that may be no pair."""
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
def test_what_is_no_credential_is_none(headers: dict[str, str]) -> None:
    assert Either(Basic("/token"), Bearer()).read(headers) is None


def test_the_first_scheme_that_finds_something_counts_and_the_first_one_writes() -> None:
    either = Either(Basic("/token"), Bearer())
    assert either.read({"authorization": "bearer abc"}) == Credential("", "abc")
    assert either.write(Credential("ana@x.example", "s")) == basic("ana@x.example/token:s")


def test_some_clients_say_token() -> None:
    scheme = Bearer("token", "bearer")
    assert scheme.read({"authorization": "Token abc"}) == Credential("", "abc")
    assert scheme.write(Credential("", "abc")) == {"authorization": "Token abc"}
