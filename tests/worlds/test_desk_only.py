"""A company with a help desk and no back office: links, checks, profile and a scenario of its own."""

import subprocess
import sys

import msgspec
import pytest

from diorama import people
from diorama.apps import zendesk
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules.users import add_user
from diorama.apps.zendesk.schema import Comment, SatisfactionRating, Ticket, TicketSolved
from diorama.check.worlds import links_lead_to_apps_that_are_there
from diorama.episodes.episode import Episode, start
from diorama.kernel import Change, Company, Product, Tx
from diorama.people import Need, Persona
from diorama.rewards import View, fact
from diorama.scenarios.anatomy import Hands, Scenario, Stage
from diorama.worlds import open_world
from diorama.worlds.desk_checks import ANSWERED
from diorama.worlds.desk_links import DESK_LINKS
from diorama.worlds.links import LINKS
from diorama.worlds.profile import profile

AGENT = "mika@tea.example"
MODULES = ("worlds.desk_links", "worlds.desk_checks", "worlds.helpdesk", "worlds.profile")


def fill(tx: Tx, size: str) -> None:
    """Write an account, an agent and a customer."""
    people.set_up(tx, shop="Tea", shop_name="Tea Ltd", time_zone="Europe/Lisbon")
    seed.set_up(tx, "Tea", plan="suite_professional", time_zone="Europe/Lisbon", currency="EUR", locale="en-US")
    add_user(tx, name="Mika Holm", email=AGENT, role="agent", verified=True)
    add_user(tx, name="Bo Berg", email="bo@mail.example", role="end-user", verified=True)


COMPANY = Company("desk_only", [zendesk.app("tea"), DESK_LINKS], fill)


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """The ticket and who wrote it."""

    ticket_id: int
    requester: str


class OpeningHours(Scenario[Question]):
    """A customer asks when the shop is open."""

    name = "zendesk/opening-hours"
    world = "desk_only"
    apps = ("zendesk",)
    person = AGENT
    truth = Question

    def stage(self, stage: Stage) -> Question:
        """Let a customer write."""
        need = Need(name="answer", check=ANSWERED, args={"ticket": 1, "says": "Sunday"}, wish="When are you open?")
        persona = Persona(email="bo@mail.example", name="Bo Berg", needs=(need,), rates=1.0)
        persona = stage.do(people.add_persona, "system:people", persona)
        number = stage.do(_arrive, f"persona:{persona.email}", persona)
        return Question(ticket_id=number, requester=persona.email)

    def brief(self, truth: Question) -> str:
        """Return the task."""
        return f"You are Mika Holm, support agent at Tea. Take care of ticket #{truth.ticket_id}."

    @fact("responded", weight=1.0)
    def customer_was_told(self, view: View, truth: Question) -> bool:
        """The customer was told about Sunday."""
        said = view.tx.all(Comment, "ticket_id = ? AND public = 1", truth.ticket_id, order="id")
        return any("sunday" in one.body.lower() for one in said[1:])

    @fact("resolved", weight=1.0)
    def ticket_is_solved(self, view: View, truth: Question) -> bool:
        """The ticket is solved."""
        return view.tx.get(Ticket, truth.ticket_id).status == "solved"

    def allowed(self, tx: Tx, truth: Question, change: Change) -> bool:
        """Allow work at the desk."""
        return change.table.startswith("zendesk_")

    def oracle(self, hands: Hands, truth: Question) -> None:
        """Answer."""
        ticket = {"ticket_id": truth.ticket_id}
        hands.call("zendesk_get_ticket", ticket)
        hands.call("zendesk_reply_to_ticket", {**ticket, "body": "Hello Bo, on Sunday we are open from 9 to 17."})
        hands.call("zendesk_update_ticket", {**ticket, "status": "solved"})
        hands.call("finish", {"report": "Answered."})


def _arrive(tx: Tx, persona: Persona) -> int:
    text = "When are you open on Sunday?"
    number = desk.receive_mail(tx, persona.email, "Hours", text, sender_name=persona.name)
    people.expect_reply(tx, persona, "email", str(number), "Hours", (), text)
    return number


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


def test_solving_a_ticket_without_an_answer_does_not_pay(episode: Episode) -> None:
    episode.call("zendesk_update_ticket", {"ticket_id": 1, "status": "solved"})
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
