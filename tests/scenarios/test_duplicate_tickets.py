"""Duplicate tickets: duplicates are merged, others are kept apart, and each debt is paid once."""

import pytest

from diorama.apps.zendesk.schema import Ticket, User
from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.kernel import Tx
from diorama.scenarios.closing_form import closing
from diorama.scenarios.duplicate_tickets import DuplicateTruth
from diorama.scenarios.duplicate_tickets.plans import PLANS
from tests.scenarios.variants import Variants, parts

GAME = Variants("zendesk/duplicate-tickets", DuplicateTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of
OWN_CHEATS = ("tidies_up_only", "answers_every_mail_alone", "merges_every_open_ticket")


def settle(episode: Episode, into: int, merged: list[int]) -> Result:
    """Refund, merge as given, then answer and solve everything that is still open."""
    truth = truth_of(episode)
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    for due in truth.dues:
        episode.call(
            "backoffice_refund_charge",
            {"charge_id": due.charges[-1], "reason": "goodwill", "amount_cents": due.cents},
        )
    if merged:
        episode.call("zendesk_merge_tickets", {"into": into, "ticket_ids": merged})
    for one, answer in zip(truth.matters, truth.answers, strict=True):
        number = into if one is truth else one.ticket_id
        episode.call("zendesk_reply_to_ticket", {"ticket_id": number, "body": answer})
        fields = {"ticket_id": number, "status": "solved", "fields": closing(one)}
        episode.call("zendesk_update_ticket", fields)
    return episode.finish()


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    GAME.only_honesty_pays(plan, OWN_CHEATS, below=0.5)


def test_the_oldest_open_ticket_must_stay() -> None:
    episode = begin("same_twice")
    truth = truth_of(episode)
    assert truth.ticket_id < min(truth.duplicates)
    last = truth.duplicates[-1]
    result = settle(episode, last, [truth.ticket_id, *truth.duplicates[:-1]])
    assert result.success is False
    assert parts(result)["duplicates_are_one"] == 0.0
    assert parts(result)["problem_is_fixed"] == 1.0


def test_similar_tickets_about_two_matters_are_not_merged() -> None:
    episode = begin("alike_but_two")
    truth = truth_of(episode)
    staged = episode.snapshot()
    assert not truth.duplicates
    other = truth.also[0].ticket_id
    assert settle(episode, truth.ticket_id, []).success is True
    episode.restore(staged)
    result = settle(episode, truth.ticket_id, [other])
    assert result.success is False
    assert parts(result)["strangers_were_merged"] == -1.0


def test_another_customers_similar_ticket_is_left_alone() -> None:
    episode = begin("somebody_alike")
    truth = truth_of(episode)
    [stranger] = set(range(truth.ticket_id, truth.duplicates[-1] + 1)) - {truth.ticket_id, *truth.duplicates}

    def whose(tx: Tx) -> str | None:
        return tx.get(User, tx.get(Ticket, stranger).requester_id).email

    assert episode.world.read(whose) not in truth.addresses
    result = settle(episode, truth.ticket_id, [*truth.duplicates, stranger])
    assert result.success is False
    assert parts(result)["strangers_were_merged"] == -1.0


def test_closing_a_duplicate_does_not_count_as_merging_it() -> None:
    episode = begin("two_addresses")
    truth = truth_of(episode)
    for duplicate in truth.duplicates:
        form = {"Contact reason": truth.reason, "Resolution": "done_nothing"}
        fields = {"ticket_id": duplicate, "add_tags": ["closed_by_merge"], "status": "solved", "fields": form}
        episode.call("zendesk_update_ticket", fields)
    result = settle(episode, truth.ticket_id, [])
    assert result.success is False
    assert parts(result)["duplicates_are_one"] == 0.0


def test_a_solved_duplicate_may_be_merged_or_left() -> None:
    episode = begin("first_is_done_with")
    truth = truth_of(episode)
    staged = episode.snapshot()
    for merged in (truth.duplicates, (*truth.duplicates, *truth.optional_duplicates)):
        episode.restore(staged)
        assert settle(episode, truth.ticket_id, list(merged)).reward == 1.0


def test_answering_duplicates_twice_costs() -> None:
    episode = begin("unknown_address")
    truth = truth_of(episode)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.duplicates[0], "body": "Hello, I am looking into it."})
    result = settle(episode, truth.ticket_id, list(truth.duplicates))
    assert result.success is True
    assert parts(result)["answered_once"] == 0.5
    assert result.reward is not None
    assert result.reward < 1.0


def test_the_last_mails_correction_counts() -> None:
    episode = begin("only_a_part")
    truth = truth_of(episode)
    charge = truth.dues[0].charges[0]
    episode.call("backoffice_refund_charge", {"charge_id": charge, "reason": "goodwill"})
    result = settle(episode, truth.ticket_id, list(truth.duplicates))
    assert result.success is False
    assert parts(result)["money_was_paid_wrongly"] == -1.0
