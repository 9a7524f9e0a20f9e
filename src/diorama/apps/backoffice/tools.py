"""The tools of the back office for agents: its everyday operations."""

from typing import Annotated, Any, Literal
from urllib.parse import quote

import msgspec

from diorama.apps.backoffice.schema import (
    APP,
    CancelReason,
    Destination,
    Postal,
    RefundReason,
    Resolution,
    ReturnReason,
)
from diorama.kit import Call

Cents = Annotated[int, msgspec.Meta(ge=1, description="Amount in cents of the currency: 12900 is 129.00")]
Key = Annotated[
    str, msgspec.Meta(description="Optional Idempotency-Key: a retry with the same key does not do it twice")
]


def _said(text: str) -> Any:
    return msgspec.Meta(description=text)


@APP.tool
def search(query: Annotated[str, _said("E-mail, name, order number, serial or tracking number")]) -> Call:
    """Find customers, orders, parcels and units (sold goods with a serial number) by any of their names and numbers."""
    return Call("GET", "/api/v1/search", query={"q": query})


@APP.tool
def get_customer(customer_id: Annotated[str, _said("cus_...")]) -> Call:
    """Get a customer: addresses, store credit, units, warranties, subscriptions, recent orders, returns, notes."""
    return Call("GET", f"/api/v1/customers/{_part(customer_id)}/overview")


@APP.tool
def get_order(order: Annotated[str, _said("ord_... or the order number that the customer quotes")]) -> Call:
    """Get an order with its lines, serial numbers, charges, refunds, parcels with tracking, returns, replacements."""
    return Call("GET", f"/api/v1/orders/{_part(order)}")


@APP.tool
def list_records(
    kind: Literal[
        "orders",
        "charges",
        "refunds",
        "subscriptions",
        "shipments",
        "units",
        "returns",
        "replacements",
        "credits",
        "approvals",
        "products",
        "plans",
    ],
    customer_id: Annotated[str, _said("Only of this customer")] = "",
    status: Annotated[str, _said("Only in this status")] = "",
    starting_after: Annotated[str, _said("The last id of the page before")] = "",
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 20,
) -> Call:
    """List records of one kind, newest first."""
    query = {"customer": customer_id, "status": status, "starting_after": starting_after, "limit": limit}
    return Call("GET", f"/api/v1/{kind}", query={name: value for name, value in query.items() if value})


@APP.tool
def get_record(
    kind: Literal[
        "charges",
        "refunds",
        "subscriptions",
        "shipments",
        "returns",
        "replacements",
        "approvals",
        "units",
        "products",
        "stock",
    ],
    id: Annotated[str, _said("Its id; a unit's serial number; the SKU of a product or of stock")],
) -> Call:
    """Get one record: a refund's status, a lead's decision, a unit's warranty, a product's known faults, stock."""
    return Call("GET", f"/api/v1/{kind}/{_part(id)}")


@APP.tool
def refund_charge(
    charge_id: Annotated[str, _said("ch_... of the charge to give back")],
    reason: RefundReason,
    amount_cents: Annotated[int | None, _said("In cents; leave out to refund all that is left")] = None,
    note: str = "",
    destination: Destination = "original_payment",
    approval_id: Annotated[str, _said("apr_... if the amount is above your limit")] = "",
    idempotency_key: Key = "",
) -> Call:
    """Refund a customer's charge. It cannot be undone. It is pending until the payment processor has answered."""
    body = {
        "charge_id": charge_id,
        "amount_cents": amount_cents,
        "reason": reason,
        "note": note,
        "destination": destination,
        "approval_id": approval_id,
    }
    return Call("POST", "/api/v1/refunds", body, headers=_once(idempotency_key))


@APP.tool
def grant_credit(
    customer_id: str,
    amount_cents: Cents,
    reason: Literal["goodwill", "late_delivery", "service_failure"] = "goodwill",
    note: str = "",
    approval_id: Annotated[str, _said("apr_... if the amount is above your limit")] = "",
    idempotency_key: Key = "",
) -> Call:
    """Give a customer store credit as an apology, within your limit."""
    body = {
        "customer_id": customer_id,
        "amount_cents": amount_cents,
        "reason": reason,
        "note": note,
        "approval_id": approval_id,
    }
    return Call("POST", "/api/v1/credits", body, headers=_once(idempotency_key))


@APP.tool
def request_approval(
    kind: Literal["refund", "credit", "replacement"],
    subject: Annotated[str, _said("The charge id of a refund, customer id of a credit, serial number of a unit")],
    reason: Annotated[str, _said("A reason code, such as not_received or duplicate")],
    justification: Annotated[str, _said("Why the lead should agree, with the facts")],
    amount_cents: Annotated[int, msgspec.Meta(ge=0, description="Cents; 0 for a replacement")] = 0,
) -> Call:
    """Request a lead's approval for something above your limit; the answer comes later, then use its approval id."""
    body = {
        "kind": kind,
        "subject": subject,
        "amount_cents": amount_cents,
        "reason": reason,
        "justification": justification,
    }
    return Call("POST", "/api/v1/approvals", body)


