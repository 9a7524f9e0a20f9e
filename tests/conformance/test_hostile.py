"""Hostile sizes in every place of every operation: no defect, no 5xx, nothing slow, and memory stays flat."""

import os

import pytest

from diorama.kit import App
from diorama.worlds import companies
from tests.conformance.hostile import Attacker, Measure, rss_kb

APPS = {app.name: app for company in companies() for app in company.apps if isinstance(app, App) and app.hosts}
EACH = int(os.environ.get("DIORAMA_HOSTILE_REQUESTS", "6"))  # of each operation
SLOWEST_MS = 100.0
GROWTH_KB = 150_000


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


@pytest.mark.soak
@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_no_hostile_request_of_thousands_breaks_an_app(app: App) -> None:
    attacker, wrong, grown = attack(app, 100)
    assert sorted(wrong, key=lambda found: -found.cpu_ms)[:10] == []
    assert attacker.sent > 40 * len(attacker.targets)
    assert grown < GROWTH_KB
