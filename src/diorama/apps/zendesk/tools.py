"""The tools of a support agent; each sends one API request."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from diorama.apps.zendesk.rules import ticket_merges
from diorama.apps.zendesk.schema import APP, Kind, Priority, TicketField
from diorama.kernel import Reply, Tx
from diorama.kit import Call, Look, WrongArguments

TicketId = Annotated[int, Meta(description="The number of the ticket.")]
Settable = Literal["open", "pending", "hold", "solved"]
FieldValue = str | float | bool | list[str] | None
Fields = Annotated[
    dict[str, FieldValue] | None,
    Meta(
        description="Values of form fields by title or id, such as {'Order number': 'A-1'}; a choice takes the value "
        "of the option, a date is YYYY-MM-DD. list_ticket_fields shows the fields and which are required when."
    ),
]


def _entries(fields: dict[str, FieldValue], look: Look | None) -> list[dict[str, Any]]:
    """Return values as the API takes them; a title becomes the id of its field, what is neither stays as it is."""
    known = look(_titles) if look is not None and not all(key.isdecimal() for key in fields) else {}
    return [
        {"id": int(key) if key.isdecimal() else known.get(key.strip().lower(), key), "value": value}
        for key, value in fields.items()
    ]


def _titles(tx: Tx) -> dict[str, int]:
    """Return the ids of the active custom fields by title in lower case; the oldest field has a title first."""
    found = tx.all(TicketField, "removable = 1 AND active = 1", order="id DESC")
    return {field.title.lower(): field.id for field in found}


@APP.tool
def search_tickets(
    query: Annotated[
        str,
        Meta(
            description="Zendesk search language. Words match subject and comments; keywords narrow: status:open, "
            'status<solved, priority>normal, assignee:me, assignee:none, requester:mara@example.com, group:"Billing", '
            "tags:vip, created>2026-02-01, updated<4hours, -tags:spam."
        ),
    ],
    page: Annotated[int, Meta(ge=1, description="Page of results, from 1.")] = 1,
    sort_by: Literal["relevance", "created_at", "updated_at", "priority", "status"] = "relevance",
    sort_order: Literal["asc", "desc"] = "desc",
) -> Call:
    """Find tickets. Results come in pages of 25, best match first unless sorted otherwise."""
    text = query if "type:" in query else f"type:ticket {query}"
    parameters = {"query": text, "per_page": 25, "page": page, "sort_by": sort_by, "sort_order": sort_order}
    return Call("GET", "/api/v2/search.json", query=parameters)


@APP.tool
def get_ticket(ticket_id: TicketId) -> Call:
    """Read a ticket: its fields, users and organization. Use list_comments for the conversation."""
    return Call(
        "GET", f"/api/v2/tickets/{ticket_id}.json", query={"include": "users,groups,organizations,comment_count"}
    )


@APP.tool
def list_comments(
    ticket_id: TicketId, page: Annotated[int, Meta(ge=1, description="Page of 50 comments, from 1.")] = 1
) -> Call:
    """Read the conversation of a ticket in pages, oldest first, with internal notes and the users in it."""
    return Call(
        "GET", f"/api/v2/tickets/{ticket_id}/comments.json", query={"include": "users", "per_page": 50, "page": page}
    )


@APP.tool
def reply_to_ticket(
    ticket_id: TicketId,
    body: Annotated[str, Meta(min_length=1, description="What to write, as plain text.")],
    public: Annotated[bool, Meta(description="True mails the customer; false leaves an internal note.")] = True,
    status: Annotated[Settable | None, Meta(description="Set the status at the same time.")] = None,
    fields: Fields = None,
    look: Look | None = None,
) -> Call:
    """Reply to the customer (or add an internal note if public is false); optionally set the status and form fields."""
    ticket: dict[str, Any] = {"comment": {"body": body, "public": public}}
    if status is not None:
        ticket["status"] = status
    if fields:
        ticket["custom_fields"] = _entries(fields, look)
    return Call("PUT", f"/api/v2/tickets/{ticket_id}.json", {"ticket": ticket})


@APP.tool
def update_ticket(
    ticket_id: TicketId,
    status: Settable | None = None,
    priority: Priority | None = None,
    type: Kind | None = None,
    assignee_email: Annotated[str | None, Meta(description="Give the ticket to this agent.")] = None,
    group_id: Annotated[int | None, Meta(description="Move the ticket to this group.")] = None,
    add_tags: Annotated[list[str] | None, Meta(description="Tags to add; the others stay.")] = None,
    remove_tags: Annotated[list[str] | None, Meta(description="Tags to take off.")] = None,
    subject: str | None = None,
    problem_id: Annotated[
        int | None, Meta(description="Make it an incident of this problem ticket; 0 takes it off its problem.")
    ] = None,
    fields: Fields = None,
    look: Look | None = None,
) -> Call:
    """Change a ticket without adding a comment; give only what changes."""
    ticket: dict[str, Any] = {
        "status": status,
        "priority": priority,
        "type": type,
        "assignee_email": assignee_email,
        "group_id": group_id,
        "additional_tags": add_tags,
        "remove_tags": remove_tags,
        "subject": subject,
        "problem_id": problem_id,
        "custom_fields": _entries(fields, look) if fields else None,
    }
    if problem_id and type is None:
        ticket["type"] = "incident"
    wanted = {name: value for name, value in ticket.items() if value is not None}
    return Call("PUT", f"/api/v2/tickets/{ticket_id}.json", {"ticket": wanted})


@APP.tool
def create_ticket(
    subject: Annotated[str, Meta(min_length=1)],
    body: Annotated[str, Meta(min_length=1, description="The first comment.")],
    requester_email: Annotated[str, Meta(description="The customer's address; an unknown one becomes a new user.")],
    requester_name: str | None = None,
    public: Annotated[bool, Meta(description="False keeps the first comment internal.")] = True,
    priority: Priority | None = None,
    tags: list[str] | None = None,
) -> Call:
    """Create a ticket for a customer."""
    requester = {"email": requester_email, **({"name": requester_name} if requester_name else {})}
    ticket: dict[str, Any] = {"subject": subject, "comment": {"body": body, "public": public}, "requester": requester}
    if priority is not None:
        ticket["priority"] = priority
    if tags is not None:
        ticket["tags"] = tags
    return Call("POST", "/api/v2/tickets.json", {"ticket": ticket})


def _form(reply: Reply) -> str:
    """Write ticket forms for a reader: each custom field with its options, and what each form requires when."""
    data = reply.json()
    fields = {field["id"]: field for field in data["ticket_fields"] if field["removable"] and field["active"]}
    lines = []
    for field in fields.values():
        needed = ", required to solve a ticket" if field["required"] else ""
        said = f": {field['agent_description']}" if field.get("agent_description") else ""
        lines.append(f"{field['title']} (id {field['id']}, {field['type']}{needed}){said}")
        lines += [f"  {option['value']}: {option['name']}" for option in field.get("custom_field_options", ())]
    for form in data["ticket_forms"]:
        shown = [fields[number]["title"] for number in form["ticket_field_ids"] if number in fields]
        lines.append(
            f"Form {form['name']} (id {form['id']}{', default' if form['default'] else ''}): {', '.join(shown)}"
        )
        lines += [f"  {_rule(one, fields)}" for one in form["agent_conditions"] if one["parent_field_id"] in fields]
    return "\n".join(lines)


def _rule(condition: dict[str, Any], fields: dict[int, dict[str, Any]]) -> str:
    children = [
        f"{fields[child['id']]['title']}{_when(child)}" for child in condition["child_fields"] if child["id"] in fields
    ]
    return f"if {fields[condition['parent_field_id']]['title']} is {condition['value']}: {', '.join(children)}"


def _when(child: dict[str, Any]) -> str:
    """Write in which statuses a conditional field is required."""
    rule = child.get("required_on_statuses") or {"type": "SOME_STATUSES" if child["is_required"] else "NO_STATUSES"}
    if rule["type"] == "NO_STATUSES":
        return " (optional)"
    statuses = rule.get("statuses") or ["solved"]
    return " (required)" if rule["type"] == "ALL_STATUSES" else f" (required when {' or '.join(statuses)})"


@APP.tool(show=_form)
def list_ticket_fields() -> Call:
    """Show the ticket forms: custom fields with ids and options, and which of them are required when."""
    return Call("GET", "/api/v2/ticket_forms.json", query={"active": True, "include": "ticket_fields"})


@APP.tool
def list_views(
    view_id: Annotated[int | None, Meta(description="List the tickets of this view, in its order.")] = None,
    page: Annotated[int, Meta(ge=1, description="Page of 25 tickets, from 1.")] = 1,
) -> Call:
    """List the views (queues) of the account with their ids, or the tickets of one view."""
    if view_id is None:
        return Call("GET", "/api/v2/views/active.json", query={"per_page": 50})
    return Call("GET", f"/api/v2/views/{view_id}/tickets.json", query={"per_page": 25, "page": page})


@APP.tool
def list_macros(
    query: Annotated[str | None, Meta(description="Words of the title; nothing lists all.")] = None,
) -> Call:
    """List prepared answers (macros) with their ids and what they do."""
    if query:
        return Call("GET", "/api/v2/macros/search.json", query={"query": query, "per_page": 50})
    return Call("GET", "/api/v2/macros/active.json", query={"per_page": 50})


@APP.tool
def preview_macro(
    ticket_id: TicketId, macro_id: Annotated[int, Meta(description="The id of the macro, from list_macros.")]
) -> Call:
    """Show what a macro would write and change on a ticket. Nothing is changed; to send it, use reply_to_ticket."""
    return Call("GET", f"/api/v2/tickets/{ticket_id}/macros/{macro_id}/apply.json")


@APP.tool
def find_users(
    query: Annotated[
        str, Meta(min_length=1, description="Name, e-mail address or phone; or keywords like role:agent.")
    ],
) -> Call:
    """Find customers and agents."""
    return Call("GET", "/api/v2/users/search.json", query={"query": query, "per_page": 25})


@APP.tool
def list_user_tickets(
    user_id: Annotated[int, Meta(description="The id of the customer.")],
    page: Annotated[int, Meta(ge=1, description="Page of 25 tickets, newest first.")] = 1,
) -> Call:
    """List the tickets that a customer has requested, newest first."""
    parameters = {"per_page": 25, "page": page, "sort_by": "created_at", "sort_order": "desc"}
    return Call("GET", f"/api/v2/users/{user_id}/tickets/requested.json", query=parameters)


@APP.tool
def merge_tickets(
    into: Annotated[int, Meta(description="The number of the ticket that stays.")],
    ticket_ids: Annotated[list[int], Meta(min_length=1, max_length=100, description="The tickets to close into it.")],
    look: Look | None = None,
) -> Call:
    """Merge tickets about the same issue into one. Takes a second or two, cannot be undone, sends no email.

    A solved or closed ticket takes no merge, and a closed one cannot be merged.
    """
    why = look(lambda tx: ticket_merges.refused(tx, into, ticket_ids)) if look is not None else ""
    if why:  # the API queues a job, which fails later where no tool shows it
        raise WrongArguments(f"zendesk_merge_tickets: {why}")
    return Call("POST", f"/api/v2/tickets/{into}/merge.json", {"ids": ticket_ids})


@APP.tool
def list_groups() -> Call:
    """List the groups that tickets can be assigned to, with their agents."""
    return Call("GET", "/api/v2/groups.json", query={"include": "users"})


@APP.tool
def search_help_center(
    query: Annotated[str, Meta(min_length=1, description="Words to look for, such as: refund limit.")],
    locale: Annotated[
        str | None, Meta(description="The language of the articles, such as en-us or de; left out: the company's own.")
    ] = None,
) -> Call:
    """Search the company's policies and instructions. Check when an article was edited, and its votes."""
    parameters = {"query": query, "locale": locale, "per_page": 5}
    return Call("GET", "/api/v2/help_center/articles/search.json", query=parameters)
