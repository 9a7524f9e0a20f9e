"""HTTP API: every operation works, every reply matches its schema, and all errors have one format."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from diorama.apps import backoffice
from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import notices
from diorama.kernel import ANONYMOUS, Request, World
from diorama.kit.openapi import document
from tests.apps.backoffice.shop import ANA, APP, FATE, HOME, LEA, MARA, WORK, ask, buy, delivered, mara, paid, parcel

DOCUMENT = document(APP)
HOME_JSON, WORK_JSON = msgspec.to_builtins(HOME), msgspec.to_builtins(WORK)


def schema_of(operation: str) -> dict[str, Any]:
    for methods in DOCUMENT["paths"].values():
        for spec in methods.values():
            if spec["operationId"] == operation:
                (reply,) = (shown for status, shown in spec["responses"].items() if status < "300")
                found = reply["content"]["application/json"]["schema"]
                return {**found, "components": DOCUMENT["components"]}
    raise LookupError(operation)


def a_days_work(world: World) -> Iterator[tuple[str, str, Any]]:
    """Yield requests that use every operation at least once, as (method, path, body)."""
    old, order = delivered(world, ("LK-ARIA", 2), ("AC-CUPS", 1)), buy(world)
    label = buy(world, ("AC-JUG35", 1), pack=False)
    lost = buy(world, ("AC-KNOCK", 1), pack=False)
    gone = world.do(rules.ship, FATE, lost.id, fate="lost")
    charge, made, who = paid(world, old), parcel(world, old), old.customer_id
    first, second = made.parcels[0].serial_numbers
    customer = f"/api/v1/customers/{who}"

    yield "GET", "/api/v1/me", None
    yield "GET", "/api/v1/policies", None
    yield "GET", "/api/v1/staff", None
    yield "GET", "/api/v1/search?q=mara", None
    yield "GET", "/api/v1/customers?email=mara@example.com", None
    yield "POST", "/api/v1/customers", {"name": "Tom Reed", "emails": ["tom@example.com"], "address": HOME_JSON}
    yield "GET", customer, None
    yield "PATCH", customer, {"phone": "+31 15 1234567", "segment": "vip"}
    yield "GET", f"{customer}/overview", None
    yield "POST", f"{customer}/emails", {"email": "mara2@example.com"}
    yield "DELETE", f"{customer}/emails/mara2%40example.com", None
    yield "POST", f"{customer}/addresses", {"postal": WORK_JSON, "label": "office"}
    entries = ask(world, "GET", f"{customer}/addresses").json()["data"]
    yield "PATCH", f"{customer}/addresses/{entries[0]['id']}", {"label": "desk"}
    yield "POST", f"{customer}/notes", {"body": "Wants a call.", "order_id": old.id}
    yield "GET", f"{customer}/notes", None
    for path in ("products/LK-ARIA", "products?kind=machine", "stock", "stock/LK-ARIA", "plans", "plans/night-2w"):
        yield "GET", f"/api/v1/{path}", None
    yield "GET", f"/api/v1/units?customer={who}", None
    yield "GET", f"/api/v1/units/{first}", None
    yield "GET", "/api/v1/orders?email=mara@example.com&status=delivered", None
    yield "GET", f"/api/v1/orders/{old.number}", None
    yield "POST", "/api/v1/orders", {"customer_id": who, "lines": [{"sku": "CF-NYERI"}], "use_credit": True}
    yield "POST", f"/api/v1/orders/{order.id}/address", {"address": WORK_JSON}
    yield "POST", f"/api/v1/orders/{order.id}/cancel", None
    yield "POST", "/api/v1/shipments", {"order_id": label.id}
    yield "POST", f"/api/v1/shipments/{parcel(world, label).id}/address", {"address": WORK_JSON}
    yield "GET", f"/api/v1/shipments/{gone.id}", None
    world.wait(timedelta(days=4))
    yield "POST", f"/api/v1/shipments/{gone.id}/trace", None
    world.wait(timedelta(hours=6))
    yield "POST", f"/api/v1/shipments/{gone.id}/reship", None
    yield "GET", f"/api/v1/shipments?order={lost.id}", None
    yield "GET", f"/api/v1/charges?customer={who}&amount_cents={charge.amount_cents}", None
    yield "GET", f"/api/v1/charges/{charge.id}", None
    yield "POST", "/api/v1/refunds", {"charge_id": charge.id, "amount_cents": 500, "reason": "late_delivery"}
    refund = ask(world, "GET", "/api/v1/refunds").json()["data"][0]["id"]
    yield "GET", f"/api/v1/refunds/{refund}", None
    yield "POST", "/api/v1/credits", {"customer_id": who, "amount_cents": 1_000}
    credit = ask(world, "GET", "/api/v1/credits").json()["data"][0]["id"]
    yield "GET", f"/api/v1/credits/{credit}", None
    yield "POST", f"/api/v1/credits/{credit}/void", None
    question = {"kind": "refund", "subject": charge.id, "amount_cents": 50_000, "reason": "defective"}
    yield "POST", "/api/v1/approvals", question | {"justification": "Both machines leak."}
    approval = ask(world, "GET", "/api/v1/approvals").json()["data"][0]["id"]
    yield "GET", f"/api/v1/approvals/{approval}", None
    yield "POST as lead", f"/api/v1/approvals/{approval}/approve", {"note": "Yes."}
    yield "POST", "/api/v1/approvals", question | {"justification": "Again."}
    approval = ask(world, "GET", "/api/v1/approvals").json()["data"][0]["id"]
    yield "POST as lead", f"/api/v1/approvals/{approval}/deny", None
    yield "POST", "/api/v1/replacements", {"customer_id": who, "serial_number": first, "reason": "leaks"}
    replacement = ask(world, "GET", "/api/v1/replacements").json()["data"][0]["id"]
    yield "GET", f"/api/v1/replacements/{replacement}", None
    yield "POST", f"/api/v1/replacements/{replacement}/cancel", None
    back = {"order_id": old.id, "sku": "LK-ARIA", "serial_number": second, "reason": "changed_mind"}
    yield "POST", "/api/v1/returns", back
    rma = ask(world, "GET", "/api/v1/returns").json()["data"][0]["id"]
    yield "GET", f"/api/v1/returns/{rma}", None
    yield "POST", f"/api/v1/returns/{rma}/cancel", None
    yield "POST", "/api/v1/subscriptions", {"customer_id": who, "plan": "night-2w"}
    subscription = "/api/v1/subscriptions/" + ask(world, "GET", "/api/v1/subscriptions").json()["data"][0]["id"]
    yield "GET", subscription, None
    yield "POST", f"{subscription}/skip", None
    yield "POST", f"{subscription}/plan", {"plan": "decaf-4w", "option": "moka"}
    yield "POST", f"{subscription}/address", {"address": WORK_JSON}
    yield "POST", f"{subscription}/pause", {"resumes_at": "2026-09-01T08:00:00+02:00"}
    yield "POST", f"{subscription}/resume", None
    yield "POST", f"{subscription}/cancel", {"reason": "taste"}
    yield "GET", "/api/v1/ledger?account=processor", None
    yield "GET", "/api/v1/ledger/balances", None
    entry = ask(world, "GET", "/api/v1/ledger").json()["data"][0]["id"]
    yield "GET", f"/api/v1/ledger/{entry}", None


def test_every_operation_works_and_answers_in_its_declared_shape(world: World) -> None:
    for method, path, body in a_days_work(world):
        actor = LEA if method.endswith("lead") else ANA
        plain, _, query = path.partition("?")
        reply = ask(world, method.split()[0], plain, body, actor, query)
        assert reply.status in (200, 201), (method, path, reply.text)
        operation = world.events[-1].operation if reply.status else ""
        jsonschema.validate(reply.json(), schema_of(operation))
    used = {event.operation for event in world.events if event.door == "python"}
    assert {operation.name for operation in APP.product.operations} <= used


def test_reads_change_nothing(world: World) -> None:
    delivered(world)
    before = world.state
    for operation in APP.product.operations:
        if operation.method == "GET" and "{" not in operation.path:
            ask(world, "GET", operation.path, query="q=mara")
    assert world.state == before


def test_a_list_can_be_paged_forward_and_backward(world: World) -> None:
    ids = [buy(world, ("CF-NIGHT", 1)).id for _ in range(7)]
    path = "/api/v1/orders"
    whole = [one["id"] for one in ask(world, "GET", path, query="limit=100").json()["data"]]
    assert sorted(whole) == sorted(ids)

    seen: list[str] = []
    query = "limit=3"
    while True:
        page = ask(world, "GET", path, query=query).json()
        seen += [one["id"] for one in page["data"]]
        if not page["has_more"]:
            break
        query = f"limit=3&starting_after={seen[-1]}"
    assert seen == whole

    back = ask(world, "GET", path, query=f"limit=3&ending_before={whole[4]}").json()
    assert [one["id"] for one in back["data"]] == whole[1:4]
    assert back["has_more"]


def test_a_list_can_be_filtered_by_time(world: World) -> None:
    early = buy(world, ("CF-NIGHT", 1))
    world.wait(timedelta(days=2))
    late = buy(world, ("CF-NIGHT", 1))
    for query, wanted in (
        ("created[gte]=2026-03-04T00:00:00Z", [late.id]),
        ("created%5Blt%5D=2026-03-04", [early.id]),
        ("created[gt]=2030-01-01T00:00:00Z", []),
    ):
        assert [one["id"] for one in ask(world, "GET", "/api/v1/orders", query=query).json()["data"]] == wanted


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "status", "code"),
    [
        ("GET", "/api/v1/nothing", "", None, 404, "unknown_path"),
        ("GET", "/api/v1/customers/cus_nobody", "", None, 404, "resource_missing"),
        ("GET", "/api/v1/units/AR1-0000-00000", "", None, 404, "resource_missing"),
        ("DELETE", "/api/v1/customers", "", None, 405, "method_not_allowed"),
        ("GET", "/api/v1/orders", "limit=0", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "limit=x", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "limit=101", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "status=eaten", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "starting_after=ord_x", None, 400, "cursor_unknown"),
        ("GET", "/api/v1/orders", "starting_after=a&ending_before=b", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "created[gte]=yesterday", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "created[gte]=0001-01-01T00:00:00%2B14:00", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/orders", "email=nonsense", None, 400, "email_invalid"),
        ("GET", "/api/v1/charges", "amount_cents=99999999999999999999999", None, 400, "parameter_invalid"),
        ("GET", "/api/v1/search", "", None, 400, "parameter_invalid"),
        ("POST", "/api/v1/refunds", "", {}, 400, "parameter_invalid"),
        ("POST", "/api/v1/refunds", "", {"charge_id": "ch_x", "reason": "bored"}, 400, "parameter_invalid"),
        ("POST", "/api/v1/refunds", "", {"charge_id": "ch_x", "reason": "goodwill"}, 404, "resource_missing"),
        (
            "POST",
            "/api/v1/refunds",
            "",
            {"charge_id": "ch_x", "reason": "goodwill", "amount": 3},
            400,
            "parameter_invalid",
        ),
        (
            "POST",
            "/api/v1/refunds",
            "",
            {"charge_id": "ch_x", "reason": "goodwill", "amount_cents": 2**70},
            400,
            "parameter_invalid",
        ),
        ("POST", "/api/v1/refunds", "", [1], 400, "parameter_invalid"),
    ],
)
def test_every_error_has_one_form(
    world: World, method: str, path: str, query: str, body: Any, status: int, code: str
) -> None:
    before = world.state
    reply = ask(world, method, path, body, query=query)
    assert (reply.status, reply.json()["error"]["code"]) == (status, code)
    assert set(reply.json()["error"]) >= {"type", "code", "message", "param"}
    assert reply.json()["error"]["message"]
    assert reply.headers["Request-Id"].startswith("req_")
    assert world.state == before


def test_malformed_and_huge_bodies_are_refused(world: World) -> None:
    for body, status, code in ((b"{", 400, "body_malformed"), (b" " * 1_000_001, 413, "body_too_large")):
        reply = world.send("backoffice", Request("POST", "/api/v1/refunds", "", {}, body), ANA)
        assert (reply.status, reply.json()["error"]["code"]) == (status, code)


def test_an_error_names_the_parameter_that_is_wrong(world: World) -> None:
    address = HOME_JSON | {"city": 7}
    reply = ask(world, "POST", "/api/v1/customers", {"name": "T", "emails": ["t@example.com"], "address": address})
    assert reply.json()["error"]["param"] == "address.city"
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    reply = ask(world, "POST", "/api/v1/refunds", {"charge_id": charge.id, "reason": "goodwill", "amount_cents": 8_000})
    assert reply.json()["error"]["param"] == "amount_cents"


def test_every_request_needs_a_token(world: World) -> None:
    reply = ask(world, "GET", "/api/v1/customers", actor=ANONYMOUS)
    assert (reply.status, reply.json()["error"]["code"]) == (401, "token_invalid")


def test_a_renewal_far_in_the_future_is_refused(world: World) -> None:
    made = world.do(rules.subscribe, MARA, mara(world).id, "night-2w")
    for moment in ("9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "2026-03-01T00:00:00Z"):
        reply = ask(world, "POST", f"/api/v1/subscriptions/{made.id}/pause", {"resumes_at": moment})
        assert (reply.status, reply.json()["error"]["code"]) == (400, "moment_out_of_range")
    reply = ask(world, "POST", f"/api/v1/subscriptions/{made.id}/pause", {"resumes_at": "2026-04-01T00:00:00"})
    assert reply.status == 400


def test_the_rate_limit_is_shown_in_headers_and_enforced(world: World) -> None:
    first = ask(world, "GET", "/api/v1/me")
    assert (first.headers["RateLimit-Limit"], first.headers["RateLimit-Remaining"]) == ("300", "299")
    # the virtual cost of a request keeps a lone client below the limit, so the clock must stand still here
    for _ in range(299):
        world.send("backoffice", Request("GET", "/api/v1/me"), ANA, turn=False)
    full = world.send("backoffice", Request("GET", "/api/v1/me"), ANA, turn=False)
    assert (full.status, full.json()["error"]["type"]) == (429, "rate_limit_error")
    world.wait(timedelta(seconds=int(full.headers["Retry-After"])))
    assert ask(world, "GET", "/api/v1/me").status == 200


def test_hidden_columns_never_appear_in_replies(world: World) -> None:
    charge = world.do(rules.charge, FATE, mara(world).id, 900, refund_fails="expired_or_canceled_card")
    order = buy(world, pack=False)
    made = world.do(rules.ship, FATE, order.id, fate="lost")
    shown = (
        ask(world, "GET", f"/api/v1/charges/{charge.id}").text + ask(world, "GET", f"/api/v1/shipments/{made.id}").text
    )
    for secret in ("refund_fails", "expired_or_canceled_card", "fate", "timer"):
        assert secret not in shown


def test_the_readme_names_every_operation_tool_and_notice() -> None:
    text = (Path(backoffice.__file__).parent / "README.md").read_text()
    announced = [name for name, value in vars(notices).items() if getattr(value, "__module__", "") == notices.__name__]
    operations = [operation.name for operation in APP.product.operations]
    for name in [*operations, *(tool.name for tool in APP.product.tools), *announced]:
        assert f"`{name}`" in text, name
    for operation in APP.product.operations:
        assert f"`{operation.method} {operation.path}`" in text
