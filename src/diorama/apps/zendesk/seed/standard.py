"""What a Zendesk account has on its first day: fields, triggers, views, macros, automations and one group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.acting import now
from diorama.apps.zendesk.rules.people import add_group
from diorama.apps.zendesk.rules.triggers import keep
from diorama.apps.zendesk.schema import (
    FORM_ID,
    HOST,
    Account,
    Action,
    Automation,
    Condition,
    Conditions,
    Group,
    Macro,
    Option,
    Output,
    TicketField,
    TicketForm,
    Trigger,
    View,
)
from diorama.apps.zendesk.seed.account import default_form, furnish_account
from diorama.apps.zendesk.seed.clockwork import CLOSING, SURVEY, start_automations, usual_automations
from diorama.apps.zendesk.seed.guide import open_guide
from diorama.apps.zendesk.seed.reasons import usual_reasons
from diorama.kernel import Tx

Test = tuple[str, str, Any]
Deed = tuple[str, Any]

RECEIVED = "Notify requester and CCs of received request"
ANSWERED = "Notify requester and CCs of comment update"


class Standard(msgspec.Struct, frozen=True):
    """The account's notifications, as histories need them for their audits."""

    received: Trigger | None
    answered: Trigger | None
    survey: Automation | None
    closing: Automation | None


def set_up(tx: Tx, name: str, support_address: str = f"support@{HOST}", running: bool = True) -> Group:
    """A new account: its name, its standard configuration, and the group that every agent starts in.

    Its automations begin to run by the hour, unless somebody who writes about the past starts them later.
    """
    tx.add(Account(id=1, name=name, support_address=support_address, created_at=now(tx)))
    group = add_group(tx, name="Support", description="Answers what customers ask")
    furnish_account(tx, name, support_address)
    system_fields(tx)
    default_form(tx)
    usual_triggers(tx)
    usual_views(tx)
    usual_macros(tx)
    open_guide(tx)
    usual_automations(tx)
    usual_reasons(tx)
    if running:
        start_automations(tx)
    return group


def standard(tx: Tx) -> Standard:
    """The account's standard notifications, where it still has them."""
    return Standard(
        tx.first(Trigger, "title = ?", RECEIVED),
        tx.first(Trigger, "title = ?", ANSWERED),
        tx.first(Automation, "title = ? AND active = 1", SURVEY),
        tx.first(Automation, "title = ? AND active = 1", CLOSING),
    )


def _conditions(every: Iterable[Test], some: Iterable[Test]) -> Conditions:
    return Conditions(tuple(Condition(*test) for test in every), tuple(Condition(*test) for test in some))


def add_trigger(
    tx: Tx,
    title: str,
    every: Sequence[Test],
    then: Sequence[Deed],
    *,
    some: Sequence[Test] = (),
    active: bool = True,
    description: str | None = None,
    position: int | None = None,
    default: bool = False,
) -> Trigger:
    """One more trigger, behind the others unless a position is given."""
    moment = now(tx)
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_triggers")[0][0]
    made = tx.add(
        Trigger(
            title=title,
            active=active,
            position=last + 1 if position is None else position,
            conditions=_conditions(every, some),
            actions=tuple(Action(*deed) for deed in then),
            description=description,
            default=default,
            created_at=moment,
            updated_at=moment,
        )
    )
    return keep(tx, made, -1)


def add_macro(
    tx: Tx,
    title: str,
    then: Sequence[Deed],
    *,
    description: str | None = None,
    restriction: Mapping[str, Any] | None = None,
    active: bool = True,
    default: bool = False,
) -> Macro:
    """One more macro."""
    moment = now(tx)
    return tx.add(
        Macro(
            title=title,
            active=active,
            position=tx.count(Macro) + 1,
            actions=tuple(Action(*deed) for deed in then),
            description=description,
            restriction=dict(restriction) if restriction else None,
            default=default,
            created_at=moment,
            updated_at=moment,
        )
    )


def add_view(
    tx: Tx,
    title: str,
    every: Sequence[Test],
    output: Output | None = None,
    *,
    some: Sequence[Test] = (),
    description: str | None = None,
    restriction: Mapping[str, Any] | None = None,
    active: bool = True,
    default: bool = False,
) -> View:
    """One more view."""
    moment = now(tx)
    return tx.add(
        View(
            title=title,
            active=active,
            position=tx.count(View) + 1,
            conditions=_conditions(every, some),
            output=output or Output(),
            description=description,
            restriction=dict(restriction) if restriction else None,
            default=default,
            created_at=moment,
            updated_at=moment,
        )
    )


