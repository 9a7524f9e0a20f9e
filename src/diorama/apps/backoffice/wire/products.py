"""Products and their known faults, as the API shows them."""

from diorama.apps.backoffice.rules.stock import serial_pattern
from diorama.apps.backoffice.schema import Fault, Product, ProductKind
from diorama.apps.backoffice.wire.shapes import Shown, shown


class ProductView(Shown, frozen=True, kw_only=True, tag="product"):
    """A product, with its known faults."""

    id: str
    sku: str
    name: str
    kind: ProductKind
    description: str
    price_cents: int
    currency: str
    warranty_months: int
    serial_number_pattern: str | None
    weight_grams: int
    fits: tuple[str, ...]
    known_faults: tuple[Fault, ...]
    made_to_order: bool
    active: bool


def product_view(product: Product) -> ProductView:
    """Build the reply model of a product."""
    return shown(ProductView, product, serial_number_pattern=serial_pattern(product), known_faults=product.faults)
