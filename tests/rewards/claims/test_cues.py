"""Cues: a pattern that is not tried would have found nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.rewards.claims import cues, values
from diorama.rewards.claims.values import Value, read_values

PIECES = (
    "12.90 eur", "€ 7", "lk-10001", "ord_abcdefgh12", "2026-01-12", "12. march", "may 3rd", "3/4", "14:30", "9h15",
    "10 %", "5 percent", "house number 12 in elm street", "12 elm street", "se1 5gr", "75011 paris", "anna@gmx.de",
    "+49 30 1234567", "call 123456", "visa ending 1234", "card 1 2 3 4", "zip 1 2 3 4 5", "twenty euros", "7k euros",
    "12.00,-", "1 2 3 4 5 6 7 8 9", "pays with 1234", "one two three four", "today", "a", ".", ",", "-", "h",
)  # fmt: skip


def _all_tried(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Value, ...]:
    with monkeypatch.context() as patched:
        patched.setattr(values, "cues_of", lambda _: cues.EVERYTHING)
        return read_values(text)


@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_cues_change_no_value(parts: list[str]) -> None:
    text = " ".join(parts)
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert read_values(text) == _all_tried(text, monkeypatch)


def test_each_piece_alone_is_read_as_without_cues(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {one: read_values(one) for one in PIECES} == {one: _all_tried(one, monkeypatch) for one in PIECES}
