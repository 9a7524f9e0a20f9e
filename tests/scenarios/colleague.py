"""An agent that uses only what it reads: it parses the policy's figures, looks things up, and decides."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from diorama.scenarios.anatomy import Hands
from diorama.scenarios.unported.desk import must
from diorama.scenarios.unported.words import MONTHS

DAY = timedelta(days=1)


class Desk(msgspec.Struct, kw_only=True):
    """What the agent has read so far."""

    hands: Hands
    ticket: int
    letter: str
    now: datetime
    customer: dict[str, Any]
    inside: str
    outside: str
    tag: str = "reason_return"
    order: dict[str, Any] = {}
    line: dict[str, Any] = {}
    content: bool = False
    """Whether the customer got everything they wanted."""

    def use(self, tool: str, **arguments: Any) -> Any:
        """Use a tool that has to work."""
        return must(self.hands, tool, **arguments)

    def figure(self, pattern: str) -> int:
        """Return a figure from the policy."""
        found = re.search(pattern, f"{self.inside} {self.outside}")
        assert found, pattern
        return int(found[1])

    @property
    def whose(self) -> str:
        """The customer's number."""
        return str(self.customer["customer"]["id"])

    @property
    def over(self) -> datetime:
        """The last moment for sending the order back."""
        return self.arrived(self.order) + 30 * DAY

    def arrived(self, order: dict[str, Any]) -> datetime:
        """Return when the last parcel arrived."""
        return max(moment(parcel["delivered_at"]) for parcel in order["shipments"])

    def approved(self, **asked: Any) -> str:
        """Request a lead's approval, wait for it, and return its id."""
        made = self.use(
            "backoffice_request_approval", reason="goodwill", justification="As the policy has it.", **asked
        )
        while self.use("backoffice_get_record", kind="approvals", id=made["id"])["status"] == "pending":
            self.use("wait", until="notice", minutes=120)
        return str(made["id"])

    def credit(self, cents: int, approval: str = "") -> str:
        """Give store credit, and return the text about it."""
        self.use("backoffice_grant_credit", customer_id=self.whose, amount_cents=cents, approval_id=approval)
        return f"What we can do is store credit: €{cents / 100:.2f} has been added for you."

    def send_back(self, order: dict[str, Any], sku: str) -> str:
        """Open a return, and return the text about it."""
        made = self.use("backoffice_open_return", order_id=order["id"], sku=sku, reason="changed_mind")
        return (
            f"That is fine: order {order['number']} can come back under {made['number']}, for 30 days from its arrival."
        )


def moment(text: str) -> datetime:
    """Parse a time of the back office."""
    return datetime.fromisoformat(text).astimezone(UTC)


def spoken(when: datetime) -> str:
    """Format a date as this agent writes it."""
    return f"{MONTHS[when.month - 1]} {when.day}, {when.year}"


def work(hands: Hands) -> None:
    """Work on the task from the brief to the end."""
    desk = sit_down(hands)
    first = decide(desk)
    desk.use("zendesk_reply_to_ticket", ticket_id=desk.ticket, body=f"Hi, {first}")
    if not desk.content:
        answer = hear(desk)
        second = second_thought(desk, answer)
        desk.use("zendesk_reply_to_ticket", ticket_id=desk.ticket, body=f"Hi again, {second or first}")
    form = {"Contact reason": desk.tag, "Resolution": "done_answered"}
    desk.use("zendesk_update_ticket", ticket_id=desk.ticket, fields=form, status="solved")
    hands.call("finish", {"report": "Answered."})


