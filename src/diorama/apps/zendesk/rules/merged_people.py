"""Two that are one: merging users and organizations; forgetting users; passwords."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.acting import now
from diorama.apps.zendesk.rules.edits import Edit
from diorama.apps.zendesk.rules.people import delete_organization, release, set_default_organization
from diorama.apps.zendesk.rules.tickets import NO_METADATA, WEB
from diorama.apps.zendesk.schema import (
    APP,
    Comment,
    ComplianceDeletion,
    Identity,
    Organization,
    OrganizationMembership,
    OrganizationMerge,
    OrganizationSubscription,
    Password,
    Ticket,
    User,
)
from diorama.kernel import Tx

SHORTEST = 5
REQUIREMENTS = (
    f"must be at least {SHORTEST} characters",
    "must be fewer than 128 characters",
    "must be different from email address",
)
FORGETTING = timedelta(minutes=10)
MERGING = timedelta(seconds=20)


# --- users


def merge_users(tx: Tx, loser: User, winner: User, by: User) -> User:
    """One customer was known under two names: tickets, words, addresses and organizations go to the winner."""
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
    return tx.change(winner, tags=tags, phone=winner.phone or loser.phone, updated_at=now(tx))


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


# --- forgetting


def deleted(tx: Tx, user_id: int) -> User:
    """A user who was deleted but not yet forgotten."""
    user = tx.get(User, user_id)
    if user.active or tx.count(ComplianceDeletion, "user_id = ?", user.id):
        raise refusals.not_found()
    return user


def forget(tx: Tx, user: User, by: User) -> User:
    """Delete a deleted user for good: every personal detail goes, at once here, later in what is connected."""
    shown = user
    for action in ("request_deletion", "started"):
        tx.add(ComplianceDeletion(user_id=user.id, executer_id=by.id, action=action, created_at=now(tx)))
    tx.change(
        user, name="Permanently deleted user", phone=None, external_id=None, alias=None, tags=(), details=None,
        notes=None, signature=None, user_fields={}, updated_at=now(tx),
    )  # fmt: skip
    tx.later(FORGETTING, finish_forgetting, user_id=user.id, executer_id=by.id)
    return shown


@APP.command
def finish_forgetting(tx: Tx, user_id: int, executer_id: int) -> None:
    """Everything that is connected has forgotten the user, too."""
    tx.add(ComplianceDeletion(user_id=user_id, executer_id=executer_id, action="complete", created_at=now(tx)))


# --- passwords


def set_password(tx: Tx, user: User, password: str) -> None:
    """Give a user a password."""
    if len(password) < SHORTEST:
        raise refusals.invalid("password", f"Password: {REQUIREMENTS[0]}", "PasswordTooShort")
    if len(password) >= 128:
        raise refusals.invalid("password", f"Password: {REQUIREMENTS[1]}", "PasswordTooLong")
    if user.email and password.lower() == user.email:
        raise refusals.invalid("password", f"Password: {REQUIREMENTS[2]}", "PasswordSameAsEmail")
    digest, known = _digest(user, password), tx.first(Password, "user_id = ?", user.id)
    if known is None:
        tx.add(Password(user_id=user.id, digest=digest, updated_at=now(tx)))
    else:
        tx.change(known, digest=digest, updated_at=now(tx))


def knows_password(tx: Tx, user: User, password: str) -> bool:
    """Whether this is the password of a user."""
    known = tx.first(Password, "user_id = ?", user.id)
    return known is not None and known.digest == _digest(user, password)


def _digest(user: User, password: str) -> str:
    return sha256(f"{user.id}:{password}".encode()).hexdigest()


# --- organizations


def merge_organizations(tx: Tx, loser: Organization, winner: Organization) -> OrganizationMerge:
    """One organization goes into another; it takes a moment."""
    if loser.id == winner.id:
        raise refusals.invalid("winner_id", "Winner: cannot be the organization itself", "InvalidValue")
    merge = tx.add(OrganizationMerge(winner_id=winner.id, loser_id=loser.id, created_at=now(tx)))
    tx.later(MERGING, finish_merge, merge_id=merge.id)
    return merge


@APP.command
def finish_merge(tx: Tx, merge_id: str) -> None:
    """Users, tickets and domains of the loser belong to the winner now."""
    merge = tx.get(OrganizationMerge, merge_id)
    loser, winner = tx.find(Organization, merge.loser_id), tx.find(Organization, merge.winner_id)
    if loser is None or winner is None:
        tx.change(merge, status="error")
        return
    moment = now(tx)
    for user in tx.all(User, "organization_id = ?", loser.id):
        tx.change(user, organization_id=winner.id, updated_at=moment)
    for membership in tx.all(OrganizationMembership, "organization_id = ?", loser.id):
        other = tx.first(OrganizationMembership, "user_id = ? AND organization_id = ?", membership.user_id, winner.id)
        if other is None:
            tx.change(membership, organization_id=winner.id, updated_at=moment)
        else:
            tx.remove(membership)
            tx.change(other, default=other.default or membership.default, updated_at=moment)
    for subscription in tx.all(OrganizationSubscription, "organization_id = ?", loser.id):
        tx.remove(subscription)
    release(tx, "organization_id = ?", loser.id, closed=True, organization_id=winner.id)
    domains = tuple(dict.fromkeys((*winner.domain_names, *loser.domain_names)))
    tx.change(winner, domain_names=domains, updated_at=moment)
    delete_organization(tx, tx.get(Organization, loser.id))
    tx.change(merge, status="complete")
