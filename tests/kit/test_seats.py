"""Seats: credentials in the vendor's own format, drawn from dice, too long to be guessed."""

import re

import pytest

from diorama.kernel import Dice, Refusal
from diorama.kit import Product, Seat
from diorama.kit.product import KINDS
from diorama.kit.seats import check_form, seats_by_name

BOT = Seat("bot", "xoxb-{digits:12}-{digits:13}-{alnum:24}", lambda person, secret: {"bot": secret, "as": person})


def shown(seat: Seat, seed: str) -> str:
    return seat.issue("ana@x.example", Dice(seed).text).shown


def test_a_secret_has_the_vendors_form() -> None:
    secret = shown(BOT, "a")
    assert re.fullmatch(r"xoxb-\d{12}-\d{13}-[0-9A-Za-z]{24}", secret)
    assert secret == shown(BOT, "a") != shown(BOT, "b")
    assert re.fullmatch(r"[0-9a-f]{40}", shown(Seat(), "a"))


def test_a_seat_declares_the_form_of_its_secret() -> None:
    assert BOT.credentials("ana@x.example", "s") == {"bot": "s", "as": "ana@x.example"}
    assert Seat().credentials("ana@x.example", "s") == {"token": "s"}


@pytest.mark.parametrize("form", ["", "fixed", "{digits:8}", "{hex:15}", "xoxb-{digits:12}"])
def test_a_secret_that_is_easy_to_guess_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match="could be guessed"):
        check_form(form)


@pytest.mark.parametrize("form", ["{hex:16}", "{digits:22}", "key_{url:11}", BOT.form])
def test_a_secret_of_64_random_bits_is_enough(form: str) -> None:
    check_form(form)


def test_a_product_refuses_a_seat_with_an_unknown_slot() -> None:
    words = {kind: Refusal(400, kind) for kind in KINDS}
    with pytest.raises(ValueError, match=r"unknown slot \{runes:40\}"):
        Product("x", title="X", refusals=words, envelope=lambda refusal: ("", b""), seats=(Seat("", "{runes:40}"),))


def test_a_product_finds_its_seats_by_name() -> None:
    words = {kind: Refusal(400, kind) for kind in KINDS}
    made = Product("x", title="X", refusals=words, envelope=lambda refusal: ("", b""), seats=(Seat("user"), BOT))
    assert list(made.seats) == ["user", "bot"]


@pytest.mark.parametrize("seats", [(Seat(), BOT), (BOT, Seat()), (BOT, Seat("bot")), (Seat(), Seat())])
def test_several_seats_need_different_names(seats: tuple[Seat, ...]) -> None:
    with pytest.raises(ValueError, match="give each of several seats its own name"):
        seats_by_name(seats)


@pytest.mark.parametrize("name", ["a#b", "a@b"])
def test_a_seat_has_a_name_that_an_event_can_record(name: str) -> None:
    with pytest.raises(ValueError, match="must not contain # or @"):
        Seat(name)
