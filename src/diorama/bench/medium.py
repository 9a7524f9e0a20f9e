"""The medium world: whole episodes, and search and views compared with the same queries in hand-written SQL."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema import View as DeskView
from diorama.bench.timing import compared_us
from diorama.episodes.episode import start
from diorama.kernel import Actor, Request, Tx, World
from diorama.kernel.lane import LANES
from diorama.worlds import open_world

SCENARIO = "zendesk/duplicate-tickets"
"""A scenario whose oracle takes about twelve steps."""
VARIANTS = 6
ATTEMPTS = 16
"""Attempts per variant, as in training: the first attempt stages the variant, the others fork it."""
PAGE = 100

SAID = (
    "id IN (SELECT rowid FROM zendesk_tickets_search WHERE zendesk_tickets_search MATCH '{0}' UNION SELECT ticket_id "
    "FROM zendesk_comments WHERE id IN "
    "(SELECT rowid FROM zendesk_comments_search WHERE zendesk_comments_search MATCH '{0}'))"
)
SEARCHES = {
    "type:ticket refund status<solved": f"{SAID.format('refund*')} AND status IN ('new', 'open', 'pending', 'hold')",
    "type:ticket leaks gasket": f"{SAID.format('leaks*')} AND {SAID.format('gasket*')}",
    "type:ticket status:open priority:high": "status = 'open' AND priority = 'high'",
    "type:ticket tags:delivery created>2026-01-01": (
        "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'delivery') AND created_at >= 1767312000000000"
    ),
}
"""Queries in the vendor's search language, each with the same query in SQL."""
UNSOLVED = "status IN ('new', 'open', 'pending', 'hold')"
VIEWS = {
    "Unassigned tickets": f"assignee_id IS NULL AND {UNSOLVED}",
    "All unsolved tickets": UNSOLVED,
    "Recently updated tickets": "updated_at > {now} - 30 * 3600000000 AND status != 'closed'",
}
"""Views by title, each with its SQL condition; a view that the desk does not have is skipped."""
ORDER = "ORDER BY updated_at DESC, id DESC"


def episodes() -> dict[str, float]:
    """Measure oracle episodes from start to score, in CPU time of one core: all attempts, and first attempts."""

    def attempt(seed: int, anew: bool) -> tuple[float, int]:
        began = time.thread_time()
        episode = start(SCENARIO, seed, size="medium", restage=anew)
        episode.scenario.oracle(episode.hands, episode.truth)
        result = episode.finish()
        if not result.success:
            raise RuntimeError(f"the oracle failed at seed {seed} of {SCENARIO} on the medium world")
        return time.thread_time() - began, result.turns

    attempt(0, True)  # warm
    gc.collect()
    gc.freeze()  # as the workers of a run do
    groups = [[attempt(seed, number == 0) for number in range(ATTEMPTS)] for seed in range(VARIANTS)]
    gc.unfreeze()
    first = [group[0][0] for group in groups]
    later = [statistics.median(seconds for seconds, _ in group[1:]) for group in groups]
    return {
        "medium_episodes_per_second": VARIANTS * ATTEMPTS / (sum(first) + (ATTEMPTS - 1) * sum(later)),
        "medium_first_attempts_per_second": len(first) / sum(first),
        "medium_episode_steps": statistics.mean(turns for group in groups for _, turns in group),
    }


def by_hand(world: World, condition: str, order: str = ORDER) -> Callable[[], Any]:
    """Return a function that reads one page of tickets and their count in SQL on the same overlay."""
    found = f"FROM zendesk_tickets WHERE {condition} AND deleted_at IS NULL"
    statements = (f"SELECT * {found} {order} LIMIT {PAGE}", f"SELECT count(*) {found}")

    def ask() -> None:
        lane = LANES.borrow(world.pages.image, world.company.tracked)
        lane.bind(world.pages)
        lane.trusted = True
        for sql in statements:
            lane.connection.execute(sql).fetchall()
        lane.trusted = False

    return ask


def over_sql(world: World, agent: Actor, asked: list[tuple[Request, str]]) -> float:
    """Return how much longer the requests take in total than the hand-written SQL."""
    theirs = ours = 0.0
    for request, condition in asked:

        def send(request: Request = request) -> None:
            reply = world.fork().send("zendesk", request, agent, "tools", turn=False)  # fork: views are rate-limited
            if reply.status != 200:
                raise RuntimeError(f"{request.path} answered {reply.status}: {reply.text[:300]}")

        one, other = compared_us(send, by_hand(world, condition), rounds=5, batch=4)
        ours, theirs = ours + one, theirs + other
    return ours / theirs


def measure() -> dict[str, Any]:
    """Measure episodes on the medium world, and its search and views relative to SQL."""
    world = open_world("larkspur", "medium")

    def found(tx: Tx) -> tuple[str, dict[str, int]]:
        agent = tx.first(User, "role = 'agent'")
        return (agent.email or "") if agent else "", {view.title: view.id for view in tx.all(DeskView, "active = 1")}

    email, views = world.read(found)
    agent, now = Actor("agent", email), int(world.now.timestamp() * 1_000_000)
    searches = [
        (Request("GET", "/api/v2/search.json", urlencode({"query": query, "per_page": PAGE})), condition)
        for query, condition in SEARCHES.items()
    ]
    listed = [
        (Request("GET", f"/api/v2/views/{views[title]}/execute.json", f"per_page={PAGE}"), condition.format(now=now))
        for title, condition in VIEWS.items()
        if title in views
    ]
    return {
        **episodes(),
        "search_over_sql": over_sql(world.fork(), agent, searches),
        "view_over_sql": over_sql(world.fork(), agent, listed),
    }
