"""Kittiwake's contact reasons: which record each names, and the one table that decides between them."""

from __future__ import annotations

from diorama.worlds.closing import NO_REASON, ClosingForm, Reason, ReasonRule
from diorama.worlds.kittiwake.company import CURRENCY

FORM = ClosingForm(
    currency=CURRENCY,
    notes=(
        "Notes on an order, a rental or a ticket stay in the shop. Tell people what is in them the way you would at "
        "the counter, in your own words. Never paste a note into a mail, not even your own, and never quote one."
    ),
    reasons=(
        Reason(value="why_question", name="Question", sources=("order", "customer")),
        Reason(value="why_rental", name="Rental", sources=("order", "customer")),
        Reason(value="why_repair", name="Repair", sources=("serial",)),
        Reason(value="why_exchange", name="Return or exchange", sources=("return", "order")),
        Reason(value="why_late", name="Where is it", sources=("tracking", "order")),
        Reason(value="why_lost", name="Lost", sources=("tracking",)),
        Reason(value="why_damaged", name="Damaged or wrong", sources=("order",)),
        Reason(value="why_address", name="Address", sources=("order",)),
        Reason(value="why_cancel", name="Cancel", sources=("order",)),
        Reason(value="why_refund", name="Refund", sources=("refund",)),
        Reason(value="why_charge", name="Charge", sources=("charge",)),
        Reason(value="why_other", name="Other", sources=("order", "customer")),
    ),
    reason_rules=(
        ReasonRule(
            fact="refunded",
            when="We have made the refund or paid back the deposit that they wait for.",
            reason="why_refund",
            example="The deposit went back to the card on Monday.",
            possible=lambda rows: bool(rows.refunds),
        ),
        ReasonRule(
            fact="twice",
            when="They paid one order twice, or two lines of their statement look like it.",
            reason="why_charge",
            example="One of two lines on the statement is only a hold.",
            possible=lambda rows: rows.doubled or not rows.owed,  # a statement may show what we never took
        ),
        ReasonRule(
            fact="cancel",
            when="An order or a booking is to be cancelled, or was, and the money is not back.",
            reason="why_cancel",
            example="They want an order stopped that the carrier already has.",
        ),
        ReasonRule(
            fact="rental",
            when="It is about rented gear: its dates, its return or its deposit.",
            reason="why_rental",
            example="The kit came back without a pole, and they ask for the deposit.",
        ),
        ReasonRule(
            fact="lost",
            when="The carrier has lost the parcel, or delivered it to nobody they know.",
            reason="why_lost",
            example="The tracking says lost; they still need the tent.",
            possible=lambda rows: bool(rows.parcels),
            certain=lambda rows: any(one.status == "lost" for one in rows.parcels),
        ),
        ReasonRule(
            fact="address",
            when="It is about where an order goes, also when it came back because of its address.",
            reason="why_address",
            example="The order must go to the campground instead.",
        ),
        ReasonRule(
            fact="defect",
            when="Gear is broken, or a part of it is needed.",
            reason="why_repair",
            example="The zipper of the tent does not close.",
        ),
        ReasonRule(
            fact="box",
            when="What came was damaged, wrong or not complete.",
            reason="why_damaged",
            example="They got the large one instead of the small one.",
            possible=lambda rows: rows.arrived,
        ),
        ReasonRule(
            fact="goods_back",
            when="Goods go back, for money or in exchange.",
            reason="why_exchange",
            example="The trip is off, and the stove was never used.",
            possible=lambda rows: bool(rows.orders),
            certain=lambda rows: bool(rows.returns),
        ),
        ReasonRule(
            fact="where",
            when="They ask where a parcel is, when it comes or when it came.",
            reason="why_late",
            example="They leave on Friday, and the parcel is due on Thursday.",
            possible=lambda rows: bool(rows.parcels),
        ),
        ReasonRule(
            fact="question",
            when="They ask something before they buy or rent, or how to use gear.",
            reason="why_question",
            example="Which size fits somebody of 1.90 m?",
        ),
        ReasonRule(
            fact=NO_REASON,
            when="Nothing of the above is true.",
            reason="why_other",
            example="They need a copy of an invoice.",
        ),
    ),
)
