"""What was said: everything that the agent wrote to people, read against the records (`rewards/claims`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from diorama.apps.backoffice.deeds import standing
from diorama.apps.backoffice.schema import (
    Address,
    Approval,
    Card,
    Charge,
    Credit,
    Customer,
    Note,
    Order,
    OrderLine,
    Plan,
    Policy,
    Postal,
    Product,
    Refund,
    Replacement,
    Return,
    Settings,
    Shipment,
    Staff,
    Stock,
    Subscription,
    Unit,
)
from diorama.apps.zendesk.schema import Ticket, User
from diorama.apps.zendesk.schema.help_center import Translation
from diorama.kernel import Record, Tx, from_us
from diorama.kernel.records import table_of
from diorama.kit.deeds import Deed, Owed
from diorama.kit.words import Sent
from diorama.rewards import View
from diorama.rewards.claims import Case, Entity, Grounds, Text, Thing, Verdict, grounds_of, read, words_not_in
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES
from diorama.rewards.claims.pieces import hosts_in
from diorama.rewards.claims.things import account_of, days_of_ended, renewal_days, short_name, streets_of, towns_of
from diorama.rewards.damage import added_in_vain
from diorama.rewards.finding import Finding, Measure
from diorama.scenarios.evidence import owner_since_us, written_by_people
from diorama.scenarios.shop_part import desk_grounds, has_shop
from diorama.worlds.closing import closing_values

QUALITY_COST = 0.2
"""What each small contradiction takes off the quality of the words."""
OF_A_CUSTOMER: tuple[type[Record], ...] = (
    Address, Charge, Refund, Credit, Approval, Return, Replacement, Shipment, Subscription, Unit, Note
)  # fmt: skip
SENT_KINDS = ("part", "replacement_machine", "reshipment")
_TOLD = {"amount": "amount", "day": "date", "time": "time", "number": "record", "name": "name", "address": "address"}


class Telling(msgspec.Struct, frozen=True):
    """A value that the customer must be told: its kind (amount, day, time, number, name, address), itself, of what."""

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
    def may_say_cents(self) -> tuple[int, ...]: ...
    @property
    def owed(self) -> tuple[Owed, ...]: ...
    @property
    def emails(self) -> tuple[str, ...]: ...
    @property
    def digits(self) -> str: ...


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
        """Judge whether something false, or another person's data, was written."""
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
    """Read everything that the agent wrote to people since the episode began.

    The verdict follows from the history, so it is kept for as long as nothing happens.
    """
    return view.once("said", lambda: _kept(view, truth, outgoing(view)))


def said_to(view: View, matter: Matter, company: Sequence[str] = ()) -> Said:
    """Read what the agent wrote to one of several people; `company` are texts of the company that may be cited."""

    def read_theirs() -> Said:
        return _kept(view, matter, [one for one in outgoing(view) if matter.requester in one.to], tuple(company))

    return view.once(f"said to {matter.requester} about {matter.customer_id}", read_theirs)


def _kept(view: View, truth: Matter, texts: list[Text], company: tuple[str, ...] = ()) -> Said:
    """Return the verdict; the words are read again only if they, or what they are compared with, have changed."""
    kept, head = view.history.kept, (view.events.head, view.tx.now_us)
    entities = entities_of(truth)
    name = (
        "said", truth.ticket_id, truth.requester, truth.customer_id, truth.emails, truth.digits, truth.may_say_cents,
        tuple(entities), company, len(texts),
    )  # fmt: skip
    known = kept.get(name)
    if known is not None and known[0] == head:
        found: Said = known[1][2]
        return found
    case = case_of(view, truth, entities, company) if texts else None
    if known is not None and known[1][:2] == (case, texts):
        verdict = known[1][2].verdict
    else:
        verdict = read(case, texts) if case is not None else Verdict(missing=tuple(entities))
    wanted = ", ".join(map(str, entities)) or "how it stands"
    replies = len(replies_on(view, truth.ticket_id))
    made = Said(verdict, replies, f"the customer is told: {wanted}", tuple(one.seq for one in texts))
    kept[name] = head, (case, texts, made)
    return made


def entities_of(truth: Matter) -> list[Entity]:
    """Return what the customer must be told: the values of the plan, and what was done."""
    told = LANGUAGES["en"].tells
    deeds = [Entity("deed", (one.kind,)) for one in truth.owed if one.kind in told]
    return list(dict.fromkeys([*(one.entity() for one in truth.tell), *deeds]))


def outgoing(view: View) -> list[Text]:
    """Return the texts that left because of the agent, by whatever way, with the recipients of that moment.

    What came with a text stands before it: a later text can take back an earlier one, and the one that is shown counts.
    """
    return view.once("outgoing", lambda: _texts(view.sent()))


