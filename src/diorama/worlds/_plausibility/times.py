"""Rules about times: clocks of people and programs, seasons, and configuration that grew over years."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from math import sqrt

from diorama.kernel import from_us
from diorama.worlds._plausibility.records import Records, share
from diorama.worlds._plausibility.rule import BACKOFFICE, ZENDESK, rule

SECOND_US, MINUTE_US, HOUR_US = 1_000_000, 60_000_000, 3_600_000_000
MOMENTS = (
    ("zendesk_tickets", "created_at"),
    ("zendesk_tickets", "updated_at"),
    ("zendesk_audits", "created_at"),
    ("zendesk_comments", "created_at"),
    ("zendesk_users", "created_at"),
    ("zendesk_organizations", "created_at"),
    ("zendesk_satisfaction_ratings", "created_at"),
    ("zendesk_macros", "created_at"),
    ("zendesk_triggers", "created_at"),
    ("zendesk_views", "created_at"),
    ("zendesk_ticket_fields", "created_at"),
    ("zendesk_groups", "created_at"),
    ("zendesk_guide_articles", "created_at"),
    ("zendesk_guide_articles", "updated_at"),
    ("zendesk_guide_comments", "created_at"),
    ("zendesk_suspended_tickets", "created_at"),
    ("backoffice_customers", "created_at"),
    ("backoffice_orders", "created_at"),
    ("backoffice_charges", "created_at"),
    ("backoffice_refunds", "created_at"),
    ("backoffice_refunds", "settled_at"),
    ("backoffice_returns", "created_at"),
    ("backoffice_returns", "received_at"),
    ("backoffice_replacements", "created_at"),
    ("backoffice_credits", "created_at"),
    ("backoffice_notes", "created_at"),
    ("backoffice_shipments", "created_at"),
    ("backoffice_shipments", "handed_over_at"),
    ("backoffice_shipments", "closed_at"),
    ("backoffice_scans", "at"),
    ("backoffice_postings", "at"),
)
"""Columns with moments at which a person or a driver acted."""


def _beyond_chance(count: int, total: int, chance: float) -> bool:
    """Return whether a count is more than chance explains."""
    mean = total * chance
    return count > mean + 5.0 * sqrt(mean * (1.0 - chance)) + 2.0


def _independent(moments: list[int]) -> list[int]:
    """Leave out repetitions: the renewals of a subscription are all at the same microsecond of a minute."""
    exact = {moment % MINUTE_US: moment for moment in moments if moment % SECOND_US}
    return [*exact.values(), *(moment for moment in moments if not moment % SECOND_US)]


@rule()
def times_are_not_round(records: Records) -> Iterator[str]:
    """No column of moments has more whole minutes or whole hours than chance explains."""
    for table, column in MOMENTS:
        if table not in records.tx.company.tracked:
            continue
        asked = f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL"
        moments = _independent([moment for (moment,) in records.tx.rows(asked)])
        minutes = sum(moment % MINUTE_US < SECOND_US for moment in moments)
        hours = sum(moment % HOUR_US < SECOND_US for moment in moments)
        found = f"{table}.{column}: {minutes} whole minutes and {hours} whole hours of {len(moments)} moments"
        wrong = _beyond_chance(minutes, len(moments), 1 / 60) or _beyond_chance(hours, len(moments), 1 / 3600)
        yield found if wrong else ""


@rule(ZENDESK)
def automations_run_through_the_hour(records: Records) -> Iterator[str]:
    """Automations run every hour, but neither on the full hour nor all at one minute."""
    ran = [
        audit.created_at
        for audits in records.audits.values()
        for audit in audits
        if audit.source.get("rel") == "automation"
    ]
    if len(ran) >= 20:
        full = sum(moment.minute == 0 and moment.second == 0 for moment in ran)
        yield f"{full} of {len(ran)} updates by automations are on the full hour" if full > 0.05 * len(ran) else ""
        often, count = Counter((moment.minute, moment.second) for moment in ran).most_common(1)[0]
        yield f"{count} of {len(ran)} updates by automations are at {often}" if count > 0.2 * len(ran) else ""


@rule(ZENDESK)
def automations_are_a_plausible_share(records: Records) -> Iterator[str]:
    """Between a twentieth and a half of all updates are by automations, once tickets are old enough to be closed."""
    every = [audit for audits in records.audits.values() for audit in audits]
    part = sum(audit.source.get("rel") == "automation" for audit in every)
    if len(every) >= 200:
        wrong = not 0.05 <= share(part, len(every)) <= 0.5
        yield f"{part} of {len(every)} updates are by automations" if wrong else ""


@rule(ZENDESK)
def seasons_are_visible(records: Records) -> Iterator[str]:
    """Fewer people write at Christmas than in the weeks before, and weekends are quieter than Mondays."""
    days = Counter(ticket.created_at.date() for ticket in records.tickets)
    weekdays = Counter(day.weekday() for day in days.elements())
    if len(records.tickets) >= 200:
        quiet = max(weekdays[5], weekdays[6])
        yield f"{quiet} tickets on a weekend day, {weekdays[0]} on Mondays" if quiet >= weekdays[0] else ""
    for year in sorted({day.year for day in days}):
        feast = [days[date(year, 12, day)] for day in (25, 26)]
        before = [days[date(year, 12, day)] for day in range(8, 20)]
        if sum(before) >= 60:
            wrong = sum(feast) / len(feast) > sum(before) / len(before)
            yield f"Christmas {year}: {feast} tickets, before it {before}" if wrong else ""


@rule(BACKOFFICE)
def nothing_is_dated_later_than_now(records: Records) -> Iterator[str]:
    """No row of the past is newer than the present."""
    for table, column in MOMENTS:
        if table in records.tx.company.tracked:
            newest = records.tx.rows(f"SELECT max({column}) FROM {table}")[0][0]
            late = newest is not None and from_us(newest) > records.now + timedelta(seconds=1)
            yield f"{table}.{column}: {from_us(newest)}" if late else ""
