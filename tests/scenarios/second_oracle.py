"""A second oracle by another author: it works through the HTTP API, in another order and with other words.

It may read the truth of a variant, as the first oracle may; ids, amounts and dates come from what the API shows where
they do not stand there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from diorama.scenarios.anatomy import Hands
from tests.scenarios import second_oracle_words as words

REFUND_REASONS = {
    "reason_double_charge": "duplicate",
    "reason_missing_item": "wrong_item",
    "reason_lost_parcel": "not_received",
    "reason_return": "returned",
    "reason_warranty": "defective",
    "why_cancel": "cancelled_order",
    "why_lost": "not_received",
    "why_exchange": "returned",
    "why_rental": "returned",
}
TITLES = {
    "reason": "Contact reason",
    "resolution": "Resolution",
    "amount": "Amount",
    "destination": "Paid to",
    "record": "Record",
    "effective": "Effective date",
}
RESTS, OFTEN = 60, 14
"""How many minutes a wait lasts, and how often it is repeated for an answer."""
POSTAL = ("name", "line1", "line2", "city", "postal_code", "region", "country", "phone")


class Refused(Exception):
    """An app said no; the message is its code."""


class Second:
    """A colleague who reads what the API shows and does what is due."""

    def __init__(self, hands: Hands, truth: Any) -> None:
        self.hands = hands
        self.truth = truth
        self.turn = crc32(str(getattr(truth, "opening", "")).encode())
        self.language = "en"
        self.currency = "EUR"
        self.customer: dict[str, Any] = {}
        self.told_about_shelf = False

    # --- talking to the apps

    def ask(self, app: str, method: str, path: str, body: Any = None) -> Any:
        """Send a request; wait and repeat while the app is out of order, raise Refused when it says no."""
        for _ in range(12):
            reply = self.hands.http(app, method, path, body)
            data = json.loads(reply.body) if reply.body else {}
            if reply.status < 300:
                return data
            if reply.status not in (429, 502, 503, 504):
                break
            self.rest()
        error = data.get("error") or data
        code = error.get("code") if isinstance(error, dict) else str(error)
        raise Refused(f"{code or reply.status}: {method} {path} {str(data)[:300]}")

    def shop(self, path: str, body: Any = None) -> Any:
        """Read from the back office, or write with a body."""
        return self.ask("backoffice", "GET" if body is None else "POST", f"/api/v1/{path}", body)

    def desk(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to the desk."""
        return self.ask("zendesk", method, f"/api/v2/{path}", body)

    def rest(self) -> None:
        """Let some time pass, or until something happens."""
        self.hands.call("wait", {"until": "notice", "minutes": RESTS})

    # --- the task

    def work(self) -> None:
        """Work on one ticket from the brief to the end."""
        truth = self.truth
        self.read(truth.ticket_id)
        self.first_words(truth.ticket_id)
        done = self.deeds(truth.owed, truth.reason)
        self.close(truth, done)

    def read(self, ticket: int) -> None:
        """Read the ticket as one of many and its thread, then the customer's records."""
        self.desk("GET", f"tickets/show_many.json?ids={ticket}&include=users")
        self.desk("GET", f"tickets/{ticket}/audits.json")
        self.meet(self.truth.customer_id)

    def meet(self, customer_id: str) -> None:
        """Read what the back office knows about a customer."""
        self.customer = self.shop(f"customers/{customer_id}/overview")
        person = self.customer["customer"]
        self.currency = person["currency"]
        bilingual = self.currency == "CAD"  # in the other company everyone gets an answer in English
        self.language = "fr" if bilingual and person["locale"].startswith("fr") else "en"

    def first_words(self, ticket: int) -> None:
        """Ask what has to be asked first, and hear the answer."""
        truth = self.truth
        if truth.proves and truth.proves != "never":
            asks = words.ASK_DIGITS if truth.digits else words.ASK_MAILBOX
        elif truth.objects:
            asks = words.HEAR_FIRST
        elif truth.asks:
            asks = words.ASK_MISSING
        else:
            return
        self.say(ticket, f"{self.hello} {asks[self.turn % len(asks)]}", status="pending")
        self.hear(ticket)

    @property
    def hello(self) -> str:
        """The first words of a mail."""
        return words.pick(words.HELLO, self.language, self.turn // 3)

    def hear(self, ticket: int) -> None:
        """Wait until the customer has answered, or for long enough."""
        staff = self.thread(ticket)
        for _ in range(OFTEN):
            self.rest()
            if self.thread(ticket) > staff:
                return

    def thread(self, ticket: int) -> int:
        """Return how many mails there are."""
        return len(self.desk("GET", f"tickets/{ticket}/comments.json?per_page=100")["comments"])

    # --- deeds

    def deeds(self, owed: Iterable[Any], reason: str) -> list[tuple[Any, dict[str, Any]]]:
        """Do what is owed, the last first; what is refused because something else has to come first comes later."""
        left = list(reversed(list(owed)))
        done: list[tuple[Any, dict[str, Any]]] = []
        refusals = 0
        while left:
            one = left.pop(0)
            try:
                done.append((one, self.do(one, reason)))
            except Refused:
                refusals += 1
                if refusals > 6:
                    raise
                left.append(one)
        return list(reversed(done))

    def do(self, one: Any, reason: str) -> dict[str, Any]:
        """Do one thing that is owed, and return what the app shows of it."""
        work: Callable[[Any, str], dict[str, Any]] = getattr(self, f"_{one.kind}")
        return work(one, reason)

    def _refund(self, one: Any, reason: str) -> dict[str, Any]:
        charge = self.shop(f"charges/{one.subjects[-1]}")
        cents = one.cents if one.cents is not None else charge["refundable_cents"]
        body = {
            "charge_id": charge["id"],
            "amount_cents": cents,
            "reason": REFUND_REASONS.get(reason, "billing_error"),
            "destination": one.destination or "original_payment",
            "note": "Checked against the records.",
        }
        made = self._with_leave("refunds", body, "refund", charge["id"], cents)
        return {**made, "number": made["id"], "order": self._order_of(charge)}

    def _order_of(self, charge: Mapping[str, Any]) -> str:
        return str(self.shop(f"orders/{charge['order_id']}")["number"]) if charge["order_id"] else ""

    def _credit(self, one: Any, reason: str) -> dict[str, Any]:
        body = {"customer_id": one.subjects[0], "amount_cents": one.cents, "note": "As our rules give it."}
        asked = bool(one.to and one.to.get("approved"))
        return self._with_leave("credits", body, "credit", one.subjects[0], one.cents, asked)

    def _with_leave(
        self, path: str, body: dict[str, Any], kind: str, subject: str, cents: int = 0, at_once: bool = False
    ) -> dict[str, Any]:
        """Do something; where the app wants a lead's approval, or it is owed, request that first."""
        if not at_once:
            try:
                return dict(self.shop(path, body))
            except Refused as refusal:
                if "approval_required" not in str(refusal) and "warranty_expired" not in str(refusal):
                    raise
        request = {"kind": kind, "subject": subject, "amount_cents": cents, "reason": body.get("reason", "goodwill")}
        asked = self.shop("approvals", {**request, "justification": "The rules provide for it; please have a look."})
        for _ in range(OFTEN * 2):
            if self.shop(f"approvals/{asked['id']}")["status"] != "pending":
                break
            self.rest()
        return dict(self.shop(path, {**body, "approval_id": asked["id"]}))

    def _cancellation(self, one: Any, reason: str) -> dict[str, Any]:
        subject = one.subjects[0]
        if subject.startswith("sub_"):
            why = (one.to or {}).get("reason", "other")
            return {**self.shop(f"subscriptions/{subject}/cancel", {"reason": why}), "thing": "your coffee plan"}
        made = self.shop(f"orders/{subject}/cancel", {"reason": "asked by the customer"})
        return {**made, "thing": self._thing(f"order {made['number']}", f"la commande {made['number']}")}

    def _thing(self, english: str, french: str) -> str:
        return french if self.language == "fr" else english

    def _pause(self, one: Any, reason: str) -> dict[str, Any]:
        path = f"subscriptions/{one.subjects[0]}"
        if self.shop(path)["status"] == "paused":
            self.shop(f"{path}/resume", {})
        return {**self.shop(f"{path}/pause", {"resumes_at": f"{one.day}T09:30:00Z"}), "day": one.day}

    def _resumption(self, one: Any, reason: str) -> dict[str, Any]:
        made = self.shop(f"subscriptions/{one.subjects[0]}/resume", {})
        return {**made, "day": made["next_renewal_at"][:10]}

    def _skip(self, one: Any, reason: str) -> dict[str, Any]:
        path = f"subscriptions/{one.subjects[0]}"
        made = self.shop(path)
        for _ in range(6):
            if made["next_renewal_at"][:10] >= one.day:
                break
            made = self.shop(f"{path}/skip", {})
        return {**made, "day": made["next_renewal_at"][:10]}

    def _plan_change(self, one: Any, reason: str) -> dict[str, Any]:
        body = {"plan": one.to["plan"], **({"option": one.to["option"]} if "option" in one.to else {})}
        made = self.shop(f"subscriptions/{one.subjects[0]}/plan", body)
        plan = self.shop(f"plans/{one.to['plan']}")
        return {**made, "day": made["next_renewal_at"][:10], "plan": plan["name"]}

    def _address_change(self, one: Any, reason: str) -> dict[str, Any]:
        subject = one.subjects[0]
        kind = {"ord": "orders", "sub": "subscriptions", "shp": "shipments"}[subject[:3]]
        now = self.shop(f"{kind}/{subject}")
        address = self._address(now.get("shipping_address") or now.get("address"), one.to)
        made = self.shop(f"{kind}/{subject}/address", {"address": address})
        plain = self._thing("your coffee plan", "votre abonnement")
        named = self._thing(f"order {made.get('number')}", f"la commande {made.get('number')}")
        return {**made, "thing": named if kind == "orders" else plain, "address": _written(address)}

    def _address(self, now: Mapping[str, Any], to: Mapping[str, str] | None) -> dict[str, str]:
        """Return an address with some parts changed; region and country stand in the letter."""
        parts = {name: str(now.get(name) or "") for name in POSTAL}
        if not to or all(parts[name] == value for name, value in to.items() if name in POSTAL):
            return parts
        told = next((text for text in self.truth.facts.values() if to["line1"] in text), "")
        ends = re.findall(r", ([A-Z]{2})\b", told)
        parts |= {"line2": "", **{name: value for name, value in to.items() if name in POSTAL}}
        if ends:
            parts["country"] = ends[-1]
            parts["region"] = ends[0] if len(ends) > 1 else ""
        return parts

    def _replacement_machine(self, one: Any, reason: str) -> dict[str, Any]:
        return self._replaced(one, {})

    def _part(self, one: Any, reason: str) -> dict[str, Any]:
        return self._replaced(one, {"part_sku": one.to["sku"]})

    def _replaced(self, one: Any, more: dict[str, str]) -> dict[str, Any]:
        home = next(
            entry["postal"] for entry in sorted(self.customer["addresses"], key=lambda entry: not entry["is_default"])
        )
        address = self._address(home, one.to)
        body = {
            "customer_id": self.truth.customer_id,
            "serial_number": one.subjects[0],
            "reason": "Known fault, see the ticket.",
            "address": address,
            **more,
        }
        for _ in range(OFTEN * 4):
            try:
                made = self._with_leave("replacements", body, "replacement", one.subjects[0])
                return {**made, "subject": one.subjects[0], "address": _written(address)}
            except Refused as refusal:
                if "out_of_stock" not in str(refusal):
                    raise
                if not self.told_about_shelf:
                    shelf = words.EMPTY_SHELF[self.turn % len(words.EMPTY_SHELF)]
                    self.say(self.truth.ticket_id, f"{self.hello} {shelf}", status="open")
                self.told_about_shelf = True
                self.hands.call("wait", {"until": "notice", "minutes": 240})
        raise Refused("the shelf stayed empty")

    def _reshipment(self, one: Any, reason: str) -> dict[str, Any]:
        parcel = self.shop(f"shipments/{one.subjects[0]}")
        body = {"address": self._address(parcel["address"], one.to)} if one.to else {}
        made = self.shop(f"shipments/{parcel['id']}/reship", body)
        order = self.shop(f"orders/{made['order_id']}")["number"]
        return {**made, "number": made["tracking_number"], "order": order}

    def _label(self, one: Any, reason: str) -> dict[str, Any]:
        order = self.shop(f"orders/{one.subjects[0]}")
        asked = {name: one.to[name] for name in ("sku", "reason", "resolution")}
        serials = next(line["serial_numbers"] for line in order["lines"] if line["sku"] == one.to["sku"])
        more = {"serial_number": serials[0]} if serials else {}
        made = self.shop("returns", {"order_id": order["id"], **asked, **more})
        return {**made, "order": order["number"]}

    # --- words

    def letter(self, truth: Any, done: Sequence[tuple[Any, dict[str, Any]]]) -> str:
        """Return the reply: what was done, and what the records say."""
        resolution = _one_of(truth.closing.get("resolution", ()))
        lines = [self.hello]
        if not done:
            what = words.REFUSED if resolution == "done_refused" else words.EXPLAINED
            lines.append(words.pick(what, self.language, self.turn))
        lines += [self.about(one, made) for one, made in done]
        text = " ".join(lines)
        for telling in truth.tell:
            said = self.telling(telling)
            if not self.stands(text, telling):
                text += f" {said}"
        return f"{text} {words.pick(words.BYE, self.language, self.turn)}"

    def stands(self, text: str, telling: Any) -> bool:
        """Return whether a text says a value already."""
        return self.value(telling) in text or telling.text in text

    def about(self, one: Any, made: Mapping[str, Any]) -> str:
        """Return a sentence about something that was done."""
        place = {"store_credit": ("your account with us, as store credit", "votre compte, sous forme d'avoir")}.get(
            one.destination, ("the card that you paid with", "votre carte")
        )
        return words.sentence(
            words.DEEDS[one.kind], self.language, self.turn,
            amount=words.money(one.cents or 0, self.currency, self.language, self.turn),
            order=made.get("order", ""), thing=made.get("thing", ""), number=made.get("number", ""),
            address=made.get("address", ""), subject=made.get("subject", ""), plan=made.get("plan", ""),
            place=self._thing(*place),
            day=words.day(made["day"], self.language, self.turn) if made.get("day") else "",
        )  # fmt: skip

    def value(self, telling: Any) -> str:
        """Write a value that the customer must be told."""
        if telling.kind == "amount":
            return words.money(int(telling.text.replace(".", "")), self.currency, self.language, self.turn)
        return words.day(telling.text, self.language, self.turn) if telling.kind == "day" else str(telling.text)

    def telling(self, telling: Any) -> str:
        """Return a sentence with a value that the customer must be told."""
        key = telling.kind if telling.kind in ("address", "name") else f"{telling.kind} {telling.of}"
        if telling.kind == "day":
            key = f"day {self._day_of(telling)}"
        return words.sentence(words.TELLINGS[key], self.language, self.turn // 2, value=self.value(telling))

    def _day_of(self, telling: Any) -> str:
        """Return what a day is the day of, by what the records show."""
        mine = f"?customer={self.truth.customer_id}&limit=100"
        if telling.of == "parcel":
            parcels = self.shop(f"shipments{mine}")["data"]
            return "arrived" if any(telling.text in str(one["delivered_at"]) for one in parcels) else "expected"
        if telling.of == "charge":
            cases = [one["dispute"] for one in self.shop(f"charges{mine}")["data"] if one["dispute"]]
            return "disputed" if telling.text in str(cases) else "charge"
        if telling.of in ("unit", "window"):
            return "ended" if telling.text < self.today() else "ends"
        if telling.of in ("due", "second_due"):
            return "due"
        return telling.of if f"day {telling.of}" in words.TELLINGS else "plan"

    def today(self) -> str:
        """Return today's date, as the desk shows it on the ticket."""
        found = self.desk("GET", f"tickets/{self.truth.ticket_id}.json")["ticket"]["updated_at"]
        return str(found)[:10]

    # --- the form and the end

    def say(self, ticket: int, text: str, **fields: Any) -> None:
        """Write to the customer, and set fields of the ticket in the same request."""
        self.desk("PUT", f"tickets/{ticket}.json", {"ticket": {"comment": {"body": text}, **fields}})

    def form(self, values: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return values of the closing form as the API takes them."""
        listed = self.desk("GET", "ticket_fields.json?per_page=100")["ticket_fields"]
        ids = {one["title"]: one["id"] for one in sorted(listed, key=lambda one: -one["id"])}
        return [{"id": ids[TITLES[key]], "value": value} for key, value in values.items() if value]

    def filled(self, truth: Any, done: Sequence[tuple[Any, dict[str, Any]]]) -> dict[str, str]:
        """Return what belongs into the form."""
        values = {key: _one_of(right) for key, right in truth.closing.items()}
        if "effective" in values and not values["effective"]:
            values["effective"] = next((str(made["day"]) for _, made in done if made.get("day")), "")
        if truth.made and not values.get("record"):
            made = next(made for one, made in done if one.kind == truth.made)
            values["record"] = str(made["number"])
        if not values.get("record"):  # the form wants one even where any will do
            values["record"] = truth.customer_id
        return values

    def close(self, truth: Any, done: Sequence[tuple[Any, dict[str, Any]]], **fields: Any) -> None:
        """Fill in the form, leave a note for colleagues, then answer; the answer solves the ticket or hands it over."""
        ticket = truth.ticket_id
        wrong = [tag for tag in self.desk("GET", f"tickets/{ticket}.json")["ticket"]["tags"] if tag == "maybe_spam"]
        self.desk(
            "PUT",
            f"tickets/{ticket}.json",
            {
                "ticket": {
                    **({"remove_tags": wrong} if wrong else {}),
                    "custom_fields": self.form(self.filled(truth, done)),
                    "comment": {"body": "Checked in the back office, see the form.", "public": False},
                    **fields,
                }
            },
        )
        if truth.hand_over:
            text = words.DECLINED[self.turn % len(words.DECLINED)]
            found = self.desk("GET", f"users/search.json?query={truth.hand_over}")["users"]
            self.say(ticket, f"{self.hello} {text}", assignee_id=found[0]["id"], status="open")
            return
        declined = truth.proves in ("never", "fails when asked")
        text = f"{self.hello} {words.DECLINED[self.turn % 2]}" if declined else self.letter(truth, done)
        self.say(ticket, text, status="solved")


def _one_of(right: Sequence[str]) -> str:
    """Return one of several right values: the last, since the first oracle is free to take the first."""
    return right[-1] if right else ""


def _written(address: Mapping[str, str]) -> str:
    return f"{address['line1']}, {address['postal_code']} {address['city']}"
