"""Postal addresses of scenarios without plans: spellings, and promises that goods go elsewhere."""

import msgspec
import pytest

from diorama.apps.backoffice.schema import Postal
from diorama.scenarios.address_change.places import claims_a_change, same_place

HOME = Postal(name="Zoë Groß", line1="Am Mühlbach 3a", line2="2. OG", city="Köln", postal_code="50 667", country="DE")


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"line1": "am muhlbach 3A, 2. OG", "line2": ""}, True),
        ({"postal_code": "50667", "city": "KÖLN"}, True),
        ({"name": "Frau Zoë Groß"}, True),
        ({"line2": ""}, False),
        ({"line1": "Am Mühlbach 3b"}, False),
        ({"country": "AT"}, False),
        ({"name": "Groß"}, False),
    ],
)
def test_address_spellings_are_compared_leniently(changes: dict[str, str], same: bool) -> None:
    assert same_place(msgspec.structs.replace(HOME, **changes), HOME) is same


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("We have changed the address for you.", True),
        ("I'm sorry. The parcel has been redirected to Leeds.", True),
        ("We will redirect it.", True),
        ("It can no longer be changed.", False),
        ("Nothing was changed.", False),
        ("Please write from your own address and we will change it.", False),
        ("We will update it as soon as we hear from you.", False),
    ],
)
def test_a_promise_differs_from_a_refusal(text: str, claims: bool) -> None:
    assert claims_a_change(text) is claims
