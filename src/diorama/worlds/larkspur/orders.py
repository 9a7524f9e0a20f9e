"""What Larkspur's customers can say of their orders and products, and which orders a topic suits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.addresses import draw_home
from diorama.people.grammar import WORD
from diorama.people.writing import say_amount, say_date
from diorama.worlds import parcels
from diorama.worlds.book import Topic
from diorama.worlds.parcels import DAY, amount_of, parcel_suits, say_cents, tracking_facts
from diorama.worlds.residents import Resident

CODES = ("WINTER10", "HELLO5", "NEWBEAN", "BLACKFRIDAY25", "THANKYOU", "SPRING15")
COFFEES = ("Harbour Blend", "Night Shift", "Kochere", "Huila Decaf", "Nyeri")
MODELS = ("Aria", "Aria Plus", "Calla", "Lark Compact", "Duet", "Tern Lever")
GRINDERS = ("Finch Grinder", "Heron 64")
PARTS = {
    "en": ("group gasket", "water tank", "drip tray", "pump", "shower screen", "portafilter basket", "steam tip"),
    "de": ("die Dichtung", "der Wassertank", "das Tropfblech", "die Pumpe", "das Sieb"),
    "fr": ("le joint", "le réservoir", "le bac", "la pompe", "le filtre"),
    "es": ("la junta", "el depósito", "la bandeja", "la bomba", "el filtro"),
    "nl": ("het rubber", "de watertank", "de lekbak", "de pomp", "het filter"),
}
GRINDER_PARTS = {
    "en": ("burr set", "hopper", "hopper lid", "grounds tray"),
    "de": ("das Mahlwerk", "der Bohnenbehälter", "der Deckel"),
    "fr": ("le jeu de meules", "le bac à grains"),
    "es": ("el juego de muelas", "la tolva"),
    "nl": ("de maalschijven", "de bonenbak"),
}
LEVER_PARTS = {
    "en": ("piston seal", "shower screen", "portafilter basket"),
    "de": ("die Kolbendichtung", "das Sieb"),
    "fr": ("le joint de piston", "le filtre"),
    "es": ("la junta del pistón", "el filtro"),
    "nl": ("het zuigerrubber", "het filter"),
}
INCLUDED = {
    "en": ("tamper", "second basket", "drip tray", "power cord", "manual", "cleaning brush"),
    "de": ("der Tamper", "das zweite Sieb", "das Tropfblech", "das Netzkabel", "die Anleitung"),
    "fr": ("le tamper", "le second filtre", "le bac", "le câble", "la notice"),
    "es": ("el tamper", "el segundo filtro", "la bandeja", "el cable", "el manual"),
    "nl": ("de tamper", "het tweede filter", "de lekbak", "het snoer", "de handleiding"),
}
"""Accessories that come with a machine."""
WEAR = ("leak", "drip", "dead", "electric", "noise", "pressure", "heat", "lights", "steam", "water", "smell")
FAULTS = {
    "Lark Compact": (*WEAR, "descale", "tank", "stops"),
    "Aria": (*WEAR, "descale", "tank", "puck", "stuck"),
    "Aria Plus": (*WEAR, "descale", "error", "tank", "puck", "stuck", "stops"),
    "Calla": (*WEAR, "puck", "stuck"),
    "Duet": (*WEAR, "descale", "error", "stops", "puck"),
    "Tern Lever": ("lever", "base", "drip", "puck"),
    "Atelier 2": (*WEAR, "error", "stops", "puck"),
    "Finch Grinder": ("coarse", "jam", "screech", "dead", "noise"),
    "Heron 64": ("coarse", "wander", "stops", "jam", "dead"),
}
"""Possible faults by product: a lever machine has no fuse, for example."""
WINDOWS = {
    **parcels.WINDOWS,
    "goods": (45 * DAY, 2 * DAY),
    "machine": (700 * DAY, 4 * DAY),
    "coffee": (60 * DAY, 4 * DAY),
    "plan": (45 * DAY, DAY),
    "boxed": (40 * DAY, 2 * DAY),
}
"""How long before a message the order was placed that it is about: at most, at least."""


def suits(topic: Topic, history: History, at: datetime) -> bool:
    """Return whether a customer with this order can write about this topic now."""
    decided = parcel_suits(topic.order, history, at)
    if decided is not None:
        return decided
    if topic.order in ("machine", "boxed"):
        return any(line.serial_numbers for line in history.lines)
    if topic.order == "goods":
        return not all(line.sku.startswith("CF-") for line in history.lines)
    if topic.order == "coffee":
        return history.lines[0].sku.startswith("CF-")
    return bool(history.order.subscription_id)


def known_facts(
    dice: Dice, resident: Resident, topic: Topic, history: History | None, at: datetime, language: str
) -> dict[str, str]:
    """Return what the customer can say; the back office denies none of it, except what they confused."""
    facts = {"city": resident.postal.city, "code": dice.pick(CODES), "daytime": daytime(at, language)}
    facts["coffee"] = dice.pick(COFFEES)
    if topic.name == "address_change":
        facts["address"] = draw_home(dice, resident.postal.country).one_line()
    product = dice.pick(MODELS)
    if history is not None:
        product = _order_facts(dice, facts, topic, history, language)
    facts["product"] = product
    parts = GRINDER_PARTS if product in GRINDERS else LEVER_PARTS if product == "Tern Lever" else PARTS
    facts["part"] = dice.pick((INCLUDED if topic.name == "missing_part" else parts)[language])
    facts["other"] = dice.pick([coffee for coffee in COFFEES if coffee != facts["coffee"]])
    return facts


def _order_facts(dice: Dice, facts: dict[str, str], topic: Topic, history: History, language: str) -> str:
    line = next((line for line in history.lines if line.serial_numbers), history.lines[0])
    if topic.order == "goods" and line.sku.startswith("CF-"):
        line = next(line for line in history.lines if not line.sku.startswith("CF-"))
    name = line.name.removesuffix(" 250 g").removesuffix(" 1 kg").partition(",")[0]
    if line.sku.startswith("CF-"):
        facts["coffee"] = name
    number = history.order.number
    facts["order"] = dice.pick((number, number, number, number.removeprefix("LK-"), number.lower(), f"#{number[3:]}"))
    facts["date"] = say_date(dice, history.order.created_at, language)
    if topic.order == "refunded" and history.refund is not None:
        facts["refund_cents"] = str(history.refund.amount_cents)
    facts["amount"] = say_amount(dice, amount_of(history, facts), history.charge.currency, language)
    if history.shipment is not None:
        facts["carrier"] = history.shipment.carrier
        facts["tracking"] = history.shipment.tracking_number
    if line.serial_numbers:
        facts["serial"] = line.serial_numbers[0]
    return name


def desk_facts(history: History | None, facts: Mapping[str, str], at: datetime, language: str) -> Mapping[str, str]:
    """Return the same facts as the desk writes them, and what it reads in the tracking at that moment."""
    if history is None:
        return facts
    amount = say_cents(amount_of(history, facts), "EUR", language)
    return {**facts, "order": history.order.number, "amount": amount, **tracking_facts(history, at, language)}


def daytime(at: datetime, language: str) -> str:
    """Return what people wish one another at this hour (in UTC; customers live an hour or two ahead)."""
    part = 0 if at.hour < 11 else 1 if at.hour < 16 else 2
    return GREETED[language][part]


GREETED = {
    "en": ("morning", "afternoon", "evening"),
    "de": ("Morgen", "Tag", "Abend"),
    "fr": ("Bonjour", "Bonjour", "Bonsoir"),
    "es": ("Buenos días", "Buenas tardes", "Buenas tardes"),
    "nl": ("Goedemorgen", "Goedemiddag", "Goedenavond"),
}


def spoken_things() -> set[str]:
    """Return the lower-case words of goods, codes, parts and greetings that customers write."""
    tables = (PARTS, GRINDER_PARTS, LEVER_PARTS, INCLUDED, GREETED)
    texts = [*CODES, *COFFEES, *MODELS, *GRINDERS, "Atelier"]
    texts += [text for table in tables for some in table.values() for text in some]
    return {word for text in texts for word in WORD.findall(text.lower())}
