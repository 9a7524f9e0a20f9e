"""The settings of the company: one row that a world writes when it sets the back office up."""

import msgspec

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token


class Carrier(msgspec.Struct, frozen=True, kw_only=True):
    """A carrier: how its tracking numbers look, and which parcels it takes."""

    name: str
    prefix: str
    digits: int
    countries: tuple[str, ...] = ()
    """ISO codes; empty for every country that no other carrier names."""
    from_grams: int = 0
    share: float = 1.0
    """How often it is chosen among the carriers that take the same parcel."""


@APP.record("settings", ids=token("set_"), cached=True)
class Settings(Record):
    """What is particular to one company; its id is always `company`."""

    id: str = "company"
    name: str
    country: str
    currency: str
    time_zone: str
    order_prefix: str
    vat_percent: int
    shipping_cents: int
    free_shipping_from_cents: int
    carriers: tuple[Carrier, ...]
    return_carrier: str
    transit_days: dict[str, tuple[int, int]]
    """Fewest and most days by country; "" for every other country."""
    scan_places: tuple[str, ...]
    collected_at_hour: int
    day_begins_hour: int
    day_ends_hour: int
    delivery_days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    """Weekdays on which the carriers deliver; 0 is Monday."""
    holidays: dict[str, tuple[str, ...]] = {}
    """ISO dates on which carriers neither collect nor deliver, by country."""
