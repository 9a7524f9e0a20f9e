"""The next numbers of orders and returns."""

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token


@APP.record("sequences", ids=token("seq_"))
class Sequence(Record):
    """The next human-readable number of one kind; its id names the kind."""

    id: str = ""
    next: int
