"""Kittiwake as the tellers of its history know it: its team, its texts and what its customers can say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from diorama.apps.backoffice.schema import OrderLine
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.addresses import draw_home
from diorama.people.grammar import WORD
from diorama.people.writing import say_amount, say_date
from diorama.worlds import parcels
from diorama.worlds.book import Book, Topic
from diorama.worlds.enclosures import LABEL, promised
from diorama.worlds.firm import Firm
from diorama.worlds.kittiwake.catalogue import BY_SKU, GEAR
from diorama.worlds.kittiwake.company import COUNTER, CURRENCY, DOMAIN, NAME, SHIPPING, SUPPORT, TEAM, WORKSHOP, ZONE
from diorama.worlds.parcels import DAY, amount_of, parcel_state, parcel_suits, say_cents, tracking_facts
from diorama.worlds.residents import Resident

MATERIAL = Path(__file__).parent / "material"
BOOK = Book(MATERIAL, ("en", "fr"))
TRIPS = {
    "en": ("Cape Chignecto", "Kejimkujik", "the Fundy Footpath", "Gros Morne", "Cape Breton", "Kouchibouguac",
           "the Eastern Shore", "Meat Cove", "Katahdin", "the Tobeatic"),
    "fr": ("Kejimkujik", "Gros-Morne", "Kouchibouguac", "Forillon", "Fundy", "Miguasha", "Mont-Carleton"),
}  # fmt: skip
PARTS = {
    "en": {
        "tent": ("stuff sack", "peg bag", "pole section", "guy line", "zipper slider"),
        "pack": ("hip belt buckle", "chest strap", "rain cover", "lid"),
        "sleeping bag": ("stuff sack", "storage sack", "zipper slider"),
        "stove": ("jet", "pot support", "igniter"),
        "paddle": ("drip ring", "ferrule pin"),
    },
    "fr": {
        "tent": ("le sac de rangement", "un arceau", "un hauban", "un curseur"),
        "pack": ("la boucle de ceinture", "la sangle de poitrine", "la housse de pluie"),
        "sleeping bag": ("le sac de rangement", "un curseur"),
        "stove": ("le gicleur", "l'allumeur"),
        "paddle": ("une bague", "la goupille"),
    },
}
FAULTS = {
    "tent": ("pole", "zip", "seam", "delam", "mesh"),
    "pack": ("buckle", "strap", "frame"),
    "sleeping bag": ("down", "cold", "zip"),
    "stove": ("jet", "leak", "igniter"),
    "paddle": ("ferrule", "blade"),
}
KIND_SLOTS = {
    "tent": ("tent", "fabric"),
    "pack": ("pack", "fabric"),
    "sleeping bag": ("fabric",),
    "stove": ("hard",),
    "paddle": ("hard",),
}
"""Slots that a product fills besides `product`: phrases with them fit no other kind."""
GREETINGS = {"en": ("morning", "afternoon", "evening"), "fr": ("Bonjour", "Bonjour", "Bonsoir")}


class Kittiwake(Firm):
    """Kittiwake Outfitters."""

    name = NAME
    short = "Kittiwake"
    domain = DOMAIN
    support = SUPPORT
    team = TEAM
    book = BOOK
    zone = ZoneInfo(ZONE)
    locales = {"en": "en-US", "fr": "fr"}
    usual_locale = "en-US"
    strangers = {"spam": 1.0, "gear_question": 0.5, "rental_booking": 0.5, "group_trip": 0.7, "newsletter": 0.4}
    question = "gear_question"
    windows = {
        **parcels.WINDOWS,
        "goods": (45 * DAY, 2 * DAY),
        "gear": (380 * DAY, 4 * DAY),
        "rental": (9 * DAY, timedelta(hours=2)),
        "late": (14 * DAY, 4 * DAY),
    }
    product_orders = frozenset({"gear", "goods"})
    misrouted = (COUNTER, SHIPPING, WORKSHOP)
    workshop = WORKSHOP
    months = (0.5, 0.5, 0.7, 1.0, 1.4, 1.7, 1.8, 1.6, 1.1, 0.8, 0.8, 0.9)
    names = MATERIAL

    def suits(self, topic: Topic, history: History, at: datetime) -> bool:
        """Return whether a customer with this order can write about this topic now."""
        if topic.order == "rental":
            return _rented(history) and parcel_state(history, at) != "lost"
        decided = parcel_suits(topic.order, history, at)
        if decided is not None:
            return decided
        if topic.order == "gear":
            return any(line.serial_numbers for line in history.lines)
        return not _rented(history)

    def known_facts(
        self, dice: Dice, resident: Resident, topic: Topic, history: History | None, at: datetime, language: str
    ) -> dict[str, str]:
        """Return what the customer can say of an order, a product and the trip they plan."""
        facts = {"city": resident.postal.city, "trip": dice.pick(TRIPS[language])}
        facts["daytime"] = self.greeting(at, language)
        if topic.name == "address_change":
            facts["address"] = draw_home(dice, resident.writer.person.country, self.names).one_line()
        good = dice.pick(GEAR)
        if history is not None:
            line = _line(topic, history)
            good = BY_SKU[line.sku]
            number = history.order.number
            said = (number, number, number, number.removeprefix("KW-"), number.lower(), f"#{number[3:]}")
            facts["order"] = dice.pick(said)
            facts["date"] = say_date(dice, self.now(history.order.created_at), language)
            if topic.order == "refunded" and history.refund is not None:
                facts["refund_cents"] = str(history.refund.amount_cents)
            facts["amount"] = say_amount(dice, amount_of(history, facts), history.charge.currency, language)
            if history.shipment is not None:
                facts["carrier"] = history.shipment.carrier
                facts["tracking"] = history.shipment.tracking_number
            if line.serial_numbers:
                facts["serial"] = line.serial_numbers[0]
        facts["product"] = good.name
        facts |= dict.fromkeys(KIND_SLOTS.get(good.kind, ()), good.name)
        kilos = f"{good.weight_grams / 1000:.1f} kg"
        facts["kilos"] = kilos if language == "en" else kilos.replace(".", ",")
        facts["part"] = dice.pick(PARTS[language].get(good.kind, PARTS[language]["tent"]))
        return facts

    def desk_facts(
        self, history: History | None, facts: Mapping[str, str], at: datetime, language: str
    ) -> Mapping[str, str]:
        """Return the same facts as the desk writes them, and what it reads in the tracking at that moment."""
        if history is None:
            return facts
        cents = amount_of(history, facts)
        amount = f"${say_cents(cents, '').strip()}" if language == "en" else say_cents(cents, "$", language)
        return {**facts, "order": history.order.number, "amount": amount, **tracking_facts(history, at, language)}

    def greeting(self, at: datetime, language: str) -> str:
        """Return what people wish one another at this hour."""
        return GREETINGS[language][0 if at.hour < 12 else 1 if at.hour < 17 else 2]

    def faults(self, topic: Topic, facts: Mapping[str, str]) -> Sequence[str]:
        """Return the faults that a piece of gear can have."""
        if topic.name != "gear_fault":
            return ()
        return FAULTS[next(good.kind for good in GEAR if good.name == facts["product"])]

    def enclosures(self, topic: str, facts: Mapping[str, str], text: str) -> tuple[str, ...]:
        """Return what a colleague attaches: a label, an invoice, a quote or a sheet of instructions."""
        if not promised(text):
            return ()
        order = facts.get("order", "").upper().lstrip("#")
        if LABEL.search(text) and order:
            return (f"return_label_{order}.pdf",)
        names = {"invoice_request": f"invoice_{order}.pdf", "group_trip": "kittiwake_group_rates.pdf"}
        sheet = f"{facts.get('product', 'gear').lower().replace(' ', '_')}_instructions.pdf"
        return (names.get(topic, sheet),)

    def spoken_words(self) -> set[str]:
        """Return the lower-case words of gear, trips, parts and greetings that customers write."""
        texts = [good.name for good in BY_SKU.values()]
        texts += [text for table in (TRIPS, GREETINGS) for some in table.values() for text in some]
        texts += [text for kinds in PARTS.values() for some in kinds.values() for text in some]
        return {word for text in texts for word in WORD.findall(text.lower())} | {CURRENCY.lower()}


def _rented(history: History) -> bool:
    return any(line.sku.startswith("RN-") for line in history.lines)


def _line(topic: Topic, history: History) -> OrderLine:
    """Return the line of an order that a letter on a topic is about."""
    numbered = [line for line in history.lines if line.serial_numbers]
    return numbered[0] if numbered and topic.order == "gear" else history.lines[0]


FIRM = Kittiwake()
