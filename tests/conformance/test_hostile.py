"""Hostile sizes in every place of every operation: no defect, no 5xx, nothing slow, and memory stays flat."""

import os
from urllib.parse import urlencode

import pytest

from diorama.bench.timing import machine_factor
from diorama.contract.pool import people
from diorama.contract.stage import world_of
from diorama.kernel import Actor, Request, World
from diorama.kit import App
from diorama.worlds import companies
from tests.conformance.filled import LOOP, PARTS, WORDS, fill_with_everything, fill_with_one
from tests.conformance.hostile import Attacker, Measure, rss_kb

APPS = {app.name: app for company in companies() for app in company.apps if isinstance(app, App) and app.hosts}
EACH = int(os.environ.get("DIORAMA_HOSTILE_REQUESTS", "6"))  # of each operation
SLOWEST_MS = 2 * 100.0 * max(1.0, machine_factor())
"""Twice what a request may take on the machine of the targets: CPU times of a busy machine vary that much."""
GROWTH_KB = 150_000
TEXTS = (WORDS, "{{ticket.title}} w " * 5_000, LOOP * 1_200, "<p>a <b>b</b> &amp; c</p>" * 2_500)


def attack(app: App, each: int) -> tuple[Attacker, list[Measure], int]:
    """Send hostile requests to every operation; return what was wrong, and by how much the memory grew."""
    attacker = Attacker(app, SLOWEST_MS)
    wrong: list[Measure] = []
    grown = 0
    for number, target in enumerate(attacker.targets):
        if number == len(attacker.targets) // 4:
            grown = rss_kb()
        for note, make in attacker.some(target, each):
            found = attacker.send(target, note, make)
            if found is not None and (found.status >= 500 or found.cpu_ms > SLOWEST_MS):
                wrong.append(found)
    return attacker, wrong, rss_kb() - grown


@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_no_hostile_request_breaks_or_stalls_an_app(app: App) -> None:
    attacker, wrong, grown = attack(app, EACH)
    assert wrong == []
    assert attacker.sent > 2 * len(attacker.targets)
    assert grown < GROWTH_KB


def sweep(attacker: Attacker, share: float) -> list[Measure]:
    """Read every list, and write at the limits with a share of the other operations; return the costliest first."""
    found: list[Measure] = []
    for target in attacker.targets:
        if target.ours.method == "GET":
            for request in list(attacker.requests.reads(target))[:3]:
                found += attacker.costs(target, request.query, request)
        elif attacker.dice.child("share", target.title).chance(share):
            made = attacker.limits(target, attacker.dice.child("text", target.title).pick(TEXTS))
            if made is not None:
                found += attacker.costs(target, "limits", made)
    return sorted(found, key=lambda one: -one.cpu_ms)


def too_much(found: list[Measure]) -> list[Measure]:
    """Return what broke or was slow."""
    return [one for one in found if one.status >= 500 or one.cpu_ms > SLOWEST_MS][:10]


def admin(app: App, world: World) -> Actor:
    """Return the person with the most permissions."""
    return Actor("agent", people(world, app)[0])


@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_nothing_is_slow_in_a_world_filled_through_the_api(app: App) -> None:
    world = world_of(app)
    if app.name == "zendesk":
        assert fill_with_everything(world, admin(app, world)) > 250
    attacker = Attacker(app, SLOWEST_MS, world)
    found = sweep(attacker, 0.15)
    assert too_much(found) == []
    assert attacker.sent > len(attacker.targets) / 2


@pytest.mark.soak
@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_slow_in_a_world_full_of_one_thing(part: str) -> None:
    app = APPS["zendesk"]
    world = world_of(app)
    assert fill_with_one(world, admin(app, world), part) > 1
    assert too_much(sweep(Attacker(app, SLOWEST_MS, world), 1.0)) == []


@pytest.mark.soak
@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_no_hostile_request_of_thousands_breaks_an_app(app: App) -> None:
    attacker, wrong, grown = attack(app, 100)
    assert sorted(wrong, key=lambda found: -found.cpu_ms)[:10] == []
    assert attacker.sent > 40 * len(attacker.targets)
    assert grown < GROWTH_KB


SEARCHES = ("w", "w " * 60, "w wo wor word", "-word", "word* wor* wo* w*", " ".join(f"word{n}" for n in range(60)))
SEARCHED = ("search", "search/count", "search/export", "help_center/articles/search", "users/search", "requests/search")


@pytest.mark.parametrize("part", ["comments", "articles"])
def test_no_search_is_slow_in_a_world_full_of_text(part: str) -> None:
    app = APPS["zendesk"]
    world = world_of(app)
    fill_with_one(world, admin(app, world), part)
    attacker = Attacker(app, SLOWEST_MS, world)
    target = attacker.targets[0]
    found: list[Measure] = []
    for path in SEARCHED:
        for words in SEARCHES:
            query = urlencode({"query": words, "filter[type]": "ticket"})
            found += attacker.costs(target, f"{path} {words}", Request("GET", f"/api/v2/{path}", query, {}, b""))
    assert too_much(found) == []
    assert {one.status for one in found} <= {200, 422}
