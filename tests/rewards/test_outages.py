"""Words about an outage: what says that it is over, lasts or was nothing, and what is honest, in five languages."""

from collections.abc import Callable

import pytest

from diorama.rewards import outages

EARLY = (
    "The fault is gone.",
    "The trouble is behind us.",
    "All lights are green.",
    "There is no outage, it must be your computer.",
    "Just reload the page and you will see your parcel.",
    "It will be fixed within ten minutes.",
    "We see no problem on our side.",
    "Der Fehler ist weg.",
    "Die Störung liegt hinter uns.",
    "Es gibt keine Störung.",
    "La panne est derrière nous.",
    "Il n'y a pas de panne.",
    "Rechargez simplement la page et vous verrez votre colis.",
    "No hay ninguna avería.",
    "El problema ha desaparecido.",
    "De storing is weg.",
    "Er is geen storing.",
)
NOT_EARLY = (
    "We know about the outage, and our engineers are on it.",
    "I cannot say yet when it will be fixed.",
    "As soon as the fault is gone, I will write to you.",
    "Please do not reload the page again and again.",
    "Unsere Techniker suchen den Fehler.",
    "Sobald der Fehler weg ist, melde ich mich.",
    "Nos techniciens cherchent la panne.",
    "Dès que la panne est derrière nous, je vous écris.",
    "Nuestros técnicos trabajan en la avería.",
    "Cuando el problema ha desaparecido, le escribo.",
    "Onze technici zoeken de storing.",
    "Zodra de storing weg is, schrijf ik u.",
)
LASTS = (
    "For many it still does not work.",
    "It is not fixed yet.",
    "The page is still broken.",
    "It may be fixed some day.",
    "Der Fehler ist noch nicht behoben.",
    "Le problème n'est pas encore résolu.",
    "Todavía no funciona.",
    "De storing is nog niet verholpen.",
    "It will break again tonight.",
)
NOT_LASTS = (
    "If it still does not work for you, please reply.",
    "When you wrote, it was still broken.",
    "It is fixed now.",
    "Falls es noch nicht behoben ist, antworten Sie bitte.",
    "Si cela ne fonctionne toujours pas, écrivez-nous.",
    "Si todavía no funciona, escríbanos.",
    "Als het nog steeds niet werkt, laat het ons weten.",
)
TOLD = (
    "Our checkout was out of order from 08:14 to 12:40 UTC and is fixed now.",
    "The outage began at 08:14 UTC. It was over at 12:40 UTC and everything works again.",
    "Between 08:14 and 12:40 UTC the app was down; it has been repaired.",
    "Down 08:14 - 12:40 UTC, resolved.",
    "Von 08:14 bis 12:40 UTC war die Kasse gestört, der Fehler ist behoben.",
    "La page était en panne de 08:14 à 12:40 UTC, le problème est résolu.",
    "La página no funcionó desde las 08:14 hasta las 12:40 UTC. El problema está solucionado.",
    "De pagina lag eruit van 08:14 tot 12:40 UTC. Het is opgelost.",
)
NOT_TOLD = (
    "Our checkout was out of order from 08:14 to 12:40 UTC: we are sorry!",
    "Our checkout was out of order from 08:14 to 12:40 UTC and is not fixed yet.",
    "Our checkout was out of order from 08:14 to 12:40 UTC and may be fixed some day.",
    "08:14 and 12:40 were two points in time, and it is fixed.",
    "Von 08:14 bis 12:40 UTC war die Kasse gestört, sie ist noch nicht repariert.",
    "La page était en panne de 08:14 à 12:40 UTC, ce n'est pas encore réparé.",
    "La página estuvo caída desde las 08:14 hasta las 12:40 UTC.",
    "De pagina lag eruit van 08:14 tot 12:40 UTC.",
)
FALSE = (
    "It was out of order from 12:40 to 08:14 UTC.",
    "It was down until 08:14 and since 12:40 UTC.",
    "For some of you it lasted until 19:30 UTC.",
    "It was down from 08:14 to 12:40 UTC of last Friday.",
    "Our payment server was out of order from 08:14 to 12:40 UTC.",
    "Your card data were stolen in the attack.",
    "Nobody was charged twice.",
    "Everyone gets their money back.",
    "Ihre Kartendaten wurden gestohlen.",
    "Niemand wurde doppelt belastet.",
    "Alle bekommen ihr Geld zurück.",
    "Vos données ont été volées.",
    "Tout le monde sera remboursé.",
    "Sus datos fueron robados.",
    "Iedereen krijgt geld terug.",
)
TRUE = (
    "It lasted from 08:14 to 12:40 UTC today.",
    "It was over at 12:40 UTC, after it had begun at 08:14 UTC.",
    "Our team answers until 18:00.",
    "No data were stolen.",
    "Everyone who was charged twice gets their money back.",
    "The tracking page was down from 08:14 to 12:40 UTC on Tuesday.",
    "You were charged once.",
)


def false_in(text: str) -> str:
    times = "08:14", "12:40"
    return (
        outages.made_up(text, charged=True)
        or outages.wrong_interval(text, *times)
        or outages.other_day(text, *times, 1)
        or outages.other_system(text, *times, "tracking")
    )


def told(text: str) -> bool:
    return outages.is_interval(text, "08:14", "12:40") and outages.says_it_is_over(text)


@pytest.mark.parametrize(("texts", "check", "found"), [
    (EARLY, outages.said_early, True), (NOT_EARLY, outages.said_early, False),
    (LASTS, outages.said_to_last, True), (NOT_LASTS, outages.said_to_last, False),
    (TOLD, told, True), (NOT_TOLD, told, False), (FALSE, false_in, True), (TRUE, false_in, False),
])  # fmt: skip
def test_words_about_an_outage(texts: tuple[str, ...], check: Callable[[str], object], found: bool) -> None:
    assert [one for one in texts if bool(check(one)) is not found] == []
