"""Two companies with the same products in one process: hosts, ids, zones, currencies and names are each their own."""

from __future__ import annotations

import re
from datetime import timedelta

import msgspec
import pytest

from diorama import people
from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.zendesk import seed as desk_seed
from diorama.apps.zendesk.rules import account
from diorama.apps.zendesk.schema import Ticket
from diorama.episodes.episode import start
from diorama.kernel import Actor, Request, Tx, World
from diorama.kit.app import App
from diorama.people import settings as people_settings
from diorama.scenarios import find
from diorama.worlds import open_world

NAMES = {
    "larkspur": re.compile(r"larkspur|\bLK-\d", re.IGNORECASE),
    "kittiwake": re.compile(r"kittiwake|\bKW-\d", re.IGNORECASE),
}
"""What only one company's rows and replies may contain."""
OTHER = {"larkspur": "kittiwake", "kittiwake": "larkspur"}
PEOPLE = {"larkspur": "ana@larkspur.coffee", "kittiwake": "elise@kittiwake.ca"}
PATHS = (
    "/api/v2/tickets.json?page[size]=5",
    "/api/v2/users/me.json",
    "/api/v2/brands.json",
    "/api/v2/account/settings.json",
    "/api/v2/macros.json",
    "/api/v2/triggers.json",
    "/api/v2/views.json",
    "/api/v2/groups.json",
    "/api/v2/ticket_fields.json",
    "/api/v2/ticket_forms.json",
    "/api/v2/help_center/articles.json",
    "/api/v2/search.json?query=type:ticket",
    "/api/v2/recipient_addresses.json",
    "/api/v2/business_hours/schedules.json",
)


@pytest.fixture(scope="module")
def worlds() -> dict[str, World]:
    return {name: open_world(name) for name in NAMES}


def get(world: World, name: str, path: str, app: str = "zendesk") -> tuple[int, str, dict[str, str]]:
    path, _, query = path.partition("?")
    reply = world.send(app, Request("GET", path, query, {}, b""), Actor("agent", PEOPLE[name]))
    return reply.status, reply.body.decode(), dict(reply.headers)


def texts(world: World) -> list[tuple[str, str]]:
    """Return every text cell of every table of every app, as `table.column` and value."""

    def cells(tx: Tx) -> list[tuple[str, str]]:
        found = []
        for app in world.company.apps:
            for table in app.product.tables:
                ask = tx.control if table.name.startswith("_") else tx.rows
                for column in (one.name for one in table.columns if one.sql == "TEXT"):
                    rows = ask(f'SELECT DISTINCT "{column}" FROM {table.name}')
                    found += [(f"{table.name}.{column}", text) for (text,) in rows if isinstance(text, str)]
        return found

    return world.read(cells)


@pytest.mark.parametrize("name", NAMES)
def test_no_row_names_the_other_company(worlds: dict[str, World], name: str) -> None:
    cells = texts(worlds[name])
    assert len(cells) > 5_000
    assert any(NAMES[name].search(text) for _, text in cells)
    assert [(where, text[:120]) for where, text in cells if NAMES[OTHER[name]].search(text)] == []


def test_the_outfitters_texts_mention_no_coffee_machines(worlds: dict[str, World]) -> None:
    goods = re.compile(r"espresso|portafilter|grinder|barista|\bcoffee", re.IGNORECASE)
    found = [(where, text[:120]) for where, text in texts(worlds["kittiwake"]) if goods.search(text)]
    assert found == []


@pytest.mark.parametrize("name", NAMES)
def test_replies_hold_only_the_companys_own_hosts(worlds: dict[str, World], name: str) -> None:
    world, own, other = worlds[name].fork(), f"{name}.zendesk.com", f"{OTHER[name]}.zendesk.com"
    linked = 0
    for path in PATHS:
        status, body, headers = get(world, name, path)
        assert status == 200, (path, body[:200])
        assert other not in body, path
        assert not NAMES[OTHER[name]].search(body), path
        assert not [value for value in headers.values() if other in value]
        linked += own in body
    assert linked > 5


