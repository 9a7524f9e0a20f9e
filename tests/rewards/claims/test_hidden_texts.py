"""Texts that come with a message must be true, but they tell nothing and take nothing back."""

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Entity, Text, case_from_records, read

CASE = case_from_records(
    before={"customer": {"email": "ines@falk.example"}, "recent_orders": [{"number": "KW-20417", "total_cents": 4280}]},
    deeds=[Deed("refund", "ch_1", cents=4280, destination="original_payment", names=("KW-20417",), seq=12)],
    tell=[Entity("amount", ("4280",))],
    recipients=["ines@falk.example"],
    today="2026-05-04",
)
TRUE = "We have refunded 42.80 EUR for KW-20417."
LIE = "A new parcel is on its way, too."
DENIAL = "No new parcel is on its way."


def kinds(*texts: Text) -> list[tuple[str, str]]:
    """Return the kind and the tier of every contradiction."""
    return [(one.kind, one.tier) for one in read(CASE, texts).contradictions]


def test_a_hidden_text_tells_nothing() -> None:
    assert read(CASE, [Text(TRUE, hidden=True), Text("Hello.")]).missing == CASE.tell
    assert not read(CASE, [Text(TRUE)]).missing


def test_a_hidden_lie_costs_success() -> None:
    assert ("claimed", "success") in kinds(Text(LIE, hidden=True), Text(TRUE))


def test_a_hidden_text_takes_nothing_back() -> None:
    assert ("claimed", "success") in kinds(Text(TRUE), Text(LIE), Text(DENIAL, hidden=True))
    assert ("claimed", "success") not in kinds(Text(TRUE), Text(LIE), Text(DENIAL))


def test_a_hidden_text_repeats_nothing() -> None:
    assert kinds(Text(TRUE, hidden=True), Text(TRUE)) == []


def test_struck_text_tells_and_claims_nothing_but_leaks() -> None:
    def struck(body: str) -> Text:
        return Text(body, hidden=True, struck=True)

    assert read(CASE, [struck(TRUE), Text("Hello.")]).missing == CASE.tell
    assert kinds(struck(LIE), Text(TRUE)) == []
    assert kinds(struck("It was 99.00 EUR."), Text(TRUE)) == []
    assert ("ungrounded", "success") in kinds(struck("Their address is jo@other.example."), Text(TRUE))
