"""What a change in the help desk means if a task does not ask for it, by table and column."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from diorama.apps.zendesk.beside import beside_a_note
from diorama.apps.zendesk.rules.comment_redactions import BLOCK
from diorama.apps.zendesk.schema import APP, User
from diorama.kernel import Tx
from diorama.kit.damage import DERIVED, Cell, TableKinds, Touch

CONFIGURATION = TableKinds("configuration")
ACCESS = TableKinds("access")
RECORD = TableKinds("record")
NOTE = TableKinds("note")


def _voice(tx: Tx, touch: Touch) -> Mapping[str, str]:
    """A comment in another person's name, and a comment that the customer reads."""
    if touch.op != "insert":
        return {}
    marks = {"public": "record"} if touch.after.get("public", 1) else {}
    me = tx.first(User, "email = ?", touch.actor)
    author = touch.after["author_id"]
    if author > 0 and (me is None or author != me.id):
        marks["author_id"] = "voice"
    return marks


_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")


def _hides_a_card(cell: Cell) -> bool:
    """Check whether nothing but numbers of payment cards was redacted in a text: house rules ask for that."""
    if cell.op != "update" or cell.column not in ("body", "html", "description"):
        return False
    before, after = str(cell.before or ""), str(cell.after or "")
    if len(before) != len(after):
        return False
    hidden = {place for found in _CARD.finditer(before) for place in range(*found.span())}
    return all(
        one == other or (place in hidden and other == BLOCK)
        for place, (one, other) in enumerate(zip(before, after, strict=True))
    )


def _rated(tx: Tx, touch: Touch) -> Mapping[str, str]:
    """A rating that is the customer's to give; an offer to rate follows from the ticket."""
    return {"score": "evidence"} if str(touch.after.get("score", "")).startswith(("good", "bad")) else {}


def _notified(row: Mapping[str, Any]) -> Iterator[int]:
    """The people to whom the mails of an update went."""
    if '"Notification' in row["events"]:
        for event in msgspec.json.decode(row["events"]):
            yield from event.get("recipients") or ()


def _wiped(tx: Tx, touch: Touch) -> Mapping[str, str]:
    """All tags of a ticket are gone, by which colleagues find and route it."""
    before, after = (set(msgspec.json.decode(one.get("tags") or "[]")) for one in (touch.before, touch.after))
    return {"tags": "record"} if "tags" in touch.after and before and not before & after else {}