def _texts(sent: Sequence[Sent]) -> list[Text]:
    found = []
    for one in sent:
        found += [Text(extra, one.to, one.seq, hidden=True) for extra in one.extra]
        if one.body.strip():
            found.append(Text(one.body, one.to, one.seq))
    return found


def replies_on(view: View, ticket_id: int) -> list[Sent]:
    """Return the agent's public replies on a ticket, also those that were hidden or changed afterwards."""
    return [one for one in view.sent() if one.thread == ticket_id and one.way == "mail" and one.staff and one.body]


# --- the case


def case_of(
    view: View, truth: Matter, tell: Sequence[Entity], cited: Sequence[str] = (), proven: bool | None = None
) -> Case:
    """Build what the words are compared with: the customer's rows before and after, the thread, and the company.

    `cited` are further texts of the company that may be cited. `proven`: whether the sender is known to be the owner,
    who alone may learn what the account holds; None asks the evidence.
    """
    tx = view.tx
    company = company_grounds(tx)
    thread = [comment.body for _, comment in written_by_people(view, truth.ticket_id)]
    before = [row.before() for (table, _), row in view.history.rows.items() if table.startswith("backoffice_")]
    known = view.kept(
        ("grounds", truth.customer_id),
        ("backoffice_",),
        lambda: customer_grounds(tx, truth.customer_id, frozenset(view.history.rows), added_in_vain(tx, view.history)),
    )
    said = grounds_of(thread, [truth.requester, tx.get(Ticket, truth.ticket_id).subject], before)
    said |= Grounds(records=frozenset({str(truth.ticket_id)})) | _deliveries(tx)
    said |= Grounds(amounts=frozenset(truth.may_say_cents))
    if proven is None:
        proven = truth.requester in truth.emails or owner_since_us(view, truth) is not None
    hidden = Grounds() if proven else known - said - _public(company.grounds)
    spoken = " ".join(fold("\n".join(thread)).replace(">", " ").split())
    return Case(
        known=(known | said) - hidden,
        private=hidden,
        private_words=frozenset() if proven else words_not_in(_words_of(tx, truth.customer_id), spoken),
        company=company.grounds | grounds_of(cited) if cited else company.grounds,
        deeds=view.kept(("deeds", truth.customer_id), ("backoffice_",), lambda: _deeds(view, truth.customer_id)),
        tell=tuple(tell),
        things=view.kept(("things", truth.customer_id), ("backoffice_",), lambda: things(tx, truth.customer_id)),
        today=f"{_last_said(view):%Y-%m-%d}",
        thread=spoken,
        domains=company.domains,
        hosts=company.hosts,
        resolution=closing_values(tx, truth.ticket_id).get("resolution", "").removeprefix("done_"),
        machines=company.machines,
        parts=company.parts,
        products=company.products,
    )


def _last_said(view: View) -> datetime:
    """Return when the last words left; now if there are none. That day is today for their reader."""
    sent = view.sent()
    return from_us(sent[-1].at) if sent else view.tx.now


def _deeds(view: View, customer_id: str) -> tuple[Deed, ...]:
    """Return the customer's deeds that stand: those that their rows show, and changes made in this episode.

    Goods that were sent to an address that is not in the account count as a change of address, too.
    """
    made = [one for one in view.deeds() if one.customer == customer_id and one.stands]
    if not has_shop(view.tx.company):
        return tuple(made)
    known = {(one.kind, one.table, one.key) for one in made}
    shown = [one for one in standing(view.tx, customer_id) if (one.kind, one.table, one.key) not in known]
    streets = {one.postal.line1 for one in view.tx.all(Address, "customer_id = ?", customer_id)}
    away = [one for one in made if one.kind in SENT_KINDS and one.to.get("line1") not in streets]
    return (
        *shown,
        *made,
        *(msgspec.structs.replace(one, kind="address_change") for one in away),
    )


