"""Activities on the wire."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, count_records, get_many, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned
from diorama.apps.zendesk.schema import APP, BASE, Activity, Comment, Ticket, User
from diorama.apps.zendesk.wire.activities import ActivitiesResponse, ActivityObject, ActivityResponse
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx, to_us
from diorama.kit import parse_iso

RECENT = timedelta(days=30)


def _activities(tx: Tx, found: list[Activity]) -> list[ActivityObject]:
    people = {one.id: one for one in get_many(tx, User, [n for act in found for n in (act.user_id, act.actor_id)])}
    tickets = {one.id: one for one in get_many(tx, Ticket, [act.ticket_id for act in found])}
    return [_activity(tx, act, people, tickets) for act in found]


def _activity(tx: Tx, act: Activity, people: dict[int, User], tickets: dict[int, Ticket]) -> ActivityObject:
    subject = tickets[act.ticket_id].subject if act.ticket_id in tickets else ""
    ticket = {"ticket": {"id": act.ticket_id, "subject": subject}}
    words = tx.find(Comment, act.comment_id) if act.comment_id else None
    thing: dict[str, Any] = {"comment": {"value": words.body, "public": words.public}} if words else ticket
    shapes = {number: _person(people.get(number), number) for number in (act.user_id, act.actor_id)}
    return shaped(
        ActivityObject,
        act,
        f"activities/{act.id}",
        object=thing,
        target=ticket,
        user=shapes[act.user_id],
        actor=shapes[act.actor_id],
    )


def _person(user: User | None, number: int) -> dict[str, Any]:
    name, email = (user.name, user.email) if user else ("", None)
    return {"id": number, "name": name, "email": email, "url": f"{BASE}/users/{number}.json"}


def _mine(tx: Tx, me: User, since: str | None) -> tuple[str, list[Any]]:
    start: datetime = tx.now - RECENT
    if since:
        try:
            start = max(start, parse_iso(since))
        except ValueError:
            raise refusals.bad_parameter("since", "must be a time") from None
    return "user_id = ? AND created_at >= ?", [me.id, to_us(start)]


@APP.get("/api/v2/activities", role="agent")
def list_activities(tx: Tx, me: Me, page: Page, since: str | None = None) -> ActivitiesResponse:
    """What others did to my tickets in the last thirty days."""
    where, args = _mine(tx, me, since)
    found, around = page_of(tx, page, Activity, where, args, orders={"created_at": "created_at"}, default="-created_at")
    users = [user_object(one) for one in get_many(tx, User, [act.user_id for act in found])]
    actors = [user_object(one) for one in get_many(tx, User, [act.actor_id for act in found])]
    return ActivitiesResponse(activities=_activities(tx, found), users=users, actors=actors, **around)


@APP.get("/api/v2/activities/count", role="agent")
def count_activities(tx: Tx, me: Me) -> CountResponse:
    """How many there are."""
    where, args = _mine(tx, me, None)
    return count_records(tx, Activity, where, *args)


@APP.get("/api/v2/activities/{activity_id}", role="agent")
def show_activity(tx: Tx, me: Me, activity_id: int) -> ActivityResponse:
    """Show one of them."""
    found = get_owned(tx, Activity, activity_id, user_id=me.id)
    return ActivityResponse(_activities(tx, [found])[0])
