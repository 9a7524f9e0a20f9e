"""Pages on which customers file and read their requests."""

from __future__ import annotations

from html import escape
from typing import Any

from msgspec import Struct

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.users import find_or_add
from diorama.apps.zendesk.schema import APP, Comment, Ticket, TicketField, TicketForm, User
from diorama.apps.zendesk.web.help_center import PER_PAGE, checked_locale, page_number, visitor
from diorama.apps.zendesk.web.html import (
    breadcrumbs,
    guide_page,
    link,
    moment,
    moved,
    number_in,
    page_missing,
    refused_page,
    shown,
    table,
    text,
    to_sign_in,
)
from diorama.kernel import Missing, Refusal, Reply, Tx

STATUSES = {"new": "Open", "open": "Open", "pending": "Awaiting your reply", "hold": "Open", "solved": "Solved",
            "closed": "Solved"}  # fmt: skip
"""What customers see of a ticket's status."""
_CHOICES = ("tagger", "multiselect")
_LINES = {"integer": "number", "decimal": "number", "date": "date"}


class RequestFields(Struct, frozen=True):
    """The fields of the form."""

    subject: str = ""
    description: str = ""
    anonymous_requester_email: str = ""
    ticket_form_id: str = ""
    custom_fields: dict[str, Any] = {}


class RequestFormBody(Struct, frozen=True):
    """What the form sends."""

    request: RequestFields = RequestFields()


