"""Time zones by the product's names and the IANA ones, and the city that requests of a zone come from."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ZONES = {
    "UTC": "UTC", "London": "Europe/London", "Dublin": "Europe/Dublin", "Edinburgh": "Europe/London",
    "Lisbon": "Europe/Lisbon", "Amsterdam": "Europe/Amsterdam", "Berlin": "Europe/Berlin", "Bern": "Europe/Zurich",
    "Brussels": "Europe/Brussels", "Copenhagen": "Europe/Copenhagen", "Madrid": "Europe/Madrid",
    "Paris": "Europe/Paris", "Prague": "Europe/Prague", "Rome": "Europe/Rome", "Stockholm": "Europe/Stockholm",
    "Vienna": "Europe/Vienna", "Warsaw": "Europe/Warsaw", "Zurich": "Europe/Zurich", "Athens": "Europe/Athens",
    "Helsinki": "Europe/Helsinki", "Istanbul": "Europe/Istanbul", "Kyiv": "Europe/Kiev", "Moscow": "Europe/Moscow",
    "Mumbai": "Asia/Kolkata", "New Delhi": "Asia/Kolkata", "Singapore": "Asia/Singapore", "Tokyo": "Asia/Tokyo",
    "Sydney": "Australia/Sydney", "Brasilia": "America/Sao_Paulo", "Atlantic Time (Canada)": "America/Halifax",
    "Eastern Time (US & Canada)": "America/New_York", "Central Time (US & Canada)": "America/Chicago",
    "Mountain Time (US & Canada)": "America/Denver", "Pacific Time (US & Canada)": "America/Los_Angeles",
    "Alaska": "America/Juneau", "Hawaii": "Pacific/Honolulu",
}  # fmt: skip
"""The names that the product gives to time zones, with the IANA ones."""

_CITIES: dict[str, tuple[str, float, float]] = {
    "Europe/London": ("London, ENG, United Kingdom", 51.5072, -0.1276),
    "Europe/Dublin": ("Dublin, L, Ireland", 53.3498, -6.2603),
    "Europe/Lisbon": ("Lisbon, 11, Portugal", 38.7223, -9.1393),
    "Europe/Amsterdam": ("Amsterdam, NH, Netherlands", 52.3676, 4.9041),
    "Europe/Berlin": ("Berlin, BE, Germany", 52.52, 13.405),
    "Europe/Zurich": ("Zurich, ZH, Switzerland", 47.3769, 8.5417),
    "Europe/Brussels": ("Brussels, BRU, Belgium", 50.8503, 4.3517),
    "Europe/Copenhagen": ("Copenhagen, 84, Denmark", 55.6761, 12.5683),
    "Europe/Madrid": ("Madrid, MD, Spain", 40.4168, -3.7038),
    "Europe/Paris": ("Paris, IDF, France", 48.8566, 2.3522),
    "Europe/Prague": ("Prague, 10, Czechia", 50.0755, 14.4378),
    "Europe/Rome": ("Rome, 62, Italy", 41.9028, 12.4964),
    "Europe/Stockholm": ("Stockholm, AB, Sweden", 59.3293, 18.0686),
    "Europe/Vienna": ("Vienna, 9, Austria", 48.2082, 16.3738),
    "Europe/Warsaw": ("Warsaw, 14, Poland", 52.2297, 21.0122),
    "Europe/Athens": ("Athens, I, Greece", 37.9838, 23.7275),
    "Europe/Helsinki": ("Helsinki, 18, Finland", 60.1699, 24.9384),
    "Europe/Istanbul": ("Istanbul, 34, Türkiye", 41.0082, 28.9784),
    "Asia/Kolkata": ("Mumbai, MH, India", 19.076, 72.8777),
    "Asia/Singapore": ("Singapore, Singapore", 1.3521, 103.8198),
    "Asia/Tokyo": ("Tokyo, 13, Japan", 35.6762, 139.6503),
    "Australia/Sydney": ("Sydney, NSW, Australia", -33.8688, 151.2093),
    "America/Sao_Paulo": ("São Paulo, SP, Brazil", -23.5558, -46.6396),
    "America/Halifax": ("Halifax, NS, Canada", 44.6488, -63.5752),
    "America/New_York": ("New York, NY, United States", 40.7128, -74.006),
    "America/Chicago": ("Chicago, IL, United States", 41.8781, -87.6298),
    "America/Denver": ("Denver, CO, United States", 39.7392, -104.9903),
    "America/Los_Angeles": ("Los Angeles, CA, United States", 34.0522, -118.2437),
}


_IANA = re.compile(r"[A-Za-z0-9_+-]{1,32}(/[A-Za-z0-9_+-]{1,32}){0,2}")


def iana_name(name: str) -> str:
    """Return the IANA name of a time zone that is given by the product's name or by its IANA name."""
    return ZONES.get(name, name)


def zone_of(name: str) -> ZoneInfo | None:
    """Return a time zone by the product's name or its IANA name, or None if it is unknown."""
    asked = iana_name(name)
    if not _IANA.fullmatch(asked):  # Python would import a module of that name
        return None
    try:
        return ZoneInfo(asked)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def location(iana_time_zone: str) -> dict[str, Any]:
    """Return the place that audits show for requests from a time zone; empty if its city is not listed."""
    city = _CITIES.get(iana_time_zone)
    return {} if city is None else dict(zip(("location", "latitude", "longitude"), city, strict=True))
