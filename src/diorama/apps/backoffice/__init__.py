"""The back office: orders, parcels, money and units, where a customer's problem is truly fixed or not."""

from diorama.apps.backoffice import api, damage, deeds, faults, rules, tools
from diorama.apps.backoffice.schema import APP
from diorama.kit import App

__all__ = ["APP", "api", "app", "damage", "deeds", "faults", "rules", "tools"]


def app(company: str) -> App:
    """Install the back office for a company."""
    return APP.install(f"backoffice.{company}.example")
