"""What a change in the back office means if a task does not ask for it, by table and column."""

from collections.abc import Mapping
from typing import Any

from diorama.apps.backoffice.schema import APP
from diorama.kernel import Tx
from diorama.kit.damage import TableKinds, Touch


def kinds(row: str, columns: Mapping[str, str] | None = None, **more: Any) -> TableKinds:
    """Return the kinds of a table of the back office: what its timers write later follows from a judged row."""
    return TableKinds(row, {**(columns or {})}, delayed=False, **more)


def _stopped(tx: Tx, touch: Touch) -> Mapping[str, str]:
    """A status by which goods are stopped; every other status is reported by a carrier or follows from a parcel."""
    return {"status": "goods"} if touch.op == "update" and touch.after.get("status") == "cancelled" else {}


def _decided(tx: Tx, touch: Touch) -> Mapping[str, str]:
    """An approval that was decided by hand gives permission to move money."""
    return {"status": "access"} if touch.op == "update" and touch.after.get("status") in ("approved", "denied") else {}


APP.damage(
    {
        # money
        "refunds": kinds("money", void={"status": ("failed",)}),
        "credits": kinds("money", void={"status": ("voided",)}, unless=lambda row: row["reason"] == "refund"),
        "charges": kinds("money", {"refunded_cents": "derived"}, unless=lambda row: row["order_id"] != ""),
        "ledger": kinds("derived"),
        "postings": kinds("derived"),
        # goods
        "orders": kinds(
            "goods", {"status": "derived", "cancel_reason": "derived", "cancelled_at": "derived"},
            void={"status": ("cancelled",)}, unless=lambda row: row["subscription_id"] != "", marks=_stopped,
        ),
        "order_lines": kinds("derived"),
        "shipments": kinds(
            "goods",
            {"status": "derived", "reshipped_as": "derived", "trace": "record", "trace_answer": "derived",
             "traced_by": "derived", "handed_over_at": "derived", "closed_at": "derived"},
            void={"status": ("cancelled",)}, unless=lambda row: row["replacement_id"] != "" and not row["reship_of"],
        ),
        "scans": kinds("derived"),
        "replacements": kinds(
            "goods", {"status": "derived", "shipment_id": "derived"},
            void={"status": ("cancelled",)}, marks=_stopped,
        ),
        "returns": kinds("goods", {"status": "derived"}, void={"status": ("cancelled",)}, marks=_stopped),
        "units": kinds("derived"),
        "stock": kinds("derived"),
        "sequences": kinds("derived"),
        "subscriptions": kinds(
            "goods",
            {"timer": "derived", "failed_attempts": "derived", "renewals": "derived", "last_order_id": "derived",
             "cancelled_at": "derived", "cancel_reason": "derived"},
            void={"status": ("cancelled",)},
        ),
        # people
        "customers": kinds(
            "identity", {"segment": "access", "locale": "record", "marketing_consent": "record"},
        ),
        "customer_emails": kinds("identity"),
        "addresses": kinds("identity", {"label": "note", "is_default": "goods"}),
        "notes": kinds("note"),
        "staff": kinds("access"),
        # rules of the company
        "approvals": kinds(
            "record",
            {"status": "derived", "decided_by": "derived", "decided_at": "derived", "decision_note": "derived",
             "expires_at": "derived"},
            marks=_decided,
        ),
        "policies": kinds("configuration"),
        "products": kinds("configuration"),
        "plans": kinds("configuration"),
        "settings": kinds("configuration"),
    }
)  # fmt: skip
