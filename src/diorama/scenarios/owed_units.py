"""What a plan owes about machines: a part or a whole machine sent, and a return opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from diorama.apps.backoffice.schema import Order, Replacement, Resolution, Return, ReturnReason, Shipment, Unit
from diorama.kernel import Tx
from diorama.kit.damage import Cell
from diorama.kit.deeds import Owed
from diorama.rewards.deeds import goes_there
from diorama.scenarios.cast import Cast, Worded, in_language
from diorama.scenarios.clerk import TRIES, Clerk
from diorama.scenarios.owed import DEED_KINDS, Due, Kind, address_parts, covers_approval

LATER = "Hello, our shelf is empty. More of them are due soon; you will hear from me as soon as they are here."


class Sending(Due, frozen=True, kw_only=True):
    """A part or a machine for a broken one: what the fault needs, or a `whole` machine."""

    whole: bool = False

    def owed(self, cast: Cast, currency: str, about: str) -> Owed:
        """Return what is owed: which SKU, for which serial number, to which address."""
        unit, place = cast[self.rows[0]], cast[self.to]
        part = "" if self.whole else cast["fault"].part_sku
        made = Owed(
            kind="part" if part else "replacement_machine",
            subjects=(unit.id,),
            to={"sku": part or unit.sku, **{key: getattr(place, key) for key in ("line1", "postal_code", "city")}},
            customer=cast["customer"].id,
        )
        return msgspec.structs.replace(made, sentence=DEED_KINDS[made.kind].verdict(made, about))


class Returning(Due, frozen=True, kw_only=True):
    """A return of the line in the cast, with a reason and the resolution that the customer wants."""

    reason: ReturnReason
    resolution: Resolution
    pieces: int = 1
    any_reason: bool = False
    """Whether no rule says which reason it is, so that each one counts."""

    def mistakes(self) -> Iterator[str]:
        """Yield a wrong row, reason, resolution or number of pieces."""
        yield from super().mistakes()
        options = {"resolution": get_args(Resolution), "reason": get_args(ReturnReason)}
        for key, known in options.items():
            if getattr(self, key) not in known:
                yield f"take_back({key}={getattr(self, key)!r}): there are {', '.join(map(repr, known))}"
        if type(self.pieces) is not int or self.pieces < 1:
            yield f"take_back(pieces={self.pieces!r}): it is a number of pieces, at least 1"

    def owed(self, cast: Cast, currency: str, about: str) -> Owed:
        """Return what is owed: the goods and their order, why, and what for."""
        order, line = cast[self.rows[0]], cast["line"]
        goal = {"sku": line.sku, "reason": self.reason, "resolution": self.resolution, "quantity": str(self.pieces)}
        made = Owed(
            kind="label", subjects=(order.id,), to=goal, customer=cast["customer"].id,
            any_of=("reason",) if self.any_reason else (),
        )  # fmt: skip
        return msgspec.structs.replace(made, sentence=DEED_KINDS["label"].verdict(made, about))


def send(row: str = "unit", *, whole: bool = False, to: str = "home") -> Due:
    """What the machine's fault needs has to be sent to an address of the cast: the part, or a `whole` machine."""
    return Sending(kind="part", rows=(row,), whole=whole, to=to)


def take_back(
    resolution: Resolution,
    reason: ReturnReason = "damaged_in_transit",
    row: str = "order",
    pieces: int = 1,
    *,
    any_reason: bool = False,
) -> Due:
    """A return has to be opened for the `line` in the cast, of exactly this many pieces; `row` is its order.

    `resolution` is what the customer gets: refund, replacement or store_credit. The reason is changed_mind,
    defective, wrong_item, damaged_in_transit or not_as_described: it has to be the given one, which the brief
    or a page has to say; with `any_reason` each one counts.
    """
    return Returning(
        kind="label", rows=(row,), reason=reason, resolution=resolution, pieces=pieces, any_reason=any_reason
    )


