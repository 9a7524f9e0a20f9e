"""Law 10. The wire uses the vendor's words; inside we use plain words."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import diorama.apps
from diorama.kernel import Actor, Missing, Request, Tx
from diorama.kernel.testing import fresh
from diorama.kit import App, Detail, Product
from diorama.kit.openapi import document
from diorama.kit.product import REFUSAL_KINDS
from tests.laws.village import BANK, debt, start

APPS: list[App] = [
    importlib.import_module(f"diorama.apps.{info.name}").app("larkspur")
    for info in pkgutil.iter_modules(diorama.apps.__path__)
    if info.ispkg
]
OURS = re.compile(
    r"diorama|episode|scenario|\boracle|persona\b|grader|\breward|snapshot|\bdefect\b|refusal|agenda|msgspec|apsw|sqlite"
    r"|traceback|\.py\b|_truth|_world|\btx\b",
    re.IGNORECASE,
)
"""Words of this project that no vendor uses."""
THEIRS = {"zendesk": {"snapshot"}}
"""Words of this project that a vendor uses too: Zendesk calls a trigger revision a snapshot."""


def refusals(app: App) -> Iterator[tuple[str, Any]]:
    """Yield every refusal that the gateway and the kit make themselves, as the API returns it."""
    about = {
        "missing": Missing(app.product.tables[0].record, 7), "invalid": Detail("x is required", "query", "x"),
        "too_large": 10, "rate_limited": 30,
    }  # fmt: skip
    for kind in REFUSAL_KINDS:
        yield kind, app.refuse(app.product.refusal(kind, about.get(kind, "x")))


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_law_10_app_declarations_contain_no_word_of_ours(app: App) -> None:
    text = json.dumps(document(app))
    text += json.dumps([tool.describe() for tool in app.product.tools])
    text += json.dumps([app.title, app.host, app.product.api, sorted(app.product.recorded)])
    found = {match.group() for match in OURS.finditer(text)} - THEIRS.get(app.name, set())
    assert not sorted(found)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_law_10_errors_contain_no_word_of_ours(app: App) -> None:
    for kind, reply in refusals(app):
        assert not OURS.search(repr((reply.headers, reply.body))), kind


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_law_10_our_own_failures_use_the_vendors_words(app: App) -> None:
    reply = app.refuse(app.product.refusal("failing", ""))
    assert reply.status >= 500
    assert reply.body
    assert not OURS.search(reply.text)


def test_law_10_a_broken_handler_says_nothing_about_us() -> None:
    episode = start(3)
    reply = episode.http("bank", "POST", "/payments", {"to": debt(episode).creditor, "cents": 1, "memo": "burn"})
    assert reply.status == 500
    assert not OURS.search(repr((reply.headers, reply.body)))
    assert "planted" not in reply.text


def test_law_10_the_check_can_fail() -> None:
    def broken(tx: Tx) -> None:
        """Reward the oracle of this scenario."""

    loud = Product("loud", title="x", refusals=BANK.refusals, envelope=BANK.envelope)
    loud.get("/x")(broken)
    assert OURS.search(json.dumps(document(loud.install("x"))))


def test_law_10_each_thing_has_one_word() -> None:
    """The gateway sees only the vendor's host names; ports and addresses belong to the doors."""
    for app in APPS:
        assert app.host
        assert "127.0.0.1" not in app.host
        assert ":" not in app.host
        assert app.name == Path(importlib.import_module(f"diorama.apps.{app.name}").__path__[0]).name
        world = fresh([app])
        reply = world.send(app.name, Request("GET", "/"), Actor("agent", "x@x.example"))
        assert reply.status < 500