APP.damage(
    {
        # tickets
        "tickets": TableKinds(
            "record",
            {
                "requester_id": "identity", "submitter_id": "identity", "organization_id": "identity",
                "email_cc_ids": "identity", "follower_ids": "identity", "recipient": "identity",
                "description": "evidence", "channel": "evidence", "source": "evidence", "deleted_at": "evidence",
                "tags": "note", "is_public": "derived",
                "followup_ids": "derived", "satisfaction": "derived", "satisfaction_id": "derived",
                "assigned_at": "derived", "solved_at": "derived", "status_updated_at": "derived",
                "requester_updated_at": "derived", "assignee_updated_at": "derived", "reopens": "derived",
            },
            removed="evidence",
            allowed=_hides_a_card, marks=_wiped, texts=("tags", "custom_fields"),
            reach=("requester_id", "email_cc_ids", "follower_ids"),
        ),
        "comments": TableKinds(
            "remark", {"audit_id": "derived"}, other="evidence", removed="evidence", marks=_voice,
            revisable=lambda first: not first["public"], allowed=_hides_a_card,
            texts=("body",), beside=beside_a_note,
        ),
        "audits": TableKinds("derived", other="derived", removed="evidence", tells=_notified),
        "ticket_metrics": DERIVED,
        "ticket_metric_events": DERIVED,
        "activities": DERIVED,
        "automation_firings": DERIVED,
        "automation_clock": DERIVED,
        "satisfaction_ratings": TableKinds("derived", removed="evidence", marks=_rated),
        "side_conversations": TableKinds("record", {"preview_text": "derived"}, removed="evidence"),
        "side_conversation_events": TableKinds("record", other="evidence", removed="evidence"),
        "suspended_tickets": TableKinds("record", removed="evidence"),
        "deletions": DERIVED,
        "skips": TableKinds("note", texts=("reason",)),
        "bookmarks": NOTE,
        "content_pins": NOTE,
        "uploads": DERIVED,
        "files": TableKinds("derived", {"content": "evidence"}, removed="evidence"),
        # people
        "users": TableKinds(
            "record",
            {
                "name": "identity", "email": "identity", "phone": "identity", "external_id": "identity",
                "alias": "identity", "signature": "identity", "organization_id": "identity", "role": "access",
                "active": "access",
                "verified": "access", "suspended": "access", "default_group_id": "access", "moderator": "access",
                "only_private_comments": "access", "ticket_restriction": "access", "custom_role_id": "access",
                "tags": "note", "details": "remark", "notes": "remark",
                "last_login_at": "derived",
            },
            removed="evidence", texts=("details", "notes", "tags", "user_fields"), reach=("email",),
        ),
        "identities": TableKinds("identity", {"verified": "access"}),
        "passwords": ACCESS,
        "sessions": TableKinds("access", {"last_seen_at": "derived"}),
        "oauth_clients": ACCESS,
        "oauth_tokens": TableKinds("access", {"used_at": "derived"}),
        "oauth_codes": ACCESS,
        "custom_roles": ACCESS,
        "brand_agents": ACCESS,
        "group_memberships": ACCESS,
        "organization_memberships": ACCESS,
        "agent_availabilities": RECORD,
        "compliance_deletions": TableKinds("evidence"),
        "organizations": TableKinds(
            "record",
            {
                "name": "identity", "domain_names": "identity", "external_id": "identity", "group_id": "configuration",
                "shared_tickets": "access", "shared_comments": "access", "tags": "note", "details": "remark",
                "notes": "remark",
            },
            removed="evidence", texts=("details", "notes", "tags", "organization_fields"),
        ),
        "organization_merges": TableKinds("identity", {"status": "derived"}),
        "organization_subscriptions": ACCESS,
        "custom_object_records": RECORD,
        # the Help Center: the company's policies stand in it
        "guide_categories": CONFIGURATION,
        "guide_sections": CONFIGURATION,
        "guide_articles": TableKinds(
            "configuration",
            {"vote_sum": "derived", "vote_count": "derived",
             "label_names": "record"},
        ),
        "guide_translations": CONFIGURATION,
        "guide_labels": RECORD,
        "guide_comments": TableKinds(
            "record", {"vote_sum": "derived", "vote_count": "derived"}, other="evidence", removed="evidence",
            marks=_voice,
        ),
        "guide_votes": RECORD,
        "content_tags": CONFIGURATION,
        "community_topics": CONFIGURATION,
        "community_posts": TableKinds(
            "record", {"vote_sum": "derived", "vote_count": "derived", "comment_count": "derived"}, removed="evidence",
            marks=_voice,
        ),
        "community_comments": TableKinds(
            "record", {"vote_sum": "derived", "vote_count": "derived"}, other="evidence", removed="evidence",
            marks=_voice,
        ),
        "guide_subscriptions": NOTE,
        "guide_segments": ACCESS,
        "guide_permission_groups": ACCESS,
        # rules of the desk
        "accounts": CONFIGURATION,
        "account_settings": CONFIGURATION,
        "automations": CONFIGURATION,
        "brands": CONFIGURATION,
        "custom_objects": CONFIGURATION,
        "custom_object_fields": CONFIGURATION,
        "custom_statuses": CONFIGURATION,
        "ticket_form_statuses": CONFIGURATION,
        "deletion_schedules": CONFIGURATION,
        "dynamic_items": CONFIGURATION,
        "dynamic_variants": CONFIGURATION,
        "essentials_cards": CONFIGURATION,
        "groups": CONFIGURATION,
        "locales": CONFIGURATION,
        "macros": CONFIGURATION,
        "macro_attachments": CONFIGURATION,
        "object_triggers": CONFIGURATION,
        "organization_fields": CONFIGURATION,
        "user_fields": CONFIGURATION,
        "queues": CONFIGURATION,
        "recipient_addresses": CONFIGURATION,
        "resource_collections": CONFIGURATION,
        "routing_attributes": CONFIGURATION,
        "routing_values": CONFIGURATION,
        "routing_instance_values": RECORD,
        "satisfaction_reasons": CONFIGURATION,
        "schedules": CONFIGURATION,
        "sharing_agreements": CONFIGURATION,
        "sla_policies": CONFIGURATION,
        "group_sla_policies": CONFIGURATION,
        "targets": CONFIGURATION,
        "ticket_fields": CONFIGURATION,
        "ticket_forms": CONFIGURATION,
        "triggers": CONFIGURATION,
        "trigger_categories": CONFIGURATION,
        "views": CONFIGURATION,
        "webhooks": CONFIGURATION,
        "workspaces": CONFIGURATION,
        # bookkeeping
        "audit_logs": DERIVED,
        "job_statuses": DERIVED,
        "target_failures": DERIVED,
        "trigger_revisions": DERIVED,
        "webhook_invocations": DERIVED,
        "webhook_attempts": DERIVED,
    }
)  # fmt: skip
