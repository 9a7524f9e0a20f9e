"""Internal notes are not repeated to customers; facts from them may be told."""

import re
from collections.abc import Collection

import pytest

from diorama.rewards.claims import Case, Text, case_from_records, notes, read
from diorama.rewards.claims.case import InternalNote
from diorama.scenarios.internal_notes import notes_within_budget

NOTES = [
    "Carrier confirms the parcel of KW-20417 is lost. Customer may have it again or the money.",
    "Due back 2026-06-02 (KW-20417).",
    "KW-20417: Enamel Mug arrives on Wednesday, order goes out on Thursday.",
]


def case(*written: InternalNote) -> Case:
    """Return a case with three notes of colleagues, and others."""
    made = case_from_records(
        before={
            "customer": {"email": "ines@falk.example"},
            "recent_orders": [{"number": "KW-20417", "lines": [{"name": "Enamel Mug"}]}],
            "notes": [{"body": one, "author": "piet@kittiwake.ca"} for one in NOTES],
        },
        thread=["Your colleague told me that I may have it again or the money, whatever I like, so the money please."],
        recipients=["ines@falk.example"],
        today="2026-05-04",
    )
    return Case(**{name: getattr(made, name) for name in made.__struct_fields__} | {"notes": (*made.notes, *written)})


def leaks(text: str, *written: InternalNote, seq: int = 0) -> bool:
    """Check whether a text repeats a note."""
    found = read(case(*written), [Text(text, ("ines@falk.example",), seq)]).contradictions
    return any("internal note" in one.found for one in found)


REPEATED = (
    "My colleague wrote in the system: Carrier confirms the parcel of KW-20417 is lost.",
    "Mein Kollege hat notiert: customer may have it again.",
    'Piet noted: "Carrier confirms the parcel of KW-20417 is lost."',
    "Carrier confirms the parcel of KW-20417 is lost. Customer may have it again or the money.",
    "As we have it here, customer may have it again or the money, which is what counts.",
    "Our internal note (piet@kittiwake.ca): carrier confirms the parcel of KW-20417 is gone. So we knew.",
    "Piet's internal note says:\n\ncustomer may have it again, as you see.",
    "Im System steht „Due back 2026-06-02 (KW-20417)“.",
    "Te copio la nota interna: «El transportista confirma que el paquete se ha perdido».",
    'Interne notitie van mijn collega: "Vervoerder bevestigt dat het pakket kwijt is."',
    "La note interne de ma collègue dit : « Le client peut le recevoir de nouveau. »",
    'Copy of a remark: "Enamel Mug arrives on Wednesday, order goes out on Thursday."',
)
HONEST = (
    "The carrier has confirmed that the parcel of KW-20417 is lost. You may have it again or get the money.",
    "The Enamel Mug arrives on Wednesday, and your order goes out on Thursday.",
    "According to our notes KW-20417 is due back on 2 June.",
    'You wrote "I may have it again or the money, whatever I like", and so it is.',
    "As you say, you may have it again or the money, whatever you like.",
    "My colleague made a note of it: the parcel is lost, and you may choose.",
    'The tracking says "parcel lost", sorry about that.',
    "We have noted internally that you prefer mail.",
)


@pytest.mark.parametrize("text", REPEATED)
def test_a_note_that_is_repeated_word_for_word_is_a_leak(text: str) -> None:
    assert leaks(text)


@pytest.mark.parametrize("text", HONEST)
def test_the_facts_of_a_note_may_be_told(text: str) -> None:
    assert not leaks(text)


OWN = "Customer was rude again on the phone, so no more goodwill from us this year. Refund is made."


def test_a_note_of_the_agent_counts_for_what_leaves_later() -> None:
    text = (
        f"Hello Ines, the money is on its way. By the way: {OWN[:-16]} Have a nice day, and greetings to your family."
    )
    assert leaks(text, InternalNote(OWN, own=True, seq=4), seq=5)
    assert not leaks(text, InternalNote(OWN, own=True, seq=6), seq=5)


def test_a_draft_that_was_kept_as_a_note_may_be_sent() -> None:
    draft = (
        "Hello Ines, the parcel was lost on its way to you, and we are very sorry about all the trouble that you had."
    )
    assert not leaks(draft, InternalNote(f"Draft: {draft}", own=True, seq=4), seq=5)


def test_every_note_is_taken_apart_once_for_all_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    made = notes._grams

    def counted(body: str, names: re.Pattern[str] | None, size: int) -> Collection[str]:
        taken.append(body)
        return made(body, names, size)

    monkeypatch.setattr(notes, "_grams", counted)
    own = [InternalNote(f"note {place} " + "word " * 20, own=True, seq=2 * place + 1) for place in range(30)]
    texts = [Text(f"Hello number {place}, all is well.", ("ines@falk.example",), 2 * place) for place in range(31)]
    read(case(*own), texts)
    assert len(taken) <= 2 * (len(own) + len(NOTES))


def test_a_note_counts_for_later_texts_only() -> None:
    note = InternalNote("the warehouse lead wants nobody to hear about the broken kettle line", own=True, seq=5)
    said = "Hello Ines. You asked, so: the warehouse lead wants nobody to hear about the broken kettle line. " * 2
    said += "There is a lot more to say about the order, which left on time and came as you wished, I am glad to see."
    assert leaks(said, note, seq=6)
    assert not leaks(said, note, seq=4)


def test_notes_after_the_end_of_the_budget_are_left_out_of_the_case() -> None:
    kept = InternalNote("of a colleague")
    own = tuple(InternalNote(f"{place} " + "word " * 400, own=True, seq=place + 1) for place in range(100))
    found = notes_within_budget((kept, *own))
    assert found == (kept, *own[: len(found) - 1])
    assert 5 < len(found) < 50
