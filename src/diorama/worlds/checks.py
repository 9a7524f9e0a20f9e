"""What customers of a shop can need, checked in the ledger and the warehouse, never in a ticket's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.backoffice.schema import (
    Credit,
    Customer,
    Order,
    Refund,
    Replacement,
    Return,
    Shipment,
    Subscription,
)
from diorama.kernel import Tx
from diorama.kit.places import differing_parts
from diorama.people import check

Args = Mapping[str, Any]


@check("shop.refunded")
def refunded(tx: Tx, args: Args) -> bool:
    """Check whether at least `cents` of the charge `charge` are refunded or being refunded."""
    refunds = tx.all(Refund, "charge_id = ? AND status != 'failed'", args["charge"])
    return sum(refund.amount_cents for refund in refunds) >= int(args["cents"])


@check("shop.replaced")
def replaced(tx: Tx, args: Args) -> bool:
    """Check whether a replacement for the machine `serial` is being sent (with `sku`: exactly that one)."""
    found = tx.all(Replacement, "serial_number = ? AND status != 'cancelled'", args["serial"])
    return any(args.get("sku", one.sku) == one.sku for one in found)


@check("shop.cancelled")
def cancelled(tx: Tx, args: Args) -> bool:
    """Check whether the order `order` is cancelled."""
    return tx.get(Order, args["order"]).status == "cancelled"


@check("shop.reshipped")
def reshipped(tx: Tx, args: Args) -> bool:
    """Check whether the parcel `shipment` was sent again or has arrived."""
    parcel = tx.get(Shipment, args["shipment"])
    return bool(parcel.reshipped_as) or parcel.status == "delivered"


@check("shop.delivered")
def delivered(tx: Tx, args: Args) -> bool:
    """Check whether any parcel of the order `order` has arrived."""
    return tx.count(Shipment, "order_id = ? AND status = 'delivered'", args["order"]) > 0


@check("shop.addressed")
def addressed(tx: Tx, args: Args) -> bool:
    """Check whether the order `order` (or subscription `subscription`) goes to `line1` and `postal_code`."""
    if "subscription" in args:
        goal = tx.get(Subscription, args["subscription"]).shipping_address
    else:
        goal = tx.get(Order, args["order"]).shipping_address
        parcel = tx.first(
            Shipment, "order_id = ? AND status != 'cancelled'", args["order"], order="created_at DESC, id"
        )
        if parcel is not None:
            goal = parcel.address
    here = {part: getattr(goal, part) for part in ("line1", "line2", "postal_code")}
    return not differing_parts(here, {part: args[part] for part in ("line1", "postal_code")})


@check("shop.subscription")
def subscription(tx: Tx, args: Args) -> bool:
    """Check whether the subscription `subscription` has the status `status` (or the plan `plan`)."""
    found = tx.get(Subscription, args["subscription"])
    return bool(
        found.status == args.get("status", found.status) and found.plan_code == args.get("plan", found.plan_code)
    )


@check("shop.credited")
def credited(tx: Tx, args: Args) -> bool:
    """Check whether the customer `customer` got at least `cents` of credit since `after` (ISO time)."""
    found = tx.all(Credit, "customer_id = ? AND status != 'voided'", args["customer"])
    return sum(one.amount_cents for one in found if one.created_at.isoformat() >= args.get("after", "")) >= int(
        args["cents"]
    )


@check("shop.return_opened")
def return_opened(tx: Tx, args: Args) -> bool:
    """Check whether a return is open for the order `order`."""
    return tx.count(Return, "order_id = ? AND status != 'cancelled'", args["order"]) > 0


@check("shop.mail_known")
def mail_known(tx: Tx, args: Args) -> bool:
    """Check whether the customer `customer` has the address `email`."""
    return args["email"] in tx.get(Customer, args["customer"]).emails
