"""The kernel: pages, lanes, transactions, time, chance, events and the gateway. It depends on no app."""

from diorama.kernel.app import App, Product, Wake
from diorama.kernel.budget import Budget, OverBudget
from diorama.kernel.changes import Change
from diorama.kernel.company import Company
from diorama.kernel.dice import Dice
from diorama.kernel.errors import Boundary, Defect, Interrupted, Missing, Refusal
from diorama.kernel.events import Chain, Event, Signal
from diorama.kernel.ids import counter, sparse, token, ulid
from diorama.kernel.image import image_of
from diorama.kernel.lane import Interrupts
from diorama.kernel.records import Notice, Record, from_us, table_of, to_us
from diorama.kernel.snapshot import Snapshot
from diorama.kernel.tx import Tx
from diorama.kernel.wire import ANONYMOUS, FATE, Actor, Reply, Request
from diorama.kernel.world import World

__all__ = [
    "ANONYMOUS",
    "FATE",
    "Actor",
    "App",
    "Boundary",
    "Budget",
    "Chain",
    "Change",
    "Company",
    "Defect",
    "Dice",
    "Event",
    "Interrupted",
    "Interrupts",
    "Missing",
    "Notice",
    "OverBudget",
    "Product",
    "Record",
    "Refusal",
    "Reply",
    "Request",
    "Signal",
    "Snapshot",
    "Tx",
    "Wake",
    "World",
    "counter",
    "from_us",
    "image_of",
    "sparse",
    "table_of",
    "to_us",
    "token",
    "ulid",
]