def sit_down(hands: Hands) -> Desk:
    """Read the ticket, the customer and the policy."""
    found = re.search(r"ticket #(\d+)", hands.brief)
    assert found
    ticket = must(hands, "zendesk_get_ticket", ticket_id=int(found[1]))
    sender = next(user for user in ticket["users"] if user["id"] == ticket["ticket"]["requester_id"])
    found_them = must(hands, "backoffice_search", query=sender["email"])["data"][0]["customer_id"]
    policies = {
        article["title"]: article["body"]
        for words in ("exception", "store credit")
        for article in must(hands, "zendesk_search_help_center", query=words)["results"]
    }
    desk = Desk(
        hands=hands,
        ticket=int(found[1]),
        letter=ticket["ticket"]["description"],
        now=moment(ticket["ticket"]["created_at"]),
        customer=must(hands, "backoffice_get_customer", customer_id=found_them),
        inside=next(body for title, body in policies.items() if title.startswith("When the answer is no")),
        outside=next(body for title, body in policies.items() if title.startswith("Shipping, offers")),
    )
    if number := re.search(r"LK-\d+", desk.letter):
        desk.order = desk.use("backoffice_get_order", order=number[0])
        desk.line = desk.order["lines"][0]
    return desk


def decide(desk: Desk) -> str:
    """Do what the policy gives, and return the text of the reply."""
    letter = desk.letter.lower()
    if desk.line.get("serial_numbers"):
        desk.tag = "reason_warranty"
        return scale(desk, letter) if "vinegar" in letter or "scale" in letter else warranty(desk)
    if not desk.order or (desk.order["shipping_cents"] and "shipping" in letter) or "shop" in letter:
        desk.tag = "reason_other"
        return prices(desk, letter)
    if desk.line["sku"].startswith("CF-"):
        return coffee(desk)
    return late(desk)


def late(desk: Desk) -> str:
    """Handle a return after the deadline."""
    number, over = desk.order["number"], desk.over
    no = f"order {number} could be returned for 30 days, which ended on {spoken(over)}; I can't accept it now."
    promise = [note for note in desk.customer["notes"] if number in note["body"] and "refund" in note["body"]]
    if promise:
        desk.content = True
        cents = desk.line["unit_price_cents"]
        charge = desk.order["charges"][0]["id"]
        desk.use(
            "backoffice_refund_charge",
            charge_id=charge,
            reason="goodwill",
            amount_cents=cents,
            destination="store_credit",
        )
        return (
            f"we keep what was promised for order {number}: €{cents / 100:.2f} of store credit has been added for you."
        )
    if desk.now <= over + desk.figure(r"Up to (\d+) days after their end") * DAY:
        cents = desk.line["unit_price_cents"] * desk.figure(r"still give (\d+) %") // 100
        return f"{no} {desk.credit(cents, desk.approved(kind='credit', subject=desk.whose, amount_cents=cents))}"
    return no


def coffee(desk: Desk) -> str:
    """Handle a complaint about an opened bag of coffee."""
    no = f"the coffee of order {desk.order['number']} was opened, so it can't come back."
    had = desk.use("backoffice_list_records", kind="credits", customer_id=desk.whose)["data"]
    for one in had:
        if "taste" in (one["note"] or "") and moment(one["created_at"]) > desk.now - 365 * DAY:
            return f"{no} You had our taste credit on {spoken(moment(one['created_at']))}; it is for once in 12 months."
    share = desk.figure(r"(\d+) % of the price of the bag")
    return f"{no} {desk.credit(desk.line['unit_price_cents'] * share // 100)}"


def scale(desk: Desk, letter: str) -> str:
    """Handle a machine damaged by scale or vinegar."""
    serial = desk.line["serial_numbers"][0]
    no = f"scale and vinegar are outside the warranty of {serial}, so I can't replace it."
    if "descaling with vinegar" in letter:
        good = desk.use("backoffice_get_record", kind="products", id=desk.line["sku"])
        part = next(one["part_sku"] for one in good["known_faults"] if "portafilter" in one["symptom"])
        send(desk, serial, part)
        return f"{no} As our page misled you, a gasket for {serial} goes out free of charge."
    listed = desk.use("backoffice_list_records", kind="products", limit=50)["data"]
    part = next(good for good in listed if good["name"].lower() in letter)
    share = desk.figure(r"(\d+) % of the price of the part")
    return f"{no} {desk.credit(part['price_cents'] * share // 100)}"


