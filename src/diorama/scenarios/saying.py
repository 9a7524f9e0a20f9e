"""What was said: everything that the agent wrote to people, read against the records (`rewards/claims`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Protocol

import msgspec

from diorama.apps.backoffice.deeds import standing
from diorama.apps.backoffice.schema import (
    Address,
    Approval,
    Charge,
    Credit,
    Customer,
    Note,
    Order,
    OrderLine,
    Plan,
    Policy,
    Product,
    Refund,
    Replacement,
    Return,
    Settings,
    Shipment,
    Staff,
    Subscription,
    Unit,
)
from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.apps.zendesk.schema.help_center import Translation
from diorama.kernel import Record, Tx
from diorama.kit.deeds import Owed
from diorama.rewards import View
from diorama.rewards.claims import Case, Entity, Grounds, Text, Verdict, case_from_records, grounds_of, read
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES
from diorama.rewards.finding import Finding, Measure

QUALITY_COST = 0.2
"""What each small contradiction takes off the quality of the words."""
OF_A_CUSTOMER: tuple[type[Record], ...] = (
    Address, Charge, Refund, Credit, Approval, Return, Replacement, Shipment, Subscription, Unit, Note
)  # fmt: skip
_TOLD = {"amount": "amount", "day": "date", "number": "record", "name": "name", "address": "address"}


class Telling(msgspec.Struct, frozen=True):
    """A value that the customer must be told: its kind (amount, day, number, name, address), itself, and of what."""

    kind: str
    text: str
    """The value in its plain form: 51.90, 2026-02-27, LK-11410."""
    of: str = ""

    @classmethod
    def of_value(cls, kind: str, value: Any, of: str = "") -> Telling:
        """Return the telling of a value of the cast."""
        if isinstance(value, int):
            return cls("amount", f"{value // 100}.{value % 100:02d}", of)
        if isinstance(value, date):
            return cls("day", value.isoformat(), of)
        return cls(kind, str(value), of)

    def entity(self) -> Entity:
        """Return what the reader looks for."""
        if self.kind == "amount":
            return Entity("amount", (self.text.replace(".", ""),))
        if self.kind == "number":
            return Entity("record", (self.text.upper(),))
        return Entity(_TOLD[self.kind], (fold(self.text) if self.kind == "name" else self.text,))


class Matter(Protocol):
    """What a truth says about the words of its ticket."""

    @property
    def ticket_id(self) -> int: ...
    @property
    def customer_id(self) -> str: ...
    @property
    def requester(self) -> str: ...
    @property
    def tell(self) -> tuple[Telling, ...]: ...
    @property
    def owed(self) -> tuple[Owed, ...]: ...


class Said(msgspec.Struct, frozen=True):
    """The verdict about everything that the agent wrote to people."""

    verdict: Verdict
    replies: int
    expected: str
    seqs: tuple[int, ...]

    def told_finding(self) -> Finding:
        """Judge whether the customer was told what they must know."""
        if not self.replies:
            return Finding(False, self.expected, "no public reply")
        missing = ", ".join(map(str, self.verdict.missing))
        found = f"not told: {missing}" if missing else f"told, in {self.replies} public replies"
        return Finding(not missing, self.expected, found, self.seqs)

    def truth_finding(self) -> Finding:
        """Judge whether something false, or somebody else's data, was written."""
        bad = [one for one in self.verdict.contradictions if one.tier == "success"]
        found = "; ".join(f"says {one.sentence!r}: {one.found}" for one in bad[:3])
        expected = "; ".join(dict.fromkeys(one.expected for one in bad[:3])) or "nothing that the records contradict"
        seqs = tuple(dict.fromkeys(self.seqs[one.text_index] for one in bad if one.text_index < len(self.seqs)))
        return Finding(not bad, expected, found or "nothing that the records contradict", seqs)

    def quality(self) -> Measure:
        """Judge the small things."""
        loose = [one for one in self.verdict.contradictions if one.tier == "quality"]
        level = max(0.0, 1.0 - QUALITY_COST * len(loose))
        found = "; ".join(f"{one.kind}: {one.found}" for one in loose[:3]) or "nothing to object to"
        return Measure(level, "exact words, and no needless mail", found, self.seqs)


def said_on(view: View, truth: Matter) -> Said:
    """Read everything that the agent wrote to people since the episode began; read once per view."""
    return view.once("said", lambda: _read(view, truth))


def _read(view: View, truth: Matter) -> Said:
    texts = outgoing(view)
    entities = [one.entity() for one in truth.tell]
    told = LANGUAGES["en"].tells
    entities += [Entity("deed", (one.kind,)) for one in truth.owed if one.kind in told]
    entities = list(dict.fromkeys(entities))
    verdict = read(case_of(view, truth, entities), texts) if texts else Verdict(missing=tuple(entities))
    wanted = ", ".join(map(str, entities)) or "how it stands"
    mine = _public_replies(view, truth.ticket_id)
    return Said(verdict, mine, f"the customer is told: {wanted}", tuple(one.seq for one in texts))