def things(tx: Tx, customer_id: str) -> tuple[Thing, ...]:
    """Return the orders, plans, machines and the account of a customer, as they stand."""
    if not has_shop(tx.company):
        return ()
    parcels: dict[str, list[Shipment]] = {}
    for one in tx.all(Shipment, "customer_id = ?", customer_id):
        parcels.setdefault(one.order_id, []).append(one)
    offers = {one.code: one for one in tx.all(Plan)}
    addresses = tx.all(Address, "customer_id = ?", customer_id)
    sold = {one.sku: one.name for one in tx.all(Product)}
    return (
        *(
            _order_thing(one, parcels.get(one.id, ()))
            for one in tx.all(Order, "customer_id = ?", customer_id, order="created_at, id")
        ),
        *(
            _plan_thing(one, offers.get(one.plan_code))
            for one in tx.all(Subscription, "customer_id = ?", customer_id, order="created_at, id")
        ),
        *(
            Thing(
                "machine",
                one.id,
                (one.id.upper(),),
                short_name(sold.get(one.sku, "")),
                one.status,
                days=(f"{one.warranty_until:%Y-%m-%d}",),
            )
            for one in tx.all(Unit, "customer_id = ?", customer_id, order="id")
        ),
        account_of(
            customer_id,
            [msgspec.structs.asdict(one.postal) for one in addresses],
            sum(one.remaining_cents for one in tx.all(Credit, "customer_id = ? AND status = 'active'", customer_id)),
        ),
    )


def _order_thing(order: Order, parcels: Sequence[Shipment]) -> Thing:
    numbers = (order.number, *(one.tracking_number for one in parcels))
    to = [msgspec.structs.asdict(one) for one in (order.shipping_address, *(parcel.address for parcel in parcels))]
    return Thing(
        "order",
        order.id,
        tuple(one.upper() for one in numbers if one),
        status=order.status,
        streets=streets_of(*to),
        towns=towns_of(*to),
        cents=order.total_cents,
        renews=bool(order.subscription_id),
    )


def _plan_thing(one: Subscription, offer: Plan | None) -> Thing:
    weeks = offer.interval_weeks if offer else 0
    to = msgspec.structs.asdict(one.shipping_address)
    return Thing(
        "plan",
        one.id,
        name=short_name(offer.name if offer else one.plan_code),
        status=one.status,
        streets=streets_of(to),
        towns=towns_of(to),
        weeks=weeks,
        days=renewal_days(f"{one.next_renewal_at:%Y-%m-%d}", weeks)
        if one.next_renewal_at
        else days_of_ended(f"{one.created_at:%Y-%m-%d}", f"{one.cancelled_at:%Y-%m-%d}", weeks)
        if one.cancelled_at
        else (),
    )


def _deliveries(tx: Tx) -> Grounds:
    """Return the days on which the warehouse expects goods."""
    due = tx.all(Stock, "incoming_at IS NOT NULL") if has_shop(tx.company) else []
    return Grounds(dates=frozenset(f"{one.incoming_at:%Y-%m-%d}" for one in due))


def _public(company: Grounds) -> Grounds:
    """Return the amounts and days that the company publishes."""
    return Grounds(amounts=company.amounts, dates=company.dates)


def _words_of(tx: Tx, customer_id: str) -> set[str]:
    """Return the towns, goods, plans and the brand of the card of a customer, which only they may be told."""
    found = {one.postal.city for one in tx.all(Address, "customer_id = ?", customer_id)}
    found |= {card.brand for one in tx.all(Customer, "id = ?", customer_id) if (card := one.card)}
    for order in tx.all(Order, "customer_id = ?", customer_id):
        found |= {line.name for line in tx.all(OrderLine, "order_id = ?", order.id)}
    codes = {one.plan_code for one in tx.all(Subscription, "customer_id = ?", customer_id)}
    return found | {one.name for one in tx.all(Plan) if one.code in codes}


def customer_grounds(
    tx: Tx,
    customer_id: str,
    changed: AbstractSet[tuple[str, int | str]] = frozenset(),
    in_vain: AbstractSet[tuple[str, int | str]] = frozenset(),
) -> Grounds:
    """Return every value of a customer's rows: amounts, days, numbers, addresses and contact data.

    Texts and requests of the agent are not evidence: free texts in rows that it changed (table and key) do not count.
    Its notes and requests for approval do not count at all. Rows that it added and took back (`in_vain`) do not count.
    """
    found: dict[str, set[Any]] = {name: set() for name in Grounds.__struct_fields__}
    texts: dict[Any, None] = {}
    if not has_shop(tx.company):
        return desk_grounds(tx, customer_id)
    rows: list[Record] = [tx.get(Customer, customer_id)]
    for record in OF_A_CUSTOMER:
        rows += tx.all(record, "customer_id = ?", customer_id)
    for order in tx.all(Order, "customer_id = ?", customer_id):
        rows += [order, *tx.all(OrderLine, "order_id = ?", order.id)]
    for row in rows:
        place = (table_of(type(row)).name, row.id)
        own = place in changed
        if not (own and isinstance(row, Note | Approval)) and place not in in_vain:
            _collect(row, found, texts, read_texts=not own)
    return Grounds(**{name: frozenset(values) for name, values in found.items()}) | grounds_of(
        [msgspec.to_builtins(one) for one in texts]
    )


