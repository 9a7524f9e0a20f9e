"""The crawl of the agent plane finds what it looks for."""

from typing import Any

from diorama.check.planes import CANARY, agents_cannot_reach_the_grader, crawl, plant, share
from diorama.episodes.episode import start
from diorama.scenarios import find, load_all

LATE_REFUND = find("zendesk/late-refund")


def test_the_crawl_finds_a_leak() -> None:
    episode = start(LATE_REFUND, 5)
    plant(episode)
    app: Any = episode.world.company.app(LATE_REFUND.apps[0])
    served = app.product.operations[share(LATE_REFUND, app.name)]
    first = next(one for one in served if one.role in ("user", "agent"))  # the agent is not an admin
    first.handler, kept = lambda tx, **named: {"oracle": CANARY}, first.handler
    try:
        assert any(CANARY in text for text in crawl(episode))
        problems = list(agents_cannot_reach_the_grader(LATE_REFUND))
    finally:
        first.handler = kept
    assert problems
    assert CANARY in problems[0]


def test_the_scenarios_of_an_app_cover_all_of_its_operations() -> None:
    count = 600
    covered = {
        number for one in load_all().values() if "zendesk" in one.apps for number in range(count)[share(one, "zendesk")]
    }
    assert covered == set(range(count))
