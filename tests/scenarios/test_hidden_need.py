"""Hidden need: acting on the subject earns nothing, on the real need the full reward; doing both does not succeed."""

from functools import cache
from typing import Any

import pytest

from diorama.apps.backoffice.schema import Order, Replacement, Return, Shipment
from diorama.apps.zendesk.schema import Comment, Ticket
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.scenarios import find
from diorama.scenarios.anatomy import _sources
from diorama.scenarios.closing_form import closing
from diorama.scenarios.hidden_need import NeedTruth
from diorama.scenarios.hidden_need.plans import PLANS
from diorama.scenarios.hidden_need.words import CLAIMS, JUNK, OFFERS, SORTING, stamped
from diorama.scenarios.restless_subscription.scene import Step
from diorama.scenarios.unported.larkspur import REASONS
from diorama.scenarios.unported.words import stated

SCENARIO = find("zendesk/hidden-need")
OWN_CHEATS = (
    "does_what_the_subject_says",
    "does_both",
    "offers_everything",
    "guesses_and_says_so",
    "trusts_the_triggers",
)
MUST_ASK = ("gift_receipt", "only_anger")
LUCKY = ("wrong_suspect",)
"""Plans in which the trigger's tag happens to be right."""


@cache
def seeds() -> dict[str, int]:
    """Return a seed for every plan."""
    found: dict[str, int] = {}
    for number in range(400):
        if len(found) == len(PLANS):
            break
        found.setdefault(truth_of(start(SCENARIO, number)).plan, number)
    return found


def begin(plan: str) -> Episode:
    return start(SCENARIO, seeds()[plan])


def truth_of(episode: Episode) -> NeedTruth:
    truth = episode.truth
    assert isinstance(truth, NeedTruth)
    return truth


def ticket(episode: Episode) -> Ticket:
    number = truth_of(episode).ticket_id
    found: Ticket = episode.world.read(lambda tx: tx.get(Ticket, number))
    return found


def letters(episode: Episode) -> list[str]:
    number = truth_of(episode).ticket_id
    return [one.body for one in episode.world.read(lambda tx: tx.all(Comment, "ticket_id = ?", number, order="id"))]


def act(episode: Episode) -> str:
    """Look it up and do what is needed; return the number that this created."""
    hands = episode.hands
    SCENARIO._look(hands, episode.truth)  # type: ignore[attr-defined] # the oracle's own steps, one by one
    number: str = SCENARIO._act(hands, episode.truth)  # type: ignore[attr-defined] # the oracle's own steps, one by one
    return number


def close(episode: Episode, text: str, *, keep_tags: bool = False) -> Result:
    truth = truth_of(episode)
    episode.call("zendesk_list_comments", {"ticket_id": truth.ticket_id})
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": text})
    off = [] if keep_tags else list(truth.wrong_tags)
    form = {title: value for title, value in closing(truth).items() if not keep_tags or title != "Contact reason"}
    fields = {"ticket_id": truth.ticket_id, "remove_tags": off, "status": "solved", "fields": form}
    episode.call("zendesk_update_ticket", fields)
    return episode.finish()


def parts(result: Result) -> dict[str, float]:
    assert result.score is not None
    return {part.name: part.value for part in result.score.parts if part.scale == "episode"}


# --- every plan


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    episode = begin(plan)
    staged = episode.snapshot()
    SCENARIO.oracle(episode.hands, episode.truth)
    assert episode.finish().reward == 1.0
    for cheat in OWN_CHEATS:
        episode.restore(staged)
        SCENARIO.cheats[cheat](episode.hands, episode.truth)
        result = episode.finish()
        assert not result.success, cheat
        assert result.reward is not None
        assert result.reward < (0.1 if cheat == "does_what_the_subject_says" else 0.4), cheat


@pytest.mark.parametrize("plan", PLANS)
def test_triggers_tag_by_subject_and_are_mostly_wrong(plan: str) -> None:
    episode = begin(plan)
    found, truth = ticket(episode), truth_of(episode)
    assert set(found.tags) == set(truth.stamps) == set(stamped(found.subject))
    assert len(set(found.tags) & set(REASONS)) == 1
    assert (truth.reason in found.tags) == (plan in LUCKY)