_NUMBERS = ("id", "number", "tracking_number", "serial_number", "new_serial_number", "sku")


def _collect(row: Any, found: dict[str, set[Any]], texts: dict[Any, None], *, read_texts: bool) -> None:
    """Collect the values of one row by the names and types of its columns; free texts are kept to be read later."""
    for name in row.__struct_fields__:
        value = getattr(row, name)
        if not value:
            continue
        if isinstance(value, str):
            if name in _NUMBERS or name.endswith("_id"):
                found["records"].add(value.upper())
            elif name == "phone":
                found["phones"].add("".join(filter(str.isdigit, value)))
            elif name in _FREE_TEXTS and (read_texts or name == "email"):
                texts[value] = None
        elif isinstance(value, datetime):
            stamp = value.isoformat()
            found["dates"].add(stamp[:10])
            found["times"].add(stamp[11:16])
        elif isinstance(value, int):
            if name.endswith("_cents"):
                found["amounts"].add(abs(value))
        elif isinstance(value, Postal):
            texts[msgspec.structs.replace(value, name="")] = None
        elif isinstance(value, Card):
            found["cards"].add(value.last4)
        elif isinstance(value, tuple):
            texts.update(dict.fromkeys(one for one in value if isinstance(one, str)))
            if name == "serial_numbers":
                found["records"] |= set(value)


_FREE_TEXTS = ("body", "note", "email", "justification", "decision_note", "trace_answer", "author", "created_by")


def _plain(records: Sequence[Record]) -> list[Any]:
    return [msgspec.to_builtins(one) for one in records]


@lru_cache(maxsize=2048)
def _page_grounds(title: str, body: str) -> Grounds:
    return grounds_of({"text": body, "title": title})


def _joined(grounds: Iterable[Grounds]) -> Grounds:
    listed = list(grounds)
    names = Grounds.__struct_fields__
    return Grounds(*(frozenset[Any]().union(*(getattr(one, name) for one in listed)) for name in names))


class CompanyWords(msgspec.Struct, frozen=True):
    """What a company says in public: values of its pages and catalogue, its mail domains and goods."""

    grounds: Grounds
    domains: frozenset[str]
    hosts: frozenset[str]
    machines: tuple[str, ...]
    parts: tuple[str, ...]
    products: tuple[str, ...]


_KNOWN: dict[tuple[Any, ...], CompanyWords] = {}
_KNOWN_AT_MOST = 8


def company_grounds(tx: Tx) -> CompanyWords:
    """Return what the company says in public; read once as long as no page and no product changes."""
    pages = tx.rows("SELECT count(*), sum(updated_at) FROM zendesk_guide_translations")[0]
    newest = tx.rows("SELECT body FROM zendesk_guide_translations ORDER BY id DESC LIMIT 4")  # staging may add pages
    sold = "SELECT count(*), max(created_at), sum(price_cents) FROM backoffice_products"
    goods = tx.rows(sold)[0] if has_shop(tx.company) else ()
    key = (tx.company.name, *pages, *newest, *goods)
    found = _KNOWN.get(key)
    if found is None:
        while len(_KNOWN) >= _KNOWN_AT_MOST:
            del _KNOWN[next(iter(_KNOWN))]
        found = _KNOWN[key] = _company_words(tx)
    return found


def _company_words(tx: Tx) -> CompanyWords:
    texts = tx.all(Translation)
    pages = _joined(_page_grounds(one.title, one.body) for one in texts)
    hosts = frozenset(host for one in texts for host in hosts_in(one.body))
    if not has_shop(tx.company):
        colleagues = [one.email or "" for one in tx.all(User, "role != 'end-user'")]
        domains = frozenset(fold(one).rpartition("@")[2] for one in colleagues if one)
        return CompanyWords(pages | grounds_of(colleagues), domains, hosts, (), (), ())
    goods = tx.all(Product)
    staff = tx.all(Staff)
    kinds: dict[str, list[str]] = {}
    for one in goods:
        kinds.setdefault(one.kind, []).append(one.name)
    rest = [name for kind, names in kinds.items() if kind not in ("machine", "grinder", "part") for name in names]
    return CompanyWords(
        grounds=pages | grounds_of(
            _plain(goods), _plain(tx.all(Plan)), _plain(tx.all(Policy)), _plain(tx.all(Settings)), _plain(staff),
        ),
        domains=frozenset(fold(one.email).rpartition("@")[2] for one in staff),
        hosts=hosts,
        machines=tuple(kinds.get("machine", []) + kinds.get("grinder", [])),
        parts=tuple(kinds.get("part", [])),
        products=tuple(rest),
    )  # fmt: skip
