"""Placeholders in the texts of rules, like {{ticket.requester.first_name}}, and Liquid."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from diorama.apps.zendesk.rules import dynamic_content, liquid
from diorama.apps.zendesk.rules.account import account_of, local, url
from diorama.apps.zendesk.rules.condition_sets import CACHED
from diorama.apps.zendesk.rules.conditions import Facts
from diorama.apps.zendesk.rules.liquid import text_of
from diorama.apps.zendesk.schema import APP, Brand, Comment, Group, TicketField, User
from diorama.apps.zendesk.schema.file_tokens import file_token
from diorama.kernel import Tx
from diorama.kit import iso_z

APP.before_serving(liquid.load)

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_NAMED = re.compile(r"\{\{\s*([\w.]+)\s*(?:\|[^{}]*)?\}\}")
LINE = "----------------------------------------------"
BRACES_SHIFT = 2
"""Two placeholders, which have four opening braces, count as one row read: rendering runs no statement that would."""
NESTED = 3
"""The maximum depth of dynamic content that names other dynamic content."""


def render(
    text: str, facts: Facts, escape: Callable[[str], str] = str, depth: int = 0, known: dict[Any, Any] | None = None
) -> str:
    """Return the text with its placeholders filled in and its Liquid rendered. Unknown names are empty, as in Zendesk.

    A text that is not valid Liquid keeps its tags, with its placeholders filled in. `known` holds the values of names
    that were resolved before, so that dynamic content inside dynamic content is rendered once.
    """
    if "{{" not in text and "{%" not in text:
        return text
    values = {} if known is None else known

    def lookup(name: str) -> Any:
        if (name, depth) not in values:
            values[name, depth] = _resolve(name, facts, depth, values)
        return values[name, depth]

    facts.tx.spend(text.count("{") >> BRACES_SHIFT)
    parts = _parts_once(_PLACEHOLDER, text) if len(text) <= CACHED else _parts(_PLACEHOLDER, text)
    if "{%" not in text and len(parts) == 2 * text.count("{{") + 1:
        return _filled(parts, lookup, escape)
    rendered = liquid.render(text, lookup, escape, lambda steps: facts.tx.spend(steps // 3))
    return _filled(_parts(_NAMED, text), lookup, escape) if rendered is None else rendered


def _parts(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return what stands between placeholders, and their names: text, name, text, name, text."""
    return pattern.split(text)


_parts_once = lru_cache(maxsize=1024)(_parts)


def _filled(parts: list[str], lookup: liquid.Lookup, escape: Callable[[str], str]) -> str:
    """Fill in placeholders, until the text is too long."""
    out, length = parts[:], 0
    for place in range(1, len(parts), 2):
        value = text_of(lookup(parts[place]))
        length += len(value)
        if length > liquid.LONGEST:
            return "".join([*out[:place], escape(value[: liquid.LONGEST]), liquid.TOO_MUCH])
        out[place] = escape(value)
    return "".join(out)


def to_customer(text: str, facts: Facts) -> str:
    """Render a text for the requester; leave out private comments if they are a customer."""
    facts.aloud = not facts.requester.staff
    try:
        return render(text, facts)
    finally:
        facts.aloud = False


def _resolve(name: str, facts: Facts, depth: int, known: dict[Any, Any]) -> Any:
    maker = _PLAIN.get(name) or _LISTS.get(name)
    if maker is not None:
        return maker(facts)
    for prefix, person in _PEOPLE.items():
        if name.startswith(prefix):
            return _of_person(person(facts), name.removeprefix(prefix), facts.tx)
    if name.startswith("ticket.organization.custom_fields."):
        company = facts.organization
        return company.organization_fields.get(name.rpartition(".")[2]) if company else None
    if name.startswith("dc.") and depth < NESTED:
        text = dynamic_content.text_of(facts.tx, name, facts.requester.locale)
        return render(text, facts, depth=depth + 1, known=known)
    if name.startswith("ticket.ticket_field_"):
        return _of_field(facts, name.removeprefix("ticket.ticket_field_"))
    return facts.tx.now if name == "now" else None


def _of_field(facts: Facts, name: str) -> Any:
    """Return the value of a custom field, or the titles of its options."""
    key = name.removeprefix("option_title_")
    value = facts.ticket.custom_fields.get(key)
    if value is None or key == name or not key.isdigit():
        return " ".join(map(str, value)) if isinstance(value, list) else value
    field = facts.tx.find(TicketField, int(key))
    titles = {option.value: option.name for option in field.options} if field else {}
    chosen = value if isinstance(value, list) else [value]
    return ", ".join(titles.get(str(one), str(one)) for one in chosen)


