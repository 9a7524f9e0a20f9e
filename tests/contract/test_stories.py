"""Stories that an app declares about itself: every step must succeed, or it is a fault."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from diorama.contract.check import declared
from diorama.contract.findings import Target
from diorama.contract.sample import Sampler
from diorama.contract.source import Unreadable
from diorama.contract.stage import find_app, world_of
from diorama.contract.story import Ask, Input, ReceiverAnswer, Story, run_story, stories_of
from diorama.kernel import Actor, Dice, Reply, Request, World

APP = find_app("zendesk")


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    targets = [Target(operation, None) for operation in declared(APP).operations.values()]
    return Sampler(world_of(APP), APP, targets, Dice("stories"), {("GET", "/api/v2/webhooks/{webhook_id}")})


@pytest.mark.parametrize("story", stories_of("zendesk"), ids=lambda story: story.about)
def test_every_story_runs_to_its_end(sampler: Sampler, story: Story) -> None:
    before = sampler.world.state
    run_story(sampler, story)
    assert not sampler.findings.invalid
    assert sampler.world.state == before, "it was lived on a fork"


def test_fields_seen_in_stories_count_as_seen(sampler: Sampler) -> None:
    for story in stories_of("zendesk"):
        run_story(sampler, story)
    seen = sampler.findings.seen["GET /api/v2/webhooks/{webhook_id}"]
    assert seen["webhook.authentication.type"] == {"string"}


def test_a_refused_step_is_a_fault_and_ends_the_story(sampler: Sampler) -> None:
    asks = [
        Ask("POST /api/v2/tickets", '{"ticket": {"comment": {"body": "Hello"}}}', keep={"ticket": "ticket.id"}),
        Ask("PUT /api/v2/tickets/<ticket>", '{"ticket": {"status": "nonsense"}}'),
        Ask("DELETE /api/v2/tickets/<ticket>"),
    ]
    run_story(sampler, Story("a ticket that goes nowhere", asks))
    [fault] = sampler.findings.invalid.values()
    assert (fault.operation, fault.status) == ("PUT /api/v2/tickets/{ticket_id}", 422)
    assert "a ticket that goes nowhere" in fault.message
    sampler.findings.invalid.clear()


def test_a_story_of_another_app_is_unreadable(sampler: Sampler) -> None:
    with pytest.raises(Unreadable, match="no operation answers GET /api/v9/moons"):
        run_story(sampler, Story("moons", [Ask("GET /api/v9/moons")]))


def lived(sampler: Sampler, *asks: Ask) -> list[Reply]:
    """Run a story to its end, and return its replies."""
    replies: list[Reply] = []
    ask = sampler.ask

    def heard(world: World, target: Target, request: Request, actors: Sequence[Actor] | None = None) -> Reply | None:
        reply = ask(world, target, request, actors)
        replies.extend([reply] if reply is not None else [])
        return reply

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampler, "ask", heard)
        run_story(sampler, Story("a short one", list(asks)))
    assert not sampler.findings.invalid
    return replies


def test_a_step_is_sent_as_the_person_it_names(sampler: Sampler) -> None:
    customer = '{"user": {"name": "Zoe", "email": "zoe@contract.example"}}'
    _, me, nobody = lived(
        sampler,
        Ask("POST /api/v2/users", customer, keep={"zoe": "user.email"}),
        Ask("GET /api/v2/users/me", by="<zoe>"),
        Ask("GET /api/v2/users/me"),
    )
    assert me.json()["user"]["email"] == "zoe@contract.example"
    assert nobody.json()["user"]["email"] == sampler.actors[0].name


def test_a_step_may_use_a_token_from_an_earlier_reply(sampler: Sampler) -> None:
    telephone = {"telephone": "oauth_clients.identifier=zendesk_support_ios"}
    asked = '{"token": {"client_id": <telephone>, "scopes": ["read"]}}'
    made, current = lived(
        sampler,
        Ask("POST /api/v2/oauth/tokens", asked, known=telephone, keep={"token": "token.full_token"}),
        Ask("GET /api/v2/oauth/tokens/current", bearer="<token>"),
    )
    assert current.json()["token"]["id"] == made.json()["token"]["id"]


def test_inputs_answers_and_waits_happen_before_a_step(sampler: Sampler) -> None:
    hook = (
        '{"webhook": {"name": "N", "endpoint": "https://n.example", "http_method": "POST", "request_format": "json", '
        '"status": "active", "subscriptions": ["zen:event-type:ticket.created"]}}'
    )
    mail = Input("receive_mail", {"sender_email": "zoe@contract.example", "subject": "Hello", "text": "It drips"})
    calls = Ask("GET /api/v2/webhooks/<hook>/invocations")
    _, sent, answered, late = lived(
        sampler,
        Ask("POST /api/v2/webhooks", hook, keep={"hook": "webhook.id"}),
        replace(calls, first=mail),
        replace(calls, heard=ReceiverAnswer(200, "Thanks")),
        replace(calls, first=mail, wait_seconds=3600),
    )
    assert [one["status"] for one in sent.json()["invocations"]] == ["pending"]
    assert [one["status"] for one in answered.json()["invocations"]] == ["success"]
    assert [one["status"] for one in late.json()["invocations"]] == ["failed", "success"], "nobody answered for an hour"


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (Ask("GET /api/v2/users/me", first=Input("rain")), "zendesk has no command rain"),
        (Ask("GET /api/v2/users/me", heard=ReceiverAnswer(200)), "nothing waits for a receiver"),
        (Ask("GET /api/v2/users/me", bearer="worthless"), "is not valid"),
        (Ask("GET /api/v2/users/<x>", known={"x": "users.email=nobody"}), "there is no users.email=nobody"),
        (Ask("GET /api/v2/users/<x>", known={"x": "moons.name=Io"}), "there is no moons.name=Io"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_an_invalid_step_is_unreadable(sampler: Sampler, ask: Ask, complaint: str) -> None:
    with pytest.raises(Unreadable, match=complaint):
        run_story(sampler, Story("impossible", [ask]))
