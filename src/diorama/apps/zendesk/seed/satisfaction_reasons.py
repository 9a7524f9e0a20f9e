"""Reasons for bad ratings that every account starts with."""

from __future__ import annotations

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.kernel import Tx

USUAL = {
    0: "No reason provided",
    5: "The issue took too long to resolve",
    6: "The issue was not resolved",
    7: "The agent's knowledge is unsatisfactory",
    8: "The agent's attitude is unsatisfactory",
    100: "Some other reason",
}
"""The vendor's reasons by code; custom reasons would start at 1000."""


def usual_reasons(tx: Tx) -> None:
    """Add the reasons of a new account."""
    moment = now(tx)
    for code, value in USUAL.items():
        tx.add(SatisfactionReason(reason_code=code, value=value, created_at=moment, updated_at=moment))
