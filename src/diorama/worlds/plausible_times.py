"""Rules about staged times: when carriers and colleagues work, how long parcels take, and when they count as lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from diorama.apps.backoffice.schema import Order, Scan, Shipment
from diorama.worlds.holidays import public_holidays
from diorama.worlds.written import Written, at

SUNDAY = 6
SILENCE = timedelta(days=7)
"""How long the tracking shows nothing before a parcel is searched, as the Help Center says."""
AT_THE_DOOR_HOURS = (8, 18)
"""The hours between which carriers deliver, and declare a parcel lost."""
LATE_DAYS = 4
"""By how many delivery days a parcel may be later than its country's usual time."""
ONE_HOUR = 1


def _local(written: Written, moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(written.settings.time_zone))


def _rests(country: str, day: date) -> bool:
    return day.weekday() == SUNDAY or day in public_holidays(country, day.year)


def _delivers(written: Written, country: str, day: date) -> bool:
    return day.weekday() in written.settings.delivery_days and not _rests(country, day)


def _at_an_hour(local: datetime, hours: tuple[int, int]) -> bool:
    return hours[0] <= local.hour < hours[1]


def _scans(written: Written) -> Iterator[tuple[Shipment, Scan]]:
    """Yield the scans that the variant staged and that have happened."""
    for parcel in written.staged(written.rows.parcels):
        for scan in written.scans.get(parcel.id, ()):
            if scan.at <= written.at:
                yield parcel, scan


def _parcels_are_lost_only_after_a_week(written: Written) -> Iterator[str]:
    """A parcel is declared lost after its announced day, and after a week without a scan."""
    for parcel, scan in _scans(written):
        if scan.status != "lost":
            continue
        before = max(one.at for one in written.scans[parcel.id] if one.at < scan.at)
        if scan.at < before + SILENCE:
            yield f"the parcel {parcel.tracking_number} was declared lost {scan.at - before} after its last scan"
        if _local(written, scan.at).date() <= _local(written, parcel.estimated_at).date():
            yield f"the parcel {parcel.tracking_number} was declared lost before its announced day was over"


def _carriers_work_on_their_days(written: Written) -> Iterator[str]:
    """Carriers collect at the warehouse's hour of a working day; they deliver by day, on days of the place."""
    ours = written.settings
    for parcel, scan in _scans(written):
        local, number = _local(written, scan.at), parcel.tracking_number
        if scan.status == "in_transit":
            hours = (ours.collected_at_hour - ONE_HOUR, ours.collected_at_hour + ONE_HOUR)
            if local.weekday() > 4 or _rests(ours.country, local.date()) or not _at_an_hour(local, hours):
                yield f"the parcel {number} was collected on {local:%A %Y-%m-%d %H:%M}"
        elif scan.status in ("delivered", "lost", "returned"):
            country = parcel.address.country if scan.status == "delivered" else ours.country
            if not _delivers(written, country, local.date()) or not _at_an_hour(local, AT_THE_DOOR_HOURS):
                yield f"the parcel {number} was {scan.status} on {local:%A %Y-%m-%d %H:%M} in {country}"
    for back in written.staged(written.rows.returns):
        if back.received_at is not None and back.received_at <= written.at:
            local = _local(written, back.received_at)
            hours = (ours.day_begins_hour - ONE_HOUR, ours.day_ends_hour)
            if local.weekday() > 4 or _rests(ours.country, local.date()) or not _at_an_hour(local, hours):
                yield f"the return {back.number} was received on {local:%A %Y-%m-%d %H:%M}"


def _parcels_take_the_time_of_their_country(written: Written) -> Iterator[str]:
    """A parcel takes the delivery days that its country usually takes, or some more; one that came back, twice them."""
    usual = written.settings.transit_days
    for parcel in written.staged(written.rows.parcels):
        if parcel.handed_over_at is None or parcel.closed_at is None or parcel.closed_at > written.at:
            continue
        country = parcel.address.country
        least, most = usual.get(country, usual[""])
        ways = 2 if parcel.status == "returned" else 1
        took = _delivery_days(written, country, parcel.handed_over_at, parcel.closed_at)
        if not ways * least <= took + (ways - 1) <= ways * (most + LATE_DAYS):
            told = f"the parcel {parcel.tracking_number} was {parcel.status} after {took} delivery days"
            yield f"{told}, and {country} takes {least} to {most}"


def _delivery_days(written: Written, country: str, since: datetime, until: datetime) -> int:
    first, last = _local(written, since).date(), _local(written, until).date()
    days = [first + timedelta(days=number) for number in range(1, (last - first).days + 1)]
    return sum(_delivers(written, country, one) for one in days)


def _deposits_are_not_in_parcels(written: Written) -> Iterator[str]:
    """A parcel holds goods; a deposit is only money."""
    for parcel in written.staged(written.rows.parcels):
        for one in parcel.parcels:
            if written.kinds.get(one.sku) == "deposit":
                yield f"the parcel {parcel.tracking_number} holds {one.sku}, which is a sum of money"


