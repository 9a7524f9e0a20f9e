"""Looks of a desk: what counts is what stood in a reply."""

from diorama.episodes.episode import start
from diorama.scenarios import find
from tests.scenarios.planned import truth_of


def test_answering_a_ticket_does_not_count_as_reading_it() -> None:
    scenario = find("zendesk/hidden-need")
    episode = start(scenario, 0)
    look = next(one for one in scenario.looks if one.name == "ticket_was_read")
    ticket = {"ticket_id": truth_of(episode).ticket_id}
    seen = []
    for tool, arguments in (("zendesk_reply_to_ticket", {"body": "Hello!"}), ("zendesk_list_comments", {})):
        episode.call(tool, {**ticket, **arguments})
        own = [event for event in episode.events if event.actor.startswith("agent:")]
        seen.append(any(look.check(scenario, event, episode.truth) for event in own))
    assert seen == [False, True]
