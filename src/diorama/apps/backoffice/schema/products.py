"""Products and their known faults."""

from datetime import datetime
from typing import Literal

import msgspec

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

ProductKind = str
"""The company's own word for what a product is: machine, part, tent, rental."""
Remedy = Literal["part", "replacement", "advice"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A known fault of a product, as the workshop describes it, and its remedy."""

    code: str
    symptom: str
    remedy: Remedy
    part_sku: str = ""
    note: str = ""


@APP.record("products", ids=token("prd_"), unique=[("sku",)], index=[("kind", "sku")], cached=True)
class Product(Record):
    """Something that is sold; `serial_prefix` is set for products with serial numbers."""

    id: str = ""
    sku: str
    name: str
    kind: ProductKind
    description: str
    price_cents: int
    currency: str
    warranty_months: int = 0
    serial_prefix: str = ""
    weight_grams: int = 0
    fits: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    made_to_order: bool = False
    active: bool = True
    created_at: datetime
