"""Larkspur's contact reasons: which record each names, and the one table that decides between them."""

from __future__ import annotations

from diorama.worlds.closing import NO_REASON, ClosingForm, Reason, ReasonRule
from diorama.worlds.larkspur.company import CURRENCY

FORM = ClosingForm(
    currency=CURRENCY,
    notes=(
        "What we write in the back office and in internal comments is for colleagues. Customers get the facts from it, "
        "in our own words: do not copy or quote a note in a reply, and do not pass on who wrote it."
    ),
    reasons=(
        Reason(value="reason_refund", name="Refund", sources=("refund", "charge")),
        Reason(value="reason_double_charge", name="Double charge", sources=("charge",)),
        Reason(value="reason_missing_item", name="Wrong or missing item", sources=("order",)),
        Reason(value="reason_lost_parcel", name="Lost parcel", sources=("tracking", "order")),
        Reason(value="reason_subscription", name="Coffee plan", sources=("subscription",)),
        Reason(value="reason_address", name="Address", sources=("order", "subscription", "customer")),
        Reason(value="reason_warranty", name="Warranty", sources=("serial",)),
        Reason(value="reason_return", name="Return", sources=("return", "order")),
        Reason(value="reason_dispute", name="Dispute", sources=("charge",)),
        Reason(value="reason_other", name="Other", sources=("order", "customer")),
    ),
    reason_rules=(
        ReasonRule(
            fact="unproven",
            when="The sender wants something of an account and does not prove that it is theirs.",
            reason="reason_other",
            example="A stranger with an order number wants the parcel sent elsewhere.",
            possible=lambda rows: rows.sender not in rows.emails,
        ),
        ReasonRule(
            fact="dispute",
            when="The customer's bank has opened a case about the charge.",
            reason="reason_dispute",
            example="They ask for a refund; the charge is disputed.",
            possible=lambda rows: rows.disputed,
            certain=lambda rows: rows.disputed,
        ),
        ReasonRule(
            fact="parcel",
            when="A parcel has not come, and the records have no refund for it, not even a failed one: it is late, "
            "lost, sent back to us by the carrier, or delivered to nobody they know.",
            reason="reason_lost_parcel",
            example="A refund was promised for a parcel that the carrier lost, and has not come either.",
            possible=lambda rows: bool(rows.parcels) and not rows.refunds,
            certain=lambda rows: rows.gone,
        ),
        ReasonRule(
            fact="defect",
            when="A machine or grinder does not work, or it is about its warranty.",
            reason="reason_warranty",
            example="The pump failed and the part must go to a new address.",
            possible=lambda rows: bool(rows.units),
        ),
        ReasonRule(
            fact="address",
            when="It is about where goods go, or which address we hold: of an order, a plan or an account.",
            reason="reason_address",
            example="They have moved house, and the coffee plan must follow.",
        ),
        ReasonRule(
            fact="plan",
            when="It is about a coffee plan, one of its deliveries or one of its charges.",
            reason="reason_subscription",
            example="A plan was cancelled in time, renewed once more, and the money is due.",
            possible=lambda rows: bool(rows.subscriptions),
            certain=lambda rows: any(one.subscription_id for one in rows.orders),
        ),
        ReasonRule(
            fact="refunded",
            when="The records have the refund that they wait for: it is on its way, has arrived, or the bank sent it "
            "back (failed).",
            reason="reason_refund",
            example="The money for a lost parcel went out three days ago.",
            possible=lambda rows: bool(rows.refunds),
        ),
        ReasonRule(
            fact="twice",
            when="They paid one order twice, or two lines of their statement look like it.",
            reason="reason_double_charge",
            example="Two charges for one order, minutes apart.",
            possible=lambda rows: rows.doubled or not rows.owed,  # a statement may show what we never took
            certain=lambda rows: rows.charged_twice,
        ),
        ReasonRule(
            fact="box",
            when="The box did not hold what was ordered: something was missing or wrong.",
            reason="reason_missing_item",
            example="One of two bags was not packed.",
            possible=lambda rows: rows.arrived,
        ),
        ReasonRule(
            fact="goods_back",
            when="Goods go back to us or have come back, or are not wanted any more: also damaged ones, and an order "
            "that they want to cancel.",
            reason="reason_return",
            example="The goods are in our warehouse again, and the money has not been paid.",
            possible=lambda rows: bool(rows.orders),
            certain=lambda rows: bool(rows.returns),
        ),
        ReasonRule(
            fact="overcharged",
            when="We took too much: more than was agreed, or for an order that was already cancelled.",
            reason="reason_refund",
            example="A colleague quoted 80 EUR in a note, the charge says 95 EUR.",
            possible=lambda rows: bool(rows.notes) or any(one.cancelled_at for one in rows.orders),
        ),
        ReasonRule(
            fact=NO_REASON,
            when="Nothing of the above is true: questions, prices, fees, invoices, accounts, a matter that is over.",
            reason="reason_other",
            example="They ask why shipping was added to the price, and the charge is right.",
        ),
    ),
)
