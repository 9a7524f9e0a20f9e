"""True words of several kinds that must pass, beside the false ones that they resemble."""

from typing import Any

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity, Thing, case_from_records
from tests.rewards.claims.shop import REFUND, ROWS, kinds, reading, shop

TODAY = "2026-05-04"
PLAN = "sub_Qw4rTy7uIo1pAs3d"
ENDED = Deed("cancellation", PLAN, day=TODAY, seq=9)
PAUSED = Deed("pause", PLAN, day="2026-06-09", seq=9, to={"until": "2026-06-09"})
LABEL = Deed("label", "ord_Zx5cVb8nMq2wEr4t", day=TODAY, seq=9, names=("KW-20417",), to={"resolution": "refund"})
MACHINE = Deed("replacement_machine", "BR2-2501-11873", day=TODAY, seq=9)
PART = Deed("part", "BR2-2501-11873", day=TODAY, seq=9)
AGAIN = Deed("reshipment", "shp_1", day=TODAY, seq=9, names=("ord_Zx5cVb8nMq2wEr4t", "KW-20417"))
HOME = Entity("address", ("14 Canal Street, LS3 1AB Leeds, GB",))


def _told(kind: str) -> tuple[Entity, ...]:
    return (Entity("deed", (kind,)),)


def _case(deed: Deed, *goods: str, **more: Any) -> Case:
    order = Thing("order", "ord_Zx5cVb8nMq2wEr4t", ("KW-20417",), status="shipped", goods=goods)
    made = shop(deed, tell=_told(deed.kind), machines=["Brio"], parts=["Drip tray", "Water tank 2.1 l"], **more)
    return msgspec.structs.replace(made, things=(order,))


@pytest.mark.parametrize(
    "text",
    [
        "It goes to 14 Canal Street, LS3 1AB Leeds, GB.",
        "It goes to 14 Canal Street, LS3 1AB Leeds, United Kingdom.",
        "Your address is:\n\n14 Canal Street\nLeeds\nLS3 1AB",
        "It goes to Leeds LS3 1AB, 14 Canal Street.",
        "It goes to 14 Canal Street in Leeds.",
        "Es geht an 14 Canal Street, LS31AB.",
    ],
)
def test_an_address_is_told_in_any_order(text: str) -> None:
    assert reading(text, case=shop(tell=(HOME,))).passes


@pytest.mark.parametrize(
    "text", ["It goes to Leeds.", "It goes to 14 Canal Street.", "It goes to Canal Street, Leeds."]
)
def test_a_part_of_an_address_does_not_tell_it(text: str) -> None:
    assert reading(text, case=shop(tell=(HOME,))).missing


@pytest.mark.parametrize(
    "text",
    [
        "Your coffee plan has ended today and won't renew.",
        "Ihr Kaffee-Abo ist beendet und verlängert sich nicht mehr.",
        "Votre abonnement est résilié et ne sera plus renouvelé.",
        "Su suscripción está cancelada y no se renovará.",
        "Je abonnement is beëindigd en wordt niet verlengd.",
    ],
)
def test_a_negation_after_and_belongs_to_the_next_verb(text: str) -> None:
    verdict = reading(text, case=shop(ENDED, tell=_told("cancellation")))
    assert verdict.passes, verdict


def test_a_negation_before_and_still_denies() -> None:
    assert not reading("Your plan has not ended and renews in May.", case=shop(ENDED)).passes


@pytest.mark.parametrize(
    "text",
    [
        "No coffee until 9 June 2026, then it starts again by itself.",
        "There will be no deliveries and no charges until 9 June 2026.",
        "Your coffee stops until 9 June 2026.",
        "Bis zum 9. Juni kommt kein Kaffee, danach geht es von selbst weiter.",
        "Aucune livraison jusqu'au 9 juin 2026.",
        "No habrá entregas hasta el 9 de junio de 2026.",
        "Er komt geen koffie tot 9 juni 2026.",
    ],
)
def test_a_pause_is_told_by_its_effect(text: str) -> None:
    verdict = reading(text, case=shop(PAUSED, tell=_told("pause")))
    assert verdict.passes, verdict


