"""Stories that an app tells of itself: every step succeeds, and one that does not is a fault."""

import pytest

from diorama.kernel import Dice
from diorama.rollout.contract.check import declared
from diorama.rollout.contract.findings import Target
from diorama.rollout.contract.sample import Sampler
from diorama.rollout.contract.source import Unreadable
from diorama.rollout.contract.stage import find_app, world_of
from diorama.rollout.contract.story import Ask, Story, stories_of, tell

APP = find_app("zendesk")


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    targets = [Target(operation, None) for operation in declared(APP).operations.values()]
    return Sampler(world_of(APP), APP, targets, Dice("stories"), {("GET", "/api/v2/webhooks/{webhook_id}")})


@pytest.mark.parametrize("story", stories_of("zendesk"), ids=lambda story: story.about)
def test_a_story_can_be_lived_from_its_first_step_to_its_last(sampler: Sampler, story: Story) -> None:
    before = sampler.world.state
    tell(sampler, story)
    assert not sampler.findings.invalid
    assert sampler.world.state == before, "it was lived on a fork"


def test_what_stories_show_counts_as_seen(sampler: Sampler) -> None:
    for story in stories_of("zendesk"):
        tell(sampler, story)
    seen = sampler.findings.seen["GET /api/v2/webhooks/{webhook_id}"]
    assert seen["webhook.authentication.type"] == {"string"}


def test_a_step_that_is_refused_is_a_fault_and_ends_the_story(sampler: Sampler) -> None:
    asks = [
        Ask("POST /api/v2/tickets", '{"ticket": {"comment": {"body": "Hello"}}}', keep={"ticket": "ticket.id"}),
        Ask("PUT /api/v2/tickets/<ticket>", '{"ticket": {"status": "nonsense"}}'),
        Ask("DELETE /api/v2/tickets/<ticket>"),
    ]
    tell(sampler, Story("a ticket that goes nowhere", asks))
    [fault] = sampler.findings.invalid.values()
    assert (fault.operation, fault.status) == ("PUT /api/v2/tickets/{ticket_id}", 422)
    assert "a ticket that goes nowhere" in fault.message
    sampler.findings.invalid.clear()


def test_a_story_of_another_app_is_unreadable(sampler: Sampler) -> None:
    with pytest.raises(Unreadable, match="no operation answers GET /api/v9/moons"):
        tell(sampler, Story("moons", [Ask("GET /api/v9/moons")]))
