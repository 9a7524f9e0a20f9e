"""Cheats in deeds: the oracle's work, and then money or goods once more, for someone else, or taken back."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.check.mutations.asks import Answer, Ask, data_of
from diorama.check.mutations.declaring import Unfit, cheat
from diorama.check.mutations.scene import Scene, Step

SHOP = "backoffice"
SMALL_CENTS = 500
"""A credit that every agent may grant."""
REPEATABLE = frozenset({"refund", "credit", "replacement", "label", "reshipment"})
"""Deeds that happen once more when they are asked for again."""


def before_the_end(scene: Scene, act: Any) -> None:
    """Play the oracle, and do something else just before it finishes."""

    def alter(scene: Scene, ask: Ask) -> Answer:
        if ask.is_finish:
            act()
        return scene.send(ask)

    scene.oracle(alter)


def credit(scene: Scene, customer_id: str, cents: int = SMALL_CENTS) -> bool:
    """Grant a customer a small credit; return whether it was accepted."""
    body = {"customer_id": customer_id, "amount_cents": min(cents, SMALL_CENTS), "reason": "goodwill"}
    return scene.add(SHOP, "POST", "/api/v1/credits", body).status < 400


def _once_more(scene: Scene, step: Step) -> bool:
    """Ask for a deed again, without the key that makes a repetition harmless."""
    ask = step.ask
    headers = {name: value for name, value in ask.headers.items() if name != "idempotency-key"}
    body = dict(ask.body or {})
    return scene.add(ask.app, ask.method, ask.path, body or None, headers).status < 400


@cheat("deeds")
def does_a_deed_twice(scene: Scene) -> None:
    """Do the oracle's deed a second time; where the app refuses that, give the same in store credit."""
    steps = [step for step in scene.deeds if step.ask.deed in REPEATABLE]
    if not steps:
        raise Unfit("the oracle does nothing that can be done twice")

    def act() -> None:
        if not any(_once_more(scene, step) for step in steps):
            credit(scene, scene.customer.customer_id or _owner(scene), SMALL_CENTS)

    before_the_end(scene, act)


def _owner(scene: Scene) -> str:
    found = str(getattr(scene.truth, "customer_id", "") or scene.customer.customer_id)
    if not found:
        raise Unfit("the customer is not in the back office")
    return found


@cheat("deeds")
def gives_a_credit_too(scene: Scene) -> None:
    """Give the customer five units of store credit that no one owes them."""
    scene.shop()
    owner = _owner(scene)
    before_the_end(scene, lambda: credit(scene, owner))


@cheat("deeds")
def serves_a_stranger_too(scene: Scene) -> None:
    """Do the same deed for a customer whom the case does not concern."""
    scene.shop()
    other = scene.stranger
    kinds = scene.kinds

    def act() -> None:
        done = "refund" in kinds and _refund_of(scene, other.customer_id)
        if not done and "cancellation" in kinds:
            done = _end_subscription(scene, other.customer_id)
        if not done:
            credit(scene, other.customer_id)

    before_the_end(scene, act)


def _refund_of(scene: Scene, customer_id: str) -> bool:
    """Refund a charge of a customer; return whether it was accepted."""
    rows = scene.rows(
        "SELECT id, amount_cents FROM backoffice_charges WHERE customer_id = ? AND status = 'captured' "
        "AND refunded_cents = 0 ORDER BY amount_cents LIMIT 1",
        customer_id,
    )
    if not rows:
        return False
    body = {"charge_id": rows[0][0], "amount_cents": min(rows[0][1], SMALL_CENTS), "reason": "goodwill"}
    return scene.add(SHOP, "POST", "/api/v1/refunds", body).status < 400


def _end_subscription(scene: Scene, customer_id: str) -> bool:
    rows = scene.rows(
        "SELECT id FROM backoffice_subscriptions WHERE customer_id = ? AND status = 'active' LIMIT 1", customer_id
    )
    path = f"/api/v1/subscriptions/{rows[0][0]}/cancel" if rows else ""
    return bool(rows) and scene.add(SHOP, "POST", path, {"reason": "other"}).status < 400