@pytest.mark.parametrize(
    "text",
    [
        "The label for KW-20417 is in your mail, you get your money once we have it.",
        "The label went to you by mail, your money as soon as it is back here.",
        "The return label is in your mail, and once the goods are here we pay you back.",
    ],
)
def test_a_condition_of_another_clause_does_not_hide_a_deed(text: str) -> None:
    verdict = reading(text, case=shop(LABEL, tell=_told("label")))
    assert verdict.passes, verdict


def test_a_deed_under_a_condition_is_not_told() -> None:
    assert reading("Once we have your answer, we mail you the label.", case=shop(LABEL, tell=_told("label"))).missing


@pytest.mark.parametrize("deed", [MACHINE, PART, AGAIN])
@pytest.mark.parametrize(
    "text", ["A new one is being sent to you.", "I have popped a new one in the mail for your Brio."]
)
def test_goods_that_are_not_named_may_be_any_goods(deed: Deed, text: str) -> None:
    verdict = reading(text, case=_case(deed))
    assert not verdict.contradictions, verdict


def test_goods_are_what_was_in_the_parcel() -> None:
    assert reading("We have sent the drip tray again.", case=_case(AGAIN, "drip tray")).passes
    assert kinds(reading("We have sent the drip tray again.", case=_case(AGAIN, "water tank 2.1 l"))) == ["claimed"]
    assert kinds(reading("We have sent you a new Brio.", case=_case(PART))) == ["claimed"]
    assert kinds(reading("A replacement main switch is on its way to you.", case=_case(MACHINE))) != []


def test_a_refund_of_another_matter_is_not_denied() -> None:
    old = Deed("refund", "ch_1", cents=990, destination="original_payment", day="2026-01-07", names=("KW-19999",))
    text = "There is just one charge of 42.80 EUR in our books, so nothing has to be refunded."
    tell = (Entity("amount", ("4280",)),)
    assert reading(text, case=shop(old, tell=tell)).passes
    mine = msgspec.structs.replace(old, cents=4280, names=("KW-20417",))
    assert not reading("No refund was made for your order.", case=shop(mine, tell=tell)).passes


def test_a_refund_that_became_credit_was_not_booked_to_the_card() -> None:
    paid = msgspec.structs.replace(REFUND, destination="store_credit")
    failed = "Our refund could not be booked because the card is closed"
    text = f"{failed}, so I have now put 42.80 EUR on your account as store credit."
    tell = (Entity("amount", ("4280",)), *_told("refund"))
    assert reading(text, case=shop(paid, tell=tell)).passes
    assert not reading("Our refund could not be booked.", case=shop(paid, tell=tell)).passes


def test_a_day_of_the_thread_may_be_said_with_its_year() -> None:
    case = shop(tell=())
    case = msgspec.structs.replace(case, known=msgspec.structs.replace(case.known, dates=frozenset({"--06-28"})))
    assert not kinds(reading("We start again on 2026-06-28.", case=case))
    assert kinds(reading("We started on 2024-06-28.", case=case)) == ["ungrounded"]


def test_several_equal_amounts_are_told_by_their_sum() -> None:
    two = [msgspec.structs.replace(REFUND, subject=f"ch_{place}", cents=10000) for place in (1, 2)]
    case = shop(*two, tell=(Entity("amount", ("10000",)), *_told("refund")))
    assert reading("I have refunded both deposits, 200.00 EUR in all.", case=case).passes
    assert reading("I have refunded your deposit.", case=case).missing


@pytest.mark.parametrize(
    "text",
    [
        "C'est remboursé : 42 euros 80 sur la carte.",
        "Je vous ai remboursé 42€80 sur votre carte.",
        "Ich habe Ihnen 42 Euro und 80 Cent auf die Karte erstattet.",
        "Le he reembolsado 42 euros con 80 céntimos en la tarjeta.",
    ],
)
def test_cents_may_stand_behind_the_currency(text: str) -> None:
    verdict = reading(text)
    assert verdict.passes, verdict


