"""Hidden need: the subject misleads, and only what the customer needs counts."""

import pytest

from diorama.apps.backoffice.schema import Order, Subscription
from diorama.apps.zendesk.schema import Comment, Ticket, Trigger
from diorama.scenarios.desk import DeskTruth
from diorama.scenarios.desk_letters import LetterPlan
from diorama.scenarios.hidden_need import JUNK, OTHER_LANGUAGES, HiddenNeed
from diorama.worlds.larkspur.closing import FORM
from tests.scenarios.planned import Planned, mail, rows, truth_of

NEED = Planned("zendesk/hidden-need", DeskTruth)
PLANS = {plan.name: plan for plan in HiddenNeed.plans}


def test_triggers_set_only_known_tags() -> None:
    for _, words, tags in HiddenNeed.sorting:
        assert words == words.lower()
        assert len(set(tags.split()) & set(FORM.tags)) == 1
        assert set(tags.split()) <= {*FORM.tags, JUNK}


def test_every_subject_is_tagged_by_a_trigger() -> None:
    for plan in HiddenNeed.plans:
        for subject in plan.subjects:
            known = (words.split() for _, words, _ in HiddenNeed.sorting)
            assert any(word in subject.lower() for words in known for word in words) or "mailing" in subject, subject


def test_the_triggers_are_older_than_the_case_and_in_order() -> None:
    episode = NEED.begin("unsubscribe")
    made = rows(episode, Trigger, "title LIKE 'Sort by subject%'")
    moments = [one.created_at for one in sorted(made, key=lambda one: one.id)]
    assert len(made) == len(HiddenNeed.sorting)
    assert moments == sorted(moments)
    assert (episode.world.now - moments[-1]).days >= 299


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("locked_out", "locked_out_too_late"), ("invoice_copy", "invoice_copy_too_late"),
        ("old_thread", "old_thread_over"), ("last_line", "last_line_paid"), ("final_notice", "final_notice_paid"),
        ("unsubscribe", "unsubscribe_over"), ("moka_skip", "moka_over"), ("wrong_suspect", "wrong_suspect_over"),
        ("from_the_form_for_money", "from_the_form_paid"), ("bell_rang", "bell_rang_two_orders"),
    ],
)  # fmt: skip
def test_equal_letters_have_different_records(one: str, other: str) -> None:
    assert PLANS[one].letter == PLANS[other].letter
    assert list(PLANS[one].past) != list(PLANS[other].past)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("unsubscribe", "unsubscribe_for_a_while"), ("unsubscribe", "moka_grind"), ("moka_skip", "forwarded_grind"),
        ("last_line", "last_line_as_credit"), ("first_thoughts", "second_thoughts"),
        ("from_the_form", "from_the_form_for_money"), ("bell_rang", "bell_rang_as_credit"),
    ],
)  # fmt: skip
def test_equal_records_have_different_letters(one: str, other: str) -> None:
    first, second = PLANS[one], PLANS[other]
    assert isinstance(first, LetterPlan)
    assert isinstance(second, LetterPlan)
    assert list(first.past) == list(second.past)
    assert [*first.letter, *first.then] != [*second.letter, *second.then]


@pytest.mark.parametrize(
    ("one", "other"), [("gift_for_money", "gift_for_credit"), ("anger_for_money", "anger_about_coffee")]
)
def test_only_the_answer_to_a_question_decides(one: str, other: str) -> None:
    first, second = PLANS[one], PLANS[other]
    assert (list(first.past), list(first.letter)) == (list(second.past), list(second.letter))
    assert list(first.retort) != list(second.retort)
    assert first.owed != second.owed


def test_a_guess_before_the_answer_costs_success() -> None:
    episode = NEED.begin("gift_for_credit")
    due = truth_of(episode).owed[0]
    wanted = dict(due.to or {})
    guess = {"order_id": due.subjects[0], **wanted, "quantity": int(wanted["quantity"]), "resolution": "refund"}
    assert not episode.call("backoffice_open_return", guess).is_error
    assert not NEED.then_the_oracle(episode).success


def test_cancelling_what_the_second_mail_keeps_costs_success() -> None:
    episode = NEED.begin("second_thoughts")
    truth = truth_of(episode)
    order = rows(episode, Order, "number = ?", truth.order_number)[0]
    episode.call("backoffice_cancel_order", {"order_id": order.id})
    assert not NEED.then_the_oracle(episode).success


def test_the_second_mail_stands_in_the_same_ticket() -> None:
    episode = NEED.begin("second_thoughts")
    number = truth_of(episode).ticket_id
    said = rows(episode, Comment, "ticket_id = ?", number)
    assert len(said) == 2
    assert said[0].author_id == said[1].author_id
    assert truth_of(episode).opening in said[1].body


@pytest.mark.parametrize("plan", ["forwarded_grind", "forwarded_skip"])
def test_a_forwarded_mail_is_another_persons(plan: str) -> None:
    episode = NEED.begin(plan)
    text = mail(episode)
    assert truth_of(episode).requester in text
    assert rows(episode, Ticket, "id = ?", truth_of(episode).ticket_id)[0].subject.startswith("Fwd: ")


def test_the_junk_mark_has_to_come_off(monkeypatch: pytest.MonkeyPatch) -> None:
    episode = NEED.begin("final_notice")
    staged, number = episode.snapshot(), truth_of(episode).ticket_id
    assert JUNK in rows(episode, Ticket, "id = ?", number)[0].tags
    assert NEED.then_the_oracle(episode).success
    episode.restore(staged)
    monkeypatch.setattr(HiddenNeed, "filing", lambda self, clerk, truth: {})
    result = NEED.then_the_oracle(episode)
    assert not result.success
    assert result.score is not None
    assert "not_marked_as_junk" in {part.name for part in result.score.parts if part.value <= 0}


@pytest.mark.parametrize("plan", ["from_the_form", "from_the_form_for_money", "from_the_form_paid"])
def test_the_form_is_filled_in_by_customers_of_other_languages(plan: str) -> None:
    episode = NEED.begin(plan)
    text = mail(episode).lower()
    assert PLANS[plan].languages == OTHER_LANGUAGES
    assert " the " not in text
    assert NEED.then_the_oracle(episode).success


def test_a_plan_that_should_rest_is_not_cancelled() -> None:
    episode = NEED.begin("unsubscribe_for_a_while")
    plan = truth_of(episode).owed[0].subjects[0]
    episode.call("backoffice_change_subscription", {"subscription_id": plan, "action": "cancel"})
    result = NEED.then_the_oracle(episode)
    assert rows(episode, Subscription, "id = ?", plan)[0].status == "cancelled"
    assert not result.success


@pytest.mark.parametrize("plan", ["locked_out", "unsubscribe", "last_line", "final_notice", "moka_skip"])
def test_answering_the_subject_does_not_pay(plan: str) -> None:
    episode = NEED.begin(plan)
    NEED.scenario.cheats["answers_the_subject"](episode.hands, episode.truth)
    result = episode.finish()
    assert not result.success
    assert (result.reward or 0.0) <= 0.2
