"""Seats: credentials in the vendor's own format, drawn from dice, too long to be guessed."""

import re

import pytest

from diorama.kernel import Dice, Refusal
from diorama.kit import CredentialKind, Product
from diorama.kit.credential_kinds import check_form, kinds_by_name
from diorama.kit.product import REFUSAL_KINDS

BOT = CredentialKind(
    "bot", "xoxb-{digits:12}-{digits:13}-{alnum:24}", lambda person, secret: {"bot": secret, "as": person}
)


def shown(kind: CredentialKind, seed: str) -> str:
    return kind.issue("ana@x.example", Dice(seed).text).shown


def test_a_secret_has_the_vendors_form() -> None:
    secret = shown(BOT, "a")
    assert re.fullmatch(r"xoxb-\d{12}-\d{13}-[0-9A-Za-z]{24}", secret)
    assert secret == shown(BOT, "a") != shown(BOT, "b")
    assert re.fullmatch(r"[0-9a-f]{40}", shown(CredentialKind(), "a"))


def test_a_credential_kind_declares_the_form_of_its_secret() -> None:

    def draw(length: int, alphabet: str) -> str:
        return alphabet[0] * length

    assert BOT.issue("ana@x.example", draw).credentials["as"] == "ana@x.example"
    assert list(CredentialKind().issue("ana@x.example", draw).credentials) == ["token"]
    assert list(CredentialKind("user").issue("ana@x.example", draw).credentials) == ["user_token"]


def test_two_kinds_never_share_a_key_of_the_client() -> None:
    with pytest.raises(ValueError, match="as 'token'"):
        kinds_by_name(tuple(CredentialKind(name, credentials=lambda _, secret: {"token": secret}) for name in "ab"))
    assert list(kinds_by_name((CredentialKind("bot"), CredentialKind("user")))) == ["bot", "user"]


@pytest.mark.parametrize("form", ["", "fixed", "{digits:8}", "{hex:15}", "xoxb-{digits:12}"])
def test_a_secret_that_is_easy_to_guess_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match="could be guessed"):
        check_form(form)


@pytest.mark.parametrize("form", ["{hex:16}", "{digits:22}", "key_{url:11}", BOT.form])
def test_a_secret_of_64_random_bits_is_enough(form: str) -> None:
    check_form(form)


def test_a_product_refuses_a_credential_kind_with_an_unknown_slot() -> None:
    words = {kind: Refusal(400, kind) for kind in REFUSAL_KINDS}
    with pytest.raises(ValueError, match=r"unknown slot \{runes:40\}"):
        Product(
            "x",
            title="X",
            refusals=words,
            envelope=lambda refusal: ("", b""),
            credential_kinds=(CredentialKind("", "{runes:40}"),),
        )


def test_a_product_finds_its_credential_kinds_by_name() -> None:
    words = {kind: Refusal(400, kind) for kind in REFUSAL_KINDS}
    made = Product(
        "x",
        title="X",
        refusals=words,
        envelope=lambda refusal: ("", b""),
        credential_kinds=(CredentialKind("user"), BOT),
    )
    assert list(made.credential_kinds) == ["user", "bot"]


@pytest.mark.parametrize(
    "kinds",
    [
        (CredentialKind(), BOT),
        (BOT, CredentialKind()),
        (BOT, CredentialKind("bot")),
        (CredentialKind(), CredentialKind()),
    ],
)
def test_several_credential_kinds_need_different_names(kinds: tuple[CredentialKind, ...]) -> None:
    with pytest.raises(ValueError, match="give each of several kinds its own name"):
        kinds_by_name(kinds)


@pytest.mark.parametrize("name", ["a#b", "a@b"])
def test_a_credential_kind_has_a_name_that_an_event_can_record(name: str) -> None:
    with pytest.raises(ValueError, match="must not contain # or @"):
        CredentialKind(name)
