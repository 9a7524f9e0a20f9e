"""The same product for two companies: hosts, numbers, time zones, languages and plans are each company's own."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from diorama.apps import zendesk
from diorama.apps.zendesk import rules, seed
from diorama.apps.zendesk.rules import account, help_center
from diorama.apps.zendesk.schema import Account, Brand, SupportAddress
from diorama.kernel import Company, Tx
from diorama.kernel.image import build
from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk

HOST = "tidewater.zendesk.com"


def furnish(tx: Tx, size: str) -> None:
    """A small company in Tokyo on the smallest plan."""
    seed.set_up(
        tx, "Tidewater", plan="suite_team", time_zone="Tokyo", currency="JPY", locale="ja", languages=("en-US",)
    )
    rules.add_user(tx, name="Ada King", email=ADA, role="admin")
    rules.add_user(tx, name="Ana Ruiz", email=ANA, role="agent")
    rules.add_user(tx, name="Mara Voss", email=MARA)


TIDEWATER = Company(
    "tidewater-tests", [zendesk.app("tidewater")], furnish, start=datetime(2026, 3, 2, 20, 30, tzinfo=UTC)
)


@pytest.fixture
def tidewater() -> Desk:
    return Desk(company=TIDEWATER)


def test_links_and_addresses_use_the_companys_host(tidewater: Desk, desk: Desk) -> None:
    for one, host in ((tidewater, HOST), (desk, "larkspur.zendesk.com")):
        number = one.asks()
        shown = one.get(f"tickets/{number}.json")["ticket"]
        assert shown["url"] == f"https://{host}/api/v2/tickets/{number}.json"
        assert one.ticket(number).recipient == f"support@{host}"
        assert one.read(lambda tx: tx.all(SupportAddress))[0].email == f"support@{host}"
        assert one.read(lambda tx: tx.all(Brand))[0].subdomain == host.partition(".")[0]
        assert one.get("accounts/available.json", subdomain=host.partition(".")[0])["success"] is False


def test_rendered_links_and_times_use_the_companys_settings(tidewater: Desk) -> None:
    words = "{{ticket.link}} {{satisfaction.rating_url}} {{ticket.created_at}} {{ticket.comments_formatted}}"
    macro = tidewater.post(
        "macros.json", {"macro": {"title": "T", "actions": [{"field": "comment_value", "value": words}]}}
    )
    number = tidewater.asks()
    shown = tidewater.get(f"tickets/{number}/macros/{macro['macro']['id']}/apply.json", ANA)
    body = shown["result"]["ticket"]["comment"]["body"]
    assert f"https://{HOST}/agent/tickets/{number} https://{HOST}/requests/{number}/satisfaction/new" in body
    assert "March 03, 2026" in body  # in Tokyo it is morning already
    assert "Mar 03, 2026, 05:30" in body


def test_no_row_contains_a_host_placeholder(tidewater: Desk) -> None:
    tidewater.replies(tidewater.asks(), "Thanks", status="solved")
    tidewater.waits(days=6)
    for table in zendesk.APP.tables:
        for row in tidewater.read(lambda tx, name=table.name: tx.rows(f"SELECT * FROM {name}")):
            assert not any("\ue000" in str(cell) for cell in row), (table.name, row)


def test_each_account_has_its_own_id(tidewater: Desk, desk: Desk) -> None:
    numbers = [one.read(account.account_of).number for one in (tidewater, desk)]
    assert len(set(numbers)) == 2
    pin = {"ticket_id": str(tidewater.asks()), "content_type": "external_content", "content_id": "x"}
    made = tidewater.post("ticket_content_pins.json", {"ticket_content_pin": pin})
    assert made["account_id"] == str(numbers[0])


def test_new_users_get_the_accounts_time_zone_and_language(tidewater: Desk) -> None:
    shown = tidewater.post("users.json", {"user": {"name": "New", "email": "new@example.com"}})["user"]
    assert (shown["time_zone"], shown["iana_time_zone"], shown["locale"]) == ("Tokyo", "Asia/Tokyo", "ja")
    moved = tidewater.put(f"users/{shown['id']}.json", {"user": {"time_zone": "Sydney"}})["user"]
    assert (moved["time_zone"], moved["iana_time_zone"]) == ("Sydney", "Australia/Sydney")


def test_audits_show_the_location_of_the_agents_time_zone(tidewater: Desk, desk: Desk) -> None:
    for one, place in ((tidewater, "Tokyo, 13, Japan"), (desk, "Berlin, BE, Germany")):
        number = one.asks()
        one.replies(number, "On it")
        assert one.audits(number)[-1].metadata["system"]["location"] == place


def test_the_help_center_has_the_accounts_languages(tidewater: Desk) -> None:
    assert tidewater.read(help_center.locales) == ("ja", "en-us")
    made = tidewater.post("help_center/categories.json", {"category": {"name": "Tides"}})["category"]
    assert made["source_locale"] == "ja"
    wrong = {"category": {"name": "Tides", "locale": "de"}}
    assert tidewater.call("POST", "help_center/categories.json", wrong).status == 422
    assert tidewater.get("locales/current.json")["locale"]["locale"] == "ja"
    assert tidewater.get("help_center/locales.json")["default_locale"] == "ja"


def test_the_plan_sets_the_rate_limit_per_minute(tidewater: Desk, desk: Desk) -> None:
    assert tidewater.call("GET", "tickets.json").headers["x-rate-limit"] == "200"
    assert desk.call("GET", "tickets.json").headers["x-rate-limit"] == "700"


def test_the_accounts_time_zone_is_a_setting(tidewater: Desk) -> None:
    changed = tidewater.put("account/settings.json", {"settings": {"localization": {"time_zone": "Sydney"}}})
    assert changed["settings"]["localization"]["iana_time_zone"] == "Australia/Sydney"
    assert tidewater.read(account.time_zone).key == "Australia/Sydney"
    wrong = {"settings": {"localization": {"time_zone": "Atlantis"}}}
    assert tidewater.call("PUT", "account/settings.json", wrong).status == 422


@pytest.mark.parametrize("wrong", [{"time_zone": "Atlantis"}, {"locale": "tlh"}, {"languages": ("tlh",)}])
def test_a_world_with_an_unknown_zone_or_language_is_not_built(wrong: dict[str, Any], tmp_path: Path) -> None:
    def furnish_badly(tx: Tx, size: str) -> None:
        asked: dict[str, Any] = {"plan": "suite_team", "time_zone": "Tokyo", "currency": "JPY", "locale": "ja", **wrong}
        seed.set_up(tx, "Tidewater", **asked)

    company = Company("bad-tests", [zendesk.app("tidewater")], furnish_badly)
    with pytest.raises(Exception, match="unknown"):
        build(company, "small", 0, tmp_path / "bad.db")


def test_the_account_stores_plan_and_currency(tidewater: Desk) -> None:
    found: Account = tidewater.read(account.account_of)
    assert (found.plan, found.currency, found.name) == ("suite_team", "JPY", "Tidewater")


def test_search_reads_dates_in_the_accounts_time_zone(tidewater: Desk) -> None:
    number = tidewater.asks()  # at half past eight in the evening of Monday in UTC, on Tuesday morning in Tokyo
    for query, found in (("created:2026-03-03", [number]), ("created:2026-03-02", []), ("created:today", [number])):
        results = tidewater.get("search.json", query=f"type:ticket {query}")["results"]
        assert [one["id"] for one in results] == found, query
