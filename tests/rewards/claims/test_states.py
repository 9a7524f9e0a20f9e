"""In what state a text says that parcels, returns and plans are."""

import pytest

from diorama.kit.deeds import Deed
from tests.rewards.claims.desk import HOME, NORTH, PLANS, desk, plan
from tests.rewards.claims.shop import kinds, reading

DAY = "2026-05-04"
DELIVERED = desk(plans=[])
AGAIN = desk(Deed("reshipment", "shp_1", day=DAY, seq=7, to=HOME, names=("KW-20501",)), plans=[])
LABEL = desk(
    Deed("label", "ord_20417AbCdEfGhIjK", day=DAY, seq=7, names=("RMA-2101", "KW-20417"), to={"resolution": "refund"})
)
ENDED = desk(Deed("cancellation", NORTH, day=DAY, seq=7, to={"at": "now"}), plans=[plan(NORTH, "Northern Blend")])
GONE = desk(
    Deed("cancellation", NORTH, day="2026-04-20", to={"at": "now"}), plans=[plan(NORTH, "Northern Blend", "cancelled")]
)
SKIPPED = desk(Deed("skip", NORTH, day="2026-06-03", seq=7))
ACTIVE = desk(plans=PLANS)


@pytest.mark.parametrize(
    "text",
    [
        "KW-20417 is still moving with the post and comes on Friday.",
        "Your order KW-20417 had not been sent yet, it will leave tomorrow.",
        "KW-20417 hasn't left our warehouse.",
        "Ihre Bestellung KW-20417 ist noch unterwegs.",
        "Votre commande KW-20417 est toujours en transit.",
        "Su pedido KW-20417 sigue en camino.",
        "Uw bestelling KW-20417 is nog niet verzonden.",
    ],
)
def test_a_delivered_order_is_not_on_its_way(text: str) -> None:
    assert "state" in kinds(reading(text, case=DELIVERED)), text


@pytest.mark.parametrize(
    "text",
    [
        "KW-20501 is still on its way; KW-20417 was delivered.",
        "KW-20500 has not been sent yet.",
        "KW-20417 was in transit for a week and was then delivered.",
        "If KW-20417 has not arrived, please tell us.",
        "The invoice for KW-20417 has not been sent by e-mail.",
        "Votre commande KW-20417 n'est plus en transit, elle a été livrée.",
        "Ihre Bestellung KW-20417 wurde zugestellt, KW-20501 ist noch unterwegs.",
    ],
)
def test_other_parcels_may_be_on_their_way(text: str) -> None:
    assert "state" not in kinds(reading(text, case=DELIVERED)), text


@pytest.mark.parametrize(
    "text",
    [
        "Good news, KW-20501 turned up at the depot and is moving again.",
        "The carrier has it, so no need for us to send it again.",
        "Das Paket von KW-20501 ist wieder aufgetaucht.",
        "Le colis KW-20501 a été retrouvé, inutile de le renvoyer.",
        "El paquete KW-20501 ha aparecido.",
        "Het pakket van KW-20501 is teruggevonden.",
    ],
)
def test_a_parcel_that_was_sent_again_was_not_found(text: str) -> None:
    assert {"state", "denied"} & set(kinds(reading(text, case=AGAIN))), text


@pytest.mark.parametrize(
    "text",
    [
        "KW-20501 never turned up, so we have sent it again.",
        "If the first parcel of KW-20501 turns up, please keep it. We have sent it again.",
        "I found it in our system: KW-20501 was lost. We have sent it again.",
        "KW-20501 haben wir erneut verschickt, es wurde nicht gefunden.",
        "Le colis KW-20501 n'a pas été retrouvé, nous l'avons renvoyé.",
    ],
)
def test_a_parcel_that_was_sent_again_may_be_lost(text: str) -> None:
    assert not kinds(reading(text, case=AGAIN)), text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("KW-20417 came in April, so the return window has closed.", True),
        ("Die Rückgabefrist ist leider abgelaufen.", True),
        ("Le délai de retour est passé depuis hier.", True),
        ("El plazo de devolución ya ha terminado.", True),
        ("De retourtermijn van KW-20417 is verstreken.", True),
        ("The return window has not closed, so a label is attached.", False),
        ("After 9 June 2026 the return period is over.", False),
        ("Die Rückgabefrist ist noch nicht abgelaufen.", False),
    ],
)
def test_a_return_with_a_label_is_in_time(text: str, wrong: bool) -> None:
    assert ("state" in kinds(reading(text, case=LABEL))) is wrong, text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The Northern Blend plan has been cancelled since 21 April, so there was nothing left for me to do.", True),
        ("Ihr Northern-Blend-Abo ist schon seit dem 21. April gekündigt.", True),
        ("Votre formule Northern Blend est résiliée, je n'ai rien eu à faire.", True),
        ("The Northern Blend plan is cancelled as of today; there is nothing left for you to do.", False),
        ("You tried to cancel it on 21 April. I have cancelled the Northern Blend plan today.", False),
        ("I have cancelled the Northern Blend plan after your message that came on 21 April.", False),
        ("Ihr Abo ist seit heute gekündigt, Sie müssen nichts mehr tun.", False),
    ],
)
def test_a_plan_that_was_cancelled_now_was_not_cancelled_before(text: str, wrong: bool) -> None:
    assert bool({"state", "denied"} & set(kinds(reading(text, case=ENDED)))) is wrong, text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Although the plan was cancelled, I switched it back on for you this morning.", True),
        ("Ihr Abo war gekündigt, ich habe es heute wieder aktiviert.", True),
        ("Votre formule était résiliée ; nous l'avons relancée ce matin.", True),
        ("El plan estaba cancelado y lo hemos reactivado hoy.", True),
        ("Het abonnement was opgezegd. Ik heb het weer aangezet.", True),
        ("The plan is cancelled and cannot be switched back on.", False),
        ("We have not restarted your plan.", False),
        ("Ein gekündigtes Abo wird nicht wieder aktiviert.", False),
    ],
)
def test_a_plan_that_has_ended_was_not_switched_on_again(text: str, wrong: bool) -> None:
    assert ("claimed" in kinds(reading(text, case=GONE))) is wrong, text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I skipped one Northern delivery and did the same for the Southern Roast.", True),
        ("Northern fällt einmal aus. Dasselbe habe ich für Southern Roast gemacht.", True),
        ("Northern est sautée une fois. J'ai fait de même pour Southern Roast.", True),
        ("I skipped one Northern delivery. I have not done the same for the Southern Roast.", False),
        ("Northern is skipped once. If you like, I can do the same for the Southern Roast.", False),
    ],
)
def test_the_same_was_done_only_to_plans_that_changed(text: str, wrong: bool) -> None:
    assert ("subject" in kinds(reading(text, case=SKIPPED))) is wrong, text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("For your safety I have paused the plan until you confirm the address.", True),
        ("Ich habe Ihr Abo pausiert, bis Sie die Adresse bestätigen.", True),
        ("The plan is not paused until you ask for it.", False),
        ("If you like, the plan can be paused until you confirm.", False),
    ],
)
def test_a_pause_until_a_condition_is_a_pause(text: str, wrong: bool) -> None:
    assert ("claimed" in kinds(reading(text, case=ACTIVE))) is wrong, text
