"""What a plan owes: each kind of deed with its verdict, the customer's need, how it is done, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import msgspec

from diorama.apps.backoffice.schema import (
    Address,
    Charge,
    Credit,
    Customer,
    Order,
    Postal,
    Refund,
    Shipment,
    Subscription,
    Unit,
)
from diorama.apps.zendesk.schema import User
from diorama.kernel import Tx
from diorama.kit.damage import Cell
from diorama.kit.deeds import Owed
from diorama.people import Need, check
from diorama.rewards.deeds import goes_there
from diorama.scenarios.cast import Cast, Value, Worded, in_language, noun_of, said, type_named, value_of
from diorama.scenarios.clerk import Clerk

CARD, CREDIT = "original_payment", "store_credit"
PLACES = {
    CARD: Worded("your card", de="Ihre Karte", es="su tarjeta", fr="votre carte", nl="uw kaart"),
    CREDIT: Worded(
        "your account as store credit",
        de="Ihr Kundenkonto, als Guthaben",
        es="su cuenta, como saldo",
        fr="votre compte, en crédit d'achat",
        nl="uw account, als tegoed",
    ),
}
SENT = ("reshipment", "address_change", "part", "replacement_machine")
"""The kinds of deeds that say where goods go."""
Ends = Literal["now", "renewal"]
"""When a subscription ends."""
ALL_OF_IT = Value("", "all")
"""The whole charge."""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """Something owed, by the names of the cast: what a plan lists."""

    kind: str
    rows: tuple[str, ...]
    """The cast's names of the records that it may be done on; any of them counts."""
    cents: Value | None = None
    destination: str = ""
    to: str = ""
    """The cast's name of what it sets, such as a new address."""

    def mistakes(self) -> Iterator[str]:
        """Yield what is wrong with it and can be told without staging: rows, amounts and options."""
        kind = DEED_KINDS[self.kind]
        for name in self.rows:
            found = type_named(name)
            if found is not None and found not in kind.takes:
                yield _wrong_row(kind, name, found)
        cents: Any = self.cents  # what an author wrote, whatever the annotation says
        if cents is not None and not isinstance(cents, Value):
            yield f'{kind.helper}(cents={cents!r}): cents= takes a value of the cast, such as amount("line")'
        if self.destination not in ("", *PLACES):
            yield f"{kind.helper}(to={self.destination!r}): to= takes {' or '.join(map(repr, PLACES))}"

    def check_rows(self, cast: Cast) -> None:
        """Raise LookupError unless the rows of the cast are of the kind that the deed is done on."""
        kind = DEED_KINDS[self.kind]
        for name in self.rows:
            if name in cast and not isinstance(cast[name], kind.takes):
                raise LookupError(_wrong_row(kind, name, type(cast[name])))

    def owed(self, cast: Cast, currency: str, about: str) -> Owed:
        """Return what is owed, as plain data; `about` names the matter in a verdict, such as `order LK-11410`."""
        rows = [cast[name] for name in self.rows]
        cents = None
        if self.cents is not None:
            cents = int(value_of(rows[0], "amount") if self.cents is ALL_OF_IT else self.cents.of(cast))
        goal = cast[self.to] if self.to else None
        parts = _place(goal, _own_names(cast)) if goal is not None else None
        made = Owed(
            kind=self.kind,
            subjects=tuple(row.id for row in rows),
            cents=cents,
            destination=self.destination,
            to=parts,
            customer=cast["customer"].id,
            currency=currency,
            places=({"region": goal.region, "country": goal.country},) if goal is not None else (),
        )
        return msgspec.structs.replace(made, sentence=DEED_KINDS[self.kind].verdict(made, about))


def _wrong_row(kind: Kind, name: str, found: type) -> str:
    takes = " or ".join(f"a {noun_of(one)}".replace("a o", "an o") for one in kind.takes)
    return f"{kind.helper}({name!r}): the row has to be {takes}; {name!r} is of the kind {noun_of(found)}"


class Approved(Due, frozen=True, kw_only=True):
    """Something owed that a lead has to approve first."""

    def owed(self, cast: Cast, currency: str, about: str) -> Owed:
        """Return what is owed, with an approval."""
        made = super().owed(cast, currency, about)
        sentence = f"{made.sentence}, approved by a lead"
        return msgspec.structs.replace(made, to={**(made.to or {}), "approved": "yes"}, sentence=sentence)


