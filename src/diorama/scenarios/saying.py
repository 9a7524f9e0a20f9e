"""What was said: everything that the agent wrote to people, read against the records (`rewards/claims`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from diorama.apps.backoffice.deeds import STANDING, standing
from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import (
    Address,
    Customer,
    Note,
    Order,
    OrderLine,
    Plan,
    Product,
    Scan,
    Settings,
    Shipment,
    Stock,
    Subscription,
)
from diorama.apps.zendesk.schema import Ticket
from diorama.kernel import Tx, from_us
from diorama.kernel.records import table_of
from diorama.kit.deeds import Deed, Owed
from diorama.kit.places import folded
from diorama.kit.words import Sent
from diorama.rewards import View
from diorama.rewards.claims import (
    Case,
    Entity,
    Grounds,
    Parcel,
    Text,
    Thing,
    Verdict,
    grounds_of,
    read,
    words_not_in,
)
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES
from diorama.rewards.claims.pieces import names_a_host
from diorama.rewards.claims.sufficing import suffices
from diorama.rewards.claims.things import (
    words_of,
)
from diorama.rewards.damage import added_in_vain
from diorama.rewards.finding import Finding, Measure
from diorama.scenarios.company_words import PAGES, CompanyWords, cited_grounds, company_words, goods_words, hosts_of
from diorama.scenarios.customer_rows import DAY_US, LAYOUTS, CustomerRows, date_of, replaced_values, was_of
from diorama.scenarios.customer_things import OF_THINGS, names_of_goods, parcels, things
from diorama.scenarios.early_words import said_too_soon
from diorama.scenarios.evidence import owner_since_us, written_by_people
from diorama.scenarios.internal_notes import internal_notes
from diorama.scenarios.payment_rows import any_failed, brands_of, payments_of
from diorama.scenarios.replies import counted, mails_to, replies_on
from diorama.scenarios.shop_part import desk_grounds, has_shop
from diorama.scenarios.strangers import strangers_in
from diorama.worlds.closing import closing_values

QUALITY_COST = 0.2
"""What each small contradiction takes off the quality of the words."""
_LOOSE = {
    "withdrawn": "said, and taken back in the same words or later",
    "corrected": "wrong at first, and corrected later",
    "intended": "denied as an intention, and done",
    "repeated": "a needless mail",
    "long": "a text that is too long",
}
"""How the kinds of small contradictions are called, where the kind itself is not plain."""
NO_GROUNDS = Grounds()
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
    """How many public replies the ticket got."""
    expected: str
    seqs: tuple[int, ...]
    unread: tuple[str, ...] = ()
    """The names of files that were sent and that no check can read."""
    early: tuple[str, ...] = ()
    """Replies that called something done long before it was."""
    mails: int = 0
    """How many public replies the customer got, on all of their tickets."""

    def told_finding(self) -> Finding:
        """Judge whether the customer was told what they must know."""
        if not self.replies:
            return Finding(False, self.expected, "no public reply")
        missing = ", ".join(map(str, self.verdict.missing))
        found = f"not told: {missing}" if missing else f"told, in {counted(self.mails or self.replies)}"
        return Finding(not missing, self.expected, found, self.seqs)

    def truth_finding(self) -> Finding:
        """Judge whether something false, or another person's data, was written."""
        bad = [one for one in self.verdict.contradictions if one.tier == "success"]
        said: dict[str, list[str]] = {}
        for one in bad[:3]:
            said.setdefault(one.sentence, []).append(one.found)
        found = "; ".join(f"{sentence!r}: {', and '.join(dict.fromkeys(why))}" for sentence, why in said.items())
        expected = "; ".join(dict.fromkeys(one.expected for one in bad[:3])) or "nothing that the records contradict"
        seqs = tuple(dict.fromkeys(self.seqs[one.text_index] for one in bad if one.text_index < len(self.seqs)))
        if self.unread and not bad:
            expected, found = "files that can be read", f"a file that no check can read was sent: {self.unread[0]}"
        return Finding(not bad and not self.unread, expected, found or "nothing that the records contradict", seqs)

    def quality(self) -> Measure:
        """Judge the small things."""
        loose = [one for one in self.verdict.contradictions if one.tier == "quality"]
        faults = [*self.early, *(f"{_LOOSE.get(one.kind, one.kind)}: {one.found}" for one in loose)]
        level = max(0.0, 1.0 - QUALITY_COST * len(faults))
        found = "; ".join(faults[:3]) or "nothing to object to"
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
    case = None
    if texts:
        case = brief_case_of(view, truth, entities, texts) or case_of(view, truth, entities, company)
        if strangers := strangers_in(view, truth.customer_id, case.thread, texts):
            case = msgspec.structs.replace(case, strangers=strangers)
    if known is not None and known[1][:2] == (case, texts):
        verdict = known[1][2].verdict
    else:
        verdict = read(case, texts) if case is not None else Verdict(missing=tuple(entities))
    wanted = ", ".join(map(str, entities))
    replies = len(replies_on(view, truth.ticket_id))
    unread = tuple(name for one in view.sent() for name in one.unread)
    done = [one for one in view.deeds() if one.customer == truth.customer_id]
    early = said_too_soon(view.events, texts, done, case.thread) if case is not None and done else ()
    seqs, mails = tuple(one.seq for one in texts), len(mails_to(view, truth))
    made = Said(verdict, replies, f"the customer is told: {wanted}", seqs, unread, early, mails)
    kept[name] = head, (case, texts, made)
    return made