def _colleagues_act_at_work(written: Written) -> Iterator[str]:
    """Notes, refunds, returns, replacements and credits are of hours at which their author works."""
    team = written.team
    known = {one.email: one for one in team.colleagues} if team is not None else {}
    for act in written.acts:
        who = known.get(act.by)
        local = _local(written, act.at)
        if team is not None and who is not None and not team.at_work(who, local):
            yield f"{act.what} by {act.by} is of {local:%A %Y-%m-%d %H:%M}, when they do not work"


_MIDWEEK = re.compile(r"\b(?:arrives on Wednesday|promised Wednesday|\(midweek\))")
WEDNESDAY = 2


def _notes_name_days_that_are_to_come(written: Written) -> Iterator[str]:
    """An order that waits for goods until Wednesday waits for a Wednesday that has not passed."""
    for one in written.staged(written.rows.notes):
        order = _order(written, one.order_id)
        if order is None or order.status != "open" or not _MIDWEEK.search(one.body):
            continue
        noted, today = _local(written, one.created_at).date(), _local(written, written.at).date()
        due = noted + timedelta(days=(WEDNESDAY - noted.weekday() - 1) % 7 + 1)
        if due < today:
            yield f"a note of {at(one.created_at)} says that {order.number} waits until Wednesday {due}, which is over"


_WENT_OUT = re.compile(r"\b(?:went out|have gone out)\b")
_LOST = re.compile(r"\b(?:is lost|lost in transit|lost parcel|gave up on|is back:)")


def _notes_follow_what_they_tell(written: Written) -> Iterator[str]:
    """A note that an order went out, was lost or came back is written after that."""
    for one in written.staged(written.rows.notes):
        for order in written.rows.orders:
            if one.order_id != order.id and order.number not in one.body:
                continue
            mine = [each for each in written.rows.parcels if each.order_id == order.id and not each.replacement_id]
            left = [each.handed_over_at for each in mine if each.handed_over_at is not None]
            if _WENT_OUT.search(one.body) and not any(moment < one.created_at for moment in left):
                yield f"a note of {at(one.created_at)} says that {order.number} went out, and it had not left"
            gone = [each.updated_at for each in mine if each.status in ("lost", "returned")]
            if _LOST.search(one.body) and gone and not any(moment < one.created_at for moment in gone):
                yield f"a note of {at(one.created_at)} says that {order.number} is lost, before anyone could know"


def _refunds_follow_the_loss(written: Written) -> Iterator[str]:
    """Money for a parcel that was lost or came back is refunded after that."""
    for one in written.staged(written.rows.refunds):
        mine = [each for each in written.rows.parcels if each.order_id == one.order_id]
        gone = [each.updated_at for each in mine if each.status in ("lost", "returned")]
        if one.reason == "not_received" and gone and min(gone) >= one.created_at:
            yield f"{written.number(one.order_id)} was refunded {at(one.created_at)}, before its parcel was lost"


_TRIP = re.compile(r"\b(?:we leave on|trip starts on|on part le|voyage commence le) ([^.\n]+)", re.IGNORECASE)
_MONTHS = (
    "jan",
    "f[eé]b|f[eé]v",
    "mar",
    "apr|avr",
    "may|mai",
    "june?|juin",
    "july?|juil",
    "aug|ao[uû]",
    "sep",
    "oct",
    "nov",
    "d[eé]c",
)
_IN_TIME = "in_time"


def _parcels_in_time_come_before_the_trip(written: Written) -> Iterator[str]:
    """A plan whose name says that a parcel is in time has one that is expected before the customer leaves."""
    found = _TRIP.search(written.letter)
    if found is None or not written.plan.startswith(_IN_TIME):
        return
    leaves = _read_day(found[1], written.at.date())
    order = next((one.id for one in written.rows.orders if one.number == written.order_number), "")
    for one in written.rows.parcels:
        due = _local(written, one.estimated_at).date()
        if one.order_id == order and leaves is not None and leaves <= due:
            yield f"the plan is {written.plan}, but the parcel is expected on {due} and the trip starts on {leaves}"


def _read_day(text: str, today: date) -> date | None:
    """Read a day that a customer wrote in English or French; None if it has neither a month nor a number."""
    number = re.search(r"\b(\d{1,2})(?:st|nd|rd|th|er)?\b", text)
    month = next((place for place, name in enumerate(_MONTHS, 1) if re.search(rf"\b(?:{name})", text.lower())), None)
    return date(today.year, month, int(number[1])) if month is not None and number is not None else None


def _order(written: Written, order_id: str) -> Order | None:
    return next((one for one in written.rows.orders if one.id == order_id), None)


TIMES: tuple[Callable[[Written], Iterator[str]], ...] = (
    _parcels_are_lost_only_after_a_week,
    _carriers_work_on_their_days,
    _parcels_take_the_time_of_their_country,
    _deposits_are_not_in_parcels,
    _colleagues_act_at_work,
    _notes_name_days_that_are_to_come,
    _notes_follow_what_they_tell,
    _refunds_follow_the_loss,
    _parcels_in_time_come_before_the_trip,
)
"""The rules about times; each yields what breaks it."""
