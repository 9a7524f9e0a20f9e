"""What a text says of plans: the day of the next delivery, how long they run or rest, how many were changed."""

import pytest

from diorama.kit.deeds import Deed
from tests.rewards.claims.desk import NORTH, PLANS, SOUTH, desk, plan
from tests.rewards.claims.shop import kinds, reading

TODAY = "2026-05-04"
RESUMED = desk(Deed("resumption", NORTH, day="2026-05-20", seq=5, to={"soon": "yes"}))
ENDED = desk(
    Deed("cancellation", NORTH, day=TODAY, seq=5, to={"at": "now"}),
    plans=[plan(NORTH, "Northern Blend", "cancelled", cancelled_at=f"{TODAY}T09:00:00Z"), PLANS[1]],
)
PAUSED = desk(
    Deed("pause", NORTH, day="2026-06-09", seq=5, to={"until": "2026-06-09"}),
    plans=[plan(NORTH, "Northern Blend", "paused"), PLANS[1]],
)


@pytest.mark.parametrize(
    "text",
    [
        "Northern is running again. The next bag is made up on 12 May.",
        "Your Northern plan starts again on 9 June.",
        "Once a pause is set we can't shorten it, so Northern will start again on 9 June.",
        "Northern stays on pause, I'm afraid.",
        "All three plans are active again.",
        "Northern and Southern have been resumed.",
        "Northern läuft wieder, die nächste Lieferung ist am 12. Mai.",
        "Ich habe beide Abos für dich wieder aktiviert.",
        "Northern a repris ; la prochaine livraison part le 12 mai.",
        "He reactivado Northern; el próximo envío será el 12 de mayo.",
        "Northern loopt weer. De volgende levering is op 12 mei.",
    ],
)
def test_another_day_or_state_than_that_of_a_resumed_plan_is_false(text: str) -> None:
    assert set(kinds(reading(text, case=RESUMED))) & {"state", "subject", "denied"}, text


@pytest.mark.parametrize(
    "text",
    [
        "Northern is running again, next bag 20 May. Southern follows on 12 May as before.",
        "Northern restarts on 20 May instead of 9 June.",
        "Northern was paused until 9 June. Now it runs again from 20 May.",
        "Northern is active again; Southern was never paused.",
        "Northern läuft wieder ab dem 20. Mai, Southern kommt wie gewohnt am 12. Mai.",
        "Northern a repris, prochain envoi le 20 mai.",
        "Northern vuelve a estar activo desde el 20 de mayo.",
        "Northern loopt weer vanaf 20 mei.",
    ],
)
def test_the_days_of_a_resumed_plan_may_be_said(text: str) -> None:
    assert not kinds(reading(text, case=RESUMED)), text


@pytest.mark.parametrize(
    "text",
    [
        "The plan is cancelled, it runs out after the delivery on 20 May.",
        "Cancelled, but the bag of 20 May will still be charged.",
        "I've set the Northern plan to end on 20 May.",
        "Das Abo ist gekündigt. Die Lieferung am 20. Mai kommt noch und wird abgebucht.",
        "L'abonnement prendra fin le 20 mai.",
        "Todavía recibirá el envío del 20 de mayo.",
        "Het abonnement is opgezegd; de levering van 20 mei wordt nog wel afgeschreven.",
    ],
)
def test_a_plan_that_has_ended_has_no_further_delivery(text: str) -> None:
    assert "state" in kinds(reading(text, case=ENDED)), text


@pytest.mark.parametrize(
    "text",
    [
        "Your Northern plan is cancelled; nothing will be charged on 20 May.",
        "It would have renewed on 20 May, which won't happen now. The Northern plan is cancelled.",
        "Das Abo ist ab sofort gekündigt, am 20. Mai wird nichts mehr abgebucht.",
        "L'abonnement est résilié : plus d'envoi le 20 mai.",
        "Het abonnement is stopgezet, op 20 mei wordt er niets meer afgeschreven.",
    ],
)
def test_a_delivery_that_is_dropped_may_be_named(text: str) -> None:
    assert not kinds(reading(text, case=ENDED)), text


@pytest.mark.parametrize(
    "text",
    [
        "Northern rests until 20 May.",
        "Northern and Southern are both paused until 9 June.",
        "Northern is paused, but the bag of 20 May is still being charged.",
        "Northern ist pausiert und läuft ab dem 20. Mai wieder.",
        "Beide Abos sind bis zum 9. Juni pausiert.",
        "Vos deux abonnements sont suspendus jusqu'au 9 juin.",
        "Northern staat op pauze tot 20 mei.",
    ],
)
def test_another_pause_than_the_one_that_was_set_is_false(text: str) -> None:
    assert set(kinds(reading(text, case=PAUSED))) & {"state", "subject", "claimed"}, text


@pytest.mark.parametrize(
    "text",
    [
        "Northern is paused until 9 June, Southern comes on 12 May as usual.",
        "Only Northern rests; it starts again on 9 June.",
        "Northern pausiert bis zum 9. Juni, Southern läuft weiter.",
        "Northern est en pause, reprise le 9 juin.",
        "Northern queda en pausa hasta el 9 de junio.",
        "Northern staat op pauze tot 9 juni; de volgende levering van Southern is op 12 mei.",
    ],
)
def test_the_pause_that_was_set_may_be_said(text: str) -> None:
    assert not kinds(reading(text, case=PAUSED)), text


def test_the_plan_of_the_case_is_the_one_that_was_changed() -> None:
    assert SOUTH != NORTH
    assert not kinds(reading("The next delivery of Southern is on 12 May.", case=RESUMED))
    assert kinds(reading("The next delivery of Southern is on 20 May.", case=RESUMED)) == ["state"]
