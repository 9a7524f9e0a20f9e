"""Staff."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

Role = Literal["agent", "lead", "manager"]


@APP.record("staff", ids=token("stf_"), unique=[("email",)], cached=True)
class Staff(Record):
    """A member of staff."""

    id: str = ""
    email: str
    name: str
    role: Role = "agent"
    team: str = "Support"
    active: bool = True
    created_at: datetime
