"""Claims of deeds: what is said to be done, what is denied, and what is only mentioned."""

import pytest

from diorama.rewards.claims.clauses import language_of, read_clauses, sentences
from diorama.rewards.claims.deeds import Claim, read_claims
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.values import read_values
from tests.rewards.claims.sentences import CLAIMS, DENIALS, MENTIONS


def claims(text: str) -> list[Claim]:
    folded = fold(text)
    return read_claims(read_clauses(folded, read_values(folded)))


@pytest.mark.parametrize(("language", "kind", "text"), CLAIMS, ids=[one[2][:60] for one in CLAIMS])
def test_a_claimed_deed_is_recognised(language: str, kind: str, text: str) -> None:
    found = claims(text)
    kinds = {"address_change" if one.kind == "goes" else one.kind for one in found if one.says}
    assert kinds - {"extra", "goods", "stays", "money", "arrival"} == {kind}
    assert {one.clause.language for one in found} == {language}


@pytest.mark.parametrize(("language", "kind", "text"), DENIALS, ids=[one[2][:60] for one in DENIALS])
def test_a_denied_deed_is_recognised(language: str, kind: str, text: str) -> None:
    found = claims(text)
    assert [(one.kind, one.says, one.factual) for one in found if one.kind == kind] == [(kind, False, True)]


@pytest.mark.parametrize(("language", "text"), MENTIONS, ids=[one[1][:60] for one in MENTIONS])
def test_a_mentioned_deed_is_not_a_claim(language: str, text: str) -> None:
    assert [
        one.kind for one in claims(text) if (one.says or one.factual) and one.kind not in {"stays", "arrival"}
    ] == []


@pytest.mark.parametrize(
    ("text", "limited"),
    [
        ("We have not sent a second parcel to you.", False),
        ("We have not sent the parcel again.", False),
        ("We have not sent another parcel before Friday.", True),
        ("We have not made a second refund.", True),
    ],
)
def test_again_does_not_limit_the_denial_of_a_reshipment(text: str, limited: bool) -> None:
    found = [one for one in claims(text) if one.kind in ("reshipment", "refund")]
    assert [(one.says, one.limited) for one in found] == [(False, limited)]


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_has_frames_for_the_nine_kinds(name: str) -> None:
    from diorama.rewards.claims.deeds import NINE

    assert set(NINE) <= {one.kind for one in LANGUAGES[name].frames}
    assert set(NINE) <= set(LANGUAGES[name].tells)
    assert set(LANGUAGES[name].topics) == set(LANGUAGES["en"].topics)


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_list_of_words_compiles(name: str) -> None:
    language = LANGUAGES[name]
    for frame in language.frames:
        for text in (frame.verb, *frame.needs, frame.without or "x"):
            assert words(text).search("") is None
    for text in (
        *language.tells.values(),
        *language.topics.values(),
        language.exempt,
        language.wish,
        language.limiting,
    ):
        assert words(text).search("") is None


def test_a_negation_after_the_verb_belongs_to_the_next_words() -> None:
    (claim,) = claims("I have cancelled the plan so that this does not happen again.")
    assert (claim.kind, claim.says) == ("cancellation", True)


def test_a_full_stop_in_a_date_ends_no_sentence() -> None:
    text = fold("Die Frist lief bis zum 17. Februar. Danach geht es nicht mehr, z. B. bei Nr. 5.")
    first, *_ = sentences(text, read_values(text))
    assert text[slice(*first)].strip().endswith("februar.")


def test_the_language_is_recognised_per_sentence() -> None:
    assert language_of("wir haben das paket nicht") == "de"
    found = read_clauses("your order is fine. wir geben ihnen 20,00 € guthaben.", ())
    assert [one.language for one in found] == ["en", "de"]
