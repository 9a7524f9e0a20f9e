"""Larkspur's back office: orders, parcels, money and machines, where a customer's problem is truly fixed or not."""

from diorama.apps.backoffice import api, faults, rules, tools
from diorama.apps.backoffice.schema import APP

__all__ = ["APP", "api", "faults", "rules", "tools"]
