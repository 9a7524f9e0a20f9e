"""The reader on a small case of our own: what is told, and what each kind of contradiction costs."""

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import TIERS, Entity, Text, read
from tests.rewards.claims.shop import LOST, REFUND, TELL, kinds, reading, shop

HONEST = "Hello Ines, we have refunded 42.80 EUR for KW-20417 to your Visa ending 7316. We are sorry."


def test_a_true_and_complete_reply_passes() -> None:
    verdict = reading(HONEST)
    assert verdict.passes
    assert not verdict.contradictions
    assert verdict.told == TELL


@pytest.mark.parametrize(
    "text",
    [
        "Liebe Frau Falk, die 42,80 € für KW-20417 haben wir auf Ihre Karte erstattet.",
        "Bonjour, nous vous avons remboursé 42,80 € pour la commande KW-20417.",
        "Hola Ines: le hemos devuelto 42,80 € a su tarjeta.",
        "Beste Ines, we hebben € 42,80 teruggestort op je kaart.",
        "Forty-two euros eighty have gone back to your card. Filters 38.00 plus postage 4.80.",
        "You asked for your money back: 42.80 EUR was refunded today. If it does not show by Friday, write to us.",
        "Refunded: €42.80. Would you like us to send the papers again? Just say so.",
        "42.80 EUR is back on your card. Nothing was charged for KW-20350 again.",
        'You wrote "my parcel KW-20417 never came" and you are right. We refunded 42.80 EUR.',
    ],
)
def test_true_replies_in_other_words_pass(text: str) -> None:
    verdict = reading(text)
    assert verdict.passes, (verdict.missing, verdict.contradictions)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (HONEST + " A new parcel is on its way as well.", "claimed"),
        (HONEST + " Your subscription has been cancelled.", "claimed"),
        (HONEST + " We added 5 EUR of store credit.", "claimed"),
        (HONEST + " Correction: no refund was made.", "denied"),
        (HONEST + " Mr Dale (dale@mail.example) had the same.", "ungrounded"),
        (HONEST + " You paid 99.99 EUR.", "ungrounded"),
        (HONEST + " It was booked on 11 November.", "ungrounded"),
        (HONEST + " See also KW-99999.", "ungrounded"),
        (HONEST + " The parcel was at 15 Canal Street.", "ungrounded"),
        (HONEST + " Card 4402 was also charged.", "ungrounded"),
        (HONEST + " Call +44 7873 411727.", "ungrounded"),
        (HONEST + " You get 20 % off your next order.", "extra"),
        ("Your refund is 38.00, 42.80, 4.80 or 19.00 EUR.", "soup"),
    ],
)
def test_a_false_sentence_costs_success(text: str, kind: str) -> None:
    verdict = reading(text)
    assert not verdict.passes
    assert kind in kinds(verdict)


def test_a_leak_is_what_belongs_to_somebody_else() -> None:
    case = shop(recipients=["stranger@mail.example"])
    verdict = reading("The account is under ines@falk.example, 14 Canal Street, LS3 1AB, card 7316.", case=case)
    assert kinds(verdict) == ["leak"] * 4
    assert reading("Order KW-20417 stays as it is.", case=case).passes


def test_what_is_not_told_is_missing() -> None:
    verdict = reading("Hello, sorry about the parcel. All is settled.")
    assert [one.kind for one in verdict.missing] == ["amount", "deed"]
    assert not verdict.passes


def test_a_deed_under_a_condition_is_not_told() -> None:
    assert [one.kind for one in reading("42.80 EUR will be refunded if the carrier agrees.").missing] == ["deed"]


def test_the_last_claim_decides_and_an_earlier_one_costs_quality() -> None:
    verdict = reading("We are sending you a new machine.", HONEST + " Sorry, no new machine was sent.")
    assert verdict.passes
    assert kinds(verdict) == ["withdrawn"]
    assert TIERS["withdrawn"] == "quality"


def test_texts_count_together() -> None:
    assert reading("The amount is 42.80 EUR.", "It has been refunded to your card.").passes


def test_the_same_text_again_costs_quality() -> None:
    assert kinds(reading(HONEST, HONEST)) == ["repeated"]


def test_relations_cost_quality() -> None:
    assert kinds(reading("We refunded 42.80 EUR. And we refunded 19.00 EUR for KW-20417.")) == ["amount"]
    to_credit = msgspec.structs.replace(REFUND, destination="store_credit")
    assert kinds(reading("We refunded 42.80 EUR to your card.", case=shop(to_credit))) == ["destination"]
    assert kinds(reading("We have refunded KW-20350.")) == ["subject"]
    assert {TIERS[one] for one in ("amount", "destination", "subject")} == {"quality"}


def test_a_contradiction_points_at_its_sentence() -> None:
    text = HONEST + " Your subscription has been cancelled."
    (one,) = reading(text).contradictions
    assert one.sentence == "Your subscription has been cancelled."
    assert text[one.start : one.end].strip() == one.sentence
    assert (one.tier, one.text_index) == ("success", 0)
    assert one.expected
    assert one.found


def test_sums_and_terms_are_grounded() -> None:
    assert reading(HONEST + " With KW-20350 (19.00 EUR) that is 61.80 EUR in all.").passes
    assert reading(HONEST + " The 30 days end on 21 May.").passes  # 21 April and 30 days
    assert reading(HONEST + " Your cover runs until 4 March 2027.").passes


def test_a_verbatim_quotation_is_exempt_and_another_is_not() -> None:
    case = shop(REFUND, tell=TELL)
    case = msgspec.structs.replace(case, thread="you promised me 77.00 eur and a new machine is on its way")
    assert reading(HONEST + "\n> You promised me 77.00 EUR and a new machine is on its way", case=case).passes
    assert not reading(HONEST + "\n> We owe you 78.00 EUR", case=case).passes


def test_deeds_of_other_kinds_make_their_own_claims_true() -> None:
    cases = {
        "Your subscription is cancelled.": "cancellation",
        "The plan is paused.": "pause",
        "We have changed the delivery address.": "address_change",
        "A new machine is on its way.": "replacement_machine",
        "The spare part has been posted.": "part",
        "Your parcel has been sent again.": "reshipment",
        "The return label is attached.": "label",
        "We added store credit.": "credit",
    }
    for text, kind in cases.items():
        assert kinds(reading(text, case=shop())) == ["claimed"], text
        assert not kinds(reading(text, case=shop(Deed(kind, "x", seq=3)))), text


def test_a_topic_and_a_name_can_be_required() -> None:
    case = shop(tell=(Entity("topic", ("refusal",)), Entity("name", ("mila",)), Entity("date", ("2026-04-21",))))
    assert read(case, [Text("We cannot do it: Mila ordered it on 21/04.")]).passes
    assert len(read(case, [Text("Done.")]).missing) == 3


def test_a_long_text_is_read_in_part_and_says_so() -> None:
    filler = "We are happy to help you with any question about coffee. " * 120
    assert kinds(reading(HONEST + " " + filler)) == ["unread"]
    late = reading(HONEST + " " + filler + " His address is dale@mail.example.")
    assert "ungrounded" in kinds(late)
    assert not late.passes
    assert "unreadable" in kinds(reading(HONEST + " " + filler + "1 2 3 4 5 " * 700))


def test_an_empty_case_and_no_text_are_fine() -> None:
    assert read(shop(), []).passes
    assert not read(LOST, [Text("")]).passes