def _of_person(user: User | None, what: str, tx: Tx) -> Any:
    if user is None:
        return None
    first, _, last = user.name.partition(" ")
    if what.startswith("custom_fields."):
        return user.user_fields.get(what.removeprefix("custom_fields."))
    if what == "organization.name":
        rows = tx.rows("SELECT name FROM zendesk_organizations WHERE id = ?", user.organization_id)
        return rows[0][0] if rows else ""
    known = {
        "name": user.name, "first_name": first, "last_name": last or first, "email": user.email, "id": str(user.id),
        "phone": user.phone, "details": user.details, "notes": user.notes, "external_id": user.external_id,
        "signature": user.signature, "role": user.role, "language": user.locale, "locale": user.locale,
        "tags": " ".join(user.tags), "time_zone": user.time_zone,
    }  # fmt: skip
    return known.get(what)


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
    """Return the name of the account."""
    return account_of(tx).name


def _group_name(facts: Facts) -> str:
    group = facts.tx.find(Group, facts.ticket.group_id) if facts.ticket.group_id else None
    return group.name if group else ""


def _brand_name(facts: Facts) -> str:
    brand = facts.tx.find(Brand, facts.ticket.brand_id)
    return brand.name if brand else account_name(facts.tx)


def _organization_name(facts: Facts) -> str:
    return facts.organization.name if facts.organization else ""


def _latest(facts: Facts, public: bool = False) -> tuple[Comment | None, str]:
    comment, public = facts.comment, public or facts.aloud
    if comment is None or (public and not comment.public):
        condition = "ticket_id = ? AND public = 1" if public else "ticket_id = ?"
        comment = facts.tx.first(Comment, condition, facts.ticket.id, order="created_at DESC, id DESC")
    if comment is None:
        return None, ""
    author = facts.by if comment.author_id == facts.by.id else facts.tx.find(User, comment.author_id)
    return comment, author.name if author else "System"


def _formatted(tx: Tx, comment: Comment, author: str) -> str:
    return f"{LINE}\n{author}, {local(tx, comment.created_at):%b %d, %Y, %H:%M}\n\n{comment.body}\n"


def _latest_formatted(facts: Facts, public: bool = False) -> str:
    comment, author = _latest(facts, public)
    return _formatted(facts.tx, comment, author) if comment else ""


def _latest_body(facts: Facts, public: bool = False) -> str:
    comment, _ = _latest(facts, public)
    return comment.body if comment else ""


def _all_formatted(facts: Facts, public: bool) -> str:
    public = public or facts.aloud
    rows = facts.tx.rows(
        "SELECT c.id, c.public, coalesce(u.name, 'System') FROM zendesk_comments c "
        "LEFT JOIN zendesk_users u ON u.id = c.author_id "
        "WHERE c.ticket_id = ? ORDER BY c.created_at DESC, c.id DESC",
        facts.ticket.id,
    )
    parts = []
    if facts.comment is not None and (facts.comment.public or not public):
        parts.append(_formatted(facts.tx, facts.comment, facts.by.name))
    length = 0
    for number, is_public, author in rows:
        if (is_public or not public) and length <= liquid.LONGEST:
            parts.append(_formatted(facts.tx, facts.tx.get(Comment, number), author))
            length += len(parts[-1])
    return "\n".join(parts)


def _description(facts: Facts) -> str:
    """Return the description of a ticket; for a customer, only if it was public."""
    ticket = facts.ticket
    if facts.aloud:
        said = facts.comment
        rows = facts.tx.rows(_FIRST_WORDS, ticket.id) if not facts.created else [(said is not None and said.public,)]
        if not rows or not rows[0][0]:
            return ""
    return ticket.description


_FIRST_WORDS = "SELECT public FROM zendesk_comments WHERE ticket_id = ? ORDER BY created_at, id LIMIT 1"


def _said(facts: Facts, comment: Comment) -> dict[str, Any]:
    """Return a comment as loops over `ticket.comments` see it."""
    author = facts.by if comment.author_id == facts.by.id else facts.tx.find(User, comment.author_id)
    files = [
        {
            "filename": one.file_name,
            "url": url(facts.tx, f"/attachments/token/{file_token(one.id)}/?name={one.file_name}"),
        }
        for one in comment.attachments
    ]
    return {
        "author": _shown_person(author),
        "created_at": _day(facts, comment.created_at),
        "created_at_with_time": f"{local(facts.tx, comment.created_at):%B %d, %Y, %H:%M}",
        "value": comment.body,
        "value_rich": comment.html or comment.body,
        "is_public": comment.public,
        "attachments": files,
    }


