"""Read the company's settings: currency, time zone, prices of shipping, carriers, working hours."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from diorama.apps.backoffice.schema.settings import Carrier, Settings
from diorama.kernel import Defect, Dice, Tx

zone = lru_cache(maxsize=64)(ZoneInfo)


def settings(tx: Tx) -> Settings:
    """Return the company's settings."""
    found = tx.find(Settings, "company")
    if found is None:
        raise Defect("the back office has no settings: the world must call seed.set_up first", boundary="app")
    return found


def included_vat(tx: Tx, gross_cents: int) -> int:
    """Return the tax that a price contains."""
    return gross_cents - round(gross_cents * 100 / (100 + settings(tx).vat_percent))


def shipping_cents(tx: Tx, subtotal_cents: int) -> int:
    """Return what shipping costs for goods of this price."""
    ours = settings(tx)
    return 0 if subtotal_cents >= ours.free_shipping_from_cents else ours.shipping_cents


def carrier(tx: Tx, name: str) -> Carrier:
    """Return the carrier of this name."""
    return next(one for one in settings(tx).carriers if one.name == name)


def carrier_for(tx: Tx, country: str, weight_grams: int, dice: Dice) -> str:
    """Choose who carries a parcel of this weight to this country."""
    carriers = settings(tx).carriers
    named = [one for one in carriers if country in one.countries]
    fitting = [one for one in named or carriers if bool(named) or not one.countries]
    heaviest = max((one.from_grams for one in fitting if one.from_grams <= weight_grams), default=0)
    chosen = [one for one in fitting if one.from_grams == heaviest]
    if len(chosen) == 1:
        return chosen[0].name
    return dice.weighted({one.name: one.share for one in chosen})


def tracking_number(tx: Tx, name: str, dice: Dice) -> str:
    """Draw a tracking number in the carrier's format."""
    one = carrier(tx, name)
    return one.prefix + dice.text(one.digits, "0123456789")


def transit_range(tx: Tx, country: str) -> tuple[int, int]:
    """Return the fewest and the most delivery days that a parcel usually takes to a country."""
    days = settings(tx).transit_days
    return days.get(country, days[""])


def transit_days(tx: Tx, country: str, dice: Dice) -> int:
    """Draw how many days a parcel takes to a country."""
    return dice.integer(*transit_range(tx, country))


def next_collection(tx: Tx, moment: datetime) -> datetime:
    """Return when the carriers collect next: on working days at a fixed hour; labels need an hour before."""
    ours = settings(tx)
    local = moment.astimezone(zone(ours.time_zone))
    when = local.replace(hour=ours.collected_at_hour, minute=0, second=0, microsecond=0)
    if local > when - timedelta(hours=1):
        when += timedelta(days=1)
    while when.weekday() > 4 or _holiday(ours, ours.country, when):
        when += timedelta(days=1)
    late = tx.dice("collection", when.date().isoformat()).integer(0, COLLECTED_WITHIN_SECONDS)
    return (when + timedelta(seconds=late)).astimezone(UTC)


COLLECTED_WITHIN_SECONDS = 2_399
"""How late the driver may come; all parcels of a day are collected at once."""


def _holiday(ours: Settings, country: str, day: datetime) -> bool:
    return day.date().isoformat() in ours.holidays.get(country, ())


def _delivers(ours: Settings, country: str, day: datetime) -> bool:
    return day.weekday() in ours.delivery_days and not _holiday(ours, country, day)


def last_collection(tx: Tx, moment: datetime) -> datetime:
    """Return when the carriers collected last before a moment."""
    back = moment - timedelta(days=1)
    while (found := next_collection(tx, back)) >= moment:
        back -= timedelta(days=1)
    return found


def next_delivery(tx: Tx, moment: datetime, country: str, minutes: int = 0) -> datetime:
    """Return when a parcel is delivered that is due at a moment: about that many minutes after 8 on a delivery day."""
    ours = settings(tx)
    when = moment.astimezone(zone(ours.time_zone)).replace(hour=8, minute=0, second=0, microsecond=0)
    while not _delivers(ours, country, when):
        when += timedelta(days=1)
    seconds = tx.dice("delivery", moment.isoformat(), minutes).integer(0, 59)
    return (when + timedelta(minutes=minutes, seconds=seconds)).astimezone(UTC)


def delivery_day(tx: Tx, moment: datetime, country: str) -> datetime:
    """Return the moment itself, or the same hour of the next day on which the carriers deliver."""
    ours = settings(tx)
    when = moment.astimezone(zone(ours.time_zone))
    while not _delivers(ours, country, when):
        when += timedelta(days=1)
    return when.astimezone(UTC)


def due_day(tx: Tx, collected: datetime, country: str, dice: Dice) -> datetime:
    """Return when a parcel is due: some days on which the carriers deliver after it was collected."""
    return delivery_days_later(tx, collected, country, transit_days(tx, country, dice))


def delivery_days_later(tx: Tx, moment: datetime, country: str, days: int) -> datetime:
    """Return the same hour some days later; only days on which the carriers deliver in a country count."""
    ours = settings(tx)
    when = moment.astimezone(zone(ours.time_zone))
    for _ in range(days):
        when += timedelta(days=1)
        while not _delivers(ours, country, when):
            when += timedelta(days=1)
    return when.astimezone(UTC)


def next_working_moment(tx: Tx, moment: datetime) -> datetime:
    """Return the moment itself in working hours, else the next morning of a working day."""
    ours = settings(tx)
    local = moment.astimezone(zone(ours.time_zone))
    if local.weekday() > 4 or local.hour >= ours.day_ends_hour:
        local = _morning(local + timedelta(days=1), ours)
    elif local.hour < ours.day_begins_hour:
        local = _morning(local, ours)
    while local.weekday() > 4:
        local = _morning(local + timedelta(days=1), ours)
    return local.astimezone(UTC)


def _morning(local: datetime, ours: Settings) -> datetime:
    return local.replace(hour=ours.day_begins_hour, minute=0, second=0, microsecond=0)
