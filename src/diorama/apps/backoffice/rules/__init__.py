"""The rules of the back office: what people can do and what happens automatically."""

from diorama.apps.backoffice.rules import attention
from diorama.apps.backoffice.rules.approvals import decide_approval, request_approval, review_approval
from diorama.apps.backoffice.rules.charges import charge, close_dispute, open_dispute, refundable_cents
from diorama.apps.backoffice.rules.credits import balance_cents, grant_credit, void_credit
from diorama.apps.backoffice.rules.customers import (
    add_address,
    add_email,
    add_note,
    by_email,
    open_account,
    remove_email,
    set_card,
    update_address,
    update_customer,
)
from diorama.apps.backoffice.rules.ledger import balances
from diorama.apps.backoffice.rules.orders import (
    by_number,
    cancel_order,
    change_order_address,
    charges_of,
    lines_of,
    pack_order,
    parcels_of,
    place_order,
)
from diorama.apps.backoffice.rules.policies import current_policy
from diorama.apps.backoffice.rules.refunds import refund, settle_refund
from diorama.apps.backoffice.rules.replacements import cancel_replacement, in_warranty, replace, unit
from diorama.apps.backoffice.rules.returns import cancel_return, open_return, post_return, receive_return
from diorama.apps.backoffice.rules.shipments import (
    answer_trace,
    arrive,
    change_address,
    hand_over,
    move,
    reship,
    scans,
    ship,
    trace,
)
from diorama.apps.backoffice.rules.stock import available, product, receive_stock
from diorama.apps.backoffice.rules.subscriptions import (
    cancel_subscription,
    change_plan,
    change_subscription_address,
    end_pause,
    pause_subscription,
    renew_subscription,
    resume_subscription,
    skip_renewal,
    subscribe,
)

__all__ = [
    "add_address",
    "add_email",
    "add_note",
    "answer_trace",
    "arrive",
    "attention",
    "available",
    "balance_cents",
    "balances",
    "by_email",
    "by_number",
    "cancel_order",
    "cancel_replacement",
    "cancel_return",
    "cancel_subscription",
    "change_address",
    "change_order_address",
    "change_plan",
    "change_subscription_address",
    "charge",
    "charges_of",
    "close_dispute",
    "current_policy",
    "decide_approval",
    "end_pause",
    "grant_credit",
    "hand_over",
    "in_warranty",
    "lines_of",
    "move",
    "open_account",
    "open_dispute",
    "open_return",
    "pack_order",
    "parcels_of",
    "pause_subscription",
    "place_order",
    "post_return",
    "product",
    "receive_return",
    "receive_stock",
    "refund",
    "refundable_cents",
    "remove_email",
    "renew_subscription",
    "replace",
    "request_approval",
    "reship",
    "resume_subscription",
    "review_approval",
    "scans",
    "set_card",
    "settle_refund",
    "ship",
    "skip_renewal",
    "subscribe",
    "trace",
    "unit",
    "update_address",
    "update_customer",
    "void_credit",
]
