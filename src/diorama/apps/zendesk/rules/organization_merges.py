"""Merge organizations."""

from __future__ import annotations

from datetime import timedelta

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ticket_edits import clear_from_tickets
from diorama.apps.zendesk.schema import (
    APP,
    Organization,
    OrganizationMembership,
    OrganizationMerge,
    OrganizationSubscription,
    User,
)
from diorama.kernel import Tx

MERGING = timedelta(seconds=20)


def merge_organizations(tx: Tx, loser: Organization, winner: Organization) -> OrganizationMerge:
    """Start merging one organization into another; `finish_merge` runs a little later."""
    if loser.id == winner.id:
        raise refusals.invalid("winner_id", "Winner: cannot be the organization itself", "InvalidValue")
    merge = tx.add(OrganizationMerge(winner_id=winner.id, loser_id=loser.id, created_at=now(tx)))
    tx.later(MERGING, finish_merge, merge_id=merge.id)
    return merge


@APP.command
def finish_merge(tx: Tx, merge_id: str) -> None:
    """Move users, tickets and domains from the loser to the winner."""
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
    clear_from_tickets(tx, {"organization_id": loser.id}, {"organization_id": winner.id}, closed=True)
    domains = tuple(dict.fromkeys((*winner.domain_names, *loser.domain_names)))
    tx.change(winner, domain_names=domains, updated_at=moment)
    tx.remove(loser)
    tx.change(merge, status="complete")
