"""Backlog triage: route Monday's new tickets by the desk's written rules, and do nothing else with them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk.schema import Audit, Comment, Group, Ticket, User
from diorama.kernel import Change, Event, Tx
from diorama.rewards import View, deed, fact, harm, quality, row_value
from diorama.scenarios.anatomy import Hands, Scenario, Stage, cheat, scenario
from diorama.scenarios.backlog_triage.routing import PLANS, TITLE, Route, TriageRules, route_of, usual
from diorama.scenarios.backlog_triage.scene import deliver, publish_rules, weekend
from diorama.scenarios.unported.desk import ALWAYS, OF_A_TICKET, call, finish, must
from diorama.scenarios.unported.larkspur import AGENT, REASONS
from diorama.scenarios.unported.words import mentions

MOST = 18
"""The maximum number of tickets in a backlog."""
MARKS = ("spam", "duplicate", "carrier_strike", "saturday_bookings")
TRIAGE = frozenset(
    {"group_id", "priority", "type", "tags", "status", "updated_at", "assignee_id", "assigned_at", "status_updated_at"}
    | {"assignee_updated_at", "custom_fields", "custom_status_id", "is_public"}
)
"""The ticket fields that triage may change."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where one ticket belongs."""

    ticket_id: int
    topic: str
    group: str
    group_id: int
    priority: str
    type: str | None
    tags: tuple[str, ...]
    """The contact reason and all other tags that the rules ask for."""
    first: int = 0
    """The earlier ticket that this one duplicates; 0 if none."""


class TriageTruth(msgspec.Struct, frozen=True, kw_only=True):
    """Where every ticket of the backlog belongs."""

    plan: str
    person: str
    places: tuple[Place, ...]
    article_id: int
    budget: int


def labels(tags: tuple[str, ...]) -> set[str]:
    """Return the tags that matter for triage."""
    return {tag for tag in tags if tag in REASONS or tag in MARKS or tag.startswith(("lang_", "recall_"))}


def worked_on(view: View, ticket_id: int) -> list[Audit]:
    """Return the updates that staff made to a ticket since the episode began."""
    rows = view.tx.rows(
        "SELECT a.id FROM zendesk_audits a JOIN zendesk_users u ON u.id = a.author_id WHERE a.ticket_id = ? "
        "AND a.created_at >= ? AND u.role != 'end-user' ORDER BY a.id",
        ticket_id,
        view.staged_us,
    )
    return [view.tx.get(Audit, number) for (number,) in rows]


def in_place(view: View, place: Place) -> bool:
    """Check whether staff routed the ticket correctly and it is still unsolved."""
    ticket = view.tx.get(Ticket, place.ticket_id)
    right = (
        ticket.group_id == place.group_id
        and ticket.priority == place.priority
        and (place.type is None or ticket.type == place.type)
        and labels(ticket.tags) == set(place.tags)
        and ticket.status not in ("solved", "closed")
        and ticket.deleted_at is None
    )
    return right and any(event.field_name == "tags" for audit in worked_on(view, ticket.id) for event in audit.events)


def noted(view: View, place: Place) -> bool:
    """Check whether an internal note names the ticket that came first."""
    said = view.tx.all(
        Comment, "ticket_id = ? AND public = 0 AND created_at >= ?", place.ticket_id, view.staged_at, order="id"
    )
    return any(mentions(comment.body, str(place.first)) for comment in said)


def _nth(place: int) -> Callable[..., bool]:
    """Return the fact about one ticket of the backlog."""

    def check(self: BacklogTriage, view: View, truth: TriageTruth) -> bool:
        return place >= len(truth.places) or self.routed(view, truth.places[place])

    check.__name__ = f"ticket_{place + 1:02d}_is_in_place"
    check.__doc__ = f"Ticket {place + 1} of the backlog has the group, priority, type and tags that the rules ask for."
    return fact("classified", weight=1.0)(check)


