"""What the warehouse holds of each product."""

from datetime import datetime

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token


@APP.record("stock", ids=token("stk_"))
class Stock(Record):
    """How many units of one SKU the warehouse holds; its id is the SKU."""

    id: str = ""
    on_hand: int
    reserved: int = 0
    incoming: int = 0
    incoming_at: datetime | None = None
    updated_at: datetime
