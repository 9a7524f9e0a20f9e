"""Goods of Larkspur that scenarios put into orders."""

from __future__ import annotations

from diorama.worlds.larkspur.catalogue import GOODS

SMALL_GOODS = (
    "AC-TAMPER", "AC-SCALE", "AC-JUG35", "AC-JUG60", "AC-KNOCK", "AC-BTMLESS", "AC-WDT", "AC-CUPS", "AC-HANDGR",
    "AC-FILTER3", "CF-HARBOUR1K", "CF-KOCHERE", "CF-NYERI", "PT-TRAY", "PT-TANK",
)  # fmt: skip
"""Small goods, including parts."""
TRIFLES = tuple(
    good.sku for good in GOODS if good.kind in ("accessory", "coffee") and good.active and good.price_cents < 6_000
)
"""Cheap goods that any customer may have ordered."""