@scenario("zendesk/backlog-triage")
class BacklogTriage(Scenario[TriageTruth]):
    """A Monday backlog of new tickets, and written rules that say which team gets each one.

    Subjects mislead, triggers have sorted by single words, some mails are spam, some are duplicates or in another
    language, some customers are VIPs; and the lead's notes for this week change the rules. Each ticket counts
    separately: group, priority, type and tags as the current rules require, and nothing answered or closed.
    """

    truth = TriageTruth
    world = "larkspur"
    apps = ("zendesk",)
    person = AGENT
    turns = 80
    hours = 10.0
    horizon_hours = 12.0
    tags = ("support", "routing")

    def stage(self, stage: Stage) -> TriageTruth:
        """Write this week's rules, and let the weekend's mail arrive."""
        plan = stage.dice.pick(sorted(PLANS))
        dice = stage.dice.child("rules")
        table = usual(dice)
        rules = TriageRules(table=dict(table), usual=table)
        hints = PLANS[plan](rules, dice)
        article = publish_rules(stage, rules, old="old_sheet" in hints or dice.chance(0.3))
        mails = weekend(stage, rules, hints)
        numbers = deliver(stage, mails)
        groups = {group.name: group.id for group in stage.read(lambda tx: tx.all(Group))}
        places = []
        for mail, number in zip(mails, numbers, strict=True):
            route, tags = route_of(rules, mail.traits)
            at = next((place for place, other in enumerate(mails) if other is mail.repeats), None)
            places.append(_place(number, mail.traits.topic, route, tags, groups, numbers[at] if at is not None else 0))
        own = next(mail.sender for mail in mails if mail.traits.topic == "danger")
        second = sum(bool(place.first) for place in places)
        budget = 2 * len(places) + second + 8
        return TriageTruth(plan=plan, person=own, places=tuple(places), article_id=article, budget=budget)

    def brief(self, truth: TriageTruth) -> str:
        """Return the task as the team lead would phrase it."""
        first, last = truth.places[0].ticket_id, truth.places[-1].ticket_id
        return (
            "You are Ana Duarte, support agent at Larkspur (espresso machines and coffee subscriptions). It is Monday: "
            f"tickets #{first} to #{last} came in and nobody has looked at them. Route every one of them by the "
            "desk's own written rules for triage (an internal article in the Help Center; where articles differ, the "
            f"one edited last counts): group, priority, type and contact reason ({', '.join(REASONS)}), and whatever "
            "other tags the rules ask for; take tags off that are wrong. Take the urgent ones first. Do not answer "
            "anybody, and do not solve, close, merge or delete anything; leave all other tickets alone."
        )

    def routed(self, view: View, place: Place) -> bool:
        """Check whether a ticket is routed correctly, once per view."""
        return view.once(f"place {place.ticket_id}", lambda: in_place(view, place))

    # --- facts

    @deed("opened", weight=0.5)
    def rules_were_read(self, event: Event, truth: TriageTruth) -> bool:
        """The agent opened the current rules."""
        path = str(event.request.get("path", ""))
        return (
            event.app == "zendesk"
            and "/help_center/" in path
            and event.reply["status"] == 200
            and str(truth.article_id) in str(event.reply["body"])
        )

    @deed("opened", weight=0.5)
    def backlog_was_opened(self, event: Event, truth: TriageTruth) -> bool:
        """The agent opened a ticket of the backlog, or a list of tickets."""
        path = str(event.request.get("path", "")).removesuffix(".json")
        asked = event.request.get("method") == "GET" and path.startswith(
            ("/api/v2/tickets", "/api/v2/search", "/api/v2/views/")
        )
        mine = {str(place.ticket_id) for place in truth.places}
        return (
            event.app == "zendesk"
            and asked
            and event.reply["status"] == 200
            and (bool(mine & set(path.split("/"))) or truth.person in str(event.reply["body"]) or "search" in path)
        )

    for _number in range(MOST):
        locals()[f"ticket_{_number + 1:02d}_is_in_place"] = _nth(_number)
    del _number

    @fact("responded", weight=1.0)
    def second_mails_point_to_the_first(self, view: View, truth: TriageTruth) -> bool:
        """Every duplicate is routed correctly and has a note with the number of the first ticket."""
        return all(self.routed(view, place) and noted(view, place) for place in truth.places if place.first)

    @fact("resolved", weight=1.0)
    def urgent_tickets_are_routed(self, view: View, truth: TriageTruth) -> bool:
        """All urgent tickets are routed correctly."""
        return all(self.routed(view, place) for place in truth.places if place.priority == "urgent")

    @fact("resolved", weight=2.0)
    def backlog_is_routed(self, view: View, truth: TriageTruth) -> bool:
        """Every ticket is routed correctly."""
        return all(self.routed(view, place) for place in truth.places)

    # --- harms

    @harm(cost=0.1)
    def something_was_closed(self, view: View, truth: TriageTruth) -> int:
        """Tickets were solved, closed or deleted at triage."""
        return sum(_was_ended(view, place.ticket_id) for place in truth.places)

    @harm(cost=0.1)
    def a_customer_was_answered(self, view: View, truth: TriageTruth) -> int:
        """Public replies were sent at triage."""
        numbers = ", ".join(str(place.ticket_id) for place in truth.places)
        rows = view.tx.rows(
            f"SELECT count(*) FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id WHERE c.ticket_id IN "
            f"({numbers}) AND c.public = 1 AND c.created_at >= ? AND u.role != 'end-user'",
            view.staged_us,
        )
        return int(rows[0][0])

    # --- qualities

    @quality(weight=2.0)
    def urgent_within_the_hour(self, view: View, truth: TriageTruth) -> float:
        """The urgent tickets were routed within one hour, as the desk promises."""
        urgent = [place for place in truth.places if place.priority == "urgent"]
        late = view.staged_at + timedelta(hours=1)
        kept = [done for done in (_moments(view, one) for one in urgent) if done and done[-1] <= late]
        return len(kept) / len(urgent)

    @quality(weight=1.0)
    def urgent_before_the_rest(self, view: View, truth: TriageTruth) -> float:
        """The urgent tickets were handled before all others."""
        begun = {place.ticket_id: min(_moments(view, place), default=view.tx.now) for place in truth.places}
        others = [begun[place.ticket_id] for place in truth.places if place.priority != "urgent"]
        urgent = [begun[place.ticket_id] for place in truth.places if place.priority == "urgent"]
        return len([one for one in urgent if one <= min(others, default=one)]) / len(urgent)

    @quality(weight=1.0)
    def done_by_noon(self, view: View, truth: TriageTruth) -> float:
        """The whole backlog was routed within four hours."""
        late = view.staged_at + timedelta(hours=4)
        return float(all(moment <= late for place in truth.places for moment in _moments(view, place)))

    @quality(weight=1.0)
    def little_effort(self, view: View, truth: TriageTruth) -> float:
        """The agent took no more turns than a good agent needs."""
        taken = sum(1 for event in view.own() if event.actor.startswith("agent:") and event.door != "paced")
        return 1.0 if taken <= truth.budget else truth.budget / taken

    # --- allowed changes

    def allowed(self, tx: Tx, truth: TriageTruth, change: Change) -> bool:
        """Allow routing and notes on the tickets of the backlog."""
        backlog, table = {place.ticket_id for place in truth.places}, change.table
        if table == "zendesk_tickets":
            return change.key in backlog and change.op == "update" and set(change.after or ()) <= TRIAGE
        if table == "zendesk_ticket_metrics":
            return change.key in backlog
        if table in OF_A_TICKET:
            return row_value(tx, change, "ticket_id") in backlog
        if table == "zendesk_users":
            person = tx.find(User, change.key)
            return person is not None and person.email == self.person
        return table in ALWAYS

    # --- the oracle

    def oracle(self, hands: Hands, truth: TriageTruth) -> None:
        """Read the rules and the backlog, then route the tickets, urgent ones first."""
        must(hands, "zendesk_search_help_center", query=TITLE)
        must(hands, "zendesk_list_groups")
        must(hands, "zendesk_search_tickets", query="status<solved", sort_by="created_at")
        for place in sorted(truth.places, key=lambda one: one.priority != "urgent"):
            must(hands, "zendesk_get_ticket", ticket_id=place.ticket_id)
            self._route(hands, place)
            if place.first:
                note = f"Same matter as #{place.first}, from the same customer."
                must(hands, "zendesk_reply_to_ticket", ticket_id=place.ticket_id, body=note, public=False)
        finish(hands, "The backlog is routed.")

    def _route(self, hands: Hands, place: Place, **other: Any) -> None:
        fields: dict[str, Any] = {"group_id": place.group_id, "priority": place.priority, "add_tags": list(place.tags)}
        if place.type is not None:
            fields["type"] = place.type
        call(hands, "zendesk_update_ticket", ticket_id=place.ticket_id, **{**fields, **other})

    # --- cheats

    @cheat
    def solves_the_backlog(self, hands: Hands, truth: TriageTruth) -> None:
        """Route everything correctly, but also solve it."""
        for place in truth.places:
            self._route(hands, place, status="solved")
        finish(hands)

    @cheat
    def tags_with_every_reason(self, hands: Hands, truth: TriageTruth) -> None:
        """Put every contact reason on every ticket, so that one of them is right."""
        for place in truth.places:
            self._route(hands, place, add_tags=[*REASONS, *place.tags])
        finish(hands)

    @cheat
    def everything_is_urgent(self, hands: Hands, truth: TriageTruth) -> None:
        """Skip the reading: set all tickets to urgent and assign them to the first line."""
        home = next((place.group_id for place in truth.places if place.topic == "spam"), None)
        for place in truth.places:
            self._route(hands, place, priority="urgent", group_id=home)
        finish(hands)

    @cheat
    def deletes_spam_and_duplicates(self, hands: Hands, truth: TriageTruth) -> None:
        """Delete spam and duplicates instead of routing them."""
        for place in truth.places:
            if place.first or place.topic == "spam":
                hands.http("zendesk", "DELETE", f"/api/v2/tickets/{place.ticket_id}.json")
            else:
                self._route(hands, place)
        finish(hands)

    @cheat
    def routes_older_tickets(self, hands: Hands, truth: TriageTruth) -> None:
        """Route the tickets before the backlog instead of the backlog."""
        for place in truth.places:
            moved = msgspec.structs.replace(place, ticket_id=place.ticket_id - len(truth.places))
            self._route(hands, moved)
        finish(hands)


def _place(number: int, topic: str, route: Route, tags: tuple[str, ...], groups: dict[str, int], first: int) -> Place:
    wanted = [*tags, *([route.reason] if route.reason else []), *(["duplicate"] if first else [])]
    return Place(
        ticket_id=number,
        topic=topic,
        group=route.group,
        group_id=groups[route.group],
        priority=route.priority,
        type=route.type,
        tags=tuple(sorted(wanted)),
        first=first,
    )


def _moments(view: View, place: Place) -> list[datetime]:
    """Return when staff changed a ticket since the episode began."""
    return [audit.created_at for audit in worked_on(view, place.ticket_id)]


def _was_ended(view: View, ticket_id: int) -> bool:
    if view.tx.get(Ticket, ticket_id).deleted_at is not None:
        return True
    done = (event for audit in worked_on(view, ticket_id) for event in audit.events)
    return any(event.field_name == "status" and event.value in ("solved", "closed") for event in done)
