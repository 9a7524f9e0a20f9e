"""A catalogue as a world writes it down: goods, prices, warranties, known faults and subscription offers."""

import msgspec

from diorama.apps.backoffice.schema import Fault, ProductKind


class Good(msgspec.Struct, frozen=True, kw_only=True):
    """A product of the catalogue, and how many units the warehouse keeps."""

    sku: str
    name: str
    kind: ProductKind
    price_cents: int
    description: str
    warranty_months: int = 0
    serial_prefix: str = ""
    weight_grams: int = 500
    fits: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    stock: int = 0
    made_to_order: bool = False
    active: bool = True


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription plan of the catalogue."""

    code: str
    name: str
    sku: str
    quantity: int
    price_cents: int
    interval_weeks: int
    options: tuple[str, ...] = ()
    active: bool = True