def warranty(desk: Desk) -> str:
    """Handle a machine that broke after its warranty."""
    serial = desk.line["serial_numbers"][0]
    until = moment(next(one for one in desk.customer["units"] if one["serial_number"] == serial)["warranty_until"])
    no = f"the warranty of {serial} ended on {spoken(until)}; a new machine or money is not possible."
    if desk.now > until + 30 * DAY:
        return f"{no} Our workshop can make you an offer for a repair."
    good = desk.use("backoffice_get_record", kind="products", id=desk.line["sku"])
    part = next(one["part_sku"] for one in good["known_faults"] if one["symptom"].lower() in desk.letter.lower())
    send(desk, serial, part, desk.approved(kind="replacement", subject=serial))
    return f"{no} My lead agreed that you get the part for it at no cost."


def send(desk: Desk, serial: str, part: str, approval: str = "") -> None:
    """Send a part."""
    desk.use(
        "backoffice_replace_unit",
        customer_id=desk.whose,
        serial_number=serial,
        reason="policy",
        part_sku=part,
        approval_id=approval,
    )


def prices(desk: Desk, letter: str) -> str:
    """Handle a customer who wants money and keeps the goods."""
    if not desk.order:
        return (
            f"you have €{desk.customer['credit_balance_cents'] / 100:.2f} of store credit. It can't be turned into "
            "cash; spend it whenever you like."
        )
    number = desk.order["number"]
    if "shipping" in letter:
        parcel = desk.order["shipments"][0]
        announced, came = moment(parcel["estimated_delivery_at"]), moment(parcel["delivered_at"])
        if (came.date() - announced.date()).days >= desk.figure(r"comes (\d+) or more days"):
            desk.content = True
            charge = desk.order["charges"][0]["id"]
            desk.use("backoffice_refund_charge", charge_id=charge, reason="late_delivery", amount_cents=495)
            return (
                f"the page is outdated, but order {number} came on {spoken(came)} instead of {spoken(announced)}: "
                "€4.95 is refunded to your card."
            )
        return f"that page is outdated. The €4.95 for order {number} can't be returned, it was below the limit."
    if "another shop" in letter or "match" in letter or "meet their" in letter:
        return f"for order {number} we don't match other shops. It can be returned until {spoken(desk.over)}."
    days, ordered = desk.figure(r"within (\d+) days after your order"), moment(desk.order["created_at"])
    found = re.search(r"since (\d+) (\w+), .*? (\d+)\.(\d\d) EUR instead of (\d+)\.(\d\d) EUR", desk.outside)
    assert found
    since = datetime(desk.now.year, MONTHS.index(found[2]) + 1, int(found[1]), tzinfo=UTC)
    if ordered + days * DAY >= since:
        cents = int(found[5] + found[6]) - int(found[3] + found[4])
        return f"order {number} is in time. Not as money, though. {desk.credit(cents)}"
    return f"for order {number} the {days} days for a price drop ended on {spoken(ordered + days * DAY)}, so it's a no."


def hear(desk: Desk) -> str:
    """Wait for the customer's answer, and return it."""
    before = desk.use("zendesk_list_comments", ticket_id=desk.ticket)["count"]
    while True:
        desk.use("wait", until="notice", minutes=360)
        listed = desk.use("zendesk_list_comments", ticket_id=desk.ticket)
        if listed["count"] > before:
            return str(max(listed["comments"], key=lambda one: str(one["created_at"]))["body"])


def second_thought(desk: Desk, answer: str) -> str:
    """Return the new reply if the customer's answer changes the decision, else an empty text."""
    other = next((one for one in re.findall(r"LK-\d+", answer) if one != desk.order.get("number")), "")
    if other:
        order = desk.use("backoffice_get_order", order=other)
        if desk.now <= desk.arrived(order) + 30 * DAY:
            return desk.send_back(order, desk.line["sku"])
    if re.search(r"sealed|second one|two bags", answer, re.IGNORECASE) and desk.line["quantity"] > 1:
        return desk.send_back(desk.order, desk.line["sku"])
    if desk.tag == "reason_other" and re.search(
        r"return|back to you|yours back|buy it there|send it", answer, re.IGNORECASE
    ):
        return desk.send_back(desk.order, desk.line["sku"])
    return ""
