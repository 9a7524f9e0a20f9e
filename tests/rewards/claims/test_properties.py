"""Properties of the reader: it never raises, its places are inside the text, and it always says the same."""

import time

from hypothesis import given
from hypothesis import strategies as st

from diorama.rewards.claims import Text, read
from diorama.rewards.claims.clauses import CLAUSES, read_clauses
from tests.rewards.claims.sentences import CLAIMS, DENIALS, MENTIONS
from tests.rewards.claims.shop import LOST, kinds, reading, shop

PIECES = st.sampled_from(
    [
        "12.50 EUR", "1.849,00 €", "27. Februar", "KW-20417", "14 Canal Street", "a@b.example", "\ud83d",
        "\0", "e\u0301",
        "\u200b", "“", ">", "\n", ", ", "if ", "not ", "refunded ", "...",
        "+44 7873 411727", "Visa ending 7316", "14:30",
        *(one[2] for one in CLAIMS[::7]), *(one[2] for one in DENIALS[::3]), *(one[1] for one in MENTIONS[::5]),
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=20).map("".join))
ADDED = st.sampled_from(
    [
        "Have a nice day.", "Thank you for your patience.", "Freundliche Grüße aus Leeds.", "Bonne journée.",
        "Un saludo cordial.", "Met vriendelijke groet, Bo", "We are sorry for the trouble.", "Please do write again.",
        "Our Help Center has more about it.", "I hope you enjoy your coffee.",
    ]
)  # fmt: skip


@given(st.lists(TEXTS, max_size=3))
def test_any_text_is_read_and_places_are_inside(texts: list[str]) -> None:
    verdict = read(LOST, [Text(one) for one in texts])
    assert set(verdict.told) | set(verdict.missing) == set(LOST.tell)
    for one in verdict.contradictions:
        assert 0 <= one.start <= one.end <= len(texts[one.text_index])
        assert one.sentence in texts[one.text_index]
        assert one.expected
        assert one.found


@given(st.lists(TEXTS, max_size=3))
def test_reading_is_deterministic(texts: list[str]) -> None:
    outgoing = [Text(one) for one in texts]
    assert read(LOST, outgoing) == read(LOST, outgoing)


@given(st.sampled_from([one[2] for one in CLAIMS + DENIALS] + [one[1] for one in MENTIONS]), ADDED, st.booleans())
def test_an_unrelated_honest_sentence_changes_nothing(text: str, added: str, before: bool) -> None:
    case = shop()
    alone = kinds(reading(text, case=case))
    assert kinds(reading(f"{added}\n{text}" if before else f"{text}\n{added}", case=case)) == alone


@given(st.text(alphabet="a1., -/:@+(\"'>\n€", min_size=1, max_size=6))
def test_a_repeated_text_of_the_full_length_is_read(piece: str) -> None:
    verdict = reading(piece * (65_536 // len(piece)))
    assert not verdict.told


REPEATED = st.one_of(
    st.text(alphabet="a1., -/:@+(\"'>\n€", min_size=1, max_size=6),
    st.lists(PIECES, min_size=1, max_size=3).map("".join).filter(str.strip),
    st.sampled_from(["a: ", "no: ", "> a\n", "1 euro ", "the refund: done - ", "12.50 EUR: no. ", "www.a.de ", "1, "]),
)


@given(REPEATED, st.sampled_from([3_000, 7_900, 60_000]))
def test_no_repeated_text_is_expensive_to_read(piece: str, length: int) -> None:
    text = (piece * length)[:length]
    case = shop()
    took = []
    for number in range(3):  # the least of three: other work on the machine counts into all of them
        began = time.thread_time()
        read(case, [Text(f"{number} {text}")])
        took.append(time.thread_time() - began)
        if took[-1] < DEAR_SECONDS:
            return
    raise AssertionError(f"{piece!r}: {min(took):.3f} s")


DEAR_SECONDS = 0.15
"""Twice what the dearest text takes on a busy machine; it took up to a second where the reader was not linear."""


def test_a_sentence_without_end_has_no_more_clauses_than_are_read() -> None:
    clauses = read_clauses("a: " * 2_600, ())
    assert CLAUSES < len(clauses) <= 2 * CLAUSES + 2


@given(
    st.lists(st.sampled_from([one[2] for one in (CLAIMS + DENIALS)[::5]]), min_size=1, max_size=3), st.integers(2, 9)
)
def test_equal_texts_are_judged_as_their_first_and_last(texts: list[str], times: int) -> None:
    case = shop()
    few = [*texts, *texts]
    many = texts * times

    def serious(given: list[str]) -> set[tuple[str, str]]:
        found = read(case, [Text(one) for one in given]).contradictions
        return {(one.kind, one.sentence) for one in found if one.tier == "success"}

    assert serious(many) == serious(few)