def test_the_same_product_is_installed_at_two_hosts(worlds: dict[str, World]) -> None:
    for app in ("zendesk", "backoffice"):
        installed = [world.company.app(app) for world in worlds.values()]
        assert installed[0].product is installed[1].product
        hosts = {one.host for one in installed if isinstance(one, App)}
        assert len(hosts) == 2
    for name, world in worlds.items():
        assert world.company.app_at(f"{name}.zendesk.com") is world.company.app("zendesk")
        assert world.company.app_at(f"{OTHER[name]}.zendesk.com") is None


def test_account_numbers_zones_currencies_and_plans_differ(worlds: dict[str, World]) -> None:
    def facts(tx: Tx) -> tuple[object, ...]:
        desk, office = account.account_of(tx), settings(tx)
        return (
            desk.number,
            desk.name,
            desk.plan,
            desk.currency,
            account.time_zone(tx).key,
            office.currency,
            office.country,
            office.order_prefix,
            office.vat_percent,
            people_settings.settings(tx).shop,
            people_settings.settings(tx).time_zone,
        )

    one, other = (world.read(facts) for world in worlds.values())
    assert [here for here, there in zip(one, other, strict=True) if here == there] == []


def test_a_ticket_made_in_one_company_does_not_reach_the_other(worlds: dict[str, World]) -> None:
    forks = {name: world.fork() for name, world in worlds.items()}
    before = {name: world.read(lambda tx: tx.count(Ticket)) for name, world in forks.items()}
    body = msgspec.json.encode({"ticket": {"subject": "Only here", "comment": {"body": "Only here"}}})
    request = Request("POST", "/api/v2/tickets.json", "", {"Content-Type": "application/json"}, body)
    reply = forks["kittiwake"].send("zendesk", request, Actor("agent", PEOPLE["kittiwake"]))
    assert reply.status == 201
    assert dict(reply.headers)["location"].startswith("https://kittiwake.zendesk.com/")
    after = {name: world.read(lambda tx: tx.count(Ticket)) for name, world in forks.items()}
    assert after == {"larkspur": before["larkspur"], "kittiwake": before["kittiwake"] + 1}


@pytest.mark.parametrize("name", NAMES)
def test_mails_have_the_companys_link_name_and_time(worlds: dict[str, World], name: str) -> None:
    world = worlds[name].fork()

    def write(tx: Tx) -> None:
        mail = ["requester_id", "[{{ticket.account}}] received", "{{ticket.account}} {{ticket.link}}"]
        desk_seed.add_trigger(tx, "Send a link", [("update_type", "is", "Create")], [("notification_user", mail)])
        writer = people.add_persona(tx, people.Persona(email="jo.finch@mail.example", name="Jo Finch"))
        people.write(tx, writer, "email", "Sundays", "Do you open on Sundays?")

    world.do(write, "system:test")
    world.wait(timedelta(hours=1))
    mails = world.read(lambda tx: [one.text for one in tx.all(people.Utterance, "speech = 'notice'")])
    assert any(f"https://{name}.zendesk.com/" in text for text in mails)
    assert any(worlds[name].company.title in text for text in mails)
    assert not [text for text in mails if NAMES[OTHER[name]].search(text)]
    assert any("09:00" in text for text in mails)  # 8:00 UTC in Berlin, 12:00 UTC in Halifax


def test_episodes_of_both_companies_run_side_by_side() -> None:
    episodes = [start(find(name), 3) for name in ("zendesk/late-refund", "zendesk/rental-deposit")]
    briefs = [episode.brief for episode in episodes]
    assert "Larkspur" in briefs[0]
    assert "Larkspur" not in briefs[1]
    assert "Kittiwake" in briefs[1]
    for episode, name in zip(episodes, NAMES, strict=True):
        seen = episode.call("zendesk_get_ticket", {"ticket_id": getattr(episode.truth, "ticket_id", 0)})
        assert OTHER[name] not in seen.text.lower()
        episode.scenario.oracle(episode.hands, episode.truth)
    assert [episode.finish().reward for episode in episodes] == [1.0, 1.0]


def test_tokens_of_one_company_are_refused_by_the_other(worlds: dict[str, World]) -> None:
    for name, world in worlds.items():
        stranger = Actor("agent", PEOPLE[OTHER[name]])
        reply = world.fork().send("zendesk", Request("GET", "/api/v2/tickets.json", "", {}, b""), stranger)
        assert reply.status in (401, 403)
