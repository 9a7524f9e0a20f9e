"""Messy writing: the same dice give the same text, other dice another text, and facts are never altered."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Dice
from diorama.people.addresses import draw_company, draw_email, draw_home, draw_phone
from diorama.people.grammar import Renderer, parse
from diorama.people.names import cultures, draw_person, split_name
from diorama.people.typos import add_typos, neighbours
from diorama.people.voices import VOICES, draw_voice
from diorama.people.writing import (
    LANGUAGES,
    Writer,
    autoresponse,
    dress,
    forwarded,
    say_amount,
    with_history,
    written_day,
)

MOMENT = datetime(2026, 2, 27, 14, 5, tzinfo=UTC)
FACTS = {"order": "LK-20417", "amount": "€129.00", "serial": "AR1-25-008812"}
MATTER = ["my order {order} never came.", "I paid {amount} for it.", "[Where is it|What happened]?"]


def writer(seed: int, voice: str = "") -> Writer:
    dice = Dice(f"writer {seed}")
    person = draw_person(dice)
    return Writer(
        person=person,
        email=draw_email(dice, person),
        voice=voice or draw_voice(dice, person.native),
        phone=draw_phone(dice, person.country),
    )


def test_the_same_dice_write_the_same_text() -> None:
    for seed in range(40):
        twice = [dress(Dice(seed), writer(seed), MATTER, FACTS, embroider=True) for _ in range(2)]
        assert twice[0] == twice[1]


def test_other_dice_write_another_text() -> None:
    texts = {dress(Dice(seed), writer(seed), MATTER, FACTS, embroider=True) for seed in range(60)}
    assert len(texts) == 60


@pytest.mark.parametrize("voice", sorted(VOICES))
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_voice_distorts_a_fact(voice: str, language: str) -> None:
    for seed in range(25):
        text = dress(Dice(seed), writer(seed), MATTER, FACTS, language, voice, embroider=True)
        assert FACTS["order"] in text
        assert FACTS["amount"] in text


@pytest.mark.parametrize("voice", sorted(VOICES))
def test_plain_wording_adds_no_facts(voice: str) -> None:
    allowed = re.compile(r"\d")
    for seed in range(40):
        who = writer(seed)
        text = dress(Dice(seed), who, ["it broke.", "please help."], language="en", voice=voice)
        for fact in (who.phone, who.email):
            text = text.replace(fact, "")
        assert not allowed.search(text), text


def test_angry_people_shout_and_phones_skip_capitals() -> None:
    angry = [dress(Dice(seed), writer(seed), MATTER, FACTS, "en", "angry", embroider=True) for seed in range(60)]
    assert sum(bool(re.search(r"\b[A-Z]{4,} [A-Z]{2,}", text)) for text in angry) > 15
    thumbs = [dress(Dice(seed), writer(seed), MATTER, FACTS, "en", "phone") for seed in range(60)]
    assert sum("my order LK-20417" in text for text in thumbs) > 25
    assert sum("Sent from" in text or "Outlook" in text for text in thumbs) > 15


@given(st.integers(0, 10_000), st.sampled_from(LANGUAGES))
def test_typos_keep_digits_and_are_rare(seed: int, language: str) -> None:
    text = "Bitte please merci gracias graag " * 20 + "order 12345 of 03.02.2026 costs 129.00"
    slipped = add_typos(Dice(seed), text, 0.02, language)
    assert re.findall(r"\d+", slipped) == re.findall(r"\d+", text)
    changed = sum(a != b for a, b in zip(text.split(" "), slipped.split(" "), strict=False))
    assert changed <= 30


def test_the_rate_of_typos_is_as_configured() -> None:
    text = "the machine arrived yesterday evening without its water tank " * 2000
    slipped = add_typos(Dice(5), text, 0.02)
    changed = sum(a != b for a, b in zip(text.split(" "), slipped.split(" "), strict=True))
    assert 0.015 < changed / (2000 * 7) < 0.025  # seven words of three letters and more in each sentence


def test_typos_follow_the_keyboard() -> None:
    assert set("wrsd") <= set(neighbours("qwerty")["e"])
    assert "p" not in neighbours("qwerty")["q"]
    assert "z" in neighbours("qwertz")["t"]
    assert "z" in neighbours("azerty")["a"]


def test_a_reply_quotes_the_message_it_answers() -> None:
    for seed in range(20):
        text = with_history(Dice(seed), "ok", "Dear X,\nplease send it.", "Ana", "a@b.c", MOMENT, "x@y.z", "Re", "en")
        assert "please send it." in text
        assert "Ana" in text
        assert "ok" in text.split("\n")
    passed_on = forwarded(Dice(1), "original words", "Ana", "a@b.c", MOMENT, "x@y.z", "Hello", "de")
    assert "original words" in passed_on
    assert "a@b.c" in passed_on


@pytest.mark.parametrize("language", LANGUAGES)
def test_autoresponders_exist_in_every_language(language: str) -> None:
    subject, body = autoresponse(Dice(3), writer(3), "your order", MOMENT, language)
    assert "your order" in subject
    assert len(body) > 20
    assert "{" not in body + subject


def test_amounts_are_always_exact() -> None:
    for seed in range(60):
        for language in LANGUAGES:
            said = say_amount(Dice(seed), 12_905, "EUR", language)
            assert re.sub(r"[^\d]", "", said) == "12905"
            assert re.sub(r"[^\d]", "", say_amount(Dice(seed), 12_900, "EUR", language)) in ("12900", "129")


def test_phrases_use_only_branches_whose_facts_are_known() -> None:
    phrase = "I ordered [it|{product}|{product} on {date}]."
    texts = {Renderer(Dice(seed), {}).render(phrase) for seed in range(10)}
    assert texts == {"I ordered it."}
    assert parse(phrase).slots == frozenset()
    assert Renderer(Dice(1), {}).pick(["{order} only", "no fact"]) == "no fact"
    with pytest.raises(ValueError, match="bracket"):
        parse("a [b|c")


def test_people_come_from_many_places_and_are_never_placeholders() -> None:
    people = [draw_person(Dice(f"p{seed}")) for seed in range(400)]
    assert len({person.culture for person in people}) > 20
    assert len({person.name for person in people}) > 380
    assert len(cultures()) >= 30
    assert not [person for person in people if re.search(r"test|user|\d", person.name, re.IGNORECASE)]


def test_addresses_match_their_owners_country() -> None:
    for seed in range(200):
        dice = Dice(f"a{seed}")
        person = draw_person(dice)
        private, firm = draw_email(dice, person), draw_email(dice, person, draw_company(dice))
        for email in (private, firm):
            assert re.fullmatch(r"[a-z0-9._-]+@[a-z0-9.-]+\.[a-z]{2,3}", email), email
        home = draw_home(dice, person.country)
        assert home.city
        assert re.search(r"\d", home.postal_code)
        assert "{" not in home.one_line()


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_are_written_with_the_name_of_the_month(language: str) -> None:
    said = {written_day(Dice(f"{count}"), date(2026, 6, 15), language, with_year=False) for count in range(20)}
    assert all("15" in one and re.search(r"[a-zA-Z]{3}", one) and "2026" not in one for one in said)
    assert "2026" in written_day(Dice("1"), date(2026, 6, 15), language, with_year=True)


def test_a_name_of_one_word_is_not_said_twice() -> None:
    assert split_name("Poppy") == ("Poppy", "")
    assert split_name("Anna Maria Weber") == ("Anna Maria", "Weber")
