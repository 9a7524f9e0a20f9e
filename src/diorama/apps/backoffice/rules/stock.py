"""Stock: available quantities, reservations, and serial numbers."""

from datetime import datetime

from diorama.apps.backoffice.schema import APP, Product, Sequence, Stock, Unit
from diorama.kernel import Refusal, Tx

FIRST_NUMBERS = {"order": 10_001, "return": 2_001}


def product(tx: Tx, sku: str) -> Product:
    """Return the product with this SKU."""
    found = tx.first(Product, "sku = ?", sku)
    if found is None:
        raise Refusal(404, "resource_missing", f"No such product: '{sku}'", fields={"param": "sku"})
    return found


def available(tx: Tx, sku: str) -> int:
    """Return how many units can still be reserved."""
    stock = tx.find(Stock, sku)
    return stock.on_hand - stock.reserved if stock else 0


def reserve(tx: Tx, good: Product, quantity: int) -> None:
    """Reserve units for an order."""
    if good.made_to_order:
        return
    if available(tx, good.sku) < quantity:
        stock = tx.find(Stock, good.sku)
        due = f" {stock.incoming} are due on {stock.incoming_at:%Y-%m-%d}." if stock and stock.incoming_at else ""
        raise Refusal(409, "out_of_stock", f"Not enough {good.sku} in stock.{due}", fields={"param": "sku"})
    stock = tx.get(Stock, good.sku)
    tx.change(stock, reserved=stock.reserved + quantity, updated_at=tx.now)


def release(tx: Tx, good: Product, quantity: int) -> None:
    """Release a reservation."""
    if not good.made_to_order:
        stock = tx.get(Stock, good.sku)
        tx.change(stock, reserved=stock.reserved - quantity, updated_at=tx.now)


def pick(tx: Tx, good: Product, quantity: int) -> None:
    """Remove reserved units from stock."""
    if not good.made_to_order:
        stock = tx.get(Stock, good.sku)
        tx.change(stock, on_hand=stock.on_hand - quantity, reserved=stock.reserved - quantity, updated_at=tx.now)


def put_back(tx: Tx, good: Product, quantity: int) -> None:
    """Put units back into stock."""
    if not good.made_to_order:
        stock = tx.find(Stock, good.sku)
        if stock is None:
            tx.add(Stock(id=good.sku, on_hand=quantity, updated_at=tx.now))
        else:
            tx.change(stock, on_hand=stock.on_hand + quantity, updated_at=tx.now)


@APP.command
def receive_stock(tx: Tx, sku: str) -> None:
    """Receive a delivery: add the units on order to the stock."""
    stock = tx.get(Stock, sku)
    on_hand = stock.on_hand + stock.incoming
    tx.change(stock, on_hand=on_hand, incoming=0, incoming_at=None, updated_at=tx.now)


def next_number(tx: Tx, kind: str) -> int:
    """Return the next human-readable number of an order or a return."""
    sequence = tx.find(Sequence, kind) or tx.add(Sequence(id=kind, next=FIRST_NUMBERS[kind]))
    tx.change(sequence, next=sequence.next + 1)
    return sequence.next


def serial_number(tx: Tx, good: Product, built: datetime, *entity: str | int) -> str:
    """Return an unused serial number: model, year and week of production, running number."""
    year, week, _ = built.isocalendar()
    running = tx.dice("serial number", good.sku, *entity).integer(0, 99_999)
    while tx.find(Unit, serial := f"{good.serial_prefix}-{year % 100:02d}{week:02d}-{running:05d}"):
        running = (running + 1) % 100_000
    return serial


def serial_pattern(good: Product) -> str:
    """Return the pattern of this product's serial numbers."""
    return rf"^{good.serial_prefix}-\d{{4}}-\d{{5}}$" if good.serial_prefix else ""


def months_later(moment: datetime, months: int) -> datetime:
    """Add months to a date, ending on the last day of a shorter month."""
    count = moment.month - 1 + months
    year, month = moment.year + count // 12, count % 12 + 1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return moment.replace(year=year, month=month, day=min(moment.day, days))
