"""What a text says of the state of a parcel has to agree with the parcels of the order that it names."""

import pytest

from diorama.rewards.claims import Case, Text, read
from diorama.rewards.claims.implicatives import as_done
from tests.rewards.claims.corpora import cases
from tests.rewards.claims.parcel_sentences import GREETINGS, STATES

WORDS = [(language, state) for language, states in STATES.items() for state in states]


def orders_by_state() -> dict[str, tuple[Case, str]]:
    """Return for each state one order whose parcels all are in it since yesterday or longer."""
    found: dict[str, tuple[Case, str]] = {}
    for case in cases("sentence_cases").values():
        for order in case.things:
            held = [one for one in case.parcels if one.order == order.id]
            late = any(max(one.sent, one.closed) >= case.today[:10] for one in held)
            states = {one.status for one in held} or ({"waiting"} if order.status == "open" else set())
            if order.kind == "order" and len(states) == 1 and not (late or case.private_words):
                found.setdefault(states.pop(), (case, order.numbers[0]))
    return found


def wrong_in(case: Case, text: str) -> list[str]:
    """Return what contradicts the records."""
    return [one.found for one in read(case, [Text(text)]).contradictions if one.tier == "success"]


@pytest.mark.parametrize(("language", "state"), WORDS)
def test_a_state_is_true_of_a_parcel_in_that_state_only(language: str, state: str) -> None:
    for true, (case, number) in orders_by_state().items():
        if true == "cancelled" or (state, true) == ("moving", "waiting"):  # a parcel with a label may be on its way
            continue
        for sentence in STATES[language][state]:
            found = wrong_in(case, f"{GREETINGS[language]} {sentence.format(n=number)}")
            assert bool(found) == (true != state), (true, sentence, found)


@pytest.mark.parametrize(
    ("language", "words", "done"),
    [
        ("en", "i had to cancel your order xrecord", "i have cancelled your order xrecord"),
        ("en", "we took the liberty of pausing both", "we have paused both"),
        ("de", "wir mussten ihre bestellung stornieren", "wir haben ihre bestellung storniert"),
        ("fr", "nous avons du annuler la commande", "nous avons annule la commande"),
        ("es", "hemos tenido que cancelar su pedido", "hemos cancelado su pedido"),
        ("nl", "we moesten je bestelling annuleren", "we hebben je bestelling geannuleerd"),
        ("de", "wir konnten es nicht stornieren", "wir konnten es nicht stornieren"),
    ],
)
def test_an_implicative_verb_says_that_something_was_done(language: str, words: str, done: str) -> None:
    assert as_done(words, language) == done