@APP.get("/hc/{locale}/requests/new", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_request_form(tx: Tx, locale: str, ticket_form_id: str = "") -> Reply:
    """Show the form for a new request."""
    me = visitor(tx)
    checked_locale(tx, locale)
    return shown(_form(tx, me, locale, RequestFields(ticket_form_id=ticket_form_id), {}))


@APP.post("/hc/{locale}/requests", public=True, counted=False, tags=("pages",), seconds=0.5, status=302)
def submit_request_form(tx: Tx, locale: str, body: RequestFormBody) -> Reply:
    """File a request; a form with errors comes back with them."""
    me, asked = visitor(tx), body.request
    checked_locale(tx, locale)
    try:
        requester = me or _stranger(tx, asked.anonymous_requester_email)
        if not asked.subject.strip():
            raise refusals.blank("subject", "Subject")
        fields: dict[str, Any] = {"custom_fields": _given(asked)} if asked.custom_fields else {}
        form = _form_of(tx, asked.ticket_form_id)
        if form is not None:
            fields["ticket_form_id"] = form.id
        done = desk.open_ticket(
            tx,
            requester=requester,
            subject=asked.subject.strip(),
            said=NewComment(asked.description.replace("\r\n", "\n")),
            via=desk.WEB,
            fields=fields,
            form=not requester.staff,
        )
    except Refusal as refusal:
        if refusal.status >= 429:
            raise
        raise refused_page(422, refusal.code, _form(tx, me, locale, asked, _complaints(refusal))) from refusal
    return moved(
        f"/hc/{locale}/requests/{done.ticket.id}" if me is not None else f"/hc/{locale}?return_to=%2Fhc%2Frequests"
    )


@APP.get("/hc/{locale}/requests", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_requests_page(tx: Tx, locale: str, page: str = "1") -> Reply:
    """Show the visitor's own requests, newest first."""
    me = visitor(tx)
    checked_locale(tx, locale)
    if me is None:
        return to_sign_in(f"/hc/{locale}/requests")
    mine = tx.all(
        Ticket,
        "requester_id = ? AND is_public = 1 AND deleted_at IS NULL",
        me.id,
        order="updated_at DESC, id DESC",
        limit=PER_PAGE,
        offset=(page_number(page) - 1) * PER_PAGE,
    )
    rows = [
        (
            link(f"/hc/{locale}/requests/{one.id}", one.subject or f"#{one.id}", "striped-list-title"),
            f"#{one.id}",
            moment(tx, one.created_at),
            moment(tx, one.updated_at),
            _status(one),
        )
        for one in mine
    ]
    listed = (
        table(("Subject", "Id", "Created", "Last activity", "Status"), rows) if rows else "<p>No requests found</p>"
    )
    main = (
        f'<div class="container">{breadcrumbs(tx, locale, ("Requests", f"/hc/{locale}/requests"))}<div '
        f'id="main-content"><h1>My requests</h1>{listed}</div></div>'
    )
    return shown(guide_page(tx, me, locale, "Requests", main))


@APP.get("/hc/{locale}/requests/{part}", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_request_page(tx: Tx, locale: str, part: str) -> Reply:
    """Show a request with its public comments."""
    me = visitor(tx)
    checked_locale(tx, locale)
    if me is None:
        return to_sign_in(f"/hc/{locale}/requests/{part}")
    try:
        ticket = desk.existing_ticket(tx, number_in(part))
        seen = permissions.check_ticket(tx, ticket, me) if me.staff else ticket
    except (Refusal, Missing):
        raise page_missing(tx, locale) from None
    if not me.staff and not permissions.can_see_request(tx, me, ticket):
        raise page_missing(tx, locale)
    main = (
        f"<div "
        f'class="container">{breadcrumbs(tx, locale, ("Requests", f"/hc/{locale}/requests"))}<div id="main-content" '
        f'class="request-container"><h1 class="request-title">{text(seen.subject)}</h1><p>{_status(seen)} <span '
        f'class="meta-data">#{seen.id}</span> {moment(tx, seen.created_at)}</p><ul id="comments" '
        f'class="comment-list">'
        f"{''.join(comment_items(tx, seen.id, public_only=True))}</ul></div></div>"
    )
    return shown(guide_page(tx, me, locale, seen.subject or f"#{seen.id}", main))


def comment_items(tx: Tx, ticket_id: int, public_only: bool) -> list[str]:
    """Return the comments of a ticket, oldest first, as items of a list."""
    where = "ticket_id = ? AND public = 1" if public_only else "ticket_id = ?"
    people: dict[int, str] = {}
    out = []
    for one in tx.all(Comment, where, ticket_id, order="created_at, id", limit=100):
        if one.author_id not in people:
            author = tx.find(User, one.author_id)
            people[one.author_id] = author.name if author else ""
        words = one.html or "".join(f"<p>{text(part)}</p>" for part in one.body.split("\n\n"))
        files = "".join(f"<li>{text(file.file_name)}</li>" for file in one.attachments)
        kind = "comment" if one.public else "comment is-private"
        note = "" if one.public else '<span class="status-label">Internal</span> '
        out.append(
            f'<li class="{kind}" id="comment_{one.id}"><div class="comment-meta">{note}<span '
            f'class="comment-author">{text(people[one.author_id])}</span> <span class="meta-data">'
            f'{moment(tx, one.created_at)}</span></div><section class="comment-body zd-comment">{words}</section>'
            f"{f'<ul class={chr(34)}attachments{chr(34)}>{files}</ul>' if files else ''}</li>"
        )
    return out


def _status(ticket: Ticket) -> str:
    return f'<span class="status-label status-label-{ticket.status}">{STATUSES[ticket.status]}</span>'


def _stranger(tx: Tx, email: str) -> User:
    """Return the person whom an anonymous visitor names; a new address becomes a new user."""
    address = email.strip()
    if "@" not in address.strip("@"):
        raise refusals.invalid("anonymous_requester_email", "Email: is not a valid address", "InvalidValue")
    known = by_email(tx, address)
    if known is not None and (known.staff or known.suspended):  # no one who is not signed in may write in their name
        raise refusals.invalid("anonymous_requester_email", "Please sign in to submit a request", "InvalidValue")
    return known or find_or_add(tx, address, address.partition("@")[0])


def _form_of(tx: Tx, given: str) -> TicketForm | None:
    """Return the form that a visitor chose, or the default one."""
    number = parse_id(given)
    where = "active = 1 AND end_user_visible = 1"
    chosen = tx.first(TicketForm, f"id = ? AND {where}", number) if number is not None else None
    return chosen or tx.first(TicketForm, where, order='"default" DESC, position, id')


def _fields(tx: Tx, form: TicketForm | None) -> list[TicketField]:
    """Return the custom fields that customers can fill in."""
    found = tx.all(TicketField, "active = 1 AND removable = 1 AND editable_in_portal = 1", order="position, id")
    return [one for one in found if form is None or one.id in form.ticket_field_ids]


def _given(asked: RequestFields) -> dict[int, Any]:
    numbers = {parse_id(name): value for name, value in asked.custom_fields.items()}
    return {number: value for number, value in numbers.items() if number is not None and value not in ("", None)}


def _complaints(refusal: Refusal) -> dict[str, str]:
    details = refusal.fields.get("details", {})
    told = {str(name): str(one["description"]) for name, all_of in details.items() for one in all_of}
    return told or {"base": str(refusal.detail or refusal.code)}


def _form(tx: Tx, me: User | None, locale: str, asked: RequestFields, wrong: dict[str, str]) -> bytes:
    """Return the page with the form, as it was filled in, and what is wrong with it."""
    form = _form_of(tx, asked.ticket_form_id)
    rows = []
    if me is None:
        rows.append(_field("anonymous_requester_email", "Your email address", "email", asked.anonymous_requester_email))
    rows.append(_field("subject", "Subject", "text", asked.subject))
    rows.append(
        '<div class="form-field text required request_description"><label '
        'for="request_description">Description</label>'
        f'<textarea name="request[description]" id="request_description" '
        f'rows="8">{text(asked.description)}</textarea>'
        '<p id="request_description_hint">Please enter the details of your request. A member of our '
        "support staff will "
        "respond as soon as possible.</p></div>"
    )
    rows.extend(_custom(one, str(asked.custom_fields.get(str(one.id), ""))) for one in _fields(tx, form))
    told = "".join(f'<p class="notification notification-error">{text(one)}</p>' for one in wrong.values())
    hidden = f'<input type="hidden" name="request[ticket_form_id]" value="{form.id}" />' if form else ""
    main = (
        f"<div "
        f'class="container">{breadcrumbs(tx, locale, ("Submit a request", f"/hc/{locale}/requests/new"))}<h1>Submit '
        f'a request</h1><div id="main-content" class="form">{told}<form id="new_request" class="request-form" '
        f'action="/hc/{locale}/requests" accept-charset="UTF-8" method="post">{hidden}{"".join(rows)}<footer>'
        '<input type="submit" name="commit" value="Submit" /></footer></form></div></div>'
    )
    return guide_page(tx, me, locale, "Submit a request", main, canonical=f"/hc/{locale}/requests/new")


def _field(name: str, label: str, kind: str, value: str) -> str:
    return (
        f'<div class="form-field string required request_{name}"><label for="request_{name}">{label}</label><input '
        f'type="{kind}" name="request[{name}]" id="request_{name}" value="{escape(value)}" '
        f'aria-required="true" /></div>'
    )


def _custom(field: TicketField, value: str) -> str:
    """Return one custom field of the form."""
    name, label = f"request[custom_fields][{field.id}]", text(field.title_in_portal or field.title)
    optional = "" if field.required_in_portal else '<span class="optional">(optional)</span>'
    if field.type in _CHOICES:
        options = "".join(
            f'<option value="{escape(one.value)}"{" selected" if one.value == value else ""}>{text(one.name)}</option>'
            for one in field.options
        )
        control = (
            f'<select name="{name}" id="request_custom_fields_{field.id}"><option value="">-</option>{options}</select>'
        )
    elif field.type == "textarea":
        control = f'<textarea name="{name}" id="request_custom_fields_{field.id}">{text(value)}</textarea>'
    else:
        kind = "checkbox" if field.type == "checkbox" else _LINES.get(field.type, "text")
        shown_value = "true" if kind == "checkbox" else escape(value)
        control = f'<input type="{kind}" name="{name}" id="request_custom_fields_{field.id}" value="{shown_value}" />'
    return f'<div class="form-field request_custom_fields_{field.id}"><label>{label}{optional}</label>{control}</div>'
