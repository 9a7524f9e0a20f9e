"""Regions of countries whose addresses have one: their codes, and their names in the languages of the country."""

from __future__ import annotations

REGIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "ca": {
        "ab": ("alberta", "alta"), "bc": ("british columbia", "colombie britannique", "cb"), "mb": ("manitoba", "man"),
        "nb": ("new brunswick", "nouveau brunswick"), "ns": ("nova scotia", "nouvelle ecosse", "ne"),
        "nl": ("newfoundland and labrador", "terre neuve et labrador", "newfoundland", "terre neuve", "nfld", "tnl"),
        "nt": ("northwest territories", "territoires du nord ouest"), "nu": ("nunavut",),
        "on": ("ontario", "ont"), "pe": ("prince edward island", "ile du prince edouard", "pei", "ipe"),
        "qc": ("quebec", "que", "pq"), "sk": ("saskatchewan", "sask"), "yt": ("yukon", "yk"),
    },
}  # fmt: skip
"""By country: the code of each region, and its other names; all in plain form, without accents and signs."""


def region_code(text: str, country: str) -> str:
    """Return the code of a region that a plain text names, or "" if the country has no such region."""
    found = REGIONS.get(country.casefold(), {})
    return next((code for code, names in found.items() if text == code or text in names), "")


def without_region(town: str, country: str) -> str:
    """Return a plain town without the region behind it: `kingston on` is kingston, `quebec` stays."""
    for code, names in REGIONS.get(country.casefold(), {}).items():
        for name in (*names, code):
            if town.endswith(f" {name}"):
                return town.removesuffix(f" {name}")
    return town
