"""Larkspur Coffee: espresso machines, spare parts and coffee subscriptions, sold to eight countries."""

from diorama import people
from diorama.apps import backoffice, zendesk
from diorama.kernel import Company
from diorama.worlds.chronicle import CHRONICLE
from diorama.worlds.larkspur.firm import FIRM
from diorama.worlds.larkspur.history import SCALES, fill
from diorama.worlds.links import LINKS

__all__ = ["COMPANY", "FIRM"]

COMPANY = Company(
    "larkspur",
    [zendesk.app("larkspur"), backoffice.app("larkspur"), people.APP, LINKS, CHRONICLE],
    fill,
    title="Larkspur Coffee",
    sizes={name: scale.described for name, scale in SCALES.items()},
)
