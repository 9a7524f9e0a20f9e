"""The clerk: how an oracle works, with tools only, and with nothing that it was not shown.

An oracle knows the truth, so it knows what to look for; but every id, amount and day that it uses must have stood in
the brief or in an earlier reply. A clerk keeps what it was shown and looks up what is still missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from diorama.scenarios.anatomy import Hands, Seen

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MOMENT = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
_NUMBER = re.compile(r"\b[A-Z]{2,4}-\d{3,7}\b")
LISTED = {
    "ch_": "charges",
    "re_": "refunds",
    "sub_": "subscriptions",
    "shp_": "shipments",
    "rma_": "returns",
    "ord_": "orders",
    "cr_": "credits",
    "rpl_": "replacements",
}
"""Which list shows a record, by how its id begins."""
DATED = ("credits", "refunds", "charges", "shipments", "returns")
"""The lists in which a day that must be told may stand."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
TRIES = 10
ANSWER_TRIES = 6


class Clerk:
    """An oracle's hands, and everything that it has been shown."""

    def __init__(self, hands: Hands, ticket_id: int) -> None:
        self.hands = hands
        self.ticket_id = ticket_id
        self.shown = [hands.brief]
        self.letter = ""
        self.requester = 0
        self.people: list[dict[str, Any]] = []
        self.day = ""
        self.made: dict[str, str] = {}
        """The number of the last record that a deed made, by kind of deed."""

    # --- acting

    def try_(self, tool: str, **arguments: Any) -> Seen:
        """Call a tool, and keep what it shows."""
        seen = self.hands.call(tool, arguments)
        self.shown.append(seen.text)
        return seen

    def do(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its data; raise if it fails."""
        seen = self.try_(tool, **arguments)
        if seen.is_error:
            raise RuntimeError(f"{tool}({arguments}) failed: {seen.text[:400]}")
        return seen.data

    def insist(self, tool: str, approval: dict[str, Any] | None = None, **arguments: Any) -> Any:
        """Call a tool; ask a lead if that is needed, and try again later while the app is down."""
        for _ in range(TRIES):
            seen = self.try_(tool, **arguments)
            if not seen.is_error:
                return seen.data
            if "approval" in seen.text and approval is not None and "approval_id" not in arguments:
                arguments["approval_id"] = self.approved(**approval)
            else:
                self.try_("wait", minutes=60)
        raise RuntimeError(f"{tool}({arguments}) failed: {seen.text[:400]}")

    def approved(self, **asked: Any) -> str:
        """Ask a lead and wait for the answer; return the approval's id."""
        approval = str(self.do("backoffice_request_approval", **asked)["id"])
        for _ in range(TRIES):
            if self.do("backoffice_get_record", kind="approvals", id=approval)["status"] == "approved":
                break
            self.try_("wait", until="notice", minutes=240)
        return approval

    def ask(self, question: str) -> None:
        """Ask the customer something, and wait for the answer; without one, give up after a working day."""
        self.do("zendesk_reply_to_ticket", ticket_id=self.ticket_id, body=question)
        before = self.read_thread()
        for _ in range(ANSWER_TRIES):
            self.try_("wait", until="notice", minutes=240)
            if self.read_thread() > before:
                return

    def note(self, kind: str, made: Any, when: str = "created_at") -> None:
        """Keep the number and the day of the record that a deed made."""
        if isinstance(made, dict):
            self.made[kind] = str(made.get("id", ""))
            self.day = str(made.get(when) or "")[:10] or self.day

    def today(self) -> str:
        """Return the day of the last deed, or of the newest time that was shown."""
        moments = [one for text in self.shown for one in _MOMENT.findall(text)]
        return self.day or max(moments)[:10]

    # --- finding

    def has_seen(self, text: str) -> bool:
        """Check whether a text stood in the brief or in a reply."""
        return any(text in one for one in self.shown)

    def read_ticket(self) -> None:
        """Read the ticket and its thread."""
        told = self.do("zendesk_get_ticket", ticket_id=self.ticket_id)
        self.requester = told["ticket"]["requester_id"]
        self.people = [one for one in told.get("users", ()) if one["id"] == self.requester]
        self.read_thread()

    def read_thread(self) -> int:
        """Read the thread, and keep what the customer wrote; return how many comments it has."""
        thread = self.do("zendesk_list_comments", ticket_id=self.ticket_id)["comments"]
        self.letter = "\n".join(one["plain_body"] for one in thread if one["author_id"] == self.requester)
        return len(thread)

    def words(self) -> Iterator[str]:
        """Yield what one would search for: the sender's address, then what the letter names."""
        yield from (one["email"] for one in self.people if one.get("email"))
        yield from dict.fromkeys(_EMAIL.findall(self.letter))
        yield from dict.fromkeys(_NUMBER.findall(self.letter))
        yield from (one["name"] for one in self.people if one.get("name"))

    def find_customer(self, customer_id: str, named: Iterable[str] = ()) -> None:
        """Search until the customer is found, and open the account; `named` are names that the letter may state."""
        for word in (*self.words(), *(one for one in named if one in self.letter)):
            self.try_("backoffice_search", query=word)
            if self.has_seen(customer_id):
                break
        self.do("backoffice_get_customer", customer_id=customer_id)

    def find(self, customer_id: str, order: str, wanted: Iterable[str]) -> None:
        """Look up records until everything wanted has been shown; an empty order has none."""
        missing = [one for one in wanted if not self.has_seen(one)]
        if order and missing:
            if not self.has_seen(order):
                self.do("backoffice_list_records", kind="orders", customer_id=customer_id, limit=50)
            self.do("backoffice_get_order", order=order)
        for one in missing:
            kind = LISTED.get(one.partition("_")[0] + "_")
            if kind and not self.has_seen(one):
                self.do("backoffice_list_records", kind=kind, customer_id=customer_id, limit=50)
        for kind in DATED:
            if any(_DAY.fullmatch(one) and not self.has_seen(one) for one in missing):
                self.do("backoffice_list_records", kind=kind, customer_id=customer_id, limit=50)
