"""A company that has a help desk and no back office: plans work there, too."""

from collections.abc import Sequence
from typing import Any

import pytest

from diorama import people
from diorama.apps.zendesk import app
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.users import add_user
from diorama.apps.zendesk.seed import set_up
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Company, Tx
from diorama.scenarios.cast import amount
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.desk import DeskScenario, DeskTruth
from diorama.scenarios.past import Step
from diorama.scenarios.past_promises import drawn, published
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import (
    ANSWERED,
    ARTICLE,
    HANDED_OVER,
    NO_REASON,
    RESOLUTIONS,
    ClosingForm,
    Reason,
    ReasonRule,
    add_closing_form,
    publish,
)
from diorama.worlds.desk_links import DESK_LINKS
from tests.scenarios.planned import OtherHands

AGENT, LEAD = "mika.holm@lanes.example", "ruth.lead@lanes.example"
MAILS = tuple((f"Question {number}", "Hello, when do you open on Sunday? Thank you.") for number in range(12))
FORM = ClosingForm(
    currency="EUR",
    reasons=(
        Reason(value="reason_prices", name="Prices", sources=("customer",)),
        Reason(value="reason_anything", name="Anything else", sources=("customer",)),
    ),
    reason_rules=(
        ReasonRule(fact="price", when="It is about what something costs.", reason="reason_prices", example="Shoes."),
        ReasonRule(fact=NO_REASON, when="Anything else.", reason="reason_anything", example="A lost glove."),
    ),
    resolutions=tuple(one for one in RESOLUTIONS if one.value in (ANSWERED, HANDED_OVER)),
)


def fill(tx: Tx, size: str) -> None:
    """Write what the company has at its starting moment."""
    set_up(tx, "Nine Lanes", plan="suite_professional", time_zone="Europe/Lisbon", currency="EUR", locale="en-US")
    add_user(tx, name="Mika Holm", email=AGENT, role="agent", verified=True)
    lead = add_user(tx, name="Ruth Lead", email=LEAD, role="admin", verified=True)
    for number in range(40):
        receive_mail(tx, f"guest{number}@example.org", f"Question {number}", "Hello, where do I park my car?")
    add_closing_form(tx, FORM)
    publish(tx, FORM, lead)


LANES = Company(
    "lanes", [app("lanes"), people.APP, DESK_LINKS], fill, title="Nine Lanes", sizes={"small": "40 tickets"}
)
SHOES, LANE = (250, 300, 350, 400), (1900, 2100, 2300)


def prices(body: str) -> Step:
    """Publish this season's prices."""
    return published("Prices of this season", body, (3, 40), beside=ARTICLE, author=LEAD)


PAST = [drawn(shoes=SHOES, lane=LANE), prices("<p>Shoes {shoes}, a lane {lane} an hour.</p>")]


class Lanes(DeskScenario):
    """A guest asks what something costs, or something that only the lead can answer."""

    name = "zendesk/lanes"
    world = "lanes"
    apps = ("zendesk",)
    person = AGENT
    agent = "Mika Holm"
    shop = "Nine Lanes (bowling)"
    currency = "EUR"
    form = FORM
    colleagues = (LEAD,)
    lead = LEAD
    subjects = ("Question", "a question", "Hello")
    everyday = ()
    small_talk = MAILS
    plans = (
        Plan(
            "shoes",
            past=PAST,
            letter=["what do I pay for the shoes?", "[We are four.|We come on Friday.]"],
            facts=["price"],
            resolution=(ANSWERED,),
            tell=[amount("shoes")],
            reply="The shoes cost {shoes}.",
            about="",
        ),
        Plan(
            "lane",
            past=PAST,
            letter=["what does a lane cost for an hour?", "[We are four.|We come on Friday.]"],
            facts=["price"],
            resolution=(ANSWERED,),
            tell=[amount("lane")],
            reply="A lane costs {lane} an hour.",
            about="",
        ),
        Plan(
            "sponsor",
            past=PAST,
            letter=["would you sponsor our club?", "[We are forty.|We have played for ten years.]"],
            facts=[NO_REASON],
            hand_over="lead",
            reply="My colleague decides that and has your mail now.",
            about="",
        ),
    )

    def study(self, clerk: Clerk, truth: DeskTruth) -> None:
        """Read the prices."""
        clerk.try_("zendesk_search_help_center", query="prices")


SCENARIO = Lanes()


def begin(plan: str) -> Episode:
    """Start an episode of a plan."""
    return next(one for seed in range(60) if (one := start(SCENARIO, seed, company=LANES)).truth.plan == plan)


def solved(episode: Episode, hands: Any = None) -> Result:
    """Let the oracle work, perhaps with other hands."""
    SCENARIO.oracle(hands or episode.hands, episode.truth)
    return episode.finish()


class Saying(OtherHands):
    """An oracle's hands that say something else."""

    def __init__(self, hands: Any, change: Sequence[str]) -> None:
        super().__init__(hands)
        self.change = change

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool; replace a part of a reply."""
        given = dict(arguments or {})
        if "body" in given:
            given["body"] = given["body"].replace(*self.change)
        return self.hands.call(tool, given)


@pytest.mark.parametrize("plan", [one.name for one in Lanes.plans])
def test_the_oracle_wins_without_a_back_office(plan: str) -> None:
    episode = begin(plan)
    assert "back office" not in episode.brief
    result = solved(episode)
    assert (result.success, result.reward) == (True, 1.0), result.score
    assert result.score is not None
    assert "records_were_read" not in {part.name for part in result.score.parts}


def test_a_wrong_price_costs_success() -> None:
    episode = begin("shoes")
    true = f"{episode.truth.tell[0].text} EUR"
    result = solved(episode, Saying(episode.hands, (true, "9.99 EUR")))
    assert result.success is False
    assert result.score is not None
    assert any(part.name == "nothing_false_was_said" and "9.99" in part.found for part in result.score.parts)


def test_a_false_promise_costs_success_at_the_desk_too() -> None:
    episode = begin("lane")
    extra = "I have refunded 20.00 EUR to your card. A lane costs"
    assert solved(episode, Saying(episode.hands, ("A lane costs", extra))).success is False


def test_no_cheat_pays_and_doing_nothing_earns_nothing() -> None:
    for plan in ("shoes", "sponsor"):
        episode = begin(plan)
        staged = episode.snapshot()
        for cheat in SCENARIO.cheats.values():
            episode.restore(staged)
            cheat(episode.hands, episode.truth)
            result = episode.finish()
            assert (result.success, (result.reward or 0.0) <= 0.4) == (False, True), cheat
        episode.restore(staged)
        assert episode.finish().reward == 0.0
