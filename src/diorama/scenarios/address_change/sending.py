"""Sending goods elsewhere and verifying the sender: shared by the scenarios about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import Shipment
from diorama.apps.zendesk.schema import Comment, User
from diorama.kernel import Change, Tx
from diorama.people import Need, check
from diorama.rewards import View, row_value
from diorama.scenarios.address_change.places import Thing, goes_there
from diorama.scenarios.anatomy import Hands
from diorama.scenarios.unported.desk import call, must
from diorama.scenarios.unported.shop import ShopTruth


@check("address.reached")
def address_reached(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the order or subscription goes to the address the customer wants."""
    return goes_there(tx, msgspec.convert(args["thing"], Thing))


def of_these(tx: Tx, change: Change, orders: Sequence[str], things: Sequence[Thing]) -> bool | None:
    """Check whether a change concerns these orders, their parcels or things; None if it concerns other tables."""
    if change.table == "backoffice_orders":
        return change.key in orders
    if change.table == "backoffice_shipments":
        return row_value(tx, change, "order_id") in orders
    if change.table == "backoffice_scans":
        parcel = tx.find(Shipment, row_value(tx, change, "shipment_id"))
        return parcel is not None and parcel.order_id in orders
    if change.table == "backoffice_subscriptions":
        return any(thing.id == change.key for thing in things)
    return None


def outside(view: View, ticket_id: int) -> list[tuple[User, Comment]]:
    """Return the end users' comments on a ticket since the episode began."""
    said = view.tx.all(Comment, "ticket_id = ? AND created_at >= ?", ticket_id, view.staged_at, order="id")
    heard = [(view.tx.get(User, comment.author_id), comment) for comment in said]
    return [(author, comment) for author, comment in heard if author.role == "end-user"]


def wait_for_word(hands: Hands, truth: ShopTruth, heard: int) -> None:
    """Wait until the ticket has more than `heard` comments."""
    for _ in range(8):
        call(hands, "wait", until="notice", minutes=480)
        thread = must(hands, "zendesk_list_comments", ticket_id=truth.ticket_id)
        if len(thread["comments"]) > heard:
            return


def change_address(hands: Hands, what: str, id: str, thing: Thing) -> None:
    """Change the address of a shipment, order or subscription."""
    must(hands, "backoffice_change_address", what=what, id=id, address=msgspec.to_builtins(thing.to))


def to_arrive(things: Sequence[Thing], wish: str) -> list[Need]:
    """Return the needs that these things go to their address."""
    return [
        Need(
            name=f"{thing.what} goes there",
            check="address.reached",
            args={"thing": msgspec.to_builtins(thing)},
            wish=wish,
            about="address",
        )
        for thing in things
    ]
