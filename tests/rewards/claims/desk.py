"""A customer with three orders, two plans, a machine and an account, for sentences about goods, plans and addresses."""

from typing import Any

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case
from tests.rewards.claims.shop import ROWS, shop

HOME = {"line1": "14 Canal Street", "city": "Leeds", "postal_code": "LS3 1AB"}
WORK = {"line1": "3 Harbour Row", "city": "Hull", "postal_code": "HU1 2CD"}
NORTH, SOUTH = "sub_Qw4rTy7uIo1pAs3d", "sub_Hj8kLm2nBv5cXz1q"


def order(number: str, status: str, to: dict[str, str], *goods: str) -> dict[str, Any]:
    """Return an order as the back office shows it."""
    return {
        "id": f"ord_{number[-5:]}AbCdEfGhIjK", "number": number, "status": status, "total_cents": 2500,
        "shipping_address": to, "lines": [{"name": one} for one in goods],
    }  # fmt: skip


def plan(subject: str, name: str, status: str = "active", day: str = "2026-05-20", **more: Any) -> dict[str, Any]:
    """Return a plan as the back office shows it."""
    return {
        "id": subject, "plan": f"{name.split()[0].lower()}-2w", "plan_name": name, "status": status,
        "shipping_address": more.pop("to", HOME), "created_at": "2026-01-21T08:00:00Z",
        "next_renewal_at": f"{day}T08:00:00Z" if status == "active" else None, **more,
    }  # fmt: skip


ORDERS = [
    order("KW-20417", "delivered", HOME, "Drip tray, steel", "Shot scale with timer"),
    order("KW-20500", "open", WORK, "Milk jug 600 ml"),
    order("KW-20501", "shipped", HOME, "Water filter cartridges, three"),
]
PLANS = [plan(NORTH, "Northern Blend"), plan(SOUTH, "Southern Roast", day="2026-05-12")]


def desk(*deeds: Deed, plans: list[dict[str, Any]] | None = None, **more: Any) -> Case:
    """Build the case with these deeds and plans."""
    after = {
        **ROWS,
        "addresses": [{"postal": HOME}],
        "units": [{"serial_number": "BR2-2501-11873", "product_name": "Brio"}],
        "subscriptions": PLANS if plans is None else plans,
        "recent_orders": ORDERS,
    }
    return shop(
        *deeds, after=after, machines=["Brio"],
        parts=["Group gasket 58 mm with shower screen", "Conical burrs 40 mm"],
        extra=[WORK, {"line1": "9 Mill Lane", "city": "York"}, "12 May 2026", "20 May 2026", "9 June 2026"], **more,
    )  # fmt: skip
