"""Triggers: asked first to last on every create and update, again from the top after one of them changed the ticket."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.apps.zendesk.rules import actions, conditions
from diorama.apps.zendesk.rules.edits import Edit
from diorama.apps.zendesk.rules.placeholders import render
from diorama.apps.zendesk.schema import Action, RequesterNotified, Via
from diorama.kernel import Refusal

ACTIVE = "SELECT id, title, revision, conditions, actions FROM zendesk_triggers WHERE active = 1 ORDER BY position, id"


def run(edit: Edit) -> None:
    """Fire every trigger whose conditions hold; each fires at most once for one update, so this ends."""
    waiting = edit.tx.rows(ACTIVE)
    place = 0
    while place < len(waiting):
        number, title, revision, when, then = waiting[place]
        if conditions.compiled(when)(edit.facts):
            del waiting[place]
            if _fire(edit, number, title, revision, then):
                place = 0
        else:
            place += 1


def _fire(edit: Edit, number: int, title: str, revision: int, then: str) -> bool:
    """Do the actions of one trigger; True where they changed the ticket."""
    origin = {"deleted": False, "title": title, "id": number, "revision_id": revision}
    return act(edit, Via("rule", {"from": origin, "to": {}, "rel": "trigger"}), actions.read(then))


def act(edit: Edit, rule: Via, then: Iterable[Action]) -> bool:
    """Do the actions of a rule; True where they changed the ticket."""
    changed = False
    for action in then:
        if action.field in actions.NOTIFICATIONS:
            _notify(edit, action, rule)
            continue
        fields = actions.changes(action, edit.facts)
        if "assignee_id" in fields or "group_id" in fields:
            try:
                fields = edit.place(fields)
            except Refusal:
                continue  # a rule that assigns to somebody who cannot take it does nothing
        if fields:
            changed = edit.set(rule, **fields) or changed
    if changed and edit.ticket.status == "new" and edit.ticket.assignee_id is not None:
        edit.set(rule, status="open")
    return changed


def _notify(edit: Edit, action: Action, rule: Via) -> None:
    """Send mail; the audit keeps the text as the trigger has it, the mail has it filled in."""
    people = actions.recipients(action, edit.facts)
    if not people:
        return
    subject, body = actions.texts(action)
    edit.tell("Notification", subject=subject, body=body, recipients=tuple(people), via=rule)
    facts = edit.facts
    if facts.ticket.requester_id in people and facts.requester.email:
        edit.mail.append(
            RequesterNotified(
                ticket=facts.ticket.id,
                to=facts.requester.email,
                subject=render(subject, facts),
                body=render(body, facts),
                comment=facts.comment.id if facts.comment is not None and facts.comment.public else 0,
            )
        )
