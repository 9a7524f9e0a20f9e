"""Rules about the desk's work: shifts, origins of requests, ratings, clocks and merges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from diorama.apps.zendesk.schema import Audit, User
from diorama.worlds._plausibility.records import Records, share
from diorama.worlds._plausibility.rule import ZENDESK, at, rule

LEAST, MOST = {"browsers": 6, "places": 2}, {"browsers": 0.4, "places": 0.9}
"""How many kinds there are at least, and the share that the most frequent one may have."""
MOSTLY = 0.7
"""The least share of a person's updates that come from their usual browser and place."""


def _acts(records: Records) -> Iterator[tuple[Audit, User]]:
    """Yield every update that a person made, with its author."""
    for audits in records.audits.values():
        for audit in audits:
            author = records.users.get(audit.author_id)
            if author is not None:
                yield audit, author


@rule(ZENDESK)
def colleagues_act_in_their_shifts(records: Records) -> Iterator[str]:
    """A colleague works on the days and in the hours of their shift, not on holidays; the lead is on call."""
    team, firm = records.team, records.firm
    if team is None or firm is None:
        return
    for audit, author in _acts(records):
        if author.staff and author.email in {one.email for one in team.at_the_desk}:
            who = team.colleague(author.email or "")
            wrong = who != team.lead and not team.at_work(who, firm.now(audit.created_at))
            yield f"audit {audit.id} by {author.email} at {audit.created_at:%a} {at(audit.created_at)}" if wrong else ""


@rule(ZENDESK)
def colleagues_answer_once_they_are_hired(records: Records) -> Iterator[str]:
    """No one works on a ticket before the day on which they were hired."""
    team = records.team
    if team is None:
        return
    for audit, author in _acts(records):
        who = next((one for one in team.at_the_desk if one.email == author.email), None) if author.staff else None
        if who is not None:
            wrong = audit.created_at < who.since or audit.created_at < author.created_at
            yield (
                f"audit {audit.id} of {at(audit.created_at)} by {author.email}, hired {at(who.since)}" if wrong else ""
            )


@rule(ZENDESK)
def origins_vary_by_person(records: Records) -> Iterator[str]:
    """Browsers and places differ between people, and a person mostly has one."""
    seen: dict[int, Counter[tuple[str, str]]] = {}
    for audit, author in _acts(records):
        system = audit.metadata.get("system", {})
        if "client" in system:
            origin = (system["client"], system.get("location", ""))
            seen.setdefault(author.id, Counter())[origin] += 1
    usual = {person: origins.most_common(1)[0][0] for person, origins in seen.items()}
    for person, origins in seen.items():
        total = sum(origins.values())
        if total >= 5:
            part = share(max(origins.values()), total)
            yield f"user {person} has {len(origins)} origins in {total} updates" if part < MOSTLY else ""
    if len(seen) >= 20:
        for index, what in enumerate(("browsers", "places")):
            kinds = Counter(origin[index] for origin in usual.values())
            most = max(kinds.values())
            wrong = len(kinds) < LEAST[what] or most > MOST[what] * len(usual)
            yield f"{len(usual)} people have {len(kinds)} {what}, {most} the same one" if wrong else ""


@rule(ZENDESK)
def ratings_follow_the_solution(records: Records) -> Iterator[str]:
    """A ticket is rated after it was solved for the first time, by its requester."""
    known = {one.id: one for one in records.tickets}
    for one in records.ratings:
        solved = [
            audit.created_at
            for audit in records.audits.get(one.ticket_id, [])
            for event in audit.events
            if event.field_name == "status" and event.value == "solved"
        ]
        ticket = known.get(one.ticket_id)
        wrong = not solved or one.created_at < min(solved) or ticket is None or ticket.requester_id != one.requester_id
        yield f"rating {one.id} of ticket {one.ticket_id} at {at(one.created_at)}" if wrong else ""


@rule(ZENDESK)
def clocks_follow_the_audits(records: Records) -> Iterator[str]:
    """Every event of a clock is at the time of an update of its ticket, or tells that a target was missed."""
    for ticket, told in records.metric_events.items():
        audits = {audit.created_at for audit in records.audits.get(ticket, [])}
        for one in told:
            missed = all(event.type == "breach" for event in one.events)
            yield "" if missed or one.at in audits else f"metric events {one.id} of ticket {ticket} at {at(one.at)}"


@rule(ZENDESK)
def replies_fulfil_the_clocks(records: Records) -> Iterator[str]:
    """A reply clock is fulfilled only by a public comment of a colleague or by the end of the ticket."""
    for ticket, told in records.metric_events.items():
        spoken = {
            one.created_at
            for one in records.comments.get(ticket, [])
            if one.public and (author := records.users.get(one.author_id)) is not None and author.staff
        }
        ended = {
            audit.created_at
            for audit in records.audits.get(ticket, [])
            for event in audit.events
            if event.field_name == "status"
        }
        for one in told:
            for event in one.events:
                if event.metric == "reply_time" and event.type == "fulfill":
                    fits = one.at in spoken or one.at in ended
                    yield "" if fits else f"reply clock of ticket {ticket} was fulfilled at {at(one.at)}"


@rule(ZENDESK)
def merges_point_both_ways(records: Records) -> Iterator[str]:
    """A ticket that was merged into another is named by a comment of the other at the same time."""
    into, received = dict[tuple[int, int], str](), set[tuple[int, int]]()
    for ticket, audits in records.audits.items():
        for audit in audits:
            if audit.source.get("rel") == "merge":
                to = audit.source.get("to", {}).get("ticket_id")
                came = audit.source.get("from", {}).get("ticket_id")
                if to:
                    into[ticket, int(to)] = at(audit.created_at)
                if came:
                    received.add((int(came), ticket))
    for (source, target), moment in into.items():
        yield "" if (source, target) in received else f"ticket {source} was merged into {target} at {moment}, one-sided"
    for source, target in received:
        yield "" if (source, target) in into else f"ticket {target} received {source}, which was not merged into it"


@rule(ZENDESK)
def incidents_follow_their_problem(records: Records) -> Iterator[str]:
    """An incident is linked to a problem ticket that exists, and is solved with it or later."""
    known = {one.id: one for one in records.tickets}
    for ticket in records.tickets:
        if ticket.problem_id is not None:
            problem = known.get(ticket.problem_id)
            wrong = problem is None or problem.type != "problem" or ticket.updated_at < problem.created_at
            yield f"ticket {ticket.id} is an incident of {ticket.problem_id}" if wrong else ""


WAITS = timedelta(seconds=20)
"""No one reads a letter and writes an answer to it in less time."""


@rule(ZENDESK)
def answers_take_time(records: Records) -> Iterator[str]:
    """A colleague needs time to read and to write; no one answers two tickets in the same second."""
    written = Counter[tuple[int, object]]()
    for thread in records.threads:
        before = thread.ticket.created_at
        for one in thread.messages:
            if one.staff and one.written and one.comment.public and one.author is not None:
                written[one.author.id, one.comment.created_at] += 1
                quick = one.comment.created_at - before < WAITS and one is not thread.messages[0]
                yield f"comment {one.comment.id} came within {one.comment.created_at - before}" if quick else ""
            before = one.comment.created_at if one.written else before
    for (who, moment), count in written.items():
        if count > 1:
            yield f"user {who} wrote {count} answers at {moment}"
