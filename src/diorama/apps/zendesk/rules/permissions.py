"""Ticket permissions: one condition for lists, counts, views, search and single tickets.

The agent's custom role decides (`ticket_access`); without one, the agent's own `ticket_restriction`. Agents see the
tickets they requested, and usually those assigned to them; the vendor's exact rule was not found.
"""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.custom_roles import permission
from diorama.apps.zendesk.rules.sql import TICKETS
from diorama.apps.zendesk.schema import Organization, Ticket, User
from diorama.kernel import Tx
from diorama.kit.query import TRUE, Sql, both

RESTRICTIONS = {
    None: "all", "groups": "within-groups", "organization": "within-organization", "assigned": "assigned-only",
    "requested": "requested-only",
}  # fmt: skip
"""The `ticket_access` value of a role that each user restriction corresponds to."""
_HIDDEN = (
    "SELECT id FROM zendesk_users WHERE email = ? AND role = 'agent' AND active = 1 "
    "AND (custom_role_id IS NOT NULL OR ticket_restriction IS NOT NULL)"
)
_MY_GROUPS = f"{TICKETS}.group_id IN (SELECT group_id FROM zendesk_group_memberships WHERE user_id = ?)"
_OPEN_GROUPS = f"{TICKETS}.group_id IN (SELECT id FROM zendesk_groups WHERE is_public = 1)"
_MY_COMPANIES = (
    f"{TICKETS}.organization_id IN (SELECT organization_id FROM zendesk_organization_memberships WHERE user_id = ?)"
)


def ticket_access(tx: Tx, me: User) -> str:
    """Return an agent's ticket access, as a `ticket_access` value of roles."""
    if me.role == "admin":
        return "all"
    if me.custom_role_id is not None:
        return str(permission(tx, me, "ticket_access"))
    return RESTRICTIONS[me.ticket_restriction]


def visible_to(tx: Tx, me: User) -> Sql:
    """Return SQL for the tickets that a member of staff may see."""
    if me.role != "agent" or (me.custom_role_id is None and me.ticket_restriction is None):
        return TRUE
    far = ticket_access(tx, me)
    if far == "all":
        return TRUE
    own: list[str] = [f"{TICKETS}.requester_id = ?"]
    if far != "requested-only":
        own.append(f"{TICKETS}.assignee_id = ?")
    args: list[Any] = [me.id] * len(own)
    if far == "within-organization":
        own.extend((_MY_COMPANIES, f"{TICKETS}.organization_id = ?"))
        args.extend((me.id, me.organization_id))
    elif far.startswith("within-groups"):
        own.append(_MY_GROUPS)
        args.append(me.id)
        if far.endswith("public-groups"):
            own.append(_OPEN_GROUPS)
    return Sql("(" + " OR ".join(own) + ")", tuple(args))


def visible_to_caller(tx: Tx) -> Sql:
    """Return SQL for the tickets that the caller may see; customers use separate lists."""
    rows = tx.rows(_HIDDEN, tx.actor.name)
    return visible_to(tx, tx.get(User, rows[0][0])) if rows else TRUE


def restrict(tx: Tx, where: str, args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Restrict a condition on tickets to those the caller may see."""
    found = visible_to_caller(tx)
    if found is TRUE:
        return where, args
    part = both([Sql(f"({where or '1'})", args), found])
    return part.text, part.args


def restrict_related(
    tx: Tx, where: str, args: tuple[Any, ...], column: str = "ticket_id"
) -> tuple[str, tuple[Any, ...]]:
    """Restrict a condition on records of tickets to tickets the caller may see."""
    found = visible_to_caller(tx)
    if found is TRUE:
        return where, args
    inner = f"{column} IN (SELECT id FROM {TICKETS} WHERE {found.text})"
    return f"({where}) AND {inner}" if where else inner, (*args, *found.args)


def check_ticket(tx: Tx, ticket: Ticket, me: User | None = None) -> Ticket:
    """Return the ticket; raise 403 unless `me` (default: the caller) may see it."""
    check_access(tx, ticket.id, me)
    return ticket


def check_access(tx: Tx, ticket_id: int, me: User | None = None) -> None:
    """Raise 403 unless `me` (default: the caller) may see a ticket."""
    found = visible_to_caller(tx) if me is None else visible_to(tx, me)
    if found is TRUE:
        return
    if not tx.rows(f"SELECT 1 FROM {TICKETS} WHERE id = ? AND {found.text}", ticket_id, *found.args):
        raise refusals.forbidden()


# --- customers


def can_see_organization(tx: Tx, me: User, company: Organization) -> bool:
    """Check whether a customer may see an organization's requests: it shares them, or the customer has access."""
    rows = tx.rows(
        "SELECT view_tickets FROM zendesk_organization_memberships WHERE user_id = ? AND organization_id = ?",
        me.id,
        company.id,
    )
    if not rows and me.organization_id != company.id:
        return False
    return company.shared_tickets or me.ticket_restriction == "organization" or any(row[0] for row in rows)


def can_see_request(tx: Tx, me: User, ticket: Ticket, speak: bool = False) -> bool:
    """Check whether a customer may see or comment on a request: as requester, in CC, or through the organization."""
    if not ticket.is_public:
        return False
    if me.id == ticket.requester_id or me.id in ticket.email_cc_ids:
        return True
    company = tx.find(Organization, ticket.organization_id) if ticket.organization_id is not None else None
    if company is None or not can_see_organization(tx, me, company):
        return False
    return not speak or company.shared_comments
