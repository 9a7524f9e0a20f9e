"""A small case of our own: one customer of a shop, a lost parcel that was refunded, a machine and a subscription."""

from typing import Any

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity, Text, Verdict, case_from_records, read

ROWS: dict[str, Any] = {
    "customer": {
        "id": "cus_Ab3dEf6hIj9kLm2n",
        "name": "Ines Falk",
        "email": "ines@falk.example",
        "emails": ["ines@falk.example"],
        "card": {"brand": "visa", "last4": "7316"},
    },
    "credit_balance_cents": 0,
    "addresses": [{"postal": {"line1": "14 Canal Street", "city": "Leeds", "postal_code": "LS3 1AB", "country": "GB"}}],
    "machines": [
        {
            "serial_number": "BR2-2501-11873",
            "product_name": "Brio",
            "sold_at": "2025-03-04T10:00:00Z",
            "warranty_until": "2027-03-04T10:00:00Z",
        }
    ],
    "subscriptions": [{"id": "sub_Qw4rTy7uIo1pAs3d", "status": "active", "next_renewal_at": "2026-05-20T08:00:00Z"}],
    "recent_orders": [
        {
            "id": "ord_Zx5cVb8nMq2wEr4t",
            "number": "KW-20417",
            "status": "shipped",
            "total_cents": 4280,
            "shipping_cents": 480,
            "lines": [{"name": "Filter papers 100 g", "unit_price_cents": 3800, "total_cents": 3800}],
            "shipping_address": {"line1": "14 Canal Street", "postal_code": "LS3 1AB"},
            "created_at": "2026-04-21T09:30:00Z",
        },
        {"id": "ord_Pl9oKi8uJy7hTg6f", "number": "KW-20350", "status": "delivered", "total_cents": 1900},
    ],
    "notes": [{"body": "KW-20417: trace closed.", "author": "bo@kaffeewerk.example"}],
}
LETTER = "Hello, my parcel KW-20417 never came. The tracking says lost. Ines Falk"
REFUND = Deed(
    "refund", "ch_Mn3bVc5xZl7kJh9g", cents=4280, destination="original_payment", day="2026-05-04", seq=12,
    names=("KW-20417",),
)  # fmt: skip
TELL = (Entity("amount", ("4280",)), Entity("deed", ("refund",)))


def shop(*deeds: Deed, tell: tuple[Entity, ...] = (), **more: Any) -> Case:
    """Build the case with these deeds."""
    return case_from_records(
        before=ROWS, thread=[LETTER], deeds=deeds, tell=tell, today="2026-05-04",
        recipients=more.pop("recipients", ["ines@falk.example"]), **more,
    )  # fmt: skip


LOST = shop(REFUND, tell=TELL)


def reading(*texts: str, case: Case = LOST) -> Verdict:
    """Read texts against the case."""
    return read(case, [Text(one) for one in texts])


def kinds(verdict: Verdict) -> list[str]:
    """Return the kinds of contradictions."""
    return [one.kind for one in verdict.contradictions]