def add_field(
    tx: Tx,
    title: str,
    type: str = "text",
    options: Sequence[tuple[str, str]] = (),
    *,
    description: str = "",
    required: bool = False,
    visible: bool = False,
    removable: bool = True,
) -> TicketField:
    """One more ticket field; options are (name, value)."""
    moment = now(tx)
    place = tx.count(TicketField)
    field = tx.add(
        TicketField(
            type=type,
            title=title,
            description=description,
            position=place,
            required=required,
            visible_in_portal=visible,
            editable_in_portal=visible,
            removable=removable,
            options=tuple(Option(name, value) for name, value in options) if not removable else (),
            created_at=moment,
            updated_at=moment,
        )
    )
    if not removable or not options:
        return _on_default_form(tx, field)
    listed = tuple(Option(name, value, field.id + 11 * place) for place, (name, value) in enumerate(options, 1))
    return _on_default_form(tx, tx.change(field, options=listed))


def _on_default_form(tx: Tx, field: TicketField) -> TicketField:
    """The default form shows every field of the company."""
    form = tx.find(TicketForm, FORM_ID)
    if form is not None and field.id not in form.ticket_field_ids:
        tx.change(form, ticket_field_ids=(*form.ticket_field_ids, field.id))
    return field


_STATUS = (("New", "new"), ("Open", "open"), ("Pending", "pending"), ("On-hold", "hold"), ("Solved", "solved"))
_TYPES = (("Question", "question"), ("Incident", "incident"), ("Problem", "problem"), ("Task", "task"))
_PRIORITIES = (("Low", "low"), ("Normal", "normal"), ("High", "high"), ("Urgent", "urgent"))


def system_fields(tx: Tx) -> None:
    """The fields that every ticket has."""
    add_field(tx, "Subject", "subject", required=True, visible=True, removable=False)
    add_field(
        tx,
        "Description",
        "description",
        description="Please enter the details of your request. A member of our support staff will respond soon.",
        required=True,
        visible=True,
        removable=False,
    )
    add_field(tx, "Status", "status", _STATUS, description="Request status", removable=False)
    add_field(tx, "Type", "tickettype", _TYPES, description="Request type", removable=False)
    add_field(tx, "Priority", "priority", _PRIORITIES, description="Request priority", removable=False)
    add_field(tx, "Group", "group", description="Request group", removable=False)
    add_field(tx, "Assignee", "assignee", description="Agent assigned to your request", removable=False)
    add_field(tx, "Ticket status", "custom_status", _STATUS, description="Request ticket status", removable=False)


_CREATED: Test = ("update_type", "is", "Create")
_UPDATED: Test = ("update_type", "is", "Change")
_PUBLIC: Test = ("ticket_is_public", "is", "public")
_HELD: Test = ("assignee_id", "is_not", "")
_BY_ANOTHER: Test = ("assignee_id", "is_not", "current_user")


def _mail(to: str, subject: str, *lines: str) -> Deed:
    return "notification_user", [to, subject, "\n\n".join(lines)]


def _tell_assignee(what: str, text: str) -> Deed:
    return _mail("assignee_id", f"[{{{{ticket.account}}}}] {what}: {{{{ticket.title}}}}", text, "{{ticket.link}}")


def usual_triggers(tx: Tx) -> None:
    """The triggers that come with an account; without them nobody would get mail."""
    _tell_requester(tx)
    _tell_agents(tx)
    add_trigger(
        tx,
        "Notify all agents of received request",
        [_CREATED],
        [_mail("all_agents", "[{{ticket.account}}] {{ticket.title}}", "A ticket (#{{ticket.id}}) has been received.")],
        active=False,
        default=True,
    )
    add_trigger(
        tx,
        "Auto-assign to first email responding agent",
        [
            _UPDATED,
            ("role", "is", "agent"),
            ("comment_is_public", "is", "true"),
            ("assignee_id", "is", ""),
            ("current_via_id", "is", 4),
        ],
        [("assignee_id", "current_user")],
        active=False,
        default=True,
    )


def _tell_requester(tx: Tx) -> None:
    received = "Your request ({{ticket.id}}) has been received and is being reviewed by our support staff."
    more = "To add additional comments, reply to this email."
    words = "{{ticket.latest_comment_formatted}}"
    add_trigger(
        tx,
        RECEIVED,
        [_CREATED, ("status", "is_not", "solved"), _PUBLIC, ("role", "is", "end_user")],
        [_mail("requester_and_ccs", "[Request received] {{ticket.title}}", received, more, words)],
        default=True,
    )
    add_trigger(
        tx,
        "Notify requester of new proactive ticket",
        [_CREATED, _PUBLIC, ("role", "is", "agent")],
        [_mail("requester_id", "{{ticket.title}}", "{{ticket.latest_comment}}", more)],
        default=True,
    )
    updated = f"Your request ({{{{ticket.id}}}}) has been updated. {more}"
    add_trigger(
        tx,
        ANSWERED,
        [_UPDATED, ("comment_is_public", "is", "true"), ("role", "is_not", "requester_id")],
        [
            _mail(
                "requester_and_ccs",
                "[{{ticket.account}}] Re: {{ticket.title}}",
                updated,
                "{{ticket.latest_comment}}",
            )
        ],
        default=True,
    )


