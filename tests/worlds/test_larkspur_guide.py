"""Larkspur's Help Center: enough to read, some of it wrong, all of it consistent."""

import pytest

from diorama.apps.zendesk.schema.help_center import Article, Translation, Vote
from diorama.apps.zendesk.schema.queues import Queue
from diorama.apps.zendesk.schema.skill_based_routing import HeldSkill
from diorama.kernel import Actor, Request, Tx, World
from diorama.worlds import open_world
from diorama.worlds.larkspur.catalogue import POLICIES


@pytest.fixture(scope="module")
def world() -> World:
    """Return the small company."""
    return open_world("larkspur", size="small", seed=0)


def test_there_are_thirty_articles_and_votes_add_up(world: World) -> None:
    def look(tx: Tx) -> None:
        articles = tx.all(Article)
        assert len(articles) >= 30
        for article in articles:
            votes = tx.all(Vote, "item_type = 'Article' AND item_id = ?", article.id)
            assert (article.vote_count, article.vote_sum) == (len(votes), sum(vote.value for vote in votes))
            assert article.created_at <= article.edited_at <= tx.now
            assert all(article.created_at <= vote.created_at <= tx.now for vote in votes)

    world.read(look)


def test_the_article_on_limits_matches_the_back_office(world: World) -> None:
    agent = next(policy for policy in POLICIES if policy.id == "agent")

    def look(tx: Tx) -> None:
        words = tx.first(Translation, "title = ?", "Refund and credit limits")
        stale = tx.first(Translation, "title = ?", "Refund limits (desk)")
        assert words is not None
        assert stale is not None
        assert f"Agents: up to {agent.refund_limit_cents // 100} EUR" in words.body
        assert f"agents up to {agent.credit_limit_cents // 100} EUR" in words.body
        assert f"{agent.refund_limit_cents // 100} EUR" not in stale.body

    world.read(look)


def test_customers_cannot_read_internal_articles(world: World) -> None:
    path = "/api/v2/help_center/articles/search.json"
    inside = world.send("zendesk", Request("GET", path, "query=limits"), Actor("agent", "ana@larkspur.coffee")).json()
    outside = world.send("zendesk", Request("GET", path, "query=limits"), Actor("anonymous", "")).json()
    assert {one["title"] for one in inside["results"]} >= {"Refund and credit limits", "Refund limits (desk)"}
    assert not {one["title"] for one in outside["results"]} & {"Refund and credit limits", "Refund limits (desk)"}


def test_colleagues_have_skills_and_the_last_queue_takes_all(world: World) -> None:
    def look(tx: Tx) -> None:
        assert tx.count(HeldSkill, "holder = 'agent'") >= 20
        assert tx.all(Queue, "", order="position")[-1].name == "Everything else"

    world.read(look)
