"""The house rule about replies: which numbers, amounts and days a reply names, from the same plans that are judged."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.scenarios.cast import Value

ORDER_RULE = (
    "In your reply to the owner of an order, name the order that the matter is about by its number, also if they did "
    "so themselves."
)
ANSWER_RULE = "Name also, where it is part of the answer: {}."
_ORDERS = {Value("order", "number"), Value("second_order", "number")}
_WORDS = {
    Value("second_order", "number"): "the numbers of both orders if there are two",
    Value("parcel", "number"): "the tracking number of a parcel",
    Value("parcel", "day"): "the day on which a parcel is expected",
    Value("parcel", "arrived_day"): "the day on which a parcel arrived",
    Value("return", "number"): "the number of a return that is open",
    Value("unit", "number"): "the serial number of a machine",
    Value("unit", "end_day"): "the day on which a warranty ended",
    Value("refund", "amount"): "the amount of a refund that was made before",
    Value("refund", "day"): "the day of a refund that was made before",
    Value("charge", "amount"): "what was charged",
    Value("charge", "day"): "the day of a charge",
    Value("charge", "dispute_day"): "the day on which the bank opened a dispute",
    Value("order", "day"): "the day of an order",
    Value("order", "shipping"): "what the shipping cost",
    Value("order", "tax"): "the tax that an order contains",
    Value("order", "address"): "the address to which an order goes",
    Value("subscription", "end_day"): "the day on which a plan ended",
    Value("subscription", "renewal_day"): "the day of a plan's next renewal",
    Value("until", "day"): "the day until which a plan rests",
    Value("later", "day"): "the day of a plan's next delivery after one is skipped",
    Value("new_price", "amount"): "the price of the new coffee",
    Value("due", "day"): "the day on which a kit is due",
    Value("second_due", "day"): "the day on which a kit is due",
    Value("kept", "amount"): "what we keep of a deposit",
    Value("earlier", "amount"): "the store credit that the customer has",
    Value("earlier", "day"): "the day on which the customer had such a credit before",
    Value("window", "day"): "the last day of a time limit",
}
"""How the rule names a value that plans ask for; a value without words is named after its row."""


def words_for(value: Value) -> str:
    """Return how the house rule names a value that a reply must state."""
    if value in _WORDS:
        return _WORDS[value]
    kind = value.kind.replace("_", " ")
    return f"the {kind} of the {value.row.replace('_', ' ')}"


def telling_rule(told: Iterable[Value]) -> str:
    """Return the house rule that asks for these values, or "" for none."""
    values = list(dict.fromkeys(told))
    rest = dict.fromkeys(words_for(one) for one in values if one != Value("order", "number"))
    sentences = [ORDER_RULE] if _ORDERS & {*values} else []
    if rest:
        sentences.append(ANSWER_RULE.format("; ".join(rest)))
    return " ".join(sentences)
