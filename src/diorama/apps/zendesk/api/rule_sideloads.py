"""Side-loads of rules: how often each trigger, automation or macro was used lately (`include=usage_24h`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Literal

from diorama.apps.zendesk.api.pagination import parts_of
from diorama.kernel import Tx, to_us
from diorama.kernel.functions import weighed_list

WINDOWS = {
    "usage_1h": timedelta(hours=1),
    "usage_24h": timedelta(days=1),
    "usage_7d": timedelta(days=7),
    "usage_30d": timedelta(days=30),
}
_EVENTS = f"zendesk_audits a, json_each({weighed_list('a.events')}) e WHERE a.created_at > ?"
_RUNS = (
    "SELECT json_extract(e.value, '$.via.source.from.id') AS rule, count(DISTINCT a.id) FROM "
    f"{_EVENTS} AND json_extract(e.value, '$.via.source.rel') = ? GROUP BY rule"
)
_MACROS = (
    "SELECT CAST(json_extract(e.value, '$.macro_id') AS INTEGER) AS rule, count(DISTINCT a.id) FROM "
    f"{_EVENTS} AND json_extract(e.value, '$.type') = ? GROUP BY rule"
)


def add_usage(
    tx: Tx, kind: Literal["trigger", "automation", "macro"], include: str | None, rules: Iterable[Any]
) -> None:
    """Add the requested usage counts to rules in API format; the audits say which rules ran."""
    listed = list(rules)
    for name in WINDOWS.keys() & set(parts_of(include)):
        since = to_us(tx.now - WINDOWS[name])
        rows = tx.rows(_MACROS, since, "AgentMacroReference") if kind == "macro" else tx.rows(_RUNS, since, kind)
        counts = dict(rows)
        for rule in listed:
            setattr(rule, name, counts.get(rule.id, 0))