class Ending(Due, frozen=True, kw_only=True):
    """A subscription or an order has to be cancelled; a subscription now or at its next renewal."""

    at: Ends = "now"

    def owed(self, cast: Cast, currency: str, about: str) -> Owed:
        """Return what is owed, with when a subscription ends."""
        made = super().owed(cast, currency, about)
        if not isinstance(cast[self.rows[0]], Subscription):
            return made
        made = msgspec.structs.replace(made, to={"at": self.at})
        return msgspec.structs.replace(made, sentence=DEED_KINDS[self.kind].verdict(made, about))


def refund(*rows: str, cents: Value = ALL_OF_IT, to: str = CARD) -> Due:
    """A charge has to be refunded: all of it, or the amount of a row of the cast; any of several charges counts."""
    return Due(kind="refund", rows=rows, cents=cents, destination=to)


def credit(cents: Value, *, approved: bool = False) -> Due:
    """The customer has to get store credit; `approved`: only with a lead's approval, whatever the amount."""
    return (Approved if approved else Due)(kind="credit", rows=("customer",), cents=cents)


def cancel(row: str = "subscription", at: Ends = "now") -> Due:
    """A subscription or an order has to be cancelled; `at` says when a subscription ends."""
    return Ending(kind="cancellation", rows=(row,), at=at)


def reship(row: str = "parcel", to: str = "") -> Due:
    """The contents of a lost or returned parcel have to be sent again, perhaps to another address."""
    return Due(kind="reshipment", rows=(row,), to=to)


def move(row: str, to: str = "goal") -> Due:
    """An order, a parcel or a subscription has to go to another address."""
    return Due(kind="address_change", rows=(row,), to=to)


# --- kinds


class Kind:
    """One kind of deed: how a verdict states it, what the customer needs, how it is done, what a reply says."""

    helper: str
    """The function that plans call for it."""
    takes: tuple[type, ...]
    """The kinds of rows that it is done on."""

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what is owed, for the reader of a verdict."""
        raise NotImplementedError

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check that says whether the customer has it, and its arguments; it looks at rows."""
        raise NotImplementedError

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Do it with tools."""
        raise NotImplementedError

    def sentence(self, owed: Owed, about: str) -> str:
        """Return what a true reply says about it; a desk with several languages needs a `Worded`."""
        raise NotImplementedError

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Check whether a changed value belongs to this deed, done once; anything else is damage."""
        raise NotImplementedError


class RefundKind(Kind):
    """Money of a charge goes back."""

    helper, takes = "refund", (Charge,)

    def verdict(self, owed: Owed, about: str) -> str:
        """Return the amount, the matter and the destination."""
        where = owed.destination.replace("_", " ")
        return f"{said(owed.cents or 0, owed.currency)} refunded for {about} to {where}, once"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for this refund."""
        return "owed.refunded", {"owed": msgspec.to_builtins(owed)}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Refund one of the charges that were shown."""
        charge = next(one for one in owed.subjects if clerk.has_seen(one))
        asked = {"kind": "refund", "subject": charge, "reason": why, "amount_cents": owed.cents}
        again = f"-{charge}" if "refund" in clerk.made else ""
        made = clerk.insist(
            "backoffice_refund_charge",
            {**asked, "justification": "Owed to the customer, and the records show it."},
            charge_id=charge,
            reason=why,
            amount_cents=owed.cents,
            destination=owed.destination,
            idempotency_key=f"refund-{clerk.ticket_id}{again}",
        )
        clerk.note("refund", made)

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it was refunded, how much and where."""
        money, place = said(owed.cents or 0, owed.currency), PLACES[owed.destination]
        return Worded(
            f"I have refunded {money} for {about} to {place}.",
            de=f"Ich habe {money} für {in_language(about, 'de')} auf {in_language(place, 'de')} erstattet.",
            es=f"He reembolsado {money} de {in_language(about, 'es')} a {in_language(place, 'es')}.",
            nl=f"Ik heb {money} voor {in_language(about, 'nl')} teruggestort op {in_language(place, 'nl')}.",
            fr=f"J'ai remboursé {money} pour {in_language(about, 'fr')} sur {in_language(place, 'fr')}.",
        )

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the first such refund or its parts, its charge, its credit and the approval for it."""
        if cell.table == "backoffice_refunds":
            return any(one.id == cell.key for one in _refunds(tx, owed))
        if cell.table == "backoffice_credits":
            return cell.op == "insert" and any(one.credit_id == cell.key for one in _refunds(tx, owed))
        if cell.table == "backoffice_charges":
            return cell.key in owed.subjects and cell.column == "refunded_cents"
        return covers_approval(cell, owed.subjects)


