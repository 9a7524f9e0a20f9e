"""Parsing replies: amounts and dates are read as they were written."""

from datetime import UTC, datetime

import pytest

from diorama.episodes.episode import start
from diorama.scenarios.unported.shop import ShopTruth
from diorama.scenarios.unported.words import amounts_in, mentions, spoken_dates


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("We have refunded 18.50 EUR.", {1850}),
        ("€7 and 12,90 euros", {700, 1290}),
        ("It renews on 14.05.2026 and on 01.06.2026.", set()),
        ("On 2026-05-14 at 08:00, tracking 05207686709205.", set()),
        ("The price was 12.90. It is 17.90 now.", {1290, 1790}),
    ],
)
def test_a_date_is_not_an_amount(text: str, cents: set[int]) -> None:
    assert amounts_in(text) == cents


def test_day_1_does_not_match_day_21() -> None:
    assert mentions("from 1 may on", "1 may")
    assert not mentions("from 21 may on", "1 may")
    assert not mentions("from may 14 on", "may 1")


@pytest.mark.parametrize(
    "form", ["14 March", "14th March", "the 14th of March", "March 14th", "14 Mar", "2026-03-14", "14.03.2026"]
)
def test_a_day_may_be_said_in_many_ways(form: str) -> None:
    ways = spoken_dates(datetime(2026, 3, 14, 9, tzinfo=UTC))
    assert any(mentions(f"it starts on {form}.".lower(), way.lower()) for way in ways)


def test_answering_a_ticket_does_not_count_as_reading_it() -> None:
    episode = start("zendesk/hidden-need", 0)
    assert isinstance(episode.truth, ShopTruth)
    ticket = {"ticket_id": episode.truth.ticket_id}
    episode.call("zendesk_reply_to_ticket", {**ticket, "body": "Hello!"})
    assert "ticket_was_read" not in episode.gradebook.deeds
    episode.call("zendesk_list_comments", ticket)
    assert "ticket_was_read" in episode.gradebook.deeds
