"""Kittiwake Outfitters: a maker and rental shop of outdoor gear in Halifax, Canada, in English and French."""

from datetime import UTC, datetime

from diorama import people
from diorama.apps import backoffice, zendesk
from diorama.kernel import Company
from diorama.kit.webhooks import COURIER
from diorama.worlds.chronicle import CHRONICLE
from diorama.worlds.kittiwake.firm import FIRM
from diorama.worlds.kittiwake.history import SCALE, fill
from diorama.worlds.links import LINKS

__all__ = ["COMPANY", "FIRM"]

COMPANY = Company(
    "kittiwake",
    [zendesk.app("kittiwake"), backoffice.app("kittiwake"), people.APP, COURIER, LINKS, CHRONICLE],
    fill,
    title="Kittiwake Outfitters",
    sizes={"small": SCALE.described},
    start=datetime(2026, 6, 8, 12, 0, tzinfo=UTC),  # a Monday, nine in the morning in Halifax
)