@pytest.mark.parametrize("plan", PLANS)
def test_following_the_subject_earns_no_more_than_reading(plan: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    for step in truth.bait_steps:
        assert not episode.call(step.tool, step.arguments).is_error, step
    result = close(episode, truth.bait)
    assert parts(result)["problem_is_fixed"] == 0.0
    assert result.reward is not None
    assert result.reward < 0.1


@pytest.mark.parametrize("plan", [name for name in PLANS if name not in MUST_ASK])
def test_extra_acts_or_claims_make_it_fail(plan: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    answer = truth.answer.replace("{number}", act(episode))
    staged = episode.snapshot()
    assert close(episode, answer).success
    for kind, words in (("offers", OFFERS), ("bait", truth.bait)):
        if kind == "bait" and truth.bait_steps:
            continue
        episode.restore(staged)
        result = close(episode, f"{answer} {words}")
        assert not result.success, kind
        assert parts(result)["customer_knows"] == 0.0


@pytest.mark.parametrize("plan", [name for name in PLANS if name not in (*MUST_ASK, *LUCKY)])
def test_a_wrong_tag_must_be_replaced(plan: str) -> None:
    episode = begin(plan)
    answer = truth_of(episode).answer.replace("{number}", act(episode))
    result = close(episode, answer, keep_tags=True)
    assert not result.success
    assert parts(result)["reason_is_right"] == 0.0


@pytest.mark.parametrize("plan", [name for name in PLANS if name not in MUST_ASK])
def test_a_missing_step_or_a_wrong_amount_fails(plan: str) -> None:
    episode = begin(plan)
    staged, truth = episode.snapshot(), truth_of(episode)
    ways = [truth.steps[:at] + truth.steps[at + 1 :] for at in range(len(truth.steps))]
    for at, step in enumerate(truth.steps):
        for more in (-1, 1) if "amount_cents" in step.arguments else ():
            twisted = {**step.arguments, "amount_cents": step.arguments["amount_cents"] + more}
            ways.append((*truth.steps[:at], Step(step.tool, twisted), *truth.steps[at + 1 :]))
    for steps in ways:
        episode.restore(staged)
        episode.call("backoffice_get_customer", {"customer_id": truth.customer_id})
        for step in steps:
            episode.call(step.tool, step.arguments)
        assert not close(episode, truth.answer).success, steps


# --- plans with a fact that only the customer can give


@pytest.mark.parametrize("plan", MUST_ASK)
def test_guessing_without_asking_fails(plan: str) -> None:
    episode = begin(plan)
    result = close(episode, truth_of(episode).answer.replace("{number}", act(episode)))
    assert not result.success
    assert parts(result)["problem_is_fixed"] == 1.0
    assert parts(result)["customer_was_asked"] == 0.0


@pytest.mark.parametrize("plan", MUST_ASK)
@pytest.mark.parametrize(
    "question",
    [
        "What would you like us to do about it?",
        "Could you tell me in your own words what should happen now?",
        "Hello, how can I help, and is it about the goods or about the money?",
    ],
)
def test_the_customer_answers_any_wording_of_the_question(plan: str, question: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    assert truth.heard not in " ".join(letters(episode))
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": question})
    before = len(letters(episode))
    for _ in range(6):
        episode.call("wait", {"until": "notice", "minutes": 480})
        if len(letters(episode)) > before:
            break
    assert truth.heard in letters(episode)[-1]
    assert close(episode, truth.answer.replace("{number}", act(episode))).success


@pytest.mark.parametrize("wrong", ["refund", "store_credit", "replacement"])
def test_another_resolution_than_the_customers_fails(wrong: str) -> None:
    episode = begin("gift_receipt")
    (step,) = truth_of(episode).steps
    if wrong != step.arguments["resolution"]:
        episode.call(step.tool, {**step.arguments, "resolution": wrong})
        result = close(episode, truth_of(episode).answer)
        assert parts(result)["problem_is_fixed"] == 0.0
        assert parts(result)["something_else_was_done"] < 0


# --- what single plans are about


def test_the_parcel_arrived_and_was_paid_twice() -> None:
    episode = begin("bell_rang")
    number = truth_of(episode).order_number
    order = episode.world.read(lambda tx: tx.all(Order, "number = ?", number)[0])
    parcel = episode.world.read(lambda tx: tx.all(Shipment, "order_id = ?", order.id)[0])
    assert (order.status, parcel.status) == ("delivered", "delivered")
    assert "twice" not in " ".join(letters(episode)).lower()


def test_either_of_two_payments_may_be_refunded_but_not_both() -> None:
    episode = begin("bell_rang")
    truth = truth_of(episode)
    (due,), staged = truth.dues, episode.snapshot()
    for charges, well in ((due.charges[:1], True), (due.charges[1:], True), (due.charges, False)):
        episode.restore(staged)
        episode.call("backoffice_get_order", {"order": truth.order_number})
        for charge in charges:
            episode.call("backoffice_refund_charge", {"charge_id": charge, "reason": "duplicate"})
        assert close(episode, truth.answer).success is well, charges


def test_the_need_is_above_the_quoted_mail() -> None:
    episode = begin("old_thread")
    (letter,) = letters(episode)
    truth = truth_of(episode)
    assert truth.aim.sends is not None
    assert truth.aim.sends.serial in letter
    assert "is on its way to you with" in letter
    assert truth.facts["order_number"] not in letter


def test_a_forwarded_mail_contains_the_other_persons_words() -> None:
    episode = begin("forwarded_word")
    (letter,) = letters(episode)
    assert ticket(episode).subject.startswith("Fwd:")
    assert "From: " in letter
    assert truth_of(episode).requester in letter


def test_a_second_mail_can_withdraw_the_first() -> None:
    episode = begin("second_thoughts")
    truth = truth_of(episode)
    first, second = letters(episode)
    assert truth.facts["date"] not in first
    assert truth.facts["date"] in second
    cancel = truth.bait_steps[0]
    assert not episode.call(cancel.tool, cancel.arguments).is_error
    result = close(episode, truth.answer.replace("{number}", act(episode)))
    assert not result.success
    assert parts(result)["something_else_was_done"] < 0


def test_the_machine_that_is_blamed_is_left_alone() -> None:
    episode = begin("wrong_suspect")
    truth = truth_of(episode)
    (blame,) = truth.bait_steps
    assert truth.aim.sends is not None
    assert blame.arguments["serial_number"] in " ".join(letters(episode))
    assert truth.aim.sends.serial not in " ".join(letters(episode))
    before = episode.world.read(lambda tx: tx.count(Replacement, "customer_id = ?", truth.customer_id))
    number = act(episode)
    assert not episode.call(blame.tool, blame.arguments).is_error
    result = close(episode, truth.answer.replace("{number}", number))
    assert not result.success
    assert episode.world.read(lambda tx: tx.count(Replacement, "customer_id = ?", truth.customer_id)) == before + 2


def test_a_real_request_loses_its_spam_tag() -> None:
    episode = begin("reads_like_junk")
    truth = truth_of(episode)
    assert JUNK in ticket(episode).tags
    back = episode.world.read(lambda tx: tx.all(Return, "number = ?", truth.thing)[0])
    assert (back.status, back.condition) == ("received", "good")
    SCENARIO.oracle(episode.hands, truth)
    assert JUNK not in ticket(episode).tags


@pytest.mark.parametrize("split", ["train", "eval"])
def test_customers_write_in_their_own_language(split: str) -> None:
    told = {
        "de": ("Bestellung", "ich", "nie", "abgegeben"),
        "fr": ("commande",),
        "es": ("pedido",),
        "nl": ("bestelling", "Bestelling"),
    }
    seen = set()
    for seed in range(120):
        episode = start(SCENARIO, seed, split=split)
        truth = truth_of(episode)
        if truth.plan != "from_the_form":
            continue
        (letter,) = letters(episode)
        language = next(code for code, words in told.items() if any(word in letter for word in words))
        seen.add(language)
        assert "form" in ticket(episode).subject.lower()
        assert truth.order_number in letter
    assert len(seen) >= 2


def test_a_parcel_is_resent_only_after_the_carrier_gave_up() -> None:
    episode = begin("from_the_form")
    trace, reship = truth_of(episode).steps
    assert episode.call(reship.tool, reship.arguments).is_error
    assert not episode.call(trace.tool, trace.arguments).is_error
    episode.call("wait", {"minutes": 310})
    assert not episode.call(reship.tool, reship.arguments).is_error


# --- what counts as said


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("locked_out", "Hi! I've updated the address of {order}: it goes to {address}. Passwords I cannot reset here."),
        ("invoice_copy", "Dear customer, {order} will not be sent and you get {money} back. Invoices are on the site."),
        ("bell_rang", "You are right, {order} was paid two times; {money} went back to your card just now."),
        ("last_line", "So kind! Your {product} was left out of {order}, hence {money} are on the way to your card."),
        (
            "unsubscribe",
            "Your coffee plan has been stopped, no more bags and no more charges. The newsletter is yours.",
        ),
    ],
)
def test_the_truth_may_be_worded_differently(plan: str, text: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    act(episode)
    cents = truth.say_cents[0] if truth.say_cents else 0
    known: dict[str, Any] = {
        "order": truth.order_number,
        "address": truth.facts.get("address", ""),
        "product": truth.facts.get("product", ""),
        "money": f"€{cents / 100:.2f}",
    }
    result = close(episode, text.format(**known))
    assert (result.success, result.reward) == (True, 1.0), parts(result)


def test_offers_count_as_claims_and_denials_do_not() -> None:
    assert stated(OFFERS, CLAIMS) == set(CLAIMS)
    denials = (
        "We cannot reset your password. We have not sent the invoice. We did not remove you from the newsletter. "
        "We have not refunded anything. No voucher is due. We have not sent another parcel. The label is not attached. "
        "We have not cancelled your order. Your subscription is not cancelled. It is not paused. We never changed your "
        "address."
    )
    assert stated(denials, CLAIMS) == set()
    assert stated("We have removed you from the list, so no more mails will come.", CLAIMS) == {"newsletter"}


def test_triggers_set_only_known_tags() -> None:
    for _, words, tags in SORTING:
        assert words == words.lower()
        assert len(set(tags.split()) & set(REASONS)) == 1
        assert set(tags.split()) <= {*REASONS, JUNK}


def test_imported_scenario_modules_count_in_the_version() -> None:
    names = {path.parent.name + "/" + path.name for path in _sources(type(SCENARIO))}
    assert {"hidden_need/aims.py", "address_change/places.py", "restless_subscription/standing.py"} <= names