def entities_of(truth: Matter) -> list[Entity]:
    """Return what the customer must be told: the values of the plan, and what was done or else how it stands."""
    told = LANGUAGES["en"].tells
    deeds = [Entity("deed", (one.kind,)) for one in truth.owed if one.kind in told]
    deeds = deeds or [Entity("answer", ("how it stands",))]
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
        found += [Text(struck, one.to, one.seq, hidden=True, struck=True) for struck in one.struck]
        if one.body.strip():
            found.append(Text(one.body, one.to, one.seq))
    return found


# --- the case


def case_of(
    view: View, truth: Matter, tell: Sequence[Entity], cited: Sequence[str] = (), proven: bool | None = None
) -> Case:
    """Build what the words are compared with: the customer's rows before and after, the thread, and the company.

    The brief counts as a text of the company; `cited` are further ones that may be cited. `proven`: whether the sender
    is known to be the owner, who alone may learn what the account holds; None asks the evidence.
    """
    company = company_words(view)
    known = customer_grounds(view, truth.customer_id)
    said = _said_grounds(view, truth) | grounds_of(_letters(view, truth))
    proven = _is_proven(view, truth) if proven is None else proven
    hidden = Grounds() if proven else known - said - _public(company.grounds)
    made = _case(view, truth, tell, company)
    return msgspec.structs.replace(
        made,
        known=(known | said) - hidden,
        private=hidden,
        private_words=frozenset() if proven else words_not_in(_words_of(view.tx, truth.customer_id), made.thread),
        company=company.grounds | cited_grounds((view.brief, *cited)),
    )


def brief_case_of(
    view: View, truth: Matter, tell: Sequence[Entity], texts: Sequence[Text], proven: bool = False
) -> Case | None:
    """Build a case without the values of pages; None if the verdict about texts may need these.

    The values of letters and notes are read only if the texts need them, or if they name what the rows do not.
    """
    if not has_shop(view.tx.company) or not (proven or _is_proven(view, truth)):
        return None
    rows = _rows_of(view, truth.customer_id)
    in_vain = view.kept("in vain", ("backoffice_", "zendesk_"), lambda: added_in_vain(view.tx, view.history))
    changed = view.history.rows.keys()
    sure = rows.once(("sure", in_vain), lambda: rows.grounds(changed, in_vain, free=False))
    sure = sure | _scan_days(view, truth.customer_id) | _said_grounds(view, truth)
    hosts = None if any(names_a_host(one.body) for one in texts) else frozenset[str]()
    case = _case(view, truth, tell, goods_words(view), sure, hosts)
    letters = view.once(f"letters {truth.ticket_id}", lambda: _letters(view, truth))
    left_out = [*letters, *rows.once(("texts", in_vain), lambda: rows.texts(changed, in_vain))]
    if suffices(case, texts, left_out):
        return case
    whole = msgspec.structs.replace(case, known=sure | grounds_of(left_out))
    return whole if suffices(whole, texts, ()) else None