class CreditKind(Kind):
    """The customer gets store credit."""

    helper, takes = "credit", (Customer,)

    def verdict(self, owed: Owed, about: str) -> str:
        """Return the amount and the matter."""
        return f"{said(owed.cents or 0, owed.currency)} of store credit for {about}, once"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for this credit."""
        return "owed.credited", {"owed": msgspec.to_builtins(owed)}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Grant it."""
        asked = {"kind": "credit", "subject": owed.customer, "reason": "goodwill", "amount_cents": owed.cents}
        asked["justification"] = "Owed to the customer, and the records show it."
        first = {"approval_id": clerk.approved(**asked)} if (owed.to or {}).get("approved") else {}
        made = clerk.insist(
            "backoffice_grant_credit",
            asked,
            customer_id=owed.customer,
            amount_cents=owed.cents,
            idempotency_key=f"credit-{clerk.ticket_id}",
            **first,
        )
        clerk.note("credit", made)

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it was granted."""
        return f"I have added {said(owed.cents or 0, owed.currency)} of store credit to your account."

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the first such credit and the approval for it."""
        if cell.table == "backoffice_credits":
            return cell.key == _first_credit(tx, owed) and cell.op == "insert"
        return covers_approval(cell, (owed.customer,))


ENDED = frozenset(
    {
        "status", "next_renewal_at", "resumes_at", "cancel_at_renewal", "cancel_reason", "cancelled_at", "timer",
        "updated_at",
    }
)  # fmt: skip
"""The columns of an order or a subscription that change when it ends."""


class CancelKind(Kind):
    """A subscription or an order ends."""

    helper, takes = "cancel", (Subscription, Order)

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what ends."""
        goal = owed.to or {}
        when = {"now": " now", "renewal": " at its next renewal"}.get(goal.get("at", ""), "")
        why = f" with the reason {goal['reason']}" if goal.get("reason") else ""
        return f"{_what(owed)} {owed.subjects[0]} cancelled{when}{why}"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for the record's status."""
        if _what(owed) == "subscription":
            return "owed.ended", {"owed": msgspec.to_builtins(owed)}
        return "shop.cancelled", {"order": owed.subjects[0]}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Cancel it."""
        if _what(owed) == "subscription":
            goal: dict[str, Any] = dict(owed.to or {})
            if goal.pop("at", "now") == "renewal":
                goal["at_renewal"] = True
            made = clerk.do("backoffice_change_subscription", subscription_id=owed.subjects[0], action="cancel", **goal)
        else:
            made = clerk.do("backoffice_cancel_order", order_id=owed.subjects[0])
        clerk.note("cancellation", made, "cancelled_at")

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it is cancelled, and when a plan ends."""
        if _what(owed) == "subscription" and (owed.to or {}).get("at") == "renewal":
            return Worded(
                "Your subscription ends at its next renewal; nothing is charged from then on.",
                fr="Votre abonnement prend fin à son prochain renouvellement.",
            )
        thing = {"subscription": "Votre abonnement est annulé."}.get(_what(owed), "Votre commande est annulée.")
        return Worded(f"Your {_what(owed)} is cancelled.", fr=thing)

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the status of the record and when and why it ended."""
        mine = cell.table in ("backoffice_subscriptions", "backoffice_orders") and cell.key in owed.subjects
        return mine and cell.column in ENDED


class ReshipKind(Kind):
    """The contents of a parcel are sent again."""

    helper, takes = "reship", (Shipment,)

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what is sent again, and where."""
        where = f" to {', '.join(owed.to.values())}" if owed.to else ""
        return f"the contents of {about} sent again{where}, once"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for the parcel."""
        return "shop.reshipped", {"shipment": owed.subjects[0]}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Send it again; a new address goes onto the new parcel."""
        made = clerk.insist(
            "backoffice_handle_shipment",
            shipment_id=owed.subjects[0],
            action="reship",
            idempotency_key=f"reship-{clerk.ticket_id}",
        )
        if owed.to:
            place = {**made["address"], "line2": "", **owed.to}
            clerk.do("backoffice_change_address", what="shipment", id=made["id"], address=place)
        clerk.note("reshipment", made)

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it is on its way."""
        place = _spoken_place(owed.to) if owed.to else ""
        return Worded(
            f"I have sent the contents of {about} to you again{f', to {place}' if place else ''}.",
            de=f"Ich habe den Inhalt von {in_language(about, 'de')} noch einmal an Sie verschickt.",
            es=f"He vuelto a enviarle el contenido de {in_language(about, 'es')}.",
            nl=f"Ik heb de inhoud van {in_language(about, 'nl')} opnieuw naar u verstuurd.",
            fr=f"J'ai renvoyé le contenu de {in_language(about, 'fr')}{f', au {place}' if place else ''}.",
        )

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the mark on the old parcel; the new one is the deed itself, with the address that it goes to."""
        mine = cell.table == "backoffice_shipments" and cell.key in owed.subjects
        return mine and cell.column in ("reshipped_as", "updated_at")


