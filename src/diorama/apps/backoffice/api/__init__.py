"""The back office's REST API: `/api/v1`, one file per noun."""

from diorama.apps.backoffice.api import (
    approvals,
    credits,
    customers,
    house,
    ledger,
    orders,
    payments,
    products,
    replacements,
    returns,
    shipments,
    subscriptions,
)

__all__ = [
    "approvals",
    "credits",
    "customers",
    "house",
    "ledger",
    "orders",
    "payments",
    "products",
    "replacements",
    "returns",
    "shipments",
    "subscriptions",
]
