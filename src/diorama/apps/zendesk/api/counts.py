"""How many tickets there are, by whom they concern."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk.api.listing import counted
from diorama.apps.zendesk.api.tickets import LIVE
from diorama.apps.zendesk.rules.acting import agents_only
from diorama.apps.zendesk.schema import APP, Organization, Ticket, User
from diorama.apps.zendesk.wire.lists import CountResponse
from diorama.kernel import Tx

COPIED = "EXISTS (SELECT 1 FROM json_each(email_cc_ids) c WHERE c.value = ?)"


def _count(tx: Tx, where: str, *args: Any) -> CountResponse:
    agents_only(tx)
    return counted(tx, Ticket, f"{where} AND {LIVE}", *args)


@APP.get("/api/v2/users/{user_id}/tickets/requested/count")
def count_requested_tickets(tx: Tx, user_id: int) -> CountResponse:
    """How many tickets a user asked."""
    return _count(tx, "requester_id = ?", tx.get(User, user_id).id)


@APP.get("/api/v2/users/{user_id}/tickets/ccd/count")
def count_ccd_tickets(tx: Tx, user_id: int) -> CountResponse:
    """How many tickets a user is copied on."""
    return _count(tx, COPIED, tx.get(User, user_id).id)


@APP.get("/api/v2/users/{user_id}/tickets/assigned/count")
def count_assigned_tickets(tx: Tx, user_id: int) -> CountResponse:
    """How many tickets an agent holds."""
    return _count(tx, "assignee_id = ?", tx.get(User, user_id).id)


@APP.get("/api/v2/organizations/{organization_id}/tickets/count")
def count_organization_tickets(tx: Tx, organization_id: int) -> CountResponse:
    """How many tickets an organization has."""
    return _count(tx, "organization_id = ?", tx.get(Organization, organization_id).id)