class MoveKind(Kind):
    """Goods go to another address."""

    helper, takes = "move", (Order, Shipment, Subscription)

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what goes where."""
        return f"{_what(owed)} {owed.subjects[0]} goes to {', '.join((owed.to or {}).values())}"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for the address."""
        goal = owed.to or {}
        place = {"line1": goal["line1"], "postal_code": goal["postal_code"]}
        return "shop.addressed", {_what(owed): owed.subjects[0], **place}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Change the address; what it leaves open stays as it is."""
        what = _what(owed)
        kind = {"subscription": "subscriptions", "shipment": "shipments"}.get(what)
        if kind:
            found = clerk.do("backoffice_get_record", kind=kind, id=owed.subjects[0])
        else:
            found = clerk.do("backoffice_get_order", order=owed.subjects[0])
        place = {**(found.get("shipping_address") or found["address"]), "line2": "", **(owed.to or {})}
        made = clerk.do("backoffice_change_address", what=what, id=owed.subjects[0], address=place)
        clerk.note("address_change", made, "updated_at")

    def sentence(self, owed: Owed, about: str) -> str:
        """Return where it goes."""
        place = _spoken_place(owed.to or {})
        thing = {"subscription": "Votre abonnement", "shipment": "Votre colis"}.get(_what(owed), "Votre commande")
        return Worded(f"Your {_what(owed)} now goes to {place}.", fr=f"{thing} va maintenant au {place}.")

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the right address of the record and of its parcels that have not left."""
        if cell.column not in ("shipping_address", "address", "updated_at"):
            return False
        if cell.column != "updated_at" and not goes_there(owed, address_parts(cell.after)):
            return False
        if cell.table == "backoffice_shipments":
            return cell.key in owed.subjects or cell.row.get("order_id") in owed.subjects
        return cell.table in ("backoffice_orders", "backoffice_subscriptions") and cell.key in owed.subjects


DEED_KINDS: dict[str, Kind] = {
    "refund": RefundKind(),
    "credit": CreditKind(),
    "cancellation": CancelKind(),
    "reshipment": ReshipKind(),
    "address_change": MoveKind(),
}
"""Every kind of deed that a plan can owe; a new one is a class here and a builder above."""


def _what(owed: Owed) -> str:
    """Return what kind of record is meant, by its id."""
    return {"sub": "subscription", "shp": "shipment"}.get(owed.subjects[0].partition("_")[0], "order")


def _own_names(cast: Cast) -> set[str]:
    """Return the names that a customer's own parcels may have: theirs, their firm's, and the one on their address."""
    home = cast.get("home")
    return {cast["customer"].name, cast["customer"].company, home.name if isinstance(home, Postal) else ""}


def _place(goal: Postal, own: AbstractSet[str]) -> dict[str, str]:
    """Return the parts of an address that must be right; the name only if it is another person's."""
    parts = {"name": "" if goal.name in own else goal.name, "line1": goal.line1, "line2": goal.line2}
    parts |= {"postal_code": goal.postal_code, "city": goal.city}
    return {key: value for key, value in parts.items() if value}


def address_parts(stored: Any) -> dict[str, str]:
    """Return the filled-in parts of an address as a row stores it; {} for none."""
    found = msgspec.json.decode(stored) if isinstance(stored, str | bytes) and stored else stored
    return {name: str(value) for name, value in (found or {}).items() if value} if isinstance(found, dict) else {}


def with_places(tx: Tx, owed: Owed) -> Owed:
    """Add the addresses that are known now: of the account, and of the records that something owed acts on."""
    if owed.kind not in SENT:
        return owed
    customer = tx.get(Customer, owed.customer)
    found = [*owed.places, {"name": customer.name, "phone": customer.phone}, {"name": customer.company}]
    found += [{"name": one.name, "phone": one.phone or ""} for one in tx.all(User, "email = ?", customer.email)]
    found += [address_parts(msgspec.to_builtins(one.postal)) for one in tx.all(Address, "customer_id = ?", customer.id)]
    for subject in owed.subjects:
        unit = tx.find(Unit, subject)
        parcel, order = tx.find(Shipment, subject), tx.find(Order, unit.order_id if unit is not None else subject)
        coffee = tx.find(Subscription, subject)
        places = [parcel.address] if parcel is not None else []
        places += [one.shipping_address for one in (order, coffee) if one is not None]
        found += [address_parts(msgspec.to_builtins(one)) for one in places]
    return msgspec.structs.replace(owed, places=tuple(one for one in found if any(one.values())))


