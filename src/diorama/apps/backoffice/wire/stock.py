"""What the warehouse holds of each product, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Stock
from diorama.apps.backoffice.wire.shapes import Shown, shown


class StockView(Shown, frozen=True, kw_only=True, tag="stock"):
    """The stock of one SKU."""

    sku: str
    on_hand: int
    reserved: int
    available: int
    incoming: int
    incoming_at: datetime | None
    updated_at: datetime


def stock_view(stock: Stock) -> StockView:
    """Build the reply model of a stock entry."""
    return shown(StockView, stock, sku=stock.id, available=stock.on_hand - stock.reserved)
