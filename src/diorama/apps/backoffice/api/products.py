"""Products, the shelf, plans, and the machines that were sold."""

from diorama.apps.backoffice.api.bodies import whose
from diorama.apps.backoffice.rules import replacements, stock
from diorama.apps.backoffice.schema import APP, Plan, Product, ProductKind, Stock, Unit, UnitStatus
from diorama.apps.backoffice.wire.goods import (
    MachineView,
    ProductView,
    StockView,
    machine_view,
    product_view,
    stock_view,
)
from diorama.apps.backoffice.wire.lists import Listing, Page, listing
from diorama.apps.backoffice.wire.money import PlanView, plan_view
from diorama.kernel import Refusal, Tx


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


@APP.get("/api/v1/stock", tags=("products",))
def list_stock(tx: Tx, page: Page) -> Listing[StockView]:
    """List what the warehouse holds, changed last first."""
    return listing(tx, Stock, page, stock_view, by="updated_at")


@APP.get("/api/v1/stock/{sku}", tags=("products",))
def get_stock(tx: Tx, sku: str) -> StockView:
    """Get what the warehouse holds of one SKU."""
    good = stock.product(tx, sku)
    if good.made_to_order:
        raise Refusal(404, "not_stocked", f"{sku} is made to order and never out of stock.", fields={"param": "sku"})
    return stock_view(tx.get(Stock, sku))


@APP.get("/api/v1/plans", tags=("subscriptions",))
def list_plans(tx: Tx) -> Listing[PlanView]:
    """List the coffee subscriptions that exist."""
    return Listing(
        url="/api/v1/plans", has_more=False, data=[plan_view(plan) for plan in tx.all(Plan, order="price_cents, code")]
    )


@APP.get("/api/v1/plans/{code}", tags=("subscriptions",))
def get_plan(tx: Tx, code: str) -> PlanView:
    """Get one plan by its code."""
    found = tx.first(Plan, "code = ?", code)
    if found is None:
        raise Refusal(404, "resource_missing", f"No such plan: '{code}'", fields={"param": "code"})
    return plan_view(found)


@APP.get("/api/v1/machines", tags=("machines",))
def list_machines(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    order: str | None = None,
    status: UnitStatus | None = None,
) -> Listing[MachineView]:
    """List machines that were sold, by owner or order."""
    filters = [("customer_id = ?", whose(tx, customer, email)), ("order_id = ?", order), ("status = ?", status)]
    return listing(tx, Unit, page, lambda unit: machine_with_name(tx, unit), filters, by="sold_at")


@APP.get("/api/v1/machines/{serial_number}", tags=("machines",))
def get_machine(tx: Tx, serial_number: str) -> MachineView:
    """Get a machine by its serial number: who owns it, and until when its warranty runs."""
    return machine_with_name(tx, replacements.unit(tx, serial_number))


def machine_with_name(tx: Tx, unit: Unit) -> MachineView:
    """A machine as the API shows it."""
    return machine_view(unit, stock.product(tx, unit.sku).name, tx.now)