def _spoken_place(to: Mapping[str, str]) -> str:
    street = [to[key] for key in ("name", "line1", "line2") if key in to]
    return f"{', '.join(street)}, {to['postal_code']} {to['city']}"


def about_words(due: Due, cast: Cast, order: Any) -> Worded:
    """Return how a reply names the order that something owed is about; of another order than the plan's, its own."""
    if not isinstance(order, Order):
        return Worded("your account", fr="votre compte")
    row = cast[due.rows[0]]
    mine = {getattr(row, "id", ""), getattr(row, "order_id", "")} - {""}
    orders = {one.id: one for one in cast.values() if isinstance(one, Order)}
    number = next((one.number for key, one in orders.items() if key in mine), order.number)
    return Worded(
        f"order {number}",
        de=f"Bestellung {number}",
        es=f"el pedido {number}",
        fr=f"la commande {number}",
        nl=f"bestelling {number}",
    )


def need_of(owed: Owed) -> Need:
    """Return what is at stake for the customer; whether they have it is read from rows, and they never speak of it."""
    kind = DEED_KINDS[owed.kind]
    name, args = kind.need(owed)
    return Need(name=owed.kind, check=name, args=args, wish="")


def covers_owed(tx: Tx, owed: Sequence[Owed], cell: Cell) -> bool:
    """Check whether a changed value belongs to something owed."""
    known = [one for one in owed if one.kind == "address_change"] if cell.passed else owed
    return any(DEED_KINDS[one.kind].covers(tx, one, cell) for one in known)


def covers_approval(cell: Cell, subjects: Sequence[str]) -> bool:
    """Check whether a value belongs to a request to a lead about one of these subjects."""
    mine = cell.table == "backoffice_approvals" and cell.row.get("subject") in subjects
    return mine and cell.kind != "access"  # asking is covered, deciding is the lead's


def _refunds(tx: Tx, owed: Owed) -> list[Refund]:
    """Return the first refund that is owed; else the newest ones of one charge that make it up together."""
    marks = ", ".join("?" * len(owed.subjects))
    where = f"charge_id IN ({marks}) AND destination = ? AND status != 'failed'"
    found = tx.all(Refund, where, *owed.subjects, owed.destination, order="created_at, id")
    first = next((one for one in found if one.amount_cents == owed.cents), None)
    if first is not None or not found:
        return [first] if first is not None else []
    parts: list[Refund] = []
    for one in reversed([one for one in found if one.charge_id == found[-1].charge_id]):
        parts.append(one)
        if sum(part.amount_cents for part in parts) >= (owed.cents or 0):
            break
    return parts if sum(part.amount_cents for part in parts) == owed.cents else []


def _first_credit(tx: Tx, owed: Owed) -> str:
    where = "customer_id = ? AND amount_cents = ? AND status != 'voided' AND reason != 'refund'"
    own = "order_id = '' OR order_id IN (SELECT id FROM backoffice_orders WHERE customer_id = ?)"
    first = tx.first(Credit, f"{where} AND ({own})", owed.customer, owed.cents, owed.customer, order="created_at, id")
    return first.id if first is not None else ""


@check("owed.refunded")
def refund_made(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the refund `owed` is made or on its way."""
    return bool(_refunds(tx, msgspec.convert(args["owed"], Owed)))


@check("owed.ended")
def plan_ended(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the subscription in `owed` has ended, or will where that is owed."""
    owed = msgspec.convert(args["owed"], Owed)
    found = tx.get(Subscription, owed.subjects[0])
    return found.status == "cancelled" or ((owed.to or {}).get("at") == "renewal" and found.cancel_at_renewal)


@check("owed.credited")
def credit_granted(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the credit `owed` was granted and stands."""
    return bool(_first_credit(tx, msgspec.convert(args["owed"], Owed)))


__all__ = [
    "ALL_OF_IT", "CARD", "CREDIT", "DEED_KINDS", "Due", "Kind", "about_words", "cancel", "covers_owed", "credit",
    "move", "need_of", "refund", "reship", "with_places",
]  # fmt: skip
