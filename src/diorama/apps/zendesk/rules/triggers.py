"""Triggers: tested in order on every create and update, and again from the first after one changed the ticket."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import actions, condition_sets, conditions, targets, webhooks
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.placeholders import to_customer
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.schema import Action, Conditions, RequesterNotified, Trigger, TriggerRevision, Via
from diorama.kernel import Refusal, Tx

FIRING = 20
"""What firing a trigger costs, in rows read, besides its actions."""
ACTIVE = "SELECT id, title, revision, conditions, actions FROM zendesk_triggers WHERE active = 1 ORDER BY position, id"


def run(edit: Edit, listed: Sequence[Any] | None = None) -> None:
    """Fire every trigger whose conditions hold; each fires at most once for one update, so this ends.

    A caller that makes many updates can pass the triggers, the rows of ACTIVE. After one has changed the ticket,
    Zendesk tests all from the first again. Those whose answer cannot have changed are left out: the result is the same.
    """
    rows = edit.tx.rows(ACTIVE) if listed is None else listed
    edit.tx.spend(sum(condition_sets.cost(row[3]) for row in rows))
    rules = [condition_sets.compiled(row[3]) for row in rows]
    watchers: dict[condition_sets.Token, list[int]] | None = None
    waiting = list(range(len(rows)))  # a heap
    untested, fired = set(waiting), set[int]()
    while waiting:
        place = heapq.heappop(waiting)
        untested.discard(place)
        if not rules[place].holds(edit.facts):
            continue
        fired.add(place)
        before = edit.ticket
        if _fire(edit, *rows[place]):
            if watchers is None:
                watchers = _watchers(rules)
            for token in condition_sets.differences(before, edit.ticket):
                for other in watchers.get(token, ()):
                    if other not in untested and other not in fired:
                        edit.tx.spend(1)
                        untested.add(other)
                        heapq.heappush(waiting, other)


def _watchers(rules: Sequence[condition_sets.Compiled]) -> dict[condition_sets.Token, list[int]]:
    """Return the rules to test again when something of a ticket changes."""
    found: dict[condition_sets.Token, list[int]] = {}
    for place, rule in enumerate(rules):
        for token in rule.watched:
            found.setdefault(token, []).append(place)
    return found


def _fire(edit: Edit, number: int, title: str, revision: int, when: str, then: str) -> bool:
    """Run the actions of one trigger; return whether they changed the ticket."""
    edit.tx.spend(FIRING + condition_sets.cost(then))
    origin = {"deleted": False, "title": title, "id": number, "revision_id": revision}
    return act(edit, Via("rule", {"from": origin, "to": {}, "rel": "trigger"}), actions.parse_actions(then))


def act(edit: Edit, rule: Via, then: Iterable[Action]) -> bool:
    """Run the actions of a rule; return whether they changed the ticket."""
    changed = False
    for action in then:
        if action.field in actions.NOTIFICATIONS:
            _notify(edit, action, rule)
            continue
        if action.field == "notification_webhook":
            webhooks.call_from_rule(edit, action, rule)
            continue
        if action.field == "notification_target":
            targets.call_from_rule(edit, action, rule)
            continue
        fields = actions.changes(action, edit.facts)
        if "assignee_id" in fields or "group_id" in fields:
            try:
                fields = edit.place(fields)
            except Refusal:
                continue  # an action that assigns to an agent who cannot take the ticket does nothing
        if fields:
            changed = edit.set(rule, **fields) or changed
    if changed and edit.ticket.status == "new" and edit.ticket.assignee_id is not None:
        edit.set(rule, status="open")
    return changed


def _notify(edit: Edit, action: Action, rule: Via) -> None:
    """Send an email; the audit stores the trigger's template, the email has it filled in."""
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
                subject=to_customer(subject, facts),
                body=to_customer(body, facts),
                comment=facts.comment.id if facts.comment is not None and facts.comment.public else 0,
            )
        )


_KEPT = ("title", "description", "active", "conditions", "actions")
"""The fields of a trigger that a revision stores."""


def save_revision(tx: Tx, trigger: Trigger, author_id: int) -> Trigger:
    """Save the current state of a trigger as a revision."""
    content = {name: msgspec.to_builtins(getattr(trigger, name)) for name in _KEPT}
    tx.add(
        TriggerRevision(
            trigger_id=trigger.id,
            number=trigger.revision,
            author_id=author_id,
            created_at=trigger.updated_at,
            content=content,
        )
    )
    return trigger


def change_trigger(tx: Tx, trigger: Trigger, author_id: int, fields: Mapping[str, Any]) -> Trigger:
    """Change a trigger; save a new revision if its content changed."""
    changed = {name: value for name, value in fields.items() if getattr(trigger, name) != value}
    if not changed:
        return trigger
    if changed.keys().isdisjoint(_KEPT):
        return tx.change(trigger, **changed, updated_at=now(tx))
    return save_revision(
        tx, tx.change(trigger, **changed, revision=trigger.revision + 1, updated_at=now(tx)), author_id
    )


def delete_trigger(tx: Tx, trigger: Trigger) -> None:
    """Delete a trigger with all its revisions."""
    for revision in tx.all(TriggerRevision, "trigger_id = ?", trigger.id):
        tx.remove(revision)
    tx.remove(trigger)


def check(title: str, when: Conditions, then: tuple[Action, ...]) -> None:
    """Require a title, and conditions and actions that exist."""
    if not title.strip():
        raise refusals.blank("title", "Title")
    listed = (*when.all, *when.any)
    if not listed:
        raise refusals.invalid("base", "Invalid conditions. You must select at least one condition.", "InvalidValue")
    for condition in listed:
        if not conditions.known(condition.field):
            raise refusals.invalid("base", f"Condition: {condition.field} is not valid", "InvalidValue")
    if not then:
        raise refusals.invalid("base", "Invalid actions. You must select at least one action.", "InvalidValue")
    for action in then:
        if not actions.is_known(action.field) or action.field in actions.TEXTS:
            raise refusals.invalid("base", f"Action: {action.field} is not valid", "InvalidValue")
