"""Placeholders in the texts of triggers and macros: {{ticket.requester.first_name}} and the everyday rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from diorama.apps.zendesk.rules import content
from diorama.apps.zendesk.rules.conditions import Facts
from diorama.apps.zendesk.schema import HOST, Account, Brand, Comment, Group, Ticket, User
from diorama.kernel import Tx
from diorama.kit import iso_z

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*(?:\|[^}]*)?\}\}")
LINE = "----------------------------------------------"


def render(text: str, facts: Facts) -> str:
    """The text with every placeholder filled in; an unknown one is empty, as in Zendesk."""
    if "{{" not in text:
        return text
    return _PLACEHOLDER.sub(lambda found: _resolve(found[1], facts), text)


def _resolve(name: str, facts: Facts) -> str:
    maker = _PLAIN.get(name)
    if maker is not None:
        return maker(facts)
    for prefix, person in _PEOPLE.items():
        if name.startswith(prefix):
            return _of_person(person(facts), name.removeprefix(prefix), facts.tx)
    if name.startswith("dc."):
        return render(content.text_of(facts.tx, name, facts.requester.locale), facts)
    if name.startswith("ticket.ticket_field_"):
        value = facts.ticket.custom_fields.get(name.removeprefix("ticket.ticket_field_").removeprefix("option_title_"))
        return "" if value is None else str(value)
    return ""


def _of_person(user: User | None, what: str, tx: Tx) -> str:
    if user is None:
        return ""
    first, _, last = user.name.partition(" ")
    if what == "organization.name":
        rows = tx.rows("SELECT name FROM zendesk_organizations WHERE id = ?", user.organization_id)
        return rows[0][0] if rows else ""
    known = {
        "name": user.name, "first_name": first, "last_name": last or first, "email": user.email, "id": str(user.id),
        "phone": user.phone, "details": user.details, "notes": user.notes, "external_id": user.external_id,
        "signature": user.signature, "role": user.role, "language": user.locale, "locale": user.locale,
        "tags": " ".join(user.tags), "time_zone": user.time_zone,
    }  # fmt: skip
    return known.get(what) or ""


def _person(field: str) -> Callable[[Facts], User | None]:
    def find(facts: Facts) -> User | None:
        number = getattr(facts.ticket, field)
        if number is None:
            return None
        if number == facts.ticket.requester_id:
            return facts.requester
        return facts.by if number == facts.by.id else facts.tx.find(User, number)

    return find


_PEOPLE: dict[str, Callable[[Facts], User | None]] = {
    "ticket.requester.": lambda facts: facts.requester,
    "ticket.assignee.": _person("assignee_id"),
    "ticket.submitter.": _person("submitter_id"),
    "current_user.": lambda facts: facts.by,
    "agent.": _person("assignee_id"),
}


def account_name(tx: Tx) -> str:
    """How the company calls itself."""
    account = tx.find(Account, 1)
    return account.name if account else HOST.partition(".")[0].capitalize()


def _group_name(facts: Facts) -> str:
    group = facts.tx.find(Group, facts.ticket.group_id) if facts.ticket.group_id else None
    return group.name if group else ""


def _brand_name(facts: Facts) -> str:
    brand = facts.tx.find(Brand, facts.ticket.brand_id)
    return brand.name if brand else account_name(facts.tx)


def _organization_name(facts: Facts) -> str:
    return facts.organization.name if facts.organization else ""


def _latest(facts: Facts, public: bool = False) -> tuple[Comment | None, str]:
    comment = facts.comment
    if comment is None or (public and not comment.public):
        condition = "ticket_id = ? AND public = 1" if public else "ticket_id = ?"
        comment = facts.tx.first(Comment, condition, facts.ticket.id, order="created_at DESC, id DESC")
    if comment is None:
        return None, ""
    author = facts.by if comment.author_id == facts.by.id else facts.tx.find(User, comment.author_id)
    return comment, author.name if author else "System"


def _formatted(comment: Comment, author: str) -> str:
    return f"{LINE}\n{author}, {comment.created_at:%b %d, %Y, %H:%M}\n\n{comment.body}\n"


def _latest_formatted(facts: Facts, public: bool = False) -> str:
    comment, author = _latest(facts, public)
    return _formatted(comment, author) if comment else ""


def _latest_body(facts: Facts, public: bool = False) -> str:
    comment, _ = _latest(facts, public)
    return comment.body if comment else ""


def _all_formatted(facts: Facts, public: bool) -> str:
    rows = facts.tx.rows(
        "SELECT c.id, c.public, coalesce(u.name, 'System') FROM zendesk_comments c "
        "LEFT JOIN zendesk_users u ON u.id = c.author_id "
        "WHERE c.ticket_id = ? ORDER BY c.created_at DESC, c.id DESC",
        facts.ticket.id,
    )
    parts = []
    if facts.comment is not None and (facts.comment.public or not public):
        parts.append(_formatted(facts.comment, facts.by.name))
    for number, is_public, author in rows:
        if is_public or not public:
            parts.append(_formatted(facts.tx.get(Comment, number), author))
    return "\n".join(parts)


def _day(moment: datetime | None) -> str:
    return f"{moment:%B %d, %Y}" if moment else ""


def _link(ticket: Ticket) -> str:
    return f"https://{HOST}/agent/tickets/{ticket.id}"


def _rating_section(facts: Facts) -> str:
    url = f"https://{HOST}/requests/{facts.ticket.id}/satisfaction/new"
    return f"How would you rate the support you received?\n\nYou can copy the following URL into your browser:\n{url}"


_PLAIN: dict[str, Callable[[Facts], str]] = {
    "ticket.id": lambda facts: str(facts.ticket.id),
    "ticket.title": lambda facts: facts.ticket.subject,
    "ticket.description": lambda facts: facts.ticket.description,
    "ticket.status": lambda facts: facts.ticket.status.capitalize(),
    "ticket.priority": lambda facts: (facts.ticket.priority or "").capitalize(),
    "ticket.ticket_type": lambda facts: (facts.ticket.type or "").capitalize(),
    "ticket.tags": lambda facts: " ".join(facts.ticket.tags),
    "ticket.external_id": lambda facts: facts.ticket.external_id or "",
    "ticket.via": lambda facts: facts.ticket.channel.replace("_", " ").capitalize(),
    "ticket.url": lambda facts: _link(facts.ticket).removeprefix("https://"),
    "ticket.link": lambda facts: _link(facts.ticket),
    "ticket.account": lambda facts: account_name(facts.tx),
    "ticket.brand.name": _brand_name,
    "ticket.group.name": _group_name,
    "ticket.organization.name": _organization_name,
    "ticket.created_at": lambda facts: _day(facts.ticket.created_at),
    "ticket.created_at_with_timestamp": lambda facts: iso_z(facts.ticket.created_at) or "",
    "ticket.updated_at": lambda facts: _day(facts.ticket.updated_at),
    "ticket.updated_at_with_timestamp": lambda facts: iso_z(facts.ticket.updated_at) or "",
    "ticket.due_date": lambda facts: _day(facts.ticket.due_at),
    "ticket.latest_comment": _latest_body,
    "ticket.latest_comment_html": _latest_body,
    "ticket.latest_comment_formatted": _latest_formatted,
    "ticket.latest_public_comment": lambda facts: _latest_body(facts, public=True),
    "ticket.latest_public_comment_html": lambda facts: _latest_body(facts, public=True),
    "ticket.latest_public_comment_formatted": lambda facts: _latest_formatted(facts, public=True),
    "ticket.comments_formatted": lambda facts: _all_formatted(facts, public=False),
    "ticket.public_comments_formatted": lambda facts: _all_formatted(facts, public=True),
    "satisfaction.rating_section": _rating_section,
    "satisfaction.rating_url": lambda facts: f"https://{HOST}/requests/{facts.ticket.id}/satisfaction/new",
    "satisfaction.current_rating": lambda facts: facts.ticket.satisfaction,
}
