"""Products."""

from diorama.apps.backoffice.rules import stock
from diorama.apps.backoffice.schema import APP, Product, ProductKind
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.products import ProductView, product_view
from diorama.kernel import Tx


@APP.get("/api/v1/products", tags=("products",))
def list_products(
    tx: Tx, page: Page, kind: ProductKind | None = None, active: bool | None = None
) -> Listing[ProductView]:
    """List products with price, warranty and known faults."""
    return listing(tx, Product, page, product_view, [("kind = ?", kind), ("active = ?", active)])


@APP.get("/api/v1/products/{sku}", tags=("products",))
def get_product(tx: Tx, sku: str) -> ProductView:
    """Get one product by its SKU."""
    return product_view(stock.product(tx, sku))
