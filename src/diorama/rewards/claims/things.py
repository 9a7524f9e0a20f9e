"""The customer's things: orders, plans, machines and the account, as sentences name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Parcel, Payment, Thing
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.values import street_at

AROUND = 2
"""How many renewals before and after the next one may be said."""
_SIZE = re.compile(r"[,:(]|\s\d")
_COMMON = {"night", "shift", "blend", "office", "classic", "coffee", "bags", "house", "single", "subscription"}
"""Words of names that also stand in other sentences: they name a thing only together with the rest."""
_DECAF = "decaf|decafeine|descafeinado|cafeinevrij|cafeinevrije|entkoffeiniert|koffeinfrei|decaffeinated"


def renewal_days(next_day: str, weeks: int) -> tuple[str, ...]:
    """Return the next renewal of a plan and those around it."""
    if not next_day:
        return ()
    day = date.fromisoformat(next_day[:10])
    return tuple((day + timedelta(weeks=weeks * place)).isoformat() for place in range(-AROUND, AROUND + 1))


def days_of_ended(created: str, until: str, weeks: int) -> tuple[str, ...]:
    """Return the next two renewals that a plan would have had if it had not ended."""
    if not (created and until and weeks):
        return ()
    first, last = date.fromisoformat(created[:10]), date.fromisoformat(until[:10])
    passed = (last - first).days // (7 * weeks)
    return tuple((first + timedelta(weeks=weeks * (passed + place))).isoformat() for place in (1, 2))


def things_of(before: Mapping[str, Any], after: Mapping[str, Any] | None = None) -> tuple[Thing, ...]:
    """Return the things of a customer's rows, as `GET /customers/{id}` of the back office returns them."""
    rows = after or before
    charges = charges_of(rows)
    things = (
        *(_order(one, charges) for one in rows.get("recent_orders") or ()),
        *(_plan(one, rows) for one in rows.get("subscriptions") or ()),
        *(_machine(one) for one in rows.get("units") or ()),
        *returns_of(rows),
        account_of(
            str((rows.get("customer") or {}).get("id") or ""),
            [one.get("postal") or {} for one in rows.get("addresses") or ()],
            int(rows.get("credit_balance_cents") or 0),
        ),
    )
    return with_due_days(things, due_days_of(rows))


PARCEL_STATES = {
    "label_created": "waiting",
    "in_transit": "moving",
    "delivered": "arrived",
    "lost": "lost",
    "returned": "back",
    "cancelled": "cancelled",
}
"""What the back office calls the state of a parcel, and what the reader calls it."""


def parcels_of(rows: Mapping[str, Any]) -> tuple[Parcel, ...]:
    """Return the parcels of a customer's rows, if the rows show any."""
    if not rows.get("shipments"):
        return ()
    names = {str(line.get("sku")): line.get("name") for one in rows["recent_orders"] for line in one["lines"]}
    names |= {str(one.get("sku")): one.get("product_name") for one in rows.get("units") or ()}
    return tuple(_parcel(one, names) for one in rows["shipments"])


def _parcel(row: Mapping[str, Any], names: Mapping[str, Any]) -> Parcel:
    goods = [names.get(str(one.get("sku"))) for one in row.get("contents") or ()]
    closed = row.get("delivered_at") or (row.get("history") or [{}])[-1].get("at") or ""
    status = PARCEL_STATES.get(str(row.get("status")), "moving")
    return Parcel(
        str(row.get("order_id")),
        str(row.get("tracking_number")).upper(),
        status,
        tuple(fold(str(one)) for one in goods) if all(goods) else (),
        str(row.get("created_at") or "")[:10],
        str(row.get("handed_over_at") or "")[:10],
        str(closed)[:10] if status in {"arrived", "lost", "back"} else "",
        str(row.get("estimated_delivery_at") or "")[:10],
        fold(str(row.get("carrier") or "")),
    )


def stops_of(rows: Mapping[str, Any]) -> frozenset[str]:
    """Return the folded towns where the parcels of a customer's rows were scanned, and the words of notes."""
    scans = (scan for one in rows.get("shipments") or () for scan in one.get("history") or ())
    said = [str(one.get("body") or "") for one in rows.get("notes") or ()]
    return frozenset(fold(str(one["place"])) for one in scans if one.get("place")) | words_of(said)


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the folded words of texts, towns among them."""
    return frozenset(word for one in texts for word in _WORD.findall(fold(one)))


_WORD = re.compile(r"[a-zäöüß'-]{3,}")


def payments_of(rows: Mapping[str, Any]) -> tuple[Payment, ...]:
    """Return the refunds of a customer's rows."""
    return tuple(
        Payment(
            int(one.get("amount_cents") or 0),
            str(one.get("destination")),
            str(one.get("status")),
            str(one.get("order_id") or ""),
            str(one.get("created_at") or "")[:10],
        )
        for one in rows.get("refunds") or ()
    )


