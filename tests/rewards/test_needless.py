"""Needless mails: nearly equal texts and too many of them cost quality; ordinary conversations cost nothing."""

from diorama.rewards.needless import MAILS_FREE, needless_mails

ME, OTHER = ("ines@falk.example",), ("jo@other.example",)
REPLY = "hello ines, we have refunded {} eur for your order to your card. it takes a few days. best regards, ana"
CONVERSATION = [
    "hello ines, could you send me a picture of the machine, please?",
    "thank you. i have asked my colleagues in the workshop and will write again.",
    REPLY.format("34.00"),
    "you are welcome, have a nice week!",
]


def to_me(texts: list[str]) -> list[tuple[tuple[str, ...], str]]:
    return [(ME, one) for one in texts]


def test_questions_interim_answers_and_one_correction_are_free() -> None:
    assert needless_mails(to_me(CONVERSATION)) == 0
    assert needless_mails(to_me([REPLY.format("43.00"), REPLY.format("34.00")])) == 0


def test_equal_and_nearly_equal_mails_are_needless() -> None:
    assert needless_mails(to_me([REPLY] * 3)) == 2
    assert needless_mails(to_me([f"{REPLY} ({number})" for number in range(16)])) == 14
    assert needless_mails(to_me([f"thank you! {number}" for number in range(70)])) == 68


def test_the_same_mail_to_different_people_is_not_needless() -> None:
    assert needless_mails([(ME, REPLY), (OTHER, REPLY)]) == 0


def test_more_mails_than_a_matter_needs_are_needless() -> None:
    words = "one two three four five six seven eight nine ten".split()  # noqa: SIM905 - one line
    assert needless_mails(to_me([f"{one} {one}ish {one}ness" for one in words])) == len(words) - MAILS_FREE
