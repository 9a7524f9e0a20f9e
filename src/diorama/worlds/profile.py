"""The profile of a desk: how incomplete, misspelled, duplicated, late, bursty and varied its data is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from diorama.kernel import Dice, Tx, World, from_us
from diorama.people.grammar import WORD
from diorama.worlds.features import features
from diorama.worlds.firm import Firm, firm_of
from diorama.worlds.texts import distinct, repeated

DAY_US = 86_400_000_000
HOUR_US = 3_600_000_000


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """Distributions of a desk's data; shares are between 0 and 1."""

    tickets: int
    comments: int
    users: int
    statuses: dict[str, int]
    languages: dict[str, float]
    missing: dict[str, float]
    """Share of tickets (or users) without a value, by field."""
    typo_rate: float
    """Share of customers' words that are not a known word, name or fact."""
    duplicate_rate: float
    """Share of tickets whose first message repeats one of the past week, by the same person or in the same words."""
    merged_rate: float
    """Share of tickets that were merged into another."""
    incident_rate: float
    """Share of tickets that are linked to a problem."""
    reopened_rate: float
    reopened_twice_rate: float
    first_reply_hours: dict[str, float]
    reply_gap_hours: dict[str, float]
    """Hours between two messages of one thread."""
    entropy_bits: float
    """Entropy of words over customers' first messages."""
    type_token_ratio: float
    """Share of different words among the first ten thousand."""
    distinct_first_messages: float
    topic_slope: float
    """Slope of log frequency over log rank of the topics."""
    unicode_share: float
    """Share of first messages with a character beyond ASCII."""
    burstiness: float
    """The busiest day relative to the median day."""
    weekdays: tuple[float, ...]
    quoted_share: float
    attachment_share: float
    html_share: float
    rated_good: float
    several_addresses: float
    """Share of users with more than one address."""
    breached_rate: float
    """Share of tickets that missed an SLA target."""
    repeated_sentences: float
    """Share of long sentences, names and numbers masked, that occur in more than 1 % of tickets."""
    distinct_of_200: int
    """Different first messages among two hundred sampled ones, names and numbers masked."""
    suspended: int
    """Number of suspended mails."""
    features: dict[str, float]


def profile(world: World) -> Profile:
    """Measure a world that has a desk."""
    return world.read(_measure, firm_of(world.company))


