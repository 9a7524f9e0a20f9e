"""Plans as data: what happened, what the customer writes, what is owed, what must be told, and how the form is filled.

From a plan follow the truth, the checks, the fields, the oracle, the reply and the customer's needs (`desk.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from diorama.scenarios.cast import Value
from diorama.scenarios.owed import Due
from diorama.scenarios.past import Step

SEVERAL = frozenset(
    {"past", "letter", "owed", "tell", "facts", "resolution", "subjects", "tells", "retort", "offers", "languages"}
)
"""The parts of a plan that are sequences."""


class _Named(msgspec.Struct, frozen=True):
    """A plan's name comes first."""

    name: str


class Plan(_Named, frozen=True, kw_only=True):
    """One kind of variant of a desk scenario."""

    past: Sequence[Step]
    """What happened before: each step adds rows and names them (`past.py`)."""
    letter: Sequence[str]
    """What the customer writes: sentences with `[a|b]`, and with slots of the cast such as `{order}` or `{charge.day}`.

    `{which}` names the order as people do: by its number, by what was in it, or by a number that they mixed up.
    """
    owed: Sequence[Due] = ()
    """What has to be done, exactly once each (`owed.py`)."""
    tell: Sequence[Value] = ()
    """What the customer must be told besides what was done; the amount of money that moved always is."""
    facts: Sequence[str]
    """What is true of the matter, in the words of the company's table of contact reasons: the reason follows."""
    resolution: Sequence[str] = ()
    """The resolutions that are right, one or several, if they do not follow from what is owed."""
    closing: Mapping[str, str | Value] = {}
    """Fields of the closing form that do not follow from what is owed and from the contact reason.

    By key (`worlds.closing.TITLES`): a value of the cast, `{"record": number("second")}`, or a text with slots,
    `{"record": "{second}"}`. A bare slot states what the field holds: a number, an amount or a day.
    """
    reply: str = ""
    """What a true reply says where nothing is owed, or besides what was done; with slots of the cast."""
    about: str = "order"
    """The cast's name of the order that the matter is about; "" if there is none."""
    subjects: Sequence[str] = ()
    """Subjects of the mail; empty: those of the scenario."""
    outage_minutes: tuple[int, int] | None = None
    """For how long the payment processor refuses refunds, fewest and most minutes."""
    writes_from: str = ""
    """The cast's name of the address that the mail comes from; "" is the account's own."""
    proves: str = ""
    """How a sender whom the account does not know proves that it is theirs (`proving.py`); "" for known senders."""
    signs: str = ""
    """The cast's name of the sender's name; "" is the customer's."""
    hand_over: str = ""
    """The cast's name of the colleague who must get the ticket, unsolved; "" if it has to be solved."""
    tells: Sequence[str] = ()
    """Slots that the customer states only when asked, such as `charge.day`."""
    asks: str = ""
    """A question that only the customer can answer (see `tells`), and that has to be asked first."""
    retort: Sequence[str] = ()
    """What the customer answers to the first reply, whatever it says; like `letter`. It can change what is owed."""
    offers: Sequence[Value] = ()
    """Amounts that follow from the company's rules and that a true reply may name, such as one that is declined."""
    languages: Sequence[str] = ()
    """The languages that the customer may have; empty: any customer, who writes in a language of the scenario."""
    withholds: bool = False
    """Whether a true reply states no value of the records, because they belong to another person."""
    split: str = ""
    """`eval-new` for a plan that is never trained on."""

    def __post_init__(self) -> None:
        for key in self.__struct_fields__:
            value = getattr(self, key)
            if key in SEVERAL and isinstance(value, str | Step | Due | Value):
                msgspec.structs.force_setattr(self, key, (value,))  # one of them may stand alone

    def twin(self, name: str, **changes: Any) -> Plan:
        """Return a plan that differs from this one in a few parts."""
        return msgspec.structs.replace(self, name=name, **changes)
