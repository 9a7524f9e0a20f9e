"""Stock."""

from diorama.apps.backoffice.rules import stock
from diorama.apps.backoffice.schema import APP, Stock
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.stock import StockView, stock_view
from diorama.kernel import Refusal, Tx


@APP.get("/api/v1/stock", tags=("products",))
def list_stock(tx: Tx, page: Page) -> Listing[StockView]:
    """List the stock of the warehouse, most recently changed first."""
    return listing(tx, Stock, page, stock_view, by="updated_at")


@APP.get("/api/v1/stock/{sku}", tags=("products",))
def get_stock(tx: Tx, sku: str) -> StockView:
    """Get the stock of one SKU."""
    good = stock.product(tx, sku)
    if good.made_to_order:
        raise Refusal(404, "not_stocked", f"{sku} is made to order and never out of stock.", fields={"param": "sku"})
    return stock_view(tx.get(Stock, sku))