def _case(
    view: View,
    truth: Matter,
    tell: Sequence[Entity],
    company: CompanyWords,
    known: Grounds = NO_GROUNDS,
    hosts: frozenset[str] | None = None,
) -> Case:
    """Return what every case has, with these values; the hosts of the company's pages are looked up if not given."""
    ticket = truth.ticket_id
    rows = _rows_of(view, truth.customer_id) if has_shop(view.tx.company) else None
    filled = view.once(f"closing {ticket}", lambda: closing_values(view.tx, ticket))
    return Case(
        known=known,
        deeds=view.kept(("deeds", truth.customer_id), ("backoffice_",), lambda: _deeds(view, truth.customer_id)),
        tell=tuple(tell),
        things=_things(view, truth.customer_id),
        parcels=_parcels(view, truth.customer_id),
        payments=payments_of(rows) if rows else (),
        failed=any_failed(rows) if rows else True,
        brands=brands_of(rows) if rows else frozenset(),
        stops=_stops(view, truth.customer_id),
        notes=internal_notes(view, truth.ticket_id, rows if truth.customer_id else None),
        today=f"{_last_said(view):%Y-%m-%d}",
        thread=view.once(f"thread {ticket}", lambda: _thread(view, ticket)),
        domains=company.domains,
        hosts=view.kept("hosts", (PAGES,), lambda: hosts_of(view)) if hosts is None else hosts,
        resolution=filled.get("resolution", "").removeprefix("done_"),
        machines=company.machines,
        parts=company.parts,
        products=company.products,
    )


def _thread(view: View, ticket_id: int) -> str:
    """Return what people wrote on a ticket as quotations are compared with it."""
    bodies = [comment.body for _, comment in written_by_people(view, ticket_id)]
    return view.same(("thread", ticket_id), bodies, lambda: " ".join(fold("\n".join(bodies)).replace(">", " ").split()))


def _is_proven(view: View, truth: Matter) -> bool:
    return truth.requester in truth.emails or owner_since_us(view, truth) is not None


def _letters(view: View, truth: Matter) -> list[str]:
    """Return what people wrote on the ticket, with its subject."""
    thread = [comment.body for _, comment in written_by_people(view, truth.ticket_id)]
    changed = view.history.rows.get((table_of(Ticket).name, truth.ticket_id))
    before = changed.before() if changed is not None else {}
    subject = before.get("subject") if "subject" in before else view.tx.get(Ticket, truth.ticket_id).subject
    return [*thread, str(subject)]


def _said_grounds(view: View, truth: Matter) -> Grounds:
    """Return what may be said besides the customer's rows, letters and pages; what the agent replaced among it."""
    name = ("said grounds", truth.requester, truth.customer_id, truth.ticket_id, truth.may_say_cents)
    return view.kept(name, ("backoffice_",), lambda: _find_said_grounds(view, truth))


def _find_said_grounds(view: View, truth: Matter) -> Grounds:
    mine = truth.customer_id
    changed = [
        (place[0], row)
        for place, row in view.history.rows.items()
        if place[0] in LAYOUTS and was_of(mine, place, row, lambda: _rows_of(view, mine))
    ]
    said = grounds_of(
        [truth.requester], [{name: _decoded(value) for name, value in row.before().items()} for _, row in changed]
    ) | _deliveries(view.tx)
    for table, row in changed:
        said = said | replaced_values(table, row)
    return said | Grounds(records=frozenset({str(truth.ticket_id)}), amounts=frozenset(truth.may_say_cents))


