"""Kittiwake's desk: its form, people, goods and limits, its two languages, and the mail that arrives on any day."""

from __future__ import annotations

from diorama.apps.backoffice.schema import Customer
from diorama.rewards import View, quality
from diorama.rewards.claims.clauses import language_of
from diorama.rewards.claims.folding import fold
from diorama.rewards.finding import Measure
from diorama.scenarios.desk import DeskScenario, DeskTruth
from diorama.scenarios.desk_customers import QUIET_PAST
from diorama.scenarios.saying import outgoing
from diorama.worlds.kittiwake import catalogue
from diorama.worlds.kittiwake.closing import FORM
from diorama.worlds.kittiwake.company import CURRENCY, TEAM

AGENT = "elise@kittiwake.ca"
"""The colleague whose role the agent takes."""
SMALL_TALK = (
    ("Pegs", "Hi, how many pegs come with the Fundy 4? I count nine and it looks lopsided. Thanks"),
    ("horaire", "Bonjour, êtes-vous ouverts samedi? On passerait avec une tente à faire réparer."),
    ("Kayaks in July", "do you still have a double for the second weekend of july? two adults one dog"),
    ("Socks", "The wool socks are the best I've had. Do you make them for kids too?"),
    ("reçu", "Bonjour, pourriez-vous me renvoyer le reçu de mon dernier achat? Merci bien"),
    ("Re: newsletter", "Please send me the French one only, I get both."),
    ("seam sealer", "Which one do you use on the Cabot? Mine came without any."),
    ("gift card", "hello, can a gift card be used for a rental too or only in the shop?"),
)
"""Mails of other customers: subject and text."""
SMALL = tuple(good.sku for good in catalogue.SMALL)


class Kittiwake(DeskScenario):
    """A ticket of Kittiwake, in English or in French."""

    world = "kittiwake"
    person = AGENT
    agent = "Élise Thibodeau"
    shop = "Kittiwake Outfitters in Halifax (outdoor gear, sold and rented)"
    currency = CURRENCY
    form = FORM
    colleagues = tuple(one.email for one in TEAM.at_the_desk if one.email != AGENT and one.role == "agent")
    everyday = SMALL
    small_talk = SMALL_TALK
    languages = ("en", "fr")
    customers_where = QUIET_PAST
    own_limit = next(policy.refund_limit_cents for policy in catalogue.POLICIES if policy.id == "agent")

    def brief(self, truth: DeskTruth) -> str:
        """Return the brief; customers are answered in their own language."""
        return f"{super().brief(truth)} Answer customers who write French in French."

    @quality(weight=0.5)
    def answered_in_their_language(self, view: View, truth: DeskTruth) -> Measure:
        """The customer was answered in the language of their letter."""
        wanted = view.tx.get(Customer, truth.customer_id).locale[:2]
        used = [language_of(fold(one.body), wanted) for one in outgoing(view) if not one.hidden]
        level = sum(one == wanted for one in used) / len(used) if used else 0.0
        return Measure(level, f"replies in the language {wanted}", f"replies in {', '.join(used) or 'no language'}")
