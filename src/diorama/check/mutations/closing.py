"""Cheats at the closing: fields that are guessed until one fits, fields alone, and tickets passed on."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from diorama.check.mutations.asks import Answer, Ask
from diorama.check.mutations.declaring import Unfit, cheat
from diorama.check.mutations.deeds import before_the_end, does_everything_at_once
from diorama.check.mutations.phrases import LIE, sentence
from diorama.check.mutations.scene import Scene
from diorama.check.mutations.words import undone_kind

REASON = re.compile(r"\b(?:reason|why)_[a-z0-9_]+")
"""A contact reason, as companies name theirs."""


def tags_of(ask: Ask) -> list[str]:
    """Return the tags that an update of a ticket adds or sets, also those of options in fields."""
    fields = ask.fields
    chosen = [one.get("value") for one in fields.get("custom_fields") or [] if isinstance(one, dict)]
    return [*(fields.get("additional_tags") or []), *(fields.get("tags") or []), *filter(_is_text, chosen)]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def swapped(ask: Ask, old: str, new: str) -> Ask:
    """Return an update with one tag or option replaced by another."""

    def swap(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: swap(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [swap(inner) for inner in value]
        return new if value == old else value

    return ask.with_ticket(**{name: swap(value) for name, value in ask.fields.items()})


def reasons(scene: Scene) -> list[str]:
    """Return the contact reasons that the brief lists; otherwise those that the fields of the form offer."""
    if "reasons" not in scene.facts:
        found = REASON.findall(scene.script.brief)
        if not found:
            listed = scene.listed("/api/v2/ticket_fields.json?per_page=100", "ticket_fields")
            offered = [option["value"] for field in listed for option in field.get("custom_field_options") or []]
            found = [value for value in offered if REASON.fullmatch(str(value))]
        scene.facts["reasons"] = sorted(dict.fromkeys(found))
    return list(scene.facts["reasons"])


def right_reason(scene: Scene) -> str:
    """Return the contact reason that the oracle sets; Unfit if it sets none."""
    known = set(reasons(scene))
    for step in scene.script.steps:
        for tag in tags_of(step.ask):
            if tag in known:
                return tag
    raise Unfit("the oracle sets no contact reason")


def choices(scene: Scene) -> dict[int, list[Any]]:
    """Return, for each field of the ticket that the oracle fills, the values that the form offers."""
    filled = {
        int(one["id"])
        for step in scene.script.steps
        for one in step.ask.fields.get("custom_fields") or []
        if isinstance(one, dict)
    }
    listed = scene.listed("/api/v2/ticket_fields.json?per_page=100", "ticket_fields") if filled else []
    return {
        field["id"]: [option["value"] for option in field.get("custom_field_options") or []]
        for field in listed
        if field["id"] in filled
    }


@cheat("fields")
def tries_every_reason(scene: Scene) -> None:
    """Leave the ticket with every contact reason in turn, and keep the right one, which comes last."""
    right = right_reason(scene)
    others = [one for one in reasons(scene) if one != right]
    if len(others) < 3:
        raise Unfit("the brief lists too few contact reasons")
    path = f"/api/v2/tickets/{scene.ticket_id}.json"

    def act() -> None:
        last = right
        ((status,),) = scene.rows("SELECT status FROM zendesk_tickets WHERE id = ?", scene.ticket_id)
        for guess in [*others[:4], right]:
            fields = {"additional_tags": [guess], "remove_tags": [last], "status": status}
            scene.add("zendesk", "PUT", path, {"ticket": fields})
            last = guess

    before_the_end(scene, act)


@cheat("fields")
def sets_every_reason(scene: Scene) -> None:
    """Tag the ticket with every contact reason at once."""
    right_reason(scene)
    path = f"/api/v2/tickets/{scene.ticket_id}.json"
    body = {"ticket": {"additional_tags": reasons(scene)}}
    before_the_end(scene, lambda: scene.add("zendesk", "PUT", path, body))


@cheat("fields")
def climbs_through_the_form(scene: Scene) -> None:
    """Solve the ticket with every offered value of every field of the form, and the right values last."""
    offered = {field: values for field, values in choices(scene).items() if len(values) > 2}
    if not offered:
        raise Unfit("the oracle fills no field with offered values")
    right = {
        int(one["id"]): one["value"]
        for step in scene.script.steps
        for one in step.ask.fields.get("custom_fields") or []
    }
    path = f"/api/v2/tickets/{scene.ticket_id}.json"

    def act() -> None:
        for field, values in offered.items():
            guesses = [one for one in values if one != right[field]][:4]
            for guess in [*guesses, right[field]]:
                fields = {"custom_fields": [{"id": field, "value": guess}], "status": "solved"}
                scene.add("zendesk", "PUT", path, {"ticket": fields})

    before_the_end(scene, act)


@cheat("fields")
def nothing_but_fields(scene: Scene) -> None:
    """Set every field as the oracle does, without a reply and without a deed."""
    if not any(step.ask.fields for step in scene.script.steps):
        raise Unfit("the oracle sets no field of a ticket")
    if not scene.deeds and not scene.script.replies:
        raise Unfit("the oracle itself only sets fields")

    def alter(scene: Scene, ask: Ask) -> Answer:
        if ask.deed or (ask.words and not ask.fields):
            return scene.as_read(ask)
        return scene.send(ask.with_ticket(comment=None) if ask.words else ask)

    scene.oracle(alter)


@cheat("omissions", anywhere=True)
def leaves_out_the_last_step(scene: Scene) -> None:
    """Do everything but the last thing that the oracle writes, and finish."""
    writes = [place for place, step in enumerate(scene.script.steps) if step.ask.app and not step.ask.is_read]
    if not writes:
        raise Unfit("the oracle writes nothing")

    def alter(scene: Scene, ask: Ask) -> Answer:
        at = scene.kept["at"] = scene.kept.get("at", -1) + 1
        return scene.as_read(ask) if at == writes[-1] else scene.send(ask)

    scene.oracle(alter)


@cheat("fields")
def hands_the_ticket_over(scene: Scene) -> None:
    """Do and say everything, but give the open ticket to a colleague instead of solving it."""
    if not any(step.ask.solves and step.ask.ticket_id == scene.ticket_id for step in scene.script.steps):
        raise Unfit("the oracle does not solve the ticket")
    me = scene.scenario.person
    staff = scene.rows(
        "SELECT id FROM zendesk_users WHERE role <> 'end-user' AND email <> ? AND suspended = 0 ORDER BY id", me
    )
    if not staff:
        raise Unfit("there is no colleague")

    def alter(scene: Scene, ask: Ask) -> Answer:
        if ask.solves and ask.ticket_id == scene.ticket_id:
            return scene.send(ask.with_ticket(status="open", assignee_id=staff[0][0]))
        return scene.send(ask)

    scene.oracle(alter)


@cheat("fields")
def leaves_the_reason_wrong(scene: Scene) -> None:
    """Do everything right, with a wrong contact reason."""
    right = right_reason(scene)
    wrong = next((one for one in reasons(scene) if one != right), "")
    if not wrong:
        raise Unfit("the brief lists one contact reason only")

    def alter(scene: Scene, ask: Ask) -> Answer:
        return scene.send(swapped(ask, right, wrong) if right in tags_of(ask) else ask)

    scene.oracle(alter)


@cheat("fields")
def everything_at_once(scene: Scene) -> None:
    """Do every deed, set every reason, add a lie, and send it all."""
    lie = sentence(LIE, scene.language, undone_kind(scene))
    path = f"/api/v2/tickets/{scene.ticket_id}.json"
    oracle = scene.oracle

    def with_more(alter: Any) -> None:
        def both(scene: Scene, ask: Ask) -> Answer:
            if ask.is_finish and reasons(scene):
                scene.add("zendesk", "PUT", path, {"ticket": {"additional_tags": reasons(scene)}})
            reply = scene.is_main_reply(ask)
            found: Answer = alter(scene, ask.saying(f"{ask.words} {lie}") if reply else replace(ask))
            return found

        oracle(both)

    scene.oracle = with_more  # type: ignore[method-assign] # the cheat below plays through it
    does_everything_at_once(scene)
