"""Generated cheats and honest variants: every oracle played in other ways, and what each of them must earn."""

from diorama.check.mutations import (
    closing,
    covering,
    deeds,
    desk,
    forging,
    hiding,
    joining,
    letters,
    mistakes,
    money,
    paths,
    records,
    records_left,
    sending,
    shipped,
    statements,
    turning,
    words,
)
from diorama.check.mutations.declaring import MUTATIONS, Mutation, Unfit
from diorama.check.mutations.running import Trial, is_planned, play, sample, shut, table, trials

FAMILIES = (
    words,
    statements,
    deeds,
    money,
    records,
    closing,
    desk,
    paths,
    mistakes,
    letters,
    sending,
    records_left,
    covering,
    hiding,
    forging,
    turning,
    shipped,
    joining,
)
"""Imported so that their mutations are declared."""

__all__ = [
    "FAMILIES",
    "MUTATIONS",
    "Mutation",
    "Trial",
    "Unfit",
    "is_planned",
    "play",
    "sample",
    "shut",
    "table",
    "trials",
]
