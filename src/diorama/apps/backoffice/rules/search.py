"""Search for customers, orders, parcels and units by any of their keys."""

import re

import msgspec

from diorama.apps.backoffice.rules.customers import by_email
from diorama.apps.backoffice.rules.orders import by_number
from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import Customer, Order, Shipment, Unit
from diorama.kernel import Tx

Found = Customer | Order | Shipment | Unit


class Hit(msgspec.Struct, frozen=True):
    """A search result and the key that matched."""

    what: Found
    by: str


def search(tx: Tx, text: str, limit: int = 20) -> list[Hit]:
    """Search exact keys first (e-mail, order number, serial, tracking number, id), then names."""
    text = text.strip()
    hits = _exact(tx, text)
    words = re.findall(r"\w+", text.lower())
    if words and len(hits) < limit:
        phrase = " ".join(f'"{word}"' for word in words[:-1]) + f' "{words[-1]}"*'
        hits += [Hit(customer, "text") for customer in tx.match(Customer, phrase.strip(), limit=limit)]
    seen: dict[str, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.what.id, hit)
    return list(seen.values())[:limit]


def _exact(tx: Tx, text: str) -> list[Hit]:
    hits: list[Hit] = []
    if "@" in text and "." in text.partition("@")[2] and " " not in text:
        customer = by_email(tx, text)
        hits += [Hit(customer, "email")] if customer else []
    if re.fullmatch(rf"#?({re.escape(settings(tx).order_prefix)})?\d{{4,7}}", text.upper()):
        order = by_number(tx, text)
        hits += [Hit(order, "order_number")] if order else []
    if unit := tx.find(Unit, text.upper()):
        hits.append(Hit(unit, "serial_number"))
    if parcel := tx.first(Shipment, "tracking_number = ?", text.upper().replace(" ", "")):
        hits.append(Hit(parcel, "tracking_number"))
    if customer := tx.find(Customer, text):
        hits.append(Hit(customer, "id"))
    if order := tx.find(Order, text):
        hits.append(Hit(order, "id"))
    return hits
