"""Features of a realistic desk, each as a share computed from its tables."""

from __future__ import annotations

from diorama.kernel import Tx

TICKETS = {
    "follow-ups of a closed ticket": "followup_source_id IS NOT NULL",
    "copied to somebody": "email_cc_ids != '[]'",
    "followed by a colleague": "follower_ids != '[]'",
    "of an organization": "organization_id IS NOT NULL",
    "angry capitals": "subject || description GLOB '*[A-Z][A-Z][A-Z][A-Z][A-Z]*[A-Z][A-Z][A-Z][A-Z]*'",
    "passed on, with its headers": "description LIKE '%From: %To: %' OR description LIKE '%Von: %An: %' "
    "OR description LIKE '%De : %À : %' OR description LIKE '%De: %Para: %' OR description LIKE '%Van: %Aan: %'",
    "routed by a trigger": 'id IN (SELECT ticket_id FROM zendesk_audits WHERE events LIKE \'%"title":"Route: %\')',
    "answered with a macro": "id IN (SELECT ticket_id FROM zendesk_audits WHERE events LIKE '%AgentMacroReference%')",
    "with a private note": "id IN (SELECT ticket_id FROM zendesk_comments WHERE public = 0)",
    "with a picture or screenshot": "id IN (SELECT ticket_id FROM zendesk_comments WHERE attachments LIKE '%image/%')",
    "with an HTML mail": "id IN (SELECT ticket_id FROM zendesk_comments WHERE html IS NOT NULL)",
    "with an autoresponder": "id IN (SELECT c.ticket_id FROM zendesk_tickets t JOIN zendesk_comments c "
    "ON c.ticket_id = t.id AND c.author_id = t.requester_id JOIN zendesk_comments p ON p.ticket_id = t.id "
    "AND p.author_id != c.author_id AND p.public = 1 AND c.created_at - p.created_at BETWEEN 1 AND 95000000)",
    "solved without a public answer": "status IN ('solved', 'closed') AND tags NOT LIKE '%closed_by_merge%' "
    "AND id NOT IN (SELECT c.ticket_id FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id "
    "WHERE c.public = 1 AND u.role != 'end-user')",
    "with a rating": "satisfaction IN ('good', 'bad')",
    "with a survey that nobody filled in": "satisfaction = 'offered'",
}
OTHERS = {
    "ratings with a comment": ("zendesk_satisfaction_ratings", "comment IS NOT NULL"),
    "organizations that share tickets": ("zendesk_organizations", "shared_tickets = 1"),
    "organizations with several people": (
        "zendesk_organizations",
        "id IN (SELECT organization_id FROM zendesk_organization_memberships GROUP BY 1 HAVING count(*) > 1)",
    ),
}


def features(tx: Tx) -> dict[str, float]:
    """Return the shares by name."""
    asked = {name: ("zendesk_tickets", condition) for name, condition in TICKETS.items()} | OTHERS
    found = {}
    for name, (table, condition) in asked.items():
        part, total = tx.rows(f"SELECT coalesce(sum({condition}), 0), count(*) FROM {table}")[0]
        found[name] = round(part / total, 4) if total else 0.0
    return found
