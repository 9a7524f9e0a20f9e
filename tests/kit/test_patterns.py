"""Regular expressions of a request: linear time, and refused when they need backtracking."""

import time

import pytest

from diorama.kernel import OverBudget, Tx
from diorama.kernel.budget import REQUEST
from diorama.kernel.testing import fresh
from diorama.kit.patterns import Pattern, pattern_of


def found(pattern: Pattern | None, text: str) -> bool:
    assert pattern is not None
    return fresh([]).read(lambda tx: pattern.search(tx, text))


@pytest.mark.parametrize("text", ["(a+)+$", "(a|a)*$", "(x+x+)+y", "(.*)*(.*)*z"])
def test_patterns_that_backtrack_elsewhere_take_linear_time(text: str) -> None:
    pattern = pattern_of(text)
    started = time.process_time()
    assert found(pattern, "a" * 60_000 + "!") is (text == "(a|a)*$")
    assert time.process_time() - started < 0.1


@pytest.mark.parametrize("text", [r"(a)\1", "(?=a)b", "(?<!a)b", "(", "[", r"(\PN{1,9}){1,90}", "a{2000}"])
def test_patterns_that_need_backtracking_or_are_too_large_are_not_valid(text: str) -> None:
    started = time.process_time()
    assert pattern_of(text) is None
    assert time.process_time() - started < 0.1


def test_a_large_pattern_over_a_long_text_is_over_budget() -> None:
    pattern = pattern_of("(a{0,100}){0,10}$")
    assert found(pattern, "a" * 100)

    def search(tx: Tx) -> bool:
        assert pattern is not None
        tx.allow(REQUEST)
        return pattern.search(tx, "a" * 65_536)

    with pytest.raises(OverBudget):
        fresh([]).read(search)
