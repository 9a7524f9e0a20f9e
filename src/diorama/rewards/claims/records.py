"""Build a case from plain records: a customer's rows as the back office returns them, the thread, what is owed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from diorama.kit.deeds import Deed
from diorama.rewards.claims.case import Case, Entity, Grounds, grounds_of, words_not_in
from diorama.rewards.claims.clauses import read_clauses
from diorama.rewards.claims.deeds import NINE, read_claims
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.notes import notes_of
from diorama.rewards.claims.things import parcels_of, payments_of, stops_of, things_of
from diorama.rewards.claims.values import read_values


def case_from_records(
    *,
    before: Mapping[str, Any],
    after: Mapping[str, Any] | None = None,
    thread: Sequence[str] = (),
    deeds: Iterable[Deed] = (),
    tell: Iterable[Entity] = (),
    recipients: Sequence[str] = (),
    today: str = "",
    extra: Sequence[Any] = (),
    company: Sequence[Any] = (),
    machines: Iterable[str] = (),
    parts: Iterable[str] = (),
    expected: Iterable[str] = (),
) -> Case:
    """Build a case from a customer's rows before and after, as `GET /customers/{id}` of the back office returns them.

    A recipient whose address is not among the customer's gets to know only what the thread, `extra` or the company
    says: all other values of the rows are private, and so are the towns and goods in them.
    """
    rows = [before, *([after] if after else [])]
    own = grounds_of(*rows)
    said = grounds_of(list(thread), list(recipients), list(extra), [msgspec.to_builtins(one) for one in deeds])
    emails = {fold(one) for row in rows for one in _emails(row)}
    proven = not recipients or any(fold(one) in emails for one in recipients)
    public = grounds_of(list(company))
    hidden = Grounds() if proven else own - said - Grounds(amounts=public.amounts, dates=public.dates)
    spoken = " ".join(fold("\n".join(thread)).replace(">", " ").split())
    machines = {*machines, *(str(one.get("product_name")) for row in rows for one in row.get("machines", ()))}
    goods = {
        str(line.get("name")) for row in rows for one in row.get("recent_orders", ()) for line in one.get("lines", ())
    }
    return Case(
        known=(own | said) - hidden,
        private=hidden,
        private_words=frozenset() if proven else words_not_in(_words(rows), spoken),
        company=public,
        deeds=(*deeds, *_standing(rows[-1], tuple(deeds))),
        expected=frozenset(expected),
        tell=tuple(tell),
        things=things_of(before, after) if after else (),
        parcels=parcels_of(after) if after else (),
        payments=payments_of(after) if after else (),
        stops=stops_of(after) if after else frozenset(),
        notes=notes_of(before),
        today=today,
        thread=spoken,
        domains=frozenset(_domains(rows)),
        machines=tuple(sorted(machines - {"None"})),
        products=tuple(sorted(goods - machines - {"None"})),
        parts=tuple(parts),
    )


def _words(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the towns, goods and plans of a customer."""
    postal = [one.get("postal") or {} for row in rows for one in row.get("addresses", ())]
    lines = [line for row in rows for one in row.get("recent_orders", ()) for line in one.get("lines", ())]
    plans = [one.get("plan_name") or one.get("plan") for row in rows for one in row.get("subscriptions", ())]
    machines = [one.get("product_name") for row in rows for one in row.get("machines", ())]
    found = [*(one.get("city") for one in postal), *(one.get("name") for one in lines), *plans, *machines]
    return {one for one in found if isinstance(one, str)}


def _emails(row: Mapping[str, Any]) -> list[str]:
    customer = row.get("customer") or {}
    return [str(one) for one in (customer.get("email"), *(customer.get("emails") or ())) if one]


