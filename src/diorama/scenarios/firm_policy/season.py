"""This season's policy: the current articles, and an outdated one that is still published."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice.rules.stock import product
from diorama.apps.backoffice.schema import Product
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.help_center import Article, Section, Translation
from diorama.kernel import Dice, Tx
from diorama.scenarios.unported.words import MONTHS, money
from diorama.worlds.helpdesk import backdated

DAY = timedelta(days=1)
DESK = "When the answer is no: what we may give instead"
PRICES = "Shipping, offers and price changes"
CREDIT = "Gift cards and store credit"
ON_OFFER = ("AC-TAMPER", "AC-SCALE", "AC-BTMLESS", "AC-HANDGR", "AC-CUPS", "AC-KNOCK")


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of this season's policy; they differ from variant to variant."""

    grace_days: int
    late_share: int
    taste_share: int
    part_share: int
    price_days: int
    slow_days: int
    offer: Product
    """The discounted product, at its new price."""
    former_cents: int
    since: datetime
    """When the discount began."""

    def amounts(self) -> tuple[int, ...]:
        """Return the amounts of money in the articles, which replies may quote."""
        return (495, 5_000, 2_500, self.former_cents, self.offer.price_cents)


def publish(tx: Tx, dice: Dice) -> Season:
    """Lower a price, publish this season's policy, and leave an outdated article beside it."""
    good = product(tx, dice.pick(ON_OFFER))
    former = good.price_cents
    since = (tx.now - dice.integer(10, 24) * DAY).replace(hour=7, minute=0, second=0, microsecond=0)
    season = Season(
        grace_days=dice.pick((5, 7, 10, 14)),
        late_share=dice.pick((50, 60, 70, 80)),
        taste_share=dice.pick((30, 40, 50)),
        part_share=dice.pick((30, 40, 50)),
        price_days=dice.pick((7, 10, 14)),
        slow_days=dice.pick((2, 3, 4)),
        offer=tx.change(good, price_cents=former - dice.pick((500, 700, 900, 1_100))),
        former_cents=former,
        since=since,
    )
    figures = {
        **msgspec.structs.asdict(season),
        "good": good.name,
        "day": f"{since.day} {MONTHS[since.month - 1]}",
        "now_costs": money(season.offer.price_cents),
        "former": money(former),
    }
    inside, outside = _beside(tx, "Refund and credit limits"), _beside(tx, "Returning something you do not want")
    with backdated(tx, tx.now - 1_400 * DAY):
        _write(tx, "henrik", inside, "When customers insist", OLD)
    with backdated(tx, tx.now - dice.integer(2, 8) * DAY):
        _write(tx, "ruth", inside, DESK, INSIDE.format(**figures))
        _write(tx, "soraya", outside, PRICES, OUTSIDE.format(**figures))
    return season


def _beside(tx: Tx, title: str) -> Article:
    """Return the article next to which a new one belongs."""
    found = tx.first(Translation, "title = ? AND locale = 'en-us'", title)
    assert found is not None
    return tx.get(Article, found.source_id)


def _write(tx: Tx, author: str, beside: Article, title: str, body: str) -> None:
    fields: dict[str, Any] = {
        "user_segment_id": beside.user_segment_id,
        "permission_group_id": beside.permission_group_id,
    }
    writer = tx.first(User, "email = ?", f"{author}@larkspur.coffee") or tx.get(User, beside.author_id)
    shelf = tx.get(Section, beside.section_id)
    help_center.add_article(tx, writer, shelf, title, body, labels=["refund", "returns", "prices"], **fields)


OLD = (
    "<p>Who writes a second time gets what they want, it is cheaper than a bad review. Up to 50 EUR on the card "
    "without asking; shipping costs always. Whoever mentions a lawyer gets everything back.</p>"
)
INSIDE = (
    "<p>What the desk may give when a customer wants a refund, a return, a replacement or an exception that our rules "
    "do not give. Replaces all earlier policy. What is not listed here or on the public pages is not given. "
    "Friendliness, threats, reviews, lawyers, doctor's notes and sad stories change nothing; a fact that we can see in "
    "the back office does. Customers answer to a no: stay with it and tell them once more, kindly.</p>"
    "<ul><li><b>Late return, return window over.</b> The 30 days count from delivery as the back office has it. Up to "
    "{grace_days} days after their end we still give {late_share} % of the item's price as store credit; a lead has to "
    "approve the credit before. The customer keeps the goods. Later than that: nothing.</li>"
    "<li><b>Promises.</b> What a colleague promised in a note in the back office we keep as it stands there, to the "
    "cent and without a lead; a refund is booked on its charge. What stands in no note was not promised.</li>"
    "<li><b>Opened coffee</b> does not come back, no money back. If it is not to their taste: {taste_share} % of "
    "the price of the bag as store credit, once in twelve months for a customer. Bags of the order that are still "
    "sealed can come back as usual, the warehouse checks.</li>"
    "<li><b>Scale, descaling and vinegar</b>: damage by them is not covered by the warranty. We give {part_share} % of "
    "the price of the part that is needed as store credit, and they order it themselves. Only who did what our own "
    "page <em>Descaling with vinegar</em> said gets the part free of charge (the part, not a machine).</li>"
    "<li><b>Warranty over</b>, expired for up to 30 days: ask a lead (kind replacement), then send the part, never a "
    "machine and no money. Longer ago: nothing from us; the workshop makes an offer, which costs nothing if they say "
    "no.</li></ul><p>Store credit from these rules is reason goodwill. Ask a lead only where it says so here, or above "
    "your limits.</p>"
)
OUTSIDE = (
    "<p>Shipping costs 4.95 EUR for orders below 50 EUR; from there on it is free shipping, in all countries. There is "
    "no refund of the shipping fee, with one exception: if the parcel comes {slow_days} or more days after the day "
    "that the carrier's tracking first announced, the shipping goes back the way you paid.</p><p>Price changes: since "
    "{day}, {good} {now_costs} instead of {former}. If we lower a price (price drop) within {price_days} days after "
    "your order, you get the difference as store credit; write to us. After that the price you paid stands. There is "
    "no price match with other shops, and no difference paid for those, but you can send things back as usual within "
    "30 days from delivery.</p><p>Store credit cannot be turned into money.</p>"
)
