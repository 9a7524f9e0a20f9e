"""Which values of a ticket's fields the work on it covers: those of the form, and what the case itself says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import CustomerEmail, Order, OrderLine, Shipment, Unit
from diorama.apps.zendesk.schema import Comment, Ticket, TicketField, User
from diorama.apps.zendesk.words import TEXT_FIELDS
from diorama.kernel import Change, Tx
from diorama.kit.damage import Cell
from diorama.rewards.claims.folding import fold
from diorama.scenarios.desk_facts import matches
from diorama.scenarios.shop_part import has_shop
from diorama.worlds import closing

ANY = ("*",)
"""Stands for every value: of a field that a fact judges."""
LONG = 4
"""From how many letters on a word of an option's name counts."""
JUDGED: Mapping[str, Sequence[str]] = dict.fromkeys(closing.TITLES, ANY)
"""The fields of a form that facts judge."""


def covers_fields(tx: Tx, cell: Cell, form: Mapping[str, Sequence[str]]) -> bool:
    """Check whether every changed field of a ticket may have its value.

    `form` are the values that fields of the closing form may have, by key. Any other field may say what the customer
    wrote or has: their order number, their machine.
    """
    keys = {str(field.id): key for key, field in closing.closing_fields(tx).items()}
    for number, before, value in changed_values(cell.before, cell.after):
        key = keys.get(number)
        if key is not None:
            right = form.get(key, ())
            if right is not ANY and (value or before) and not matches(key, value, right):
                return False
        elif not value or not _says_what_is_known(tx, int(cell.key), number, value):
            return False
    return True


def changed_values(stored_before: Any, stored_after: Any) -> Iterator[tuple[str, str, str]]:
    """Yield what differs between two stored values of `custom_fields`: id of the field, before, after."""
    before, after = _decoded(stored_before), _decoded(stored_after)
    for number in dict.fromkeys((*before, *after)):
        pair = _text(before.get(number)), _text(after.get(number))
        if pair[0] != pair[1]:
            yield number, *pair


def _decoded(stored: Any) -> dict[str, Any]:
    found = msgspec.json.decode(stored) if isinstance(stored, str | bytes) and stored else stored
    return dict(found or {})


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None or value is False else str(value)


def _says_what_is_known(tx: Tx, ticket_id: int, number: str, value: str) -> bool:
    """Check whether the customer wrote or has what a field says."""
    field = tx.find(TicketField, int(number))
    if field is None:
        return False
    if field.type in TEXT_FIELDS:
        return is_known(tx, ticket_id, value)
    texts = _known_texts(tx, ticket_id)
    words = [word for one in field.options if one.value == value for word in fold(one.name).split()]
    return any(len(word) >= LONG and word in texts for word in words)


def new_words(tx: Tx, ticket_id: int, change: Change) -> Iterator[str]:
    """Yield texts that a change put into visible fields, and that the customer did not write and does not have."""
    before, after = ((side or {}).get("custom_fields") for side in (change.before, change.after))
    for number, _, value in changed_values(before, after) if after else ():
        field = tx.find(TicketField, int(number))
        shown = field is not None and field.visible_in_portal and field.type in TEXT_FIELDS
        if shown and value and not is_known(tx, ticket_id, value):
            yield value


def is_known(tx: Tx, ticket_id: int, text: str) -> bool:
    """Check whether the requester wrote a text on a ticket, or whether it is a number or a name of what they have."""
    return " ".join(fold(text).split()) in " ".join(_known_texts(tx, ticket_id).split())


def _known_texts(tx: Tx, ticket_id: int) -> str:
    return " ".join(fold(one) for one in _texts(tx, tx.get(Ticket, ticket_id)))


def _texts(tx: Tx, ticket: Ticket) -> Iterator[str]:
    yield from (ticket.subject, ticket.description)
    author = tx.get(User, ticket.requester_id)
    yield from (one.body for one in tx.all(Comment, "ticket_id = ? AND author_id = ?", ticket.id, author.id))
    found = tx.first(CustomerEmail, "email = ?", author.email) if has_shop(tx.company) and author.email else None
    if found is None:
        return
    for order in tx.all(Order, "customer_id = ?", found.customer_id):
        yield order.number
        yield from (line.name for line in tx.all(OrderLine, "order_id = ?", order.id))
    yield from (one.tracking_number for one in tx.all(Shipment, "customer_id = ?", found.customer_id))
    yield from (one.id for one in tx.all(Unit, "customer_id = ?", found.customer_id))
