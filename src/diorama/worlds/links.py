"""The links between desk, people and back office: mails reach customers, and their answers reach the desk."""

from __future__ import annotations

from diorama import people
from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import (
    CreditGranted,
    Order,
    OrderCancelled,
    RefundFailed,
    RefundRequested,
    RefundSucceeded,
    ReplacementOrdered,
    ReturnOpened,
    ShipmentMoved,
    SubscriptionCancelled,
    SubscriptionChanged,
)
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.satisfaction_ratings import rate
from diorama.apps.zendesk.schema import Comment, RequesterNotified, Ticket, TicketSolved, User
from diorama.kernel import Product, Tx

LINKS = Product("links", title="Integrations", control=True)


@LINKS.on(RequesterNotified)
def mail_reaches_customer(tx: Tx, event: RequesterNotified) -> None:
    """Deliver the desk's mail: the customer reads what a colleague wrote, and only notices what a machine wrote."""
    ticket = tx.get(Ticket, event.ticket)
    comment = tx.find(Comment, event.comment) if event.comment else None
    author = tx.find(User, comment.author_id) if comment else None
    if comment is None or author is None or author.role == "end-user":
        people.receive_message(tx, event.to, "email", str(event.ticket), event.body, {"automatic": True})
        return
    facts = {"status": ticket.status, "agent": author.name.split()[0]}
    people.receive_message(tx, event.to, "email", str(event.ticket), comment.body, facts)


@LINKS.on(TicketSolved)
def customer_learns_it_counts_as_solved(tx: Tx, event: TicketSolved) -> None:
    """Show the customer that the ticket counts as solved, with or without a mail."""
    ticket = tx.get(Ticket, event.ticket)
    requester = tx.get(User, ticket.requester_id)
    people.receive_message(tx, requester.email or "", "email", str(ticket.id), "", {"status": "solved"})


@LINKS.on(people.Spoke)
def customer_writes(tx: Tx, event: people.Spoke) -> None:
    """Turn a customer's mail into a ticket, a comment, or a follow-up of a closed ticket."""
    if event.channel != "email":
        return
    thread = int(event.thread) if event.thread else None
    ticket = receive_mail(tx, event.person, event.subject, event.text, thread, event.name)
    if ticket and ticket != thread:
        people.set_thread(tx, event.conversation, str(ticket))


@LINKS.on(people.Rated)
def customer_rates(tx: Tx, event: people.Rated) -> None:
    """Rate a solved ticket; other tickets have no survey."""
    ticket = tx.find(Ticket, int(event.thread)) if event.thread else None
    if ticket is not None and ticket.deleted_at is None and ticket.status in ("solved", "closed"):
        rate(tx, ticket.id, event.score, event.comment or None)


# --- the back office writes to customers, too


def _tell(tx: Tx, email: str, text: str) -> None:
    people.receive_message(tx, email, "email", "", text, {"automatic": True})


def _money(cents: int, currency: str) -> str:
    return f"{cents // 100}.{cents % 100:02d} {currency}"


@LINKS.on(RefundRequested)
def refund_is_announced(tx: Tx, event: RefundRequested) -> None:
    """Tell the customer that a refund was started."""
    _tell(tx, event.email, f"Your refund of {_money(event.amount_cents, event.currency)} is on its way.")


@LINKS.on(RefundSucceeded)
def refund_arrives(tx: Tx, event: RefundSucceeded) -> None:
    """Tell the customer that the money has arrived."""
    amount, shop = _money(event.amount_cents, event.currency), settings(tx).name
    _tell(tx, event.email, f"{amount} from {shop} was credited to your card.")


@LINKS.on(RefundFailed)
def refund_bounces(tx: Tx, event: RefundFailed) -> None:
    """Tell the customer that the bank refused the refund."""
    _tell(tx, event.email, f"Your refund of {_money(event.amount_cents, event.currency)} could not be credited.")


@LINKS.on(CreditGranted)
def credit_is_announced(tx: Tx, event: CreditGranted) -> None:
    """Tell the customer about store credit."""
    _tell(tx, event.email, f"You have {_money(event.amount_cents, event.currency)} of store credit.")


@LINKS.on(ReplacementOrdered)
def replacement_is_announced(tx: Tx, event: ReplacementOrdered) -> None:
    """Tell the customer about a replacement."""
    _tell(tx, event.email, f"We are sending you {event.sku} for {event.serial_number}.")


@LINKS.on(ReturnOpened)
def return_label_is_sent(tx: Tx, event: ReturnOpened) -> None:
    """Send the return number."""
    _tell(tx, event.email, f"Your return number is {event.number}.")


@LINKS.on(OrderCancelled)
def cancellation_is_confirmed(tx: Tx, event: OrderCancelled) -> None:
    """Confirm that an order was cancelled."""
    _tell(tx, event.email, f"Your order {event.number} was cancelled.")


@LINKS.on(ShipmentMoved)
def parcel_moves(tx: Tx, event: ShipmentMoved) -> None:
    """Send the carrier's mail about a parcel."""
    order = tx.find(Order, event.order)
    if event.status in ("in_transit", "delivered") and order is not None:
        _tell(
            tx,
            event.email,
            f"Parcel {event.tracking_number} of order {order.number}: {event.status.replace('_', ' ')}.",
        )


@LINKS.on(SubscriptionChanged)
def subscription_change_is_confirmed(tx: Tx, event: SubscriptionChanged) -> None:
    """Confirm a change of a subscription."""
    _tell(tx, event.email, f"Your subscription was changed: {event.what}.")


@LINKS.on(SubscriptionCancelled)
def subscription_end_is_confirmed(tx: Tx, event: SubscriptionCancelled) -> None:
    """Confirm that a subscription was cancelled."""
    _tell(tx, event.email, "Your subscription was cancelled.")
