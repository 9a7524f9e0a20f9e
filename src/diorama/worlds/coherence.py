"""Coherence: check that all tables of a desk agree about each ticket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.ticket_edits import AUDITED, audit_value
from diorama.apps.zendesk.schema import Audit, Ticket, TicketField, TicketMetric
from diorama.kernel import Tx, World, table_of, to_us

REPLAYED = ("subject", "status", "priority", "type", "requester_id", "group_id", "assignee_id", "organization_id",
            "problem_id", "tags", "follower_ids", "email_cc_ids", "satisfaction")  # fmt: skip
"""Fields whose whole history is in the audits."""
EMPTY: tuple[Any, ...] = (None, "", (), [])


def contradictions(world: World) -> list[str]:
    """Return every disagreement between two tables as plain text; empty for a coherent world."""
    return world.read(lambda tx: [*_by_sql(tx), *_by_replay(tx)])


# --- checks by a single query

QUERIES = {
    "requester is nobody": "SELECT t.id FROM zendesk_tickets t LEFT JOIN zendesk_users u ON u.id = t.requester_id "
    "WHERE u.id IS NULL",
    "requester is younger than the ticket": "SELECT t.id FROM zendesk_tickets t JOIN zendesk_users u "
    "ON u.id = t.requester_id WHERE u.created_at > t.created_at",
    "assignee is not in the group": "SELECT t.id FROM zendesk_tickets t WHERE t.assignee_id IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM zendesk_group_memberships m WHERE m.user_id = t.assignee_id AND m.group_id = t.group_id)",
    "requester is not of the organization": "SELECT t.id FROM zendesk_tickets t WHERE t.organization_id IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM zendesk_organization_memberships m "
    "WHERE m.user_id = t.requester_id AND m.organization_id = t.organization_id)",
    "member of no organization": "SELECT m.id FROM zendesk_organization_memberships m "
    "LEFT JOIN zendesk_organizations o ON o.id = m.organization_id LEFT JOIN zendesk_users u ON u.id = m.user_id "
    "WHERE o.id IS NULL OR u.id IS NULL",
    "changed after it was last updated": "SELECT t.id FROM zendesk_tickets t JOIN "
    "(SELECT ticket_id, max(created_at) AS last FROM zendesk_audits GROUP BY 1) a "
    "ON a.ticket_id = t.id WHERE t.updated_at < a.last",
    "said before it was opened": "SELECT c.id FROM zendesk_comments c JOIN zendesk_tickets t ON t.id = c.ticket_id "
    "WHERE c.created_at < t.created_at",
    "spoken by nobody": "SELECT c.id FROM zendesk_comments c LEFT JOIN zendesk_users u ON u.id = c.author_id "
    "WHERE u.id IS NULL AND c.author_id != -1",
    "said by somebody who came later": "SELECT c.id FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id "
    "WHERE u.created_at > c.created_at",
    "follows up on a ticket that was open": "SELECT t.id FROM zendesk_tickets t JOIN zendesk_tickets s "
    "ON s.id = t.followup_source_id WHERE s.status != 'closed' OR s.status_updated_at > t.created_at",
    "incident of what is no problem": "SELECT t.id FROM zendesk_tickets t LEFT JOIN zendesk_tickets p "
    "ON p.id = t.problem_id WHERE t.problem_id IS NOT NULL AND (p.id IS NULL OR p.type != 'problem')",
    "rated otherwise than its row says": "SELECT t.id FROM zendesk_tickets t JOIN zendesk_satisfaction_ratings r "
    "ON r.id = t.satisfaction_id WHERE r.score != t.satisfaction",
    "attached file is not there": "SELECT c.id FROM zendesk_comments c, json_each(c.attachments) j "
    "LEFT JOIN zendesk_files f ON f.id = j.value ->> 'id' WHERE f.id IS NULL",
}


REPLAY_RULES = (
    "every ticket has audits, and each says of a field what the one before left",
    "the last audits leave the ticket's fields, tags, status, reopens and times as its row has them",
    "custom fields exist, hold one of their options, and have its tag",
    "the audits tell of as many comments as there are",
    "the metrics have the number of replies and the first reply time that the comments show",
)
RULES = [f"no row: {what}" for what in QUERIES] + list(REPLAY_RULES)
"""Everything that `contradictions` looks for, in plain words."""
TABLES = ("tickets", "comments", "audits", "users")


def rows_read(world: World) -> dict[str, int]:
    """Return how many rows of the main tables were read."""
    return world.read(lambda tx: {name: tx.rows(f"SELECT count(*) FROM zendesk_{name}")[0][0] for name in TABLES})


def _by_sql(tx: Tx) -> Iterator[str]:
    for what, sql in QUERIES.items():
        for (number,) in tx.rows(sql):
            yield f"{number}: {what}"


# --- checks by replaying a ticket's audits


def _by_replay(tx: Tx) -> Iterator[str]:
    comments = Counter(ticket for (ticket,) in tx.rows("SELECT ticket_id FROM zendesk_comments"))
    spoken: dict[int, list[int]] = {}
    asked = (
        "SELECT c.ticket_id, c.created_at FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id "
        "WHERE c.public = 1 AND u.role != 'end-user' ORDER BY c.created_at"
    )
    for ticket, at in tx.rows(asked):
        spoken.setdefault(ticket, []).append(at)
    metrics = {row.id: row for row in tx.all(TicketMetric)}
    fields = {str(field.id): field for field in tx.all(TicketField)}
    for ticket, audits in _histories(tx):
        state, found = _replayed(audits)
        found += _differences(ticket, audits, state, fields)
        if state["comments"] != comments[ticket.id]:
            found.append(f"{comments[ticket.id]} comments, but its audits tell of {state['comments']}")
        found += _figures(ticket, metrics.get(ticket.id), spoken.get(ticket.id, []))
        yield from (f"{ticket.id}: {what}" for what in found)


def _histories(tx: Tx) -> Iterator[tuple[Ticket, list[Audit]]]:
    table = table_of(Audit)
    rows = tx.rows(f"{table.select} ORDER BY ticket_id, created_at, id")
    audits: dict[int, list[Audit]] = {}
    for row in rows:
        audit = table.load(row)
        assert isinstance(audit, Audit)
        audits.setdefault(audit.ticket_id, []).append(audit)
    for ticket in tx.all(Ticket):
        yield ticket, audits.get(ticket.id, [])


def _replayed(audits: list[Audit]) -> tuple[dict[str, Any], list[str]]:
    """Replay the audits: return the final fields, and every contradiction between two audits."""
    state: dict[str, Any] = {"comments": 0, "reopens": 0, "solved": None, "closings": 0}
    state["satisfaction_score"] = "unoffered"
    found: list[str] = []
    for audit in audits:
        for event in audit.events:
            if event.type == "Comment":
                state["comments"] += 1
            if event.type not in ("Create", "Change"):
                continue
            name, before = str(event.field_name), state.get(str(event.field_name))
            if event.type == "Change" and _plain(event.previous_value) != _plain(before):
                found.append(f"audit {audit.id} says that {name} was {event.previous_value!r}, it was {before!r}")
            if name == "status" and event.type == "Change":
                state["reopens"] += before == "solved" and event.value != "closed"
                state["closings"] += event.value == "closed"
                state["solved"] = audit.created_at if event.value == "solved" else state["solved"]
            state[name] = event.value
    return state, found


def _plain(value: Any) -> Any:
    if value is msgspec.UNSET or value in EMPTY:
        return None
    return sorted(value) if isinstance(value, list | tuple) else value


def _differences(
    ticket: Ticket, audits: list[Audit], state: Mapping[str, Any], fields: Mapping[str, TicketField]
) -> list[str]:
    found = []
    if not audits:
        return ["has no audit"]
    for name in REPLAYED:
        mine, theirs = _plain(audit_value(getattr(ticket, name))), _plain(state.get(AUDITED[name]))
        if isinstance(mine, list) and mine and isinstance(mine[0], int):
            theirs = sorted(int(one) for one in theirs or [])
        if mine != theirs:
            found.append(f"{name} is {mine!r}, its audits leave {theirs!r}")
    for key, value in ticket.custom_fields.items():
        field = fields.get(key)
        if _plain(audit_value(value)) != _plain(state.get(key)):
            found.append(f"field {key} is {value!r}, its audits leave {state.get(key)!r}")
        if field is None:
            found.append(f"has a field {key} that there is not")
        elif field.type == "tagger":
            if value not in {option.value for option in field.options}:
                found.append(f"{field.title} cannot be {value!r}")
            if value not in ticket.tags:
                found.append(f"{field.title} is {value!r}, but its tag is missing")
    if ticket.reopens != state["reopens"]:
        found.append(f"reopened {ticket.reopens} times, its audits tell of {state['reopens']}")
    if ticket.status == "closed" and state["closings"] != 1:
        found.append(f"closed, but its audits tell of {state['closings']} closings")
    if ticket.status == "solved" and ticket.solved_at != state["solved"]:
        found.append(f"solved at {ticket.solved_at}, its audits say {state['solved']}")
    return found


def _figures(ticket: Ticket, row: TicketMetric | None, spoken: list[int]) -> list[str]:
    if row is None:
        return ["has no figures"]
    found = []
    if row.replies != len(spoken):
        found.append(f"{row.replies} replies in the figures, {len(spoken)} among the comments")
    later = [at for at in spoken if at > to_us(ticket.created_at)]
    waited = (later[0] - to_us(ticket.created_at)) // 1_000_000 if later else None
    if (row.first_reply[0] if row.first_reply else None) != waited:
        found.append(f"first reply after {row.first_reply} seconds, by the comments after {waited}")
    return found
