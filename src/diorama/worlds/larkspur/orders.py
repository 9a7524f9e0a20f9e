"""Orders behind letters: whose order a message is about, what the customer can say of it, how its parcel stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta

from diorama.apps.backoffice.schema import Shipment
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.addresses import draw_home
from diorama.people.grammar import WORD
from diorama.people.writing import date_facts, say_amount, say_date
from diorama.worlds.larkspur.residents import Resident
from diorama.worlds.larkspur.topics import Topic

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
"""What lies in the box with a machine."""
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
"""What can go wrong with what: a lever machine has no fuse to trip."""
DAY = timedelta(days=1)
WINDOWS = {
    "late": (16 * DAY, 3 * DAY),
    "unshipped": (2 * DAY, timedelta(minutes=20)),
    "moving": (12 * DAY, 2 * DAY),
    "delivered": (45 * DAY, 2 * DAY),
    "goods": (45 * DAY, 2 * DAY),
    "machine": (700 * DAY, 4 * DAY),
    "coffee": (60 * DAY, 4 * DAY),
    "plan": (45 * DAY, DAY),
    "any": (80 * DAY, DAY),
    "refunded": (5 * DAY, timedelta(hours=6)),
    "boxed": (40 * DAY, 2 * DAY),
}
"""How long before a message the order was placed (or refunded) that it is about: at most, at least."""


class Orders:
    """Every order that letters can be about, found by its day."""

    def __init__(self, residents: Sequence[Resident]) -> None:
        found = [(history.order.created_at, who, history) for who in residents for history in who.histories]
        self.orders = sorted(found, key=lambda one: (one[0], one[2].order.id))
        self.placed = [placed for placed, _, _ in self.orders]
        self.used: set[tuple[str, str]] = set()
        paid_back = [(one[2].refund.created_at, one[1], one[2]) for one in self.orders if one[2].refund is not None]
        self.refunds = sorted(paid_back, key=lambda one: (one[0], one[2].order.id))
        self.refunded = [moment for moment, _, _ in self.refunds]

    def draw(self, dice: Dice, topic: Topic, at: datetime) -> tuple[Resident, History] | None:
        """Somebody with an order for whom the topic makes sense at this time; nobody asks the same thing twice."""
        most, least = WINDOWS[topic.order]
        known, moments = (self.refunds, self.refunded) if topic.order == "refunded" else (self.orders, self.placed)
        low, high = bisect_left(moments, at - most), bisect_left(moments, at - least)
        for _ in range(40 if high > low else 0):
            _, resident, history = known[dice.integer(low, high - 1)]
            key = (history.order.id, topic.name)
            if key in self.used or not suits(topic, history, at):
                continue
            if topic.only and resident.postal.country not in topic.only:
                continue
            self.used.add(key)
            return resident, history
        return None


def suits(topic: Topic, history: History, at: datetime) -> bool:
    """Whether somebody with this order can write about this topic now."""
    parcel, kind = history.shipment, topic.order
    coffee = all(line.sku.startswith("CF-") for line in history.lines)
    state = parcel_state(history, at)
    if kind == "late":
        return state in ("unsent", "moving", "lost")
    if kind == "unshipped":
        return state in ("unsent", "moving")
    if kind == "moving":
        return state == "moving"
    if kind == "refunded":
        return state in ("arrived", "lost")
    if parcel is None or state != "arrived":
        return kind == "any"
    if kind in ("machine", "boxed"):
        return any(line.serial_numbers for line in history.lines)
    if kind == "goods":
        return not coffee
    if kind == "coffee":
        return history.lines[0].sku.startswith("CF-")
    if kind == "plan":
        return bool(history.order.subscription_id)
    return True


def parcel_state(history: History | None, at: datetime) -> str:
    """How an order's parcel stands at a moment: unsent, moving, arrived, lost, or "" where there is no order."""
    if history is None:
        return ""
    parcel = history.shipment
    if parcel is None or parcel.handed_over_at is None or parcel.handed_over_at > at:
        return "unsent"
    if parcel.status == "lost" and at > parcel.estimated_at + 4 * DAY:
        return "lost"
    return "arrived" if parcel.closed_at is not None and parcel.closed_at <= at else "moving"


def known_facts(
    dice: Dice, resident: Resident, topic: Topic, history: History | None, at: datetime, language: str
) -> dict[str, str]:
    """What the customer can say: nothing that the back office would deny, but for what they mistook."""
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


def desk_facts(history: History | None, facts: dict[str, str], at: datetime, language: str) -> dict[str, str]:
    """The same facts as the desk writes them, and what it reads in the tracking at that moment."""
    if history is None:
        return facts
    cents, parcel = amount_of(history, facts), history.shipment
    comma = "." if language == "en" else ","
    known = {**facts, "order": history.order.number, "amount": f"{cents // 100}{comma}{cents % 100:02d} EUR"}
    if history.refund is not None and history.refund.created_at <= at:
        known["refunded"] = day(history.refund.created_at, language)
    if parcel is not None:
        if parcel.closed_at is not None and parcel.closed_at <= at:
            known["arrived"] = day(parcel.closed_at, language)
        else:
            known["eta"] = day(expected(parcel, at), language)
    return known


def expected(parcel: Shipment, at: datetime) -> datetime:
    """The day that the tracking names, seen at a moment."""
    due = parcel.closed_at or parcel.estimated_at
    return due if due > at else at + DAY


def amount_of(history: History, facts: dict[str, str]) -> int:
    """What the matter is about: what was paid back where that is the matter, else what was paid."""
    if "refund_cents" in facts:
        return int(facts["refund_cents"])
    return history.charge.amount_cents


def day(moment: datetime, language: str) -> str:
    """A day as the desk names it to a customer."""
    known = date_facts(moment, language)
    form = "{weekday} {day}. {month}" if language == "de" else "{weekday} {day} {month}"
    return form.format(**known)


def daytime(at: datetime, language: str) -> str:
    """What one wishes at this hour (the hours are UTC, people live an hour or two ahead)."""
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
    """Words of goods, codes, parts and greetings that customers write, lower case."""
    tables = (PARTS, GRINDER_PARTS, LEVER_PARTS, INCLUDED, GREETED)
    texts = [*CODES, *COFFEES, *MODELS, *GRINDERS, "Atelier"]
    texts += [text for table in tables for some in table.values() for text in some]
    return {word for text in texts for word in WORD.findall(text.lower())}