def outgoing(view: View) -> list[Text]:
    """Return the texts that went out because of the agent, on whatever ticket, with their recipients."""
    found = []
    for event in view.own():
        if not event.actor.startswith("agent:"):
            continue
        for change in event.changes:
            if change.table == "zendesk_comments" and change.op == "insert" and (change.after or {}).get("public"):
                comment = view.tx.find(Comment, change.key)
                author = view.tx.find(User, comment.author_id) if comment is not None else None
                if comment is not None and author is not None and author.role != "end-user":
                    found.append(Text(comment.body, _recipients(view.tx, comment.ticket_id), event.seq))
    return found


def _recipients(tx: Tx, ticket_id: int) -> tuple[str, ...]:
    ticket = tx.get(Ticket, ticket_id)
    people = (tx.find(User, number) for number in (ticket.requester_id, *ticket.email_cc_ids))
    return tuple(one.email for one in people if one is not None and one.email)


def _public_replies(view: View, ticket_id: int) -> int:
    rows = view.tx.rows(
        "SELECT count(*) FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id WHERE c.ticket_id = ? "
        "AND c.public = 1 AND c.created_at >= ? AND u.role != 'end-user'",
        ticket_id,
        view.staged_us,
    )
    return int(rows[0][0])


# --- the case


def case_of(view: View, truth: Matter, tell: Sequence[Entity]) -> Case:
    """Build what the words are compared with: the customer's rows before and after, the thread, and the company."""
    tx = view.tx
    company = company_grounds(tx)
    thread = [one.body for one in tx.all(Comment, "ticket_id = ?", truth.ticket_id) if _from_outside(tx, one)]
    before = [
        dict(change.before)
        for event in view.own()
        for change in event.changes
        if change.table.startswith("backoffice_") and change.before
    ]
    made = case_from_records(
        before=customer_rows(tx, truth.customer_id),
        thread=thread,
        deeds=standing(tx, truth.customer_id),
        tell=tell,
        recipients=[truth.requester],
        today=f"{tx.now:%Y-%m-%d}",
        extra=[before, tx.get(Ticket, truth.ticket_id).subject, {"number": str(truth.ticket_id)}],
    )
    return msgspec.structs.replace(
        made,
        company=company.grounds,
        domains=company.domains,
        machines=company.machines,
        parts=company.parts,
        products=company.products,
    )


def _from_outside(tx: Tx, comment: Comment) -> bool:
    author = tx.find(User, comment.author_id)
    return author is not None and author.role == "end-user"


def customer_rows(tx: Tx, customer_id: str) -> dict[str, Any]:
    """Return everything that the back office holds about a customer, as plain data."""
    rows: dict[str, Any] = {
        record.__name__.lower() + "s": _plain(tx.all(record, "customer_id = ?", customer_id))
        for record in OF_A_CUSTOMER
    }
    orders = []
    for order in tx.all(Order, "customer_id = ?", customer_id, order="created_at DESC"):
        orders.append({**msgspec.to_builtins(order), "lines": _plain(tx.all(OrderLine, "order_id = ?", order.id))})
    credit = sum(one.remaining_cents for one in tx.all(Credit, "customer_id = ? AND status = 'active'", customer_id))
    customer = msgspec.to_builtins(tx.get(Customer, customer_id))
    return {**rows, "customer": customer, "recent_orders": orders, "credit_balance_cents": credit}


def _plain(records: Sequence[Record]) -> list[Any]:
    return [msgspec.to_builtins(one) for one in records]


class CompanyWords(msgspec.Struct, frozen=True):
    """What a company says in public: values of its pages and catalogue, its mail domains and goods."""

    grounds: Grounds
    domains: frozenset[str]
    machines: tuple[str, ...]
    parts: tuple[str, ...]
    products: tuple[str, ...]


_KNOWN: dict[tuple[Any, ...], CompanyWords] = {}
_KNOWN_AT_MOST = 8


def company_grounds(tx: Tx) -> CompanyWords:
    """Return what the company says in public; read once as long as no page and no product changes."""
    pages = tx.rows("SELECT count(*), max(updated_at) FROM zendesk_guide_translations")[0]
    goods = tx.rows("SELECT count(*), max(created_at), sum(price_cents) FROM backoffice_products")[0]
    key = (tx.company.name, *pages, *goods)
    found = _KNOWN.get(key)
    if found is None:
        while len(_KNOWN) >= _KNOWN_AT_MOST:
            del _KNOWN[next(iter(_KNOWN))]
        found = _KNOWN[key] = _company_words(tx)
    return found


def _company_words(tx: Tx) -> CompanyWords:
    goods = tx.all(Product)
    staff = tx.all(Staff)
    kinds: dict[str, list[str]] = {}
    for one in goods:
        kinds.setdefault(one.kind, []).append(one.name)
    rest = [name for kind, names in kinds.items() if kind not in ("machine", "grinder", "part") for name in names]
    return CompanyWords(
        grounds=grounds_of(
            [{"text": one.body, "title": one.title} for one in tx.all(Translation)],
            _plain(goods), _plain(tx.all(Plan)), _plain(tx.all(Policy)), _plain(tx.all(Settings)), _plain(staff),
        ),
        domains=frozenset(fold(one.email).rpartition("@")[2] for one in staff),
        machines=tuple(kinds.get("machine", []) + kinds.get("grinder", [])),
        parts=tuple(kinds.get("part", [])),
        products=tuple(rest),
    )  # fmt: skip
