"""The check for placeholders of host names can fail."""

import json
from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk import APP
from diorama.check.placeholders import shows_placeholder

LINK = f"https://{APP.here()}/api/v2/tickets/1.json"


@pytest.mark.parametrize(
    "value",
    [
        LINK,
        LINK.encode(),
        {"reply": {"body": [LINK]}},
        msgspec.json.encode({"url": LINK}),
        json.dumps({"url": LINK}),
        {"link": f"<{LINK}>"},
    ],
)
def test_a_placeholder_is_found_in_every_form(value: Any) -> None:
    assert shows_placeholder(value)


def test_a_real_host_is_not_a_placeholder() -> None:
    assert not shows_placeholder({"url": "https://larkspur.zendesk.com/é", "raw": b"\xee\x80", "text": "ue000"})