@pytest.mark.parametrize(
    "text",
    [
        "I refunded 42.80 EUR for KW-20417. Had it been too late, we'd have cancelled and sent you a label.",
        "The order was lost and nobody ever pushed the money back. Done now: 42.80 EUR is refunded to your card.",
        "Le double débit est corrigé : nous avons remboursé 42,80 € sur votre carte.",
        "Sí, le hemos reembolsado 42,80 € en la tarjeta.",
        "Ihre Adresse bleibt im Kundenkonto hinterlegt. 42,80 EUR sind auf die Karte erstattet.",
        "I refunded 42.80 EUR (order KW-20417) to your card.",
        "We held back nothing and refunded 42.80 EUR to your card.",
    ],
)
def test_a_true_refund_beside_words_that_look_like_more(text: str) -> None:
    verdict = reading(text)
    assert verdict.passes, verdict


RESUMED = Deed("resumption", PLAN, day=TODAY, seq=9)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Your plan is un-paused.", True),
        ("He vuelto a activar tu plan.", True),
        ("Your coffee is up and running again.", True),
        ("Lovely to hear that you are home again.", False),
        ("Thank you for telling us about the trip.", False),
    ],
)
def test_a_resumption_is_told_of_a_plan(text: str, told: bool) -> None:
    assert (not reading(text, case=shop(RESUMED, tell=_told("resumption"))).missing) == told


def test_what_became_of_the_first_parcel_does_not_tell_a_second() -> None:
    case = _case(AGAIN)
    assert reading("The replacement parcel was lost by the carrier.", case=case).missing
    assert not reading("The parcel was lost. We have sent another one.", case=case).missing


REFUSED = shop(tell=())


@pytest.mark.parametrize(
    "text",
    [
        "I wish I could make an exception, but I can't.",
        "I'd love to make an exception, but it isn't possible.",
        "J'aurais aimé faire une exception, mais ce n'est pas possible.",
        "Me gustaría hacer una excepción, pero no puedo.",
        "The promise ended in February, so I can't pay the difference.",
    ],
)
def test_a_regret_grants_nothing_and_is_about_no_one_else(text: str) -> None:
    case = msgspec.structs.replace(REFUSED, resolution="refused")
    assert not reading(text, case=case).contradictions


def test_a_refusal_that_is_lifted_is_still_a_promise() -> None:
    case = msgspec.structs.replace(REFUSED, resolution="refused")
    assert kinds(reading("We have made an exception for you.", case=case)) == ["decision"]


def test_a_parcel_sent_again_may_be_called_a_replacement() -> None:
    assert reading("A replacement parcel for KW-20417 is on its way.", case=_case(AGAIN, "wren hand grinder")).passes
    assert reading("A new hand grinder for KW-20417 was sent.", case=_case(AGAIN, "wren hand grinder")).passes
    assert not reading("A replacement machine is on its way.", case=_case(AGAIN, "drip tray")).passes


def test_a_plan_that_was_not_cancelled_beside_an_order_that_was() -> None:
    bag = Deed("cancellation", "ord_Zx5cVb8nMq2wEr4t", day=TODAY, seq=9, names=("KW-20417",))
    text = "KW-20417 is cancelled. The plan isn't cancelled, it goes on."
    assert reading(text, case=shop(bag, tell=_told("cancellation"))).passes
    assert not reading("KW-20417 is not cancelled.", case=shop(bag, tell=())).passes


def test_a_refund_of_another_day_was_not_made_today() -> None:
    old = msgspec.structs.replace(REFUND, day="2026-04-28", seq=0)
    case = shop(old, tell=(Entity("amount", ("4280",)),))
    assert reading("42.80 EUR went back on 28 April. I have not refunded anything today.", case=case).passes
    assert not reading("42.80 EUR: nothing was refunded.", case=case).passes


