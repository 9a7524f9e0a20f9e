"""Invalid requests get the vendor's error: never a defect, never an undocumented 5xx."""

from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.backoffice import APP
from diorama.apps.backoffice.schema import Charge, Customer, Order, Shipment, Subscription, Unit
from diorama.kernel import Request
from diorama.kit import Operation
from tests.apps.backoffice.books import all_is_right
from tests.apps.backoffice.shop import ANA
from tests.apps.backoffice.test_histories import busy_shop

SHOP = busy_shop()
KNOWN = SHOP.read(
    lambda tx: [
        one.id for record in (Customer, Order, Charge, Shipment, Subscription, Unit) for one in tx.all(record)[:3]
    ]
)
WORDS = st.sampled_from(
    [*KNOWN, "LK-ARIA", "refund", "goodwill", "night-2w", "NL", "", "0", "true", "2026-04-01T00:00:00Z"]
)
TEXTS = WORDS | st.text(max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
OPERATIONS = st.sampled_from(APP.operations)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    operation: Operation = draw(OPERATIONS)
    path = "/".join(quote(draw(TEXTS), safe="") if part.startswith("{") else part for part in operation.path.split("/"))
    query = {p.name: draw(TEXTS) for p in operation.parameters if p.place == "query" and draw(st.booleans())}
    query |= draw(st.dictionaries(st.sampled_from(["limit", "starting_after", "created[gte]"]), TEXTS, max_size=2))
    body = b""
    if operation.body is not None:
        fields = msgspec.structs.fields(operation.body.type)
        typical: dict[str, Any] = {field.name: draw(VALUES) for field in fields if draw(st.booleans())}
        body = msgspec.json.encode(draw(st.just(typical) | VALUES))
    return Request(operation.method, path, urlencode(query), {}, body)


@settings(max_examples=400)
@given(st.lists(requests(), min_size=1, max_size=5))
def test_random_requests_never_unbalance_the_ledger(sent: list[Request]) -> None:
    world = SHOP.fork()
    for request in sent:
        reply = world.send("backoffice", request, ANA)
        assert reply.status < 500
        assert reply.status < 400 or reply.json()["error"]["type"]
    all_is_right(world)