def _comments(facts: Facts, public: bool = False) -> list[dict[str, Any]]:
    """Return the comments of the ticket, newest first."""
    where = "ticket_id = ? AND public = 1" if public or facts.aloud else "ticket_id = ?"
    found = facts.tx.all(Comment, where, facts.ticket.id, order="created_at DESC, id DESC", limit=100)
    fresh = facts.comment
    if fresh is not None and (fresh.public or not (public or facts.aloud)):
        found = [fresh, *(one for one in found if one.id != fresh.id)]
    return [_said(facts, comment) for comment in found]


def _shown_person(user: User | None) -> dict[str, Any]:
    if user is None:
        return {}
    first, _, last = user.name.partition(" ")
    names = {"name": user.name, "first_name": first, "last_name": last or first}
    return {**names, "email": user.email, "id": user.id, "role": user.role}


def _copied(facts: Facts) -> list[dict[str, Any]]:
    """Return the users in CC on the ticket."""
    people = [facts.tx.find(User, number) for number in facts.ticket.email_cc_ids]
    return [_shown_person(user) for user in people if user is not None]


def _day(facts: Facts, moment: datetime | None) -> str:
    return f"{local(facts.tx, moment):%B %d, %Y}" if moment else ""


def _link(facts: Facts) -> str:
    return url(facts.tx, f"/agent/tickets/{facts.ticket.id}")


def _rating_url(facts: Facts) -> str:
    return url(facts.tx, f"/requests/{facts.ticket.id}/satisfaction/new")


def _rating_section(facts: Facts) -> str:
    asked = "How would you rate the support you received?\n\nYou can copy the following URL into your browser:"
    return f"{asked}\n{_rating_url(facts)}"


_PLAIN: dict[str, Callable[[Facts], str]] = {
    "ticket.id": lambda facts: str(facts.ticket.id),
    "ticket.title": lambda facts: facts.ticket.subject,
    "ticket.description": lambda facts: _description(facts),
    "ticket.status": lambda facts: facts.ticket.status.capitalize(),
    "ticket.priority": lambda facts: (facts.ticket.priority or "").capitalize(),
    "ticket.ticket_type": lambda facts: (facts.ticket.type or "").capitalize(),
    "ticket.tags": lambda facts: " ".join(facts.ticket.tags),
    "ticket.external_id": lambda facts: facts.ticket.external_id or "",
    "ticket.via": lambda facts: facts.ticket.channel.replace("_", " ").capitalize(),
    "ticket.url": lambda facts: _link(facts).removeprefix("https://"),
    "ticket.link": _link,
    "ticket.account": lambda facts: account_name(facts.tx),
    "ticket.brand.name": _brand_name,
    "ticket.group.name": _group_name,
    "ticket.organization.name": _organization_name,
    "ticket.created_at": lambda facts: _day(facts, facts.ticket.created_at),
    "ticket.created_at_with_timestamp": lambda facts: iso_z(facts.ticket.created_at) or "",
    "ticket.updated_at": lambda facts: _day(facts, facts.ticket.updated_at),
    "ticket.updated_at_with_timestamp": lambda facts: iso_z(facts.ticket.updated_at) or "",
    "ticket.due_date": lambda facts: _day(facts, facts.ticket.due_at),
    "ticket.latest_comment": _latest_body,
    "ticket.latest_comment_html": _latest_body,
    "ticket.latest_comment_formatted": _latest_formatted,
    "ticket.latest_public_comment": lambda facts: _latest_body(facts, public=True),
    "ticket.latest_public_comment_html": lambda facts: _latest_body(facts, public=True),
    "ticket.latest_public_comment_formatted": lambda facts: _latest_formatted(facts, public=True),
    "ticket.comments_formatted": lambda facts: _all_formatted(facts, public=False),
    "ticket.public_comments_formatted": lambda facts: _all_formatted(facts, public=True),
    "satisfaction.rating_section": _rating_section,
    "satisfaction.rating_url": _rating_url,
    "satisfaction.current_rating": lambda facts: facts.ticket.satisfaction,
}
_LISTS: dict[str, Callable[[Facts], Any]] = {
    "ticket.comments": _comments,
    "ticket.public_comments": lambda facts: _comments(facts, public=True),
    "ticket.ccs": _copied,
    "ticket.cc_names": lambda facts: ", ".join(one["name"] for one in _copied(facts)),
}
"""The lists that Liquid loops can use."""
