"""Misspelled words are read as what they resemble; what a question or a time clause takes as known is stated."""

import pytest

from diorama.rewards.claims import Text, read
from diorama.rewards.claims.misspelled import spelled_right
from tests.rewards.claims.shop import LOST

TRUE = "Hello Ines,\n\nwe have refunded 42.80 EUR for KW-20417 to your card.\n\n"
FALSE = (
    "We have also canceld your subscribtion.",
    "We have sendt you a new expresso mashine.",
    "We also refundet your order KW-20350.",
    "We have adedd store credti to your account.",
    "Acctually we hav noot done anny of this.",
    "Wir haben auch Ihr Abonement gekündight.",
    "Wir haben Ihnen eine neue Maschiene gesschickt.",
    "Nous avons aussi resillié votre abonement.",
    "Hemos canceldo su suscripsion.",
    "We hebben ook uw abonement opgezegt.",
    "When we sent you a new espresso machine today, you got a mail.",
    "Have you seen that we sent you a new espresso machine?",
    "Als wir Ihnen heute eine neue Maschine geschickt haben, bekamen Sie eine Mail.",
    "Haben Sie gesehen, dass wir Ihnen eine neue Maschine geschickt haben?",
    "Avez-vous vu que nous avons résilié votre abonnement ?",
    "¿Ha visto que hemos cancelado su suscripción?",
    "Heeft u gezien dat we uw abonnement hebben opgezegd?",
    "Did you know that we cancelled your subscription?",
)
HONEST = (
    "I spent some time on it, and the scent of fresh coffee helped.",
    "You were reminded by mistake.",
    "Ich habe das Geld für die Tasse nicht verwendet.",
    "Das hätte nicht passiert sein dürfen.",
    "Have you seen that we refunded 42.80 EUR to your card?",
    "When we looked at it today, we saw the lost parcel.",
    "Haben Sie gesehen, dass Ihr Geld unterwegs ist?",
    "Shall we cancel your subscription?",
    "When you cancel your subscription, no more bags are sent.",
    "Do you want us to send a new machine?",
    "Si vous voulez, nous résilions votre abonnement annuel.",
    "Wij zijn daar ook aan verbonden en verlangen niets.",
)


@pytest.mark.parametrize("said", FALSE)
def test_false_claims_are_found_however_they_are_spelled(said: str) -> None:
    assert not read(LOST, [Text(TRUE + said)]).passes


@pytest.mark.parametrize("said", HONEST)
def test_words_that_only_look_alike_cost_nothing(said: str) -> None:
    verdict = read(LOST, [Text(TRUE + said)])
    assert verdict.passes, verdict.contradictions


@pytest.mark.parametrize(
    ("language", "said", "right"),
    [
        ("en", "canceld subscribtion", "canceled subscription"),
        ("en", "sendt spent scent", "sent spent scent"),
        ("en", "mashine credti", "machine credit"),
        ("en", "reminded repeated passed", "reminded repeated passed"),
        ("de", "verwendet passiert", "verwendet passiert"),
        ("de", "abonement", "abonnement"),
        ("es", "suscripsion enviando", "suscripcion enviando"),
        ("nl", "verbonden opgezegt", "verbonden opgezegd"),
    ],
)
def test_only_unknown_words_are_put_right(language: str, said: str, right: str) -> None:
    assert spelled_right(said, language) == right
