"""A company with a help desk and no back office: links, checks, profile and a scenario of its own."""

import subprocess
import sys
from typing import ClassVar

import pytest

from diorama import people
from diorama.apps import zendesk
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules.users import add_user
from diorama.apps.zendesk.schema import SatisfactionRating, TicketSolved, User
from diorama.check.worlds import links_lead_to_apps_that_are_there
from diorama.episodes.episode import Episode, start
from diorama.kernel import Company, Product, Tx
from diorama.people import Need
from diorama.scenarios.anatomy import Hands, Stage
from diorama.scenarios.unported.desk import DeskScenario, DeskTruth, bring_to_life, close, read, written
from diorama.worlds import open_world
from diorama.worlds.desk_checks import ANSWERED
from diorama.worlds.desk_links import DESK_LINKS
from diorama.worlds.links import LINKS
from diorama.worlds.profile import profile

AGENT = "mika@tea.example"
MODULES = ("worlds.desk_links", "worlds.desk_checks", "worlds.helpdesk", "worlds.profile", "scenarios.unported.desk")


def fill(tx: Tx, size: str) -> None:
    """Write an account, an agent and a customer."""
    people.set_up(tx, shop="Tea", shop_name="Tea Ltd", time_zone="Europe/Lisbon")
    seed.set_up(tx, "Tea", plan="suite_professional", time_zone="Europe/Lisbon", currency="EUR", locale="en-US")
    add_user(tx, name="Mika Holm", email=AGENT, role="agent", verified=True)
    add_user(tx, name="Bo Berg", email="bo@mail.example", role="end-user", verified=True)


COMPANY = Company("desk_only", [zendesk.app("tea"), DESK_LINKS], fill)


class OpeningHours(DeskScenario[DeskTruth]):
    """A customer asks when the shop is open."""

    name = "zendesk/opening-hours"
    world = "desk_only"
    person = AGENT
    agent = "Mika Holm"
    shop = "Tea"
    reasons = ("question", "complaint")
    first_reply_hours = 8.0
    phases: ClassVar[tuple[str, ...]] = ("opened", "classified", "responded", "resolved")
    truth = DeskTruth

    def stage(self, stage: Stage) -> DeskTruth:
        """Let a customer write."""
        customer = stage.read(lambda tx: tx.first(User, "email = 'bo@mail.example'"))
        need = Need(name="answer", check=ANSWERED, args={"ticket": 1, "says": "Sunday"}, wish="When are you open?")
        persona = bring_to_life(stage, customer, [need], {})
        ticket = written(stage, persona, "Hours", ["When are you open on Sunday?"])
        return DeskTruth(
            plan="sunday", ticket_id=ticket, requester=persona.email, reason="question", say=(("sunday",),)
        )

    def oracle(self, hands: Hands, truth: DeskTruth) -> None:
        """Answer."""
        read(hands, truth)
        close(hands, truth, "Hello Bo, on Sunday we are open from 9 to 17.")


@pytest.fixture
def episode() -> Episode:
    """Start the scenario at the company."""
    return start(OpeningHours(), company=COMPANY)


def test_every_product_of_links_brings_the_people_it_talks_to() -> None:
    for links in (DESK_LINKS, LINKS):
        assert people.APP in links.needed
    assert people.APP in [app.product for app in COMPANY.apps]
    assert list(links_lead_to_apps_that_are_there(COMPANY)) == []


def test_a_desk_scenario_needs_no_back_office(episode: Episode) -> None:
    assert "back office" not in episode.brief
    episode.scenario.oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert (result.success, result.fault) == (True, None)
    rated = episode.world.read(lambda tx: tx.count(SatisfactionRating, "score = 'good'"))
    assert rated == 1, "the customer read the answer and rated it"


@pytest.mark.parametrize("cheat", ["marks_it_solved", "pleases_without_the_deed", "closes_everything"])
def test_the_cheats_of_a_desk_do_not_pay(cheat: str, episode: Episode) -> None:
    getattr(episode.scenario, cheat)(episode.hands, episode.truth)
    assert episode.finish().success is False


def test_the_profile_of_a_desk_needs_no_back_office() -> None:
    assert profile(open_world(COMPANY)).tickets == 0


def test_desk_modules_do_not_import_the_back_office() -> None:
    code = "; ".join(f"import diorama.{name}" for name in MODULES)
    code += "; import sys; print([name for name in sys.modules if 'backoffice' in name])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_links_of_a_shop_include_those_of_a_desk() -> None:
    desk = {(one.notice, one.handler) for one in DESK_LINKS.subscriptions}
    assert desk < {(one.notice, one.handler) for one in LINKS.subscriptions}
    with pytest.raises(ValueError, match="two apps of the same name"):
        COMPANY.extended(LINKS)


def test_a_product_includes_reactions_and_nothing_else() -> None:
    mine = Product("links", control=True)
    mine.include(DESK_LINKS)
    assert [one.app for one in mine.subscriptions if one.notice is TicketSolved] == ["links"]
    with pytest.raises(ValueError, match="can include only reactions to notices; zendesk has more"):
        mine.include(zendesk.APP)