def _tell_agents(tx: Tx) -> None:
    add_trigger(
        tx,
        "Notify assignee of comment update",
        [
            _UPDATED,
            ("comment_is_public", "is", "not_relevant"),
            _BY_ANOTHER,
            _HELD,
            ("assignee_id", "not_changed", None),
            ("status", "not_changed", None),
        ],
        [_tell_assignee("Re", "This ticket (#{{ticket.id}}) has been updated.")],
        default=True,
    )
    add_trigger(
        tx,
        "Notify assignee of assignment",
        [("assignee_id", "changed", None), _BY_ANOTHER, _HELD],
        [_tell_assignee("Assignment", "You have been assigned to this ticket (#{{ticket.id}}).")],
        default=True,
    )
    add_trigger(
        tx,
        "Notify assignee of reopened ticket",
        [_BY_ANOTHER, _HELD, ("status", "value_previous", "solved"), ("status", "is_not", "closed")],
        [_tell_assignee("Re", "This ticket (#{{ticket.id}}) has been reopened.")],
        default=True,
    )
    subject = '[{{ticket.account}}] "{{ticket.group.name}}" assignment: {{ticket.title}}'
    text = "This ticket (#{{ticket.id}}) has been assigned to group '{{ticket.group.name}}', of which you are a member."
    add_trigger(
        tx,
        "Notify group of assignment",
        [("group_id", "changed", None), ("group_id", "is_not", ""), ("assignee_id", "is", "")],
        [("notification_group", ["group_id", subject, f"{text}\n\n{{{{ticket.link}}}}"])],
        default=True,
    )


_UNSOLVED: Test = ("status", "less_than", "solved")
_BY_STATUS = {"group_by": "status", "group_order": "asc"}


def usual_views(tx: Tx) -> None:
    """The views that come with an account."""
    columns = ("nice_id", "subject", "requester", "created", "type", "priority")
    mine, theirs = ("assignee_id", "is", "current_user"), ("group_id", "is", "current_groups")
    add_view(
        tx, "Your unsolved tickets", [_UNSOLVED, mine], Output(columns, **_BY_STATUS, sort_by="nice_id"), default=True
    )
    add_view(
        tx,
        "Unassigned tickets",
        [_UNSOLVED, ("assignee_id", "is", "")],
        Output(columns, sort_by="created", sort_order="asc"),
        default=True,
    )
    add_view(
        tx,
        "All unsolved tickets",
        [_UNSOLVED],
        Output((*columns, "assignee"), group_by="priority", group_order="desc", sort_by="nice_id"),
        default=True,
    )
    add_view(
        tx,
        "Recently updated tickets",
        [("updated_at", "less_than", "30"), ("status", "is_not", "closed")],
        Output(("nice_id", "subject", "requester", "updated", "assignee"), sort_by="updated"),
        default=True,
    )
    add_view(
        tx,
        "New tickets in your groups",
        [("status", "is", "new"), theirs],
        Output(columns, sort_by="created"),
        default=True,
    )
    add_view(
        tx,
        "Pending tickets",
        [("status", "is", "pending")],
        Output((*columns, "assignee"), group_by="assignee", sort_by="nice_id"),
        default=True,
    )
    add_view(
        tx,
        "Recently solved tickets",
        [("status", "is", "solved"), ("SOLVED", "less_than", "48")],
        Output((*columns, "assignee", "solved"), sort_by="solved"),
        default=True,
    )
    add_view(
        tx,
        "Unsolved tickets in your groups",
        [_UNSOLVED, theirs],
        Output((*columns, "assignee"), **_BY_STATUS, sort_by="nice_id"),
        default=True,
    )


_KNOWN_ISSUE = (
    "Thanks for your request. This issue you reported is a known issue. For more information, please visit our forums."
)
_SILENT = (
    "Hello {{ticket.requester.name}}. Our agent {{current_user.name}} has tried to contact you about this request "
    "but we haven't heard back from you yet. Please let us know if we can be of further assistance. Thanks."
)
_BUSY = "We're currently experiencing unusually high traffic. We'll get back to you as soon as possible."


def usual_macros(tx: Tx) -> None:
    """The macros that come with an account."""
    mine: list[Deed] = [("assignee_id", "current_user"), ("group_id", "current_groups")]
    done: list[Deed] = [("status", "solved"), ("priority", "normal"), ("type", "incident")]
    add_macro(tx, "Close and redirect to topics", [*done, *mine, ("comment_value", _KNOWN_ISSUE)], default=True)
    add_macro(tx, "Customer not responding", [("status", "pending"), ("comment_value", _SILENT)], default=True)
    add_macro(tx, "Downgrade and inform", [("priority", "low"), ("comment_value", _BUSY)], default=True)
    add_macro(tx, "Take it!", [("status", "open"), ("type", "problem"), *mine], default=True)