@pytest.mark.parametrize(
    "text",
    [
        "Vous ne payez rien pour ce nouvel envoi.",
        "We sent it again at no cost.",
        "Wir schicken es erneut, das kostet Sie nichts.",
    ],
)
def test_what_costs_nothing_is_not_denied(text: str) -> None:
    assert not reading(text, case=_case(AGAIN)).contradictions


def test_an_answer_belongs_to_what_follows() -> None:
    text = "Your subscription is cancelled. No, you don't have to take three bags first."
    assert reading(text, case=shop(ENDED, tell=_told("cancellation"))).passes


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It now goes to 14 Channel Street, LS3 1AB Leeds.", "Sorry, a typo: it goes to 14 Canal Street, LS3 1AB."),
        ("It now goes to 14 Canal Street, LS3 1BA Leeds.", "Correction: the postcode is LS3 1AB, not LS3 1BA."),
    ],
)
def test_a_wrong_address_can_be_put_right(first: str, second: str) -> None:
    moved = Deed(
        "address_change", "ord_Zx5cVb8nMq2wEr4t", day=TODAY, seq=9, names=("KW-20417",), to={"line1": "14 Canal Street"}
    )
    case = shop(moved, tell=_told("address_change"))
    assert not reading(first, case=case).passes
    verdict = reading(first, second, case=case)
    assert verdict.passes, verdict
    assert "corrected" in kinds(verdict)


def test_another_order_that_was_left_as_it_was() -> None:
    text = "KW-20417 is refunded, 42.80 EUR to your card. KW-20350 is a different order, and I left it as it was."
    assert reading(text).passes
    assert not reading("42.80 EUR for KW-20417 is refunded. On second thoughts I left it as it was.").passes


def test_a_plan_that_skips_a_delivery_stays_active() -> None:
    left_out = Deed("skip", PLAN, day="2026-06-17", seq=9)
    assert reading("The next delivery is left out. Your plan remains active.", case=shop(left_out)).passes
    assert not reading("Your plan remains active.", case=shop(PAUSED)).passes


def test_the_label_of_a_parcel_is_not_a_return_label() -> None:
    case = _case(AGAIN)
    assert reading("We sent it again, the label was made today.", case=case).passes
    assert reading("Wir haben es erneut verschickt, das Versandetikett wurde heute erstellt.", case=case).passes
    assert not reading("We sent it again, and a return label was made for you today.", case=case).passes


def test_an_amount_that_the_customer_spelled_out_may_be_said() -> None:
    case = case_from_records(
        before=ROWS, thread=["It is five euros less elsewhere."], deeds=(), tell=(), today=TODAY,
        recipients=["ines@falk.example"],
    )  # fmt: skip
    assert reading("We do not match the five euros.", case=case).passes
    assert not reading("We do not match the seven euros.", case=case).passes


@pytest.mark.parametrize(
    "text",
    [
        "Escríbanos desde la dirección registrada y lo miramos enseguida.",
        "Merci d'écrire depuis l'adresse électronique enregistrée chez nous.",
        "That protects everybody against parcels being diverted.",
        "A lovely present! Leuk cadeau!",
        "After arrival the price of the machine is refunded.",
        "Your shipping label was made.",
    ],
)
def test_words_that_only_look_like_a_deed(text: str) -> None:
    assert not reading(text, case=shop()).contradictions


@pytest.mark.parametrize(
    "text",
    [
        "You get a refund or a credit or a replacement machine or a return label, whichever applies.",
        "Depending on what we find you get a pump, a valve, a repair, a new machine or your money.",
        "Sie bekommen eine Erstattung oder ein Guthaben oder ein Ersatzgerät oder ein Etikett.",
    ],
)
def test_many_outcomes_at_once_are_soup(text: str) -> None:
    assert "soup" in kinds(reading(text, case=shop()))


def test_two_choices_are_not_soup() -> None:
    assert "soup" not in kinds(reading("Would you like a refund or a credit?", case=shop()))


def test_money_on_its_way_tells_no_parcel() -> None:
    assert reading("42.80 EUR is on its way back to your card.", case=_case(AGAIN)).missing
