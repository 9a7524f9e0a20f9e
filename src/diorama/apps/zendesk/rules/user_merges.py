"""Merge users."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import webhook_events
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.memberships import set_default_organization
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.rules.tickets import NO_METADATA, WEB
from diorama.apps.zendesk.schema import Comment, Identity, OrganizationMembership, Ticket, User
from diorama.kernel import Tx


def merge_users(tx: Tx, loser: User, winner: User, by: User) -> User:
    """Merge two customers: give the winner the loser's tickets, comments, addresses and organizations."""
    if loser.id == winner.id:
        raise refusals.invalid("base", "Merge failed: a user cannot be merged with itself", "InvalidValue")
    for user in (loser, winner):
        if user.staff or not user.active:
            raise refusals.invalid("base", f"Merge failed: {user.name} is not an active end user", "InvalidValue")
    for ticket in tx.all(Ticket, "requester_id = ?", loser.id, order="id"):
        _hand_over(tx, ticket, loser, winner, by)
    _move_addresses(tx, loser, winner)
    _move_memberships(tx, loser, winner)
    tags = tuple(sorted({*winner.tags, *loser.tags}))
    tx.change(loser, active=False, email=None, organization_id=None, updated_at=now(tx))
    winner = tx.get(User, winner.id)
    winner = tx.change(winner, tags=tags, phone=winner.phone or loser.phone, updated_at=now(tx))
    webhook_events.tell_of_merge(tx, winner, loser.id)
    return winner


def _hand_over(tx: Tx, ticket: Ticket, loser: User, winner: User, by: User) -> None:
    edit = Edit(tx, ticket, by, WEB, ticket, NO_METADATA)
    edit.set(requester_id=winner.id)
    copied = tuple(dict.fromkeys(winner.id if one == loser.id else one for one in ticket.email_cc_ids))
    edit.set(email_cc_ids=tuple(one for one in copied if one != winner.id))
    edit.finish()
    for words in tx.all(Comment, "ticket_id = ? AND author_id = ?", ticket.id, loser.id):
        tx.change(words, author_id=winner.id)


def _move_addresses(tx: Tx, loser: User, winner: User) -> None:
    moment = now(tx)
    for identity in tx.all(Identity, "user_id = ?", loser.id):
        same = tx.first(Identity, "user_id = ? AND type = ? AND value = ?", winner.id, identity.type, identity.value)
        if same is not None:
            tx.remove(identity)
            continue
        first = not tx.count(Identity, "user_id = ? AND type = ?", winner.id, identity.type)
        tx.change(identity, user_id=winner.id, primary=first and identity.primary, updated_at=moment)
        if first and identity.type == "email":
            tx.change(tx.get(User, winner.id), email=identity.value)


def _move_memberships(tx: Tx, loser: User, winner: User) -> None:
    for membership in tx.all(OrganizationMembership, "user_id = ?", loser.id):
        there = "user_id = ? AND organization_id = ?"
        if tx.count(OrganizationMembership, there, winner.id, membership.organization_id):
            tx.remove(membership)
        else:
            tx.change(membership, user_id=winner.id, default=False, updated_at=now(tx))
    if winner.organization_id is None:
        first = tx.first(OrganizationMembership, "user_id = ?", winner.id, order="id")
        if first is not None:
            set_default_organization(tx, tx.get(User, winner.id), first.organization_id)
