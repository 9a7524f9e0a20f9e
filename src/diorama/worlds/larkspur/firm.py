"""Larkspur as the tellers of its history know it: its team, its texts and what its customers can say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.worlds.book import Book, Topic
from diorama.worlds.enclosures import LABEL, promised
from diorama.worlds.firm import Firm
from diorama.worlds.larkspur import orders
from diorama.worlds.larkspur.company import (
    BILLING,
    DOMAIN,
    FIRST_LINE,
    NAME,
    ORDERS,
    SUPPORT,
    TEAM,
    WHOLESALE,
    WORKSHOP,
)
from diorama.worlds.residents import Resident
from diorama.worlds.team import Colleague

BOOK = Book(Path(__file__).parent / "material", ("en", "de", "fr", "es", "nl"))


class Larkspur(Firm):
    """Larkspur Coffee."""

    name = NAME
    short = "Larkspur"
    domain = DOMAIN
    support = SUPPORT
    team = TEAM
    book = BOOK
    locales = {"en": "en-GB", "de": "de", "fr": "fr", "es": "es", "nl": "nl"}
    usual_locale = "en-US"
    strangers = {"spam": 1.0, "job": 0.9, "wholesale": 0.7, "order_question": 0.55, "newsletter": 0.4}
    question = "order_question"
    windows = orders.WINDOWS
    product_orders = frozenset({"machine", "goods", "boxed"})
    date_form = "%d.%m.%Y"
    misrouted = (FIRST_LINE, BILLING, ORDERS)
    workshop = WORKSHOP
    screens = (
        "Screenshot_{day}-{time}.png",
        "Screenshot {date} at {clock}.png",
        "Bildschirmfoto {date}.png",
        "IMG_{n}.PNG",
    )

    def suits(self, topic: Topic, history: History, at: datetime) -> bool:
        """Return whether a customer with this order can write about this topic now."""
        return orders.suits(topic, history, at)

    def organization_fields(self, dice: Dice) -> dict[str, str]:
        """Draw the payment terms of a firm."""
        return {"terms": dice.pick(("net_14", "net_30"))} if dice.chance(0.5) else {}

    def known_facts(
        self, dice: Dice, resident: Resident, topic: Topic, history: History | None, at: datetime, language: str
    ) -> dict[str, str]:
        """Return what the customer can say of an order and its product."""
        return orders.known_facts(dice, resident, topic, history, at, language)

    def desk_facts(
        self, history: History | None, facts: Mapping[str, str], at: datetime, language: str
    ) -> Mapping[str, str]:
        """Return the same facts as the desk writes them, and what it reads in the tracking at that moment."""
        return orders.desk_facts(history, facts, at, language)

    def greeting(self, at: datetime, language: str) -> str:
        """Return what people wish one another at this hour."""
        return orders.daytime(at, language)

    def faults(self, topic: Topic, facts: Mapping[str, str]) -> Sequence[str]:
        """Return the faults that a machine can have."""
        return orders.FAULTS.get(facts["product"], ()) if topic.name == "machine_fault" else ()

    def reply_facts(self, who: Colleague) -> dict[str, str]:
        """Return whom a colleague can name: the one who sells to firms, and the one at the workbench."""
        known = {"own": "I"} if WHOLESALE in who.groups[:1] else {"sales": "Marek"}
        return known | ({"imke": "Imke"} if who.given != "Imke" else {})

    def enclosures(self, topic: str, facts: Mapping[str, str], text: str) -> tuple[str, ...]:
        """Return what a colleague attaches: a label, an invoice, a manual or a sheet of the workshop."""
        if not promised(text):
            return ()
        order = facts.get("order", "").upper().lstrip("#")
        product = facts.get("product", "machine").lower().replace(" ", "_")
        if LABEL.search(text):
            return (f"return_label_{order}.pdf",)
        names = {
            "invoice_request": f"invoice_{order}.pdf",
            "double_charge": f"invoice_{order}.pdf",
            "wholesale": "larkspur_trade_prices.pdf",
            "privacy": "personal_data.zip",
            "how_to": f"manual_{product}.pdf",
        }
        return (names.get(topic, f"{product}_workshop_sheet.pdf"),)

    def spoken_words(self) -> set[str]:
        """Return the lower-case words of goods, codes, parts and greetings that customers write."""
        return orders.spoken_things()


FIRM = Larkspur()
