"""What a customer really needs, as a state of the back office, and actions beyond it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import (
    Order,
    OrderLine,
    Replacement,
    Resolution,
    Return,
    ReturnReason,
    Shipment,
    Subscription,
)
from diorama.kernel import Change, Tx
from diorama.rewards import row_value
from diorama.scenarios.address_change.places import Thing, goes_there
from diorama.scenarios.restless_subscription.standing import Want, stands


class Sending(msgspec.Struct, frozen=True, kw_only=True):
    """Goods sent under warranty: the SKU, and the machine it is for."""

    serial: str
    sku: str


class Back(msgspec.Struct, frozen=True, kw_only=True):
    """An item that may be returned, with reason and resolution."""

    order_id: str
    sku: str
    reason: ReturnReason
    resolution: Resolution


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """The need behind the mail; everything not named here must stay unchanged."""

    moves: Thing | None = None
    """An order that must go to another address."""
    stops: str = ""
    """An order that must not be sent."""
    ends: str = ""
    """A subscription that must be cancelled."""
    coffee: Want | None = None
    """A subscription that continues with changes."""
    sends: Sending | None = None
    back: Back | None = None
    again: str = ""
    """A lost parcel that must be sent again."""

    @property
    def orders(self) -> tuple[str, ...]:
        """Orders that may change."""
        return tuple(one for one in (self.moves.id if self.moves else "", self.stops) if one)

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """Subscriptions that may change."""
        return tuple(one for one in (self.ends, self.coffee.id if self.coffee else "") if one)


def met(tx: Tx, aim: Aim) -> bool:
    """Check whether everything needed is done, each thing once."""
    if aim.moves and not goes_there(tx, aim.moves):
        return False
    if aim.stops and tx.get(Order, aim.stops).status != "cancelled":
        return False
    if aim.ends and tx.get(Subscription, aim.ends).status != "cancelled":
        return False
    if aim.coffee and not stands(tx, aim.coffee):
        return False
    if aim.sends and len(sent_for(tx, aim)) != 1:
        return False
    if aim.again and not tx.get(Shipment, aim.again).reshipped_as:
        return False
    wanted = [(aim.back.reason, aim.back.resolution)] if aim.back else []
    return [(one.reason, one.resolution) for one in returns_of(tx, aim)] == wanted


def sent_for(tx: Tx, aim: Aim) -> list[Replacement]:
    """Return the replacements for the machine with the SKU that is due."""
    if aim.sends is None:
        return []
    mine = "serial_number = ? AND sku = ? AND status != 'cancelled'"
    return tx.all(Replacement, mine, aim.sends.serial, aim.sends.sku, order="created_at, id")


def returns_of(tx: Tx, aim: Aim) -> list[Return]:
    """Return the returns opened for the item that may be returned."""
    if aim.back is None:
        return []
    mine = "order_id = ? AND sku = ? AND status != 'cancelled'"
    return tx.all(Return, mine, aim.back.order_id, aim.back.sku, order="created_at, id")


def numbers(tx: Tx, aim: Aim) -> list[str]:
    """Return the numbers that a reply must state and that the action created."""
    parcels = [one.shipment_id for one in sent_for(tx, aim)]
    if aim.again:
        parcels.append(tx.get(Shipment, aim.again).reshipped_as)
    found = [parcel.tracking_number for parcel in (tx.find(Shipment, one) for one in parcels if one) if parcel]
    return [*found, *(one.number for one in returns_of(tx, aim))]


def besides(tx: Tx, aim: Aim, customer_id: str, person: str, since: datetime) -> int:
    """Count unneeded actions: goods sent, returns opened, orders or subscriptions cancelled."""
    by_us = "created_at >= ? AND created_by = ? AND status != 'cancelled'"
    sent = [(one.serial_number, one.sku) for one in tx.all(Replacement, by_us, since, person)]
    due = [(aim.sends.serial, aim.sends.sku)] if aim.sends else []
    opened = [(one.order_id, one.sku, one.reason, one.resolution) for one in tx.all(Return, by_us, since, person)]
    wanted = [(aim.back.order_id, aim.back.sku, aim.back.reason, aim.back.resolution)] if aim.back else []
    resent = tx.count(Shipment, "created_at >= ? AND reship_of != '' AND reship_of != ?", since, aim.again)
    over = "customer_id = ? AND cancelled_at >= ? AND id != ?"
    ended = tx.count(Order, over, customer_id, since, aim.stops)
    ended += tx.count(Subscription, over, customer_id, since, aim.ends)
    return _surplus(sent, due) + _surplus(opened, wanted) + resent + ended


def _surplus(done: list[Any], due: list[Any]) -> int:
    """Count what was done beyond what is due, including duplicates."""
    return len(done) - sum(one in done for one in due)


def covers(tx: Tx, aim: Aim, change: Change) -> bool:
    """Check whether a changed row of the back office belongs to the need."""
    table = change.table
    if table == "backoffice_orders":
        return change.key in (*aim.orders, _order_of(tx, aim.again))
    if table == "backoffice_order_lines":
        return bool(aim.stops) and row_value(tx, change, "order_id") == aim.stops
    if table == "backoffice_shipments":
        return _carries(tx, aim, str(change.key))
    if table == "backoffice_scans":
        return _carries(tx, aim, row_value(tx, change, "shipment_id"))
    if table == "backoffice_stock":
        return change.key in _skus(tx, aim)
    if table == "backoffice_subscriptions":
        return change.key in aim.subscriptions
    if table == "backoffice_replacements":
        due = (aim.sends.serial, aim.sends.sku) if aim.sends else None
        return (row_value(tx, change, "serial_number"), row_value(tx, change, "sku")) == due
    if table == "backoffice_units":
        serial = aim.sends.serial if aim.sends else ""
        return bool(serial) and serial in (change.key, row_value(tx, change, "replaces"))
    if table == "backoffice_returns":
        due = (aim.back.order_id, aim.back.sku) if aim.back else None
        return (row_value(tx, change, "order_id"), row_value(tx, change, "sku")) == due
    return table == "backoffice_sequences" and aim.back is not None


def _order_of(tx: Tx, shipment_id: str) -> str:
    parcel = tx.find(Shipment, shipment_id) if shipment_id else None
    return parcel.order_id if parcel else ""


def _carries(tx: Tx, aim: Aim, shipment_id: str) -> bool:
    """Check whether a parcel belongs to the need."""
    parcel = tx.find(Shipment, shipment_id)
    if parcel is None:
        return False
    if aim.again:
        return aim.again in (parcel.id, parcel.reship_of)
    if parcel.replacement_id:
        return parcel.replacement_id in {one.id for one in sent_for(tx, aim)}
    return parcel.order_id in aim.orders


def _skus(tx: Tx, aim: Aim) -> set[str]:
    """Return the SKUs that are taken from stock or put back."""
    found = {aim.sends.sku} if aim.sends else set()
    if aim.again:
        found |= {parcel.sku for parcel in tx.get(Shipment, aim.again).parcels}
    return found | ({line.sku for line in tx.all(OrderLine, "order_id = ?", aim.stops)} if aim.stops else set())