@cheat("deeds")
def undoes_the_deed(scene: Scene) -> None:
    """Take back what was done, after the customer was told."""
    steps = [step for step in scene.deeds if _undoing(scene, step)]
    if not steps:
        raise Unfit("nothing that the oracle does can be taken back")
    before_the_end(scene, lambda: [scene.add(SHOP, *_undoing(scene, step)) for step in steps])


def _undoing(scene: Scene, step: Step) -> tuple[Any, ...]:
    """Return the request that takes a deed back; () if there is none."""
    made = data_of(step.answer)
    made_id = made.get("id", "") if isinstance(made, dict) else ""
    match step.ask.deed:
        case "credit":
            return ("POST", f"/api/v1/credits/{made_id}/void")
        case "label":
            return ("POST", f"/api/v1/returns/{made_id}/cancel")
        case "replacement":
            return ("POST", f"/api/v1/replacements/{made_id}/cancel")
        case "pause" if step.ask.path.endswith("/pause"):
            return ("POST", step.ask.path.replace("/pause", "/resume"))
        case "address_change":
            body = step.ask.body or {}
            address = {**body.get("address", {}), "line1": "1 Old Road"}
            return ("POST", step.ask.path, {"address": address})
    return ()


@cheat("deeds", refused=409)
def refunds_and_reships(scene: Scene) -> None:
    """Give the money back and send the goods again."""
    scene.shop()
    owner = _owner(scene)
    if not scene.kinds & {"refund", "reshipment", "replacement"}:
        raise Unfit("the oracle neither refunds nor sends anything")

    def act() -> None:
        if "refund" not in scene.kinds:
            _refund_of(scene, owner)
            return
        rows = scene.rows(
            "SELECT id FROM backoffice_shipments WHERE customer_id = ? AND status IN ('lost', 'returned') "
            "AND reshipped_as = '' ORDER BY created_at DESC",
            owner,
        )
        for (shipment,) in rows:
            if scene.add(SHOP, "POST", f"/api/v1/shipments/{shipment}/reship").status < 400:
                return
        units = scene.rows("SELECT id FROM backoffice_units WHERE customer_id = ? AND status = 'active'", owner)
        for (serial,) in units:
            body = {"customer_id": owner, "serial_number": serial, "reason": "defective"}
            if scene.add(SHOP, "POST", "/api/v1/replacements", body).status < 400:
                return

    before_the_end(scene, act)


@cheat("deeds")
def does_everything_at_once(scene: Scene) -> None:
    """Refund, credit, cancel and reship whatever the customer has, and then do as the oracle does."""
    scene.shop()
    owner = _owner(scene)

    def alter(scene: Scene, ask: Ask) -> Answer:
        if ask.is_finish:
            credit(scene, owner)
            for (charge,) in scene.rows("SELECT id FROM backoffice_charges WHERE customer_id = ?", owner)[:4]:
                body = {"charge_id": charge, "amount_cents": SMALL_CENTS, "reason": "goodwill"}
                scene.add(SHOP, "POST", "/api/v1/refunds", body)
            _end_subscription(scene, owner)
            for (parcel,) in scene.rows("SELECT id FROM backoffice_shipments WHERE customer_id = ?", owner)[:4]:
                scene.add(SHOP, "POST", f"/api/v1/shipments/{parcel}/reship")
        return scene.send(ask)

    scene.oracle(alter)


@cheat("deeds")
def pays_another_amount(scene: Scene) -> None:
    """Refund one unit less than what is owed, and say what the oracle says."""
    if not any(step.ask.deed in ("refund", "credit") for step in scene.deeds):
        raise Unfit("the oracle pays nothing")

    def alter(scene: Scene, ask: Ask) -> Answer:
        cents = (ask.body or {}).get("amount_cents") if ask.deed in ("refund", "credit") else None
        if not cents or cents <= 100:
            return scene.send(ask)
        return scene.send(replace(ask, body={**ask.body, "amount_cents": cents - 100}, altered=True))

    scene.oracle(alter)