def _decoded(value: Any) -> Any:
    """Return a stored value; records inside a row, such as an address, are stored as JSON."""
    return msgspec.json.decode(value) if isinstance(value, str) and value.startswith("{") else value


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
    rows = _rows_of(view, customer_id)
    earlier = rows.once("standing", lambda: standing(view.tx, rows.all), *STANDING)
    shown = [one for one in earlier if (one.kind, one.table, one.key) not in known]
    streets = {folded(one.postal.line1) for one in rows.all(Address)}
    away = [one for one in made if one.kind in SENT_KINDS and folded(one.to.get("line1", "")) not in streets]
    return (
        *shown,
        *made,
        *(msgspec.structs.replace(one, kind="address_change") for one in away),
    )


def _things(view: View, customer_id: str) -> tuple[Thing, ...]:
    if not has_shop(view.tx.company):
        return ()
    rows, changed = _rows_of(view, customer_id), view.history.changed
    sold = tuple(changed.get(table_of(record).name, 0) for record in (Plan, Product))
    return rows.once(("things", sold), lambda: things(view.tx, customer_id, rows), *OF_THINGS)


def _parcels(view: View, customer_id: str) -> tuple[Parcel, ...]:
    """Return the parcels of a customer, with the names of what they contain."""
    if not has_shop(view.tx.company):
        return ()
    rows, products = _rows_of(view, customer_id), table_of(Product).name
    sold = view.history.changed.get(products, 0)

    def find() -> tuple[Parcel, ...]:
        return parcels(rows, lambda: view.kept("names of goods", (products,), lambda: names_of_goods(view.tx)))

    return rows.once(("parcels", sold), find, Shipment)


def _stops(view: View, customer_id: str) -> frozenset[str]:
    """Return the towns where the carriers scan parcels, that of the company, and the words of notes."""
    if not has_shop(view.tx.company):
        return frozenset()
    towns = view.kept("towns", (table_of(Settings).name,), lambda: _company_towns(view.tx))
    rows = _rows_of(view, customer_id)
    own = {key for table, key in view.history.rows if table == table_of(Note).name}  # notes of the agent do not count
    said = rows.once("words of notes", lambda: words_of(one.body for one in rows.all(Note) if one.id not in own), Note)
    return said | towns


def _company_towns(tx: Tx) -> frozenset[str]:
    """Return the folded towns where the carriers scan parcels, and that of the company."""
    known = settings(tx)
    return _folded_towns(tuple(known.scan_places), known.time_zone.rpartition("/")[2])


@lru_cache(maxsize=16)
def _folded_towns(scanned: tuple[str, ...], own: str) -> frozenset[str]:
    return frozenset(map(fold, (*scanned, own)))


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


def customer_grounds(view: View, customer_id: str) -> Grounds:
    """Return every value of a customer's rows that is evidence: see `CustomerRows.grounds`."""
    if not customer_id:
        return Grounds()
    if not has_shop(view.tx.company):
        return view.kept(("grounds", customer_id), ("zendesk_users",), lambda: desk_grounds(view.tx, customer_id))
    return view.kept(("grounds", customer_id), ("backoffice_",), lambda: _shop_grounds(view, customer_id))


def _shop_grounds(view: View, customer_id: str) -> Grounds:
    history = view.history
    found = _rows_of(view, customer_id).grounds(history.rows.keys(), added_in_vain(view.tx, history))
    return found | _scan_days(view, customer_id)


def _scan_days(view: View, customer_id: str) -> Grounds:
    """Return the days of the tracking histories of a customer's parcels."""

    def find() -> Grounds:
        return Grounds(dates=frozenset(date_of(day) for (day,) in view.tx.rows(_SCAN_DAYS, customer_id)))

    return view.kept(("scan days", customer_id), (table_of(Scan).name, table_of(Shipment).name), find)


_SCAN_DAYS = (
    f"SELECT DISTINCT at / {DAY_US} FROM {table_of(Scan).name} "
    f"WHERE shipment_id IN (SELECT id FROM {table_of(Shipment).name} WHERE customer_id = ?)"
)


def _rows_of(view: View, customer_id: str) -> CustomerRows:
    """Return the values of a customer's rows as they are now."""
    tx, history = view.tx, view.history
    rows: CustomerRows | None = history.held.get(("rows", customer_id))
    if rows is None:
        rows = history.held["rows", customer_id] = CustomerRows(tx, customer_id, history)
    rows.update(tx, history)
    return rows
