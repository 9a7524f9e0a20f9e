"""Rules about parcels: on which days carriers work, and how long a parcel takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import BACKOFFICE, at, rule
from diorama.worlds.holidays import public_holidays

SUNDAY = 6
ENOUGH = 150
"""How many parcels there must be to compare weekdays."""
FEWEST, MOST = 0.06, 0.4
"""The share of deliveries on one weekday; what was due at the weekend comes on Monday."""
QUICKEST, SLOWEST = timedelta(hours=10), timedelta(days=40)
YOUNG = timedelta(days=45)
"""An order that is older has left, come or been cancelled."""


def _closed(country: str, day: date) -> bool:
    return day.weekday() == SUNDAY or day in public_holidays(country, day.year)


def _local(records: Records, moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(records.settings.time_zone))


@rule(BACKOFFICE)
def carriers_rest_on_sundays_and_holidays(records: Records) -> Iterator[str]:
    """No parcel is delivered on a Sunday or on a public holiday of the place."""
    for one in records.parcels:
        if one.status == "delivered" and one.closed_at is not None:
            day, country = _local(records, one.closed_at).date(), one.address.country
            yield f"parcel {one.id} was delivered on {day:%A %Y-%m-%d} in {country}" if _closed(country, day) else ""


@rule(BACKOFFICE)
def the_warehouse_rests_on_weekends_and_holidays(records: Records) -> Iterator[str]:
    """No parcel is collected at a weekend or on a public holiday of the company's country."""
    for one in records.parcels:
        if one.handed_over_at is not None:
            day, home = _local(records, one.handed_over_at).date(), records.settings.country
            rests = day.weekday() >= 5 or _closed(home, day)
            yield f"parcel {one.id} was collected on {day:%A %Y-%m-%d}" if rests else ""


@rule(BACKOFFICE)
def parcels_arrive_on_all_working_days(records: Records) -> Iterator[str]:
    """Every day on which carriers deliver has a plausible share of the deliveries."""
    came = [one.closed_at for one in records.parcels if one.status == "delivered" and one.closed_at is not None]
    days = Counter(_local(records, moment).weekday() for moment in came)
    for day in records.settings.delivery_days if len(came) >= ENOUGH else ():
        part = days[day] / len(came)
        wrong = not FEWEST <= part <= MOST
        yield f"weekday {day} (0 is Monday) has {100 * part:.0f} % of {len(came)} deliveries" if wrong else ""


@rule(BACKOFFICE)
def parcels_follow_their_order(records: Records) -> Iterator[str]:
    """A parcel is packed after its order, collected after it was packed, and closed after it was collected."""
    for one in records.parcels:
        order = records.orders.get(one.order_id)
        steps = [order.created_at if order else None, one.created_at, one.handed_over_at, one.closed_at]
        known = [moment for moment in steps if moment is not None]
        wrong = order is None or known != sorted(known) or known[-1] > records.now
        yield f"parcel {one.id}: ordered, packed, collected, closed {[at(each) for each in steps]}" if wrong else ""


@rule(BACKOFFICE)
def transit_takes_time(records: Records) -> Iterator[str]:
    """A parcel takes at least a night and at most some weeks."""
    for one in records.parcels:
        if one.status == "delivered" and one.handed_over_at is not None and one.closed_at is not None:
            took = one.closed_at - one.handed_over_at
            yield "" if QUICKEST <= took <= SLOWEST else f"parcel {one.id} took {took}"


@rule(BACKOFFICE)
def scans_tell_the_parcel(records: Records) -> Iterator[str]:
    """The scans of a parcel are in order, and the last one is its status and its time."""
    seen: dict[str, list[tuple[int, str]]] = {}
    for parcel, moment, status in records.tx.rows("SELECT shipment_id, at, status FROM backoffice_scans ORDER BY id"):
        seen.setdefault(parcel, []).append((moment, status))
    for one in records.parcels:
        scans = seen.get(one.id, [])
        wrong = not scans or scans != sorted(scans, key=lambda scan: scan[0]) or scans[-1][1] != one.status
        yield f"parcel {one.id} is {one.status}, its scans tell of {[status for _, status in scans]}" if wrong else ""


@rule(BACKOFFICE)
def old_orders_are_settled(records: Records) -> Iterator[str]:
    """An order that is weeks old has left, was cancelled, or was refunded."""
    for one in records.orders.values():
        if one.created_at < records.now - YOUNG:
            yield f"order {one.number} of {at(one.created_at)} is still open" if one.status == "open" else ""
