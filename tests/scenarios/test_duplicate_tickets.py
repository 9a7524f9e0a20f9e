"""Duplicate tickets: duplicates are merged, others are kept apart, and each debt is paid once."""

from contextlib import suppress
from typing import Any

import pytest

from diorama.apps.zendesk.schema import Ticket, User
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.people.schema import Conversation
from diorama.scenarios.desk_threads import STRANGER, ThreadPlan, ThreadTruth
from diorama.scenarios.duplicate_tickets import DuplicateTickets
from tests.scenarios.planned import OtherHands, Planned

DESK = Planned("zendesk/duplicate-tickets", ThreadTruth)
SCENARIO = DESK.scenario


def begin(plan: str) -> tuple[Episode, ThreadTruth]:
    episode = DESK.begin(plan)
    return episode, DESK.truth_of(episode)


class Merging(OtherHands):
    """An oracle's hands that merge other tickets, or into another one."""

    def __init__(self, hands: Any, merged: list[int], into: int) -> None:
        super().__init__(hands)
        self.merged, self.into = merged, into

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool; merge as it was said, before the first reply."""
        if tool == "zendesk_merge_tickets":
            return self.hands.call("zendesk_list_groups", {})
        if tool == "zendesk_reply_to_ticket" and self.merged:
            self.hands.call("zendesk_merge_tickets", {"into": self.into, "ticket_ids": self.merged})
            self.merged = []
        return self.hands.call(tool, arguments)


def merged(plan: str, tickets: list[int], into: int = 0) -> Result:
    """Return the result of an oracle that merges these tickets instead of the duplicates."""
    episode, truth = begin(plan)
    with suppress(RuntimeError):  # a closed ticket takes no reply
        SCENARIO.oracle(Merging(episode.hands, tickets, into or truth.ticket_id), truth)
    return episode.finish()


def failed(result: Result) -> set[str]:
    """Return the parts that did not hold."""
    assert result.success is False
    assert result.reward is not None
    assert result.reward <= 0.4
    assert result.score is not None
    return {part.name for part in result.score.parts if part.scale == "episode" and part.value <= 0}


def test_the_oldest_open_ticket_stays() -> None:
    _, truth = begin("same_twice")
    assert truth.asked in (truth.ticket_id, *truth.duplicates)
    assert truth.ticket_id < min(truth.duplicates)
    assert merged("same_twice", list(truth.duplicates)).success
    assert "duplicates_are_one" in failed(merged("same_twice", []))


def test_merging_into_the_newer_ticket_fails() -> None:
    episode, truth = begin("two_addresses")
    last = truth.duplicates[-1]
    episode.call("zendesk_merge_tickets", {"into": last, "ticket_ids": [truth.ticket_id]})
    assert "duplicates_are_one" in failed(episode.finish())


def test_similar_tickets_about_two_matters_are_not_merged() -> None:
    _, truth = begin("alike_but_two")
    assert not truth.duplicates
    assert len(truth.owed) == 2
    assert merged("alike_but_two", []).success
    assert "duplicates_are_one" in failed(merged("alike_but_two", [truth.also[0].ticket_id]))


def test_another_customers_similar_ticket_is_left_alone() -> None:
    episode, truth = begin("somebody_alike")
    [theirs] = [one for one in truth.drafts if one.mail.about == STRANGER]
    assert theirs.sender not in truth.addresses

    def ticket(tx: Any) -> int:
        author = tx.first(User, "email = ?", theirs.sender)
        return int(max(one.id for one in tx.all(Ticket, "requester_id = ?", author.id)))

    number = episode.world.read(ticket)
    found = failed(merged("somebody_alike", [*truth.duplicates, number]))
    assert "duplicates_are_one" in found
    assert any(name.startswith("damage: zendesk_") for name in found)


def test_a_solved_duplicate_may_be_merged_or_left() -> None:
    _, truth = begin("first_is_done_with")
    assert truth.solved_before
    assert max(truth.solved_before) < truth.ticket_id
    for tickets in (truth.duplicates, (*truth.duplicates, *truth.solved_before)):
        assert merged("first_is_done_with", list(tickets)).reward == 1.0


def test_answering_a_duplicate_too_costs() -> None:
    episode, truth = begin("same_twice")
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.duplicates[0], "body": "I am looking into it."})
    SCENARIO.oracle(episode.hands, truth)
    result = episode.finish()
    assert result.success
    assert result.reward is not None
    assert 0.9 < result.reward < 1.0


def test_both_matters_need_their_own_form_and_answer() -> None:
    episode, truth = begin("two_matters")
    names = {one.name for one in SCENARIO.facts_for(truth)}
    assert {"field_reason", "field_reason_2", "field_record", "field_record_2", "ticket_is_done_2"} <= names
    other = truth.also[0].ticket_id
    staged = episode.snapshot()

    class Silent(Merging):
        def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
            if tool == "zendesk_reply_to_ticket" and (arguments or {}).get("ticket_id") == other:
                arguments = {**(arguments or {}), "ticket_id": truth.ticket_id}
            return self.hands.call(tool, arguments)

    SCENARIO.oracle(Silent(episode.hands, [], 0), truth)
    assert "ticket_is_done_2" in failed(episode.finish())
    episode.restore(staged)
    SCENARIO.oracle(episode.hands, truth)
    assert episode.finish().reward == 1.0


def test_the_last_mail_counts() -> None:
    episode, truth = begin("never_mind")
    assert not truth.owed
    charge = episode.call("backoffice_list_records", {"kind": "charges", "customer_id": truth.customer_id}).data
    asked = {"charge_id": charge["data"][0]["id"], "reason": "not_received", "amount_cents": 100}
    assert not episode.call("backoffice_refund_charge", asked).is_error
    SCENARIO.oracle(episode.hands, truth)
    assert any(name.startswith("damage") for name in failed(episode.finish()))
    twins = {plan.name: plan for plan in DuplicateTickets.plans if isinstance(plan, ThreadPlan)}
    for ending in ("_as_credit", "_again"):
        twin, plan = twins[f"same_twice{ending}"], twins["same_twice"]
        assert (twin.past, twin.mails[0]) == (plan.past, plan.mails[0])
        assert twin.mails[-1] != plan.mails[-1]


@pytest.mark.parametrize("plan", ["two_addresses", "first_is_done_with", "alike_but_two"])
def test_the_customer_waits_only_in_the_tickets_that_stay(plan: str) -> None:
    episode, truth = begin(plan)
    kept = {str(truth.ticket_id), *(str(one.ticket_id) for one in truth.also)}

    def waiting(tx: Any) -> dict[str, str]:
        found = tx.all(Conversation, "channel = 'email'")
        return {one.thread: one.state for one in found if one.thread in map(str, truth.tickets)}

    found = episode.world.read(waiting)
    assert set(found) == set(map(str, truth.tickets))
    assert {thread for thread, state in found.items() if state == "waiting"} == kept


def test_every_own_address_is_in_the_account() -> None:
    for seed in range(12):
        episode = start(SCENARIO, seed)
        truth = episode.truth
        shown = episode.call("backoffice_get_customer", {"customer_id": truth.customer_id}).text
        assert all(address in shown for address in truth.addresses)


def test_a_merge_into_a_solved_ticket_is_refused_at_once() -> None:
    episode = start(SCENARIO, 0)
    truth = DESK.truth_of(episode)
    first, second = truth.tickets[:2]
    fields = {"Contact reason": "reason_other", "Resolution": "done_answered", "Record": "LK-1"}
    episode.call("zendesk_update_ticket", {"ticket_id": first, "status": "solved", "fields": fields})
    answer = episode.call("zendesk_merge_tickets", {"into": first, "ticket_ids": [second]})
    assert answer.is_error
    assert f"Ticket {first}: is solved and takes no merge" in answer.text
