"""Skills of agents and tickets."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import conditions
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Conditions
from diorama.apps.zendesk.schema.skill_based_routing import HeldSkill, Holder, Skill, SkillValue
from diorama.kernel import Tx


def check_conditions(when: Conditions, needed: bool = False) -> Conditions:
    """Return the conditions; refuse unknown fields."""
    listed = (*when.all, *when.any)
    if needed and not listed:
        raise refusals.invalid("definition", "Definition: must have at least one condition", "BlankValue")
    for condition in listed:
        if not conditions.known(condition.field):
            raise refusals.invalid("base", f"Condition: {condition.field} is not valid", "InvalidValue")
    return when


def add_skill(tx: Tx, name: str) -> Skill:
    """Create a skill attribute."""
    _free(tx, Skill, name)
    return tx.add(Skill(name=name.strip(), created_at=now(tx), updated_at=now(tx)))


def add_value(tx: Tx, skill: Skill, name: str, when: Conditions | None = None) -> SkillValue:
    """Add a skill of a type."""
    if not name.strip():
        raise refusals.blank("name", "Name")
    if tx.count(SkillValue, "attribute_id = ? AND name = ? COLLATE NOCASE", skill.id, name.strip()):
        raise refusals.invalid("name", f"Name: {name.strip()} has already been taken", "DuplicateValue")
    kept = check_conditions(when or Conditions())
    return tx.add(
        SkillValue(
            attribute_id=skill.id,
            name=name.strip(),
            conditions=kept,
            automatic=bool(kept.all or kept.any),
            created_at=now(tx),
            updated_at=now(tx),
        )
    )


def _free(tx: Tx, record: type[Skill], name: str) -> None:
    if not name.strip():
        raise refusals.blank("name", "Name")
    if tx.count(record, "name = ? COLLATE NOCASE", name.strip()):
        raise refusals.invalid("name", f"Name: {name.strip()} has already been taken", "DuplicateValue")


def remove_value(tx: Tx, value: SkillValue) -> None:
    """Delete a skill, and remove it from all agents and tickets."""
    for held in tx.all(HeldSkill, "value_id = ?", value.id):
        tx.remove(held)
    tx.remove(value)


def remove_skill(tx: Tx, skill: Skill) -> None:
    """Delete a skill type and its skills."""
    for value in tx.all(SkillValue, "attribute_id = ?", skill.id):
        remove_value(tx, value)
    tx.remove(skill)


def skills_of(tx: Tx, holder: Holder, number: int) -> list[SkillValue]:
    """Return the skills that an agent has, or that a ticket needs."""
    ids = "SELECT value_id FROM zendesk_routing_instance_values WHERE holder = ? AND holder_id = ?"
    return tx.all(SkillValue, f"id IN ({ids})", holder, number, order="name, id")


def set_skills(tx: Tx, holder: Holder, number: int, value_ids: Iterable[str], replace: bool = True) -> list[SkillValue]:
    """Set the skills of an agent or ticket; with `replace=False`, add to the existing ones."""
    wanted = [tx.get(SkillValue, one) for one in dict.fromkeys(value_ids)]
    there = {one.value_id: one for one in tx.all(HeldSkill, "holder = ? AND holder_id = ?", holder, number)}
    moment = now(tx)
    for value in wanted:
        if value.id not in there:
            tx.add(
                HeldSkill(
                    holder=holder,
                    holder_id=number,
                    attribute_id=value.attribute_id,
                    value_id=value.id,
                    created_at=moment,
                    updated_at=moment,
                )
            )
    if replace:
        kept = {value.id for value in wanted}
        for value_id, one in there.items():
            if value_id not in kept:
                tx.remove(one)
    return skills_of(tx, holder, number)


def has_required_skills(tx: Tx, user_id: int, ticket_id: int) -> bool:
    """Check whether an agent has every skill that a ticket needs."""
    lacking = (
        "SELECT 1 FROM zendesk_routing_instance_values t WHERE t.holder = 'ticket' AND t.holder_id = ? AND NOT EXISTS "
        "(SELECT 1 FROM zendesk_routing_instance_values a WHERE a.holder = 'agent' AND a.holder_id = ? "
        "AND a.value_id = t.value_id) LIMIT 1"
    )
    return not tx.rows(lacking, ticket_id, user_id)


def rename_skill(tx: Tx, skill: Skill, name: str) -> Skill:
    """Rename a kind of skill; raise 422 for a blank name or one that another kind has."""
    if not name:
        raise refusals.blank("name", "Name")
    if tx.count(Skill, "name = ? COLLATE NOCASE AND id <> ?", name, skill.id):
        raise refusals.invalid("name", f"Name: {name} has already been taken", "DuplicateValue")
    return tx.change(skill, name=name, updated_at=now(tx))