def with_due_days(things: Iterable[Thing], notes: Iterable[tuple[str, str]]) -> tuple[Thing, ...]:
    """Return things; an order whose notes say when what was rented is due back has that day."""
    due: dict[str, str] = {}
    for order, body in notes:
        if found := _DUE_BACK.search(body):
            due.setdefault(order, found[1])
    if not due:
        return tuple(things)
    return tuple(msgspec.structs.replace(one, days=(due[one.id],)) if one.id in due else one for one in things)


def due_days_of(rows: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the notes of a customer's rows, with their orders."""
    return [(str(one.get("order_id") or ""), str(one.get("body") or "")) for one in rows.get("notes") or ()]


_DUE_BACK = re.compile(r"\bback\b[^.]{0,12}?(\d{4}-\d\d-\d\d)")


def brands_of(rows: Mapping[str, Any]) -> frozenset[str]:
    """Return the brands of the cards of a customer's rows."""
    cards = [one.get("card") or {} for one in (rows.get("customer") or {}, *(rows.get("charges") or ()))]
    return frozenset(str(one["brand"]) for one in cards if one.get("brand"))


def any_failed(rows: Mapping[str, Any]) -> bool:
    """Check whether the rows show a payment or a refund that failed, or a plan whose renewal did."""
    paid = [*(rows.get("charges") or ()), *(rows.get("refunds") or ())]
    plans = rows.get("subscriptions") or ()
    return any(one.get("status") in {"failed", "disputed"} for one in paid) or any(
        one.get("failed_attempts") or one.get("status") == "past_due" for one in plans
    )


def charges_of(rows: Mapping[str, Any]) -> dict[str, int]:
    """Return how many payments were taken for each order."""
    found: dict[str, int] = {}
    for one in rows.get("charges") or ():
        if one.get("status") != "failed":
            found[str(one.get("order_id"))] = found.get(str(one.get("order_id")), 0) + 1
    return found


def return_of(number: str, status: str, expires: str = "", received: str = "", note: str = "") -> Thing:
    """Return a return with its number, the last day of its label, its arrival and what was written down then.

    It is `received` or `awaited`.
    """
    return Thing(
        "return",
        number,
        (number.upper(),),
        status="received" if status == "received" else "awaited",
        days=(expires[:10],) if expires else (),
        arrived=received[:10],
        note=fold(note).strip(),
    )


def returns_of(rows: Mapping[str, Any]) -> tuple[Thing, ...]:
    """Return the returns of a customer's rows."""
    return tuple(
        return_of(
            str(one.get("number")),
            str(one.get("status")),
            str(one.get("expires_at") or ""),
            str(one.get("received_at") or ""),
            f"{one.get('note') or ''} {one.get('condition') or ''}",
        )
        for one in rows.get("returns") or ()
    )


def account_of(customer: str, addresses: Sequence[Mapping[str, Any]], balance: int = 0) -> Thing:
    """Return the account of a customer with its addresses and its balance of store credit in cents."""
    return Thing("account", customer, streets=streets_of(*addresses), towns=towns_of(*addresses), cents=balance)


def streets_of(*addresses: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the first lines of addresses in their normal form."""
    return tuple(dict.fromkeys(key for one in addresses if (key := street_at(one))))


def towns_of(*addresses: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the folded towns of addresses."""
    return tuple(dict.fromkeys(town for one in addresses if (town := fold(str(one.get("city") or "")))))


def _order(row: Mapping[str, Any], charges: Mapping[str, int]) -> Thing:
    return Thing(
        "order",
        str(row.get("id")),
        (str(row.get("number")).upper(),),
        status=str(row.get("status") or ""),
        streets=streets_of(row.get("shipping_address") or {}),
        towns=towns_of(row.get("shipping_address") or {}),
        cents=int(row.get("total_cents") or 0),
        renews=bool(row.get("subscription_id")),
        goods=tuple(fold(str(line.get("name") or "")) for line in row.get("lines") or ()),
        prices=tuple(int(line.get("total_cents") or 0) for line in row.get("lines") or ()),
        placed=str(row.get("created_at") or "")[:10],
        charges=charges.get(str(row.get("id")), 0),
    )


def _plan(row: Mapping[str, Any], rows: Mapping[str, Any]) -> Thing:
    code, subject = str(row.get("plan") or row.get("plan_code") or ""), str(row.get("id"))
    bags = [
        str(line.get("name"))
        for one in rows.get("recent_orders") or ()
        if one.get("subscription_id") == subject
        for line in one.get("lines") or ()
    ]
    kind = code.split("-")[0]
    named = next((one for one in bags if kind and kind in fold(one)), kind)
    period = re.search(r"-(\d)w$", code)
    weeks = int(period[1]) if period else 0
    return Thing(
        "plan",
        subject,
        name=short_name(str(row.get("plan_name") or named)),
        status=str(row.get("status") or ""),
        streets=streets_of(row.get("shipping_address") or {}),
        towns=towns_of(row.get("shipping_address") or {}),
        weeks=weeks,
        days=renewal_days(str(row.get("next_renewal_at") or ""), weeks)
        or days_of_ended(str(row.get("created_at") or ""), str(row.get("cancelled_at") or ""), weeks),
        option=str(row.get("option") or ""),
    )


def _machine(row: Mapping[str, Any]) -> Thing:
    return Thing(
        "machine",
        str(row.get("serial_number")),
        (str(row.get("serial_number")).upper(),),
        name=short_name(str(row.get("product_name") or "")),
        status=str(row.get("status") or ""),
        days=(str(row.get("warranty_until") or "")[:10],) if row.get("warranty_until") else (),
    )


def short_name(name: str) -> str:
    """Return a folded name without its size: `Harbour Blend, two bags every 2 weeks` is harbour blend."""
    return _SIZE.split(fold(name))[0].strip()


@lru_cache(maxsize=512)
def naming(name: str) -> re.Pattern[str] | None:
    """Return a pattern for a name in a folded text: all of it, or one of its words that stands for nothing else."""
    if len(name) < 3:
        return None
    rare = [one for one in name.split() if len(one) > 4 and one not in _COMMON]
    ways = [re.escape(name), *(re.escape(one) + "s?" for one in rare)]
    if "decaf" in name:
        ways.append(_DECAF)
    return re.compile(r"(?<![\w])(?:" + "|".join(ways) + r")(?![a-z])")


def named_in(things: Iterable[Thing], text: str) -> list[tuple[Thing, int, int]]:
    """Return the things whose names stand in a folded text, with the places of the first ones."""
    found = []
    for one in things:
        pattern = naming(one.name)
        if pattern is not None and (fits := pattern.search(text)):
            found.append((one, *fits.span()))
    return sorted(found, key=lambda one: (one[1], one[0].id))


def without_plans_of(said: str) -> str:
    """Return folded words without the plan that a parcel belongs to: `the plan's parcel` is a parcel."""
    return _PLANS_PARCEL.sub(" parcel ", said) if _PLAN_WORD.search(said) else said


_PLAN_WORD = re.compile(r"plan|subscription|abo|suscripci|formule")
_PLANS_PARCEL = re.compile(
    r"\b(?:coffee |current )?(?:plan|subscription)(?:'s?)?\s(?:last |latest |current |first |own )?"
    r"(?:parcel|package|delivery|bag|box|order|shipment|batch)\b"
    r"|\b(?:parcel|package|delivery|bag|box|order|shipment|batch|coffee) (?:of|from|for|under|in|on) (?:the|your"
    r"|this|that)"
    r" (?:\w+ )?(?:plan|subscription)\b"
    r"|\b(?:kaffee-?)?abo(?:nnement)?s?-?(?:paket|lieferung|sendung|bestellung|beutel|päckchen)\b"
    r"|\b(?:paket|lieferung|sendung|bestellung|beutel|päckchen)\s(?:aus|von|vom|für|des|der|zu|zum|im)\s"
    r"(?:(?:dem|den|das|ihr\w*|dein\w*)\s)?(?:kaffee-?)?abo(?:nnement)?s?\b"
    r"|\b(?:colis|livraison|envoi|commande|paquet|sachet) (?:de |pour |d')(?:l'|votre |cet |ton )?abonnement\b"
    r"|\b(?:paquete|envio|entrega|pedido|bolsa) (?:del?|para) (?:la |su |tu |el )?(?:suscripcion|plan)\b"
    r"|\b(?:koffie)?abonnements?-?(?:pakket|levering|zending|bestelling|pakje)\b"
    r"|\b(?:pakket|levering|zending|bestelling|zak|pakje) (?:van|uit|voor|bij) (?:je|uw|het|jouw|dit)"
    r" (?:koffie)?abonnement\b"
)