class SendKind(Kind):
    """A part or a whole machine is sent for a broken one, free of charge."""

    helper, takes = "send", (Unit,)

    def __init__(self, noun: str) -> None:
        self.noun = noun

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what is sent, for which machine and where."""
        goal = owed.to or {}
        return f"{self.noun} {goal['sku']} sent for {owed.subjects[0]} to {goal['line1']}, {goal['city']}, once"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for the replacement."""
        return "shop.replaced", {"serial": owed.subjects[0], "sku": (owed.to or {})["sku"]}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Look up the fault and send it; wait for goods that are due soon; correct the label if they moved."""
        serial, goal = owed.subjects[0], dict(owed.to or {})
        unit = clerk.do("backoffice_get_record", kind="units", id=serial)
        clerk.do("backoffice_get_record", kind="products", id=unit["sku"])
        asked = {"kind": "replacement", "subject": serial, "reason": why}
        arguments = {
            "customer_id": owed.customer,
            "serial_number": serial,
            "reason": "Defect reported by the customer",
            "part_sku": goal["sku"] if goal["sku"] != unit["sku"] else "",
            "idempotency_key": f"send-{clerk.ticket_id}",
        }
        _wait_for_stock(clerk, goal["sku"])
        approval = {**asked, "justification": "The warranty has just ended, and the fault is known."}
        made = clerk.insist("backoffice_replace_unit", approval, **arguments)
        clerk.note(owed.kind, made)
        parcel = clerk.do("backoffice_get_record", kind="shipments", id=made["shipment_id"])
        if parcel["address"]["line1"] != goal["line1"]:
            new = {key: goal[key] for key in ("line1", "postal_code", "city")}
            place = {**parcel["address"], "line2": "", "region": "", **new}
            clerk.do("backoffice_change_address", what="shipment", id=parcel["id"], address=place)

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it was sent."""
        return f"I have sent you {'a new machine' if self.noun == 'machine' else 'the part'} for {owed.subjects[0]}."

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the newest such replacement to an address of the account, its right address, and the approval."""
        if cell.table == "backoffice_replacements":
            made = tx.find(Replacement, _newest_sent(tx, owed))
            return made is not None and cell.key == made.id and cell.op == "insert" and _to_the_account(tx, owed, made)
        if cell.table == "backoffice_shipments":
            made = tx.find(Replacement, _newest_sent(tx, owed))
            mine = made is not None and made.shipment_id == cell.key
            right = cell.column == "address" and goes_there(owed, address_parts(cell.after))
            return mine and (right or cell.column == "updated_at")
        return covers_approval(cell, owed.subjects)


class LabelKind(Kind):
    """A return is opened: the customer gets a number and a label."""

    helper, takes = "take_back", (Order,)

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what comes back, why and what for."""
        goal = owed.to or {}
        what = f"{goal['quantity']} x {goal['sku']}"
        why = "any reason" if "reason" in owed.any_of else goal["reason"]
        return f"a return of {what} from {about} ({why}, {goal['resolution']}), once"

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for the return."""
        return "shop.return_opened", {"order": owed.subjects[0]}

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Open it."""
        goal = owed.to or {}
        asked = {**goal, "quantity": int(goal["quantity"])}
        made = clerk.do("backoffice_open_return", order_id=owed.subjects[0], **asked)
        clerk.note("label", made)
        clerk.made["label"] = str(made["number"])

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it can be sent back."""
        return Worded(
            f"You can send it back: I have opened a return for {about}, and the label is in your mail.",
            fr=f"Vous pouvez le retourner : j'ai ouvert un retour pour {in_language(about, 'fr')}, et l'étiquette est "
            "dans votre courriel.",
        )

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the newest such return."""
        goal = owed.to or {}
        where = "order_id = ? AND sku = ? AND resolution = ? AND quantity = ? AND status != 'cancelled'"
        values = [owed.subjects[0], goal["sku"], goal["resolution"], int(goal["quantity"])]
        if "reason" not in owed.any_of:
            where, values = f"{where} AND reason = ?", [*values, goal["reason"]]
        newest = tx.first(Return, where, *values, order="created_at DESC, id")
        return cell.table == "backoffice_returns" and newest is not None and newest.id == cell.key


DEED_KINDS |= {"part": SendKind("part"), "replacement_machine": SendKind("machine"), "label": LabelKind()}


def _wait_for_stock(clerk: Clerk, sku: str) -> None:
    """Look at the shelf; if it is empty, tell the customer and wait for the next delivery."""
    if clerk.do("backoffice_get_record", kind="stock", id=sku)["available"]:
        return
    clerk.do("zendesk_reply_to_ticket", ticket_id=clerk.ticket_id, body=LATER)
    for _ in range(TRIES):
        clerk.try_("wait", minutes=480)
        if clerk.do("backoffice_get_record", kind="stock", id=sku)["available"]:
            return


def _to_the_account(tx: Tx, owed: Owed, made: Replacement) -> bool:
    """Check whether a parcel goes to an address that was known: the old one of a customer counts, too."""
    parcel = tx.find(Shipment, made.shipment_id)
    known = msgspec.structs.replace(owed, to=None)
    return parcel is not None and goes_there(known, address_parts(msgspec.to_builtins(parcel.address)))


def _newest_sent(tx: Tx, owed: Owed) -> str:
    where = "serial_number = ? AND sku = ? AND customer_id = ? AND status != 'cancelled'"
    values = (owed.subjects[0], (owed.to or {})["sku"], owed.customer)
    found = tx.first(Replacement, where, *values, order="created_at DESC, id")
    return found.id if found is not None else ""
