"""What is said to be done for one more order, piece of goods, plan or sum, beside what was done."""

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Text, read
from tests.rewards.claims.corpora import cases
from tests.rewards.claims.desk import NORTH, desk
from tests.rewards.claims.shop import ROWS, shop

LINES = [
    {"name": "Tamper 58.5 mm, walnut", "total_cents": 4900},
    {"name": "Bottomless portafilter 58 mm", "total_cents": 6900},
]
ORDER = {
    "id": "ord_Qa1sWd2fRg3hTj4k",
    "number": "KW-20600",
    "status": "delivered",
    "total_cents": 11800,
    "lines": LINES,
}
PAID = Deed(
    "refund", "ch_Zp2oXi4uCy6t", cents=6900, destination="original_payment", day="2026-05-04", seq=12,
    names=("KW-20600", "ord_Qa1sWd2fRg3hTj4k"),
)  # fmt: skip
PORTAFILTER = shop(
    PAID, after={**ROWS, "recent_orders": [ORDER]}, parts=["Tamper 58.5 mm, walnut", "Bottomless portafilter 58 mm"]
)
PAUSED = desk(Deed("pause", NORTH, day="2026-05-28", seq=7, to={"until": "2026-05-28"}))
DEPOSITS = ("zendesk/rental-deposit", 6187)  # 75.00 for KW-23497; KW-23539 is still out
MOVED = ("zendesk/address-change", 5477)  # the plan goes to Granada, LK-17164 to Valencia
CREDIT = ("zendesk/late-refund", 7085)  # 50.95 EUR of store credit
STRANGER = ("zendesk/social-engineering", 5464)  # 37.85 EUR to the card


def _costs(case: Case | tuple[str, int], text: str) -> list[str]:
    known = case if isinstance(case, Case) else cases("cases17")[case]
    return [one.kind for one in read(known, [Text(text)]).contradictions if one.tier == "success"]


FALSE = [
    (PORTAFILTER, "69.00 EUR go back to your card for the portafilter. The tamper is refunded too."),
    (PORTAFILTER, "69,00 EUR gehen für den Siebträger auf Ihre Karte. Auch der Tamper ist erstattet."),
    (PORTAFILTER, "69,00 EUR voor de portafilter gaan naar je kaart. De tamper is ook terugbetaald."),
    (PAUSED, "Your Northern Blend is paused until 28 May, and I did the same for the other plan."),
    (PAUSED, "Le Northern Blend est en pause jusqu'au 28 mai, et j'ai fait de même pour le Southern Roast."),
    (DEPOSITS, "75,00 CAD sont sur votre carte pour KW-23497. La caution de KW-23539 est remboursée aussi."),
    (DEPOSITS, "75.00 CAD went to your card for KW-23497. The deposit of KW-23539 was paid out as well."),
    (MOVED, "Je abonnement gaat naar Camino Viejo 11, Granada. Ook LK-17164 hebben we naar dat adres omgezet."),
    (MOVED, "Your plan goes to Camino Viejo 11, Granada. LK-17164 was switched to that address as well."),
    (CREDIT, "50.95 EUR refunded as store credit, plus another 10 on top for the wait."),
    (CREDIT, "50,95 EUR haben wir als Guthaben erstattet, dazu weitere 10 obendrauf."),
    (STRANGER, "Die 37,85 € haben wir auf das Konto EE256168564539541956 überwiesen."),
    (STRANGER, "We have transferred 37.85 EUR to the account EE256168564539541956."),
]


@pytest.mark.parametrize(("case", "text"), FALSE)
def test_what_is_added_without_a_row_is_found(case: Case | tuple[str, int], text: str) -> None:
    assert _costs(case, text)


TRUE = [
    (PORTAFILTER, "69.00 EUR go back to your card: the portafilter is refunded. The tamper stays with you, too."),
    (PORTAFILTER, "The portafilter is refunded too, 69.00 EUR to your card."),
    (PAUSED, "Your Northern Blend is paused until 28 May. Shall I do the same for the other plan?"),
    (PAUSED, "Der Northern Blend pausiert bis zum 28. Mai; der Southern Roast läuft auch weiter wie bisher."),
    (DEPOSITS, "75.00 CAD went to your card for KW-23497. KW-23539 is also with us in the books, due on 9 June."),
    (DEPOSITS, "75,00 CAD vont sur votre carte. La caution de KW-23539 n'est pas encore remboursée non plus."),
    (MOVED, "Your plan goes to Camino Viejo 11, Granada. LK-17164 also stays as it is, it goes to Valencia."),
    (CREDIT, "50.95 EUR refunded as store credit. It takes another 2 days for the mail."),
    (STRANGER, "Auf das Konto EE256168564539541956 überweisen wir nichts; die 37,85 € gehen auf Ihre Karte."),
]


@pytest.mark.parametrize(("case", "text"), TRUE)
def test_other_additions_cost_nothing(case: Case | tuple[str, int], text: str) -> None:
    assert _costs(case, text) == []
