"""What cannot have happened so: rows that precede their cause, and letters that the rows contradict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from diorama.apps.backoffice.rules.charges import expired
from diorama.worlds.plausible_times import TIMES
from diorama.worlds.written import ROWS, Written, at, read_written

AT_THE_DOOR = timedelta(minutes=20)
"""How long before a letter a parcel has to be delivered at least: people open it first."""
AFTER_ARRIVAL = ("wrong_item", "defective", "returned")
"""The reasons of refunds for goods that the customer has seen."""


def implausible(written: Written) -> Iterator[str]:
    """Yield what cannot have happened as the rows and the letter say."""
    for rule in RULES:
        yield from rule(written)


def _refunds_follow_the_goods(written: Written) -> Iterator[str]:
    """Money for goods that the customer has seen is refunded after they arrived."""
    for one in written.staged(written.rows.refunds):
        if one.reason in AFTER_ARRIVAL:
            came = written.arrived(one.order_id)
            if came is None or came >= one.created_at:
                number = written.number(one.order_id)
                yield f"{number} was refunded ({one.reason}) on {at(one.created_at)}, before it came ({at(came)})"


def _refunds_follow_the_return(written: Written) -> Iterator[str]:
    """Money for returned goods is refunded after the return was received."""
    for one in written.staged(written.rows.refunds):
        back = [each.received_at for each in written.rows.returns if each.order_id == one.order_id and each.received_at]
        if one.reason == "returned" and not any(each < one.created_at for each in back):
            number = written.number(one.order_id)
            yield f"{number} was refunded (returned) on {at(one.created_at)}, before its return was received"


def _returns_follow_the_goods(written: Written) -> Iterator[str]:
    """A return is opened after the goods arrived."""
    for one in written.staged(written.rows.returns):
        came = written.arrived(one.order_id)
        if came is None or came >= one.created_at:
            yield f"the return {one.number} was opened on {at(one.created_at)}, before the goods came ({at(came)})"


def _deliveries_precede_the_letter(written: Written) -> Iterator[str]:
    """No parcel arrives in the minutes before the letter."""
    for one in written.staged(written.rows.parcels):
        if one.closed_at is not None and written.at - AT_THE_DOOR < one.closed_at <= written.at:
            yield f"the parcel of {written.number(one.order_id)} was closed {at(one.closed_at)}, as the letter came"


_MISSING = re.compile(r"\b(?:missing from|was left out|not in the box)\b", re.IGNORECASE)


def _notes_of_missing_goods_follow_the_parcel(written: Written) -> Iterator[str]:
    """A note that something was missing is written after the parcel arrived."""
    for one in written.staged(written.rows.notes):
        came = written.arrived(one.order_id) if one.order_id and _MISSING.search(one.body) else None
        if came is not None and came >= one.created_at:
            number = written.number(one.order_id)
            yield f"a note of {at(one.created_at)} says what was missing in {number}, which came later"


_USED_UP = re.compile(r"\b(?:drank|drunk it|ate it|used it up|had two cups|two cups, never)\b", re.IGNORECASE)


def _what_was_used_had_arrived(written: Written) -> Iterator[str]:
    """Goods that the customer has used up were delivered before."""
    about = next((one for one in written.rows.orders if one.number == written.order_number), None)
    if about is not None and _USED_UP.search(written.letter):
        came = written.arrived(about.id)
        if came is None or came >= written.at - AT_THE_DOOR:
            yield f"the letter says that the goods of {about.number} were used, and they came {at(came)}"


_STILL_WITH_US = re.compile(
    r"\bother order\b[^.!?]*\b(?:not left|still with you)\b|\bother order that is still with you\b"
    r"|\bautre commande\b[^.!?]*\b(?:pas partie|encore chez vous)\b",
    re.IGNORECASE,
)


def _the_other_order_is_one(written: Written) -> Iterator[str]:
    """The other order that has not left is only one."""
    if _STILL_WITH_US.search(" ".join(written.letter.split())):
        waiting = sorted(one.number for one in written.others if one.status == "open")
        if len(waiting) != 1:
            yield f"the letter names the other order that has not left, and there are {', '.join(waiting) or 'none'}"


_ARRANGED = re.compile(r"\bother (?:one|order)\b[^.!?]*\b(?:arranged|settled|paid back|sorted)\b", re.IGNORECASE)


def _what_is_arranged_is_recorded(written: Written) -> Iterator[str]:
    """Another order that is arranged already was refunded, sent again or cancelled."""
    if not _ARRANGED.search(" ".join(written.letter.split())):
        return
    settled = {one.order_id for one in written.rows.refunds}
    settled |= {one.order_id for one in written.rows.parcels if one.reship_of or one.reshipped_as}
    if not any(one.id in settled or one.status == "cancelled" for one in written.others):
        yield "the letter says that the other order is arranged already, and no record shows it"


def _rows_follow_the_account(written: Written) -> Iterator[str]:
    """No row is older than the account of its customer."""
    rows, since = written.rows, written.customer.created_at
    kinds = (rows.orders, rows.charges, rows.refunds, rows.returns, rows.notes, rows.subscriptions)
    every: list[Any] = [one for kind in kinds for one in kind if one.id not in written.earlier]
    for one in every:
        if one.created_at < since:
            noun = type(one).__name__.lower()
            yield f"the {noun} {one.id} is of {at(one.created_at)}, older than the account ({at(since)})"


def _notes_follow_their_order(written: Written) -> Iterator[str]:
    """A note that belongs to an order, or names its number, is not older than the order."""
    for one in written.staged(written.rows.notes):
        for order in written.rows.orders:
            if (one.order_id == order.id or order.number in one.body) and one.created_at < order.created_at:
                yield f"a note of {at(one.created_at)} is about {order.number}, which is of {at(order.created_at)}"


_TO_COME = re.compile(r"\b(?:goes out|will go out|should not go out|must not go out|before it leaves)\b", re.IGNORECASE)


def _notes_of_parcels_to_come_precede_them(written: Written) -> Iterator[str]:
    """A note that says that an order goes out is written before its parcel left."""
    for one in written.staged(written.rows.notes):
        for order in written.rows.orders if _TO_COME.search(one.body) else ():
            if one.order_id != order.id and order.number not in one.body:
                continue
            left = [each.handed_over_at for each in written.rows.parcels if each.order_id == order.id]
            gone = min((each for each in left if each is not None), default=None)
            if gone is not None and gone <= min(one.created_at, written.at):
                yield f"a note of {at(one.created_at)} says that {order.number} goes out, which left {at(gone)}"


_ELSEWHERE = re.compile(r"\bPlan sent to (.+?) for the winter\b")
_HOME_AGAIN = re.compile(r"\bPlan goes home again\b")


def _plans_went_where_notes_say(written: Written) -> Iterator[str]:
    """A plan that a note sends to another town exists by then, and its bags go there until a note sends it home."""
    home = [one.created_at for one in written.rows.notes if _HOME_AGAIN.search(one.body)]
    for one in written.staged(written.rows.notes):
        found = _ELSEWHERE.search(one.body)
        if found is None:
            continue
        plans = [each for each in written.staged(written.rows.subscriptions) if each.created_at < one.created_at]
        if not plans:
            yield f"a note of {at(one.created_at)} sends a plan to {found[1]} that did not exist yet"
        until = min((each for each in home if each > one.created_at), default=written.at)
        bags = [each for each in written.rows.orders if each.subscription_id in {plan.id for plan in plans}]
        during = [each for each in bags if one.created_at < each.created_at < until]
        if not during and plans:
            yield f"a note of {at(one.created_at)} sends a plan to {found[1]}, and no bag went there"
        for each in during:
            if each.shipping_address.city != found[1]:
                yield f"{each.number} went to {each.shipping_address.city}, and a note sent the plan to {found[1]}"


UNPACKED = timedelta(minutes=30)
"""How long after a delivery a return is opened at the earliest."""


def _returns_are_not_opened_at_the_door(written: Written) -> Iterator[str]:
    """A return is opened some time after the goods arrived."""
    for one in written.staged(written.rows.returns):
        came = written.arrived(one.order_id)
        if came is not None and came < one.created_at < came + UNPACKED:
            yield f"the return {one.number} was opened {one.created_at - came} after the goods came, at the door"


def _rows_were_updated_by_what_ended_them(written: Written) -> Iterator[str]:
    """A plan was updated when it ended, and a parcel when it was scanned last."""
    for plan in written.staged(written.rows.subscriptions):
        if plan.cancelled_at is not None and plan.updated_at < plan.cancelled_at:
            yield f"the plan {plan.id} ended {at(plan.cancelled_at)}, and was updated before ({at(plan.updated_at)})"
    for parcel in written.staged(written.rows.parcels):
        scanned = written.scanned.get(parcel.id)
        if scanned is not None and parcel.updated_at < scanned <= written.at:
            number = parcel.tracking_number
            yield f"the parcel {number} was updated {at(parcel.updated_at)}, and scanned later ({at(scanned)})"


def _parcels_and_returns_arrive_after_they_left(written: Written) -> Iterator[str]:
    """A parcel is delivered after it was handed over, and a return received after it was opened."""
    for one in written.staged(written.rows.parcels):
        if one.closed_at is not None and one.handed_over_at is not None and one.closed_at < one.handed_over_at:
            yield f"the parcel {one.tracking_number} came {at(one.closed_at)}, and left {at(one.handed_over_at)}"
    for back in written.staged(written.rows.returns):
        if back.received_at is not None and back.received_at <= back.created_at:
            yield f"the return {back.number} was received {at(back.received_at)}, and opened {at(back.created_at)}"


def _cards_were_valid(written: Written) -> Iterator[str]:
    """No expired card was charged."""
    for one in written.staged(written.rows.charges):
        if expired(one.card, one.created_at):
            until = f"{one.card.exp_month}/{one.card.exp_year}"
            yield f"the charge {one.id} of {at(one.created_at)} is on a card that expired in {until}"


_DUE_BACK = re.compile(r"\b(?:due )?back (?:on )?(\d{4}-\d\d-\d\d)\b", re.IGNORECASE)
RENTED_DAYS = {"weekend": 6, "week": 10}
"""How many days after its delivery a kit is due at the latest, by the last word of its name."""


def _kits_are_due_as_their_names_say(written: Written) -> Iterator[str]:
    """A kit for a weekend or a week is due back that long after it was delivered."""
    for one in written.staged(written.rows.notes):
        due, came = _DUE_BACK.search(one.body), written.arrived(one.order_id)
        if due is None or came is None:
            continue
        days = (date.fromisoformat(due[1]) - came.date()).days
        for line in written.lines:
            most = RENTED_DAYS.get(line.name.rpartition(" ")[2]) if line.order_id == one.order_id else None
            if most is not None and not 2 <= days <= most:
                yield f"{line.name} of {written.number(one.order_id)} is due {days} days after it came"


_COSTS_NOW = re.compile(r"\bin the shop for (\d+)\.(\d\d)\b")


def _shop_prices_are_as_the_letter_says(written: Written) -> Iterator[str]:
    """What a letter says that something costs in the shop now, it costs there, and it was dearer when it was bought."""
    for found in _COSTS_NOW.finditer(" ".join(written.letter.split())):
        now = int(found[1]) * 100 + int(found[2])
        about = [one for one in written.lines if written.number(one.order_id) == written.order_number]
        if not any(written.prices.get(one.sku) == now < one.unit_price_cents for one in about):
            yield f"the letter says {found[0]}, and no product of {written.order_number} costs that and was dearer"


_SCALED = re.compile(r"\b(?:full of scale|scale and vinegar)\b", re.IGNORECASE)
HAS_WATER = re.compile(r"LK-(?!TERN)")
"""How the SKU of a machine with a boiler begins: neither grinders nor the lever machine have one."""


def _scale_needs_water(written: Written) -> Iterator[str]:
    """Scale breaks only machines with a boiler."""
    if _SCALED.search(" ".join(written.letter.split())):
        bought = [one for one in written.lines if written.number(one.order_id) == written.order_number]
        if not any(HAS_WATER.match(one.sku) for one in bought):
            yield f"the letter blames scale, and nothing of {written.order_number} has a boiler"


_ISO = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_FOREIGNER = {
    "en": re.compile(r"\bmy English\b|\bunderstand me\b|\bIn my country\b", re.IGNORECASE),
    "fr": re.compile(r"\bmon français\b", re.IGNORECASE),
    "de": re.compile(r"\bmein Deutsch\b", re.IGNORECASE),
    "es": re.compile(r"\bmi español\b", re.IGNORECASE),
    "nl": re.compile(r"\bmijn Nederlands\b", re.IGNORECASE),
}
_TWICE = re.compile(r"^(\w{3,}) \1$", re.MULTILINE)


def _letters_are_as_people_write(written: Written) -> Iterator[str]:
    """Letters have no dates of machines, no name twice, and excuse no language that is the customer's own."""
    if found := _ISO.search(written.letter):
        yield f"the letter writes the date {found[0]}"
    if found := _TWICE.search(written.letter):
        yield f"the letter is signed {found[0]}"
    own = _FOREIGNER.get(written.customer.locale[:2])
    if own is not None and (found := own.search(written.letter)):
        yield f"the letter excuses the customer's own language ({written.customer.locale}): {found[0]}"


RULES: tuple[Callable[[Written], Iterator[str]], ...] = (
    _refunds_follow_the_goods,
    _refunds_follow_the_return,
    _returns_follow_the_goods,
    _deliveries_precede_the_letter,
    _notes_of_missing_goods_follow_the_parcel,
    _what_was_used_had_arrived,
    _the_other_order_is_one,
    _what_is_arranged_is_recorded,
    _rows_follow_the_account,
    _notes_follow_their_order,
    _notes_of_parcels_to_come_precede_them,
    _plans_went_where_notes_say,
    _returns_are_not_opened_at_the_door,
    _rows_were_updated_by_what_ended_them,
    _parcels_and_returns_arrive_after_they_left,
    _cards_were_valid,
    _kits_are_due_as_their_names_say,
    _shop_prices_are_as_the_letter_says,
    _scale_needs_water,
    _letters_are_as_people_write,
    *TIMES,
)
"""The rules of plausibility; each yields what breaks it."""


__all__ = ["ROWS", "Written", "implausible", "read_written"]