def _domains(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the mail domains of colleagues, who sign notes."""
    authors = [str(note.get("author", "")) for row in rows for note in row.get("notes", ())]
    return {fold(author).rpartition("@")[2] for author in authors if "@" in author}


def _standing(row: Mapping[str, Any], done: tuple[Deed, ...]) -> list[Deed]:
    """Return what the rows themselves say was done earlier: cancelled orders and subscriptions, pauses, credit."""
    seen = {(one.kind, one.subject) for one in done}
    taken_up = {one.subject for one in done if one.kind in {"resumption", "cancellation"}}
    found = []
    for one in row.get("subscriptions", ()):
        status, subject = one.get("status"), str(one.get("id"))
        if status == "cancelled" and ("cancellation", subject) not in seen:
            day = str(one.get("cancelled_at", ""))[:10]
            found.append(Deed("cancellation", subject, day=day, table="subscriptions"))
        if status == "paused" and ("pause", subject) not in seen:
            found.append(Deed("pause", subject, table="subscriptions", stands=subject not in taken_up))
    for one in row.get("recent_orders", ()):
        if one.get("status") == "cancelled":
            number = str(one.get("number"))
            found.append(Deed("cancellation", str(one.get("id")), names=(number,), table="orders"))
    balance = int(row.get("credit_balance_cents") or 0)
    if balance > 0:
        customer = str((row.get("customer") or {}).get("id", ""))
        found.append(Deed("credit", customer, cents=balance, table="credits"))
    return found


# The labelled format: one case with its hidden truth, as `diorama judge-score` reads it.

_TOPICS = {
    "e-mail": "email",
    "account": "account",
    "included": "included",
    "cannot": "refusal",
    "another customer": "other_owner",
    "paid out": "payout",
    "fixed": "works_again",
    "invoice": "invoice",
    "renewal": "subscription",
    "renew": "subscription",
    "subscription": "subscription",
    "credit": "credit",
    "card": "card",
    "send it back": "return",
    "no notice": "no_notice",
}
"""The first word of a group of words that has to be told, and the topic that it stands for."""
_HIDDEN = {"secrets", "account_email", "keeps", "digits", "remedy", "bills", "addresses"}
"""Fields of a truth that no reply may repeat."""
_UNSPECIFIC = {"from", "never"}
_TOOLS = {
    "create_refund": "refund",
    "create_credit": "credit",
    "cancel_subscription": "cancellation",
    "cancel_order": "cancellation",
    "pause_subscription": "pause",
    "skip_subscription": "skip",
    "resume_subscription": "resumption",
    "change_subscription_plan": "plan_change",
    "change_order_address": "address_change",
    "change_subscription_address": "address_change",
    "change_shipment_address": "address_change",
    "reship_shipment": "reshipment",
    "create_return": "label",
}
"""Operations of the oracle, and the kind of deed that each does."""


def case_from_labelled(labelled: Mapping[str, Any], today: str = "") -> Case:
    """Build a case from the labelled format: truth, thread, records before the oracle's deeds, the oracle's words.

    `today` is the day of a case that does not state it. `tell` and `done` state what must be told and what was done;
    without them both are derived from the truth.
    """
    truth, records = labelled.get("truth") or {}, labelled.get("records") or {}
    said = [str(one["body"]) for one in labelled.get("oracle_said") or () if one.get("public", True)]
    thread = [str(one) for one in (labelled.get("thread") or {}).values()]
    if "done" in labelled:
        deeds = tuple(msgspec.convert(one, Deed) for one in labelled["done"])
    else:
        deeds = _deeds(labelled, truth, said)
    if "tell" in labelled:
        tell = tuple(msgspec.convert(one, Entity) for one in labelled["tell"])
    else:
        tell = _tell(truth, deeds)
    secrets = grounds_of(truth.get("secrets") or [])
    facts = {name: value for name, value in truth.items() if name not in _HIDDEN}
    goods = (truth.get("facts") or {}).get("product")
    machines = [goods] if goods and any("serial" in name for name in truth.get("facts") or {}) else []
    parts = [one for group in truth.get("say") or () for one in group if "part" in group and one != "part"]
    made = case_from_records(
        before=records,
        after=labelled.get("after"),
        thread=thread,
        deeds=deeds,
        tell=tell,
        recipients=[one for one in (truth.get("requester"),) if one],
        today=str(labelled.get("today") or today or latest_day(records)),
        extra=[facts, said, (truth.get("remedy") or {}).get("to") or {}, *([goods] if goods else [])],
        company=labelled.get("company") or (),
        parts=parts,
        machines=machines,
        expected=_expected(((truth.get("aim") or {}).get("back") or {}).get("resolution")),
    )
    if any(one.seq for one in deeds):  # the colleague acted for the sender, who had proved who they are
        soft = Grounds(amounts=made.private.amounts, dates=made.private.dates)
        made = msgspec.structs.replace(
            made, known=made.known | soft, private=made.private - soft, private_words=frozenset()
        )
    if not made.private.emails:
        return made
    secret = made.private | (secrets - grounds_of(thread))
    return msgspec.structs.replace(made, private=secret, known=made.known - secret)


def _expected(resolution: str | None) -> list[str]:
    """Return the deed that follows when a return has arrived."""
    return {"store_credit": ["credit"], "refund": ["refund"], "original_payment": ["refund"]}.get(resolution or "", [])


def latest_day(data: Any, key: str = "") -> str:
    """Return the latest day on which a row was created or updated: the day of cases that do not state it."""
    if isinstance(data, Mapping):
        return max((latest_day(value, str(name)) for name, value in data.items()), default="")
    if isinstance(data, str):
        return data[:10] if key in {"created_at", "updated_at"} else ""
    return max((latest_day(one, key) for one in data), default="") if isinstance(data, Sequence) else ""


def _deeds(labelled: Mapping[str, Any], truth: Mapping[str, Any], said: Sequence[str]) -> tuple[Deed, ...]:
    """Derive the deeds that stand at the end from the truth, the oracle's operations and its words, which are true."""
    customer, number = str(truth.get("customer_id") or ""), str(truth.get("order_number") or "")
    numbers = [number, *(str(one.get("order_number") or "") for one in truth.get("also") or ())]
    found: list[Deed] = []
    others = {
        str(one)
        for bill in truth.get("bills") or ()
        if bill.get("customer_id") != customer
        for one in bill["due"]["charges"]
    }
    for place, due in enumerate(truth.get("dues") or ()):
        if others & set(due.get("charges") or ()):
            continue
        about = numbers[place] if place < len(numbers) else number
        charges = [str(one) for one in due.get("charges") or ()]
        names = tuple(one for one in (about, *charges) if one)
        found.append(
            Deed(
                "refund",
                charges[0] if charges else "",
                customer,
                due.get("cents"),
                due.get("destination", ""),
                names=names,
                seq=1,
            )
        )
    if truth.get("goodwill_cents"):
        found.append(Deed("credit", customer, customer, int(truth["goodwill_cents"]), seq=1))
    goods = truth.get("remedy") or {}
    aim = truth.get("aim") or {}
    sent = str(goods.get("send_sku") or (aim.get("sends") or {}).get("sku") or "")
    if truth.get("part"):
        sent = str(truth["part"][-1])
    if sent:
        kind = "part" if sent.startswith("PT-") else "replacement_machine"
        found.append(Deed(kind, str(goods.get("serial") or truth.get("thing") or ""), customer, names=(sent,), seq=1))
    kinds = [_TOOLS[one] for one in labelled.get("deeds") or () if one in _TOOLS]
    subject = str(truth.get("subscription_id") or (truth.get("want") or {}).get("id") or number)
    for kind in dict.fromkeys(kinds):
        if kind not in {"refund", "credit"}:
            found.append(Deed(kind, subject, customer, names=(number,) if number else (), seq=1))
    known = {one.kind for one in found}
    for text in () if truth.get("bills") else said:  # what was done before the episode and is only told
        folded = fold(text)
        values = read_values(folded, None, text if len(text) == len(folded) else folded)
        for claim in read_claims(read_clauses(folded, values)):
            if claim.says and claim.kind not in known:
                known.add(claim.kind)
                found.append(Deed(claim.kind, subject, customer, names=(number,) if number else ()))
    return tuple(found)


def _tell(truth: Mapping[str, Any], deeds: Sequence[Deed]) -> tuple[Entity, ...]:
    """Derive what must be told: the amounts and words of the truth, and the deeds of the episode."""
    found = [Entity("amount", (str(cents),)) for cents in truth.get("say_cents") or ()]
    for group in truth.get("say") or ():
        entity = _entity([str(one) for one in group])
        if entity is not None:
            found.append(entity)
    owed = {one.kind for one in deeds if one.seq and one.kind in NINE}
    owed -= set() if truth.get("say_cents") else {"refund", "credit"}  # paid to others, and told to them
    found += [Entity("deed", (kind,)) for kind in sorted(owed)]
    return tuple(dict.fromkeys(found))


def _entity(group: list[str]) -> Entity | None:
    """Return what a group of alternatives stands for, or None if the words are too unspecific."""
    first = group[0]
    found = [value for one in group for value in read_values(fold(one), None, one)]
    kinds = {value.kind for value in found}
    if first in _UNSPECIFIC:
        return None
    if kinds == {"time"} or re.fullmatch(r"\d\d:\d\d", first):
        return Entity("time", (first,))
    if kinds and kinds <= {"date"}:
        return Entity("date", tuple(dict.fromkeys(one.value for one in found if not one.value.startswith("--"))))
    if kinds == {"record"} or re.fullmatch(r"\d{9,}", first):
        return Entity("record", tuple(one.upper() for one in group))
    if len(group) == 2 and re.search(r"\d", group[0]) and re.search(r"\d", group[1]):
        return Entity("address", tuple(group))
    if first in {"cancelled", "cancel"}:
        return Entity("deed", ("cancellation",))
    if first == "part":
        return Entity("deed", ("part",))
    if first in _TOPICS:
        return Entity("topic", (_TOPICS[first],))
    return Entity("name", tuple(fold(one) for one in group))
