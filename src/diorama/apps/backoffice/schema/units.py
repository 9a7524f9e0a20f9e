"""Units that were sold."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

UnitStatus = Literal["active", "replaced", "returned"]


@APP.record("units", ids=token("unit_"), index=[("customer_id",), ("order_id",)])
class Unit(Record):
    """One sold item with a serial number, which is its id: a machine, a tent."""

    id: str = ""
    sku: str
    customer_id: str
    order_id: str
    sold_at: datetime
    warranty_until: datetime
    status: UnitStatus = "active"
    replaced_by: str = ""
    replaces: str = ""