@APP.tool
def replace_unit(
    customer_id: str,
    serial_number: Annotated[str, _said("Serial number of the defective unit")],
    reason: str,
    fault_code: Annotated[str, _said("Code of the product's known fault, if it is one")] = "",
    part_sku: Annotated[str, _said("Send only this part instead of a whole unit")] = "",
    approval_id: Annotated[str, _said("apr_... if the warranty is over")] = "",
    idempotency_key: Key = "",
) -> Call:
    """Send a new unit for a defective one, or a part for it, free of charge under warranty."""
    body = {
        "customer_id": customer_id,
        "serial_number": serial_number,
        "reason": reason,
        "fault_code": fault_code,
        "part_sku": part_sku,
        "approval_id": approval_id,
    }
    return Call("POST", "/api/v1/replacements", body, headers=_once(idempotency_key))


@APP.tool
def open_return(
    order_id: str,
    sku: str,
    reason: ReturnReason,
    quantity: Annotated[int, msgspec.Meta(ge=1)] = 1,
    serial_number: str = "",
    resolution: Resolution = "refund",
) -> Call:
    """Open a return for a customer: creates the return number and the label. The refund is a separate step."""
    body = {
        "order_id": order_id,
        "sku": sku,
        "reason": reason,
        "quantity": quantity,
        "serial_number": serial_number,
        "resolution": resolution,
    }
    return Call("POST", "/api/v1/returns", body)


@APP.tool
def change_address(
    what: Literal["order", "shipment", "subscription"],
    id: Annotated[str, _said("ord_..., shp_... or sub_...")],
    address: Postal,
) -> Call:
    """Change the address of an order, a parcel or a subscription; refused once the carrier has the parcel."""
    return Call("POST", f"/api/v1/{what}s/{_part(id)}/address", {"address": address})


@APP.tool
def handle_shipment(
    shipment_id: str,
    action: Annotated[
        Literal["trace", "reship"],
        _said("trace asks the carrier where it is (answer within hours); reship sends a lost or returned one again"),
    ],
    idempotency_key: Key = "",
) -> Call:
    """Trace a parcel that did not arrive, or send its contents again."""
    return Call("POST", f"/api/v1/shipments/{_part(shipment_id)}/{action}", headers=_once(idempotency_key))


@APP.tool
def cancel_order(order_id: str, reason: str = "") -> Call:
    """Cancel an order that has not left the warehouse. Its charge must be refunded separately."""
    return Call("POST", f"/api/v1/orders/{_part(order_id)}/cancel", {"reason": reason})


@APP.tool
def change_subscription(
    subscription_id: str,
    action: Literal["pause", "resume", "skip", "cancel", "change_plan"],
    reason: Annotated[CancelReason, _said("For cancel")] = "other",
    at_renewal: Annotated[bool, _said("For cancel: end it at the next renewal instead of now")] = False,
    plan: Annotated[str, _said("For change_plan: the code of the plan from the next renewal on")] = "",
    option: Annotated[str, _said("For change_plan: one of the plan's options; empty keeps the present one")] = "",
    resumes_at: Annotated[
        str,
        _said(
            "For pause: until when, such as 2026-05-01T08:00:00Z, empty means open end; "
            "for resume: when to charge next, empty means tomorrow"
        ),
    ] = "",
) -> Call:
    """Pause, resume, skip, cancel a subscription or move it to another plan. Money is refunded separately."""
    bodies: dict[str, dict[str, Any]] = {
        "cancel": {"reason": reason, **({"at_renewal": True} if at_renewal else {})},
        "change_plan": {"plan": plan, **({"option": option} if option else {})},
        "pause": {"resumes_at": resumes_at} if resumes_at else {},
        "resume": {"next_renewal_at": resumes_at} if resumes_at else {},
    }
    path = "plan" if action == "change_plan" else action
    return Call("POST", f"/api/v1/subscriptions/{_part(subscription_id)}/{path}", bodies.get(action))


@APP.tool
def add_note(customer_id: str, body: str, order_id: str = "") -> Call:
    """Add a note about a customer for other colleagues; the customer does not see it."""
    return Call("POST", f"/api/v1/customers/{_part(customer_id)}/notes", {"body": body, "order_id": order_id})


def _once(key: str) -> dict[str, str]:
    return {"idempotency-key": key} if key else {}


def _part(text: str) -> str:
    """Quote an argument as one path segment."""
    return quote(text, safe="")
