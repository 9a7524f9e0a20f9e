"""Colleagues: what a question is about, which of their knowledge they tell, and how they write."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama import people
from diorama.kernel import Dice, Tx
from diorama.kernel.testing import fresh
from diorama.people import Contact, Knows
from diorama.people.colleagues import TYPO_RATE, Question, _dressed, known_topics
from diorama.people.inbox import REPLY_HOURS
from diorama.people.material import load
from diorama.worlds.team import Habit

NOW = datetime(2026, 3, 2, tzinfo=UTC)
FACT = "The rolls are in cabinet C4, ask for Łukasz."


def knows(topic: str, *about: str, answer: str = "x", year: int = 2025) -> Knows:
    since = datetime(year, 1, 1, tzinfo=UTC)
    return Knows(contact_id="jo", topic=topic, about=about, answer=answer, since=since)


@pytest.mark.parametrize(
    ("text", "about", "fits"),
    [
        ("Where are the label rolls?", ("label", "roll"), True),
        ("WHERE ARE THE LABELS AND ROLLS?", ("label", "roll"), True),
        ("Where are the labels?", ("label", "roll"), False),
        ("Où est l'imprimante d'étiquettes ?", ("étiquette",), True),
        ("Is the unlabelled box a problem?", ("label",), False),
        ("When do we roast?", ("roast", "day|when"), True),
        ("", ("label",), False),
        ("Anything", (), False),
    ],
)
def test_a_question_is_about_a_topic_by_the_beginnings_of_words(text: str, about: tuple[str, ...], fits: bool) -> None:
    assert Question(text).is_about(about) is fits


def test_of_one_topic_only_the_newest_is_told_and_none_of_the_future() -> None:
    rows = [
        knows("a", "roll", answer="old", year=2024),
        knows("a", "roll", answer="new"),
        knows("a", "roll", year=2027),
    ]
    assert [one.answer for one in known_topics(rows, Question("rolls?"), NOW)] == ["new"]


def test_an_answer_covers_few_topics() -> None:
    rows = [knows(f"t{number}", "roll") for number in range(20)]
    assert len(known_topics(rows, Question("rolls?"), NOW)) == 3


@given(st.text(max_size=3000))
def test_any_text_is_compared(text: str) -> None:
    assert len(known_topics([knows("a", "a|b|c"), knows("b", "1")], Question(text), NOW)) <= 2


def test_every_habit_has_a_style_of_its_own() -> None:
    material = load("en")["colleague"]
    for habit in get_args(Habit):
        assert {habit} <= set(material["greetings"]) & set(material["closings"]) & set(TYPO_RATE) & set(REPLY_HOURS)
    texts = set[str]()
    for habit in get_args(Habit):

        def write(tx: Tx, habit: str = habit) -> str:
            who = Contact(id="jo", name="Jo Lund", given="Jo", email="jo@tea.example", team="Shop", habit=habit)
            return _dressed(tx, Dice(7), who, [FACT], "Ann")

        texts.add(fresh([people.APP]).read(write))
    assert len(texts) == len(get_args(Habit))


@given(st.integers(0, 400), st.sampled_from(get_args(Habit)))
def test_typing_errors_never_change_names_and_numbers(seed: int, habit: str) -> None:
    def write(tx: Tx) -> str:
        return _dressed(tx, Dice(seed), Contact(id="jo", name="Jo Lund", given="Jo", habit=habit), [FACT], "")

    text = WORLD.read(write)
    assert "C4," in text
    assert "Łukasz." in text


WORLD = fresh([people.APP])
