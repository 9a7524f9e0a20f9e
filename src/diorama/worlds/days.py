"""Words for days in letters: what was due last week, came yesterday, or is a year old, as the order's dates have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice

OF = {"came": "arrived", "overdue": "due", "stuck": "placed", "age": "placed", "period": "arrived"}
"""The slots of letters that hold such words, and the date of the order that each is about."""


def day_words(
    known: Mapping[str, Sequence[Sequence[str | int]]], dice: Dice, history: History | None, at: datetime
) -> dict[str, str]:
    """Return words that fit the dates of an order, by slot; a slot without fitting words is left out.

    `known` lists the words of each slot with the least and most days between the date and the letter.
    """
    dates = _dates(history, at)
    found: dict[str, str] = {}
    for slot, words in known.items():
        moment = dates.get(OF[slot])
        if moment is not None:
            days = (at.date() - moment.astimezone(at.tzinfo).date()).days
            fits = [str(text) for text, least, most in words if int(least) <= days <= int(most)]
            if fits:
                found[slot] = dice.pick(fits)
    return found


def _dates(history: History | None, at: datetime) -> dict[str, datetime | None]:
    if history is None:
        return {}
    parcel = history.shipment
    came = parcel.closed_at if parcel is not None else None
    return {
        "placed": history.order.created_at,
        "due": parcel.estimated_at if parcel is not None else None,
        "arrived": came if came is not None and came <= at else None,
    }
