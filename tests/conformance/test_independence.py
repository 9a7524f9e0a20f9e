"""Law 8: adding an app, or a link into an app that a scenario does not use, changes no reward."""

from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from diorama.apps import backoffice, zendesk
from diorama.episodes.episode import start
from diorama.kernel import Company, Notice, Product, Record, Tx, counter
from diorama.scenarios import Scenario, load_all
from diorama.worlds import company_of

SCENARIOS = load_all()
SEEDS = (0, 1)


@cache
def with_a_chatty_neighbour(world: str) -> Company:
    """Return a company with one more app that reacts to every notice: at once, a little later, and much later."""
    company = company_of(world)
    chat = Product("chatter", title="Chatter")

    @chat.record("lines", ids=counter(1))
    class Line(Record):
        """One line of chat about something that happened."""

        text: str

    links = Product("chatter_links", control=True)
    kinds = {s.notice for app in company.apps for s in app.product.subscriptions}
    for app in company.apps:
        kinds |= set(app.product.wakers)
    for kind in sorted(kinds, key=lambda kind: (kind.__module__, kind.__name__)):
        for place, delay in enumerate((None, timedelta(seconds=1), timedelta(hours=5))):

            def react(tx: Tx, notice: Notice) -> None:
                tx.add(Line(text=repr(notice)[:200]))
                tx.dice("chatter", tx.count(Line)).word()

            react.__name__ = f"{kind.__name__}_{place}"
            links.on(kind, after=delay)(react)
    return company.extended(chat, links)


def played(scenario: Scenario[Any], seed: int, agent: str, company: Company | None) -> tuple[Any, ...]:
    """Return what one attempt earned, part by part."""
    episode = start(scenario, seed, company=company)
    if agent == "oracle":
        scenario.oracle(episode.hands, episode.truth)
    else:
        scenario.cheats[agent](episode.hands, episode.truth)
    result = episode.finish()
    assert result.score is not None, result.fault
    parts = [(part.name, part.scale, part.value) for part in result.score.parts if part.scale != "step"]
    return result.success, result.reward, result.turns, parts


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_app_that_reacts_to_everything_changes_no_reward(name: str) -> None:
    scenario = SCENARIOS[name]
    company = with_a_chatty_neighbour(scenario.world)
    for seed in SEEDS:
        for agent in ("oracle", *scenario.cheats):
            alone, beside = played(scenario, seed, agent, None), played(scenario, seed, agent, company)
            assert alone == beside, f"{agent} on seed {seed}"


def test_the_reacting_app_really_writes_rows() -> None:
    scenario = SCENARIOS["zendesk/late-refund"]
    episode = start(scenario, 0, company=with_a_chatty_neighbour(scenario.world))
    scenario.oracle(episode.hands, episode.truth)
    episode.finish()
    writers = {change.by for event in episode.events for change in event.changes if change.table == "chatter_lines"}
    assert len(writers) > 3
    assert not writers & {zendesk.APP.name, backoffice.APP.name}