def _measure(tx: Tx, firm: Firm | None) -> Profile:
    columns = "id, requester_id, created_at, reopens, description"
    rows = tx.rows(f"SELECT {columns} FROM zendesk_tickets ORDER BY created_at, id")
    firsts = [text for *_, text in rows]
    words = [word for text in firsts for word in WORD.findall(text.lower())]
    truth = {name: msgspec.json.decode(value) for name, value in tx.control("SELECT name, value FROM _truth")}
    days = Counter(created // DAY_US for _, _, created, _, _ in rows)
    weekdays = Counter(from_us(created).weekday() for _, _, created, _, _ in rows)
    named = _names(tx, firm)
    known = (firm.book.vocabulary if firm else frozenset()) | named
    said = tx.rows("SELECT ticket_id, body FROM zendesk_comments WHERE body NOT LIKE 'Request #%merged into this%'")
    sample = Dice("profile").sample(firsts, 200)
    return Profile(
        tickets=len(rows),
        comments=_one(tx, "SELECT count(*) FROM zendesk_comments"),
        users=_one(tx, "SELECT count(*) FROM zendesk_users"),
        statuses=dict(tx.rows("SELECT status, count(*) FROM zendesk_tickets GROUP BY 1 ORDER BY 1")),
        languages=_shares(truth.get("languages", {})),
        missing=_missing(tx),
        typo_rate=sum(word not in known for word in words) / max(1, len(words)),
        duplicate_rate=_duplicates(rows),
        merged_rate=_share(tx, "zendesk_tickets", "tags LIKE '%\"closed_by_merge\"%'"),
        incident_rate=_share(tx, "zendesk_tickets", "problem_id IS NOT NULL"),
        reopened_rate=sum(1 for *_, reopens, _ in rows if reopens) / max(1, len(rows)),
        reopened_twice_rate=sum(1 for *_, reopens, _ in rows if reopens > 1) / max(1, len(rows)),
        first_reply_hours=_quantiles(_first_replies(tx)),
        reply_gap_hours=_quantiles(_gaps(tx)),
        entropy_bits=entropy(words),
        type_token_ratio=len(set(words[:10_000])) / max(1, len(words[:10_000])),
        distinct_first_messages=len(set(firsts)) / max(1, len(firsts)),
        topic_slope=slope(truth.get("topics", {}).values()),
        unicode_share=sum(not text.isascii() for text in firsts) / max(1, len(firsts)),
        burstiness=max(days.values(), default=0) / max(1, median(days.values()) if days else 1),
        weekdays=tuple(round(weekdays[day] / max(1, len(rows)), 4) for day in range(7)),
        quoted_share=_share(tx, "zendesk_comments", "body LIKE '%\n> %'"),
        attachment_share=_share(tx, "zendesk_comments", "attachments != '[]'"),
        html_share=_share(tx, "zendesk_comments", "html IS NOT NULL"),
        rated_good=_share(tx, "zendesk_satisfaction_ratings", "score = 'good'"),
        several_addresses=_several(tx),
        breached_rate=_breached(tx, len(rows)),
        repeated_sentences=round(repeated(said, named)[0], 4),
        distinct_of_200=distinct(sample, named),
        suspended=_one(tx, "SELECT count(*) FROM zendesk_suspended_tickets"),
        features={**features(tx), "spam": round(truth.get("topics", {}).get("spam", 0) / max(1, len(rows)), 4)},
    )


def entropy(words: Sequence[str]) -> float:
    """Return the entropy of a text's words, in bits per word."""
    total = len(words)
    return -sum(n / total * math.log2(n / total) for n in Counter(words).values()) if total else 0.0


def slope(counts: Iterable[int]) -> float:
    """Return the slope of the Zipf line through counts, by least squares."""
    ranked = sorted((count for count in counts if count > 0), reverse=True)
    if len(ranked) < 3:
        return 0.0
    xs = [math.log(rank) for rank in range(1, len(ranked) + 1)]
    ys = [math.log(count) for count in ranked]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread


NAMES = (
    ("name", "zendesk_users"),
    ("email", "zendesk_users"),
    ("value", "zendesk_identities"),
    ("name", "zendesk_organizations"),
    ("name", "backoffice_products"),
    ("carrier", "backoffice_shipments"),
    ("shipping_address", "backoffice_orders"),
    ("postal", "backoffice_addresses"),
    ("id", "backoffice_units"),
    ("number", "backoffice_orders"),
)
"""Columns with names of people, places, companies and goods; a company may have no back office."""


def _names(tx: Tx, firm: Firm | None) -> set[str]:
    """Return all words that are names of people, places, companies and goods."""
    found: set[str] = set()
    for column, table in NAMES:
        for (text,) in tx.rows(f"SELECT DISTINCT {column} FROM {table}") if table in tx.company.tracked else ():
            found.update(WORD.findall(str(text or "").lower()))
    from diorama.people.addresses import places
    from diorama.people.material import MATERIAL
    from diorama.people.writing import calendar_words

    return (
        found | places(firm.names if firm else MATERIAL) | calendar_words() | (firm.spoken_words() if firm else set())
    )


def _missing(tx: Tx) -> dict[str, float]:
    fields = {
        "priority": "priority IS NULL",
        "type": "type IS NULL",
        "group": "group_id IS NULL",
        "assignee": "assignee_id IS NULL",
        "tags": "tags = '[]'",
        "custom_fields": "custom_fields = '{}'",
    }
    out = {name: _share(tx, "zendesk_tickets", condition) for name, condition in fields.items()}
    out["phone"] = _share(tx, "zendesk_users", "phone IS NULL")
    out["external_id"] = _share(tx, "zendesk_users", "external_id IS NULL")
    return out


def _duplicates(rows: Sequence[tuple[int, int, int, int, str]]) -> float:
    """Return the share of duplicates by text, from any sender; added introductions are ignored."""
    last: dict[str, int] = {}
    found = 0
    for _, _, created, _, text in rows:
        lines = [line.lstrip("> ") for line in text.split("\n") if len(line) > 25]
        key = "\n".join(sorted(lines, key=lambda line: (len(line), line))[-3:])
        if len(key) > 40:
            found += created - last.get(key, -(10**18)) < 7 * DAY_US
            last[key] = created
    return found / max(1, len(rows))


def _several(tx: Tx) -> float:
    grouped = "SELECT user_id, count(*) AS n FROM zendesk_identities GROUP BY 1"
    part, total = tx.rows(f"SELECT coalesce(sum(n > 1), 0), count(*) FROM ({grouped})")[0]
    return float(round(part / max(1, total), 4))


def _breached(tx: Tx, tickets: int) -> float:
    missed = "SELECT count(DISTINCT ticket_id) FROM zendesk_ticket_metric_events WHERE events LIKE '%\"breach\"%'"
    return round(_one(tx, missed) / max(1, tickets), 4)


def _first_replies(tx: Tx) -> list[float]:
    rows = tx.rows(
        "SELECT t.created_at, min(c.created_at) FROM zendesk_tickets t "
        "JOIN zendesk_comments c ON c.ticket_id = t.id JOIN zendesk_users u ON u.id = c.author_id "
        "WHERE u.role != 'end-user' AND c.public = 1 GROUP BY t.id"
    )
    return [(answered - created) / HOUR_US for created, answered in rows]


def _gaps(tx: Tx) -> list[float]:
    out, before = [], (0, 0)
    for ticket, created in tx.rows("SELECT ticket_id, created_at FROM zendesk_comments ORDER BY ticket_id, created_at"):
        if before[0] == ticket:
            out.append((created - before[1]) / HOUR_US)
        before = (ticket, created)
    return out


def _quantiles(values: list[float]) -> dict[str, float]:
    ranked = sorted(values)
    if not ranked:
        return {}
    return {
        f"p{share}": round(ranked[min(len(ranked) - 1, len(ranked) * share // 100)], 2) for share in (10, 50, 90, 99)
    }


def _shares(counts: dict[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {name: round(count / total, 4) for name, count in sorted(counts.items())} if total else {}


def _share(tx: Tx, table: str, condition: str) -> float:
    part, total = tx.rows(f"SELECT coalesce(sum({condition}), 0), count(*) FROM {table}")[0]
    return round(part / total, 4) if total else 0.0


def _one(tx: Tx, sql: str) -> int:
    return int(tx.rows(sql)[0][0])
